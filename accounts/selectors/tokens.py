"""Reading tokens."""

from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection

from accounts import tokens
from accounts.models import ApiToken, Player
from accounts.selectors.sanctions import Suspension, suspended, suspension_sql

_TOKEN_FIELDS = [field.attname for field in ApiToken._meta.concrete_fields]
_PLAYER_FIELDS = [field.attname for field in Player._meta.concrete_fields]
# In every request: composing it anew would cost more than running it.
_LIVE_TOKEN = f"""
SELECT n.reason IS NOT NULL, n.until, n.reason, {", ".join(f't."{name}"' for name in _TOKEN_FIELDS)},
       {", ".join(f'p."{name}"' for name in _PLAYER_FIELDS)}
FROM {ApiToken._meta.db_table} t JOIN {Player._meta.db_table} p ON p.id = t.player_id
LEFT JOIN LATERAL ({suspension_sql("p")}) AS n ON true
WHERE t.digest = %s AND t.revoked_at IS NULL AND p.is_active
"""  # noqa: S608 - of constants


def token_by_secret(*, secret: str) -> ApiToken | None:
    """The live token with this secret and its active player, in one query; None if there is none. Raises
    `Problem` suspended."""
    with connection.cursor() as cursor:
        cursor.execute(_LIVE_TOKEN, (tokens.digest(secret),))
        found = cursor.fetchone()
    if found is None:
        return None
    is_suspended, until, reason, *row = found
    if is_suspended:
        raise suspended(Suspension(until, reason))
    token = ApiToken.from_db(DEFAULT_DB_ALIAS, _TOKEN_FIELDS, row[: len(_TOKEN_FIELDS)])
    token.player = Player.from_db(DEFAULT_DB_ALIAS, _PLAYER_FIELDS, row[len(_TOKEN_FIELDS) :])
    return token


def tokens_of_player(*, player_id: UUID, before: UUID | None, limit: int) -> list[ApiToken]:
    """The live tokens of a player, newest first, from below `before` on."""
    found = ApiToken.objects.filter(player_id=player_id, revoked_at=None).order_by("-id")
    if before is not None:
        found = found.filter(id__lt=before)
    return list(found[:limit])


def token_of_player(*, player_id: UUID, token_id: UUID) -> ApiToken | None:
    """A live token of the player's own, or None."""
    return ApiToken.objects.filter(id=token_id, player_id=player_id, revoked_at=None).first()
