"""Games in which something is due."""

from datetime import datetime
from uuid import UUID

from django.db import connection
from msgspec import Struct


class DueGame(Struct, frozen=True):
    """A game, and since when something in it is due."""

    due_at: datetime
    id: UUID


_DUE = """
SELECT due_at, id FROM games_game
WHERE status IN ('open', 'running') AND due_at < games_now()
  AND (due_at, id) > (coalesce(%(due_at)s::timestamptz, '-infinity'), %(id)s::uuid)
ORDER BY due_at, id LIMIT %(limit)s
"""


def due_games(*, after: DueGame | None, limit: int) -> list[DueGame]:
    """Games that are due by the database's time, longest first, from after a given one on."""
    start = {"due_at": after.due_at if after else None, "id": after.id if after else UUID(int=0)}
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {**start, "limit": limit})
        return [DueGame(due_at, game_id) for due_at, game_id in cursor.fetchall()]
