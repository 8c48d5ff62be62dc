"""Reading sessions."""

from uuid import UUID

from django.db.models.functions import Now

from accounts.models import Session


def live_sessions(*, player_id: UUID) -> list[Session]:
    """The sessions by which a player is logged in, those that last longest first."""
    return list(Session.objects.filter(player=player_id, expire_date__gt=Now()).order_by("-expire_date"))
