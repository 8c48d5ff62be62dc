"""The one statement that appends to a log.

It writes entries, `ply`, `to_act`, and at the end of the game the result, if and only if nobody was first. It
needs no transaction around it and takes no lock before it.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from django.db import connection
from msgspec import Struct

from games.rules.contract import Outcome
from games.table import Step, stored_move


class Append(Struct, frozen=True):
    """Accepted steps of one request of one seat: `base` is the ply that the request had seen, and the first
    step starts from the newest position."""

    game_id: UUID
    seat: int
    by: UUID
    base: int
    steps: Sequence[Step]
    outcome: Outcome | None


_APPEND = """
WITH guarded AS (
    UPDATE games_game
    SET ply = %(ply)s + %(count)s,
        to_act = %(to_act)s,
        status = CASE WHEN %(over)s THEN 'finished' ELSE 'running' END,
        ended_at = CASE WHEN %(over)s THEN statement_timestamp() END
    WHERE id = %(game_id)s AND ply = %(ply)s AND status = 'running'
    RETURNING id
), entries AS (
    INSERT INTO games_move (game_id, ply, kind, seat, by_id, base, request_n, body, at)
    SELECT guarded.id, %(ply)s + entry.number - 1, 'play', %(seat)s, %(by)s, %(base)s, entry.number - 1,
           entry.body::jsonb, statement_timestamp()
    FROM guarded, unnest(%(bodies)s::text[]) WITH ORDINALITY AS entry (body, number)
), results AS (
    INSERT INTO games_result (game_id, seat, place, result, score)
    SELECT guarded.id, came.number - 1, came.place, came.result, came.score
    FROM guarded, unnest(%(places)s::int[], %(results)s::text[], %(scores)s::int[])
         WITH ORDINALITY AS came (place, result, score, number)
)
SELECT statement_timestamp() FROM guarded
"""


def append(what: Append) -> datetime | None:
    """When the entries were written, by the database's time; None if somebody was first and nothing was."""
    outcome = what.outcome
    with connection.cursor() as cursor:
        cursor.execute(
            _APPEND,
            {
                "game_id": what.game_id,
                "ply": what.steps[0].before.ply,
                "count": len(what.steps),
                "to_act": list(what.steps[-1].after.to_act),
                "over": outcome is not None,
                "seat": what.seat,
                "by": what.by,
                "base": what.base,
                "bodies": [msgspec.json.encode(stored_move(step.entry.move)).decode() for step in what.steps],
                "places": list(outcome.place) if outcome else [],
                "results": list(outcome.result) if outcome else [],
                "scores": list(outcome.score) if outcome else [],
            },
        )
        written = cursor.fetchone()
    return written[0] if written else None
