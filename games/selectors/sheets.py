"""A game with a part of its log in words, read at once: what a page about it shows."""

from itertools import islice
from uuid import UUID

from cardsite.problems import Problem
from games.selectors.access import may_see, seat_of
from games.selectors.lookup import LogPage
from games.selectors.rows import SummaryRow
from games.selectors.seen import entry_seen
from games.selectors.tables import history_read


def game_sheet(
    *, game_id: UUID, player_id: UUID | None, ply: int | None, limit: int
) -> tuple[SummaryRow, LogPage, int]:
    """A game that the player may see, the page of its log that has the entry which led to `ply` (the first page
    where that is not given), and the ply of the first entry of that page. Before the start the log is empty.

    Raises `Problem` not_found: no such game, or none for this player to see, or it has not come to that ply.
    """
    history = history_read(game_id=game_id)
    if history is None or not may_see(history.row, player_id):
        raise Problem("not_found", "There is no game here that you may see.")
    row = history.row
    if ply is not None and ply > row.ply:
        raise Problem("not_found", f"The game has come to ply {row.ply}.", ply=row.ply)
    first = max((ply or 0) - 1, 0) // limit * limit
    if row.started_at is None:
        return row, LogPage(row.ply, [], None), first
    seat = seat_of(row, player_id)
    entries = [
        entry_seen(row, entry, step, seat) for entry, step in islice(history.steps(), first, first + limit)
    ]
    return row, LogPage(row.ply, entries, first + limit if first + limit < row.ply else None), first
