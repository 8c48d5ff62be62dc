"""`manage.py migrate`, beside another and on its own."""

import threading

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

from games.management.commands.migrate import KEY
from tests.api.threads import waiting_count

TIMEOUTS = ("statement_timeout", "lock_timeout")


def timeouts():
    with connection.cursor() as cursor:
        return [cursor.execute(f"SHOW {name}").fetchone()[0] for name in TIMEOUTS]


@pytest.fixture
def other(transactional_db):
    """A connection of somebody else's."""
    params = connection.get_connection_params()
    wanted = {name: params[name] for name in ("dbname", "user", "password", "host", "port") if name in params}
    with psycopg.connect(**wanted, autocommit=True) as other:
        yield other


def test_a_migration_waits_until_another_is_over(other):
    ended = threading.Event()

    def migrate():
        try:
            call_command("migrate", verbosity=0)
        finally:
            connection.close()
        ended.set()

    other.execute("SELECT pg_advisory_lock(%s)", (KEY,))
    waiting = threading.Thread(target=migrate)
    waiting.start()
    assert not ended.wait(1.5)
    # A statement that waited there would wait for an index that is built concurrently, and that for it.
    assert waiting_count() == 0
    other.execute("SELECT pg_advisory_unlock(%s)", (KEY,))
    assert ended.wait(60)
    waiting.join()
    assert other.execute("SELECT pg_try_advisory_lock(%s)", (KEY,)).fetchone() == (True,)


def test_a_migration_may_take_its_time_but_holds_nobody_up(transactional_db):
    # One that is kept may be older than what the database gives to all.
    connection.close()
    connection.close_pool()
    seen = []

    def note(**sent):
        seen.append(timeouts())

    pre_migrate.connect(note)
    try:
        call_command("migrate", verbosity=0)
    finally:
        pre_migrate.disconnect(note)
    assert {tuple(one) for one in seen} == {("0", "5s")}
    assert timeouts() == ["30s", "5s"]
