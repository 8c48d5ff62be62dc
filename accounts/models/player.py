"""Players: people, and the programs of people."""

from typing import ClassVar
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin, UserManager
from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models.functions import Now, Upper
from uuid_utils.compat import uuid7

from accounts.names import ERASED_PREFIX, USERNAME


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
    # Nobody is behind the account any more, and nothing says who was.
    erased_at = models.DateTimeField(null=True, editable=False)

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
            models.CheckConstraint(
                condition=models.Q(erased_at=None)
                | models.Q(
                    email="",
                    is_active=False,
                    is_staff=False,
                    is_superuser=False,
                    last_login=None,
                    username__startswith=ERASED_PREFIX,
                ),
                name="player_erased_wholly",
            ),
        ]
        indexes = [
            # Whatever order the database's collation has.
            models.Index(OpClass(Upper("username"), name="text_pattern_ops"), name="player_username_begins"),
            models.Index(
                OpClass(Upper("display_name"), name="text_pattern_ops"), name="player_display_name_begins"
            ),
            models.Index(Upper("email"), condition=~models.Q(email=""), name="player_email"),
            models.Index(fields=["-id"], condition=models.Q(is_staff=True), name="player_staff"),
            models.Index(fields=["-id"], condition=models.Q(erased_at__isnull=False), name="player_erased"),
        ]
        permissions = [
            ("sanction_player", "Can warn, mute and suspend players"),
            ("end_access", "Can end players' tokens and sessions"),
            ("erase_player", "Can erase accounts"),
            ("set_role", "Can give and take roles"),
        ]

    def __str__(self) -> str:
        return self.username


class ErasedName(models.Model):
    """A name that nobody gets again, since its player has erased the account. The name itself is not kept."""

    digest = models.BinaryField(primary_key=True, max_length=32)

    def __str__(self) -> str:
        return "a name"
