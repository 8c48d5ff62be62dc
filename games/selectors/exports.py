"""Dumps: the proofs of public games that are over, in the order in which they ended.

Games end in the order of this list and never change afterwards, but for transactions that commit late: what
ended in the last minute is left for the next dump, so that no page passes over a game.
"""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.db import connection
from msgspec import Struct

from games.proofs import Proof
from games.selectors.proofs import proof_of
from games.selectors.tables import history_read


class EndedGame(Struct, frozen=True):
    """A game that is over, and its place in the list."""

    ended_at: datetime
    id: UUID


class ExportFilter(Struct, frozen=True):
    """Which games: of a rule set, that ended from `since` on and before `until`."""

    ruleset: str | None = None
    since: datetime | None = None
    until: datetime | None = None


_ENDED = """
SELECT ended_at, id FROM games_game
WHERE visibility = 'public' AND status IN ('finished', 'abandoned')
  AND ended_at < games_now() - interval '1 minute'
  AND (ended_at, id) > (coalesce(%(ended_at)s::timestamptz, '-infinity'), %(id)s::uuid)
  AND (%(ruleset)s::text IS NULL OR ruleset = %(ruleset)s)
  AND (%(since)s::timestamptz IS NULL OR ended_at >= %(since)s)
  AND (%(until)s::timestamptz IS NULL OR ended_at < %(until)s)
ORDER BY ended_at, id LIMIT %(limit)s
"""


def ended_games(*, wanted: ExportFilter, after: EndedGame | None, limit: int) -> list[EndedGame]:
    """Public games that are over, in the order in which they ended, from after a given one on."""
    start = {"ended_at": after.ended_at if after else None, "id": after.id if after else UUID(int=0)}
    what = {"ruleset": wanted.ruleset, "since": wanted.since, "until": wanted.until}
    with connection.cursor() as cursor:
        cursor.execute(_ENDED, {**start, **what, "limit": limit})
        return [EndedGame(ended_at, game_id) for ended_at, game_id in cursor.fetchall()]


def proofs_of(games: list[EndedGame]) -> Iterator[Proof]:
    """The proof of each game, made one at a time."""
    for game in games:
        history = history_read(game_id=game.id)
        assert history is not None, "games are never deleted"
        yield proof_of(history)
