"""Games that are over, written as rows: what ratings and boards follow from, without a move being played."""

from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from accounts.models import new_id
from games.models import Game, Result, Seat, Uncounted
from games.services.rating import game_rate

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


class Finished(NamedTuple):
    """A game and, by seat, who came to what."""

    id: UUID
    players: tuple[UUID, ...]
    results: tuple[str, ...]
    at: datetime = NOON
    places: tuple[int, ...] = (1,)
    scores: tuple[int, ...] = (0,)
    ruleset: str = "camelot"
    variant: str = "default"
    length: int = 10
    duration: int = 60_000
    scope: str | None = "open"
    is_public: bool = True
    is_shuffled: bool = True
    rated: bool = False


def finish(*games):
    """Write games as their ends would have, and what is to be counted."""
    Game.objects.bulk_create(_row(game) for game in games)
    Seat.objects.bulk_create(
        Seat(game_id=game.id, number=number, player_id=player)
        for game in games
        for number, player in enumerate(game.players)
    )
    Game.objects.filter(id__in=[game.id for game in games]).update(
        status="finished", ending="played_out", started_at=NOON, ended_at=NOON
    )
    Result.objects.bulk_create(result for game in games for result in _results(game))
    Uncounted.objects.bulk_create(Uncounted(game_id=game.id, change=1) for game in games if game.is_public)
    for game in games:
        if game.rated:
            game_rate(
                game_id=game.id,
                ruleset=game.ruleset,
                variant=game.variant,
                players=game.players,
                places=game.places,
                at=game.at,
            )


def patience(player, result="win", **fields):
    """A game of Camelot that a player has finished."""
    if "score" in fields:
        fields["scores"] = (fields.pop("score"),)
    return Finished(new_id(), (player.id,), (result,), **fields)


def of_several(players, places, **fields):
    """A rated game of Sicksack in which the players came in at these places."""
    best = "win" if places.count(1) == 1 else "draw"
    return Finished(
        new_id(),
        tuple(player.id for player in players),
        tuple(best if place == 1 else "loss" for place in places),
        places=tuple(places),
        scores=(0,) * len(places),
        **{"ruleset": "sicksack", "rated": True} | fields,
    )


def _row(game):
    return Game(
        id=game.id,
        owner_id=game.players[0],
        ruleset=game.ruleset,
        rules_version=1,
        shuffle_version=1,
        options={},
        seat_count=len(game.players),
        visibility="public" if game.is_public else "private",
        link_digest=None if game.is_public else b"d" * 32,
        commitment="0" * 64 if game.is_shuffled else None,
        variant=game.variant,
        rated=game.rated,
    )


def _results(game):
    for seat, player in enumerate(game.players):
        yield Result(
            game_id=game.id,
            seat=seat,
            player_id=player,
            place=game.places[seat],
            result=game.results[seat],
            score=game.scores[seat],
            length=game.length,
            duration=game.duration,
            ending="played_out",
            ruleset=game.ruleset,
            variant=game.variant,
            seats=len(game.players),
            is_public=game.is_public,
            is_shuffled=game.is_shuffled,
            scope=game.scope,
            at=game.at,
        )
