"""The games API: leaderboards, and the table of a day's deal."""

import re
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_id_of, player_named
from cardsite.http import ApiView, OnePage, next_page, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import malformed
from games.api.rulesets import rules_of
from games.api.views import Limit
from games.catalog import CURRENT
from games.locks import database_time
from games.models import Measure
from games.selectors.boards import (
    CURSOR,
    EMPTY,
    PERIOD,
    BoardPage,
    MeasureName,
    Place,
    Ranked,
    board_around,
    board_id,
    board_page,
    measures_of,
    period_of,
    place_of,
    standing_of_player,
    variants_with_boards,
)
from games.variants import DEFAULT, PATTERN

Cursor = Annotated[str, Meta(pattern=f"^{CURSOR}$")]
Around = Annotated[str, Meta(min_length=1, max_length=20, description="A player's name, or `me`.")]


class BoardEntry(Struct, frozen=True):
    """A player's standing. Equals share a `rank`. What it follows from is of the games of the board:
    `fewest_moves` (entries of the log) and `best_time_ms` of those that were won; by rating these and
    `best_score` are null. `rating` is the middle of what it may be in truth, and the board goes by what it hardly
    is below: three deviations less."""

    rank: int
    username: str
    display_name: str
    is_bot: bool
    games: int
    wins: int
    win_share: float
    best_score: int | None
    fewest_moves: int | None
    best_time_ms: int | None
    streak: int
    rating: int | None
    deviation: int | None


class Leaderboard(Struct, frozen=True):
    """Part of a board, the best first: of so many `players`, and `you`, wherever you stand; null where you do not.
    `period` is all, a month (2026-11), an ISO week (2026-W48) or a day (2026-11-30), all of them UTC."""

    ruleset: str
    variant: str
    measure: str
    period: str
    players: int
    items: list[BoardEntry]
    you: BoardEntry | None
    next: str | None


class BoardsOfRuleSet(Struct, frozen=True):
    """What boards there are of a rule set: by each of `measures`, of each of `variants` and any period."""

    ruleset: str
    measures: tuple[str, ...]
    variants: list[str]


class BoardList(Struct, frozen=True):
    """The rule sets and their boards."""

    items: list[BoardsOfRuleSet]
    next: str | None


class BoardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which board, and which part of it. `measure` is at first rating or, of a patience, win_share (20 games or
    more); `period` may be season (the month), week or day for the present one. `around` is in place of
    `cursor`."""

    measure: (
        Annotated[
            MeasureName,
            Meta(description="`rating` where several play and `win_share` of a patience, if it is left out."),
        ]
        | None
    ) = None
    variant: Annotated[
        str, Meta(pattern=PATTERN, description="What differs from the usual options, as in `deck=40`.")
    ] = DEFAULT
    period: Annotated[
        str,
        Meta(
            pattern=rf"^({PERIOD})(?!\n)$",
            description="Of UTC; `season` is the present month, `2026-W48` a week.",
        ),
    ] = "all"
    around: Around | None = None
    cursor: Cursor | None = None
    limit: Limit = 50


class TableQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part. `around` is in place of `cursor`."""

    around: Around | None = None
    cursor: Cursor | None = None
    limit: Limit = 50


class BoardListView(ApiView):
    """What boards there are."""

    permission_classes = (AllowAny,)

    @operation(
        "leaderboards",
        "List the leaderboards: by what players are compared, and which variants have been played",
        query=Query(OnePage),
        answers={200: BoardList},
        access="anyone",
    )
    def get(self, request: Request) -> Response:
        read_query(request, OnePage)
        variants = variants_with_boards()
        items = [BoardsOfRuleSet(slug, measures_of(slug), variants.get(slug, [])) for slug in CURRENT]
        return Response(BoardList(items, next=None))


class BoardView(ApiView):
    """A leaderboard."""

    permission_classes = (AllowAny,)

    @operation(
        "leaderboard",
        "See a leaderboard: the best, a page, or around a player",
        query=Query(BoardQuery),
        answers={200: Leaderboard},
        problems=("not_found", "unauthenticated"),
        access="anyone",
    )
    def get(self, request: Request, slug: str) -> Response:
        rules_of(slug)
        query = read_query(request, BoardQuery)
        measures = measures_of(slug)
        name = query.measure or measures[0]
        if name not in measures:
            raise malformed(f"not a measure of {slug}", "measure")
        period = period_of(query.period, database_time())
        board = board_id(ruleset=slug, variant=query.variant, period=period)
        return Response(
            leaderboard(request, board, Measure[name.upper()], query, (slug, query.variant, name, period))
        )


def leaderboard(
    request: Request,
    board: int | None,
    measure: Measure,
    query: BoardQuery | TableQuery,
    names: tuple[str, str, str, str],
) -> Leaderboard:
    """The part of a board that was asked for; `names` are its rule set, variant, measure and period.

    Raises `NotAuthenticated`, or `Problem` not_found (no such player) or malformed.
    """
    if query.around is not None and query.cursor is not None:
        raise malformed("given together with `cursor`", "around")
    place, asker = _place(query.cursor), player_id_of(request)
    around = None if query.around is None else _player(query.around, asker)
    page, own = EMPTY, None
    if board is not None:
        if around is None:
            page = board_page(board=board, measure=measure, after=place, limit=query.limit)
        else:
            page = board_around(board=board, measure=measure, player_id=around, limit=query.limit)
        own = _own(board, measure, page, asker)
    following = page.following
    cursor = None if following is None else following.cursor
    return Leaderboard(
        *names,
        players=page.players,
        items=[_entry(ranked) for ranked in page.items],
        you=None if own is None else _entry(own),
        next=_following(request, cursor),
    )


def _own(board: int, measure: Measure, page: BoardPage, asker: UUID | None) -> Ranked | None:
    if asker is None:
        return None
    shown = next((ranked for ranked in page.items if ranked.row.player == asker), None)
    return shown or standing_of_player(board=board, measure=measure, player_id=asker)


def _following(request: Request, cursor: str | None) -> str | None:
    """The path of the next page, which is no longer around anybody."""
    following = next_page(request, cursor)
    return following and re.sub(r"(?<=[?&])around=[^&]*&", "", following)


def _place(cursor: str | None) -> Place | None:
    if cursor is None:
        return None
    place = place_of(cursor)
    if place is None:
        raise malformed("not a cursor of this list", "cursor")
    return place


def _player(name: str, asker: UUID | None) -> UUID:
    if name == "me":
        if asker is None:
            raise NotAuthenticated
        return asker
    return player_named(name).id


def _entry(ranked: Ranked) -> BoardEntry:
    row = ranked.row
    is_rating = row.mean is not None
    known: dict[str, Any] = {
        "best_score": None if is_rating else row.best_score,
        "fewest_moves": None if is_rating else row.fewest_moves,
        "best_time_ms": None if is_rating else row.best_time,
    }
    return BoardEntry(
        rank=ranked.rank,
        username=row.username,
        display_name=row.display_name,
        is_bot=row.bot_of is not None,
        games=row.games,
        wins=row.wins,
        win_share=round(row.wins / row.games, 6) if row.games else 0.0,
        streak=row.streak,
        rating=None if row.mean is None else round(row.mean),
        deviation=None if row.deviation is None else round(row.deviation),
        **known,
    )
