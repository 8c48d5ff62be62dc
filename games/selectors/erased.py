"""Where players sit whose accounts are erased."""

from uuid import UUID

from django.db import connection

_UNFINISHED = """
SELECT g.id, g.status FROM games_seat s JOIN games_game g ON g.id = s.game_id
WHERE s.player_id = %s AND g.status IN ('open', 'running') AND NOT s.number = ANY (g."left")
ORDER BY g.id
"""


def unfinished_games(*, player_id: UUID) -> list[tuple[UUID, str]]:
    """The open and running games at which a player sits and has not given up, with their status."""
    with connection.cursor() as cursor:
        cursor.execute(_UNFINISHED, (player_id,))
        return [(game_id, status) for game_id, status in cursor.fetchall()]
