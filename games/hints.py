"""Hints that something happened at a game, sent to all processes after the commit.

A hint makes a stream look at once instead of within a second, and nothing depends on it. It is sent by a thread of
its own, since a NOTIFY within a transaction makes commits wait for each other.
"""

import logging
from functools import partial
from threading import Condition, Thread
from uuid import UUID

from django.db import Error, connection, transaction

CHANNEL = "games"
MOST_TOLD = 200  # ids of 36 characters in a payload of less than 8,000

logger = logging.getLogger(__name__)


class Hints:
    """What this process has to tell; safe between threads. Without a thread that sends them nothing is kept."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._games: set[UUID] = set()
        self._sender: Thread | None = None

    def put(self, game_id: UUID) -> None:
        """Tell of a game soon."""
        with self._condition:
            if self._sender is not None:
                self._games.add(game_id)
                self._condition.notify()

    def keep_sending(self) -> None:
        """Send from now on, in a thread of its own."""
        self._sender = Thread(target=self._send, name="hints", daemon=True)
        self._sender.start()

    def _send(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._games)
                games, self._games = self._games, set()
            try:
                _notify(sorted(map(str, games)))
            except Error as error:
                logger.warning("hints not sent: %s", type(error.__cause__ or error).__name__)
                connection.close()


hints = Hints()


def tell_of_game(game_id: UUID) -> None:
    """Hint at a game once the transaction under way, if there is one, has committed."""
    transaction.on_commit(partial(hints.put, game_id))


def _notify(games: list[str]) -> None:
    with connection.cursor() as cursor:
        for first in range(0, len(games), MOST_TOLD):
            payload = ",".join(games[first : first + MOST_TOLD])
            cursor.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
