"""`manage.py migrate`, beside another and on its own."""

import threading

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

from games.management.commands import migrate
from tests.api.threads import waiting_count
from tests.conftest import database_url

TIMEOUTS = ("statement_timeout", "lock_timeout")


def timeouts():
    with connection.cursor() as cursor:
        return [cursor.execute(f"SHOW {name}").fetchone()[0] for name in TIMEOUTS]


@pytest.fixture
def other(transactional_db):
    """A connection of somebody else's."""
    with psycopg.connect(database_url(), autocommit=True) as other:
        yield other


def test_a_migration_waits_until_another_is_over(other, monkeypatch):
    ended, refused, lock = threading.Event(), threading.Semaphore(0), migrate._lock

    def locks(cursor):
        has_it = lock(cursor)
        if not has_it:
            refused.release()
        return has_it

    monkeypatch.setattr(migrate, "_lock", locks)

    def migrates():
        try:
            call_command("migrate", verbosity=0)
        finally:
            connection.close()
        ended.set()

    other.execute("SELECT pg_advisory_lock(%s)", (migrate.KEY,))
    waiting = threading.Thread(target=migrates)
    waiting.start()
    # Refused again, it has not gone on after it was refused.
    assert refused.acquire(timeout=30)
    assert refused.acquire(timeout=30)
    assert not ended.is_set()
    # A statement that waited there would wait for an index that is built concurrently, and that for it.
    assert waiting_count() == 0
    other.execute("SELECT pg_advisory_unlock(%s)", (migrate.KEY,))
    assert ended.wait(60)
    waiting.join()
    assert other.execute("SELECT pg_try_advisory_lock(%s)", (migrate.KEY,)).fetchone() == (True,)


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
