"""Games to be found: by player, rule set, how it came out for the player, and when they ended."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

import msgspec
from django.db import connection
from msgspec import Meta, Struct

from games.selectors.daily import opening_of
from games.selectors.rows import SEALED, SEALED_GAME, SUMMARY, SummaryRow

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


_STATUSES = {"over": "('finished', 'abandoned')", "running": "('running')", "open": "('open')"}
_SEATED = "EXISTS (SELECT FROM games_seat own WHERE own.game_id = g.id AND own.player_id = %(viewer)s)"
# Of a player's own: those that wait for the player first, then those that wait for others, then the open ones.
_URGENCY = "(CASE WHEN g.status = 'open' THEN 0 WHEN me.number = ANY (g.to_act) THEN 2 ELSE 1 END)"
_decoder = msgspec.json.Decoder(SummaryRow)


def games_found(*, wanted: Wanted, viewer: UUID | None, before: UUID | None, limit: int) -> list[SummaryRow]:
    """The games that are wanted and that the viewer may see, from after the game `before` on: those made last
    first. Of anybody's that are over only those that are open to all, and those that ended last first.

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
    if wanted.state != "over":
        return "games_game g", "g.id DESC", "g.id < %(before)s", [may_see]
    # Of a game that is not open to all it is not told, either, when it ended.
    before = f"""SELECT b.ended_at, b.id FROM games_game b
        WHERE b.id = %(before)s AND b.visibility = 'public' AND NOT {SEALED_GAME.format("b")}"""  # noqa: S608
    return (
        "games_game g",
        "g.ended_at DESC, g.id DESC",
        f"(g.ended_at, g.id) < ({before})",
        ["g.visibility = 'public'", f"NOT {SEALED}"],
    )


def _conditions(wanted: Wanted) -> Iterator[str]:
    yield f"g.status IN {_STATUSES[wanted.state]}"
    if wanted.ruleset is not None:
        yield "g.ruleset = %(ruleset)s"
    if wanted.result is not None:
        yield "me.result = %(result)s"
    if wanted.first_day is not None:
        yield "g.ended_at >= %(from)s"
    if wanted.last_day is not None:
        yield "g.ended_at < %(to)s"


class Place(Struct, frozen=True):
    """Where a game stands in the list of a player's own that are not over: it moves there while it is played, so
    that what follows is asked for by where it stood."""

    urgency: Annotated[int, Meta(ge=0, le=2)]
    game: UUID


def place_of(row: SummaryRow, *, player: UUID) -> Place:
    """Where one of a player's games that are not over stands in their list."""
    number = next(seat.number for seat in row.seats if seat.player == player)
    return Place(0 if row.status == "open" else 2 if number in row.to_act else 1, row.id)


def unfinished_games_found(*, player: UUID, after: Place | None, limit: int) -> list[SummaryRow]:
    """The games at which a player sits and that are not over, from after a place on: those that wait for the
    player first, then those that wait for others, then those that have not started; of each those made last first.
    It costs as much as the player has games."""
    following = "" if after is None else f"AND ({_URGENCY}, me.game_id) < (%(urgency)s, %(game)s)"
    sql = f"""SELECT json_build_object({SUMMARY})::text
        FROM games_seat me JOIN games_game g ON g.id = me.game_id
        WHERE me.player_id = %(player)s AND g.status IN ('open', 'running') {following}
        ORDER BY {_URGENCY} DESC, me.game_id DESC LIMIT %(limit)s"""  # noqa: S608 - of constants
    with connection.cursor() as cursor:
        cursor.execute(
            sql,
            {
                "player": player,
                "urgency": None if after is None else after.urgency,
                "game": None if after is None else after.game,
                "limit": limit,
            },
        )
        return [_decoder.decode(row[0]) for row in cursor.fetchall()]
