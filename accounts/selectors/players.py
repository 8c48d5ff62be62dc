"""Reading players."""

from collections.abc import Collection
from uuid import UUID

from accounts.models import Player


def player_by_name(*, username: str) -> Player | None:
    """The active player of that name, in any case of its letters."""
    named = Player.objects.filter(username__iexact=username, is_active=True)
    return named.select_related("bot_of").first()


def players_with_address(*, email: str) -> list[UUID]:
    """The active players who have an e-mail address, in any case of its letters."""
    found = Player.objects.filter(email__iexact=email, is_active=True).exclude(email="")
    return list(found.order_by("id").values_list("id", flat=True))


def active_players(*, ids: Collection[UUID]) -> list[Player]:
    """Those of the players who may log in."""
    return list(Player.objects.filter(id__in=ids, is_active=True).order_by("id"))


def bots_of_player(*, player_id: UUID, before: UUID | None, limit: int) -> list[Player]:
    """The bots of a player, newest first, from below `before` on; without those that were erased."""
    found = Player.objects.filter(bot_of_id=player_id, erased_at=None).order_by("-id")
    if before is not None:
        found = found.filter(id__lt=before)
    return list(found[:limit])


def bot_by_name(*, owner_id: UUID, username: str) -> Player | None:
    """The bot of that name that a player has, in any case of its letters."""
    return Player.objects.filter(bot_of=owner_id, username__iexact=username, is_active=True).first()
