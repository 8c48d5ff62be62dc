"""Who has looked at what a game that goes on hides."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import LONGEST_REASON, new_id
from games.models.game import Game


class Reveal(models.Model):
    """Somebody of the staff had what a game hides shown, and why: who has does not play it. Append-only, kept so
    by the database."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="reveals", db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=LONGEST_REASON)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "by"], name="reveal_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="reveal_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"shown at {self.at:%Y-%m-%d %H:%M}"
