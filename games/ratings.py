"""Ratings: how strong a player is thought to be at a rule set, and how sure that is.

Pure. The model is openskill's Plackett-Luce, which takes the places of any number of seats, ties among them. The
scale is that of chess: it begins at 1500, and a player 200 points stronger is expected to win three games of four.
"""

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

MEAN = 1500.0
DEVIATION = 350.0
SURE_BELOW = 110
"""A rating whose deviation is not below this is said to be provisional."""
_SPREAD = 175.0  # of how well one plays from game to game
_DRIFT = 3.5  # by which a rating becomes less sure with each game, so that it never freezes

_model = PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=_SPREAD, tau=_DRIFT)


class Strength(Struct, frozen=True):
    """A rating: the mean, and the standard deviation of what it may be in truth."""

    mean: float = MEAN
    deviation: float = DEVIATION


def strengths_after(before: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """The ratings after a game of players with these, who came in at these places."""
    teams = [[_model.create_rating([one.mean, one.deviation])] for one in before]
    rated = _model.rate(teams, ranks=list(map(float, places)))
    return [Strength(team[0].mu, team[0].sigma) for team in rated]
