"""Games, their seats, deals, logs, events and results."""

from games.models.deal import Deal
from games.models.event import Event
from games.models.game import Game, Seat
from games.models.move import Move
from games.models.result import Result

__all__ = ["Deal", "Event", "Game", "Move", "Result", "Seat"]
