"""The SQL by which results become boards.

A game is counted once its row of `games_uncounted` is gone; until then it is as if it had not ended, or not
been voided. So the statements of a transaction agree on what is counted, although each sees what was committed
before it began.

`{results}` and `{changes}` are which results `r` and changes of ratings `c` a statement is about: `OF_GAMES`,
`OF_PLAYERS` or `OF_ALL`, as `results_of` and `changes_of` make conditions of them.
"""

from games.models.board import LEVELS, WIDTH, Measure

OF_GAMES = """{row}.game_id = ANY(%(games)s) AND NOT EXISTS (
    SELECT FROM unnest(%(players)s::uuid[], %(rulesets)s::text[], %(variants)s::text[])
        AS k (player, rules, variant)
    WHERE (k.player, k.rules, k.variant) = ({row}.player_id, {row}.ruleset, {row}.variant))"""
OF_PLAYERS = """({row}.player_id, {row}.ruleset, {row}.variant) IN (
    SELECT * FROM unnest(%(players)s::uuid[], %(rulesets)s::text[], %(variants)s::text[]))"""
OF_KEYS = (
    "({row}.board_id, {row}.player_id) IN (SELECT * FROM unnest(%(boards)s::int[], %(tallied)s::uuid[]))"
)
OF_ALL = "true"

_PENDING = "EXISTS (SELECT FROM games_uncounted u WHERE u.game_id = {row}.game_id AND u.change = {change})"


def results_of(which: str) -> str:
    """The condition of results that count: of games that have been counted, and not been voided."""
    ended, voided = _PENDING.format(row="r", change=1), _PENDING.format(row="r", change=-1)
    return f"""{which.format(row="r")} AND NOT {ended} AND (
        NOT EXISTS (SELECT FROM games_voiding v WHERE v.game_id = r.game_id) OR {voided})"""


def changes_of(which: str) -> str:
    """The condition of changes of ratings by games, and by voidings, that have been counted."""
    pending = _PENDING.format(row="c", change="CASE c.kind WHEN 'game' THEN 1 ELSE -1 END")
    return f"{which.format(row='c')} AND NOT {pending}"


TAKEN = """
DELETE FROM games_uncounted WHERE id IN (SELECT id FROM games_uncounted ORDER BY id LIMIT %(limit)s)
RETURNING game_id, change
"""

# The players of voided games, and those of whom a later game was counted before.
ANEW = """
SELECT DISTINCT r.player_id, r.ruleset, r.variant FROM games_result r
WHERE r.game_id = ANY(%(voided)s) AND r.scope IS NOT NULL
UNION
SELECT r.player_id, r.ruleset, r.variant
FROM games_result r
JOIN games_board b ON b.ruleset = r.ruleset AND b.variant = r.variant AND b.period = 'all'
JOIN games_tally t ON t.board_id = b.id AND t.player_id = r.player_id
WHERE r.game_id = ANY(%(games)s) AND r.scope = 'open' AND (t.last_at, t.last_game) > (r.at, r.game_id)
"""

FORGET = """
DELETE FROM games_tally t USING games_board b
WHERE b.id = t.board_id AND (t.player_id, b.ruleset, b.variant) IN (
    SELECT * FROM unnest(%(players)s::uuid[], %(rulesets)s::text[], %(variants)s::text[]))
RETURNING t.board_id, t.player_id
"""

# Not left to the conflict, which would use up a number each time.
BOARDS = """
INSERT INTO games_board (ruleset, variant, period)
SELECT * FROM (
    SELECT r.ruleset, r.variant, p.period
    FROM games_result r CROSS JOIN LATERAL games_periods(r.scope, r.at) AS p (period)
    WHERE r.scope IS NOT NULL AND {results}
    UNION
    SELECT c.ruleset, c.variant, p.period
    FROM games_ratingchange c CROSS JOIN LATERAL games_periods('open', c.at) AS p (period)
    WHERE {changes}
) AS n
WHERE NOT EXISTS (
    SELECT FROM games_board b WHERE (b.ruleset, b.variant, b.period) = (n.ruleset, n.variant, n.period))
"""

