"""The embedded database comes back by itself when it was killed, as a service of the system would."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from cardsite.embedded import Cluster, EmbeddedPostgresError

LOOKS_EVERY = 1.0  # seconds

logger = logging.getLogger(__name__)


@contextmanager
def kept_running(cluster: Cluster) -> Iterator[None]:
    """While the block runs, start the server of `cluster` again within seconds of its death."""
    ended = Event()
    thread = Thread(target=_watch, args=(cluster, ended), name="database-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _watch(cluster: Cluster, ended: Event) -> None:
    while not ended.wait(LOOKS_EVERY):
        if cluster.lives():
            continue
        logger.warning("the embedded database has died; starting it again")
        try:
            cluster.ensure()
        except EmbeddedPostgresError:
            logger.exception("the embedded database does not start; trying again")
