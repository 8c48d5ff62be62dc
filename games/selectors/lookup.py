"""Looking at one game: legal moves, the log, positions."""

from itertools import islice
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from cardsite.problems import Problem
from games.selectors.access import history_seen, require_seat, require_started, seat_of, table_seen
from games.selectors.rows import GameRow
from games.selectors.seen import SeenEntry, SeenPosition, entry_seen, position_seen
from games.selectors.tables import History, disclosed

Viewer: TypeAlias = Annotated[
    str,
    # Python's `$` also stands before a last line break.
    Meta(
        pattern=r"^([0-9]|spectator)(?!\n)$",
        description="With whose eyes: a seat's by its number, or those of a `spectator`. Of a game that still "
        "hides something only one's own seat and a spectator can be asked for.",
    ),
]


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


def replay_page(
    *, game_id: UUID, player_id: UUID | None, viewer: Viewer | None = None, first: int, limit: int
) -> ReplayPage:
    """The positions from ply `first` on, each with the entry that led to it, as that player may see them now, or
    as `viewer` saw them when the game had come to them. Raises `Problem` not_found, not_started or
    not_disclosed."""
    history = history_seen(game_id=game_id, player_id=player_id)
    seat, then = eyes_of(history.row, player_id, viewer)
    return frames_of(history, seat, then=then, first=first, limit=limit)


def frames_of(history: History, seat: int | None, *, then: bool, first: int, limit: int) -> ReplayPage:
    """A part of a replay as that seat, or a spectator, may see it now, or with `then` saw it at the time."""
    row = history.row
    frames = [Frame(None, position_seen(row, history.dealt, seat, then=then))] if first == 0 else []
    for entry, step in islice(history.steps(), max(first - 1, 0), first + limit - 1):
        seen = entry_seen(row, entry, step, seat, then=then)
        frames.append(Frame(seen, position_seen(row, step.after, seat, then=then)))
    last = first + limit
    return ReplayPage(row.ply, frames, last if last <= row.ply else None)


def position_lookup(
    *, game_id: UUID, player_id: UUID | None, ply: int, viewer: Viewer | None = None
) -> SeenPosition:
    """The position after `ply` entries, as that player may see it now, or as `viewer` saw it when the game had
    come to it. Raises `Problem` not_found, not_started or not_disclosed."""
    history = history_seen(game_id=game_id, player_id=player_id)
    row = history.row
    if ply > row.ply:
        raise Problem("not_found", f"The game has come to ply {row.ply}.", ply=row.ply)
    seat, then = eyes_of(row, player_id, viewer)
    return position_seen(row, history.position_at(ply), seat, then=then)


def eyes_of(row: GameRow, player_id: UUID | None, viewer: Viewer | None) -> tuple[int | None, bool]:
    """Whose eyes a player who may see a game looks with, a seat's or with None a spectator's, and whether as they
    saw it at the time.

    Raises `Problem` not_found for a seat that there is not, and not_disclosed for another's of a game that still
    hides something.
    """
    own = seat_of(row, player_id)
    if viewer is None:
        return own, False
    seat = None if viewer == "spectator" else int(viewer)
    if seat is not None and seat >= row.seat_count:
        raise Problem("not_found", f"The game has no seat {seat}.", seats=row.seat_count)
    if seat not in (own, None) and not disclosed(row):
        raise Problem("not_disclosed", "The game goes on, and what another seat sees stays hidden.")
    return seat, True
