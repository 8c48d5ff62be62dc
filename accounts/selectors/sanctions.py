"""Reading sanctions: which are in force, and whom they keep out."""

from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from msgspec import Struct

from accounts.locks import database_time
from accounts.models import Player, Sanction
from accounts.selectors.ranks import require_below
from cardsite.jsonbody import timestamp
from cardsite.problems import Problem

# The one that holds longest says until when. What binds a player binds the player's bots.
_SUSPENSION = """
    SELECT s.until, s.reason FROM accounts_sanction s
    WHERE s.player_id = ANY (ARRAY[{player}.id, {player}.bot_of_id]) AND s.kind = 'suspension'
      AND s.lifted_at IS NULL AND (s.until IS NULL OR s.until > statement_timestamp())
    ORDER BY s.until DESC NULLS FIRST LIMIT 1
"""


def suspension_sql(player: str) -> str:
    """`until` and `reason` of the suspension by which a row of players is kept out, as a subquery of no or one
    row; `player` is what the statement calls that row."""
    return _SUSPENSION.format(player=player)


class Suspension(Struct, frozen=True):
    """Until when a player is kept out, for ever where it is None, and why."""

    until: datetime | None
    reason: str


def suspension_of(*, player_id: UUID) -> Suspension | None:
    """What keeps a player out, if anything does."""
    sql = f"SELECT n.* FROM accounts_player p, LATERAL ({suspension_sql('p')}) AS n WHERE p.id = %s"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, (player_id,))
        found = cursor.fetchone()
    return Suspension(*found) if found else None


def suspended(suspension: Suspension) -> Problem:
    """What a player who is kept out is told."""
    until = None if suspension.until is None else timestamp(suspension.until)
    how_long = f"until {until}" if until else "until it is lifted"
    return Problem(
        "suspended",
        f"This account is suspended {how_long}: {suspension.reason}",
        until=until,
        reason=suspension.reason,
    )


def require_unmuted(player: Player) -> None:
    """Raises `Problem` muted, with until when and why; a bot is muted with its owner."""
    mutes = _in_force().filter(player__in=[player.id, player.bot_of_id], kind=Sanction.Kind.MUTE)
    mute = mutes.order_by(F("until").desc(nulls_first=True)).first()
    if mute is None:
        return
    until = None if mute.until is None else timestamp(mute.until)
    raise Problem(
        "muted",
        f"You may neither make nor join public games for several: {mute.reason}",
        until=until,
        reason=mute.reason,
    )


def sanctions_in_force(*, player_id: UUID) -> list[Sanction]:
    """The sanctions against a player that have not been lifted and are not over, newest first."""
    return list(_in_force().filter(player=player_id).order_by("-id"))


def sanction_to_lift(*, player: Player, sanction_id: UUID, by: Player) -> Sanction:
    """A sanction against a player that somebody of the staff may lift, or that was lifted already.

    Raises `Problem` not_found, or forbidden (a warning or what is over, which hold nobody back; one's own, or of
    somebody above whom one does not rank).
    """
    sanction = Sanction.objects.select_related("player").filter(id=sanction_id, player=player).first()
    if sanction is None:
        raise Problem("not_found", "There is no such sanction.")
    if sanction.lifted_at is not None:
        return sanction
    if sanction.kind == Sanction.Kind.WARNING:
        raise Problem("forbidden", "A warning holds nobody back, so there is nothing to lift.")
    if sanction.until is not None and sanction.until <= database_time():
        raise Problem("forbidden", "It is over by itself, so there is nothing to lift.")
    require_below(by=by, player=sanction.player)
    return sanction


def not_suspended(players: QuerySet[Player]) -> QuerySet[Player]:
    """Those of players whom no suspension keeps out."""
    meant = Q(player=OuterRef("id")) | Q(player=OuterRef("bot_of"))
    return players.exclude(Exists(_in_force().filter(meant, kind=Sanction.Kind.SUSPENSION)))


def _in_force() -> QuerySet[Sanction]:
    return Sanction.objects.filter(Q(until=None) | Q(until__gt=Now()), lifted_at=None)
