"""Another time for games, for what a command does in a transaction of its own.

Games ask the database for the time in one place, the function `games_now`. A transaction here sees another
function of that name first: in a schema that its `search_path` begins with. Both the path and the time are set for
the transaction alone, so no other session is told another time, whatever runs beside it, and behind a pooler
nothing is left over. Nothing that comes from outside leads here: no request sets a path.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection, transaction

SCHEMA = "cardsite_pretended_time"
_MAKE = f"""
CREATE SCHEMA {SCHEMA};
CREATE FUNCTION {SCHEMA}.games_now() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$SELECT current_setting('{SCHEMA}.now')::timestamptz$$;
"""
_DROP = f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"


@contextmanager
def pretended_times() -> Iterator[None]:
    """While the block runs transactions of `pretending` can be made."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_DROP)  # of a run that was broken off
        cursor.execute(_MAKE)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(_DROP)


@contextmanager
def pretending() -> Iterator[None]:
    """A transaction in which games are told the time of `pretend`, which is called first."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('search_path')")
        (path,) = cursor.fetchone()
        cursor.execute("SELECT set_config('search_path', %s, true)", (f"{SCHEMA}, {path}",))
        yield
        # A transaction around this one goes on as before.
        cursor.execute("SELECT set_config('search_path', %s, true)", (path,))


def pretend(moment: datetime) -> None:
    """Let games be told this time from now on, in a transaction of `pretending`."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT set_config('{SCHEMA}.now', %s, true)", (moment.isoformat(),))
