"""Reading tokens."""

from uuid import UUID

from accounts import tokens
from accounts.models import ApiToken


def token_by_secret(*, secret: str) -> ApiToken | None:
    """The live token with this secret and its active player, in one query; None if there is none."""
    return (
        ApiToken.objects.select_related("player")
        .filter(digest=tokens.digest(secret), revoked_at=None, player__is_active=True)
        .first()
    )


def tokens_of_player(*, player_id: UUID, before: UUID | None, limit: int) -> list[ApiToken]:
    """The live tokens of a player, newest first, from below `before` on."""
    found = ApiToken.objects.filter(player_id=player_id, revoked_at=None).order_by("-id")
    if before is not None:
        found = found.filter(id__lt=before)
    return list(found[:limit])
