"""A server of its own, and clients that follow events there: by streams, through kills, and by pages that wait."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psutil

ROOT = Path(__file__).resolve().parent.parent.parent
HOST = "127.0.0.1"
PATIENCE = 60  # seconds
LAST = ("ended", "cancelled")
STREAM = "text/event-stream"

Message = tuple[str, str, Any]
"""Id, kind and decoded data."""


class Asker:
    """Asks as a player, or as nobody, on a connection that is kept; of one thread."""

    def __init__(self, site: "Site", token: str | None = None) -> None:
        self.site = site
        self.token = token
        self.connection = HTTPConnection(HOST, site.port, timeout=PATIENCE)
        site.opened.append(self.connection)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Status and decoded body."""
        content = None if body is None else json.dumps(body)
        self.connection.request(method, f"/api/v1/{path}", content, headers_of(self.token, **headers))
        answer = self.connection.getresponse()
        read = answer.read()
        return answer.status, json.loads(read) if read else None

    def get(self, path: str) -> Any:
        """The body of an answer that is 200."""
        status, body = self.ask("GET", path)
        assert status == 200, (path, body)
        return body

    def post(self, path: str, body: object = None) -> Any:
        """The body of an answer that is a success."""
        status, answer = self.ask("POST", path, {} if body is None else body)
        assert status in (200, 201, 204), (path, answer)
        return answer


def headers_of(token: str | None, **headers: str) -> dict[str, str]:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return (
        {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {}) | given
    )


class Player:
    """An account on a site."""

    def __init__(self, site: "Site", name: str) -> None:
        self.site = site
        self.name = name
        wanted = {"username": name, "password": "correct horse battery"}
        self.token: str = Asker(site).post("accounts/", wanted)["token"]["secret"]

    @property
    def asker(self) -> Asker:
        """A new connection as this player."""
        return Asker(self.site, self.token)


