"""Making a game and coming together for it: create, join, leave."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from msgspec import Struct

from accounts.models import Player, new_id
from accounts.selectors.sanctions import require_unmuted
from cardsite.problems import Problem
from games import shuffle
from games.catalog import AnyRules
from games.clock import Clock, whole_milliseconds
from games.events import EventBody, event_record, seat_event
from games.hints import tell_of_game
from games.locks import database_time, lock_game
from games.models import Deal, Game, Seat
from games.rules.contract import IllegalOptions
from games.selectors.revealing import is_known_to
from games.services.refusals import clause_problem
from games.variants import variant_of

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

    Raises `Problem` muted (a public game for several), illegal_options, or invalid (a game that cannot be rated).
    """
    if seats > 1 and not private:
        require_unmuted(owner)
    try:
        options = rules.resolve(options, seats)
    except IllegalOptions as refused:
        raise clause_problem("illegal_options", rules.slug, refused) from None
    if rated and (clock is None or seats == 1 or private or rules.is_cooperative(options)):
        raise Problem(
            "invalid",
            "A rated game is public, has a clock, and several seats that play against each other.",
            errors=[{"path": "$.rated", "message": "needs a public game of several, with a clock"}],
        )
    if rated and clock is not None and abandon_after < timedelta(seconds=clock.seconds):
        raise Problem(
            "invalid",
            "A rated game is not closed before the first turn is out of time.",
            errors=[{"path": "$.abandon_after", "message": f"is at least {clock.seconds} in a rated game"}],
        )
    link = secrets.token_urlsafe(24) if private else None
    game_id, seed = new_id(), secrets.token_bytes(shuffle.SEED_BYTES)
    now = whole_milliseconds(database_time())
    abandoned_at = now + abandon_after
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
        variant=variant_of(rules, options, seats),
        rated=rated,
        clock=msgspec.to_builtins(clock),
        abandon_after=abandon_after,
        abandoned_at=abandoned_at,
        due_at=abandoned_at,
        created_at=now,
    )
    Deal.objects.create(game=game, seed=seed)
    event_record(game, EventBody("created", {}))
    since = event_record(game, seat_event("joined", 0, owner.id))
    Seat.objects.create(game=game, number=0, player=owner, since_seq=since, joined_at=now)
    tell_of_game(game_id)
    return Created(game_id, link)


@transaction.atomic
def game_join(*, game_id: UUID, player: Player, entropy: str, link: str | None) -> None:
    """Take the first free seat. Who sits already stays, and changes nothing.

    Raises `Problem` not_found (no such game, one that others play the deal of, or a private one and not its
    link), muted (a public game), revealed (what it hides was shown to the player), not_open or game_full.
    """
    game = lock_game(game_id=game_id)
    if game is None:
        raise _no_game()
    seats = list(Seat.objects.filter(game=game))
    if any(seat.player_id == player.id for seat in seats):
        return
    if _is_sealed(game) or (game.visibility == Game.Visibility.PRIVATE and not _opens(game, link)):
        raise _no_game()
    if game.visibility == Game.Visibility.PUBLIC:
        require_unmuted(player)
    if is_known_to(game_id=game_id, player=player):
        raise Problem("revealed", "You have had shown what this game hides, and do not play it.")
    require_open(game)
    free = sorted(set(range(game.seat_count)) - {seat.number for seat in seats})
    if not free:
        raise Problem("game_full", "Every seat of the game is taken.")
    since = event_record(game, seat_event("joined", free[0], player.id))
    Seat.objects.create(
        game=game,
        number=free[0],
        player=player,
        entropy=entropy,
        since_seq=since,
        joined_at=whole_milliseconds(database_time()),
    )
    tell_of_game(game_id)


@transaction.atomic
def game_leave(*, game_id: UUID, player: Player) -> None:
    """Give up one's seat before the start; where the owner leaves, the game is cancelled.

    Raises `Problem` not_found, not_seated or not_open.
    """
    game, seats = game_seen(game_id, player)
    seat = next((seat for seat in seats if seat.player_id == player.id), None)
    if seat is None:
        raise Problem("not_seated", "You have no seat in this game.")
    require_open(game)
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


def game_seen(game_id: UUID, player: Player) -> tuple[Game, list[Seat]]:
    """The game, locked, and its seats, read in a statement after the lock. Raises `Problem` not_found."""
    game = lock_game(game_id=game_id)
    seats = list(Seat.objects.filter(game_id=game_id)) if game else []
    seated = any(seat.player_id == player.id for seat in seats)
    if game is None or ((game.visibility == Game.Visibility.PRIVATE or _is_sealed(game)) and not seated):
        raise _no_game()
    return game, seats


def _is_sealed(game: Game) -> bool:
    """Whether others still play its deal, and nobody else sees it."""
    return game.sealed_until is not None and database_time() < game.sealed_until


def require_open(game: Game) -> None:
    """Raises `Problem` not_open."""
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
