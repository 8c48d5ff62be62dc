"""Leaderboards as they stand: pages by key, and ranks from the buckets of scores. Nothing is counted or skipped
over in the table of standings."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from django.db import connection
from msgspec import Struct

from games.catalog import CURRENT
from games.models import Board, Measure
from games.models.board import LEVELS, WIDTH

PERIOD = (
    r"all|season|month|week|day|[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?"
    r"|[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])"
)
"""What may be asked for: the present period of a kind, or one by its name."""
CURSOR = r"([0-9]{1,13})\.([0-9a-f]{32})"
MeasureName: TypeAlias = Literal[
    "rating", "win_share", "wins", "best_score", "fewest_moves", "best_time", "streak"
]
_OF_SEVERAL: tuple[MeasureName, ...] = ("rating",)
_OF_PATIENCES: tuple[MeasureName, ...] = (
    "win_share",
    "wins",
    "best_score",
    "fewest_moves",
    "best_time",
    "streak",
)


def measures_of(slug: str) -> tuple[MeasureName, ...]:
    """By what the players of a rule set are compared."""
    return _OF_PATIENCES if CURRENT[slug].is_patience else _OF_SEVERAL


class Place(Struct, frozen=True):
    """Where a page starts: after this score and, among equals, this player."""

    score: int
    player: UUID

    @property
    def cursor(self) -> str:
        """The place as text."""
        return f"{self.score}.{self.player.hex}"


def place_of(cursor: str) -> Place | None:
    """The place that a cursor stands for, or None where it is none."""
    found = re.fullmatch(CURSOR, cursor)  # which, unlike `$`, lets no newline follow
    return None if found is None else Place(int(found[1]), UUID(hex=found[2]))


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
    """The period that a moment lies in: of a `day`, a `week`, a `month` or `season`, or `all`."""
    match kind:
        case "day":
            return f"{now:%Y-%m-%d}"
        case "week":
            return f"{now:%G-W%V}"
        case "month" | "season":
            return f"{now:%Y-%m}"
    return kind


def daily_period(day: date) -> str:
    """The period of the table of a day's deal."""
    return f"daily {day:%Y-%m-%d}"


def board_id(*, ruleset: str, variant: str, period: str) -> int | None:
    """The board of a period, or None where nobody stands on it."""
    found = Board.objects.filter(ruleset=ruleset, variant=variant, period=period).values_list("id", flat=True)
    return found.first()


_FIRST_MEASURE = """
SELECT asked.number FROM unnest(%s::smallint[]) WITH ORDINALITY AS asked (measure, number)
WHERE EXISTS (SELECT FROM games_standing s WHERE s.board_id = %s AND s.measure = asked.measure)
ORDER BY asked.number LIMIT 1
"""


def first_measure(*, board: int | None, ruleset: str) -> MeasureName:
    """The first of the measures of a rule set by which anybody stands on a board, else the first of them."""
    names = measures_of(ruleset)
    if board is None:
        return names[0]
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_MEASURE, ([Measure[name.upper()].value for name in names], board))
        found = cursor.fetchone()
    return names[found[0] - 1] if found else names[0]


# A board of each period is kept, and so it is asked for one variant after another.
_VARIANTS = """
WITH RECURSIVE variants AS (
    (SELECT ruleset, variant FROM games_board ORDER BY ruleset, variant LIMIT 1)
    UNION ALL
    SELECT following.ruleset, following.variant FROM variants, LATERAL (
        SELECT b.ruleset, b.variant FROM games_board b
        WHERE (b.ruleset, b.variant) > (variants.ruleset, variants.variant)
        ORDER BY b.ruleset, b.variant LIMIT 1) AS following
)
SELECT v.ruleset, v.variant FROM variants v WHERE EXISTS (
    SELECT FROM games_board b WHERE b.ruleset = v.ruleset AND b.variant = v.variant AND b.period = 'all')
ORDER BY v.ruleset, v.variant
"""


def variants_with_boards() -> dict[str, list[str]]:
    """By rule set the variants of which there are boards, in alphabetical order."""
    variants: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_VARIANTS)
        for ruleset, variant in cursor.fetchall():
            variants.setdefault(ruleset, []).append(variant)
    return variants


# As subqueries what is asked for is not known when a statement is planned: so all are planned alike, once for a
# connection, rather than each time anew, which takes longer than to run them.
_BOARD, _MEASURE = "(SELECT %(board)s::int)", "(SELECT %(measure)s::smallint)"
_PLAYER, _SCORE = "(SELECT %(player)s::uuid)", "(SELECT %(score)s::bigint)"
_OF_BOARD = f"games_standing WHERE board_id = {_BOARD} AND measure = {_MEASURE}"
_TOP = Place(2**62, UUID(int=0))


def _higher(level: int) -> str:
    """The standings in the ranges of a level above that of the score, as far as the next wider range goes."""
    shift = f"(%(grain)s::int + {WIDTH * level})"
    within = (
        f"AND bucket < ((asked.score >> ({shift} + {WIDTH})) + 1) << {WIDTH}" if level < LEVELS - 1 else ""
    )
    return f"""(SELECT coalesce(sum(standings), 0) FROM games_scorebucket
        WHERE board_id = {_BOARD} AND measure = {_MEASURE} AND level = {level}
          AND bucket > asked.score >> {shift} {within})"""  # noqa: S608 - of constants