# The results of a player in order are a word of `w` and `-`, which is parted at the latter into runs of wins.
TALLIES = """
WITH counted AS (
    SELECT b.id AS board_id, r.player_id, count(*) AS games, count(*) FILTER (WHERE r.result = 'win') AS wins,
           max(r.score) AS best_score, min(r.length) FILTER (WHERE r.result = 'win') AS fewest_moves,
           min(r.duration) FILTER (WHERE r.result = 'win') AS best_time, max(r.at) AS last_at,
           string_agg(CASE r.result WHEN 'win' THEN 'w' ELSE '-' END, '' ORDER BY r.at, r.game_id) AS word,
           (array_agg(r.game_id ORDER BY r.at, r.game_id))[count(*)] AS last_game
    FROM games_result r CROSS JOIN LATERAL games_periods(r.scope, r.at) AS p (period)
    JOIN games_board b ON b.ruleset = r.ruleset AND b.variant = r.variant AND b.period = p.period
    WHERE r.scope IS NOT NULL AND {results}
    GROUP BY b.id, r.player_id
)
INSERT INTO games_tally AS t (
    board_id, player_id, games, wins, best_score, fewest_moves, best_time, lead, run, streak, last_at, last_game)
SELECT board_id, player_id, games, wins, best_score, fewest_moves, best_time,
       length(split_part(word, '-', 1)), length(split_part(word, '-', -1)),
       (SELECT max(length(run)) FROM string_to_table(word, '-') AS run), last_at, last_game
FROM counted
ON CONFLICT (board_id, player_id) DO UPDATE SET
    games = t.games + excluded.games,
    wins = t.wins + excluded.wins,
    best_score = greatest(t.best_score, excluded.best_score),
    fewest_moves = least(t.fewest_moves, excluded.fewest_moves),
    best_time = least(t.best_time, excluded.best_time),
    lead = CASE WHEN t.wins = t.games THEN t.games + excluded.lead ELSE t.lead END,
    run = CASE WHEN excluded.wins = excluded.games THEN t.run + excluded.games ELSE excluded.run END,
    streak = greatest(t.streak, t.run + excluded.lead, excluded.streak),
    last_at = excluded.last_at,
    last_game = excluded.last_game
"""

# The last change of the period says the rating, whatever else was counted.
RATINGS = """
INSERT INTO games_tally AS t (board_id, player_id, rating_number, mean, deviation)
SELECT DISTINCT ON (b.id, c.player_id) b.id, c.player_id, c.number, c.mean_before + c.mean_change,
       c.deviation_before + c.deviation_change
FROM games_ratingchange c CROSS JOIN LATERAL games_periods('open', c.at) AS p (period)
JOIN games_board b ON b.ruleset = c.ruleset AND b.variant = c.variant AND b.period = p.period
WHERE {changes}
ORDER BY b.id, c.player_id, c.number DESC
ON CONFLICT (board_id, player_id) DO UPDATE
SET rating_number = excluded.rating_number, mean = excluded.mean, deviation = excluded.deviation
WHERE t.rating_number IS NULL OR t.rating_number < excluded.rating_number
"""

CHANGED = "RETURNING board_id, player_id"

# What a tally is worth: from 0 to less than 2^42, and more where it is better. Of the deal of the day a win comes
# first, then the score, and among wins fewer moves and less time.
_WORTH = {
    Measure.RATING: "CASE WHEN t.games > 0 THEN 32768 + round(t.mean - 3 * t.deviation)::bigint END",
    Measure.DAILY: """CASE WHEN b.period LIKE 'daily%%' THEN
        (t.wins::bigint << 41) + (least(greatest(t.best_score, 0), 1023)::bigint << 31)
        + ((16383 - least(coalesce(t.fewest_moves, 16383), 16383))::bigint << 17)
        + 131071 - least(coalesce(t.best_time / 1000, 131071), 131071) END""",
    Measure.WIN_SHARE: "CASE WHEN k.open AND t.games >= 20 THEN (t.wins::bigint << 30) / t.games END",
    Measure.WINS: "CASE WHEN k.open AND t.wins > 0 THEN t.wins END",
    Measure.BEST_SCORE: "CASE WHEN k.open AND t.games > 0 THEN 32768 + t.best_score END",
    # Whoever has won nothing has neither; `least` would pass over what is null.
    Measure.FEWEST_MOVES: "CASE WHEN k.open AND t.wins > 0 THEN 65536 - least(t.fewest_moves, 65535) END",
    Measure.BEST_TIME: """CASE WHEN k.open AND t.wins > 0
        THEN (1::bigint << 32) - least(t.best_time, 4294967295) END""",
    Measure.STREAK: "CASE WHEN k.open AND t.streak > 0 THEN t.streak END",
}
_MEASURES = ", ".join(f"({one.value}, {worth})" for one, worth in _WORTH.items())
_GRAINS = ", ".join(f"({one.value}, {one.grain})" for one in Measure)

