"""Who is logged in by browser."""

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from accounts.models.player import Player

if TYPE_CHECKING:
    # It loads this module.
    from cardsite.sessions import SessionStore


BEGAN = "began"
"""What a session keeps the second under at which its player came in."""


class Session(AbstractBaseSession):
    """Django's, with the player who has logged in, if anybody has. Neither browser nor address is kept.

    Whoever knows `session_key` is that player, so it is told to nobody: `handle` says which session is meant."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="sessions")

    def __str__(self) -> str:
        return f"session {self.handle}"

    @classmethod
    def get_session_store_class(cls) -> "type[SessionStore]":
        from cardsite.sessions import SessionStore  # noqa: PLC0415 - it loads this module

        return SessionStore

    @property
    def handle(self) -> str:
        """What the session is called where its key must not be known."""
        return session_handle(self.session_key)

    @property
    def began_at(self) -> datetime | None:
        """When the player came in, where it was kept."""
        began = self.get_decoded().get(BEGAN)
        return None if began is None else datetime.fromtimestamp(began, UTC)


def session_handle(session_key: str) -> str:
    """What a session is called where its key must not be known."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:16]
