"""The games API: how players stand."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_named
from cardsite.http import ApiView, OnePage, next_page, read_query
from cardsite.jsonbody import Timestamp, timestamp
from cardsite.openapi import Query, operation
from cardsite.problems import malformed
from games.api.views import Limit
from games.catalog import CURRENT
from games.models import Rating, RatingChange
from games.ratings import SURE_BELOW
from games.selectors.standings import Record, rating_changes, ratings_of_player, records_of_player
from games.variants import DEFAULT, PATTERN


class PlayerRating(Struct, frozen=True):
    """How strong a player is thought to be at a variant of a rule set: `rating`, give or take `deviation`, of
    so many games."""

    ruleset: str
    variant: str
    rating: int
    deviation: int
    provisional: bool
    games: int


class RatingPage(Struct, frozen=True):
    """A player's ratings, by rule set and variant."""

    items: list[PlayerRating]
    next: str | None


class ChangeOfRating(Struct, frozen=True):
    """What a game did to a rating: `kind` is `game`, or `reversal` where the game was voided."""

    number: int
    kind: str
    game: str
    rating_before: int
    rating_after: int
    deviation_after: int
    at: Timestamp


class ChangePage(Struct, frozen=True):
    """Changes of a rating, newest first."""

    items: list[ChangeOfRating]
    next: str | None


class RecordPage(Struct, frozen=True):
    """How a player has fared, by rule set, in public games that were not voided; of the deal of the day once the
    day is over."""

    items: list[Record]
    next: str | None


class ChangesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which rule set and variant, and which page."""

    ruleset: Literal[tuple(CURRENT)]  # type: ignore[valid-type]
    variant: Annotated[str, Meta(pattern=PATTERN)] = DEFAULT
    cursor: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    limit: Limit = 50


class RecordQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Against whom, if not against all."""

    opponent: Annotated[str, Meta(min_length=1, max_length=20)] | None = None


class RatingsView(ApiView):
    """A player's ratings."""

    permission_classes = (AllowAny,)

    @operation(
        "ratings",
        "See a player's ratings",
        query=Query(OnePage),
        answers={200: RatingPage},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, username: str) -> Response:
        read_query(request, OnePage)
        ratings = ratings_of_player(player_id=player_named(username).id)
        return Response(RatingPage([_rating(rating) for rating in ratings], next=None))


class RatingChangesView(ApiView):
    """How a player's rating came to be what it is."""

    permission_classes = (AllowAny,)

    @operation(
        "rating_changes",
        "See every change of a player's rating at a rule set, newest first",
        query=Query(ChangesQuery),
        answers={200: ChangePage},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, username: str) -> Response:
        query = read_query(request, ChangesQuery)
        changes = rating_changes(
            player_id=player_named(username).id,
            ruleset=query.ruleset,
            variant=query.variant,
            before=query.cursor,
            limit=query.limit + 1,
        )
        page = changes[: query.limit]
        cursor = page[-1].number if len(changes) > query.limit else None
        return Response(ChangePage([_change(change) for change in page], next_page(request, cursor)))


class RecordView(ApiView):
    """A player's record."""

    permission_classes = (AllowAny,)

    @operation(
        "record",
        "See how a player has fared, by rule set; against one opponent, if one is named",
        query=Query(RecordQuery),
        answers={200: RecordPage},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, username: str) -> Response:
        query = read_query(request, RecordQuery)
        player = player_named(username)
        opponent = None if query.opponent is None else player_named(query.opponent)
        if opponent == player:
            raise malformed("is the player", "opponent")
        records = records_of_player(
            player_id=player.id, opponent_id=None if opponent is None else opponent.id
        )
        return Response(RecordPage(records, next=None))


def _rating(rating: Rating) -> PlayerRating:
    return PlayerRating(
        rating.ruleset,
        rating.variant,
        round(rating.mean),
        round(rating.deviation),
        rating.deviation >= SURE_BELOW,
        rating.games,
    )


def _change(change: RatingChange) -> ChangeOfRating:
    return ChangeOfRating(
        number=change.number,
        kind=change.kind,
        game=str(change.game_id),
        rating_before=round(change.mean_before),
        rating_after=round(change.mean_before + change.mean_change),
        deviation_after=round(change.deviation_before + change.deviation_change),
        at=timestamp(change.at),
    )
