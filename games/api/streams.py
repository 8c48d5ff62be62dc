"""Streams of events, and pages that wait for one: what holds a connection but no thread.

Django answers first, and so decides who may see what. Its answer is the beginning of a stream, which is gone
on with here; or an empty page, which is asked for again once there is something."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from urllib.parse import parse_qs

import msgspec
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope
from django.conf import settings
from django.db import Error
from django.utils import translation

from cardsite.bridge import Answer, WsgiBridge
from cardsite.problems import CONTENT_TYPE, Problem
from games.api.hub import Hub, Key
from games.api.told import LAST, LONGEST_WAIT, Following, messages_of_game, messages_of_player
from games.hints import hints
from games.selectors.told import Cursor, EventRow, events_of_game, events_of_player

KEEP_ALIVE = 15.0  # seconds after which a stream without news says that it lives
LONGEST = 600.0  # seconds of a stream
AT_ONCE = 100  # events
FEW = 5  # events that are put into words on the loop, which others wait for
TAKEN_WITHIN = 60.0  # seconds in which a client has to take what it is sent

logger = logging.getLogger(__name__)


class Streams:
    """The part of the ASGI application that serves events; all else is the bridge's."""

    def __init__(self, bridge: WsgiBridge) -> None:
        self._bridge = bridge
        self._hub = Hub()
        self._open = Counter[str]()

    def start(self) -> None:
        """Begin to listen, and to tell others; on the event loop."""
        self._hub.start()
        hints.keep_sending()

    def close(self) -> None:
        """End every stream; on the event loop."""
        self._hub.close()

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http" or not _is_of_events(scope):
            await self._bridge(scope, receive, send)
            return
        followed: list[Following] = []
        answer = await self._bridge.answer(scope, receive, follow=followed)
        if answer is None:
            return
        # What was asked for is what Django has answered: it reads `Accept` better than can be done here.
        if not followed or not (followed[0].streams or _wait(scope)):
            await _send_whole(send, answer)
            return
        with self._counted(followed[0].asker) as is_allowed:
            if not is_allowed:
                await _send_whole(send, _too_many())
            elif followed[0].streams:
                await self._follow(followed[0], answer, receive, send)
            else:
                await self._wait_for(followed, answer, scope, receive, send)

    async def _wait_for(
        self,
        followed: list[Following],
        answer: Answer,
        scope: HTTPScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        """A page that is empty; asked for again when there is news, until the time is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _wait(scope)
        leaving = asyncio.create_task(_has_left(receive))
        try:
            while followed and loop.time() < until and not self._hub.closed:
                following = followed.pop()
                with self._hub.watch(following.key, following.known, following.access) as watch:
                    waiting = asyncio.create_task(watch.woken.wait())
                    await asyncio.wait(
                        (waiting, leaving),
                        timeout=until - loop.time(),
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                    waiting.cancel()
                if leaving.done():
                    return
                answer = await self._bridge.ask(scope, follow=followed)
            await _send_whole(send, answer)
        finally:
            leaving.cancel()

    @contextlib.contextmanager
    def _counted(self, asker: str) -> Iterator[bool]:
        """Whether somebody may hold one connection more, which counts while the block runs."""
        is_allowed = self._open[asker] < settings.STREAMS_PER_PLAYER
        self._open[asker] += 1
        try:
            yield is_allowed
        finally:
            self._open[asker] -= 1
            if not self._open[asker]:
                del self._open[asker]

    async def _follow(
        self, following: Following, answer: Answer, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Send the beginning that Django has answered, and then what happens, until it ends or the client
        leaves."""
        status, headers, beginning = answer
        headers = [(name, value) for name, value in headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
        await send({"type": "http.response.body", "body": beginning, "more_body": True})
        leaving = asyncio.create_task(_has_left(receive))
        news = asyncio.create_task(self._send_news(following, send))
        try:
            await asyncio.wait((leaving, news), return_when=asyncio.FIRST_COMPLETED)
            if news.done() and news.result():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            news.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await news

    async def _send_news(self, following: Following, send: ASGISendCallable) -> bool:
        """Whether the client took all that there was; False where it has stopped reading."""
        async for content in self._news(following):
            try:
                async with asyncio.timeout(TAKEN_WITHIN):
                    await send({"type": "http.response.body", "body": content, "more_body": True})
            except TimeoutError:
                return False
        return True

    async def _news(self, following: Following) -> AsyncIterator[bytes]:
        """Messages as they come, and a sign of life where none come: until the stream's time is over, or the
        client is let in no longer and learns why by asking again."""
        loop, known = asyncio.get_running_loop(), following.known
        until, said = loop.time() + LONGEST, loop.time()
        with self._hub.watch(following.key, known, following.access) as watch:
            while loop.time() < until and not self._hub.closed:
                try:
                    async with asyncio.timeout_at(said + KEEP_ALIVE):
                        await watch.woken.wait()
                except TimeoutError:
                    yield b": still here\n\n"
                    said = loop.time()
                    continue
                watch.woken.clear()
                if not watch.is_let_in:
                    return
                try:
                    rows = await self._hub.read(_rows_after, following.key, known)
                except Error as error:
                    logger.warning("a stream cannot read: %s", type(error.__cause__ or error).__name__)
                    continue
                if not rows:
                    continue
                known = rows[-1].seq if following.key[0] == "game" else rows[-1].cursor
                watch.known = known
                if len(rows) == AT_ONCE:
                    watch.woken.set()
                rows, is_last = _to_the_last(rows, following)
                if len(rows) > FEW:
                    yield await self._hub.work(_messages, following, rows)
                else:
                    yield _messages(following, rows)
                said = loop.time()
                if is_last:
                    return


def _rows_after(key: Key, known: int | Cursor) -> list[EventRow]:
    if isinstance(known, Cursor):
        return events_of_player(player_id=key[1], after=known, limit=AT_ONCE)
    return events_of_game(game_id=key[1], after=known, limit=AT_ONCE)


def _messages(following: Following, rows: list[EventRow]) -> bytes:
    with translation.override(following.language):
        if following.key[0] == "game":
            return messages_of_game(rows, following.seat)
        return messages_of_player(rows)


def _to_the_last(rows: list[EventRow], following: Following) -> tuple[list[EventRow], bool]:
    """The events that a stream still tells, and whether it ends with them: nothing more will come of the game, or
    what the viewer may see of it changes with a seat that it takes or gives up."""
    if following.key[0] == "game":
        for number, row in enumerate(rows, 1):
            reseated = row.kind in ("joined", "left") and row.body["player"] == str(following.viewer)
            if row.kind in LAST or reseated:
                return rows[:number], True
    return rows, False


def _is_of_events(scope: HTTPScope) -> bool:
    path = scope["path"]
    return scope["method"] == "GET" and path.startswith("/api/v1/") and path.endswith("/events")


def _wait(scope: HTTPScope) -> int:
    """For how long a page may be waited for; whether it is asked for rightly Django decides."""
    (given,) = parse_qs(scope["query_string"].decode("latin-1")).get("wait", ["0"])[:1]
    return min(int(given), LONGEST_WAIT) if given.isascii() and given.isdigit() and len(given) <= 2 else 0


async def _has_left(receive: ASGIReceiveCallable) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_whole(send: ASGISendCallable, answer: Answer) -> None:
    status, headers, content = answer
    await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
    await send({"type": "http.response.body", "body": content, "more_body": False})


def _too_many() -> Answer:
    detail = f"You have {settings.STREAMS_PER_PLAYER} streams or waiting requests open."
    problem = Problem("throttled", detail)
    headers = [(b"content-type", CONTENT_TYPE.encode()), (b"retry-after", b"60")]
    return problem.status, headers, msgspec.json.encode(problem.as_body())
