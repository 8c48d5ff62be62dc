"""Games, their seats, deals, logs, events, results and ratings."""

from games.models.deal import Deal
from games.models.event import Event
from games.models.game import Game, Seat
from games.models.move import Move
from games.models.rating import Rating, RatingChange, Voiding
from games.models.result import Result

__all__ = ["Deal", "Event", "Game", "Move", "Rating", "RatingChange", "Result", "Seat", "Voiding"]
