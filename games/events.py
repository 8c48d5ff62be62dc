"""What happened at a table, as each viewer is told.

An event's `body` is what a spectator is told; `seen` holds by seat what takes the place of its members where that
seat knows more. Both are made when it happens, and stay: what was hidden then is not opened here.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from msgspec import Struct

from cardsite.jsonbody import timestamp
from games.clock import Times
from games.models import Game
from games.rules.contract import Outcome
from games.table import MOVES, Position, Step


class EventBody(Struct, frozen=True):
    """An event before it has a number."""

    kind: str
    body: dict[str, Any]
    seen: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<EventBody {self.kind}>"


def entry_event(step: Step, times: Times, at: datetime, by: UUID | None) -> EventBody:
    """An entry of the log that a player has asked for, or nobody, and whose turn it then is."""
    entry = step.entry
    told: dict[str, Any] = {
        "ply": step.before.ply,
        "kind": entry.kind,
        "seat": entry.seat,
        "player": by,
        "at": timestamp(at),
        "to_act": step.after.to_act,
        "deadlines": _shown(times),
        "notation": None,
        "move": None,
        "events": [],
    }
    if entry.kind not in MOVES:
        return EventBody("entry", told)
    rules, before = step.before.setup.rules, step.before.state
    if rules.has_notation:
        told["notation"] = rules.notate(before, entry.move)
    known = _as_seen(step, None)
    seen = {
        str(seat): more for seat in range(step.before.setup.seats) if (more := _as_seen(step, seat)) != known
    }
    return EventBody("entry", told | known, seen or None)


def _as_seen(step: Step, viewer: int | None) -> dict[str, Any]:
    entry = step.entry
    assert entry.seat is not None, "a move is of a seat"
    move, events = step.before.setup.rules.redact(
        step.before.state, viewer, entry.seat, entry.move, step.events
    )
    return {"move": move, "events": events}


def started_event(position: Position, times: Times) -> EventBody:
    """The deal, and whose turn it then is."""
    return EventBody("started", {"to_act": position.to_act, "deadlines": _shown(times)})


def _shown(times: Times) -> list[str | None]:
    return [None if moment is None else timestamp(moment) for moment in times.deadlines]


def ended_event(ending: str, outcome: Outcome | None) -> EventBody:
    """The end, and how it came to be."""
    return EventBody("ended", {"ending": ending, "outcome": outcome})


def seat_event(kind: str, seat: int, player: UUID) -> EventBody:
    """A seat that was taken or given up before the start."""
    return EventBody(kind, {"seat": seat, "player": player})


_WRITE = """
WITH told AS (
    UPDATE games_game SET event_seq = event_seq + 1, event_txid = pg_current_xact_id()
    WHERE id = %(game_id)s RETURNING id, event_seq
)
INSERT INTO games_event (game_id, seq, kind, body, at)
SELECT id, event_seq, %(kind)s, %(body)s::jsonb, games_now() FROM told RETURNING seq
"""


def event_record(game: Game, event: EventBody) -> int:
    """Write an event of a game that this transaction has locked or made: its number."""
    with connection.cursor() as cursor:
        cursor.execute(
            _WRITE,
            {"game_id": game.id, "kind": event.kind, "body": msgspec.json.encode(event.body).decode()},
        )
        (seq,) = cursor.fetchone()
    return int(seq)
