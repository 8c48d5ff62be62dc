"""The newest positions of the games that this process meets, so that a log is folded from there on."""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from games.table import Position

CAPACITY = 2000


class NewestPositions:
    """A bounded cache, least recently used first out; safe between threads.

    What is put in must have been read from committed rows: a game's log only grows, so what was once its
    position stays a position of it.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._positions: OrderedDict[UUID, Position] = OrderedDict()
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
                self._positions[game_id] = position
            self._positions.move_to_end(game_id)
            while len(self._positions) > self._capacity:
                self._positions.popitem(last=False)


newest_positions = NewestPositions(CAPACITY)