class Site:
    """A running `manage.py serve`."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, environment: dict[str, str]) -> None:
        self.process = process
        self.port = port
        self.environment = environment
        self.opened: list[HTTPConnection | Stream] = []

    def close(self) -> None:
        """Close every connection that was opened so far."""
        while self.opened:
            self.opened.pop().close()

    def player(self) -> Player:
        """A new player."""
        return Player(self, f"p{uuid4().hex[:16]}")

    def game(self, slug: str, players: list[Player], **wanted: object) -> str:
        """A game that has been dealt: its id."""
        owner = players[0].asker
        game: str = owner.post("games/", {"ruleset": slug, "seats": len(players), **wanted})["id"]
        for player in players[1:]:
            player.asker.post(f"games/{game}/join")
        owner.post(f"games/{game}/start")
        return game

    def worker(self) -> psutil.Process | None:
        """The process that does what is to be done from time to time."""
        for child in psutil.Process(self.process.pid).children():
            if "--end-with-parent" in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                return child
        return None


@contextmanager
def serving(database: str, log: Path, *options: str, **environment: str) -> Iterator[Site]:
    """A server on a free port."""
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    given = {**os.environ, "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    given |= {"SIGN_UPS_PER_HOUR": "100000", **environment}
    command = [sys.executable, "manage.py", "serve", "--port", str(port), *options]
    with log.open("wb") as printed:
        process = subprocess.Popen(command, cwd=ROOT, env=given, stdout=printed, stderr=printed)
    site = Site(process, port, given)
    try:
        deadline = time.monotonic() + PATIENCE
        while not _is_ready(port):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield site
    finally:
        site.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0, log.read_text()


def _is_ready(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


class Killed(Exception):
    """The client has broken its connection."""


class Stream:
    """An open stream."""

    def __init__(
        self,
        site: Site,
        path: str,
        token: str | None = None,
        last: str | None = None,
        **headers: str,
    ) -> None:
        self.connection = HTTPConnection(HOST, site.port, timeout=PATIENCE)
        resumed = {} if last is None else {"Last_Event_ID": last}
        given = headers_of(token, Accept=STREAM, **resumed, **headers)
        self.connection.request("GET", f"/api/v1/{path}", headers=given)
        self.answer: HTTPResponse = self.connection.getresponse()
        site.opened.append(self)
        self.status = self.answer.status

    def messages(self, most: int | None = None, seconds: float | None = None) -> Iterator[Message]:
        """Messages as they come, until the stream ends. It is killed after so many bytes or seconds, if any are
        given, which raises `Killed`."""
        kept, until = b"", None if seconds is None else time.monotonic() + seconds
        while most is None or most > 0:
            if until is not None:
                self._socket.settimeout(max(until - time.monotonic(), 0.001))
            try:
                read = self.answer.read1(4096 if most is None else min(most, 4096))
            except TimeoutError:
                break
            if not read:
                assert kept == b""
                return
            most = None if most is None else most - len(read)
            *whole, kept = (kept + read).split(b"\n\n")
            for part in whole:
                if part.startswith(b"id: "):
                    yield _message(part.decode())
        self.kill()
        raise Killed

    def kill(self) -> None:
        """Break the connection, without a word."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        """Break the connection, also where another thread waits for what comes."""
        with suppress(OSError, AttributeError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self.answer.close()
        self.connection.close()

    @property
    def _socket(self) -> socket.socket:
        # The connection gives its socket away to an answer whose end it does not know.
        found: socket.socket = self.connection.sock or self.answer.fp.raw._sock  # type: ignore[attr-defined]
        return found


def _message(part: str) -> Message:
    lines = dict(line.split(": ", 1) for line in part.split("\n"))
    assert list(lines) == ["id", "event", "data"]
    return lines["id"], lines["event"], json.loads(lines["data"])


class Follower(threading.Thread):
    """Follows a path until its end; `react` is called with each message. What failed is raised by `done`."""

    def __init__(
        self,
        site: Site,
        path: str,
        token: str | None = None,
        *,
        last: str | None = None,
        react: Callable[[Asker, Any], None] | None = None,
        kills: int = 0,
        chance: Random | None = None,
    ) -> None:
        super().__init__(daemon=True)
        self.site, self.path, self.token, self.last = site, path, token, last
        self.react = react
        self.kills, self.killed, self.chance = kills, 0, chance or Random(0)
        self.log: list[Message] = []
        self.came: list[float] = []
        self.failure: Exception | None = None
        self.stopped = False
        self.stream: Stream | None = None

    def run(self) -> None:
        try:
            self.follow(Asker(self.site, self.token))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            self.failure = None if self.stopped else error

    def stop(self) -> None:
        """Follow no longer."""
        self.stopped = True
        assert self.stream is not None
        self.stream.close()
        self.done()

    def done(self) -> list[Message]:
        """All messages, once the last has come."""
        self.join(PATIENCE)
        if self.failure is not None:
            raise self.failure
        assert not self.is_alive(), f"{self.path} does not end; it came to {self.last}"
        return self.log

    def follow(self, asker: Asker) -> None:
        while not self.stopped:
            stream = self.stream = Stream(self.site, self.path, self.token, self.last)
            if stream.status == 204:
                return
            assert stream.status == 200, stream.answer.read()
            try:
                for message in stream.messages(**self._life()):
                    self.take(asker, message)
            except Killed:
                self.killed += 1
            stream.close()

    def take(self, asker: Asker, message: Message) -> None:
        self.log.append(message)
        self.came.append(time.time())
        self.last = message[0]
        if self.react is not None:
            self.react(asker, message[2])

    def _life(self) -> dict[str, Any]:
        if self.killed >= self.kills:
            return {}
        if self.chance.random() < 0.5:
            return {"most": self.chance.randint(1, 1500)}
        return {"seconds": self.chance.random() * 0.04 + 0.001}


class Poller(Follower):
    """The same by pages that wait; its messages have no ids of their own."""

    def follow(self, asker: Asker) -> None:
        last = self.last or "0"
        while True:
            page = asker.get(f"{self.path}?after={last}&wait=10")
            last = str(page["last"])
            for event in page["items"]:
                self.take(asker, (str(event["seq"]), event["type"], event))
                if event["type"] in LAST and self.path != "me/events":
                    return


class Mover:
    """Plays a player's seats, knowing nothing but what it is told: where an event or a game says that it may act,
    it asks what is legal there, and does one of it."""

    def __init__(self, seats: dict[str, int], chance: Random) -> None:
        self.seats = seats
        self.chance = chance
        self.moves = 0

    def __call__(self, asker: Asker, told: Any) -> None:
        for of in told.get("items", [told]):
            game = of.get("game") or of.get("id")
            if self.seats.get(game) in of.get("to_act", ()):
                self._move(asker, game)

    def _move(self, asker: Asker, game: str) -> None:
        legal = asker.get(f"games/{game}/legal-moves")
        if legal["items"]:
            body = {"ply": legal["ply"], "move": self.chance.choice(legal["items"])}
            asker.post(f"games/{game}/moves", body)
            self.moves += 1
