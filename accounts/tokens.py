"""What a token looks like, and what of it is kept."""

import hashlib
import secrets

PREFIX = "card_"
HINT_LENGTH = 10


def new_secret() -> str:
    """A token of 256 random bits; the prefix lets scanners of leaked secrets know it."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(secret: str) -> bytes:
    """What is kept of a token. It is random enough that no slow or salted hash is needed."""
    return hashlib.sha256(secret.encode()).digest()
