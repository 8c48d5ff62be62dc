"""Leaderboards in the admin: the tables of the API, by rule set, measure, variant and period."""

import re
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from accounts.selectors.players import ids_of_name
from cardsite.admin import PageAdmin, player_link
from cardsite.tables import table
from games.admin.words import title_of
from games.catalog import CURRENT
from games.locks import database_time
from games.models import Board, Measure
from games.selectors.boards import (
    EMPTY,
    BoardPage,
    Place,
    StandingRow,
    board_around,
    board_id,
    board_page,
    period_of,
    variants_with_boards,
)
from games.variants import DEFAULT

PER_PAGE = 50
OF_SEVERAL = (Measure.RATING,)
OF_PATIENCES = (
    Measure.WIN_SHARE,
    Measure.WINS,
    Measure.BEST_SCORE,
    Measure.FEWEST_MOVES,
    Measure.BEST_TIME,
    Measure.STREAK,
)
PERIODS = {"all": "All time", "month": "This month", "week": "This week", "day": "Today"}
PERIOD = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?|[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])"
)
_CURSOR = re.compile(r"([0-9]{1,13})\.([0-9a-f]{32})")


class BoardForm(forms.Form):
    """Which board, and which part of it."""

    ruleset = forms.ChoiceField(
        label="Rule set",
        choices=lambda: [(slug, title_of(slug)) for slug in CURRENT],
        widget=UnfoldAdminSelectWidget(),
    )
    measure = forms.ChoiceField(widget=UnfoldAdminSelectWidget())
    variant = forms.ChoiceField(widget=UnfoldAdminSelectWidget())
    period = forms.ChoiceField(choices=list(PERIODS.items()), widget=UnfoldAdminSelectWidget())
    of = forms.CharField(
        required=False,
        label="Or of",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "2026-11, 2026-W48, 2026-11-30"}),
    )
    around = forms.CharField(
        required=False,
        label="Around a player",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Name"}),
    )

    def __init__(self, given: dict[str, str]) -> None:
        slug = given.get("ruleset", "")
        rules = CURRENT.get(slug) or next(iter(CURRENT.values()))
        measures = OF_PATIENCES if rules.is_patience else OF_SEVERAL
        variants = list(dict.fromkeys([DEFAULT, *variants_with_boards().get(rules.slug, [])]))
        usual = {"ruleset": rules.slug, "measure": measures[0].name.lower(), "variant": DEFAULT}
        chosen = {**usual, "period": "all", **given}
        # Another rule set has other measures and variants: what it has not is as usual.
        names = [measure.name.lower() for measure in measures]
        chosen["measure"] = chosen["measure"] if chosen["measure"] in names else names[0]
        chosen["variant"] = chosen["variant"] if chosen["variant"] in variants else DEFAULT
        super().__init__(chosen)
        self.fields["measure"].choices = [  # type: ignore[attr-defined]  # of a ChoiceField
            (measure.name.lower(), str(measure.label)) for measure in measures
        ]
        self.fields["variant"].choices = [(one, one) for one in variants]  # type: ignore[attr-defined]

    def clean_of(self) -> str:
        period: str = self.cleaned_data["of"]
        if period and not PERIOD.fullmatch(period):
            raise forms.ValidationError("A month (2026-11), an ISO week (2026-W48) or a day (2026-11-30).")
        return period

    def clean_around(self) -> UUID | None:
        name: str = self.cleaned_data["around"]
        found = ids_of_name(name) if name else [None]
        if not found:
            raise forms.ValidationError("There is no player of that name.")
        return found[0]


@admin.register(Board)
class BoardAdmin(PageAdmin):
    """One page for all leaderboards."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = BoardForm(request.GET.dict())
        page, following = EMPTY, None
        if form.is_valid():
            page = _page(form.cleaned_data, request.GET.get("after", ""))
            if page.following is not None:
                after = f"{page.following.score}.{page.following.player.hex}"
                given = request.GET.dict().items()
                kept = {name: str(value) for name, value in given if name not in ("after", "around")}
                following = f"?{urlencode({**kept, 'after': after})}"
        measure = Measure[str(form["measure"].value()).upper()]
        request.current_app = self.admin_site.name
        context = {
            **self.admin_site.each_context(request),
            "title": "Leaderboards",
            "form": form,
            "players": page.players,
            "board_table": _table(page, measure),
            "following": following,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "games/admin/boards.html", context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A board has no page of its own but the one on which it can be chosen."""
        board = self.found(request, object_id)
        query = {"ruleset": board.ruleset, "variant": board.variant}
        query |= {"period": "all"} if board.period == "all" else {"of": board.period}
        return HttpResponseRedirect(f"{reverse('admin:games_board_changelist')}?{urlencode(query)}")


def _page(chosen: dict[str, Any], after: str) -> BoardPage:
    period = chosen["of"] or period_of(chosen["period"], database_time())
    board = board_id(ruleset=chosen["ruleset"], variant=chosen["variant"], period=period)
    if board is None:
        return EMPTY
    measure = Measure[chosen["measure"].upper()]
    if chosen["around"] is not None:
        return board_around(board=board, measure=measure, player_id=chosen["around"], limit=PER_PAGE)
    place = _CURSOR.fullmatch(after)
    start = Place(int(place[1]), UUID(hex=place[2])) if place else None
    return board_page(board=board, measure=measure, after=start, limit=PER_PAGE)


def _table(page: BoardPage, measure: Measure) -> dict[str, Any]:
    """What the API says of each, as far as it is of the measure."""
    if measure == Measure.RATING:
        return table(
            ("Rank", "Player", "Rating", "Games", "Won"),
            (
                (
                    ranked.rank,
                    _player(ranked.row),
                    f"{ranked.row.mean:.0f} ± {ranked.row.deviation:.0f}",
                    ranked.row.games,
                    ranked.row.wins,
                )
                for ranked in page.items
            ),
        )
    return table(
        (
            "Rank",
            "Player",
            "Games",
            "Won",
            "Share won",
            "Best score",
            "Fewest moves",
            "Best time",
            "Streak",
        ),
        (
            (
                ranked.rank,
                _player(ranked.row),
                ranked.row.games,
                ranked.row.wins,
                f"{100 * ranked.row.wins / ranked.row.games:.1f} %" if ranked.row.games else "",
                ranked.row.best_score,
                ranked.row.fewest_moves,
                "" if ranked.row.best_time is None else f"{ranked.row.best_time / 1000:.1f} s",
                ranked.row.streak,
            )
            for ranked in page.items
        ),
    )


def _player(row: StandingRow) -> str:
    return player_link(row.player, f"{row.username} (bot)" if row.bot_of else row.username)
