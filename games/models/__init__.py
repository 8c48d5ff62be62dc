"""Games, their seats, deals, logs and results."""

from games.models.deal import Deal
from games.models.game import Game, Seat
from games.models.move import Move
from games.models.result import Result

__all__ = ["Deal", "Game", "Move", "Result", "Seat"]
