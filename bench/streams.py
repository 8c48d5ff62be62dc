"""What being told costs: `python -m bench.streams [--idle N] [--games N] [--pause SECONDS]`.

One server with an embedded database. Streams are opened on games at which nothing happens; then games of Sicksack
are played, each followed by a stream of its own. Printed are the time from the sending of a move until its event
has come, and from the answer to the move; and the memory of the web processes for each open stream.
"""

import argparse
import asyncio
import time
from random import Random
from statistics import median, quantiles
from typing import Any

import msgspec
from msgspec import Struct

from bench.moves import sign_up
from bench.server import HOST, Asker, Server, served

WATCHED = 25  # idle games, which the idle streams share out among them


class Push(Struct, frozen=True):
    """Seconds until a move's event had come: from its sending, and from the answer to it."""

    from_sending: float
    from_answer: float


class Stream:
    """A connection that follows a game's events."""

    def __init__(self, port: int, token: str, game: str) -> None:
        self._port = port
        self._head = (
            f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        )
        self.came: dict[int, float] = {}
        """When the event of each ply came."""

    async def open(self) -> None:
        """Returns with the first message, the game as it stands."""
        self._reader, self._writer = await asyncio.open_connection(HOST, self._port, limit=2**20)
        self._writer.write(self._head.encode())
        assert b" 200 " in await self._reader.readline()
        while not (await self._reader.readline()).startswith(b"data: "):
            pass

    async def follow(self) -> None:
        """Note when each entry comes, until the game is over."""
        kind = b""
        while kind != b"ended":
            line = await self._reader.readline()
            if line.startswith(b"event: "):
                kind = line[7:].strip()
            elif line.startswith(b"data: ") and kind == b"entry":
                self.came[msgspec.json.decode(line[6:])["entry"]["ply"]] = time.perf_counter()

    def close(self) -> None:
        """Leave."""
        self._writer.close()


def new_game(askers: list[Asker]) -> str:
    _, _, made = askers[0].ask("POST", "/api/v1/games/", {"ruleset": "sicksack", "seats": 2})
    path = f"/api/v1/games/{made['id']}"
    askers[1].ask("POST", f"{path}/join", {})
    status, _, answer = askers[0].ask("POST", f"{path}/start", {})
    assert status == 200, answer
    return str(made["id"])


def play(askers: list[Asker], game: str, rng: Random, pause: float) -> dict[int, tuple[float, float]]:
    """When each move was sent and when it was answered, by its ply."""
    path, to_act, ply, moves = f"/api/v1/games/{game}", [0], 0, dict[int, tuple[float, float]]()
    while to_act:
        asker = askers[to_act[0]]
        legal: Any = asker.ask("GET", f"{path}/legal-moves")[2]
        move = rng.choice(legal["items"])
        sent = time.perf_counter()
        status, _, answer = asker.ask("POST", f"{path}/moves", {"ply": ply, "move": move})
        assert status == 201, answer
        moves[ply] = sent, time.perf_counter()
        to_act, ply = answer["position"]["to_act"], answer["ply"]
        time.sleep(pause)
    return moves


async def followed(server: Server, tokens: list[str], number: int, pause: float) -> list[Push]:
    """A game that is played while a stream follows it."""
    askers = [Asker(server.port, token) for token in tokens]
    game = await asyncio.to_thread(new_game, askers)
    stream = Stream(server.port, tokens[0], game)
    await stream.open()
    following = asyncio.create_task(stream.follow())
    moves = await asyncio.to_thread(play, askers, game, Random(number), pause)
    await asyncio.wait_for(following, 10)
    stream.close()
    assert list(stream.came) == list(moves), "every move is told once, in order"
    return [
        Push(stream.came[ply] - sent, stream.came[ply] - answered) for ply, (sent, answered) in moves.items()
    ]


async def measure(server: Server, idle: int, games: int, pause: float) -> None:
    tokens = [sign_up(server, f"p{number}") for number in range(max(2 * games, 2))]
    askers = [Asker(server.port, token) for token in tokens[:2]]
    watched = [new_game(askers) for _ in range(WATCHED)]
    before = sum(worker.memory_info().rss for worker in server.workers)
    streams = [Stream(server.port, tokens[0], watched[number % WATCHED]) for number in range(idle)]
    for first in range(0, idle, 20):
        await asyncio.gather(*(stream.open() for stream in streams[first : first + 20]))
    after = sum(worker.memory_info().rss for worker in server.workers)
    print(f"{idle} idle streams open: {(after - before) / max(idle, 1) / 1024:.0f} KiB of memory each")
    started = time.perf_counter()
    players = [tokens[2 * number : 2 * number + 2] for number in range(games)]
    found = await asyncio.gather(
        *(followed(server, pair, number, pause) for number, pair in enumerate(players))
    )
    pushes = [push for of_game in found for push in of_game]
    seconds = time.perf_counter() - started
    print(f"{len(pushes)} moves in {games} games at once, {len(pushes) / seconds:.0f} a second")
    for name in ("from_sending", "from_answer"):
        values = sorted(1000 * getattr(push, name) for push in pushes)
        print(
            f"event {name.replace('_', ' the ')}: median {median(values):.1f} ms, "
            f"95 % {quantiles(values, n=20)[-1]:.1f} ms, longest {values[-1]:.1f} ms"
        )
    for stream in streams:
        stream.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=500)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between the moves of a game")
    given = parser.parse_args()
    limits = {
        "SIGN_UPS_PER_HOUR": "100000",
        "REQUESTS_PER_MINUTE": "10000000",
        "STREAMS_PER_PLAYER": "100000",
    }
    with served(**limits) as server:
        asyncio.run(measure(server, given.idle, given.games, given.pause))


if __name__ == "__main__":
    main()
