"""Who asks, and who is asked about."""

from uuid import UUID

from rest_framework.request import Request

from accounts.models import Player
from accounts.selectors.players import player_by_name
from cardsite.problems import Problem


def player_of(request: Request) -> Player:
    """The player who asks, behind a permission that lets nobody else through."""
    assert isinstance(request.user, Player)
    return request.user


def player_id_of(request: Request) -> UUID | None:
    """The id of the player who asks, or None for somebody without an account."""
    return request.user.pk if request.user.is_authenticated else None


def player_named(username: str) -> Player:
    """The active player of that name. Raises `Problem` not_found."""
    player = player_by_name(username=username)
    if player is None:
        raise Problem("not_found", "There is no such player.")
    return player
