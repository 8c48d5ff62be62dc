"""Reading players."""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from accounts.models import Player

MOST_OF_ADDRESS = 10


def player_by_name(*, username: str) -> Player | None:
    """The active player of that name, in any case of its letters."""
    named = Player.objects.filter(username__iexact=username, is_active=True)
    return named.select_related("bot_of").first()


def compared_address(email: str) -> str:
    """An address as it is compared by the database, by which alone two are known to be one: what is upper case of
    what, it decides by rules of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT upper(%s::text)", (email,))
        compared: str = cursor.fetchone()[0]
    return compared


def players_with_address(*, email: str) -> list[list[UUID]]:
    """The active players who have an e-mail address in any case of its letters, together where it is spelt alike:
    another spelling may be another's mailbox. Of many the oldest, whom nobody crowds out by signing up."""
    found = Player.objects.filter(email__iexact=email, is_active=True).exclude(email="")
    by_spelling = dict[str, list[UUID]]()
    for player_id, spelt in found.order_by("id").values_list("id", "email")[:MOST_OF_ADDRESS]:
        by_spelling.setdefault(spelt, []).append(player_id)
    return list(by_spelling.values())


def active_players(*, ids: Iterable[UUID]) -> list[Player]:
    """Those of the players who may log in."""
    return list(Player.objects.filter(id__in=list(ids), is_active=True).order_by("id"))


def bots_of_player(*, player_id: UUID, before: UUID | None, limit: int) -> list[Player]:
    """The bots of a player, newest first, from below `before` on; without those that were erased."""
    found = Player.objects.filter(bot_of_id=player_id, erased_at=None).order_by("-id")
    if before is not None:
        found = found.filter(id__lt=before)
    return list(found[:limit])


def ids_of_name(name: str) -> list[UUID]:
    """The id of the player of that name, in any case of its letters, active or not; none where there is none."""
    found = Player.objects.filter(username__iexact=name.replace("\0", "").strip())
    return list(found.values_list("id", flat=True))


def bot_by_name(*, owner_id: UUID, username: str) -> Player | None:
    """The bot of that name that a player has, in any case of its letters."""
    return Player.objects.filter(bot_of=owner_id, username__iexact=username, is_active=True).first()
