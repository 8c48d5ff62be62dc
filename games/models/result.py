"""How a game ended."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game


class Result(models.Model):
    """What one seat came to; written by the statement that ends the game, and never changed."""

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
    # None where the game ended before these were kept.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False, null=True
    )
    length = models.PositiveIntegerField(null=True)  # entries of the log
    duration = models.PositiveBigIntegerField(null=True)  # milliseconds from the start
    ending = models.CharField(max_length=10, choices=Game.Ending, null=True)  # noqa: DJ001
    undos = models.PositiveIntegerField(db_default=0)

    class Meta:
        indexes = [models.Index(fields=["player", "-game"], name="result_of_player")]
        constraints = [
            models.CheckConstraint(condition=Q(result__in=["win", "draw", "loss"]), name="result_known"),
            models.CheckConstraint(condition=Q(place__gte=1), name="result_place_from_one"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.result}"
