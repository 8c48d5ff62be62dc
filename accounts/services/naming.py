"""What players are called that cannot stay."""

from django.db import transaction

from accounts.locks import lock_with_owner
from accounts.models import Player
from accounts.selectors.ranks import require_below
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem


@transaction.atomic
def display_name_reset(*, player: Player, by: Player, reason: str) -> None:
    """Put a player's user name in the place of the display name. The player may choose another.

    Raises `Problem` forbidden (an account that was erased, one above which one does not rank, a display name that
    is the user name) or invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    kept = lock_with_owner(player_id=player.id)
    if kept.erased_at is not None:
        raise Problem("forbidden", "The account was erased.")
    require_below(by=by, player=kept)
    if kept.display_name == kept.username:
        raise Problem("forbidden", "The display name is the user name already.")
    Player.objects.filter(id=kept.id).update(display_name=kept.username)
    audit_write(by=by, act="reset_display_name", reason=reason, player=kept)
