"""The boards as they follow from a list of games, worked out anew each time and as plainly as can be."""

from collections import Counter, defaultdict
from itertools import groupby
from typing import NamedTuple

from games.models import Frequency, Measure, ScoreBucket, Standing, Tally
from games.ratings import Strength, strengths_after

# How wide the narrowest ranges of scores are, in bits.
GRAIN = {Measure.WIN_SHARE: 8, Measure.DAILY: 18}


class Change(NamedTuple):
    """An entry of the ledger of a rating."""

    game: object
    change: int
    at: object
    before: Strength
    after: Strength


class Naive:
    """What has happened, and what of it is counted: entries of `pending` are not yet."""

    def __init__(self):
        self.games = {}
        self.voided = {}
        self.pending = []
        self.ledger = defaultdict(list)

    def finished(self, game):
        self.games[game.id] = game
        if game.is_public:
            self.pending.append((game.id, 1))
        if game.rated:
            keys = [(player, game.ruleset, game.variant) for player in game.players]
            before = [self.rating(key) for key in keys]
            for key, old, new in zip(keys, before, strengths_after(before, game.places), strict=True):
                self.ledger[key].append(Change(game.id, 1, game.at, old, new))

    def void(self, game_id, at):
        game = self.games[game_id]
        self.voided[game_id] = at
        if game.is_public:
            self.pending.append((game_id, -1))
        if game.rated:
            for player in game.players:
                entries = self.ledger[player, game.ruleset, game.variant]
                (made,) = (entry for entry in entries if entry.game == game_id)
                now = entries[-1].after
                back = Strength(
                    now.mean - (made.after.mean - made.before.mean),
                    now.deviation - (made.after.deviation - made.before.deviation),
                )
                entries.append(Change(game_id, -1, at, now, back))

    def projected(self, most):
        taken, self.pending = self.pending[:most], self.pending[most:]
        return len(taken)

    def late(self):
        """The first game that ended and waits moves to the end of those that do: which, if there is one."""
        waiting = [game for game, change in self.pending if change == 1 and (game, -1) not in self.pending]
        for game in waiting[:1]:
            self.pending.remove((game, 1))
            self.pending.append((game, 1))
        return waiting[0] if waiting else None

    def rating(self, key):
        return self.ledger[key][-1].after if self.ledger[key] else Strength()

    def counting(self):
        """The games that count, in the order in which they ended."""
        counted = [
            game
            for game in self.games.values()
            if (game.id, 1) not in self.pending
            and (game.id not in self.voided or (game.id, -1) in self.pending)
        ]
        return sorted(counted, key=lambda game: (game.at, game.id))

    def tallies(self):
        """By board and player: games, wins, best score, fewest moves, best time, streak, and the rating's
        number."""
        of = defaultdict(list)
        for game in self.counting():
            for seat, player in enumerate(game.players):
                for period in periods(game.scope, game.at):
                    of[game.ruleset, game.variant, period, player].append((game, seat))
        ratings = {}
        for (player, ruleset, variant), entries in self.ledger.items():
            for number, entry in enumerate(entries, 1):
                if (entry.game, entry.change) not in self.pending:
                    for period in periods("open", entry.at):
                        ratings[ruleset, variant, period, player] = (number, entry.after)
        return {
            key: (*_tally(of[key]), *ratings.get(key, (None, None)))
            for key in [*of, *(key for key in ratings if key not in of)]
        }

    def standings(self):
        """Scores by board, player and measure."""
        return {
            (*key, measure): score
            for key, tally in self.tallies().items()
            for measure, score in _scores(key[2], *tally).items()
        }

    def buckets(self):
        """How many standings are in each range."""
        return Counter(
            (*key[:3], key[4], level, score >> (GRAIN.get(key[4], 0) + 8 * level))
            for key, score in self.standings().items()
            for level in range(3)
        )

    def frequencies(self):
        """Games, wins and draws by what is counted."""
        games, wins, draws = Counter(), Counter(), Counter()
        for game in self.counting():
            if not game.is_public:
                continue
            of = (game.ruleset, game.variant, len(game.players))
            games[*of, "length", game.length] += 1
            for seat, result in enumerate(game.results):
                kinds = [(*of, "seat", seat)]
                if not game.is_shuffled and seat == 0:
                    kinds.append((*of, "deal", 0))
                if game.scope == "daily":
                    kinds.append((*of, "daily", int(f"{game.at:%Y%m%d}")))
                for kind in kinds:
                    games[kind] += 1
                    wins[kind] += result == "win"
                    draws[kind] += result == "draw"
        return {key: (games[key], wins[key], draws[key]) for key in games}


def periods(scope, at):
    if scope == "daily":
        return [f"daily {at:%Y-%m-%d}"]
    year, week, _ = at.isocalendar()
    return ["all", f"{at:%Y-%m}", f"{year}-W{week:02}", f"{at:%Y-%m-%d}"] if scope == "open" else []


def _tally(played):
    won = [game for game, seat in played if game.results[seat] == "win"]
    runs = groupby(played, key=lambda one: one[0].results[one[1]] == "win")
    return (
        len(played),
        len(won),
        max((game.scores[seat] for game, seat in played), default=None),
        min((game.length for game in won), default=None),
        min((game.duration for game in won), default=None),
        max((len(list(run)) for is_won, run in runs if is_won), default=0),
    )


def _scores(period, games, wins, score, moves, time, streak, number, rating):
    if not games:
        return {}
    if rating:
        return {Measure.RATING: 32768 + round(rating.mean - 3 * rating.deviation)}
    if period.startswith("daily"):
        brevity = 0 if moves is None else (16383 - moves) * 2**17 + 131071 - time // 1000
        return {Measure.DAILY: wins * 2**41 + score * 2**31 + brevity}
    scores = {Measure.BEST_SCORE: 32768 + score}
    if games >= 20:
        scores[Measure.WIN_SHARE] = wins * 2**30 // games
    if wins:
        scores |= {
            Measure.WINS: wins,
            Measure.STREAK: streak,
            Measure.FEWEST_MOVES: 65536 - moves,
            Measure.BEST_TIME: 2**32 - time,
        }
    return scores


def kept_tallies():
    """What is kept, as `Naive.tallies` has it."""
    columns = [
        "games",
        "wins",
        "best_score",
        "fewest_moves",
        "best_time",
        "streak",
        "rating_number",
        "mean",
        "deviation",
    ]
    rows = Tally.objects.values_list(*_of_board("player_id"), *columns)
    return {row[:4]: (*row[4:11], Strength(*row[11:]) if row[10] else None) for row in rows}


def kept_standings():
    rows = Standing.objects.values_list(*_of_board("player_id", "measure", "score"))
    return {row[:5]: row[5] for row in rows}


def kept_buckets():
    rows = ScoreBucket.objects.exclude(standings=0)
    return {
        row[:6]: row[6] for row in rows.values_list(*_of_board("measure", "level", "bucket", "standings"))
    }


def kept_frequencies():
    columns = ["ruleset", "variant", "seats", "kind", "number", "games", "wins", "draws"]
    return {row[:5]: row[5:] for row in Frequency.objects.exclude(games=0).values_list(*columns)}


def _of_board(*columns):
    return "board__ruleset", "board__variant", "board__period", *columns
