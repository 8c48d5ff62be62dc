"""A server of its own for a measurement: a fresh embedded database, granian, and their CPU time."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import psutil

from cardsite import embedded

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"


class Server:
    """A running `manage.py serve`. `environment` is what its processes see, for commands on the same data."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, environment: dict[str, str]) -> None:
        self.process = process
        self.port = port
        self.environment = environment

    @property
    def cluster(self) -> embedded.Cluster:
        """The server's embedded database."""
        return embedded.Cluster(Path(self.environment["DATA_DIR"]) / "postgres")

    @property
    def postmaster(self) -> psutil.Process:
        """PostgreSQL's main process."""
        return psutil.Process(int((self.cluster.data / "postmaster.pid").read_text().split()[0]))

    @property
    def workers(self) -> list[psutil.Process]:
        """The web processes."""
        return [child for child in psutil.Process(self.process.pid).children() if not _is_worker(child)]

    @property
    def job_workers(self) -> list[psutil.Process]:
        """The processes that do jobs."""
        return [child for child in psutil.Process(self.process.pid).children() if _is_worker(child)]

    def cpu_seconds(self) -> tuple[float, float]:
        """CPU seconds so far: of the web processes, and of the database's."""
        return _seconds(psutil.Process(self.process.pid)), _seconds(self.postmaster)


class Asker:
    """A client that keeps its connection."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.connection = HTTPConnection(HOST, port, timeout=30)
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], Any]:
        """Status, headers (lower-case names) and decoded body."""
        content = None if body is None else msgspec.json.encode(body)
        self.connection.request(method, path, content, self.headers | (headers or {}))
        response = self.connection.getresponse()
        answered = response.read()
        named = {name.lower(): value for name, value in response.getheaders()}
        return response.status, named, msgspec.json.decode(answered) if answered else None


@contextmanager
def served(settings: str = "bench.settings", **environment: str) -> Iterator[Server]:
    """A server on a free port with a data folder that is deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix="cardsite-bench-"))
    # The account that runs PostgreSQL must reach it.
    folder.chmod(0o755)
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    given = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    given |= {"DATA_DIR": str(folder / "var"), "DJANGO_SETTINGS_MODULE": settings, **environment}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=given, stdout=log, stderr=subprocess.STDOUT)
    server = Server(process, port, given)
    try:
        _wait_until_ready(server, folder / "server.log")
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(server: Server, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        try:
            if Asker(server.port).ask("GET", "/readyz")[0] == 200:
                return
        except OSError:
            time.sleep(0.2)
    sys.exit(f"the server does not start:\n{log.read_text()[-2000:]}")


def _is_worker(process: psutil.Process) -> bool:
    return "worker" in process.cmdline()


def _seconds(main: psutil.Process) -> float:
    """Of a process, its living children, and those that have ended."""
    own = main.cpu_times()
    total = own.user + own.system + own.children_user + own.children_system
    for child in main.children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total
