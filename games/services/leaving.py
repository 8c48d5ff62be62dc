"""Giving up a game that is under way."""

from uuid import UUID

from accounts.models import Player
from cardsite.problems import Problem
from games import table
from games.selectors.access import require_seat, require_started, table_seen
from games.selectors.newest import newest_positions
from games.services.settling import due_settle
from games.services.standing import require_going_on
from games.services.writing import NewEntry, append
from games.table import Entry

ATTEMPTS = 5


def game_resign(*, game_id: UUID, player: Player) -> None:
    """Leave a game under way: the one who then stays has won, or the automatic player goes on in the seat's
    place. A patience is lost, or closed without a result where no move was made. Who has left already has
    left.

    Raises `Problem`, the first that holds of: not_found, not_seated, not_started, over; unavailable.
    """
    for _ in range(ATTEMPTS):
        at_table = table_seen(game_id=game_id, player_id=player.id)
        row = at_table.row
        seat = require_seat(row, player.id)
        require_started(row)
        if seat in row.left or (row.seat_count == 1 and row.status == "abandoned"):
            return
        require_going_on(row)
        if row.is_due:
            due_settle(row, at_table.position)
            continue
        if row.seat_count == 1 and row.ply == 0:
            steps = [table.advance(at_table.position, Entry(None, kind="void"))]
        else:
            steps = table.leaving_steps(at_table.position, seat, "resign")
        first, *others = steps
        if append(row, [NewEntry(first, player.id), *map(NewEntry, others)]) is not None:
            newest_positions.put(game_id, steps[-1].after)
            return
    raise Problem("unavailable", "Others were first again and again; a retry is safe.")
