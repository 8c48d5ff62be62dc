"""Ratings are changed with the results that they follow from, and taken back when a game is voided."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from accounts.models import Player
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem
from games.clock import whole_milliseconds
from games.events import EventBody, event_record
from games.hints import tell_of_game
from games.locks import database_time, lock_all_ratings, lock_game, lock_ratings
from games.models import Game, Rating, RatingChange, Uncounted, Voiding
from games.ratings import Strength, strengths_after
from games.selectors.revealing import require_voidable


def game_rate(  # noqa: PLR0913 - what a rating follows from
    *,
    game_id: UUID,
    ruleset: str,
    variant: str,
    players: Sequence[UUID],
    places: Sequence[int],
    at: datetime,
) -> None:
    """Rate a game that ends in the caller's transaction: `players` by seat, and the places they came in at."""
    ratings = lock_ratings(players=players, ruleset=ruleset, variant=variant)
    before = [Strength(ratings[player].mean, ratings[player].deviation) for player in players]
    for player, old, new in zip(players, before, strengths_after(before, places), strict=True):
        change = Strength(new.mean - old.mean, new.deviation - old.deviation)
        _change(ratings[player], game_id, RatingChange.Kind.GAME, change, at)


@transaction.atomic
def game_void(*, game_id: UUID, by: Player, reason: str) -> None:
    """Have a finished game count for nothing: the changes of ratings that it led to are taken back, those of later
    games stay as they are. A game that was voided stays so.

    Raises `Problem` not_found, not_disclosed (a try at the deal of the day, before the day is over), not_over,
    forbidden (who sat there, or whose bot did) or invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    game = lock_game(game_id=game_id)
    if game is None:
        raise Problem("not_found", "There is no such game.")
    at = whole_milliseconds(database_time())
    require_voidable(game=game, by=by, at=at)
    if Voiding.objects.filter(game=game).exists():
        return
    Voiding.objects.create(game=game, by=by, reason=reason, at=at)
    changes = {change.player_id: change for change in RatingChange.objects.filter(game=game)}
    if changes:
        ratings = lock_ratings(players=list(changes), ruleset=game.ruleset, variant=game.variant or "")
        for player, change in sorted(changes.items()):
            back = Strength(-change.mean_change, -change.deviation_change)
            _change(ratings[player], game.id, RatingChange.Kind.REVERSAL, back, at)
    if game.visibility == Game.Visibility.PUBLIC:
        Uncounted.objects.create(game=game, change=-1)
    event_record(game, EventBody("voided", {}))
    audit_write(by=by, act="void", reason=reason, game=game_id)
    tell_of_game(game_id)


_REBUILD = """
WITH sums AS (
    SELECT c.player_id, c.ruleset, c.variant, %(mean)s + sum(c.mean_change) AS mean,
           %(deviation)s + sum(c.deviation_change) AS deviation, count(*) AS changes,
           sum(CASE c.kind WHEN 'game' THEN 1 ELSE -1 END) AS games
    FROM games_ratingchange c GROUP BY c.player_id, c.ruleset, c.variant
)
INSERT INTO games_rating AS r (player_id, ruleset, variant, mean, deviation, changes, games)
SELECT player_id, ruleset, variant, mean, deviation, changes, games FROM sums
ON CONFLICT (player_id, ruleset, variant) DO UPDATE
SET mean = excluded.mean, deviation = excluded.deviation, changes = excluded.changes, games = excluded.games
WHERE abs(r.mean - excluded.mean) > 1e-6 OR abs(r.deviation - excluded.deviation) > 1e-6
   OR (r.changes, r.games) IS DISTINCT FROM (excluded.changes, excluded.games)
"""


@transaction.atomic
def ratings_rebuild() -> int:
    """Set every rating to the sum of its changes: how many were not."""
    first = Strength()
    # Also of those that are yet to be made: the changes are read after this.
    lock_all_ratings()
    with connection.cursor() as cursor:
        cursor.execute(_REBUILD, {"mean": first.mean, "deviation": first.deviation})
        return int(cursor.rowcount)


def _change(rating: Rating, game_id: UUID, kind: RatingChange.Kind, change: Strength, at: datetime) -> None:
    """Append a change of a rating that is locked, and make it."""
    RatingChange.objects.create(
        player_id=rating.player_id,
        ruleset=rating.ruleset,
        variant=rating.variant,
        number=rating.changes + 1,
        game_id=game_id,
        kind=kind,
        mean_before=rating.mean,
        deviation_before=rating.deviation,
        mean_change=change.mean,
        deviation_change=change.deviation,
        at=at,
    )
    Rating.objects.filter(pk=rating.pk).update(
        mean=rating.mean + change.mean,
        deviation=rating.deviation + change.deviation,
        games=rating.games + (1 if kind == RatingChange.Kind.GAME else -1),
        changes=rating.changes + 1,
    )
