"""How strong players are thought to be, and every change of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import new_id
from games.models.game import Game


class Rating(models.Model):
    """A player's rating at a variant of a rule set: the sum of all changes. `changes` counts them, `games` those
    games that were not voided afterwards."""

    pk = models.CompositePrimaryKey("player_id", "ruleset", "variant")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    ruleset = models.SlugField(max_length=40, db_index=False)
    variant = models.CharField(max_length=100)
    mean = models.FloatField()
    deviation = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.ruleset}: {self.mean:.0f}"


class RatingChange(models.Model):
    """What a game, or its being voided, did to a player's rating. Append-only, kept so by the database;
    `number` counts the changes of a rating from 1, `at` is when the game ended or was voided."""

    class Kind(models.TextChoices):
        GAME = "game"
        REVERSAL = "reversal"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    ruleset = models.SlugField(max_length=40, db_index=False)
    variant = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rating_changes", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    mean_before = models.FloatField()
    deviation_before = models.FloatField()
    mean_change = models.FloatField()
    deviation_change = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "ruleset", "variant", "number"], name="rating_change_numbered"
            ),
            models.UniqueConstraint(fields=["game", "player", "kind"], name="rating_change_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["game", "reversal"]), name="rating_change_kind_known"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="rating_change_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.game_id}"


class Voiding(models.Model):
    """A finished game that counts for nothing any more: who said so, and why. Append-only, kept so by the
    database."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="voiding")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=200)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="voiding_has_a_reason")]

    def __str__(self) -> str:
        return self.reason
