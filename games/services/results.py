"""Results: how they are written with the end of a game, and that the boards have yet to count them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from django.db import connection

from games.models import Game
from games.rules.contract import Outcome
from games.services.rating import game_rate

# Of the game `g` and its results `r` (seat, player, place, result, score), at `at`, with `length` and `duration`.
# On boards stand public games whose deck the server has shuffled: patiences, of the deal of the day the first try
# that ends in time, and of the games for several those that are rated.
COLUMNS = """
    (game_id, seat, player_id, place, result, score, undos, length, duration, ending, ruleset, variant, seats,
     is_public, is_shuffled, at, scope)
"""
VALUES = """
    g.id, r.seat, r.player, r.place, r.result, r.score, g.undos, g.length, g.duration, g.ending, g.ruleset,
    g.variant, g.seat_count, g.visibility = 'public', g.commitment IS NOT NULL, g.at,
    CASE WHEN g.visibility <> 'public' OR g.commitment IS NULL OR g.variant IS NULL THEN NULL
         WHEN g.daily_id IS NOT NULL
         THEN CASE WHEN g.is_first_try AND g.at < g.sealed_until THEN 'daily' END
         WHEN g.seat_count = 1 OR g.rated THEN 'open' END
"""

_RECORD = f"""
WITH g AS (
    SELECT games_game.*, 0 AS length, 0 AS duration, %(at)s::timestamptz AS at
    FROM games_game WHERE id = %(game_id)s
), results AS (
    INSERT INTO games_result {COLUMNS}
    SELECT {VALUES}
    FROM g, jsonb_to_recordset(%(results)s::jsonb) AS r (
        seat int, player uuid, place int, result text, score int)
)
INSERT INTO games_uncounted (game_id, change) SELECT id, 1 FROM g WHERE visibility = 'public'
"""  # noqa: S608 - of constants


def results_record(*, game: Game, players: Sequence[UUID], outcome: Outcome, at: datetime) -> None:
    """Write what each seat came to in a game that is over as it is dealt, in the caller's transaction, and rate
    the game if it is rated; `players` are by seat. All other results are written with the last entry of the
    log."""
    results = msgspec.json.encode(result_rows(players, outcome)).decode()
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, {"game_id": game.id, "at": at, "results": results})
    if game.rated:
        game_rate(
            game_id=game.id,
            ruleset=game.ruleset,
            variant=game.variant or "",
            players=players,
            places=outcome.place,
            at=at,
        )


def result_rows(players: Sequence[UUID], outcome: Outcome) -> list[dict[str, object]]:
    """What is written of each seat."""
    return [
        {"seat": seat, "player": player, "place": place, "result": result, "score": score}
        for seat, (player, place, result, score) in enumerate(
            zip(players, outcome.place, outcome.result, outcome.score, strict=True)
        )
    ]
