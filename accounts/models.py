"""Players and their tokens."""

from typing import ClassVar
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin, UserManager
from django.db import models
from django.db.models.functions import Now, Upper
from uuid_utils.compat import uuid7

from accounts.names import USERNAME


def new_id() -> UUID:
    """A UUIDv7: ids made later sort later."""
    return UUID(int=uuid7().int)


class PlayerManager(UserManager["Player"]):
    """Django's, with names looked up without case."""

    def get_by_natural_key(self, username: str | None) -> "Player":
        if username is not None and "\0" in username:  # PostgreSQL's text cannot hold it
            raise self.model.DoesNotExist
        return self.get(username__iexact=username)


class Player(AbstractBaseUser, PermissionsMixin):
    """A person's account, or that of a program: `bot_of` is the person whose program it is."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Django asks for the plain uniqueness; without case it is the constraint's below.
    username = models.CharField("user name", max_length=20, unique=True)
    display_name = models.CharField(max_length=40)
    email = models.EmailField(blank=True)
    is_staff = models.BooleanField("may enter the admin", default=False)
    is_active = models.BooleanField("may log in", default=True)
    bot_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="bots")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = PlayerManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            # Upper, because that is what `iexact` compares.
            models.UniqueConstraint(Upper("username"), name="player_username_unique"),
            models.CheckConstraint(condition=models.Q(username__regex=USERNAME), name="player_username_form"),
            models.CheckConstraint(condition=~models.Q(display_name=""), name="player_display_name_given"),
        ]

    def __str__(self) -> str:
        return self.username


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


class Allowance(models.Model):
    """How much somebody may still do of something: `spent_until` is when what was taken will have been given
    back. `key` is a digest, and names nobody."""

    key = models.BinaryField(primary_key=True, max_length=32)
    spent_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["spent_until"], name="allowance_spent_until")]

    def __str__(self) -> str:
        return f"spent until {self.spent_until:%Y-%m-%d %H:%M:%S}"


class RequestCount(models.Model):
    """How many requests somebody made in a minute (since 1970), as far as the processes have told. `key` is a
    digest, and names nobody."""

    pk = models.CompositePrimaryKey("key", "minute")
    key = models.BinaryField(max_length=32)
    minute = models.PositiveIntegerField()
    requests = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["minute"], name="request_count_minute")]

    def __str__(self) -> str:
        return f"{self.requests} requests"
