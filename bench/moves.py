"""What a move costs: `python -m bench.moves [--games N] [--rounds N]`.

One server with an embedded database, one client a game, Sicksack for two. Printed are CPU microseconds of server
and database for each committed, authenticated move, for a request that DRF carries through and no more (with
and without a token), for a view and a view that has not changed (304), and for the same moves' bare SQL.
"""

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from statistics import median

import psycopg
from msgspec import Struct

from bench.server import Asker, Server, served

NOTHING, TOKEN = "nothing", "nothing, with token"
# By what was asked: requests, CPU microseconds of web and database for each, and requests a second.
Rows = dict[str, tuple[int, float, float, float]]


class Game(Struct):
    """A game that is started, its players' clients, and its moves from the deal to the end."""

    id: str
    askers: list[Asker]
    moves: list[tuple[int, object]]


def prepare(server: Server, count: int, round_number: int) -> list[Game]:
    """Games made by API, each with a whole playout by the rules on its own deck."""
    os.environ.update(server.environment)
    import django  # noqa: PLC0415 - after its settings are named

    django.setup()
    from games import table  # noqa: PLC0415
    from games.selectors.tables import table_read  # noqa: PLC0415

    games = []
    for number in range(count):
        tokens = [sign_up(server, f"p{round_number}-{number}-{seat}") for seat in range(2)]
        askers = [Asker(server.port, token) for token in tokens]
        _, _, made = askers[0].ask("POST", "/api/v1/games/", {"ruleset": "sicksack", "seats": 2})
        path = f"/api/v1/games/{made['id']}"
        askers[1].ask("POST", f"{path}/join", {})
        status, _, _ = askers[0].ask("POST", f"{path}/start", {})
        assert status == 200
        found = table_read(game_id=made["id"])
        assert found is not None
        position, rng, moves = found.position, Random(number), []
        rules = position.setup.rules
        while position.to_act:
            seat = position.to_act[0]
            move = rng.choice(list(rules.legal_moves(position.state, seat)))
            moves.append((seat, table.stored_move(move)))
            position = table.advance(position, table.Entry(seat, move)).after
        games.append(Game(made["id"], askers, moves))
    return games


def sign_up(server: Server, name: str) -> str:
    """A new player's token."""
    asked = Asker(server.port).ask(
        "POST", "/api/v1/accounts/", {"username": name, "password": "correct horse battery"}
    )
    assert asked[0] == 201, asked
    return str(asked[2]["token"]["secret"])


def measure(
    server: Server, work: Callable[[Game], int], games: list[Game]
) -> tuple[int, float, float, float]:
    """Requests, and for each of them CPU microseconds of web and database; requests a second."""
    web, database = server.cpu_seconds()
    started = time.perf_counter()
    with ThreadPoolExecutor(len(games)) as clients:
        done = sum(clients.map(work, games))
    seconds = time.perf_counter() - started
    web_after, database_after = server.cpu_seconds()
    return (
        done,
        (web_after - web) / done * 1e6,
        (database_after - database) / done * 1e6,
        done / seconds,
    )


def play(game: Game) -> int:
    for ply, (seat, move) in enumerate(game.moves):
        status, _, answer = game.askers[seat].ask(
            "POST", f"/api/v1/games/{game.id}/moves", {"ply": ply, "move": move}
        )
        assert status == 201, answer
    return len(game.moves)


def repeat(
    path: str, times: int, expected: int, headers: dict[str, str] | None = None
) -> Callable[[Game], int]:
    def ask(game: Game) -> int:
        own = dict(headers or {})
        if expected == 304:
            own["If-None-Match"] = game.askers[0].ask("GET", path.format(id=game.id))[1]["etag"]
        for _ in range(times):
            status, _, answer = game.askers[0].ask("GET", path.format(id=game.id), headers=own)
            assert status == expected, (status, answer)
        return times

    return ask


def bare(dsn: str, times: int) -> Callable[[Game], int]:
    """The same work as SQL alone: lock, insert, update, in a transaction each."""

    def run(game: Game) -> int:
        with psycopg.connect(dsn) as connection:
            for ply in range(times):
                connection.execute("SELECT ply FROM bench_game WHERE id = %s FOR UPDATE", (game.id,))
                connection.execute(
                    "INSERT INTO bench_move (game_id, ply, body) VALUES (%s, %s, %s)",
                    (game.id, ply, '{"type": "chance"}'),
                )
                connection.execute("UPDATE bench_game SET ply = %s WHERE id = %s", (ply + 1, game.id))
                connection.commit()
        return times

    return run


def bare_tables(dsn: str, games: list[Game]) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute("DROP TABLE IF EXISTS bench_move, bench_game")
        connection.execute("CREATE TABLE bench_game (id uuid PRIMARY KEY, ply int NOT NULL)")
        connection.execute(
            "CREATE TABLE bench_move (game_id uuid, ply int, body jsonb, PRIMARY KEY (game_id, ply))"
        )
        for game in games:
            connection.execute("INSERT INTO bench_game VALUES (%s, 0)", (game.id,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with served(SIGN_UPS_PER_HOUR="100000", REQUESTS_PER_MINUTE="10000000") as server:
        rounds = [run(server, server.cluster.dsn, given.games, number) for number in range(given.rounds)]
    print(f"medians of {given.rounds} rounds, {given.games} clients at as many games each")
    print(f"{'':22}{'web µs':>9}{'db µs':>9}{'per s':>9}{'× nothing':>11}{'× with token':>14}")
    for name in rounds[0]:
        figures = [
            [
                found[name][1],
                found[name][2],
                found[name][3],
                cost(found, name, NOTHING),
                cost(found, name, TOKEN),
            ]
            for found in rounds
        ]
        web, database, rate, times, times_token = map(median, zip(*figures, strict=True))
        print(f"{name:22}{web:9.0f}{database:9.0f}{rate:9.0f}{times:11.2f}{times_token:14.2f}")
    share = median(found["move"][3] / found["bare SQL"][3] for found in rounds)
    print(f"committed moves a second: {share:.0%} of the bare SQL's")


def cost(found: Rows, name: str, beside: str) -> float:
    """CPU of server and database for each request, as a multiple."""
    return (found[name][1] + found[name][2]) / (found[beside][1] + found[beside][2])


def run(server: Server, dsn: str, count: int, number: int) -> Rows:
    games = prepare(server, count, number)
    bare_tables(dsn, games)
    times = sum(len(game.moves) for game in games) // len(games)
    return {
        "move": measure(server, play, games),
        NOTHING: measure(server, repeat("/bench/nothing", times, 200), games),
        "view": measure(server, repeat("/api/v1/games/{id}/", times, 200), games),
        TOKEN: measure(server, repeat("/bench/nothing-for-players", times, 200), games),
        "view, 304": measure(server, repeat("/api/v1/games/{id}/", times, 304), games),
        "bare SQL": measure(server, bare(dsn, times), games),
    }


if __name__ == "__main__":
    main()
