"""The newest positions of the games that this process meets, so that a log is folded from there on."""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from msgspec.structs import replace

from games.table import Position

CAPACITY = 2000
MADE_PER_GAME = 50
"""So many moves that can be taken back, each with the state before it, take as much room as a game."""


class NewestPositions:
    """A bounded cache, least recently used first out; safe between threads. `capacity` is in games, and the
    moves that can be taken back count as well.

    What is put in must have been read from committed rows: a game's log only grows, so what was once its
    position stays a position of it.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._positions: OrderedDict[UUID, Position] = OrderedDict()
        self._filled = 0
        self._lock = Lock()

    def get(self, game_id: UUID) -> Position | None:
        """The newest position known here of a game."""
        with self._lock:
            position = self._positions.get(game_id)
            if position is not None:
                self._positions.move_to_end(game_id)
            return position

    def put(self, game_id: UUID, position: Position) -> None:
        """Keep a position, unless a newer one is known."""
        with self._lock:
            known = self._positions.get(game_id)
            if known is None or known.ply < position.ply:
                # Nothing is taken back after the end.
                kept = position if position.ending is None else replace(position, made=())
                self._filled += _size(kept) - (_size(known) if known else 0)
                self._positions[game_id] = kept
            self._positions.move_to_end(game_id)
            while self._filled > self._capacity and len(self._positions) > 1:
                self._filled -= _size(self._positions.popitem(last=False)[1])

    def clear(self) -> None:
        """Forget every position."""
        with self._lock:
            self._positions.clear()
            self._filled = 0


def _size(position: Position) -> int:
    return 1 + len(position.made) // MADE_PER_GAME


newest_positions = NewestPositions(CAPACITY)
