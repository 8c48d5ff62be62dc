"""What happened at a table, for those who are told."""

from django.db import models
from django.db.models import Func
from django.db.models.functions import Now

from games.models.game import Game
from games.models.transaction_id import TransactionId


class Event(models.Model):
    """A numbered event of a game, from 1. Append-only, kept so by the database.

    `body` is what a spectator is told, `seen` by seat what takes the place of its members for that seat
    alone. Both are as of then: what was hidden stays so. `txid` orders the events of many games: a reader
    that stops below the oldest transaction that is still open misses none."""

    class Kind(models.TextChoices):
        CREATED = "created"
        JOINED = "joined"
        LEFT = "left"
        STARTED = "started"
        ENTRY = "entry"
        ENDED = "ended"
        CANCELLED = "cancelled"
        VOIDED = "voided"

    pk = models.CompositePrimaryKey("game_id", "seq")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    txid = TransactionId(db_default=Func(function="pg_current_xact_id"), editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    body = models.JSONField()
    seen = models.JSONField(null=True)
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"event {self.seq}"
