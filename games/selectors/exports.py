"""Dumps: the proofs of public games that are over, in the order in which they were opened to all, which is when
they ended, or when the day of their deal was over.

Games are opened in the order of this list and never change afterwards, but for transactions that commit late: what
was opened in the last minute is left for the next dump, so that no page passes over a game.
"""

from datetime import datetime
from uuid import UUID

from django.db import connection
from msgspec import Struct


class EndedGame(Struct, frozen=True):
    """A game that is over, and its place in the list."""

    opened_at: datetime
    id: UUID


class ExportFilter(Struct, frozen=True):
    """Which games: of a rule set, that were opened from `since` on and before `until`."""

    ruleset: str | None = None
    since: datetime | None = None
    until: datetime | None = None


_ENDED = """
SELECT greatest(ended_at, sealed_until), id FROM games_game
WHERE visibility = 'public' AND status IN ('finished', 'abandoned')
  AND greatest(ended_at, sealed_until) < games_now() - interval '1 minute'
  AND (greatest(ended_at, sealed_until), id)
      > (greatest(%(opened_at)s::timestamptz, %(since)s::timestamptz, '-infinity'), %(id)s::uuid)
  AND (%(ruleset)s::text IS NULL OR ruleset = %(ruleset)s)
  AND (%(until)s::timestamptz IS NULL OR greatest(ended_at, sealed_until) < %(until)s)
ORDER BY greatest(ended_at, sealed_until), id LIMIT %(limit)s
"""


def ended_games(*, wanted: ExportFilter, after: EndedGame | None, limit: int) -> list[EndedGame]:
    """Public games that are over, in the order in which they ended, from after a given one on."""
    start = {"opened_at": after.opened_at if after else None, "id": after.id if after else UUID(int=0)}
    what = {"ruleset": wanted.ruleset, "since": wanted.since, "until": wanted.until}
    with connection.cursor() as cursor:
        cursor.execute(_ENDED, {**start, **what, "limit": limit})
        return [EndedGame(opened_at, game_id) for opened_at, game_id in cursor.fetchall()]
