"""Sessions in the database, by player."""

import time
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from accounts.models import BEGAN, Session


class SessionStore(db.SessionStore):
    """Django's, which also keeps whose a session is and since when, so that a player's can be told and ended.

    A cookie can spell a NUL, which PostgreSQL's text cannot hold: no key of ours has one."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        if SESSION_KEY in data:
            data.setdefault(BEGAN, int(time.time()))
        session: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of our model
        session.player_id = data.get(SESSION_KEY)
        return session

    def _validate_session_key(self, key: str) -> bool:
        return bool(super()._validate_session_key(key)) and "\0" not in key  # type: ignore[misc]
