"""Warning, muting and suspending players, and lifting it."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from accounts.locks import database_time, lock_player
from accounts.models import Player, Sanction
from accounts.selectors.ranks import require_sanctionable
from accounts.selectors.sanctions import sanction_to_lift
from accounts.services.audit import audit_write, clean_reason
from cardsite.jsonbody import timestamp
from cardsite.problems import Problem


@transaction.atomic
def player_sanction(
    *, player: Player, by: Player, kind: str, reason: str, until: datetime | None
) -> Sanction:
    """Warn, mute or suspend a player, until a time or for ever. It holds at once, and for the player's bots too;
    the clocks of running games go on. What somebody asks for twice, as by a form that is sent again, is done once;
    a warning may be given again.

    Raises `Problem` forbidden (oneself, whoever has a role or has erased the account, a bot, whose owner is
    meant) or invalid (no reason or a long one, another kind, a time that is past, a warning that ends).
    """
    reason = clean_reason(reason)
    if kind not in Sanction.Kind.values:
        raise _invalid("$.kind", "must be warning, mute or suspension")
    if until is not None and kind == Sanction.Kind.WARNING:
        raise _invalid("$.until", "must be left out of a warning")
    if until is not None and until <= database_time():
        raise _invalid("$.until", "must be later than now")
    kept = lock_player(player_id=player.id)
    if kept is None:
        raise Problem("forbidden", "The account was erased.")
    require_sanctionable(by=by, player=kept)
    asked = {"player": kept, "by": by, "kind": kind, "reason": reason, "until": until, "lifted_at": None}
    standing = None if kind == Sanction.Kind.WARNING else Sanction.objects.filter(**asked).first()
    if standing is not None:
        return standing
    sanction = Sanction.objects.create(player=kept, by=by, kind=kind, reason=reason, until=until)
    details = {"sanction": str(sanction.id), "until": None if until is None else timestamp(until)}
    audit_write(by=by, act=kind, reason=reason, player=kept, details=details)
    return sanction


@transaction.atomic
def sanction_lift(*, player: Player, sanction_id: UUID, by: Player, reason: str) -> Sanction:
    """Lift a sanction against a player that is in force; one that was lifted stays as it is.

    Raises `Problem` not_found, forbidden (a warning or what is over, which hold nobody back; one's own, or of
    somebody above whom one does not rank) or invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    lock_player(player_id=player.id)
    sanction = sanction_to_lift(player=player, sanction_id=sanction_id, by=by)
    if sanction.lifted_at is not None:
        return sanction
    Sanction.objects.filter(id=sanction_id).update(lifted_at=Now(), lifted_by=by, lift_reason=reason)
    audit_write(
        by=by,
        act="lift",
        reason=reason,
        player=player,
        details={"sanction": str(sanction_id), "kind": sanction.kind},
    )
    sanction.refresh_from_db()
    return sanction


def _invalid(path: str, message: str) -> Problem:
    return Problem(
        "invalid", f"{path.removeprefix('$.')} {message}.", errors=[{"path": path, "message": message}]
    )
