"""The games API: the deals of the day."""

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_id_of, player_of
from accounts.api.idempotent import respond_once
from cardsite.http import ApiView, next_page, read_body, read_query
from cardsite.jsonbody import Timestamp, timestamp
from cardsite.openapi import Query, operation
from cardsite.problems import Problem, malformed
from games.api import shapes
from games.api.leaderboards import Leaderboard, TableQuery, leaderboard
from games.api.views import Limit, seen
from games.catalog import CURRENT
from games.models import Measure
from games.selectors.boards import board_id, daily_period
from games.selectors.daily import SeenDaily, daily_deal, daily_deals, daily_tries
from games.services.daily import daily_start

DAY = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
PATIENCES = tuple(slug for slug, rules in CURRENT.items() if rules.is_patience)


class Daily(Struct, frozen=True):
    """A deal of the day, which is the same for all: `commitment` is SHA-256 over a tag, `id` and the seed. It
    can be played from `opens_at` until `closes_at`, as `state` says: ahead, open or over."""

    id: str
    date: str
    ruleset: str
    rules_version: int
    shuffle_version: int
    variant: str
    commitment: str
    opens_at: Timestamp
    closes_at: Timestamp
    state: Literal["ahead", "open", "over"]


class DailyDetail(Daily, frozen=True, kw_only=True):
    """A deal of the day. `seed` and `deck` are null until it is over; `tries` are the first tries of players
    that ended in time, `wins` how many of them were won; `your_try` is the game that is your first."""

    seed: str | None
    deck: tuple[str, ...] | None
    tries: int
    wins: int
    your_try: str | None


class DailyPage(Struct, frozen=True):
    """Deals of the day, the latest day first; those of a day are on one page."""

    items: list[Daily]
    next: str | None


class DailyQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which rule set, and which page."""

    ruleset: Literal[PATIENCES] | None = None  # type: ignore[valid-type]
    cursor: DAY | None = None
    limit: Limit = 50


class StartDaily(Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing to choose."""


class DailiesView(ApiView):
    """The deals of the day."""

    permission_classes = (AllowAny,)

    @operation(
        "list_daily",
        "List the deals of the day, from those that are committed to for the days ahead on",
        query=Query(DailyQuery),
        answers={200: DailyPage},
        access="anyone",
    )
    def get(self, request: Request) -> Response:
        query = read_query(request, DailyQuery)
        before = None if query.cursor is None else _place(query.cursor)
        deals = daily_deals(ruleset=query.ruleset, before=before, limit=query.limit)
        cursor = str(deals[-1].date) if len(deals) >= query.limit else None
        return Response(DailyPage([_daily(deal) for deal in deals], next_page(request, cursor)))


class DailyView(ApiView):
    """A deal of the day."""

    permission_classes = (IsAuthenticatedOrReadOnly,)

    @operation(
        "daily",
        "See a deal of the day; its cards when the day is over",
        answers={200: DailyDetail},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, day: str, slug: str) -> Response:
        deal = _deal(day, slug)
        tries = daily_tries(deal=deal, player_id=player_id_of(request))
        return Response(
            DailyDetail(
                **_head(deal),
                seed=deal.seed,
                deck=deal.deck,
                tries=tries.ended,
                wins=tries.won,
                your_try=None if tries.own is None else str(tries.own),
            )
        )

    @operation(
        "play_daily",
        "Begin a game with the deal of the day; one's first counts",
        request=StartDaily,
        answers={201: shapes.GameDetail},
        problems=("forbidden", "not_found", "not_today", "revealed", "try_running"),
        creating=True,
    )
    def post(self, request: Request, day: str, slug: str) -> Response:
        read_body(request, StartDaily)
        return respond_once(request, lambda: self._begin(request, day, slug))

    def _begin(self, request: Request, day: str, slug: str) -> shapes.GameDetail:
        player = player_of(request)
        return seen(daily_start(player=player, day=_day(day), ruleset=slug), player.id)


class DailyTableView(ApiView):
    """How first tries at a deal of the day came out."""

    permission_classes = (AllowAny,)

    @operation(
        "daily_table",
        "See how players did in their first try: wins first, then the score, then fewer moves and less time",
        query=Query(TableQuery),
        answers={200: Leaderboard},
        problems=("not_found", "unauthenticated"),
        access="anyone",
    )
    def get(self, request: Request, day: str, slug: str) -> Response:
        query = read_query(request, TableQuery)
        deal = _deal(day, slug)
        board = board_id(ruleset=deal.ruleset, variant=deal.variant, period=daily_period(deal.date))
        names = (deal.ruleset, deal.variant, "daily", str(deal.date))
        return Response(leaderboard(request, board, Measure.DAILY, query, names))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _no_deal() from None


def _place(cursor: str) -> date:
    try:
        return date.fromisoformat(cursor)
    except ValueError:
        raise malformed("not a cursor of this list", "cursor") from None


def _deal(day: str, slug: str) -> SeenDaily:
    deal = daily_deal(day=_day(day), ruleset=slug)
    if deal is None:
        raise _no_deal()
    return deal


def _no_deal() -> Problem:
    return Problem("not_found", "There is no deal of that day.")


def _head(deal: SeenDaily) -> dict[str, Any]:
    return {
        "id": str(deal.id),
        "date": str(deal.date),
        "ruleset": deal.ruleset,
        "rules_version": deal.rules_version,
        "shuffle_version": deal.shuffle_version,
        "variant": deal.variant,
        "commitment": deal.commitment,
        "opens_at": timestamp(deal.opens_at),
        "closes_at": timestamp(deal.closes_at),
        "state": deal.state,
    }


def _daily(deal: SeenDaily) -> Daily:
    return Daily(**_head(deal))
