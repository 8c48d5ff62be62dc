"""Sign-up and profile."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from accounts.locks import lock_player
from accounts.models import ApiToken, Player
from accounts.names import RESERVED, clean_display_name
from accounts.services.tokens import token_create
from cardsite.problems import Problem

MOST_BOTS = 50
FIRST_TOKEN_NAME = "sign-up"  # noqa: S105 - a name


def player_sign_up(
    *, username: str, password: str, email: str, display_name: str | None
) -> tuple[Player, ApiToken, str]:
    """A new player with a first token and its secret. `username` is of the published form.

    Raises `Problem` invalid (a reserved name, a weak password, an address or display name that is none) or
    username_taken.
    """
    if username.lower() in RESERVED:
        raise _invalid("$.username", ["this name is reserved"])
    player = Player(
        username=username,
        email=_clean_email(email),
        display_name=username if display_name is None else _clean_display_name(display_name),
    )
    try:
        validate_password(password, user=player)
    except ValidationError as error:
        raise _invalid("$.password", error.messages) from None
    # Looked at before the password is hashed, which is dear; the database has the last word.
    if Player.objects.filter(username__iexact=username).exists():
        raise _taken(username)
    player.set_password(password)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
            token, secret = token_create(player=player, name=FIRST_TOKEN_NAME)
    except IntegrityError:
        raise _taken(username) from None
    return player, token, secret


@transaction.atomic
def bot_create(*, owner: Player, username: str, display_name: str | None) -> tuple[Player, ApiToken, str]:
    """A new account for a program of the owner's, with a first token and its secret; it has no password.

    Raises `Problem` forbidden (a bot has no bots, a player not more than `MOST_BOTS`), invalid or username_taken.
    """
    if owner.bot_of_id is not None:
        raise Problem("forbidden", "A bot has no bots of its own.")
    lock_player(player_id=owner.id)
    if Player.objects.filter(bot_of=owner).count() >= MOST_BOTS:
        raise Problem("forbidden", f"You have {MOST_BOTS} bots, which is all that one may have.")
    if username.lower() in RESERVED:
        raise _invalid("$.username", ["this name is reserved"])
    bot = Player(
        username=username,
        display_name=username if display_name is None else _clean_display_name(display_name),
        bot_of=owner,
    )
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            bot.save(force_insert=True)
    except IntegrityError:
        raise _taken(username) from None
    return bot, *token_create(player=bot, name=FIRST_TOKEN_NAME)


def player_update(*, player: Player, email: str | None, display_name: str | None) -> Player:
    """Change what is given of a player's own profile. Raises `Problem` invalid."""
    changed = []
    if email is not None:
        player.email = _clean_email(email)
        changed.append("email")
    if display_name is not None:
        player.display_name = _clean_display_name(display_name)
        changed.append("display_name")
    player.save(update_fields=changed)
    return player


def _clean_email(email: str) -> str:
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise _invalid("$.email", error.messages) from None
    return email


def _clean_display_name(name: str) -> str:
    try:
        return clean_display_name(name)
    except ValueError as error:
        raise _invalid("$.display_name", [str(error)]) from None


def _taken(username: str) -> Problem:
    return Problem("username_taken", f"There is already a player named {username}.")


def _invalid(path: str, messages: list[str]) -> Problem:
    return Problem(
        "invalid", " ".join(messages), errors=[{"path": path, "message": message} for message in messages]
    )
