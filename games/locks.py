"""The only row locks.

Moves take none: they are guarded by the ply. What changes who sits at a game locks the game's row and reads
everything else in statements of their own, after the lock: in one `SELECT … FOR UPDATE` with a subquery, a
waiter would see the new row and the old seats.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from games.models import Game, Rating
from games.ratings import Strength

_DEMO = int.from_bytes(b"demo")


@contextmanager
def one_snapshot() -> Iterator[None]:
    """All that is read is as of one moment, unless a transaction is under way, which sees what it sees."""
    is_first = not connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if is_first:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@contextmanager
def lock_demo() -> Iterator[bool]:
    """Whether nobody else makes a demo; then nobody does meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", (_DEMO,))
        has_it: bool = cursor.fetchone()[0]
    try:
        yield has_it
    finally:
        if has_it:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", (_DEMO,))


def is_demo_made() -> bool:
    """Whether somebody makes a demo just now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database"
            " WHERE locktype = 'advisory' AND datname = current_database()"
            " AND (classid::bigint << 32) + objid::bigint = %s)",
            (_DEMO,),
        )
        is_made: bool = cursor.fetchone()[0]
    return is_made


def lock_game(*, game_id: UUID) -> Game | None:
    """The game, locked until the end of the transaction, or None."""
    return Game.objects.select_for_update().filter(id=game_id).first()


def lock_ratings(*, players: Sequence[UUID], ruleset: str, variant: str) -> dict[UUID, Rating]:
    """The players' ratings at a variant of a rule set, locked in the order of their ids; made where there was
    none."""
    first = Strength()
    Rating.objects.bulk_create(
        (
            Rating(
                player_id=player,
                ruleset=ruleset,
                variant=variant,
                mean=first.mean,
                deviation=first.deviation,
            )
            for player in sorted(players)
        ),
        ignore_conflicts=True,
    )
    locked = Rating.objects.select_for_update().filter(
        player_id__in=players, ruleset=ruleset, variant=variant
    )
    return {rating.player_id: rating for rating in locked.order_by("player_id")}


def lock_all_ratings() -> None:
    """Nobody else changes or makes a rating until the end of the transaction; they can be read all the while."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_rating IN EXCLUSIVE MODE")


def lock_boards(*, wait: bool) -> bool:
    """Whether the boards are this transaction's alone to write; they can be read all the while. Without `wait`
    False where they are another's, and the transaction is to end."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE games_board IN EXCLUSIVE MODE{'' if wait else ' NOWAIT'}")
    except OperationalError as error:
        if wait or not isinstance(error.__cause__, LockNotAvailable):
            raise
        transaction.set_rollback(True)
        return False
    return True


def database_time() -> datetime:
    """What time it is, by the database; asked after a lock was taken, not before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT games_now()")
        now: datetime = cursor.fetchone()[0]
    return now
