"""Leaderboards of many results: `python -m bench.leaderboards [--results N] [--players N] [--asked N]`.

Results of one patience, spread over a week, are written by COPY into a database of its own, and the boards are
made from them. Then the top, the standings around a player and a player's rank are asked for, by every measure
and of all time, a month, a week and a day, before and after every tenth player has had one more result through
the projector, with no vacuum in between. Beside it the same is asked of the results themselves. What is read are
results alone, so that the games that they are of are left out.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from uuid import UUID

FOLDER = Path(tempfile.mkdtemp(prefix="cardsite-bench-"))
# The account that runs PostgreSQL must reach it.
FOLDER.chmod(0o755)
os.environ.pop("DATABASE_URL", None)
os.environ.update(DATA_DIR=str(FOLDER / "var"), DJANGO_SETTINGS_MODULE="bench.settings")

import django  # noqa: E402 - needs the settings

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402

from bench.fill import copy_statement, make_players  # noqa: E402
from cardsite import embedded  # noqa: E402
from games.models import Board, Measure, Standing  # noqa: E402
from games.selectors.boards import board_around, board_page, standing_of_player  # noqa: E402
from games.services import boards  # noqa: E402

BAR = 0.005  # seconds
DAYS = 7
AGAIN = 10  # one player in so many has a result more
RULESET, VARIANT = "camelot", "default"
MEASURES = [one for one in Measure if one not in (Measure.RATING, Measure.DAILY)]
COLUMNS = (
    "game_id, seat, player_id, place, result, score, undos, length, duration, ending, ruleset, variant, seats, "
    "is_public, is_shuffled, scope, at"
)
ON_THE_FLY = """
WITH tallies AS (
    SELECT player_id, count(*) FILTER (WHERE result = 'win') AS wins FROM games_result
    WHERE scope = 'open' AND ruleset = 'camelot' AND variant = 'default' GROUP BY player_id
), ranked AS (SELECT player_id, wins, rank() OVER (ORDER BY wins DESC) AS rank FROM tallies)
"""
FLIES = {
    "top": "SELECT * FROM ranked ORDER BY rank LIMIT 50",
    "around a player": """SELECT r.* FROM ranked r, (SELECT rank AS own FROM ranked WHERE player_id = %(player)s) o
        ORDER BY abs(r.rank - o.own) LIMIT 50""",
    "rank": "SELECT rank FROM ranked WHERE player_id = %(player)s",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=10_000_000)
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=2000, help="questions of each kind")
    given = parser.parse_args()
    assert settings.EMBEDDED_DATABASE is not None
    embedded.ensure(settings.EMBEDDED_DATABASE)
    try:
        measure(given.results, given.players, given.asked)
    finally:
        connection.close()
        embedded.Cluster(settings.EMBEDDED_DATABASE).stop()
        shutil.rmtree(FOLDER, ignore_errors=True)


def measure(results: int, players: int, asked: int) -> None:
    call_command("migrate", interactive=False, verbosity=0)
    with connection.cursor() as cursor:
        for name in ("tally", "standing", "scorebucket", "result", "uncounted"):
            cursor.execute(f"ALTER TABLE games_{name} SET (autovacuum_enabled = false)")
        cursor.execute("SET statement_timeout = 0")
    who, rng = make_players(players), Random(1)
    timed(f"{results} results of {players} players", lambda: write_all(results_of(who, results, rng)))
    vacuum()
    timed("boards made from them", boards.boards_rebuild)
    vacuum()
    print(f"{Board.objects.count()} boards, {Standing.objects.count()} standings")
    slow = flown(who)
    ask("before", who, asked, slow)
    change(who, rng)
    ask("after a tenth has changed, without vacuum", who, asked, slow)


def vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def timed(what: str, do: Callable[[], object]) -> None:
    started = time.perf_counter()
    do()
    print(f"{what}: {time.perf_counter() - started:.1f} s", flush=True)


def results_of(players: list[UUID], count: int, rng: Random, days: int = DAYS) -> Iterator[bytes]:
    """Rows of results of the last days for COPY, or of now: players are of all strengths."""
    now = datetime.now(UTC)
    moments = [now - timedelta(seconds=at) for at in range(days * 86_400 or 1)]
    times = [(f"{int(at.timestamp() * 1000):012x}", str(at)) for at in moments]
    who = [(str(player), rng.betavariate(2, 3)) for player in players]
    chance = rng.random
    for number in range(count):
        begun, at = times[int(chance() * len(times))]
        player, strength = who[number if days == 0 else int(chance() * len(who))]
        game = f"{begun}7000b{number:015x}"
        won, length, duration = (
            chance() < strength,
            int(60 + 80 * chance()),
            int(20_000 + 600_000 * chance() ** 3),
        )
        result, score = ("win", 12) if won else ("loss", int(12 * chance()))
        yield (
            f"{game}\t0\t{player}\t1\t{result}\t{score}\t0\t{length}\t{duration}\tplayed_out\t{RULESET}\t{VARIANT}"
            f"\t1\tt\tt\topen\t{at}\n"
        ).encode()


def write_all(rows: Iterator[bytes]) -> None:
    """Write without the indexes of results, and make these again, which is quicker."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'games_result'
            AND indexname NOT IN (SELECT conname FROM pg_constraint)"""
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        write(rows)
        for _, definition in indexes:
            cursor.execute(definition)


def write(rows: Iterator[bytes], *, uncounted: bool = False) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        games = list[str]()
        with cursor.copy(copy_statement("games_result", COLUMNS)) as copy:
            for row in rows:
                copy.write(row)
                if uncounted:
                    games.append(row.partition(b"\t")[0].decode())
        cursor.execute(
            "INSERT INTO games_uncounted (game_id, change) SELECT id, 1 FROM unnest(%s::uuid[]) AS g (id)",
            (games,),
        )


def change(players: list[UUID], rng: Random) -> None:
    """One more result of every tenth player, counted by the projector."""
    some = rng.sample(players, len(players) // AGAIN)
    write(results_of(some, len(some), rng, days=0), uncounted=True)

    def project() -> None:
        while boards.boards_project():
            pass

    timed(f"{len(some)} more results counted", project)


def ask(when: str, players: list[UUID], count: int, slow: dict[str, float]) -> None:
    rng = Random(2)
    here = [
        board
        for board in Board.objects.all()
        if board.period
        in ("all", f"{datetime.now(UTC):%Y-%m}", f"{datetime.now(UTC) - timedelta(days=1):%G-W%V}")
        or board.period == f"{datetime.now(UTC) - timedelta(days=1):%Y-%m-%d}"
    ]
    kinds: dict[str, Callable[[int, Measure, UUID], object]] = {
        "top": lambda board, measure, _: board_page(board=board, measure=measure, after=None, limit=50),
        "around a player": lambda board, measure, player: board_around(
            board=board, measure=measure, player_id=player, limit=50
        ),
        "rank": lambda board, measure, player: standing_of_player(
            board=board, measure=measure, player_id=player
        ),
    }
    print(f"\n{when}:\n{'':18}{'p50 ms':>8}{'p95 ms':>8}{'longest':>9}{'on the fly ms':>15}{'times':>8}")
    for name, kind in kinds.items():
        times = list[float]()
        for _ in range(count):
            what = rng.choice(here).id, rng.choice(MEASURES), rng.choice(players)
            started = time.perf_counter()
            kind(*what)
            times.append(time.perf_counter() - started)
        p50, p95 = median(times), quantiles(times, n=20)[-1]
        flight = slow[name]
        print(
            f"{name:18}{p50 * 1000:8.2f}{p95 * 1000:8.2f}{max(times) * 1000:9.2f}{flight * 1000:15.0f}"
            f"{flight / p95:8.0f}{'' if p95 <= BAR and flight / p95 >= 100 else '  MISSED'}"
        )


def flown(players: list[UUID]) -> dict[str, float]:
    """How long the same takes when it is worked out from the results: the quickest of three."""
    quickest = dict[str, float]()
    for name, sql in FLIES.items():
        times = list[float]()
        for number in range(3):
            started = time.perf_counter()
            with connection.cursor() as cursor:
                cursor.execute(ON_THE_FLY + sql, {"player": players[number]})
                cursor.fetchall()
            times.append(time.perf_counter() - started)
        quickest[name] = min(times)
    return quickest


if __name__ == "__main__":
    main()
