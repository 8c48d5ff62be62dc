"""The embedded database comes back by itself when it was killed, as a service of the system would."""

import logging
from contextlib import AbstractContextManager
from functools import partial
from threading import Event

from cardsite.beside import beside
from cardsite.embedded import Cluster, EmbeddedPostgresError

LOOKS_EVERY = 1.0  # seconds

logger = logging.getLogger(__name__)


def kept_running(cluster: Cluster) -> AbstractContextManager[None]:
    """While the block runs, start the server of `cluster` again within seconds of its death."""
    return beside(partial(_watch, cluster), "database-watch")


def _watch(cluster: Cluster, ended: Event) -> None:
    while not ended.wait(LOOKS_EVERY):
        if cluster.lives():
            continue
        logger.warning("the embedded database has died; starting it again")
        try:
            cluster.ensure()
        except EmbeddedPostgresError:
            logger.exception("the embedded database does not start; trying again")
