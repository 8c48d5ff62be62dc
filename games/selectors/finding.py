"""Games to be found: by player, rule set, how it came out for the player, and when they ended."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

import msgspec
from django.db import connection
from msgspec import Struct

from games.selectors.daily import opening_of
from games.selectors.rows import SEALED, SUMMARY, SummaryRow

State: TypeAlias = Literal["over", "running", "open"]
ResultName: TypeAlias = Literal["win", "draw", "loss"]


class Wanted(Struct, frozen=True):
    """Which games: each condition that is given must hold. `over` are those that have ended, with a result or
    without; `result` is of `player`, and like the days (UTC, both of them included, of the end) of games that are
    over."""

    state: State = "over"
    player: UUID | None = None
    ruleset: str | None = None
    result: ResultName | None = None
    first_day: date | None = None
    last_day: date | None = None

    @property
    def has_days(self) -> bool:
        """Whether it is asked when games ended."""
        return self.first_day is not None or self.last_day is not None


# As the index of public games that are over has it: when all of a game was open to all.
_OPENED = "greatest({0}.ended_at, {0}.sealed_until)"
_STATUSES = {"over": "('finished', 'abandoned')", "running": "('running')", "open": "('open')"}
_SEATED = "EXISTS (SELECT FROM games_seat own WHERE own.game_id = g.id AND own.player_id = %(viewer)s)"
_decoder = msgspec.json.Decoder(SummaryRow)


def games_found(*, wanted: Wanted, viewer: UUID | None, before: UUID | None, limit: int) -> list[SummaryRow]:
    """The games that are wanted and that the viewer may see, from after the game `before` on: the newest first, or
    where it is asked when anybody's ended, those that ended last.

    A player's are found by that player's seats or results, others by the indexes of games: none of it costs more
    the more games others have played. `result` is asked with `player` alone.
    """
    assert wanted.result is None or wanted.player is not None, "a result is somebody's"
    source, order, key, conditions = _source(wanted)
    if before is not None:
        conditions.append(key)
    conditions += _conditions(wanted)
    sql = (
        f"SELECT json_build_object({SUMMARY})::text FROM {source} "  # noqa: S608 - of constants
        f"WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT %(limit)s"
    )
    given = {
        "viewer": viewer,
        "player": wanted.player,
        "ruleset": wanted.ruleset,
        "result": wanted.result,
        "from": opening_of(wanted.first_day) if wanted.first_day else None,
        "to": opening_of(wanted.last_day + timedelta(days=1)) if wanted.last_day else None,
        "before": before,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return [_decoder.decode(row[0]) for row in cursor.fetchall()]


def _source(wanted: Wanted) -> tuple[str, str, str, list[str]]:
    """What games are found by: the tables, the order, what comes after a game in it, and what must hold."""
    may_see = f"(g.visibility = 'public' AND NOT {SEALED} OR {_SEATED})"
    if wanted.player is not None:
        table = "games_result" if wanted.result is not None else "games_seat"
        return (
            f"{table} me JOIN games_game g ON g.id = me.game_id",
            "me.game_id DESC",
            "me.game_id < %(before)s",
            ["me.player_id = %(player)s", may_see],
        )
    if not wanted.has_days:
        return "games_game g", "g.id DESC", "g.id < %(before)s", [may_see]
    opened = _OPENED.format("g")
    place = f"SELECT {_OPENED.format('b')}, b.id FROM games_game b WHERE b.id = %(before)s"  # noqa: S608
    return (
        "games_game g",
        f"{opened} DESC, g.id DESC",
        f"({opened}, g.id) < ({place})",
        ["g.visibility = 'public'", f"NOT {SEALED}"],
    )


def _conditions(wanted: Wanted) -> Iterator[str]:
    yield f"g.status IN {_STATUSES[wanted.state]}"
    if wanted.ruleset is not None:
        yield "g.ruleset = %(ruleset)s"
    if wanted.result is not None:
        yield "me.result = %(result)s"
    # A game with the deal of the day ends on its day, and is open to all when that is over.
    ended = "g.ended_at" if wanted.player is not None else _OPENED.format("g")
    if wanted.first_day is not None:
        yield f"{ended} >= %(from)s"
    if wanted.last_day is not None:
        yield f"{ended} < %(to)s"
