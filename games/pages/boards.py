"""Leaderboards."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from accounts.models import Player
from cardsite.pages import Page
from cardsite.problems import Problem
from games.catalog import CURRENT
from games.locks import database_time
from games.models import Measure
from games.pages.forms import BoardForm
from games.pages.words import MEASURES, variant_words
from games.selectors.boards import (
    EMPTY,
    BoardPage,
    Place,
    Ranked,
    StandingRow,
    board_around,
    board_id,
    board_page,
    first_measure,
    measures_of,
    period_of,
    place_of,
    standing_of_player,
    variants_with_boards,
)

LIMIT = 50
NO_PAGE = "There is no such page of this list."


class BoardsView(Page):
    """What boards there are."""

    template_name = "games/pages/leaderboards.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        variants = variants_with_boards()
        boards = [
            {
                "rules": rules,
                "measures": [(name, MEASURES[name]) for name in measures_of(slug)],
                "variants": [(name, variant_words(name)) for name in variants.get(slug, [])],
            }
            for slug, rules in CURRENT.items()
        ]
        return self.page({"boards": boards})


class BoardView(Page):
    """A board: its first page, another, or the part around a player."""

    template_name = "games/pages/leaderboard.html"

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """Raises `Http404`, or `Problem` malformed for what is no cursor."""
        if slug not in CURRENT:
            raise Http404
        asked, viewer = request.GET.dict(), request.user if request.user.is_authenticated else None
        form = BoardForm(slug, variants_with_boards().get(slug, []), asked, viewer)
        context = {"rules": CURRENT[slug], "form": form}
        if not form.is_valid():
            return self.page(context, status=400)
        given = form.cleaned_data
        period = period_of(given["period"], database_time())
        board = board_id(ruleset=slug, variant=given["variant"], period=period)
        given["measure"] = given["measure"] or first_measure(board=board, ruleset=slug)
        form.show(given)
        measure = Measure[given["measure"].upper()]
        part = board_part(request, board, measure, given["around"])
        return self.page(
            {**context, **part, "measure": MEASURES[given["measure"]], "period": period, "given": given}
        )


def board_part(
    request: HttpRequest, board: int | None, measure: Measure, around: Player | None
) -> Mapping[str, Any]:
    """The part of a board that is asked for, and where who asks stands, for the template.

    Raises `Problem` malformed for what is no cursor.
    """
    page, own = EMPTY, None
    cursor = request.GET.get("cursor") or None
    place = None if cursor is None or around is not None else _place(cursor)
    if board is not None:
        page = (
            board_page(board=board, measure=measure, after=place, limit=LIMIT)
            if around is None
            else board_around(board=board, measure=measure, player_id=around.id, limit=LIMIT)
        )
        own = _own(board, measure, page, request.user.pk)
    return {
        "standings": [(ranked, _scores(measure, ranked.row)) for ranked in page.items],
        "columns": [title for title, _ in _COLUMNS[_kind(measure)]],
        "players": page.players,
        "own": None if own is None else (own, _scores(measure, own.row)),
        "around": around,
        "following": None if page.following is None else page.following.cursor,
        "is_first": place is None,
    }


def _place(cursor: str) -> Place:
    place = place_of(cursor)
    if place is None:
        raise Problem("malformed", NO_PAGE)
    return place


def _own(board: int, measure: Measure, page: BoardPage, viewer: UUID | None) -> Ranked | None:
    """The standing of who asks, where it is not on the page."""
    if viewer is None or any(ranked.row.player == viewer for ranked in page.items):
        return None
    return standing_of_player(board=board, measure=measure, player_id=viewer)


def _seconds(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    minutes, seconds = divmod(milliseconds / 1000, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}:{minutes:02}:{seconds:04.1f}" if hours else f"{minutes}:{seconds:04.1f}"


def _number(value: float | None) -> str:
    return "" if value is None else str(round(value))


Column = tuple[Promise, Callable[[StandingRow], str]]
_GAMES: Column = (gettext_lazy("Games"), lambda row: str(row.games))
_WINS: Column = (gettext_lazy("Wins"), lambda row: str(row.wins))
_COLUMNS: dict[str, tuple[Column, ...]] = {
    "rating": (
        (gettext_lazy("Rating"), lambda row: _number(row.mean)),
        (gettext_lazy("Give or take"), lambda row: _number(row.deviation)),
        _GAMES,
        _WINS,
    ),
    "patience": (
        (
            gettext_lazy("Share of wins"),
            lambda row: f"{100 * row.wins / row.games:.1f} %" if row.games else "",
        ),
        _WINS,
        _GAMES,
        (gettext_lazy("Best score"), lambda row: _number(row.best_score)),
        (gettext_lazy("Fewest moves"), lambda row: _number(row.fewest_moves)),
        (gettext_lazy("Best time"), lambda row: _seconds(row.best_time)),
        (gettext_lazy("Longest streak"), lambda row: str(row.streak)),
    ),
    "daily": (
        (gettext_lazy("Won"), lambda row: "✓" if row.wins else "\N{EN DASH}"),
        (gettext_lazy("Best score"), lambda row: _number(row.best_score)),
        (gettext_lazy("Fewest moves"), lambda row: _number(row.fewest_moves)),
        (gettext_lazy("Best time"), lambda row: _seconds(row.best_time)),
    ),
}


def _kind(measure: Measure) -> str:
    """Which columns a board has: by rating there is no best of anything."""
    if measure == Measure.RATING:
        return "rating"
    return "daily" if measure == Measure.DAILY else "patience"


def _scores(measure: Measure, row: StandingRow) -> list[tuple[Promise, str]]:
    """What stands in a row after the player, each with its column."""
    return [(title, text(row)) for title, text in _COLUMNS[_kind(measure)]]
