"""By what somebody has come in, and whether it still lets them in: for what goes on long after it was asked."""

from collections.abc import Collection
from uuid import UUID

from django.db import connection
from msgspec import Struct

from accounts.selectors.sanctions import suspension_sql


class Access(Struct, frozen=True):
    """A player, with the token or the session (by its handle) by which the player asks, where it is one."""

    player_id: UUID
    token_id: UUID | None = None
    session: str | None = None


_STANDING = f"""
SELECT a.number
FROM unnest(%s::int[], %s::uuid[], %s::uuid[], %s::text[]) AS a (number, player, token, session)
JOIN accounts_player p ON p.id = a.player
WHERE p.is_active AND NOT EXISTS ({suspension_sql("p")})
  AND (a.token IS NULL OR EXISTS (
    SELECT FROM accounts_apitoken t WHERE t.id = a.token AND t.player_id = p.id AND t.revoked_at IS NULL))
  AND (a.session IS NULL OR EXISTS (
    SELECT FROM accounts_session s WHERE s.player_id = p.id AND s.expire_date > statement_timestamp()
      AND left(encode(sha256(convert_to(s.session_key, 'UTF8')), 'hex'), length(a.session)) = a.session))
"""  # noqa: S608 - of constants


def accesses_standing(*, accesses: Collection[Access]) -> set[Access]:
    """Those by which somebody still comes in, in one query: tokens that were not revoked, sessions that have not
    ended, of players who are neither gone nor suspended."""
    asked = list(accesses)
    with connection.cursor() as cursor:
        cursor.execute(
            _STANDING,
            (
                list(range(len(asked))),
                [one.player_id for one in asked],
                [one.token_id for one in asked],
                [one.session for one in asked],
            ),
        )
        return {asked[number] for (number,) in cursor.fetchall()}
