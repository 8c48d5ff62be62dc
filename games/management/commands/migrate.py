"""`manage.py migrate`: Django's, one at a time and for as long as it takes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from cardsite.past_pooler import past_pooler

KEY = int.from_bytes(b"migrate")
EVERY = 0.2  # seconds


class Command(migrate.Command):
    """A server that starts and a command beside it, or several servers, migrate one after the other, and past a
    pooler. An index of a large table takes longer than a request may; on locks that others hold nothing else
    waits longer than requests do."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises what Django's raises."""
        with past_pooler(options["database"]), _alone(options["database"]):
            super().handle(*args, **options)


@contextmanager
def _alone(database: str) -> Iterator[None]:
    connection = connections[database]
    with connection.cursor() as cursor:
        # Not waiting in the database: an index that is built concurrently waits for every statement there.
        while not _lock(cursor):
            time.sleep(EVERY)
        cursor.execute("SET statement_timeout = 0")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")
            cursor.execute("SELECT pg_advisory_unlock(%s)", (KEY,))


def _lock(cursor: Any) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", (KEY,))
    has_it: bool = cursor.fetchone()[0]
    return has_it
