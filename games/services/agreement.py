"""Whether the boards are what follows from results, changes of ratings and voidings."""

from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from games.locks import lock_boards
from games.services.boards import boards_project, boards_rebuild

_KEPT = {
    "games_tally": (
        """board_id, player_id, games, wins, best_score, fewest_moves, best_time, lead, run, streak, last_at,
        last_game, rating_number, mean, deviation""",
        "true",
    ),
    "games_standing": ("board_id, player_id, measure, score", "true"),
    "games_scorebucket": ("board_id, measure, level, bucket, standings", "standings <> 0"),
    "games_frequency": ("ruleset, variant, seats, kind, number, games, wins, draws", "games <> 0"),
}
MOST_NAMED = 20


def board_disagreements() -> list[str]:
    """Of each table of the boards what is kept and does not follow, and what follows and is not kept, in words, of
    each `MOST_NAMED` at most. The boards are made again to see it, which is undone."""
    while boards_project():
        pass
    found = list[str]()
    with transaction.atomic(), connection.cursor() as cursor:
        lock_boards(wait=True)
        for table, (columns, condition) in _KEPT.items():
            cursor.execute(
                f"CREATE TEMP TABLE kept_{table} ON COMMIT DROP AS "
                f"SELECT {columns} FROM {table} WHERE {condition}"
            )
        boards_rebuild()
        for table, (columns, condition) in _KEPT.items():
            made = f"SELECT {columns} FROM {table} WHERE {condition}"
            kept = f"SELECT {columns} FROM kept_{table}"
            found += _named(f"{table} has, and should not", _only(kept, made))
            found += _named(f"{table} should have", _only(made, kept))
        transaction.set_rollback(True)
    return found


def _only(these: str, others: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"{these} EXCEPT {others} LIMIT {MOST_NAMED}")
        return list(cursor.fetchall())


def _named(what: str, rows: Sequence[tuple[object, ...]]) -> list[str]:
    return [f"{what}: {', '.join(map(str, row))}" for row in rows]
