"""Sessions in the database, as Django keeps them."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """A cookie can spell a NUL, which PostgreSQL's text cannot hold: no key of ours has one."""

    def _validate_session_key(self, key: str) -> bool:
        return bool(super()._validate_session_key(key)) and "\0" not in key  # type: ignore[misc]
