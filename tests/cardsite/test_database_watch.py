import os
import signal
import time

import psycopg
import pytest

from cardsite import database_watch, embedded


def postmaster_of(cluster):
    return int((cluster.data / "postmaster.pid").read_text().split()[0])


@pytest.fixture
def _looks_often(monkeypatch):
    monkeypatch.setattr(database_watch, "LOOKS_EVERY", 0.05)


@pytest.mark.usefixtures("_looks_often")
def test_a_killed_server_is_started_again_with_what_was_committed():
    with embedded.throwaway({"synchronous_commit": "on"}) as cluster, database_watch.kept_running(cluster):
        with psycopg.connect(cluster.dsn, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        first = postmaster_of(cluster)
        os.kill(first, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while True:
            try:
                with psycopg.connect(cluster.dsn) as connection:
                    assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
                break
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, "the server did not come back"
                time.sleep(0.1)
        assert postmaster_of(cluster) != first


@pytest.mark.usefixtures("_looks_often")
def test_a_server_that_is_stopped_after_the_block_stays_down():
    with embedded.throwaway() as cluster:
        with database_watch.kept_running(cluster):
            pass
        cluster.stop()
        time.sleep(0.2)
        assert cluster.lives() is False
