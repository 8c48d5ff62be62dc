"""`manage.py migrate`: Django's, one at a time and for as long as it takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

KEY = int.from_bytes(b"migrate")


class Command(migrate.Command):
    """A server that starts and a command beside it, or several servers, migrate one after the other. An index of a
    large table takes longer than a request may; on locks that others hold it waits no longer than they do."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises what Django's raises."""
        with _alone(options["database"]):
            super().handle(*args, **options)


@contextmanager
def _alone(database: str) -> Iterator[None]:
    connection = connections[database]
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET lock_timeout = 0")
        cursor.execute("SELECT pg_advisory_lock(%s)", (KEY,))
        cursor.execute("RESET lock_timeout")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", (KEY,))
            cursor.execute("RESET statement_timeout")
