"""What goes on: from indexes that hold all that is asked for, and from boards that are kept, a few weeks back and
no further."""

from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from msgspec import Struct

from games.catalog import CURRENT
from games.locks import database_time, one_snapshot
from games.selectors.jobs import HEARD_OF_WITHIN


class Activity(Struct, frozen=True):
    """By day, the earliest first: games that ended of each rule set and the entries of their logs, players on the
    boards of the day, new accounts; and what there is now: games that run and that are open, games that should
    have been settled a minute ago, jobs that have failed, and workers that live."""

    days: tuple[date, ...]
    games: dict[str, tuple[int, ...]]
    moves: tuple[int, ...]
    players: tuple[int, ...]
    accounts: tuple[int, ...]
    running: int
    open: int
    overdue: int
    failed_jobs: int
    workers: int


_ENDED = """
SELECT (ended_at AT TIME ZONE 'UTC')::date, ruleset, count(*), sum(ply) FROM games_game
WHERE status IN ('finished', 'abandoned') AND ended_at >= %(since)s GROUP BY 1, 2
"""
# Of tries at a deal of which others still play nothing is told, not how many have ended, either.
_SEALED = """
SELECT (g.ended_at AT TIME ZONE 'UTC')::date, g.ruleset, count(*), sum(g.ply)
FROM games_dailydeal d JOIN games_game g ON g.daily_id = d.id
WHERE d.date >= %(today)s AND g.status IN ('finished', 'abandoned') AND g.sealed_until > games_now() GROUP BY 1, 2
"""
# Board by board, whatever the statistics make of it: the boards of a month are few among all that there are.
_PLAYERS = """
SELECT b.period, count(DISTINCT t.player_id) FROM games_board b
CROSS JOIN LATERAL (SELECT player_id FROM games_tally WHERE board_id = b.id AND games > 0 OFFSET 0) t
WHERE b.period = ANY (%(periods)s) GROUP BY b.period
"""
# Ids begin with the time at which they were made, and have an index.
_ACCOUNTS = """
SELECT (created_at AT TIME ZONE 'UTC')::date, count(*) FROM accounts_player
WHERE id >= %(first)s AND created_at >= %(since)s GROUP BY 1
"""
_GOING_ON = """
SELECT status, count(*) FROM games_game WHERE status IN ('open', 'running') GROUP BY status
"""
# Jobs that succeed are not kept.
_BEHIND = f"""
SELECT (SELECT count(*) FROM games_game
        WHERE status IN ('open', 'running') AND due_at < games_now() - interval '1 minute'),
       (SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'),
       (SELECT count(*) FROM procrastinate_workers
        WHERE last_heartbeat > statement_timestamp() - interval '{HEARD_OF_WITHIN}')
"""  # noqa: S608 - of constants


def activity(*, days: int) -> Activity:
    """What went on in so many days (UTC), of which today is the last."""
    today = database_time().date()
    all_days = tuple(today - timedelta(days=ago) for ago in reversed(range(days)))
    since = datetime.combine(all_days[0], time(), UTC)
    with one_snapshot():
        ended, sealed = _rows(_ENDED, since=since), _rows(_SEALED, today=today)
    games: dict[str, dict[date, int]] = {slug: {} for slug in CURRENT}
    moves: dict[date, int] = defaultdict(int)
    for day, slug, count, entries in ended:
        games[slug][day] = count
        moves[day] += entries
    for day, slug, count, entries in sealed:
        games[slug][day] -= count
        moves[day] -= entries
    players = dict(_rows(_PLAYERS, periods=[str(day) for day in all_days]))
    accounts = dict(_rows(_ACCOUNTS, first=UUID(int=int(since.timestamp() * 1000) << 80), since=since))
    going_on = dict(_rows(_GOING_ON))
    ((overdue, failed_jobs, workers),) = _rows(_BEHIND)
    return Activity(
        days=all_days,
        games={slug: tuple(by_day.get(day, 0) for day in all_days) for slug, by_day in games.items()},
        moves=tuple(moves.get(day, 0) for day in all_days),
        players=tuple(players.get(str(day), 0) for day in all_days),
        accounts=tuple(accounts.get(day, 0) for day in all_days),
        running=going_on.get("running", 0),
        open=going_on.get("open", 0),
        overdue=overdue,
        failed_jobs=failed_jobs,
        workers=workers,
    )


def _rows(sql: str, **given: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())
