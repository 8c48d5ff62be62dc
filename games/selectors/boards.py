"""Leaderboards as they stand: pages by key, and ranks from the buckets of scores. Nothing is counted or skipped
over in the table of standings."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from msgspec import Struct

from games.models import Board, Measure
from games.models.board import LEVELS, WIDTH


class Place(Struct, frozen=True):
    """Where a page starts: after this score and, among equals, this player."""

    score: int
    player: UUID


class StandingRow(Struct, frozen=True):
    """A player's standing, and the tally that it follows from."""

    player: UUID
    score: int
    username: str
    display_name: str
    bot_of: UUID | None
    games: int
    wins: int
    best_score: int | None
    fewest_moves: int | None
    best_time: int | None
    streak: int
    mean: float | None
    deviation: float | None


class Ranked(Struct, frozen=True):
    """A standing and its rank, which equals share."""

    rank: int
    row: StandingRow


class BoardPage(Struct, frozen=True):
    """Standings in order, whether others follow, and how many players the board has."""

    items: list[Ranked]
    following: Place | None
    players: int


EMPTY = BoardPage([], None, 0)


def period_of(kind: str, now: datetime) -> str:
    """The period that a moment lies in: of a `day`, a `week`, a `month`, or `all`."""
    match kind:
        case "day":
            return f"{now:%Y-%m-%d}"
        case "week":
            return f"{now:%G-W%V}"
        case "month":
            return f"{now:%Y-%m}"
    return kind


def daily_period(day: date) -> str:
    """The period of the table of a day's deal."""
    return f"daily {day:%Y-%m-%d}"


def board_id(*, ruleset: str, variant: str, period: str) -> int | None:
    """The board of a period, or None where nobody stands on it."""
    found = Board.objects.filter(ruleset=ruleset, variant=variant, period=period).values_list("id", flat=True)
    return found.first()


def variants_with_boards() -> dict[str, list[str]]:
    """By rule set the variants of which there are boards, in alphabetical order."""
    variants: dict[str, list[str]] = {}
    boards = Board.objects.filter(period="all").order_by("ruleset", "variant")
    for ruleset, variant in boards.values_list("ruleset", "variant"):
        variants.setdefault(ruleset, []).append(variant)
    return variants


_ROW = """
    s.player_id, s.score, p.username, p.display_name, p.bot_of_id, t.games, t.wins, t.best_score, t.fewest_moves,
    t.best_time, t.streak, t.mean, t.deviation
FROM games_standing s
JOIN games_tally t ON t.board_id = s.board_id AND t.player_id = s.player_id
JOIN accounts_player p ON p.id = s.player_id
WHERE s.board_id = %(board)s AND s.measure = %(measure)s
"""
_BELOW = f"""SELECT {_ROW} AND (s.score, s.player_id) < (%(score)s, %(player)s)
ORDER BY s.score DESC, s.player_id DESC LIMIT %(limit)s"""
_ABOVE = f"""SELECT {_ROW} AND (s.score, s.player_id) > (%(score)s, %(player)s)
ORDER BY s.score, s.player_id LIMIT %(limit)s"""
_OF_PLAYER = f"SELECT {_ROW} AND s.player_id = %(player)s"
_TOP = Place(2**62, UUID(int=0))

# Above a score are, of its narrowest range, the standings with a higher one; of each wider range around that,
# those in the higher ranges of the level below.
_RANK = f"""
SELECT 1 + (
    SELECT count(*) FROM games_standing
    WHERE board_id = %(board)s AND measure = %(measure)s AND score > %(score)s
      AND score < (((%(score)s >> %(grain)s) + 1) << %(grain)s)
) + (
    SELECT coalesce(sum(b.standings), 0) FROM generate_series(0, {LEVELS - 1}) AS n (level)
    CROSS JOIN LATERAL (SELECT %(score)s >> (%(grain)s + {WIDTH} * n.level) AS own) AS o
    JOIN games_scorebucket b ON b.board_id = %(board)s AND b.measure = %(measure)s AND b.level = n.level
     AND b.bucket > o.own
     AND b.bucket < CASE WHEN n.level = {LEVELS - 1} THEN 1::bigint << 62
                         ELSE ((o.own >> {WIDTH}) + 1) << {WIDTH} END
)
"""  # noqa: S608 - of constants
_PLAYERS = f"""
SELECT coalesce(sum(standings), 0) FROM games_scorebucket
WHERE board_id = %(board)s AND measure = %(measure)s AND level = {LEVELS - 1}
"""  # noqa: S608


def board_page(*, board: int, measure: Measure, after: Place | None, limit: int) -> BoardPage:
    """Standings from the best on, or from after a place."""
    rows = _rows(_BELOW, board, measure, after or _TOP, limit + 1)
    page = rows[:limit]
    following = Place(page[-1].score, page[-1].player) if len(rows) > limit else None
    return BoardPage(_ranked(board, measure, page), following, _players(board, measure))


def board_around(*, board: int, measure: Measure, player_id: UUID, limit: int) -> BoardPage:
    """A player's standing and those next to it, as many above as below; nothing where the player has none."""
    own = _one(_OF_PLAYER, board=board, measure=measure.value, player=player_id)
    if own is None:
        return BoardPage([], None, _players(board, measure))
    here, above = Place(own.score, own.player), (limit - 1) // 2
    higher = _rows(_ABOVE, board, measure, here, above)[::-1]
    lower = _rows(_BELOW, board, measure, here, limit - len(higher))
    page = [*higher, own, *lower][:limit]
    more = len(higher) + 1 + len(lower) > limit
    following = Place(page[-1].score, page[-1].player) if more else None
    return BoardPage(_ranked(board, measure, page), following, _players(board, measure))


def standing_of_player(*, board: int, measure: Measure, player_id: UUID) -> Ranked | None:
    """A player's standing with its rank, or None."""
    own = _one(_OF_PLAYER, board=board, measure=measure.value, player=player_id)
    return None if own is None else Ranked(rank_of(board=board, measure=measure, score=own.score), own)


def rank_of(*, board: int, measure: Measure, score: int) -> int:
    """One more than there are standings with a higher score."""
    return int(_value(_RANK, board=board, measure=measure.value, score=score, grain=measure.grain))


def _ranked(board: int, measure: Measure, rows: Sequence[StandingRow]) -> list[Ranked]:
    """The rows with their ranks: the first and the next score are looked up, since some with the first may be
    on the page before; from there on they are counted."""
    ranked = list[Ranked]()
    looked_up = base = 0
    for row in rows:
        last = ranked[-1] if ranked else None
        if last is not None and last.row.score == row.score:
            rank = last.rank
        elif looked_up < 2:
            rank = rank_of(board=board, measure=measure, score=row.score)
            looked_up, base = looked_up + 1, rank - len(ranked)
        else:
            rank = base + len(ranked)
        ranked.append(Ranked(rank, row))
    return ranked


def _players(board: int, measure: Measure) -> int:
    return int(_value(_PLAYERS, board=board, measure=measure.value))


def _rows(sql: str, board: int, measure: Measure, place: Place, limit: int) -> list[StandingRow]:
    given: dict[str, Any] = {
        "board": board,
        "measure": measure.value,
        "score": place.score,
        "player": place.player,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, {**given, "limit": limit})
        return [StandingRow(*row) for row in cursor.fetchall()]


def _one(sql: str, **given: Any) -> StandingRow | None:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        row = cursor.fetchone()
    return None if row is None else StandingRow(*row)


def _value(sql: str, **given: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return cursor.fetchone()[0]
