"""Showing the staff what a game hides: written down, and at the price of playing it."""

from uuid import UUID

from django.db import transaction

from accounts.locks import lock_player
from accounts.models import Player
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem
from games.locks import lock_game
from games.models import Reveal
from games.selectors.revealing import require_revealable


@transaction.atomic
def game_reveal(*, game_id: UUID, by: Player, reason: str) -> None:
    """Let somebody have shown what a game hides; they, and their bots, do not join it, and do not begin with its
    deal of the day. What was shown once stays so.

    Raises `Problem` not_found, forbidden (who sits there or plays the same deal of the day, or whose bot does) or
    invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    # Before the game, as where a deal of the day is begun: it is not looked at by who begins it just now.
    lock_player(player_id=by.id)
    game = lock_game(game_id=game_id)
    if game is None:
        raise Problem("not_found", "There is no such game.")
    if Reveal.objects.filter(game=game, by=by).exists():
        return
    require_revealable(game=game, by=by)
    Reveal.objects.create(game=game, by=by, reason=reason)
    audit_write(by=by, act="reveal", reason=reason, game=game_id)
