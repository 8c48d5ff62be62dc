"""The bodies of the accounts API."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from accounts.models import ApiToken, Player, Sanction
from accounts.names import USERNAME
from cardsite.jsonbody import Timestamp, optional_timestamp, timestamp

Username = Annotated[str, Meta(pattern=USERNAME, description="Unique without case, and never reused.")]
Password = Annotated[str, Meta(min_length=1, max_length=128)]
# No NUL and no other control character: PostgreSQL's text cannot hold the one, nobody wants the others.
Line = Annotated[str, Meta(min_length=1, max_length=50, pattern=r"^[^\x00-\x1f\x7f]*(?!\n)$")]
EmailText = Annotated[str, Meta(max_length=254, pattern=r"^[^\x00-\x1f\x7f]*(?!\n)$")]


class SignUp(Struct, frozen=True, forbid_unknown_fields=True):
    """A new account. The e-mail address is optional."""

    username: Username
    password: Password
    email: EmailText = ""
    display_name: Line | None = None


class ProfileChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to change in one's profile; what is left out stays."""

    email: EmailText | None = None
    display_name: Line | None = None


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A new token."""

    name: Line


class TokensQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of one's tokens."""

    cursor: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class NewBot(Struct, frozen=True, forbid_unknown_fields=True):
    """An account for a program of one's own."""

    username: Username
    display_name: Line | None = None


class PublicPlayer(Struct, frozen=True):
    """A player as everyone may see them; of a bot `bot_of` names whose program it is."""

    username: str
    display_name: str
    bot_of: str | None
    joined_at: Timestamp


class SanctionInForce(Struct, frozen=True):
    """What is held against one: a `mute` keeps one from public games with others, a `warning` is to be heeded. For
    ever where `until` is null."""

    kind: Literal["warning", "mute", "suspension"]
    reason: str
    at: Timestamp
    until: Timestamp | None


class Me(Struct, frozen=True):
    """One's own account; `sanctions` are those in force, newest first."""

    id: str
    username: str
    display_name: str
    email: str
    is_staff: bool
    joined_at: Timestamp
    sanctions: list[SanctionInForce]


class Token(Struct, frozen=True):
    """A personal token; `hint` is how its secret begins, `last_used_at` is kept at most hourly."""

    id: str
    name: str
    hint: str
    created_at: Timestamp
    last_used_at: Timestamp | None


class TokenWithSecret(Struct, frozen=True):
    """A token at the only time when its secret is shown."""

    id: str
    name: str
    hint: str
    created_at: Timestamp
    last_used_at: Timestamp | None
    secret: str


class TokenPage(Struct, frozen=True):
    """One's live tokens, newest first."""

    items: list[Token]
    next: str | None


class StreamTicket(Struct, frozen=True):
    """What stands as `ticket` in the query of a stream, in place of a token."""

    ticket: str
    good_for: int


class PlayerPage(Struct, frozen=True):
    """Players, newest first."""

    items: list[PublicPlayer]
    next: str | None


class BotMade(Struct, frozen=True):
    """The new account and its first token."""

    player: PublicPlayer
    token: TokenWithSecret


class SignedUp(Struct, frozen=True):
    """The new account and its first token."""

    player: Me
    token: TokenWithSecret


def bot(player: Player, owner: Player) -> PublicPlayer:
    """A bot as everyone may see it."""
    return PublicPlayer(player.username, player.display_name, owner.username, timestamp(player.created_at))


def public_player(player: Player) -> PublicPlayer:
    owner = player.bot_of.username if player.bot_of else None
    return PublicPlayer(player.username, player.display_name, owner, timestamp(player.created_at))


def me(player: Player, sanctions: Sequence[Sanction]) -> Me:
    return Me(
        id=str(player.id),
        username=player.username,
        display_name=player.display_name,
        email=player.email,
        is_staff=player.is_staff,
        joined_at=timestamp(player.created_at),
        sanctions=[_sanction(sanction) for sanction in sanctions],
    )


def _sanction(kept: Sanction) -> SanctionInForce:
    shown = {
        "kind": kept.kind,
        "reason": kept.reason,
        "at": timestamp(kept.at),
        "until": optional_timestamp(kept.until),
    }
    return msgspec.convert(shown, SanctionInForce)


def token(kept: ApiToken) -> Token:
    return Token(
        id=str(kept.id),
        name=kept.name,
        hint=kept.hint,
        created_at=timestamp(kept.created_at),
        last_used_at=optional_timestamp(kept.last_used_at),
    )


def token_with_secret(kept: ApiToken, secret: str) -> TokenWithSecret:
    return TokenWithSecret(
        id=str(kept.id),
        name=kept.name,
        hint=kept.hint,
        created_at=timestamp(kept.created_at),
        last_used_at=None,
        secret=secret,
    )
