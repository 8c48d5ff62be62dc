"""The only row locks.

Moves take none: they are guarded by the ply. What changes who sits at a game locks the game's row and reads
everything else in statements of their own, after the lock: in one `SELECT … FOR UPDATE` with a subquery, a
waiter would see the new row and the old seats.
"""

from uuid import UUID

from games.models import Game


def lock_game(*, game_id: UUID) -> Game | None:
    """The game, locked until the end of the transaction, or None."""
    return Game.objects.select_for_update().filter(id=game_id).first()
