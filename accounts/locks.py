"""The only row locks of accounts."""

from uuid import UUID

from accounts.models import Player


def lock_player(*, player_id: UUID) -> None:
    """Lock a player until the end of the transaction; games can be played meanwhile."""
    Player.objects.select_for_update(no_key=True).filter(id=player_id).first()
