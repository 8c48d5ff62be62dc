"""Setting a new password."""

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.locks import lock_player
from accounts.models import Player
from accounts.services.sessions import sessions_end_others
from accounts.services.tokens import tokens_revoke_own
from cardsite.problems import Problem


@transaction.atomic
def password_set(
    *, player: Player, password: str, revokes_tokens: bool, keep_session: str | None = None
) -> None:
    """Set a player's password in place of the one that `player` was read with. Sessions end, but the one with the
    key `keep_session`; tokens do where it is wanted.

    Raises `Problem` forbidden for an account that nobody can log in with any more, or whose password has changed
    meanwhile.
    """
    hashed = make_password(password)
    kept = lock_player(player_id=player.id)
    if kept is None or not kept.is_active:
        raise Problem("forbidden", "Nobody can log in with this account.")
    if kept.password != player.password:
        raise Problem("forbidden", "The password was changed meanwhile.")
    Player.objects.filter(id=player.id).update(password=hashed)
    player.password = hashed
    sessions_end_others(player=player, keep=keep_session)
    if revokes_tokens:
        tokens_revoke_own(player=player)
