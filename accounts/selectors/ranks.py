"""Who stands above whom among those who look after the site, and so may act on whose account."""

from accounts.models import Player
from cardsite.problems import Problem

ROLES = ("viewer", "moderator", "operator")
"""Each is a group, whose permissions a migration has set: to look; to look after games and players as well; and
to erase accounts, give roles and have jobs done again besides. Who has all rights stands above them."""
ALL_RIGHTS = len(ROLES) + 1
_CALLED = ("a player", "a viewer", "a moderator", "an operator", "somebody with all rights")


def rank_of(player: Player) -> int:
    """0 of a player without a role, then the roles in their order, and `ALL_RIGHTS`. A bot ranks as its owner."""
    person = player.bot_of or player
    if person.is_superuser:
        return ALL_RIGHTS
    if not person.is_staff:
        return 0
    # All groups are looked at, since they may have been read already. Who enters the admin without a role ranks
    # as a viewer.
    return max((ROLES.index(one.name) + 1 for one in person.groups.all() if one.name in ROLES), default=1)


def roles_below(player: Player) -> tuple[str, ...]:
    """The roles that somebody may give."""
    return ROLES[: max(rank_of(player) - 1, 0)]


def may_act_on(*, by: Player, player: Player) -> bool:
    """Whether somebody of the staff may act on an account."""
    return _why_not(by, player) is None


def require_below(*, by: Player, player: Player) -> None:
    """Raises `Problem` forbidden unless somebody of the staff may act on an account: on those alone who rank below
    oneself, and neither on one's own account nor on those of one's bots."""
    why = _why_not(by, player)
    if why is not None:
        raise Problem("forbidden", why)


def require_sanctionable(*, by: Player, player: Player) -> None:
    """Raises `Problem` forbidden unless somebody of the staff may warn, mute or suspend a player."""
    if player.erased_at is not None:
        raise Problem("forbidden", "The account was erased.")
    if player.id == by.id:
        raise Problem("forbidden", "Nobody judges themselves.")
    if player.bot_of_id is not None:
        raise Problem("forbidden", "A bot's owner is meant, and the bot with the owner.")
    if player.is_staff or player.is_superuser:
        raise Problem("forbidden", "Whoever has a role loses it first: somebody who ranks above takes it.")


def require_erasable(*, by: Player, player: Player) -> None:
    """Raises `Problem` forbidden unless somebody may erase an account: one's own or one's bot's, or as one of the
    staff that of anybody below."""
    if player.is_staff or player.is_superuser:
        raise Problem("forbidden", "Whoever has a role loses it first: somebody who ranks above takes it.")
    if by.id not in (player.id, player.bot_of_id):
        require_below(by=by, player=player)


def _why_not(by: Player, player: Player) -> str | None:
    if player.id == by.id:
        return "Nobody acts on their own account here."
    if player.bot_of_id == by.id:
        return "Nobody acts on their own bots here."
    rank = rank_of(player)
    if rank_of(by) > rank:
        return None
    return f"{player.username} ranks as {_CALLED[rank]}, and only who ranks above acts on that account."
