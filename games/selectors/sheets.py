"""A game with a position and a part of its log in words, read at once: what a page about it shows."""

from uuid import UUID

from msgspec import Struct

from cardsite.problems import Problem
from games.selectors.access import may_see, seat_of
from games.selectors.lookup import LogPage, Viewer, eyes_of
from games.selectors.rows import GameRow, SummaryRow
from games.selectors.seen import SeenPosition, entry_seen, position_seen
from games.selectors.tables import history_read


class Sheet(Struct, frozen=True):
    """A game; the `position` at `ply`, which is none before the start; the page of the log that has the entry
    which led to it, and the ply of the `first` entry of that page. All is seen with the eyes of `viewer`, where
    that was asked for and may be, else with those of who asks."""

    row: SummaryRow
    ply: int
    position: SeenPosition | None
    log: LogPage
    first: int
    viewer: Viewer | None


def game_sheet(
    *, game_id: UUID, player_id: UUID | None, ply: int | None, viewer: Viewer | None, limit: int
) -> Sheet:
    """A game that the player may see, at a ply: the last one where it has not come so far, and where none is given
    the newest while it goes on, then that of the deal.

    Raises `Problem` not_found: no such game, or none for this player to see.
    """
    history = history_read(game_id=game_id)
    if history is None or not may_see(history.row, player_id):
        raise Problem("not_found", "There is no game here that you may see.")
    row = history.row
    shown = (0 if row.has_ended else row.ply) if ply is None else min(ply, row.ply)
    first = max(shown - 1, 0) // limit * limit
    if row.started_at is None:
        return Sheet(row, shown, None, LogPage(row.ply, [], None), first, None)
    viewer, seat, then = _eyes(row, player_id, viewer)
    position, entries, last = history.dealt, [], first + limit
    for number, (entry, step) in enumerate(history.steps()):
        if number >= last:
            break
        if number >= first:
            entries.append(entry_seen(row, entry, step, seat, then=then))
        if number < shown:
            position = step.after
    log = LogPage(row.ply, entries, last if last < row.ply else None)
    return Sheet(row, shown, position_seen(row, position, seat, then=then), log, first, viewer)


def _eyes(
    row: GameRow, player_id: UUID | None, viewer: Viewer | None
) -> tuple[Viewer | None, int | None, bool]:
    """With whose eyes it is looked, the seat of these, and whether as they saw it at the time."""
    try:
        seat, then = eyes_of(row, player_id, viewer)
    except Problem:
        return None, seat_of(row, player_id), False
    return viewer, seat, then
