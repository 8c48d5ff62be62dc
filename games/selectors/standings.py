"""Ratings and records of players, and whether they are what follows from the games."""

from collections.abc import Iterator
from itertools import groupby
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from msgspec import Struct

from games.models import Rating, RatingChange
from games.ratings import Strength, strengths_after

TOLERANCE = 1e-6  # points, of rounding where many changes are added up


class Record(Struct, frozen=True):
    """How a player has fared at a rule set, in public games that were not voided; a try at the deal of the day
    counts when its day is over."""

    ruleset: str
    games: int
    wins: int
    draws: int
    losses: int


class Disagreement(Struct, frozen=True):
    """A rating or a change of one that is not what follows from what came before it."""

    where: str
    expected: float
    got: float

    def __str__(self) -> str:
        return f"{self.where}: {self.got:.6f}, which should be {self.expected:.6f}"


def ratings_of_player(*, player_id: UUID) -> QuerySet[Rating]:
    """A player's ratings, by rule set and variant."""
    return Rating.objects.filter(player_id=player_id).order_by("ruleset", "variant")


def rating_changes(
    *, player_id: UUID, ruleset: str, variant: str, before: int | None, limit: int
) -> list[RatingChange]:
    """The changes of a player's rating, newest first, from below a number on."""
    found = RatingChange.objects.filter(player_id=player_id, ruleset=ruleset, variant=variant).order_by(
        "-number"
    )
    if before is not None:
        found = found.filter(number__lt=before)
    return list(found[:limit])


_RECORDS = """
SELECT mine.ruleset, count(*), count(*) FILTER (WHERE mine.result = 'win'),
       count(*) FILTER (WHERE mine.result = 'draw'), count(*) FILTER (WHERE mine.result = 'loss')
FROM games_result mine
WHERE mine.player_id = %(player_id)s AND mine.is_public
  AND NOT EXISTS (SELECT FROM games_voiding v WHERE v.game_id = mine.game_id)
  -- Until then nobody is told how others' tries went. Only what has just ended is looked up.
  AND (coalesce(mine.at, '-infinity') <= games_now() - interval '1 day'
       OR NOT EXISTS (SELECT FROM games_game g WHERE g.id = mine.game_id AND g.sealed_until > games_now()))
  AND (%(opponent_id)s::uuid IS NULL OR EXISTS (
      SELECT FROM games_result other
      WHERE other.game_id = mine.game_id AND other.player_id = %(opponent_id)s::uuid))
GROUP BY mine.ruleset ORDER BY mine.ruleset
"""


def records_of_player(*, player_id: UUID, opponent_id: UUID | None) -> list[Record]:
    """A player's records by rule set; with an opponent, in the games in which that one sat as well."""
    with connection.cursor() as cursor:
        cursor.execute(_RECORDS, {"player_id": player_id, "opponent_id": opponent_id})
        return [Record(*row) for row in cursor.fetchall()]


def rating_disagreements() -> Iterator[Disagreement]:
    """Where a rating is not the sum of its changes, a change does not begin where the one before ended, or is
    not what the places of its game make of the ratings before it."""
    yield from _broken_chains()
    yield from _wrong_changes()
    yield from _missing_changes()


def _broken_chains() -> Iterator[Disagreement]:
    ratings = {
        (rating.player_id, rating.ruleset, rating.variant): rating for rating in Rating.objects.iterator()
    }
    changes = RatingChange.objects.order_by("player_id", "ruleset", "variant", "number").iterator()
    for key, of_rating in groupby(
        changes, key=lambda change: (change.player_id, change.ruleset, change.variant)
    ):
        now = Strength()
        games = number = 0
        for number, change in enumerate(of_rating, 1):
            where = f"change {change.number} of {key[0]} at {key[1]}, {key[2]}"
            yield from _compared(f"{where}, number", number, change.number)
            yield from _compared(f"{where}, mean before", now.mean, change.mean_before)
            yield from _compared(f"{where}, deviation before", now.deviation, change.deviation_before)
            now = Strength(now.mean + change.mean_change, now.deviation + change.deviation_change)
            games += 1 if change.kind == RatingChange.Kind.GAME else -1
        rating = ratings.pop(key, None)
        where = f"rating of {key[0]} at {key[1]}, {key[2]}"
        yield from _compared(f"{where}, mean", now.mean, rating.mean if rating else 0)
        yield from _compared(f"{where}, deviation", now.deviation, rating.deviation if rating else 0)
        yield from _compared(f"{where}, games", games, rating.games if rating else 0)
        yield from _compared(f"{where}, changes", number, rating.changes if rating else 0)
    for (player, ruleset, variant), rating in ratings.items():
        where = f"rating of {player} at {ruleset}, {variant}"
        yield from _compared(f"{where}, changes", 0, rating.changes)
        yield from _compared(f"{where}, mean", Strength().mean, rating.mean)


