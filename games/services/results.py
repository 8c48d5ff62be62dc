"""Results of a game that is over as soon as it is dealt; all others are written with the last move."""

from collections.abc import Sequence
from uuid import UUID

from games.models import Game, Result
from games.rules.contract import Outcome
from games.services.rating import game_rate


def results_record(*, game: Game, players: Sequence[UUID], outcome: Outcome) -> None:
    """Write what each seat came to, in the caller's transaction, and rate the game if it is; `players` are by
    seat."""
    Result.objects.bulk_create(
        Result(
            game=game,
            seat=seat,
            player_id=player,
            place=place,
            result=result,
            score=score,
            length=0,
            duration=0,
            ending=Game.Ending.PLAYED_OUT,
        )
        for seat, (player, place, result, score) in enumerate(
            zip(players, outcome.place, outcome.result, outcome.score, strict=True)
        )
    )
    if game.rated:
        game_rate(game_id=game.id, ruleset=game.ruleset, players=players, places=outcome.place)
