"""Who may do what in the admin."""

from django.contrib.auth.models import Group
from django.db import transaction

from accounts.locks import lock_player
from accounts.models import Player
from accounts.selectors.ranks import ROLES, require_below, roles_below
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem


@transaction.atomic
def role_set(*, player: Player, by: Player, role: str | None, reason: str) -> None:
    """Give a player a role in place of the one before, or None, and with it the way into the admin.

    Raises `Problem` forbidden (oneself, a bot, whoever has all rights, may not log in or has erased the account;
    and a player or a role that does not rank below whoever gives it) or invalid (another role, no reason or a long
    one).
    """
    reason = clean_reason(reason)
    if role is not None and role not in ROLES:
        wanted = f"must be {', '.join(ROLES)} or none"
        raise Problem("invalid", f"A role {wanted}.", errors=[{"path": "$.role", "message": wanted}])
    kept = lock_player(player_id=player.id)
    if kept is None or kept.erased_at is not None or not kept.is_active:
        raise Problem("forbidden", "Nobody can log in with this account.")
    if kept.id == by.id:
        raise Problem("forbidden", "Nobody sets their own role.")
    if kept.bot_of_id is not None:
        raise Problem("forbidden", "A bot has no role.")
    if kept.is_superuser:
        raise Problem("forbidden", "Whoever has all rights needs no role.")
    require_below(by=by, player=kept)
    if role is not None and role not in roles_below(by):
        raise Problem("forbidden", "One gives only roles that rank below one's own.")
    before = kept.groups.filter(name__in=ROLES).values_list("name", flat=True).first()
    kept.groups.remove(*Group.objects.filter(name__in=ROLES))
    if role is not None:
        kept.groups.add(Group.objects.get(name=role))
    Player.objects.filter(id=kept.id).update(is_staff=role is not None)
    details = {"role": role, "before": before}
    audit_write(by=by, act="set_role", reason=reason, player=kept, details=details)
