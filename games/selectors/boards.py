"""Leaderboards as they stand: pages by key, and ranks from the buckets of scores. Nothing is counted or skipped
over in the table of standings."""

from collections.abc import Iterator, Mapping, Sequence
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


# Limits are written into the statements: where they are not known to it, the database plans each time anew.
_ROW = """
    s.player_id, s.score, p.username, p.display_name, p.bot_of_id, t.games, t.wins, t.best_score, t.fewest_moves,
    t.best_time, t.streak, t.mean, t.deviation
"""
_OF_BOARD = "games_standing WHERE board_id = %(board)s AND measure = %(measure)s"
_BELOW = f"""SELECT * FROM {_OF_BOARD} AND (score, player_id) < (%(score)s, %(player)s)
    ORDER BY score DESC, player_id DESC LIMIT {{limit}}"""  # noqa: S608 - of constants
_OF_PLAYER = f"""
SELECT {_ROW} FROM (SELECT * FROM {_OF_BOARD} AND player_id = %(player)s) AS s
JOIN games_tally t ON t.board_id = %(board)s AND t.player_id = s.player_id
JOIN accounts_player p ON p.id = s.player_id
"""  # noqa: S608
_PAGE = f"""
SELECT {_ROW} FROM ({_BELOW}) AS s
JOIN games_tally t ON t.board_id = %(board)s AND t.player_id = s.player_id
JOIN accounts_player p ON p.id = s.player_id
ORDER BY s.score DESC, s.player_id DESC
"""  # noqa: S608
_AROUND = f"""
WITH own AS (SELECT * FROM {_OF_BOARD} AND player_id = %(player)s)
SELECT {_ROW} FROM (
    SELECT * FROM own
    UNION ALL SELECT * FROM (
        SELECT * FROM {_OF_BOARD} AND (score, player_id) > (SELECT score, player_id FROM own)
        ORDER BY score, player_id LIMIT {{above}}) AS higher
    UNION ALL SELECT * FROM (
        SELECT * FROM {_OF_BOARD} AND (score, player_id) < (SELECT score, player_id FROM own)
        ORDER BY score DESC, player_id DESC LIMIT {{limit}}) AS lower
) AS s
JOIN games_tally t ON t.board_id = %(board)s AND t.player_id = s.player_id
JOIN accounts_player p ON p.id = s.player_id
ORDER BY s.score DESC, s.player_id DESC
"""  # noqa: S608
_TOP = Place(2**62, UUID(int=0))


def _higher(level: int) -> str:
    """The standings in the ranges of a level above that of the score, as far as the next wider range goes."""
    shift = f"(%(grain)s::int + {WIDTH * level})"
    within = (
        f"AND bucket < ((asked.score >> ({shift} + {WIDTH})) + 1) << {WIDTH}" if level < LEVELS - 1 else ""
    )
    return f"""(SELECT coalesce(sum(standings), 0) FROM games_scorebucket
        WHERE board_id = %(board)s AND measure = %(measure)s AND level = {level}
          AND bucket > asked.score >> {shift} {within})"""  # noqa: S608 - of constants


# Above a score are, of its narrowest range, the standings with a higher one; of each wider range around that,
# those in the higher ranges of the level below. The widest ranges together are all players.
_RANKS = f"""
SELECT (
    SELECT coalesce(sum(standings), 0) FROM games_scorebucket
    WHERE board_id = %(board)s AND measure = %(measure)s AND level = {LEVELS - 1}
), ARRAY(
    SELECT 1 + (
        SELECT count(*) FROM {_OF_BOARD}
          AND score > asked.score AND score < (((asked.score >> %(grain)s::int) + 1) << %(grain)s::int)
    ) + {" + ".join(map(_higher, range(LEVELS)))}
    FROM unnest(%(scores)s::bigint[]) WITH ORDINALITY AS asked (score, number) ORDER BY asked.number
)
"""  # noqa: S608


def board_page(*, board: int, measure: Measure, after: Place | None, limit: int) -> BoardPage:
    """Standings from the best on, or from after a place."""
    place = after or _TOP
    sql = _PAGE.format(limit=limit + 1)
    rows = _rows(sql, board, measure, score=place.score, player=place.player)
    return _page(board, measure, rows, limit)


def board_around(*, board: int, measure: Measure, player_id: UUID, limit: int) -> BoardPage:
    """A player's standing and those next to it, as many above as below; nothing where the player has none."""
    above = (limit - 1) // 2
    rows = _rows(_AROUND.format(above=above, limit=limit), board, measure, player=player_id)
    return _page(board, measure, rows, limit)


def standing_of_player(*, board: int, measure: Measure, player_id: UUID) -> Ranked | None:
    """A player's standing with its rank, or None."""
    rows = _rows(_OF_PLAYER, board, measure, player=player_id)
    return None if not rows else Ranked(rank_of(board=board, measure=measure, score=rows[0].score), rows[0])


def rank_of(*, board: int, measure: Measure, score: int) -> int:
    """One more than there are standings with a higher score."""
    return _ranks(board, measure, [score])[1][0]


def _page(board: int, measure: Measure, rows: Sequence[StandingRow], limit: int) -> BoardPage:
    """The first rows, so many as fit on a page."""
    page = rows[:limit]
    scores = list(dict.fromkeys(row.score for row in page))[:2]
    players, ranks = _ranks(board, measure, scores)
    following = Place(page[-1].score, page[-1].player) if len(rows) > limit else None
    return BoardPage(list(_ranked(page, dict(zip(scores, ranks, strict=True)))), following, players)


def _ranked(rows: Sequence[StandingRow], known: Mapping[int, int]) -> Iterator[Ranked]:
    """The rows with their ranks. Those of the first two scores are known, since some with the first may be on the
    page before; from there on they are counted."""
    rank = base = 0
    score = None
    for number, row in enumerate(rows):
        if row.score != score:
            rank = known.get(row.score, base + number)
            base, score = rank - number, row.score
        yield Ranked(rank, row)


def _ranks(board: int, measure: Measure, scores: Sequence[int]) -> tuple[int, list[int]]:
    """How many players the board has, and the ranks of scores."""
    given: dict[str, Any] = {"board": board, "measure": measure.value, "grain": measure.grain}
    with connection.cursor() as cursor:
        cursor.execute(_RANKS, {**given, "scores": list(scores)})
        players, ranks = cursor.fetchone()
    return int(players), list(map(int, ranks))


def _rows(sql: str, board: int, measure: Measure, **given: Any) -> list[StandingRow]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"board": board, "measure": measure.value, **given})
        return [StandingRow(*row) for row in cursor.fetchall()]
