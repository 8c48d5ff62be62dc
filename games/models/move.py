"""The log."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game


class Move(models.Model):
    """An entry of a game's log; `ply` is the number of entries before it. Append-only, kept so by the database.

    `base` is the ply that the mover had seen and `request_n` the entry's number in its request: at most one
    request is accepted for each seat and base. Only what players have asked for has them: plays and undos. `seat`
    is null where a game is closed, `by` where no player did it.
    """

    class Kind(models.TextChoices):
        PLAY = "play"
        AUTO = "auto"
        UNDO = "undo"
        RESIGN = "resign"
        TIMEOUT = "timeout"
        VOID = "void"

    pk = models.CompositePrimaryKey("game_id", "ply")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.PositiveSmallIntegerField(null=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False, null=True
    )
    base = models.PositiveIntegerField(null=True)
    request_n = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField()  # null but for moves
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "seat", "base", "request_n"], name="move_base_used_once"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["play", "undo"], seat__isnull=False, by__isnull=False, base__isnull=False
                )
                | Q(kind="resign", seat__isnull=False, by__isnull=False, base=None)
                | Q(kind__in=["auto", "timeout"], seat__isnull=False, by=None, base=None)
                | Q(kind="void", seat=None, base=None),
                name="move_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(base=None, request_n=None) | Q(base__isnull=False, request_n__isnull=False),
                name="move_request_whole",
            ),
            models.CheckConstraint(
                condition=Q(base__lte=F("ply") - F("request_n")), name="move_base_not_ahead"
            ),
        ]

    def __str__(self) -> str:
        return f"ply {self.ply}"