_OF_GAMES = """
SELECT c.game_id, c.player_id, c.kind, c.mean_before, c.deviation_before, c.mean_change, c.deviation_change,
       r.place
FROM games_ratingchange c JOIN games_result r ON r.game_id = c.game_id AND r.player_id = c.player_id
WHERE c.game_id > %s ORDER BY c.game_id, r.seat LIMIT %s
"""


class _OfGame(Struct, frozen=True):
    game: UUID
    player: UUID
    kind: str
    mean_before: float
    deviation_before: float
    mean_change: float
    deviation_change: float
    place: int


def _wrong_changes() -> Iterator[Disagreement]:
    for game, of_game in groupby(_changes_by_game(), key=lambda change: change.game):
        changes = list(of_game)
        made = [change for change in changes if change.kind == "game"]
        before = [Strength(change.mean_before, change.deviation_before) for change in made]
        # Where changes are missing, which is told elsewhere, there may be nobody to compare with.
        after = strengths_after(before, [change.place for change in made]) if len(made) > 1 else before
        for change, old, new in zip(made, before, after, strict=True):
            where = f"game {game}, change of {change.player}"
            yield from _compared(f"{where}, mean", new.mean - old.mean, change.mean_change)
            yield from _compared(
                f"{where}, deviation", new.deviation - old.deviation, change.deviation_change
            )
        given = {change.player: change for change in made}
        for change in changes:
            if change.kind == "reversal" and change.player in given:
                where = f"game {game}, reversal of {change.player}"
                of = given[change.player]
                yield from _compared(f"{where}, mean", -of.mean_change, change.mean_change)
                yield from _compared(f"{where}, deviation", -of.deviation_change, change.deviation_change)


_MISSING = """
SELECT 'game', r.game_id, r.player_id FROM games_game g JOIN games_result r ON r.game_id = g.id
WHERE g.rated AND g.status = 'finished' AND NOT EXISTS (
    SELECT FROM games_ratingchange c
    WHERE c.game_id = r.game_id AND c.player_id = r.player_id AND c.kind = 'game')
UNION ALL
SELECT 'reversal', c.game_id, c.player_id FROM games_voiding v JOIN games_ratingchange c ON c.game_id = v.game_id
WHERE c.kind = 'game' AND NOT EXISTS (
    SELECT FROM games_ratingchange back
    WHERE back.game_id = c.game_id AND back.player_id = c.player_id AND back.kind = 'reversal')
"""


def _missing_changes() -> Iterator[Disagreement]:
    with connection.cursor() as cursor:
        cursor.execute(_MISSING)
        for kind, game, player in cursor.fetchall():
            yield Disagreement(f"game {game}, changes of {player} of the kind {kind}", expected=1, got=0)


def _changes_by_game() -> Iterator[_OfGame]:
    """All changes with the places that they follow from, game by game; so many at a time as are of whole games."""
    after, most = UUID(int=0), 10_000
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_OF_GAMES, (after, most))
            page = [_OfGame(*row) for row in cursor.fetchall()]
        if len(page) == most:
            # The last game of a full page may be cut off.
            page = [change for change in page if change.game != page[-1].game]
        if not page:
            return
        yield from page
        after = page[-1].game


def _compared(where: str, expected: float, got: float) -> Iterator[Disagreement]:
    if abs(expected - got) > TOLERANCE:
        yield Disagreement(where, expected, got)
