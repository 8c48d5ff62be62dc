"""Sign-up and profile."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from accounts.locks import lock_unchanged
from accounts.models import ApiToken, ErasedName, Player
from accounts.names import clean_display_name, is_reserved, name_digest
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
    if is_reserved(username):
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
            _take_name(player)
            token, secret = token_create(player=player, name=FIRST_TOKEN_NAME)
    except IntegrityError:
        raise _taken(username) from None
    return player, token, secret


@transaction.atomic
def bot_create(*, owner: Player, username: str, display_name: str | None) -> tuple[Player, ApiToken, str]:
    """A new account for a program of the owner's, with a first token and its secret; it has no password.

    Raises `Problem` forbidden (a bot has no bots, a player not more than `MOST_BOTS`; an owner who was erased or
    got another password meanwhile), invalid or username_taken.
    """
    if owner.bot_of_id is not None:
        raise Problem("forbidden", "A bot has no bots of its own.")
    lock_unchanged(player=owner)
    if Player.objects.filter(bot_of=owner).count() >= MOST_BOTS:
        raise Problem("forbidden", f"You have {MOST_BOTS} bots, which is all that one may have.")
    if is_reserved(username):
        raise _invalid("$.username", ["this name is reserved"])
    bot = Player(
        username=username,
        display_name=username if display_name is None else _clean_display_name(display_name),
        bot_of=owner,
    )
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            _take_name(bot)
    except IntegrityError:
        raise _taken(username) from None
    return bot, *token_create(player=bot, name=FIRST_TOKEN_NAME)


@transaction.atomic
def player_update(*, player: Player, email: str | None, display_name: str | None) -> Player:
    """Change what is given of a player's own profile. Raises `Problem` invalid, or forbidden (an account that was
    erased or got another password meanwhile)."""
    changed = dict[str, str]()
    if email is not None:
        changed["email"] = _clean_email(email)
    if display_name is not None:
        changed["display_name"] = _clean_display_name(display_name)
    if changed:
        lock_unchanged(player=player)
        Player.objects.filter(id=player.id).update(**changed)
    for name, value in changed.items():
        setattr(player, name, value)
    return player


def _take_name(player: Player) -> None:
    """Write a new player, in the caller's transaction. Raises `IntegrityError`, or `Problem` username_taken, where
    the name is another's or was."""
    player.save(force_insert=True)
    # Asked afterwards: a name that is being erased keeps the writing waiting until this can be seen.
    if ErasedName.objects.filter(digest=name_digest(player.username)).exists():
        raise _taken(player.username)


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
    return Problem("username_taken", f"The name {username} is taken, or was once.")


def _invalid(path: str, messages: list[str]) -> Problem:
    return Problem(
        "invalid", " ".join(messages), errors=[{"path": path, "message": message} for message in messages]
    )
