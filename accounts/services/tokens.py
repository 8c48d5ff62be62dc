"""Making, using and revoking tokens."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts import tokens
from accounts.locks import lock_unchanged, lock_with_owner
from accounts.models import ApiToken, Player
from accounts.selectors.ranks import require_below
from accounts.services.audit import audit_write
from cardsite.problems import Problem


@transaction.atomic
def token_create(*, player: Player, name: str) -> tuple[ApiToken, str]:
    """A new token, and its secret, which is known only now. Raises `Problem` forbidden (an account that was erased
    or got another password meanwhile)."""
    lock_unchanged(player=player)
    secret = tokens.new_secret()
    token = ApiToken.objects.create(
        player=player, name=name, digest=tokens.digest(secret), hint=secret[: tokens.HINT_LENGTH]
    )
    return token, secret


def token_revoke(*, player: Player, token_id: UUID) -> None:
    """End a token of the player's own. Raises `Problem` not_found."""
    if not ApiToken.objects.filter(id=token_id, player=player, revoked_at=None).update(revoked_at=Now()):
        raise Problem("not_found", "You have no such token.")


def tokens_revoke_own(*, player: Player) -> int:
    """End all tokens of a player, by their own wish: how many there were."""
    return ApiToken.objects.filter(player=player, revoked_at=None).update(revoked_at=Now())


@transaction.atomic
def token_end(*, player: Player, token_id: UUID, by: Player, reason: str) -> None:
    """End a token of a player. Raises `Problem` forbidden (one does not rank above the player), not_found or
    invalid (no reason, or a long one)."""
    require_below(by=by, player=lock_with_owner(player_id=player.id))
    token_revoke(player=player, token_id=token_id)
    audit_write(by=by, act="revoke_token", reason=reason, player=player, details={"token": str(token_id)})


@transaction.atomic
def tokens_revoke_all(*, player: Player, by: Player, reason: str) -> int:
    """End all tokens of a player: how many there were. Raises `Problem` forbidden (one does not rank above the
    player) or invalid (no reason, or a long one)."""
    require_below(by=by, player=lock_with_owner(player_id=player.id))
    revoked = tokens_revoke_own(player=player)
    audit_write(by=by, act="revoke_tokens", reason=reason, player=player, details={"tokens": revoked})
    return revoked


def note_token_use(*, token_id: UUID, every: timedelta) -> None:
    """Keep when a token was last used, no more often than `every`."""
    ApiToken.objects.filter(Q(last_used_at=None) | Q(last_used_at__lte=Now() - every), id=token_id).update(
        last_used_at=Now()
    )
