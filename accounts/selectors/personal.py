"""What is known of a player beside the games: all of it, for the player alone.

It is read part by part, and each part from a place on: a page holds as much as is asked for, and no more is read.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias
from uuid import UUID

from django.db.models import Q
from msgspec import Struct

from accounts.models import ApiToken, AuditEntry, Player, Sanction
from accounts.selectors.sessions import live_sessions
from cardsite.jsonbody import Timestamp, optional_timestamp, timestamp


class Fact(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that is known of a player."""


class AccountFact(Fact, frozen=True, kw_only=True, tag="account"):
    """The account; of the password nothing is kept from which it could be told."""

    id: str
    username: str
    display_name: str
    email: str
    bot_of: str | None
    roles: list[str]
    joined_at: Timestamp
    last_login_at: Timestamp | None


class SessionFact(Fact, frozen=True, kw_only=True, tag="session"):
    """A browser that is logged in, since when, where that was kept, and until when."""

    began_at: Timestamp | None
    until: Timestamp


class TokenFact(Fact, frozen=True, kw_only=True, tag="token"):
    """A token; its secret is not kept."""

    id: str
    name: str
    hint: str
    created_at: Timestamp
    last_used_at: Timestamp | None
    revoked_at: Timestamp | None


class BotFact(Fact, frozen=True, kw_only=True, tag="bot"):
    """An account for a program of one's own; what is known of it, it is told itself."""

    id: str
    username: str
    display_name: str
    joined_at: Timestamp


class SanctionFact(Fact, frozen=True, kw_only=True, tag="sanction"):
    """What was held against one, until when (null: for ever), and whether it was lifted."""

    id: str
    kind: str
    reason: str
    at: Timestamp
    until: Timestamp | None
    lifted_at: Timestamp | None
    lift_reason: str


class ActFact(Fact, frozen=True, kw_only=True, tag="act"):
    """What those who look after the site did about one, or what one did as one of them (`yours`)."""

    id: str
    act: str
    yours: bool
    at: Timestamp
    game: str | None
    reason: str


Part: TypeAlias = Callable[[UUID, str, int], Sequence[tuple[str, Fact]]]
"""Of a player the facts after a place, in order, at most so many, each with its place; the first place is ''.
Raises `ValueError` for a place that is none."""


def _account(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    if after:
        return []
    player = Player.objects.select_related("bot_of").get(id=player_id)
    fact = AccountFact(
        id=str(player.id),
        username=player.username,
        display_name=player.display_name,
        email=player.email,
        bot_of=player.bot_of.username if player.bot_of else None,
        roles=sorted(player.groups.values_list("name", flat=True)),
        joined_at=timestamp(player.created_at),
        last_login_at=optional_timestamp(player.last_login),
    )
    return [("1", fact)]


def _sessions(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    found = sorted(live_sessions(player_id=player_id), key=lambda one: one.handle)
    facts = [
        (
            one.handle,
            SessionFact(began_at=optional_timestamp(one.began_at), until=timestamp(one.expire_date)),
        )
        for one in found
    ]
    return [(place, fact) for place, fact in facts if place > after][:limit]


def _tokens(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    found = ApiToken.objects.filter(player=player_id, id__gt=place_id(after)).order_by("id")[:limit]
    return [
        (
            token.id.hex,
            TokenFact(
                id=str(token.id),
                name=token.name,
                hint=token.hint,
                created_at=timestamp(token.created_at),
                last_used_at=optional_timestamp(token.last_used_at),
                revoked_at=optional_timestamp(token.revoked_at),
            ),
        )
        for token in found
    ]


def _bots(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    found = Player.objects.filter(bot_of=player_id, id__gt=place_id(after)).order_by("id")[:limit]
    return [
        (
            bot.id.hex,
            BotFact(
                id=str(bot.id),
                username=bot.username,
                display_name=bot.display_name,
                joined_at=timestamp(bot.created_at),
            ),
        )
        for bot in found
    ]


def _sanctions(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    found = Sanction.objects.filter(player=player_id, id__gt=place_id(after)).order_by("id")[:limit]
    return [
        (
            sanction.id.hex,
            SanctionFact(
                id=str(sanction.id),
                kind=sanction.kind,
                reason=sanction.reason,
                at=timestamp(sanction.at),
                until=optional_timestamp(sanction.until),
                lifted_at=optional_timestamp(sanction.lifted_at),
                lift_reason=sanction.lift_reason,
            ),
        )
        for sanction in found
    ]


def _acts(player_id: UUID, after: str, limit: int) -> Sequence[tuple[str, Fact]]:
    of_player = AuditEntry.objects.filter(Q(player=player_id) | Q(by=player_id), id__gt=place_id(after))
    return [
        (
            entry.id.hex,
            ActFact(
                id=str(entry.id),
                act=entry.act,
                yours=entry.by_id == player_id,
                at=timestamp(entry.at),
                game=str(entry.game) if entry.game else None,
                reason=entry.reason,
            ),
        )
        for entry in of_player.order_by("id")[:limit]
    ]


PARTS: dict[str, Part] = {
    "account": _account,
    "sessions": _sessions,
    "tokens": _tokens,
    "bots": _bots,
    "sanctions": _sanctions,
    "acts": _acts,
}


def place_id(place: str) -> UUID:
    """The id after which a part goes on. Raises `ValueError`."""
    return UUID(hex=place) if place else UUID(int=0)
