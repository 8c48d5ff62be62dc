import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from cardsite.serving import PortInUse, end_with_parent, serve

TINY_SITE = Path(__file__).with_name("tiny_site.py")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(TINY_SITE.parents[2])}
# As tiny_site sets them.
LIMIT = 100_000
GRACE = 1


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def eventually(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def has_ended(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


class Site:
    """A running tiny_site in a process group of its own, as a shell would start it."""

    def __init__(self, workers: int) -> None:
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory()
        self.sleeps = Path(self.folder.name, "begun")
        self.sleeps.touch()
        self.process = subprocess.Popen(
            [sys.executable, str(TINY_SITE), str(self.port), str(workers)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**ENVIRONMENT, "TINY_SITE_BEGUN": str(self.sleeps)},
            start_new_session=True,
        )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=30)

    def worker(self) -> int:
        """The process id of a worker, or 0 while none answers."""
        try:
            pid: int = self.client.get("/pid").json()["pid"]
        except httpx.TransportError:
            return 0
        return pid

    def workers(self) -> list[psutil.Process]:
        """All of them, once the first one answers."""
        assert eventually(lambda: self.worker() > 0, 60)
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]

    def sleeps_begun(self) -> int:
        """How many requests to sleep have come to a worker."""
        return self.sleeps.stat().st_size

    def send(self, number: signal.Signals, *, to_group: bool = False) -> None:
        (os.killpg if to_group else os.kill)(self.process.pid, number)

    def end(self) -> None:
        self.client.close()
        with contextlib.suppress(ProcessLookupError):
            self.send(signal.SIGKILL, to_group=True)
        self.process.communicate()
        self.folder.cleanup()


@contextlib.contextmanager
def running(workers: int = 1) -> Iterator[Site]:
    site = Site(workers)
    try:
        site.workers()
        yield site
    finally:
        site.end()


@contextlib.contextmanager
def request_in_progress(site: Site, milliseconds: int) -> Iterator[Callable[[], httpx.Response]]:
    """A request that takes so long and has begun; the result of the call is its response."""
    with ThreadPoolExecutor(1) as threads:
        before = site.sleeps_begun()
        response = threads.submit(site.client.get, f"/sleep/{milliseconds}")
        assert eventually(lambda: site.sleeps_begun() > before, 30)
        yield response.result


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running() as site:
        yield site


@pytest.fixture
def stream(site: Site) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as stream:
        yield stream


def test_a_request(site: Site) -> None:
    response = site.client.put("/echo", content=b"12345")

    assert response.json() == {"method": "PUT", "path": "/echo", "size": 5}


def test_headers_with_an_underscore_do_not_arrive(site: Site) -> None:
    headers = [("X_Seat", "1"), ("X-Seat", "2"), ("X_Other", "3")]

    assert site.client.get("/echo", headers=headers).json()["HTTP_X_SEAT"] == "2"
    assert "HTTP_X_OTHER" not in site.client.get("/echo", headers=headers).json()


def test_a_chunked_body(site: Site) -> None:
    response = site.client.post("/echo", content=iter([b"x" * 40_000, b"y" * 30_000]))

    assert response.request.headers["Transfer-Encoding"] == "chunked"
    assert response.json()["size"] == 70_000


def test_a_body_at_the_limit(site: Site) -> None:
    assert site.client.post("/echo", content=b"x" * LIMIT).json()["size"] == LIMIT


