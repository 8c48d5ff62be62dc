"""What is known of a player from the games, for the player alone, as `accounts.selectors.personal` has the rest.

Of a game that goes on there is nothing but what the player gave to it: who made a move knows it.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q
from msgspec import Struct

from accounts.selectors.personal import PARTS as OF_ACCOUNT
from accounts.selectors.personal import Fact, Part, place_id
from cardsite.jsonbody import Timestamp, optional_timestamp, timestamp
from games.models import Rating, RatingChange, Result, Reveal, Seat


class GameFact(Fact, frozen=True, kw_only=True, tag="game"):
    """A seat at a game; `entropy` is what one has added to the shuffle."""

    id: str
    ruleset: str
    options: dict[str, Any]
    visibility: str
    status: str
    rated: bool
    is_owner: bool
    seat: int
    entropy: str
    joined_at: Timestamp
    started_at: Timestamp | None
    ended_at: Timestamp | None


class MoveFact(Fact, frozen=True, kw_only=True, tag="move"):
    """An entry of a game's log that one has asked for; `move` is null where it is no move."""

    game: str
    ply: int
    kind: str
    seat: int | None
    move: Any
    at: Timestamp


class ResultFact(Fact, frozen=True, kw_only=True, tag="result"):
    """What one's seat came to."""

    game: str
    seat: int
    place: int
    result: str
    score: int
    at: Timestamp | None


class RatingFact(Fact, frozen=True, kw_only=True, tag="rating"):
    """One's rating at a variant of a rule set."""

    ruleset: str
    variant: str
    mean: float
    deviation: float
    games: int


class RatingChangeFact(Fact, frozen=True, kw_only=True, tag="rating_change"):
    """What a game, or its being voided, did to a rating."""

    ruleset: str
    variant: str
    number: int
    game: str
    kind: str
    mean_before: float
    deviation_before: float
    mean_change: float
    deviation_change: float
    at: Timestamp


class RevealFact(Fact, frozen=True, kw_only=True, tag="reveal"):
    """A game of which one had shown what it hides."""

    game: str
    reason: str
    at: Timestamp


# Seat by seat, so that it costs as much as is told: of one join the planner has several workers read all seats.
_MOVES = """
SELECT m.game_id, m.ply, m.kind, m.seat, m.body, m.at
FROM (SELECT game_id FROM games_seat WHERE player_id = %(player)s AND game_id >= %(game)s
    ORDER BY game_id OFFSET 0) s
CROSS JOIN LATERAL (SELECT game_id, ply, kind, seat, body, at FROM games_move
    WHERE game_id = s.game_id AND by_id = %(player)s AND (game_id > %(game)s OR ply > %(ply)s) OFFSET 0) m
ORDER BY s.game_id, m.ply LIMIT %(limit)s
"""


def _games(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    seats = Seat.objects.filter(player=player_id, game__gt=place_id(after)).select_related("game")
    return [
        (
            seat.game_id.hex,
            GameFact(
                id=str(seat.game_id),
                ruleset=seat.game.ruleset,
                options=seat.game.options,
                visibility=seat.game.visibility,
                status=seat.game.status,
                rated=seat.game.rated,
                is_owner=seat.game.owner_id == player_id,
                seat=seat.number,
                entropy=seat.entropy,
                joined_at=timestamp(seat.joined_at),
                started_at=optional_timestamp(seat.game.started_at),
                ended_at=optional_timestamp(seat.game.ended_at),
            ),
        )
        for seat in seats.order_by("game_id")[:limit]
    ]


def _moves(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    game, _, ply = after.partition(".")
    start = place_id(game), int(ply) if after else -1
    with connection.cursor() as cursor:
        cursor.execute(_MOVES, {"player": player_id, "game": start[0], "ply": start[1], "limit": limit})
        rows = cursor.fetchall()
    return [
        (
            f"{game_id.hex}.{ply}",
            MoveFact(
                game=str(game_id),
                ply=ply,
                kind=kind,
                seat=seat,
                move=msgspec.Raw(body.encode()),
                at=timestamp(at),
            ),
        )
        for game_id, ply, kind, seat, body, at in rows
    ]


def _results(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    results = Result.objects.filter(player=player_id, game__gt=place_id(after)).order_by("game_id")[:limit]
    return [
        (
            result.game_id.hex,
            ResultFact(
                game=str(result.game_id),
                seat=result.seat,
                place=result.place,
                result=result.result,
                score=result.score,
                at=optional_timestamp(result.at),
            ),
        )
        for result in results
    ]


def _ratings(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    # No more than there are variants.
    found = [
        (
            f"{rating.ruleset} {rating.variant}",
            RatingFact(
                ruleset=rating.ruleset,
                variant=rating.variant,
                mean=rating.mean,
                deviation=rating.deviation,
                games=rating.games,
            ),
        )
        for rating in Rating.objects.filter(player=player_id)
    ]
    return [(place, fact) for place, fact in sorted(found, key=itemgetter(0)) if place > after][:limit]


def _rating_changes(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    ruleset, number, variant = after.split(" ", 2) if after else ("", "0", "")
    changes = RatingChange.objects.filter(
        Q(ruleset__gt=ruleset)
        | Q(ruleset=ruleset, variant__gt=variant)
        | Q(ruleset=ruleset, variant=variant, number__gt=int(number)),
        player=player_id,
    )
    return [
        (
            f"{change.ruleset} {change.number} {change.variant}",
            RatingChangeFact(
                ruleset=change.ruleset,
                variant=change.variant,
                number=change.number,
                game=str(change.game_id),
                kind=change.kind,
                mean_before=change.mean_before,
                deviation_before=change.deviation_before,
                mean_change=change.mean_change,
                deviation_change=change.deviation_change,
                at=timestamp(change.at),
            ),
        )
        for change in changes.order_by("ruleset", "variant", "number")[:limit]
    ]


def _reveals(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    reveals = Reveal.objects.filter(by=player_id, id__gt=place_id(after)).order_by("id")[:limit]
    return [
        (
            reveal.id.hex,
            RevealFact(game=str(reveal.game_id), reason=reveal.reason, at=timestamp(reveal.at)),
        )
        for reveal in reveals
    ]


PARTS: dict[str, Part] = {
    **OF_ACCOUNT,
    "games": _games,
    "moves": _moves,
    "results": _results,
    "ratings": _ratings,
    "changes": _rating_changes,
    "reveals": _reveals,
}


class PersonalPage(Struct, frozen=True):
    """Facts in order, and after which place it goes on, if it does."""

    facts: list[Fact]
    following: str | None


def personal_page(*, player_id: UUID, after: str | None, limit: int) -> PersonalPage:
    """All that is known of a player, from after a place on: that of a page before, or the beginning. Raises
    `ValueError` for a place that is none."""
    if after is not None and not (after.isascii() and after.isprintable()):
        raise ValueError("not a place")
    name, _, place = (after or "").partition(".")
    names = list(PARTS)
    facts = list[tuple[str, Fact]]()
    for part in names[names.index(name) if after else 0 :]:
        found = PARTS[part](player_id, place if part == name else "", limit + 1 - len(facts))
        facts += [(f"{part}.{at}", fact) for at, fact in found]
        if len(facts) > limit:
            break
    page = facts[:limit]
    return PersonalPage([fact for _, fact in page], page[-1][0] if len(facts) > limit else None)
