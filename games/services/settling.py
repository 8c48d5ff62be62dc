"""What has become due: turns whose time is out, games that were left alone."""

import logging
from collections.abc import Sequence
from uuid import UUID

from django.db import InterfaceError, OperationalError

from games.clock import settled_steps
from games.locks import is_demo_made
from games.selectors.due import DueGame, due_games
from games.selectors.newest import newest_positions
from games.selectors.rows import GameRow
from games.selectors.tables import table_read
from games.services.gathering import open_game_settle
from games.services.writing import NewEntry, append
from games.table import Position

ATTEMPTS = 5
AT_ONCE = 100

logger = logging.getLogger(__name__)


def due_settle(row: GameRow, position: Position) -> Position | None:
    """Write what has become due in a game as it was read, at its newest position: the position after it, or None
    where somebody was first."""
    steps = list(settled_steps(row.rate, row.times, position, row.now))
    if append(row, [NewEntry(step) for step in steps], settles=True) is None:
        return None
    newest_positions.put(row.id, steps[-1].after)
    return steps[-1].after


def game_settle(*, game_id: UUID) -> bool:
    """Settle what is due in a game; whether anything was."""
    for _ in range(ATTEMPTS):
        found = table_read(game_id=game_id)
        if found is None or found.row.has_ended:
            return False
        if found.row.status == "open":
            return open_game_settle(game_id=game_id)
        if not found.row.is_due:
            return False
        if due_settle(found.row, found.position) is not None:
            return True
    return False


def games_settle() -> int:
    """Settle every game in which something is due: how many were. One that fails is logged, and does not keep the
    others waiting. While a demo is made none is: its games are played weeks ago, and all would be overdue."""
    settled, after = 0, None
    while not is_demo_made() and (games := due_games(after=after, limit=AT_ONCE)):
        settled += sum(_settled(games))
        after = games[-1]
    return settled


def _settled(games: Sequence[DueGame]) -> list[bool]:
    done = []
    for game in games:
        try:
            done.append(game_settle(game_id=game.id))
        except (OperationalError, InterfaceError):
            # Not of this game: the database is not there, or busy.
            raise
        except Exception:
            logger.exception("game %s cannot be settled", game.id)
    return done
