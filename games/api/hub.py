"""What tells the streams of this process that there may be something new.

A watch is woken by a hint, which another process or this one sends after a commit, and by a look at the database
each second for what no hint has told of. What is new the stream then reads for itself; streams that want the same
share one reading. It ends where its client would be let in no longer, which is looked at for all of them at once.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import Error, close_old_connections, connection
from psycopg.pq import Conninfo

from accounts.selectors.accesses import Access, accesses_standing
from games.hints import CHANNEL
from games.selectors.told import Cursor, games_with_events, players_with_events

LOOKS_EVERY = 1.0  # seconds
ASKS_EVERY = 2.0  # seconds, whether those who follow are still let in
GATHERS = 0.01  # seconds in which hints that come together become one look
READERS = 2  # threads

T = TypeVar("T")
Key: TypeAlias = tuple[Literal["game", "player"], UUID]

logger = logging.getLogger(__name__)


class Watch:
    """Waits for news of a game or of a player's games; `known` is the number of the last event that has been
    read, or its place; `access` what its client came in by, where that was needed."""

    def __init__(self, key: Key, known: int | Cursor, access: Access | None) -> None:
        self.key = key
        self.known = known
        self.access = access
        self.is_let_in = True
        self.woken = asyncio.Event()

    def turn_away(self) -> None:
        """Wake it for the last time."""
        self.is_let_in = False
        self.woken.set()


class Hub:
    """The watches of one process; all of it runs on the event loop but the readings."""

    def __init__(self) -> None:
        self._watches: dict[Key, set[Watch]] = {}
        self._look = asyncio.Event()
        self._readings: dict[Any, asyncio.Future[Any]] = {}
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="stream-reader")
        self._tasks: list[asyncio.Task[None]] = []
        self.closed = False

    def start(self) -> None:
        """Listen and look from now on."""
        lasting = (self._listen(), self._look_again_and_again(), self._ask_again_and_again())
        self._tasks = [asyncio.create_task(one) for one in lasting]

    def close(self) -> None:
        """Wake every watch for the last time."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        for watch in self._all_watches():
            watch.woken.set()

    @contextmanager
    def watch(self, key: Key, known: int | Cursor, access: Access | None) -> Iterator[Watch]:
        """A watch that is woken for news, also for what has happened since `known` was read."""
        watch = Watch(key, known, access)
        self._watches.setdefault(key, set()).add(watch)
        self._look.set()
        try:
            yield watch
        finally:
            self._watches[key].remove(watch)
            if not self._watches[key]:
                del self._watches[key]

    async def read(self, what: Callable[..., T], *arguments: Any) -> T:
        """The result of a function that reads the database, run on a thread; the same for all who ask for the same
        while it runs."""
        key = (what, arguments)
        if key not in self._readings:
            reading = asyncio.get_running_loop().run_in_executor(
                self._threads, _with_connection, what, arguments
            )
            self._readings[key] = reading
            reading.add_done_callback(lambda _: self._readings.pop(key))
        found: T = await asyncio.shield(self._readings[key])
        return found

    async def work(self, what: Callable[..., T], *arguments: Any) -> T:
        """The result of a function that only computes, run on a thread so that the loop need not wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, what, *arguments)

    def _all_watches(self) -> list[Watch]:
        return [watch for watches in self._watches.values() for watch in watches]

    def _wake(self, key: Key) -> None:
        for watch in self._watches.get(key, ()):
            watch.woken.set()

    async def _look_again_and_again(self) -> None:
        while True:
            try:
                async with asyncio.timeout(LOOKS_EVERY):
                    await self._look.wait()
            except TimeoutError:
                pass
            self._look.clear()
            try:
                await self._look_once()
            except Error as error:
                logger.warning("streams cannot look: %s", type(error.__cause__ or error).__name__)
                await asyncio.sleep(LOOKS_EVERY)
            await asyncio.sleep(GATHERS)

    async def _look_once(self) -> None:
        for kind, find in (("game", games_with_events), ("player", players_with_events)):
            watched = [watch for watch in self._all_watches() if watch.key[0] == kind]
            known: set[Any] = {(watch.key[1], watch.known) for watch in watched}
            if known:
                look: Callable[[], set[Any]] = partial(find, known=known)
                found = await asyncio.get_running_loop().run_in_executor(
                    self._threads, _with_connection, look, ()
                )
                for watch in watched:
                    if (watch.key[1], watch.known) in found:
                        watch.woken.set()

    async def _ask_again_and_again(self) -> None:
        while True:
            await asyncio.sleep(ASKS_EVERY)
            try:
                await self._ask_once()
            except Error as error:
                logger.warning("streams cannot ask: %s", type(error.__cause__ or error).__name__)

    async def _ask_once(self) -> None:
        asked = {watch.access for watch in self._all_watches() if watch.access is not None}
        if not asked:
            return
        ask: Callable[[], set[Access]] = partial(accesses_standing, accesses=asked)
        standing = await asyncio.get_running_loop().run_in_executor(self._threads, _with_connection, ask, ())
        fallen = asked - standing
        for watch in self._all_watches():
            if watch.access in fallen:
                watch.turn_away()

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    **_parameters(), autocommit=True
                ) as listening:
                    await listening.execute(f"LISTEN {CHANNEL}")
                    async for hint in listening.notifies():
                        self._take(hint.payload)
            except psycopg.Error as error:
                logger.warning("streams cannot listen: %s", type(error).__name__)
            await asyncio.sleep(LOOKS_EVERY)

    def _take(self, payload: str) -> None:
        try:
            games = [UUID(text) for text in payload.split(",")]
        except ValueError:
            logger.warning("a hint of another form")
            return
        for game_id in games:
            self._wake(("game", game_id))
        if any(kind == "player" for kind, _ in self._watches):
            self._look.set()


def _with_connection(what: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    close_old_connections()
    try:
        return what(*arguments)
    finally:
        connection.close()


def _parameters() -> dict[str, Any]:
    """Where to listen: a pooler that lends a connection for a transaction would lose what is listened for."""
    database = settings.LISTEN_DATABASE
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    given = {ours: database[theirs] for theirs, ours in names.items() if database.get(theirs)}
    # An address may have its host, its certificates and more in its query; the other options are Django's.
    of_libpq = {option.keyword.decode() for option in Conninfo.get_defaults()}
    return given | {name: value for name, value in database.get("OPTIONS", {}).items() if name in of_libpq}
