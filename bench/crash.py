"""Crashes while games are played: `python -m bench.crash [--seconds N] [--clients N]`.

Web processes, the database and the worker that settles overdue turns are killed (-9) in turn while clients
play Sicksack by the clock, each at a table of its own, with a stream that follows it; a client that gets no
answer, or 503, sends the same request again, and a stream that breaks off goes on after the last event that
came. Afterwards half of the games that are not over are played to their end, and the other half must be ended
by their clocks. Every acknowledged move must be in its log once, at its ply, by its seat, and every event
must have come once and in order. Exit status 1 if not."""

import argparse
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

import msgspec
from msgspec import Struct, field

from bench.server import HOST, Asker, Server, served

PATIENCE = 60  # seconds that a client goes on asking
TURN = 60  # seconds, the shortest that there are
SETTLED_WITHIN = 30  # seconds after the end of a turn


WANTED = {"ruleset": "sicksack", "seats": 2, "clock": {"type": "turn", "seconds": TURN}}


class Table(Struct):
    """A game, its two players' tokens, and the moves that were acknowledged: (ply, seat, move)."""

    id: str
    tokens: list[str]
    acknowledged: list[tuple[int, int, Any]] = field(default_factory=list)
    finished: bool = False
    follower: "Follower | None" = None


class Follower(threading.Thread):
    """Follows a table's events to the end of the game, through every break."""

    def __init__(self, server: Server, table: Table) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.table = table
        self.last: str | None = None
        self.events: list[Any] = []
        self.breaks = 0

    def run(self) -> None:
        while not self.events or self.events[-1]["type"] != "ended":
            try:
                self._follow()
            except (OSError, HTTPException, ValueError):
                time.sleep(0.1)
            self.breaks += 1

    def _follow(self) -> None:
        headers = {"Authorization": f"Bearer {self.table.tokens[0]}", "Accept": "text/event-stream"}
        if self.last is not None:
            headers["Last-Event-ID"] = self.last
        connection = HTTPConnection(HOST, self.server.port, timeout=30)
        connection.request("GET", f"/api/v1/games/{self.table.id}/events?after=0", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            raise ValueError(response.status)
        number = ""
        for line in response:
            name, _, value = line.decode().strip().partition(": ")
            if name == "id":
                number = value
            elif name == "data":
                self.events.append(msgspec.json.decode(value))
                self.last = number


class Client:
    """Asks until it is answered, on a new connection after each failure."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.askers: dict[str | None, Asker] = {}
        self.retries = 0

    def ask(self, method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, Any]:
        """Status and body of the first answer that is not 503."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            asker = self.askers.setdefault(token, Asker(self.server.port, token))
            try:
                status, headers, answer = asker.ask(method, path, body)
            except (OSError, HTTPException):
                self.askers.pop(token)
                self.retries += 1
                time.sleep(0.1)
                continue
            if status != 503:
                return status, answer
            assert headers["retry-after"] == "2", headers
            self.retries += 1
            time.sleep(0.2)
        sys.exit(f"no answer to {method} {path} within {PATIENCE} s")


class Play(Struct):
    """One client's run: its tables so far, and what went wrong."""

    tables: list[Table] = field(default_factory=list)
    retries: int = 0


def new_table(client: Client, name: str) -> Table:
    tokens = []
    for seat in range(2):
        # A sign-up whose answer was lost cannot be sent again under its name.
        for number in range(100):
            wanted = {"username": f"{name}-{seat}-{number}", "password": "correct horse battery"}
            status, answer = client.ask("POST", "/api/v1/accounts/", wanted)
            if status == 201:
                tokens.append(answer["token"]["secret"])
                break
            assert status == 409, answer
    _, made = client.ask("POST", "/api/v1/games/", WANTED, tokens[0])
    path = f"/api/v1/games/{made['id']}"
    for action, token in (("join", tokens[1]), ("start", tokens[0])):
        status, answer = client.ask("POST", f"{path}/{action}", {}, token)
        assert status == 200, answer
    table = Table(made["id"], tokens)
    table.follower = Follower(client.server, table)
    table.follower.start()
    return table


def play_on(client: Client, table: Table, rng: Random, until: float) -> None:
    """Play a table by legal moves until its game is over, or until the time has come."""
    path = f"/api/v1/games/{table.id}"
    status, game = client.ask("GET", f"{path}/", token=table.tokens[0])
    assert status == 200, game
    to_act, ply = game["to_act"], game["ply"]
    while to_act and time.monotonic() < until:
        seat = to_act[0]
        token = table.tokens[seat]
        status, legal = client.ask("GET", f"{path}/legal-moves", token=token)
        assert (status, legal["ply"]) == (200, ply), legal
        move = rng.choice(legal["items"])
        status, answer = client.ask("POST", f"{path}/moves", {"ply": ply, "move": move}, token)
        assert status in (200, 201), answer
        table.acknowledged.append((ply, seat, move))
        to_act, ply = answer["position"]["to_act"], answer["ply"]
    table.finished = not to_act


def run_client(server: Server, number: int, until: float) -> Play:
    client, rng, play = Client(server), Random(number), Play()
    while time.monotonic() < until:
        play.tables.append(new_table(client, f"c{number}t{len(play.tables)}"))
        play_on(client, play.tables[-1], rng, until)
    play.retries = client.retries
    return play


def kill_in_turn(server: Server, until: float, ended: threading.Event, every: float) -> dict[str, int]:
    rng, killed = Random(0), {"web": 0, "database": 0, "worker": 0}
    while time.monotonic() < until and not ended.wait(every):
        what = min(killed, key=lambda one: killed[one])
        victims = {"web": server.workers, "database": [server.postmaster], "worker": server.job_workers}[what]
        if victims:
            rng.choice(victims).kill()
            killed[what] += 1
    return killed


def verify(server: Server, plays: list[Play]) -> list[str]:
    """What is missing, doubled, out of order or stuck."""
    client, rng, wrong = Client(server), Random(1), []
    tables = [table for play in plays for table in play.tables]
    unfinished = [table for table in tables if not table.finished]
    for table in unfinished[::2]:
        play_on(client, table, rng, time.monotonic() + PATIENCE)
    patience = time.monotonic() + TURN + SETTLED_WITHIN
    for table in unfinished[1::2]:
        while not table.finished and time.monotonic() < patience:
            table.finished = client.ask("GET", f"/api/v1/games/{table.id}/")[1]["ending"] == "timed_out"
            time.sleep(0.5)
    for table in tables:
        if not table.finished:
            wrong.append(f"{table.id} does not end")
        log, cursor = [], f"/api/v1/games/{table.id}/moves"
        while cursor:
            _, page = client.ask("GET", cursor)
            log += page["items"]
            cursor = page["next"]
        played = [(entry["ply"], entry["seat"], entry["move"]) for entry in log if entry["kind"] == "play"]
        if played != table.acknowledged:
            wrong.append(f"{table.id}: {len(table.acknowledged)} acknowledged, {len(played)} in the log")
        wrong += [f"{table.id}: {what}" for what in misheard(table, log)]
    return wrong


def misheard(table: Table, log: list[Any]) -> list[str]:
    """In what a table's events differ from its log, or among themselves."""
    follower = table.follower
    assert follower is not None, "every table is followed"
    follower.join(PATIENCE)
    numbers = [event["seq"] for event in follower.events]
    heard = [
        (event["entry"]["ply"], event["entry"]["kind"], event["entry"]["seat"])
        for event in follower.events
        if event["type"] == "entry"
    ]
    found = []
    if numbers != list(range(1, len(numbers) + 1)):
        found.append(f"its events came as {numbers}")
    if heard != [(entry["ply"], entry["kind"], entry["seat"]) for entry in log]:
        found.append(f"{len(heard)} entries were told of {len(log)}")
    if not numbers or follower.events[-1]["type"] != "ended":
        found.append("its end was not told")
    return found


def ends(tables: list[Table]) -> list[Any]:
    """The last event of each table."""
    return [table.follower.events[-1] for table in tables if table.follower and table.follower.events]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--every", type=float, default=4, help="seconds between kills")
    given = parser.parse_args()
    with served(SIGN_UPS_PER_HOUR="100000", REQUESTS_PER_MINUTE="10000000") as server:
        until = time.monotonic() + given.seconds
        ended = threading.Event()
        with ThreadPoolExecutor(given.clients + 1) as pool:
            killer = pool.submit(kill_in_turn, server, until, ended, given.every)
            plays = list(pool.map(lambda number: run_client(server, number, until), range(given.clients)))
            ended.set()
            killed = killer.result()
        wrong = verify(server, plays)
    tables = [table for play in plays for table in play.tables]
    moves = sum(len(table.acknowledged) for table in tables)
    breaks = sum(table.follower.breaks - 1 for table in tables if table.follower)
    killed_what = "{web} web processes, {database} times the database, {worker} times the worker"
    print(f"killed: {killed_what.format_map(killed)}; streams broke off {breaks} times")
    print(f"{len(tables)} games, {moves} acknowledged moves, {sum(play.retries for play in plays)} retries")
    by_clock = sum(event.get("ending") == "timed_out" for event in ends(tables))
    print(f"{by_clock} games were ended by their clocks")
    print(
        "\n".join(wrong)
        or "every acknowledged move is there once, every event came once, and every game ended"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
