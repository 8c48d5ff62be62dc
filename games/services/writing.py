"""The one statement that appends to a log.

It writes entries, what the game's row repeats of them, the events by which they are told, and at the end of the
game the result, if and only if nobody was first and nothing has become due. It needs no transaction around it and
takes no lock before it.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction
from msgspec import Struct

from games.clock import MILLISECOND, Times, times_after, whole_milliseconds
from games.events import ended_event, entry_event
from games.hints import tell_of_game
from games.rules.contract import Outcome
from games.selectors.rows import GameRow
from games.selectors.tables import status_of
from games.services.rating import game_rate
from games.services.results import COLUMNS, VALUES, result_rows
from games.table import Step


class NewEntry(Struct, frozen=True):
    """An accepted step, and who asked for it: `base` is the ply that the request had seen, `request_n` the
    entry's number in it."""

    step: Step
    by: UUID | None = None
    base: int | None = None
    request_n: int | None = None


# One JSON document: the database takes it apart quicker than arrays are put together here.
_APPEND = f"""
WITH given AS (
    SELECT * FROM jsonb_to_record(%(given)s::jsonb) AS r (
        ply int, at timestamptz, settles boolean, to_act smallint[], status text, ending text,
        deadlines timestamptz[], remaining bigint[], abandoned_at timestamptz, due_at timestamptz,
        "left" smallint[], undos int, duration bigint, entries jsonb, events jsonb, results jsonb)
), guarded AS (
    UPDATE games_game g
    SET ply = given.ply + jsonb_array_length(given.entries),
        to_act = given.to_act,
        status = given.status,
        ending = given.ending,
        ended_at = CASE WHEN given.ending IS NOT NULL THEN given.at END,
        deadlines = given.deadlines,
        remaining = given.remaining,
        abandoned_at = given.abandoned_at,
        due_at = given.due_at,
        "left" = given."left",
        undos = given.undos,
        event_seq = g.event_seq + jsonb_array_length(given.events),
        event_txid = pg_current_xact_id()
    FROM given
    WHERE g.id = %(game_id)s AND g.ply = given.ply AND g.status = 'running'
      AND (given.settles OR g.due_at IS NULL OR g.due_at >= games_now())
    RETURNING g.id, g.ruleset, g.variant, g.seat_count, g.visibility, g.commitment, g.rated, g.daily_id,
              g.is_first_try, g.sealed_until, g.ply AS length,
              g.event_seq - jsonb_array_length(given.events) AS told_before, given.*
), entries AS (
    INSERT INTO games_move (game_id, ply, kind, seat, by_id, base, request_n, body, at)
    SELECT guarded.id, guarded.ply + e.number, e.kind, e.seat, e.by, e.base, e.request_n,
           coalesce(e.body, 'null'), guarded.at
    FROM guarded, jsonb_to_recordset(guarded.entries) AS e (
        number int, kind text, seat int, by uuid, base int, request_n int, body jsonb)
), events AS (
    INSERT INTO games_event (game_id, seq, kind, body, seen, at)
    SELECT guarded.id, guarded.told_before + e.number, e.kind, e.body, e.seen, guarded.at
    FROM guarded, jsonb_to_recordset(guarded.events) AS e (number int, kind text, body jsonb, seen jsonb)
), results AS (
    INSERT INTO games_result {COLUMNS}
    SELECT {VALUES}
    FROM guarded AS g, jsonb_to_recordset(g.results) AS r (
        seat int, player uuid, place int, result text, score int)
), uncounted AS (
    INSERT INTO games_uncounted (game_id, change)
    SELECT id, 1 FROM guarded WHERE results <> '[]' AND visibility = 'public'
)
SELECT told_before FROM guarded
"""  # noqa: S608 - of constants


def append(row: GameRow, entries: Sequence[NewEntry], *, settles: bool = False) -> datetime | None:
    """When the entries were made, which is when `row` was read; None if somebody was first or, unless the
    entries settle just that, something has become due: then nothing was written.

    `row` is the game with a log that ends where the entries begin.
    """
    at = whole_milliseconds(row.now)
    position = entries[-1].step.after
    times = list(_times(row, entries, at))
    events = [entry_event(entry.step, then, at, entry.by) for entry, then in zip(entries, times, strict=True)]
    outcome, ending = position.outcome, position.ending
    if ending is not None:
        events.append(ended_event(ending, outcome))
    given = {
        "ply": entries[0].step.before.ply,
        "at": at,
        "settles": settles,
        "to_act": position.to_act,
        "status": status_of(position),
        "ending": ending,
        "deadlines": times[-1].deadlines,
        "remaining": [left // MILLISECOND for left in times[-1].remaining],
        "abandoned_at": times[-1].abandoned_at,
        "due_at": times[-1].due_at,
        "left": position.leavers,
        "undos": position.undos,
        "entries": [_written(number, entry) for number, entry in enumerate(entries)],
        "events": [
            {"number": number, "kind": event.kind, "body": event.body, "seen": event.seen}
            for number, event in enumerate(events, 1)
        ],
        "results": result_rows([seat.player for seat in row.seats], outcome) if outcome else [],
        "duration": (at - row.started_at) // MILLISECOND if row.started_at else None,
    }
    if not _write(row, given, outcome if row.rated else None):
        return None
    tell_of_game(row.id)
    return at


def _write(row: GameRow, given: dict[str, Any], rated: Outcome | None) -> bool:
    """Whether it was written; the end of a rated game with the ratings that follow from it."""
    with transaction.atomic() if rated else nullcontext(), connection.cursor() as cursor:
        cursor.execute(_APPEND, {"game_id": row.id, "given": msgspec.json.encode(given).decode()})
        is_written = cursor.fetchone() is not None
        if is_written and rated:
            players = [seat.player for seat in row.seats]
            game_rate(
                game_id=row.id,
                ruleset=row.ruleset,
                variant=row.variant or "",
                players=players,
                places=rated.place,
                at=given["at"],
            )
    return is_written


def _times(row: GameRow, entries: Sequence[NewEntry], at: datetime) -> Iterator[Times]:
    """The times after each entry."""
    times = row.times
    for entry in entries:
        times = times_after(row.rate, times, entry.step, at)
        yield times


def _written(number: int, entry: NewEntry) -> dict[str, Any]:
    made = entry.step.entry
    return {
        "number": number,
        "kind": made.kind,
        "seat": made.seat,
        "by": entry.by,
        "base": entry.base,
        "request_n": entry.request_n,
        "body": made.move,
    }