@pytest.mark.parametrize("content", [b"x" * (LIMIT + 1), b"x" * 5_000_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_over_the_limit(site: Site, content: bytes, *, chunked: bool) -> None:
    response = site.client.post("/echo", content=iter([content]) if chunked else content)

    assert response.status_code == 413
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Connection"] == "close"
    assert response.json()["code"] == "too_large"
    assert response.json()["limit"] == LIMIT
    assert site.client.get("/pid").status_code == 200


def test_head(site: Site, stream: socket.socket) -> None:
    length = len(site.client.get("/pid").content)

    stream.sendall(b"HEAD /pid HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    head, _, body = stream.makefile("rb").read().partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"content-length: %d\r\n" % length in head
    assert body == b""


def test_expect(stream: socket.socket) -> None:
    stream.sendall(
        b"POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n"
        b"Expect: 100-continue\r\nConnection: close\r\n\r\n"
    )
    assert stream.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    stream.sendall(b"abc")

    assert b'"size": 3' in stream.makefile("rb").read()


def test_clients_that_leave(site: Site) -> None:
    for request in (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
        b"GET /sleep/300 HTTP/1.1\r\n",
    ):
        for _ in range(8):
            with socket.create_connection(("127.0.0.1", site.port)) as stream:
                stream.sendall(request)

    assert site.client.get("/pid").status_code == 200


def test_port_in_use(site: Site) -> None:
    with pytest.raises(PortInUse, match=rf"^127\.0\.0\.1:{site.port} is already in use$"):
        serve(port=site.port)


def test_an_address_that_is_not_ours() -> None:
    with pytest.raises(OSError, match=r"192\.0\.2\.1"):
        serve("192.0.2.1", free_port())


def test_a_dead_worker_is_replaced(site: Site) -> None:
    (dead,) = site.workers()
    dead.kill()

    assert eventually(lambda: site.worker() not in (0, dead.pid), 60)


def test_workers_that_are_killed_again_and_again_are_replaced() -> None:
    with running(2) as site:
        time.sleep(1)  # which is for how long it is to serve before
        died = set[int]()
        for _ in range(3):
            assert eventually(lambda: site.worker() not in {0, *died}, 60)
            worker = site.worker()
            os.kill(worker, signal.SIGKILL)
            died.add(worker)

        assert eventually(lambda: site.worker() not in {0, *died}, 60)
        assert site.process.poll() is None


def test_no_watch_outside_of_a_worker() -> None:
    end_with_parent()

    assert "parent-watch" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize(
    ("number", "to_group"), [(signal.SIGINT, True), (signal.SIGHUP, False)], ids=["ctrl-c", "hang-up"]
)
def test_a_signal_lets_requests_finish(number: signal.Signals, *, to_group: bool) -> None:
    with running() as site, request_in_progress(site, 500) as response:
        workers = site.workers()
        site.send(number, to_group=to_group)
        output, _ = site.process.communicate(timeout=GRACE + 20)

        assert response().text == "slept"
        assert site.process.returncode == 0
        assert output.endswith("stopped\n")
        assert all(has_ended(worker) for worker in workers)
        assert is_free(site.port)


def test_a_signal_does_not_wait_for_ever() -> None:
    with (
        running() as site,
        request_in_progress(site, 500) as short,
        request_in_progress(site, 90_000) as long,
    ):
        site.send(signal.SIGTERM)
        output, _ = site.process.communicate(timeout=GRACE + 20)

        assert short().text == "slept"
        with pytest.raises(httpx.TransportError):
            long()
        assert site.process.returncode == 0
        assert output.endswith("stopped\n")


def test_workers_do_not_outlive_a_killed_server() -> None:
    with running(workers=2) as site, request_in_progress(site, 90_000) as response:
        workers = site.workers()
        site.send(signal.SIGKILL)

        assert eventually(lambda: is_free(site.port), 20)
        assert eventually(lambda: all(has_ended(worker) for worker in workers), GRACE + 20)
        with pytest.raises(httpx.TransportError):
            response()


def test_workers_that_cannot_start() -> None:
    arguments = f"port={free_port()}, workers=1, target='nowhere.application'"
    script = f"from cardsite.serving import serve; serve({arguments})"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert "No module named 'nowhere'" in done.stderr
    assert done.stderr.endswith("WorkersFailed: the workers keep failing: see the log above\n")
