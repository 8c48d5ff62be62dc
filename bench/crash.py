"""Crashes while games are played: `python -m bench.crash [--seconds N] [--clients N]`.

Web processes and the database are killed (-9) in turn while clients play Sicksack, each at a table of its own;
a client that gets no answer, or 503, sends the same request again. Afterwards every acknowledged move must be in
its log once, at its ply, by its seat, and every game must be playable to its end. Exit status 1 if not.
"""

import argparse
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from random import Random
from typing import Any

from msgspec import Struct, field

from bench.server import Asker, Server, served

PATIENCE = 60  # seconds that a client goes on asking


class Table(Struct):
    """A game, its two players' tokens, and the moves that were acknowledged: (ply, seat, move)."""

    id: str
    tokens: list[str]
    acknowledged: list[tuple[int, int, Any]] = field(default_factory=list)
    finished: bool = False


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
    _, made = client.ask("POST", "/api/v1/games/", {"ruleset": "sicksack", "seats": 2}, tokens[0])
    path = f"/api/v1/games/{made['id']}"
    for action, token in (("join", tokens[1]), ("start", tokens[0])):
        status, answer = client.ask("POST", f"{path}/{action}", {}, token)
        assert status == 200, answer
    return Table(made["id"], tokens)


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
    rng, killed = Random(0), {"web": 0, "database": 0}
    while time.monotonic() < until and not ended.wait(every):
        what = "web" if killed["web"] <= killed["database"] else "database"
        victims = server.workers if what == "web" else [server.postmaster]
        rng.choice(victims).kill()
        killed[what] += 1
    return killed


def verify(server: Server, plays: list[Play]) -> list[str]:
    """What is missing, doubled or stuck."""
    client, rng, wrong = Client(server), Random(1), []
    for table in (table for play in plays for table in play.tables):
        play_on(client, table, rng, time.monotonic() + PATIENCE)
        if not table.finished:
            wrong.append(f"{table.id} cannot be played to its end")
        log, cursor = [], f"/api/v1/games/{table.id}/moves"
        while cursor:
            _, page = client.ask("GET", cursor)
            log += page["items"]
            cursor = page["next"]
        found = [(entry["ply"], entry["seat"], entry["move"]) for entry in log]
        if found != table.acknowledged:
            wrong.append(f"{table.id}: {len(table.acknowledged)} acknowledged, {len(found)} in the log")
    return wrong


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
    print(f"killed: {killed['web']} web processes, {killed['database']} times the database")
    print(f"{len(tables)} games, {moves} acknowledged moves, {sum(play.retries for play in plays)} retries")
    print("\n".join(wrong) or "every acknowledged move is there once, and every game was played to its end")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
