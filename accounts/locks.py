"""The only row locks of accounts. A player is locked before what is the player's: sanctions, tokens, sessions."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

from accounts.models import Player


def lock_player(*, player_id: UUID) -> Player | None:
    """The player, locked until the end of the transaction; games can be played meanwhile."""
    return Player.objects.select_for_update(no_key=True).filter(id=player_id).first()


def lock_players(*, player_ids: Sequence[UUID]) -> list[Player]:
    """Players, locked likewise in the order of their ids."""
    locked = Player.objects.select_for_update(no_key=True).filter(id__in=player_ids)
    return list(locked.order_by("id"))


def database_time() -> datetime:
    """What time it is, by the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
