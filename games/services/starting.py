"""The start of a game: the shuffle, the deal, and the times that run from then on."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from django.db import transaction

from accounts.models import Player
from cardsite.problems import Problem
from games import shuffle, table
from games.catalog import AnyRules, rules_for
from games.clock import MILLISECOND, Clock, Rate, times_at_start, whole_milliseconds
from games.events import ended_event, event_record, started_event
from games.hints import tell_of_game
from games.locks import database_time
from games.models import DailyDeal, Deal, Game, Seat
from games.rules.contract import read_options
from games.services.gathering import game_seen, require_open
from games.services.results import results_record
from games.table import Setup


@transaction.atomic
def game_start(*, game_id: UUID, player: Player, entropy: str) -> None:
    """Shuffle and deal, once every seat is taken. A game that has started stays as it is.

    Raises `Problem` not_found, not_seated, not_owner, not_open or seats_open.
    """
    game, seats = game_seen(game_id, player)
    if all(seat.player_id != player.id for seat in seats):
        raise Problem("not_seated", "You have no seat in this game.")
    if game.owner_id != player.id:
        raise Problem("not_owner", "Only the owner of the game may start it.")
    if game.started_at is not None:
        return
    require_open(game)
    if len(seats) < game.seat_count:
        missing = game.seat_count - len(seats)
        raise Problem("seats_open", f"{missing} of {game.seat_count} seats are open.", seats_open=missing)
    Seat.objects.filter(game=game, player=player).update(entropy=entropy)
    seats.sort(key=lambda seat: seat.number)
    game_begin(game=game, seats=seats)


def game_begin(*, game: Game, seats: Sequence[Seat]) -> None:
    """Deal a game that the caller's transaction has locked or made, all of its seats taken, in their order."""
    rules = rules_for(game.ruleset, game.rules_version)
    options = read_options(rules, game.options)
    deck = _deck_of(game, rules, options)
    position = table.lay_out(Setup(rules, options, game.seat_count, deck))
    Deal.objects.filter(game=game).update(deck=list(deck))
    at = whole_milliseconds(database_time())
    clock = msgspec.convert(game.clock, Clock | None)
    times = times_at_start(Rate(clock, game.abandon_after), position, at)
    outcome = position.outcome
    event_record(game, started_event(position, times))
    if outcome:
        event_record(game, ended_event("played_out", outcome))
    game.rated = game.rated and _may_be_rated(seats)
    Game.objects.filter(id=game.id).update(
        status=Game.Status.FINISHED if outcome else Game.Status.RUNNING,
        ending=Game.Ending.PLAYED_OUT if outcome else None,
        rated=game.rated,
        started_at=at,
        ended_at=at if outcome else None,
        to_act=list(position.to_act),
        deadlines=list(times.deadlines),
        remaining=[left // MILLISECOND for left in times.remaining],
        abandoned_at=times.abandoned_at,
        due_at=times.due_at,
    )
    if outcome:
        results_record(game=game, players=[seat.player_id for seat in seats], outcome=outcome, at=at)
    tell_of_game(game.id)


def _may_be_rated(seats: Sequence[Seat]) -> bool:
    """Whether two who sit there are people, and no bot sits with its owner or with another bot of that owner."""
    owners: dict[UUID, UUID | None] = dict(
        Player.objects.filter(id__in=[seat.player_id for seat in seats]).values_list("id", "bot_of_id")
    )
    behind = [player if owner is None else owner for player, owner in owners.items()]
    people = sum(owner is None for owner in owners.values())
    return people >= 2 and len(set(behind)) == len(behind)


def _deck_of(game: Game, rules: AnyRules, options: object) -> tuple[str, ...]:
    if game.daily_id is not None:
        return tuple(DailyDeal.objects.get(id=game.daily_id).deck)
    fixed = rules.fixed_deck(options)
    if fixed is not None:
        return fixed
    seed = bytes(Deal.objects.get(game=game).seed)
    entropies = Seat.objects.filter(game=game).order_by("number").values_list("entropy", flat=True)
    return tuple(shuffle.deck_order(rules.deck(options), seed, list(entropies)))
