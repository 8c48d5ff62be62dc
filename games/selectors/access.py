"""Who may see a game, and as what."""

from typing import TypeVar
from uuid import UUID

from cardsite.problems import Problem
from games.selectors.rows import Freshness, GameRow, SummaryRow
from games.selectors.tables import History, Table, history_read, table_read

Read = TypeVar("Read", Table, History)


def seat_of(row: SummaryRow | Freshness, player_id: UUID | None) -> int | None:
    """The seat of a player, or None for a spectator."""
    return next((seat.number for seat in row.seats if seat.player == player_id), None)


def may_see(row: SummaryRow | Freshness, player_id: UUID | None) -> bool:
    """A public game is anyone's to see, a private one only those who sit there, and so is one whose deal others
    still play."""
    return (row.visibility == "public" and not row.sealed) or seat_of(row, player_id) is not None


def table_seen(*, game_id: UUID, player_id: UUID | None) -> Table:
    """A game that the player may see. Raises `Problem` not_found."""
    return _seen(table_read(game_id=game_id), player_id)


def history_seen(*, game_id: UUID, player_id: UUID | None) -> History:
    """The log of a game that has started and that the player may see. Raises `Problem` not_found or
    not_started."""
    history = _seen(history_read(game_id=game_id), player_id)
    require_started(history.row)
    return history


def require_started(row: GameRow) -> None:
    """Raises `Problem` not_started."""
    if row.status in ("open", "cancelled"):
        raise Problem("not_started", "The game has not started.", game_status=row.status)


def require_seat(row: GameRow, player_id: UUID) -> int:
    """The seat of a player who has one. Raises `Problem` not_seated."""
    seat = seat_of(row, player_id)
    if seat is None:
        raise Problem("not_seated", "You have no seat in this game.")
    return seat


def _seen(found: Read | None, player_id: UUID | None) -> Read:
    if found is None or not may_see(found.row, player_id):
        raise Problem("not_found", "There is no game here that you may see.")
    return found
