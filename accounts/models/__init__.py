"""Players, what they come in by, and what is done about them."""

from accounts.models.moderation import LONGEST_REASON, AuditEntry, Sanction
from accounts.models.player import ErasedName, Player, PlayerManager, new_id
from accounts.models.rate import Allowance, RequestCount
from accounts.models.session import BEGAN, Session, session_handle
from accounts.models.token import ApiToken, IdempotentAnswer

__all__ = [
    "BEGAN",
    "LONGEST_REASON",
    "Allowance",
    "ApiToken",
    "AuditEntry",
    "ErasedName",
    "IdempotentAnswer",
    "Player",
    "PlayerManager",
    "RequestCount",
    "Sanction",
    "Session",
    "new_id",
    "session_handle",
]
