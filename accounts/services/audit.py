"""The audit trail: who did what, when and why, written in the transaction that does it."""

from collections.abc import Mapping
from uuid import UUID

from accounts.models import LONGEST_REASON, AuditEntry, Player
from accounts.names import shows_something
from cardsite.problems import Problem


def audit_write(  # noqa: PLR0913 - who, what, why, and what it is about
    *,
    by: Player | None,
    act: str,
    reason: str,
    player: Player | None = None,
    game: UUID | None = None,
    details: Mapping[str, object] | None = None,
) -> None:
    """Append an entry, in the caller's transaction. `by` is None where the server does it; `details` name
    nobody but by id. Raises `Problem` invalid."""
    AuditEntry.objects.create(
        by=by, act=act, reason=clean_reason(reason), player=player, game=game, details=dict(details or {})
    )


def clean_reason(reason: str) -> str:
    """A reason as it is kept. Raises `Problem` invalid where there is none, nothing to see, or a long one."""
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON or "\0" in reason:
        raise _unfit(f"has 1 to {LONGEST_REASON} characters")
    if not shows_something(reason):
        raise _unfit("has something to read")
    return reason


def _unfit(wanted: str) -> Problem:
    return Problem("invalid", f"A reason {wanted}.", errors=[{"path": "$.reason", "message": wanted}])
