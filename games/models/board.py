"""Leaderboards, as the projector keeps them: what players have done, how they stand by each measure, and how many
stand above any score. All of it follows from results, changes of ratings and voidings, and can be made again: so
the database does not look at what a row refers to each time one is written."""

from django.conf import settings
from django.db import models

from games.models.game import Game

LEVELS = 3
"""Of ranges of scores, one within the other."""
WIDTH = 8
"""Of a range, in bits: of so many that a level's ranges have in one of the level above."""


class Measure(models.IntegerChoices):
    """What players are compared by. Scores from 0 on are counted by ranges, the narrowest of them `grain` bits
    wide: as wide as leaves few standings in one, unless they have one score."""

    RATING = 1
    WIN_SHARE = 2
    WINS = 3
    BEST_SCORE = 4
    FEWEST_MOVES = 5
    BEST_TIME = 6
    STREAK = 7
    DAILY = 8

    @property
    def grain(self) -> int:
        """How wide the narrowest ranges are."""
        match self:
            case Measure.WIN_SHARE:
                return 8
            case Measure.DAILY:
                return 18
        return 0


class Board(models.Model):
    """The games of a rule set and variant in a period: `all`, a month (2026-11), an ISO week (2026-W48) or a day
    (2026-11-30), all of them UTC; or, of the deal of the day, the first tries at it (`daily 2026-11-30`)."""

    id = models.AutoField(primary_key=True)
    ruleset = models.SlugField(max_length=40, db_index=False)
    variant = models.CharField(max_length=100)
    period = models.CharField(max_length=16)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "variant", "period"], name="board_of_a_period")
        ]
        indexes = [models.Index(fields=["period", "ruleset", "variant"], name="board_by_period")]

    def __str__(self) -> str:
        return f"{self.ruleset}, {self.variant}, {self.period}"


class Tally(models.Model):
    """What a player has done on a board. Moves (entries of the log) and milliseconds are those of games that were
    won; `lead` is how many were won before the first that was not, `run` since the last that was not, `streak` the
    most in a row, in the order in which they ended. `mean` and `deviation` are the rating after change number
    `rating_number`, the last of the period."""

    pk = models.CompositePrimaryKey("board_id", "player_id")
    board = models.ForeignKey(
        Board, on_delete=models.PROTECT, related_name="tallies", db_index=False, db_constraint=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    games = models.PositiveIntegerField(db_default=0)
    wins = models.PositiveIntegerField(db_default=0)
    best_score = models.IntegerField(null=True)
    fewest_moves = models.PositiveIntegerField(null=True)
    best_time = models.PositiveBigIntegerField(null=True)
    lead = models.PositiveIntegerField(db_default=0)
    run = models.PositiveIntegerField(db_default=0)
    streak = models.PositiveIntegerField(db_default=0)
    last_at = models.DateTimeField(null=True)
    last_game = models.UUIDField(null=True)
    rating_number = models.PositiveIntegerField(null=True)
    mean = models.FloatField(null=True)
    deviation = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.wins} of {self.games}"


class Standing(models.Model):
    """A player's score by a measure; more is better, whatever is measured."""

    pk = models.CompositePrimaryKey("board_id", "player_id", "measure")
    board = models.ForeignKey(
        Board, on_delete=models.PROTECT, related_name="standings", db_index=False, db_constraint=False
    )
    measure = models.PositiveSmallIntegerField(choices=Measure)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    score = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["board", "measure", "-score", "-player"], name="standing_best_first")]

    def __str__(self) -> str:
        return f"{self.get_measure_display()}: {self.score}"


class ScoreBucket(models.Model):
    """How many standings of a board and measure have a score in a range. The ranges of a level are 256 times as
    wide as those of the level below, so that whoever stands above a score is counted by a few of each level."""

    pk = models.CompositePrimaryKey("board_id", "measure", "level", "bucket")
    board = models.ForeignKey(
        Board, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    measure = models.PositiveSmallIntegerField(choices=Measure)
    level = models.PositiveSmallIntegerField()
    bucket = models.BigIntegerField()
    standings = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.standings} in {self.bucket} of level {self.level}"


class Frequency(models.Model):
    """How often something came out in the public games of a rule set, variant and number of seats: by kind, how a
    seat did, how many entries a game had, how a deal that the options fix and a deal of the day (by its date as a
    number, 20261130) were solved."""

    class Kind(models.TextChoices):
        SEAT = "seat"
        LENGTH = "length"
        DEAL = "deal"
        DAILY = "daily"

    pk = models.CompositePrimaryKey("ruleset", "variant", "seats", "kind", "number")
    ruleset = models.SlugField(max_length=40, db_index=False)
    variant = models.CharField(max_length=100)
    seats = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind)
    number = models.PositiveIntegerField()
    games = models.IntegerField()
    wins = models.IntegerField()
    draws = models.IntegerField()

    class Meta:
        indexes = [
            models.Index(
                fields=["ruleset", "-games", "variant"],
                condition=models.Q(kind="deal"),
                name="frequency_of_deals",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}: {self.wins} of {self.games}"


class Uncounted(models.Model):
    """A game that the projector has yet to count (`change` 1) or, since it was voided, to count no more (-1);
    written with what it follows from."""

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    change = models.SmallIntegerField()

    def __str__(self) -> str:
        return f"{self.change:+d}"
