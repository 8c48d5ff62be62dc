"""Sessions in the database, by player."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from accounts.models import Session


class SessionStore(db.SessionStore):
    """Django's, which also keeps whose a session is, so that a player's can be ended.

    A cookie can spell a NUL, which PostgreSQL's text cannot hold: no key of ours has one."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of our model
        session.player_id = data.get(SESSION_KEY)
        return session

    def _validate_session_key(self, key: str) -> bool:
        return bool(super()._validate_session_key(key)) and "\0" not in key  # type: ignore[misc]
