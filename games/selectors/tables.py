"""Games as they are played: the stored row, and the positions that follow from it."""

from collections.abc import Iterator
from functools import cached_property
from uuid import UUID

from games import table
from games.rules.contract import read_options
from games.selectors.newest import newest_positions
from games.selectors.rows import EntryRow, GameRow, game_row, game_row_for_token
from games.table import Position, Setup, Step


class Table:
    """A game at the time of one reading. `position` is worked out when it is first asked for."""

    def __init__(self, row: GameRow, known: Position | None) -> None:
        self.row = row
        self._known = known

    @cached_property
    def position(self) -> Position:
        """The newest position. Only for a game that has started."""
        known = self._known or dealt(self.row)
        entries = [
            table.entry_from(known.setup, entry.seat, entry.body, entry.kind) for entry in self.row.entries
        ]
        position = table.position_after(known, entries)
        newest_positions.put(self.row.id, position)
        return position


class History:
    """A game's whole log at the time of one reading."""

    def __init__(self, row: GameRow) -> None:
        self.row = row

    @cached_property
    def dealt(self) -> Position:
        """The position after the deal. Only for a game that has started."""
        return dealt(self.row)

    def steps(self) -> Iterator[tuple[EntryRow, Step]]:
        """Each entry with the step that it took, lazily."""
        setup = self.dealt.setup
        entries = (table.entry_from(setup, entry.seat, entry.body, entry.kind) for entry in self.row.entries)
        return zip(self.row.entries, table.fold(self.dealt, entries), strict=True)

    def position_at(self, ply: int) -> Position:
        """The position after `ply` entries, from 0 to all of them."""
        position = self.dealt
        for _, step in self.steps():
            if position.ply == ply:
                break
            position = step.after
        return position


def dealt(row: GameRow) -> Position:
    """The position after the deal of a game that was read from its start."""
    assert row.deck is not None, "a game that has started has a deck order"
    return table.lay_out(Setup(row.rules, read_options(row.rules, row.options), row.seat_count, row.deck))


def table_read(*, game_id: UUID) -> Table | None:
    """The game and what happened since the position that this process knows."""
    known = newest_positions.get(game_id)
    row = game_row(game_id=game_id, known=known.ply if known else 0)
    return Table(row, known) if row else None


def table_read_for_token(*, game_id: UUID, token_digest: bytes) -> tuple[Table, UUID] | tuple[None, None]:
    """The same, and who the token's player is; nothing where `game_row_for_token` finds nothing."""
    known = newest_positions.get(game_id)
    found = game_row_for_token(game_id=game_id, token_digest=token_digest, known=known.ply if known else 0)
    return (Table(found[0], known), found[1]) if found else (None, None)


def history_read(*, game_id: UUID) -> History | None:
    """The game and its whole log."""
    row = game_row(game_id=game_id, known=0)
    return History(row) if row else None


def disclosed(row: GameRow) -> bool:
    """Whether what was hidden in a game is open to all: the one guard for views, history, replay and export.
    That is so from its end on, and with the deal of the day when the day is over."""
    return row.has_ended if row.sealed_until is None else not row.sealed


def status_of(position: Position) -> str:
    """The status of a game that has come to a position."""
    ending = position.ending
    return "running" if ending is None else "abandoned" if ending == "abandoned" else "finished"
