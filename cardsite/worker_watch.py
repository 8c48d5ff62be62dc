"""The worker beside the server, which comes back when it dies."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.conf import settings

LOOKS_EVERY = 1.0  # seconds
GRACE = 8  # seconds

logger = logging.getLogger(__name__)


@contextmanager
def worker_running() -> Iterator[None]:
    """While the block runs, so does `manage.py worker`; it is started again within seconds of its death."""
    ended = Event()
    thread = Thread(target=_watch, args=(ended,), name="worker-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _watch(ended: Event) -> None:
    worker = _start()
    while not ended.wait(LOOKS_EVERY):
        if worker.poll() is not None:
            logger.warning("the worker has died; starting it again")
            worker = _start()
    worker.terminate()
    try:
        worker.wait(GRACE)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()


def _start() -> subprocess.Popen[bytes]:
    # In a session of its own: a Ctrl-C is for the server, which then ends it.
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--end-with-parent"]
    return subprocess.Popen(command, start_new_session=True)  # noqa: S603 - of the project's own