_STANDINGS = """
WITH wanted AS (
    SELECT t.board_id, t.player_id, m.measure, m.score
    FROM games_tally t JOIN games_board b ON b.id = t.board_id
    CROSS JOIN LATERAL (SELECT t.mean IS NULL AND b.period NOT LIKE 'daily%%' AS open) AS k
    CROSS JOIN LATERAL (VALUES {measures}) AS m (measure, score)
    WHERE {tallies}
), changed AS (
    SELECT board_id, player_id, measure, w.score, h.score AS had
    FROM wanted w FULL JOIN (SELECT * FROM games_standing WHERE {standings}) h USING (board_id, player_id, measure)
    WHERE w.score IS DISTINCT FROM h.score
), removed AS (
    DELETE FROM games_standing s USING changed c
    WHERE c.score IS NULL AND (s.board_id, s.player_id, s.measure) = (c.board_id, c.player_id, c.measure)
), kept AS (
    INSERT INTO games_standing (board_id, player_id, measure, score)
    SELECT board_id, player_id, measure, score FROM changed WHERE score IS NOT NULL
    ON CONFLICT (board_id, player_id, measure) DO UPDATE SET score = excluded.score
)
INSERT INTO games_scorebucket AS s (board_id, measure, level, bucket, standings)
SELECT c.board_id, c.measure, level, d.score >> (g.grain + {width} * level), sum(d.change)
FROM changed c JOIN (VALUES {grains}) AS g (measure, grain) USING (measure)
CROSS JOIN LATERAL (VALUES (c.score, 1), (c.had, -1)) AS d (score, change)
CROSS JOIN generate_series(0, {levels} - 1) AS level
WHERE d.score IS NOT NULL
GROUP BY 1, 2, 3, 4 HAVING sum(d.change) <> 0
ON CONFLICT (board_id, measure, level, bucket) DO UPDATE SET standings = s.standings + excluded.standings
"""


def standings_of(keys: str) -> str:
    """The statement that makes standings and buckets follow from the tallies of `OF_KEYS` or `OF_ALL`."""
    return _STANDINGS.format(
        measures=_MEASURES,
        grains=_GRAINS,
        levels=LEVELS,
        width=WIDTH,
        tallies=keys.format(row="t"),
        standings=keys.format(row="games_standing"),
    )


# Negative changes are of games that were voided after they had been counted.
FREQUENCIES = """
INSERT INTO games_frequency AS f (ruleset, variant, seats, kind, number, games, wins, draws)
SELECT r.ruleset, r.variant, r.seats, k.kind, k.number, sum(w.change),
       coalesce(sum(w.change) FILTER (WHERE r.result = 'win' AND k.kind <> 'length'), 0),
       coalesce(sum(w.change) FILTER (WHERE r.result = 'draw' AND k.kind <> 'length'), 0)
FROM {weights} AS w (game_id, change) JOIN games_result r ON r.game_id = w.game_id
CROSS JOIN LATERAL (VALUES
    ('seat', r.seat),
    ('length', CASE WHEN r.seat = 0 THEN r.length END),
    ('deal', CASE WHEN r.seat = 0 AND NOT r.is_shuffled THEN 0 END),
    ('daily', CASE WHEN r.scope = 'daily' THEN to_char(r.at AT TIME ZONE 'UTC', 'YYYYMMDD')::int END)
) AS k (kind, number)
WHERE r.is_public AND r.player_id IS NOT NULL AND r.variant IS NOT NULL AND k.number IS NOT NULL
GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (ruleset, variant, seats, kind, number) DO UPDATE
SET games = f.games + excluded.games, wins = f.wins + excluded.wins, draws = f.draws + excluded.draws
"""
OF_BATCH = "unnest(%(weighed)s::uuid[], %(weights)s::int[])"
OF_COUNTED = f"""(SELECT r.game_id, 1 FROM games_result r WHERE r.seat = 0 AND {results_of(OF_ALL)})"""  # noqa: S608
