"""Looking at one game: legal moves, the log, positions."""

from itertools import islice
from typing import Any
from uuid import UUID

from msgspec import Struct

from cardsite.problems import Problem
from games.selectors.access import history_seen, require_seat, require_started, seat_of, table_seen
from games.selectors.seen import SeenEntry, SeenPosition, entry_seen, position_seen


class LegalMoves(Struct, frozen=True):
    """A page of a seat's legal moves at `ply`; `following` is the index of the next page's first, if any."""

    ruleset: str
    ply: int
    seat: int
    total: int
    moves: list[Any]
    following: int | None


class LogPage(Struct, frozen=True):
    """A page of the log; `following` is the next page's first ply, if any."""

    ply: int
    entries: list[SeenEntry]
    following: int | None


class Frame(Struct, frozen=True):
    """A position, and the entry of the log that led to it: null after the deal."""

    entry: SeenEntry | None
    position: SeenPosition


class ReplayPage(Struct, frozen=True):
    """A part of a replay of a game of `ply` entries; `following` is the next page's first ply, if any."""

    ply: int
    frames: list[Frame]
    following: int | None


def legal_moves_page(
    *, game_id: UUID, player_id: UUID, ply: int | None, index: int, limit: int
) -> LegalMoves:
    """The legal moves of the player's seat, in canonical form and the rules' order; none while it is not that
    seat's turn. `ply` is that of the first page.

    Raises `Problem` not_found, not_seated, not_started, or ply_changed.
    """
    table = table_seen(game_id=game_id, player_id=player_id)
    seat = require_seat(table.row, player_id)
    require_started(table.row)
    if ply is not None and ply != table.row.ply:
        raise Problem("ply_changed", f"The game has come to ply {table.row.ply}.", ply=table.row.ply)
    position = table.position
    moves = list(table.row.rules.legal_moves(position.state, seat)) if seat in position.to_act else []
    last = index + limit
    following = last if last < len(moves) else None
    return LegalMoves(table.row.ruleset, position.ply, seat, len(moves), moves[index:last], following)


def log_page(*, game_id: UUID, player_id: UUID | None, first: int, limit: int) -> LogPage:
    """The log from ply `first` on, as that viewer may see it. Raises `Problem` not_found or not_started."""
    history = history_seen(game_id=game_id, player_id=player_id)
    row, seat = history.row, seat_of(history.row, player_id)
    page = islice(history.steps(), first, first + limit)
    entries = [entry_seen(row, entry, step, seat) for entry, step in page]
    last = first + limit
    return LogPage(row.ply, entries, last if last < row.ply else None)


def replay_page(*, game_id: UUID, player_id: UUID | None, first: int, limit: int) -> ReplayPage:
    """The positions from ply `first` on, each with the entry that led to it, as that viewer may see them now.
    Raises `Problem` not_found or not_started."""
    history = history_seen(game_id=game_id, player_id=player_id)
    row, seat = history.row, seat_of(history.row, player_id)
    frames = [Frame(None, position_seen(row, history.dealt, seat))] if first == 0 else []
    for entry, step in islice(history.steps(), max(first - 1, 0), first + limit - 1):
        frames.append(Frame(entry_seen(row, entry, step, seat), position_seen(row, step.after, seat)))
    last = first + limit
    return ReplayPage(row.ply, frames, last if last <= row.ply else None)


def position_lookup(*, game_id: UUID, player_id: UUID | None, ply: int) -> SeenPosition:
    """The position after `ply` entries, as that viewer may see it now. Raises `Problem` not_found or
    not_started."""
    history = history_seen(game_id=game_id, player_id=player_id)
    if ply > history.row.ply:
        raise Problem("not_found", f"The game has come to ply {history.row.ply}.", ply=history.row.ply)
    return position_seen(history.row, history.position_at(ply), seat_of(history.row, player_id))
