"""`manage.py migrate`, beside another and on its own."""

import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import OperationalError, connection, models
from django.db.migrations.state import ProjectState
from django.db.models.signals import pre_migrate

from cardsite.indexes import AddIndexMeanwhile
from cardsite.past_pooler import past_pooler
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


def test_a_pooler_is_passed_without_a_pool_of_ones_own(transactional_db, settings):
    place = {name: value for name, value in connection.settings_dict.items() if name != "OPTIONS"}
    place["HOST"] = connection.settings_dict["OPTIONS"].get("host") or place["HOST"]
    assert connection.pool is not None
    settings.LISTEN_DATABASE = place
    with past_pooler():
        with past_pooler():
            assert connection.pool is None
            with connection.cursor() as cursor:
                assert cursor.execute("SELECT 1").fetchone() == (1,)
        assert connection.pool is None
    assert connection.pool is not None


def test_it_works_past_a_pooler(transactional_db, settings):
    # Here the way past is known by the name that it goes by.
    connection.close()
    connection.close_pool()
    options = {key: value for key, value in connection.settings_dict["OPTIONS"].items() if key != "pool"}
    settings.LISTEN_DATABASE = connection.settings_dict | {"OPTIONS": options | {"application_name": "past"}}
    seen = []

    def note(**sent):
        with connection.cursor() as cursor:
            seen.append(cursor.execute("SHOW application_name").fetchone()[0])

    pre_migrate.connect(note)
    try:
        call_command("migrate", verbosity=0)
    finally:
        pre_migrate.disconnect(note)
    assert set(seen) == {"past"}
    with connection.cursor() as cursor:
        assert cursor.execute("SHOW application_name").fetchone()[0] != "past"


def test_an_index_is_made_though_others_take_their_time_and_though_one_was_broken_off(other):
    state = ProjectState.from_apps(apps)
    index = models.Index(fields=["ply", "seat_count"], name="game_in_passing")
    operation = AddIndexMeanwhile("game", index)
    to = state.clone()
    operation.state_forwards("games", to)

    def make():
        with connection.schema_editor(atomic=False) as editor:
            operation.database_forwards("games", editor, state, to)

    def is_valid():
        return other.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('game_in_passing')"
        ).fetchone()

    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '300ms'")
        with other.transaction():
            other.execute("LOCK TABLE games_game IN ROW EXCLUSIVE MODE")
            # As it is left where a server is stopped in the middle of it.
            with (
                pytest.raises(OperationalError, match="lock timeout"),
                connection.schema_editor(atomic=False) as editor,
            ):
                editor.add_index(to.apps.get_model("games", "game"), index, concurrently=True)
            assert is_valid() == (False,)
            making = ThreadPoolExecutor(1).submit(patiently, make)
            with pytest.raises(TimeoutError):
                making.result(1)
        making.result(30)
        assert is_valid() == (True,)
    finally:
        other.execute("DROP INDEX IF EXISTS game_in_passing")
        connection.close()


def patiently(make):
    """On another thread's connection, whose patience with locks is short."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '300ms'")
        make()
        assert timeouts() == ["30s", "5s"]
    finally:
        connection.close()
