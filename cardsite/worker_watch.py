"""The worker beside the server, which comes back when it dies."""

import logging
import subprocess
import sys
from contextlib import AbstractContextManager
from threading import Event

from django.conf import settings

from cardsite.beside import beside

LOOKS_EVERY = 1.0  # seconds
GRACE = 8  # seconds

logger = logging.getLogger(__name__)


def worker_running() -> AbstractContextManager[None]:
    """While the block runs, so does `manage.py worker`; it is started again within seconds of its death."""
    return beside(_watch, "worker-watch")


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
