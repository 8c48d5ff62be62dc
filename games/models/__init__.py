"""Games, their seats, deals, logs, events, results, ratings and boards."""

from games.models.board import Board, Frequency, Measure, ScoreBucket, Standing, Tally, Uncounted
from games.models.daily import DailyDeal
from games.models.deal import Deal
from games.models.event import Event
from games.models.game import Game, Seat
from games.models.move import Move
from games.models.rating import Rating, RatingChange, Voiding
from games.models.result import Result
from games.models.reveal import Reveal

__all__ = [
    "Board",
    "DailyDeal",
    "Deal",
    "Event",
    "Frequency",
    "Game",
    "Measure",
    "Move",
    "Rating",
    "RatingChange",
    "Result",
    "Reveal",
    "ScoreBucket",
    "Seat",
    "Standing",
    "Tally",
    "Uncounted",
    "Voiding",
]
