"""Reading players."""

from accounts.models import Player


def player_by_name(*, username: str) -> Player | None:
    """The active player of that name, in any case of its letters."""
    return Player.objects.filter(username__iexact=username, is_active=True).first()
