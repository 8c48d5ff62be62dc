"""Personal tokens, and the answers to requests that made something."""

from django.db import models
from django.db.models.functions import Now

from accounts.models.player import Player, new_id


class ApiToken(models.Model):
    """A personal token: only its digest is kept. `hint` is its beginning, to tell tokens apart by."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tokens")
    name = models.CharField(max_length=50)
    digest = models.BinaryField(max_length=32)
    hint = models.CharField(max_length=12)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["digest"], name="token_digest_unique"),
            models.CheckConstraint(condition=~models.Q(name=""), name="token_named"),
        ]
        indexes = [
            models.Index(
                fields=["player", "-id"], condition=models.Q(revoked_at=None), name="token_live_of_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"


class IdempotentAnswer(models.Model):
    """The answer to a creating request that carried an Idempotency-Key. The answer may hold a secret that is
    shown once, so it is sealed with a key that only the client's header and the server's secret make."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    key_digest = models.BinaryField(max_length=32)
    request_digest = models.BinaryField(max_length=32)
    sealed_answer = models.BinaryField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "key_digest"], name="idempotency_key_of_player")
        ]

    def __str__(self) -> str:
        return f"answer of {self.created_at:%Y-%m-%d %H:%M}"
