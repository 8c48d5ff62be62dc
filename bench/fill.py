"""Fills a database with games: `python -m bench.fill [--games N] [--players N] [--most-plies N]`.

The games are random ones of all seven rule sets, played through the rules and written by COPY as the server
would have written them, spread over the last year; one in fifty goes on. The boards are made from them afterwards.
It is the database of the settings (DATABASE_URL, or the embedded one of DATA_DIR). In memory are as many games as
are written at once.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import repeat
from multiprocessing import get_context
from random import Random
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
django.setup()

from django.conf import settings  # noqa: E402 - needs the settings
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from tqdm import tqdm  # noqa: E402

from bench.playouts import TABLES, Playout, Rows, id_of  # noqa: E402
from cardsite import embedded  # noqa: E402
from games.services.boards import boards_rebuild  # noqa: E402

AT_ONCE = 100
DAY, YEAR = timedelta(days=1), timedelta(days=365)
GO_ON = 0.02  # of all games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=1000, help="new ones, among whom the games are played")
    parser.add_argument("--most-plies", type=int, default=100, help="after which a game is given up")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if settings.EMBEDDED_DATABASE is not None:
        embedded.ensure(settings.EMBEDDED_DATABASE)
    call_command("migrate", interactive=False, verbosity=0)
    players = make_players(given.players)
    connection.close()
    started, moves = time.perf_counter(), 0
    with (
        ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers,
        tqdm(total=given.games, unit=" games") as bar,
    ):
        chunks = [(given.seed, at, min(AT_ONCE, given.games - at)) for at in range(0, given.games, AT_ONCE)]
        for number in workers.map(write_chunk, chunks, repeat(players), repeat(given.most_plies)):
            moves += number
            bar.update(min(AT_ONCE, given.games - bar.n))
    seconds = time.perf_counter() - started
    print(f"{given.games} games, {moves} moves in {seconds:.0f} s: {moves / seconds:.0f} moves a second")
    started = time.perf_counter()
    boards_rebuild()
    print(f"boards made in {time.perf_counter() - started:.1f} s")


def make_players(count: int) -> list[UUID]:
    """New players, who cannot log in: they have come one after the other over the last two years."""
    now, rng = datetime.now(UTC), Random()
    joined = [now - 2 * YEAR * (count - number) / count for number in range(count)]
    columns = "id, username, display_name, password, email, is_superuser, is_staff, is_active, created_at"
    players = []
    with (
        connection.cursor() as cursor,
        cursor.copy(copy_statement("accounts_player", columns)) as copy,
    ):
        for at in joined:
            players.append(player := id_of(at, rng))
            name = f"p-{player.hex[-12:]}"
            copy.write_row((player, name, name, "!", "", False, False, True, at))
    return players


def write_chunk(chunk: tuple[int, int, int], players: list[UUID], most_plies: int) -> int:
    """Play and write some games: how many moves they had."""
    seed, at, count = chunk
    rng, rows, now = Random(f"{seed}/{at}"), Rows(), datetime.now(UTC)
    for _ in range(count):
        # What goes on is of today, since nothing is left alone for a year.
        goes_on = rng.random() < GO_ON
        ago = timedelta(hours=12) if goes_on else DAY + YEAR * rng.random()
        Playout(rng, players, now - ago, most_plies, goes_on=goes_on).add_to(rows)
    with transaction.atomic(), connection.cursor() as cursor:
        # Games come into being as they are at their end, which the guards are there to forbid.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for name, columns in TABLES.items():
            with cursor.copy(copy_statement(name, columns)) as copy:
                for row in rows.of[name]:
                    copy.write_row(row)
    return rows.moves


def copy_statement(name: str, columns: str) -> str:
    return f"COPY {name} ({columns}) FROM STDIN"


if __name__ == "__main__":
    main()
