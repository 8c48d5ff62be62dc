"""Results of a game that is over as soon as it is dealt; all others are written with the last move."""

from games.models import Game, Result
from games.rules.contract import Outcome


def results_record(*, game: Game, outcome: Outcome) -> None:
    """Write what each seat came to, in the caller's transaction."""
    Result.objects.bulk_create(
        Result(game=game, seat=seat, place=place, result=result, score=score)
        for seat, (place, result, score) in enumerate(
            zip(outcome.place, outcome.result, outcome.score, strict=True)
        )
    )
