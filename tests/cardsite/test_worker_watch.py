import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from cardsite import worker_watch
from cardsite.worker_watch import worker_running

Started = list[subprocess.Popen[bytes]]
IGNORES = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
)


@pytest.fixture
def started(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Started:
    """What was started in the worker's place: by default a program that ends when it is told to."""
    script = getattr(request, "param", "import time; print(flush=True); time.sleep(60)")
    processes: Started = []

    def start() -> subprocess.Popen[bytes]:
        processes.append(subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE))
        return processes[-1]

    monkeypatch.setattr(worker_watch, "_start", start)
    monkeypatch.setattr(worker_watch, "LOOKS_EVERY", 0.05)
    return processes


def eventually(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()


def is_up(process: subprocess.Popen[bytes]) -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == b"\n"


def ended(processes: Started) -> list[int]:
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
    return [process.wait(10) for process in processes]


def test_the_worker_runs_as_long_as_the_block(started: Started) -> None:
    with worker_running():
        assert eventually(lambda: len(started) == 1)
        assert is_up(started[0])
        time.sleep(0.2)
        assert started[0].poll() is None
    assert ended(started) == [-signal.SIGTERM]


def test_a_worker_that_dies_is_started_again(started: Started, caplog: pytest.LogCaptureFixture) -> None:
    with worker_running():
        for number in range(3):
            assert eventually(lambda number=number: len(started) == number + 1)
            assert is_up(started[number])
            if number < 2:
                started[number].kill()
    assert ended(started) == [-signal.SIGKILL, -signal.SIGKILL, -signal.SIGTERM]
    assert [record.getMessage() for record in caplog.records] == [
        "the worker has died; starting it again",
        "the worker has died; starting it again",
    ]


def test_the_worker_ends_also_where_the_block_fails(started: Started) -> None:
    def fail() -> None:
        with worker_running():
            assert eventually(lambda: len(started) == 1)
            assert is_up(started[0])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert ended(started) == [-signal.SIGTERM]


@pytest.mark.parametrize("started", [IGNORES], indirect=True)
def test_a_worker_that_does_not_end_is_killed(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_watch, "GRACE", 0.2)
    with worker_running():
        assert eventually(lambda: len(started) == 1)
        assert is_up(started[0])
    assert ended(started) == [-signal.SIGKILL]
