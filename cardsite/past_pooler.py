"""A connection that leads past a pooler, for commands that need one of their own throughout."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

PLACE = ("NAME", "USER", "PASSWORD", "HOST", "PORT")


@contextmanager
def past_pooler(alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """The connection of this thread leads to `LISTEN_DATABASE_URL`, where that is another address than
    `DATABASE_URL`: a pooler in transaction mode would give a lock or a setting of a connection's own to whoever
    comes next."""
    connection, direct = connections[alias], settings.LISTEN_DATABASE
    before = connection.settings_dict
    # Nor does it come out of this process's own pool, which leads where the others do.
    place = {name: direct[name] for name in PLACE if name in direct}
    to = before | place | {"OPTIONS": direct.get("OPTIONS", {})}
    if alias != DEFAULT_DB_ALIAS or direct is settings.DATABASES[alias] or to == before:
        yield
        return
    connection.close()
    connection.settings_dict = to
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict = before
