"""The deals of the day: one for each patience and day, the same for all."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import new_id


class DailyDeal(models.Model):
    """A deal that is sealed until its day (UTC) is over. `commitment` is made over its id and seed, and published
    before the day begins. Like a deal it is never in the admin and has no representation, and the database lets
    nothing of it be changed."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    date = models.DateField()
    ruleset = models.SlugField(max_length=40, db_index=False)
    rules_version = models.PositiveSmallIntegerField()
    shuffle_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    variant = models.CharField(max_length=100)
    seed = models.BinaryField(max_length=32)
    deck = ArrayField(models.CharField(max_length=3))
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["date", "ruleset"], name="daily_deal_of_a_day"),
            models.CheckConstraint(
                condition=Q(commitment__regex="^[0-9a-f]{64}$"), name="daily_commitment_form"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} of {self.date}"

    def __repr__(self) -> str:
        return "<DailyDeal>"
