"""How a game ended."""

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
    undos = models.PositiveIntegerField(db_default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(result__in=["win", "draw", "loss"]), name="result_known"),
            models.CheckConstraint(condition=Q(place__gte=1), name="result_place_from_one"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.result}"
