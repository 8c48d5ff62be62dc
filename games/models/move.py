"""The log."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game


class Move(models.Model):
    """An entry of a game's log; `ply` is the number of entries before it. Append-only, kept so by the database.

    `base` is the ply that the mover had seen and `request_n` the entry's number in its request: at most one
    request is accepted for each seat and base.
    """

    class Kind(models.TextChoices):
        PLAY = "play"

    pk = models.CompositePrimaryKey("game_id", "ply")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.PositiveSmallIntegerField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    base = models.PositiveIntegerField()
    request_n = models.PositiveSmallIntegerField()
    body = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "seat", "base", "request_n"], name="move_base_used_once"),
            models.CheckConstraint(condition=Q(kind__in=["play"]), name="move_kind_known"),
            models.CheckConstraint(
                condition=Q(base__lte=F("ply") - F("request_n")), name="move_base_not_ahead"
            ),
        ]

    def __str__(self) -> str:
        return f"ply {self.ply}"
