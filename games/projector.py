"""The projector, which counts games for the boards as they end: a thread of the worker."""

import logging
import time
from threading import Thread

from django.db import Error, connection

from games.services.boards import AT_ONCE, boards_project

PAUSE = 0.25  # seconds

logger = logging.getLogger(__name__)


def keep_projecting() -> None:
    """Count from now on, in a thread of its own. Where several processes do, one at a time counts."""
    Thread(target=_project, name="projector", daemon=True).start()


def _project() -> None:
    while True:
        try:
            counted = boards_project()
        except Error as error:
            logger.warning("boards not counted: %s", type(error.__cause__ or error).__name__)
            connection.close()
            counted = 0
        except Exception:
            # The boards would stand still, and nobody would know.
            logger.exception("boards not counted")
            counted = 0
        if counted < AT_ONCE:
            time.sleep(PAUSE)
