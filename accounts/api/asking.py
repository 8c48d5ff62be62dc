"""Who asks."""

from uuid import UUID

from rest_framework.request import Request

from accounts.models import Player


def player_of(request: Request) -> Player:
    """The player who asks, behind a permission that lets nobody else through."""
    assert isinstance(request.user, Player)
    return request.user


def player_id_of(request: Request) -> UUID | None:
    """The id of the player who asks, or None for somebody without an account."""
    return request.user.pk if request.user.is_authenticated else None
