"""The boards are kept by one projector, which counts games some time after they ended, and can be made again
from all that they follow from.

A board holds for each player a tally: sums, extremes and runs of results in the order in which the games ended.
The tallies of earlier and of later games make one again, so that new games are counted by themselves and added.
Where that does not do, since a game was voided or one comes to light that ended before another that was
counted, the tallies of its players are made anew.
"""

from typing import Any, TypeAlias
from uuid import UUID

from django.db import connection, transaction

from games.locks import lock_boards
from games.services import counting
from games.services.counting import changes_of, results_of, standings_of

AT_ONCE = 500
"""Games that are counted in a transaction."""

Key: TypeAlias = tuple[int, UUID]


@transaction.atomic
def boards_project() -> int:
    """Count games that have ended, or been voided, since the last time: how many, at most `AT_ONCE`. None where
    another process is at it."""
    if not lock_boards(wait=False):
        return 0
    taken = _run(counting.TAKEN, limit=AT_ONCE)
    if not taken:
        return 0
    voided = [game for game, change in taken if change < 0]
    games = [game for game, change in taken if change > 0]
    anew = _run(counting.ANEW, voided=voided, games=games)
    players, rulesets, variants = (
        (list(column) for column in zip(*anew, strict=True)) if anew else ([], [], [])
    )
    of_players = {"players": players, "rulesets": rulesets, "variants": variants}
    changed = set[Key](_run(counting.FORGET, **of_players)) if anew else set()
    for which in (counting.OF_GAMES, counting.OF_PLAYERS) if anew else (counting.OF_GAMES,):
        changed |= _tallied(which, games=games, **of_players)
    _run(
        standings_of(counting.OF_KEYS),
        boards=[board for board, _ in changed],
        tallied=[player for _, player in changed],
    )
    _run(
        counting.FREQUENCIES.format(weights=counting.OF_BATCH),
        weighed=[game for game, _ in taken],
        weights=[change for _, change in taken],
    )
    return len(taken)


@transaction.atomic
def boards_rebuild() -> None:
    """Make all boards again from results, changes of ratings and voidings; they can be read as they were until
    it is done. What has yet to be counted stays so."""
    lock_boards(wait=True)
    # It takes as long as there are results; the sorts are of all of them.
    _run("SET LOCAL statement_timeout = 0")
    _run("SET LOCAL work_mem = '256MB'")
    for table in ("games_scorebucket", "games_standing", "games_tally", "games_frequency"):
        _run(f"DELETE FROM {table}")  # noqa: S608 - of constants
    results, changes = results_of(counting.OF_ALL), changes_of(counting.OF_ALL)
    _run(counting.BOARDS.format(results=results, changes=changes))
    _run(counting.TALLIES.format(results=results))
    _run(counting.RATINGS.format(changes=changes))
    _run(standings_of(counting.OF_ALL))
    _run(counting.FREQUENCIES.format(weights=counting.OF_COUNTED))


def _tallied(which: str, **given: Any) -> set[Key]:
    """Add results, and what became of ratings, to the tallies: which of these have changed."""
    results, changes = results_of(which), changes_of(which)
    _run(counting.BOARDS.format(results=results, changes=changes), **given)
    changed = _run(counting.TALLIES.format(results=results) + counting.CHANGED, **given)
    return {*changed, *_run(counting.RATINGS.format(changes=changes) + counting.CHANGED, **given)}


def _run(sql: str, **given: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given or None)
        return cursor.fetchall() if cursor.description else []
