"""Stream tickets: what a browser's EventSource, which can send no header, shows in place of a token.

A ticket is good for a minute and for streams alone, so that it does no harm in a log.
"""

from uuid import UUID

from django.core import signing

GOOD_FOR = 60  # seconds
_SALT = "stream ticket"


def new_ticket(player_id: UUID) -> str:
    """A ticket of a player, good from now on."""
    return signing.dumps(player_id.hex, salt=_SALT)


def ticket_holder(ticket: str) -> UUID | None:
    """Whose ticket it is, or None where it is none or no longer good."""
    try:
        return UUID(hex=signing.loads(ticket, salt=_SALT, max_age=GOOD_FOR))
    except signing.BadSignature:
        return None
