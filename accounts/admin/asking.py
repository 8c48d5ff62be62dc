"""Who looks at a page of the admin."""

from django.http import HttpRequest

from accounts.models import Player


def asker(request: HttpRequest) -> Player:
    """Who asks, of the staff."""
    assert isinstance(request.user, Player), "the admin lets nobody else in"
    return request.user