# Above a score are, of its narrowest range, the standings with a higher one; of each wider range around that,
# those in the higher ranges of the level below.
_RANK = f"""1 + (
    SELECT count(*) FROM {_OF_BOARD}
      AND score > asked.score AND score < (((asked.score >> %(grain)s::int) + 1) << %(grain)s::int)
) + {" + ".join(map(_higher, range(LEVELS)))}"""  # noqa: S608
# The widest ranges together are all players.
_PLAYERS = f"""(SELECT coalesce(sum(standings), 0) FROM games_scorebucket
    WHERE board_id = {_BOARD} AND measure = {_MEASURE} AND level = {LEVELS - 1})"""  # noqa: S608


def _ranked_rows(standings: str) -> str:
    """The statement that finds standings with their tallies and players, the ranks of their first two scores, and
    how many players there are: at once, since boards change between two statements."""
    return f"""
WITH found AS MATERIALIZED ({standings}), ranks AS (
    SELECT asked.score, {_RANK} AS rank
    FROM (SELECT DISTINCT score FROM found ORDER BY score DESC LIMIT 2) AS asked
)
SELECT s.player_id, s.score, p.username, p.display_name, p.bot_of_id, t.games, t.wins, t.best_score,
       t.fewest_moves, t.best_time, t.streak, t.mean, t.deviation, ranks.rank, {_PLAYERS}
FROM found AS s
JOIN games_tally t ON t.board_id = {_BOARD} AND t.player_id = s.player_id
JOIN accounts_player p ON p.id = s.player_id
LEFT JOIN ranks ON ranks.score = s.score
ORDER BY s.score DESC, s.player_id DESC
"""  # noqa: S608


# Limits are written into the statements: where they are not known to it, the database plans each time anew.
_OF_PLAYER = _ranked_rows(f"SELECT * FROM {_OF_BOARD} AND player_id = {_PLAYER}")  # noqa: S608
_PAGE = _ranked_rows(f"""
    SELECT * FROM {_OF_BOARD} AND (score, player_id) < ({_SCORE}, {_PLAYER})
    ORDER BY score DESC, player_id DESC LIMIT {{limit}}""")  # noqa: S608
_AROUND = _ranked_rows(f"""
    WITH own AS (SELECT * FROM {_OF_BOARD} AND player_id = {_PLAYER})
    SELECT * FROM own
    UNION ALL SELECT * FROM (
        SELECT * FROM {_OF_BOARD} AND (score, player_id) > (SELECT score, player_id FROM own)
        ORDER BY score, player_id LIMIT {{above}}) AS higher
    UNION ALL SELECT * FROM (
        SELECT * FROM {_OF_BOARD} AND (score, player_id) < (SELECT score, player_id FROM own)
        ORDER BY score DESC, player_id DESC LIMIT {{below}}) AS lower""")  # noqa: S608


def board_page(*, board: int, measure: Measure, after: Place | None, limit: int) -> BoardPage:
    """Standings from the best on, or from after a place."""
    place = after or _TOP
    sql = _PAGE.format(limit=limit + 1)
    return _page(sql, board, measure, limit, score=place.score, player=place.player)


def board_around(*, board: int, measure: Measure, player_id: UUID, limit: int) -> BoardPage:
    """A player's standing and those next to it, as many above as below; nothing where the player has none."""
    above = (limit - 1) // 2
    page = _page(_AROUND.format(above=above, below=limit - above), board, measure, limit, player=player_id)
    higher = next((number for number, one in enumerate(page.items) if one.row.player == player_id), above)
    if higher < above:
        # Near the top there is room for more below.
        page = _page(_AROUND.format(above=above, below=limit), board, measure, limit, player=player_id)
    return page


def standing_of_player(*, board: int, measure: Measure, player_id: UUID) -> Ranked | None:
    """A player's standing with its rank, or None."""
    return next(iter(_page(_OF_PLAYER, board, measure, 1, player=player_id).items), None)


def rank_of(*, board: int, measure: Measure, score: int) -> int:
    """One more than there are standings with a higher score."""
    sql = f"SELECT {_RANK} FROM (SELECT %(score)s::bigint AS score) AS asked"  # noqa: S608 - of constants
    return int(_rows(sql, board, measure, score=score)[0][0])


def _page(sql: str, board: int, measure: Measure, limit: int, **given: Any) -> BoardPage:
    """The first standings that a statement finds, so many as fit on a page."""
    rows = _rows(sql, board, measure, **given)
    if not rows:
        return BoardPage([], None, int(_rows(f"SELECT {_PLAYERS}", board, measure)[0][0]))
    items = list(_ranked(rows[:limit]))
    last = items[-1].row
    following = Place(last.score, last.player) if len(rows) > limit else None
    return BoardPage(items, following, int(rows[0][-1]))


def _ranked(rows: Sequence[Sequence[Any]]) -> Iterator[Ranked]:
    """The rows with their ranks. Those of the first two scores are known, since some with the first may be on the
    page before; from there on they are counted."""
    rank = base = 0
    score = None
    for number, (*facts, known, _) in enumerate(rows):
        row = StandingRow(*facts)
        if row.score != score:
            rank = base + number if known is None else int(known)
            base, score = rank - number, row.score
        yield Ranked(rank, row)


def _rows(sql: str, board: int, measure: Measure, **given: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"board": board, "measure": measure.value, "grain": measure.grain, **given})
        return list(cursor.fetchall())
