"""Making a game and coming together for it: create, join, leave, start."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from msgspec import Struct

from accounts.models import Player, new_id
from cardsite.problems import Problem
from games import shuffle, table
from games.catalog import AnyRules, rules_for
from games.clock import MILLISECOND, Clock, Rate, times_at_start, whole_milliseconds
from games.events import EventBody, ended_event, event_record, seat_event, started_event
from games.hints import tell_of_game
from games.locks import database_time, lock_game
from games.models import Deal, Game, Seat
from games.rules.contract import IllegalOptions, read_options
from games.services.refusals import clause_problem
from games.services.results import results_record
from games.table import Setup

ABANDON_AFTER = timedelta(days=30)


class Created(Struct, frozen=True):
    """A new game, and the secret that a private one is joined by, which is known only now."""

    game_id: UUID
    link: str | None


@transaction.atomic
def game_create(  # noqa: PLR0913 - what a game is made of
    *,
    owner: Player,
    rules: AnyRules,
    options: Any,
    seats: int,
    private: bool,
    rated: bool = False,
    clock: Clock | None = None,
    abandon_after: timedelta = ABANDON_AFTER,
) -> Created:
    """A game that is open to be joined, with its owner in seat 0.

    Its seed is made and committed to now, before anybody's entropy is known. `options` are the rule set's,
    and `seats` is a number that it can be played with; `abandon_after` is how long nobody need do anything
    before it is closed.

    Raises `Problem` illegal_options, or invalid (a rated game without a clock or for one).
    """
    if rated and (clock is None or seats == 1):
        raise Problem(
            "invalid",
            "A rated game has a clock and several seats.",
            errors=[{"path": "$.rated", "message": "needs a clock and several seats"}],
        )
    try:
        options = rules.resolve(options, seats)
    except IllegalOptions as refused:
        raise clause_problem("illegal_options", rules.slug, refused) from None
    link = secrets.token_urlsafe(24) if private else None
    game_id, seed = new_id(), secrets.token_bytes(shuffle.SEED_BYTES)
    abandoned_at = whole_milliseconds(database_time()) + abandon_after
    fixed = rules.fixed_deck(options) is not None
    game = Game.objects.create(
        id=game_id,
        owner=owner,
        ruleset=rules.slug,
        rules_version=rules.version,
        shuffle_version=shuffle.VERSION,
        options=msgspec.to_builtins(options),
        seat_count=seats,
        visibility=Game.Visibility.PRIVATE if private else Game.Visibility.PUBLIC,
        link_digest=_link_digest(link) if link else None,
        commitment=None if fixed else shuffle.commitment(game_id, seed),
        rated=rated,
        clock=msgspec.to_builtins(clock),
        abandon_after=abandon_after,
        abandoned_at=abandoned_at,
        due_at=abandoned_at,
    )
    Deal.objects.create(game=game, seed=seed)
    event_record(game, EventBody("created", {}))
    Seat.objects.create(
        game=game, number=0, player=owner, since_seq=event_record(game, seat_event("joined", 0, owner.id))
    )
    tell_of_game(game_id)
    return Created(game_id, link)


@transaction.atomic
def game_join(*, game_id: UUID, player: Player, entropy: str, link: str | None) -> None:
    """Take the first free seat. Who sits already stays, and changes nothing.

    Raises `Problem` not_found (no such game, or a private one and not its link), not_open or game_full.
    """
    game = lock_game(game_id=game_id)
    if game is None:
        raise _no_game()
    seats = list(Seat.objects.filter(game=game))
    if any(seat.player_id == player.id for seat in seats):
        return
    if game.visibility == Game.Visibility.PRIVATE and not _opens(game, link):
        raise _no_game()
    _require_open(game)
    free = sorted(set(range(game.seat_count)) - {seat.number for seat in seats})
    if not free:
        raise Problem("game_full", "Every seat of the game is taken.")
    since = event_record(game, seat_event("joined", free[0], player.id))
    Seat.objects.create(game=game, number=free[0], player=player, entropy=entropy, since_seq=since)
    tell_of_game(game_id)


@transaction.atomic
def game_leave(*, game_id: UUID, player: Player) -> None:
    """Give up one's seat before the start; where the owner leaves, the game is cancelled.

    Raises `Problem` not_found, not_seated or not_open.
    """
    game, seats = _game_seen(game_id, player)
    seat = next((seat for seat in seats if seat.player_id == player.id), None)
    if seat is None:
        raise Problem("not_seated", "You have no seat in this game.")
    _require_open(game)
    event_record(game, seat_event("left", seat.number, player.id))
    if game.owner_id == player.id:
        _cancel(game)
    else:
        seat.delete()
    tell_of_game(game_id)


@transaction.atomic
def open_game_settle(*, game_id: UUID) -> bool:
    """Cancel a game that nobody has started in its time; whether it was."""
    game = lock_game(game_id=game_id)
    if (
        game is None
        or game.status != Game.Status.OPEN
        or game.due_at is None
        or database_time() <= game.due_at
    ):
        return False
    _cancel(game)
    tell_of_game(game_id)
    return True


def _cancel(game: Game) -> None:
    event_record(game, EventBody("cancelled", {}))
    Game.objects.filter(id=game.id).update(
        status=Game.Status.CANCELLED, ended_at=database_time(), abandoned_at=None, due_at=None
    )


@transaction.atomic
def game_start(*, game_id: UUID, player: Player, entropy: str) -> None:
    """Shuffle and deal, once every seat is taken. A game that has started stays as it is.

    Raises `Problem` not_found, not_seated, not_owner, not_open or seats_open.
    """
    game, seats = _game_seen(game_id, player)
    if all(seat.player_id != player.id for seat in seats):
        raise Problem("not_seated", "You have no seat in this game.")
    if game.owner_id != player.id:
        raise Problem("not_owner", "Only the owner of the game may start it.")
    if game.started_at is not None:
        return
    _require_open(game)
    if len(seats) < game.seat_count:
        missing = game.seat_count - len(seats)
        raise Problem("seats_open", f"{missing} of {game.seat_count} seats are open.", seats_open=missing)
    Seat.objects.filter(game=game, player=player).update(entropy=entropy)
    seats.sort(key=lambda seat: seat.number)
    game.rated = game.rated and _may_be_rated(seats)

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
        results_record(game=game, players=[seat.player_id for seat in seats], outcome=outcome)
    tell_of_game(game_id)


def _may_be_rated(seats: Sequence[Seat]) -> bool:
    """Whether two who sit there are people, and no bot sits with its owner or with another bot of that owner."""
    owners: dict[UUID, UUID | None] = dict(
        Player.objects.filter(id__in=[seat.player_id for seat in seats]).values_list("id", "bot_of_id")
    )
    behind = [player if owner is None else owner for player, owner in owners.items()]
    people = sum(owner is None for owner in owners.values())
    return people >= 2 and len(set(behind)) == len(behind)


def _deck_of(game: Game, rules: AnyRules, options: Any) -> tuple[str, ...]:
    fixed = rules.fixed_deck(options)
    if fixed is not None:
        return fixed
    seed = bytes(Deal.objects.get(game=game).seed)
    entropies = Seat.objects.filter(game=game).order_by("number").values_list("entropy", flat=True)
    return tuple(shuffle.deck_order(rules.deck(options), seed, list(entropies)))


def _game_seen(game_id: UUID, player: Player) -> tuple[Game, list[Seat]]:
    """The locked game and its seats, in a statement after the lock."""
    game = lock_game(game_id=game_id)
    seats = list(Seat.objects.filter(game_id=game_id)) if game else []
    seated = any(seat.player_id == player.id for seat in seats)
    if game is None or (game.visibility == Game.Visibility.PRIVATE and not seated):
        raise _no_game()
    return game, seats


def _require_open(game: Game) -> None:
    if game.status != Game.Status.OPEN:
        raise Problem("not_open", f"The game is {game.status}.", game_status=game.status)
    if game.due_at is not None and game.due_at < database_time():
        raise Problem("not_open", "The game was not started in its time.", game_status=game.status)


def _opens(game: Game, link: str | None) -> bool:
    return link is not None and secrets.compare_digest(bytes(game.link_digest or b""), _link_digest(link))


def _link_digest(link: str) -> bytes:
    return hashlib.sha256(link.encode()).digest()


def _no_game() -> Problem:
    return Problem("not_found", "There is no game here that you may see.")
