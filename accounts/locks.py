"""The only row locks of accounts. A player is locked before what is the player's: sanctions, tokens, sessions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models.functions import Now

from accounts.models import IdempotentAnswer, Player, Session
from cardsite.problems import Problem


def lock_player(*, player_id: UUID) -> Player | None:
    """The player, locked until the end of the transaction; games can be played meanwhile."""
    return Player.objects.select_for_update(no_key=True).filter(id=player_id).first()


def lock_with_owner(*, player_id: UUID) -> Player:
    """The player, locked likewise after the owner whose bot it is: the rank of neither changes meanwhile. Raises
    `Problem` not_found."""
    owner_id = Player.objects.filter(id=player_id).values_list("bot_of", flat=True).first()
    if owner_id is not None:
        lock_player(player_id=owner_id)
    kept = lock_player(player_id=player_id)
    if kept is None:
        raise Problem("not_found", "There is no such player.")
    return kept


def lock_unchanged(*, player: Player) -> Player:
    """The player, locked likewise, whose password is the one that `player` was read with: who knew an old one gets
    nothing by it once it was changed. Raises `Problem` forbidden."""
    kept = lock_player(player_id=player.id)
    if kept is None or kept.erased_at is not None:
        raise Problem("forbidden", "The account was erased.")
    if kept.password != player.password:
        raise Problem("forbidden", "The password was changed meanwhile.")
    return kept


def lock_players(*, player_ids: Sequence[UUID]) -> list[Player]:
    """Players, locked likewise in the order of their ids."""
    locked = Player.objects.select_for_update(no_key=True).filter(id__in=player_ids)
    return list(locked.order_by("id"))


def lock_expired_answers(*, after: timedelta, limit: int) -> list[UUID]:
    """The oldest answers that have been kept for longer, locked; those that others are at are passed over."""
    kept = IdempotentAnswer.objects.select_for_update(skip_locked=True).filter(created_at__lt=Now() - after)
    return list(kept.order_by("id").values_list("id", flat=True)[:limit])


def lock_expired_sessions(*, limit: int) -> list[str]:
    """The keys of sessions whose time is out, locked; those that others are at are passed over."""
    over = Session.objects.select_for_update(skip_locked=True).filter(expire_date__lte=Now())
    return list(over.order_by("expire_date").values_list("session_key", flat=True)[:limit])


def lock_sessions(*, keys: Sequence[str]) -> list[str]:
    """The keys of those of some sessions that are there, locked; those that others are at are passed over."""
    some = Session.objects.select_for_update(skip_locked=True).filter(session_key__in=keys)
    return list(some.values_list("session_key", flat=True))


def database_time() -> datetime:
    """What time it is, by the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
