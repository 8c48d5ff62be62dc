"""Stream tickets: what a browser's EventSource, which can send no header, shows in place of a token.

A ticket is good for a minute and for streams alone, so that it does no harm in a log; and it is no better than the
token or the session by which it was got.
"""

from uuid import UUID

from django.core import signing

from accounts.selectors.accesses import Access

GOOD_FOR = 60  # seconds
_SALT = "stream ticket of an access"


def new_ticket(access: Access) -> str:
    """A ticket of who came in so, good from now on."""
    token = access.token_id.hex if access.token_id else ""
    return signing.dumps(f"{access.player_id.hex}.{token}.{access.session or ''}", salt=_SALT)


def ticket_access(ticket: str) -> Access | None:
    """By what the ticket was got, or None where it is none or no longer good."""
    try:
        player, token, session = signing.loads(ticket, salt=_SALT, max_age=GOOD_FOR).split(".")
    except signing.BadSignature:
        return None
    return Access(UUID(hex=player), UUID(hex=token) if token else None, session or None)
