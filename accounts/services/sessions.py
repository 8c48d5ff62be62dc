"""When players have logged in by browser, and ending their sessions."""

from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts.locks import lock_with_owner
from accounts.models import Player, Session
from accounts.selectors.ranks import require_below
from accounts.services.audit import audit_write
from cardsite.problems import Problem


def log_in_note(*, user: Player, **_signal: Any) -> None:
    """Note that a player logged in now, as Django does, but for one whose account has been erased since the
    password was looked at: the session that is made then opens nothing."""
    Player.objects.filter(id=user.id, erased_at=None).update(last_login=Now())


@transaction.atomic
def session_end(*, player: Player, handle: str, by: Player, reason: str) -> None:
    """End a session of a player, named by its `handle`. Raises `Problem` forbidden (one does not rank above the
    player), not_found or invalid (no reason, or a long one)."""
    require_below(by=by, player=lock_with_owner(player_id=player.id))
    session = next((one for one in Session.objects.filter(player=player) if one.handle == handle), None)
    if session is None:
        raise Problem("not_found", "The player has no such session.")
    session.delete()
    audit_write(by=by, act="end_session", reason=reason, player=player, details={"session": handle})


@transaction.atomic
def sessions_end_all(*, player: Player, by: Player, reason: str) -> int:
    """End all sessions of a player: how many there were. Raises `Problem` forbidden (one does not rank above the
    player) or invalid (no reason, or a long one)."""
    require_below(by=by, player=lock_with_owner(player_id=player.id))
    ended, _ = Session.objects.filter(player=player).delete()
    audit_write(by=by, act="end_sessions", reason=reason, player=player, details={"sessions": ended})
    return ended


def sessions_end_others(*, player: Player, keep: str | None) -> int:
    """End the sessions of a player but the one with the key `keep`: how many there were."""
    ended, _ = Session.objects.filter(player=player).exclude(session_key=keep).delete()
    return ended
