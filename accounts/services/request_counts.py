"""How many requests somebody makes: counted here, and told to the other processes once a second.

A request costs no statement. What the others have counted is known a second late, so a minute's limit is let
exceeded by what they all take in that second, and no more.
"""

import hashlib
import logging
import time
from threading import Lock, Thread
from typing import TypeAlias

from django.db import DatabaseError, connection

TOLD_EVERY = 1.0  # seconds
MINUTE = 60

logger = logging.getLogger(__name__)

_TELL = """
INSERT INTO accounts_requestcount AS known (key, minute, requests)
SELECT * FROM unnest(%s::bytea[], %s::int[], %s::int[])
ON CONFLICT (key, minute) DO UPDATE SET requests = known.requests + excluded.requests
RETURNING key, minute, requests
"""


# Requests by whose they are and the minute they came in.
Counted: TypeAlias = dict[tuple[bytes, int], int]


class RequestCounts:
    """The counts of one process; safe between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: Counted = {}
        self._untold: Counted = {}

    def count(self, who: str, now: float) -> int:
        """Count a request: how many there have been in this minute, here and, as far as is known, elsewhere."""
        key = (hashlib.sha256(who.encode(errors="replace")).digest(), int(now // MINUTE))
        with self._lock:
            self._untold[key] = self._untold.get(key, 0) + 1
            return self._known.get(key, 0) + self._untold[key]

    def synchronise(self, now: float) -> None:
        """Tell what was counted here and learn what was counted elsewhere; forget minutes that are over.

        Raises `DatabaseError`, and then tells it the next time.
        """
        minute = int(now // MINUTE)
        with self._lock:
            told, self._untold = self._untold, {}
            _add(self._known, told, 1)
        try:
            learnt = _tell(told, minute) if told else {}
        except DatabaseError:
            with self._lock:
                _add(self._known, told, -1)
                _add(self._untold, told, 1)
            raise
        with self._lock:
            known = {**self._known, **learnt}
            self._known = {key: requests for key, requests in known.items() if key[1] >= minute}


def _tell(told: Counted, minute: int) -> Counted:
    """What all have counted, of those of whom something is told."""
    keys, minutes = zip(*told, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_TELL, (list(keys), list(minutes), list(told.values())))
        learnt = {(bytes(key), of): requests for key, of, requests in cursor.fetchall()}
        cursor.execute("DELETE FROM accounts_requestcount WHERE minute < %s", (minute - 1,))
    return learnt


def _add(to: Counted, what: Counted, times: int) -> None:
    for key, requests in what.items():
        to[key] = to.get(key, 0) + times * requests


counts = RequestCounts()


def keep_synchronised() -> None:
    """Synchronise this process's counts from now on, in a thread of their own."""
    Thread(target=_synchronise, name="request-counts", daemon=True).start()


def _synchronise() -> None:
    while True:
        time.sleep(TOLD_EVERY)
        try:
            counts.synchronise(time.time())
        except DatabaseError as error:
            logger.warning("request counts not told: %s", type(error.__cause__ or error).__name__)
        finally:
            connection.close()
