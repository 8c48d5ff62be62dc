"""How a game ended."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game


class Result(models.Model):
    """What one seat came to; written by the statement that ends the game, and never changed.

    Beside it stand the facts of the game by which results are counted. `scope` says on which boards: those of its
    periods (`open`), that of the deal of the day (`daily`), or none. A result from before these were kept has no
    player, and counts nowhere."""

    class Scope(models.TextChoices):
        OPEN = "open"
        DAILY = "daily"

    class Kind(models.TextChoices):
        WIN = "win"
        DRAW = "draw"
        LOSS = "loss"

    pk = models.CompositePrimaryKey("game_id", "seat")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="results", db_index=False)
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    result = models.CharField(max_length=4, choices=Kind)
    score = models.IntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False, null=True
    )
    length = models.PositiveIntegerField(null=True)  # entries of the log
    duration = models.PositiveBigIntegerField(null=True)  # milliseconds from the start
    ending = models.CharField(max_length=10, choices=Game.Ending, null=True)  # noqa: DJ001
    undos = models.PositiveIntegerField(db_default=0)
    ruleset = models.SlugField(max_length=40, db_index=False, db_default="")
    variant = models.CharField(max_length=100, null=True)  # noqa: DJ001
    seats = models.PositiveSmallIntegerField(db_default=1)
    is_public = models.BooleanField(db_default=False)
    is_shuffled = models.BooleanField(db_default=False)
    scope = models.CharField(max_length=5, choices=Scope, null=True)  # noqa: DJ001
    at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["player", "-game"], name="result_of_player"),
            models.Index(fields=["result", "ruleset", "-game"], name="result_newest"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(result__in=["win", "draw", "loss"]), name="result_known"),
            models.CheckConstraint(condition=Q(place__gte=1), name="result_place_from_one"),
            models.CheckConstraint(
                condition=Q(scope=None)
                | Q(
                    scope__in=["open", "daily"],
                    is_public=True,
                    is_shuffled=True,
                    player__isnull=False,
                    variant__isnull=False,
                    at__isnull=False,
                ),
                name="result_counts_if_known",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.result}"
