"""Erasing a player: the account, and the seats at games that have not ended."""

import logging
from uuid import UUID

from django.db import DatabaseError, transaction
from procrastinate.contrib.django import app

from accounts.models import Player
from accounts.services.erasing import Text, accesses_end, account_erase, texts_rewrite
from cardsite.problems import Problem
from games.models import Game
from games.selectors.erased import unfinished_games
from games.services.gathering import game_leave
from games.services.leaving import game_resign

FINISH = "games.tasks.finish_erasing"
ATTEMPTS = 3

_OF_SEATED = "SELECT game_id FROM games_seat WHERE player_id = ANY (%(players)s)"
_TEXTS = (
    Text("accounts_auditentry", "reason", "varchar(200)", f"game IN ({_OF_SEATED})"),
    Text("games_voiding", "reason", "varchar(200)", f"game_id IN ({_OF_SEATED})"),
    Text("games_reveal", "reason", "varchar(200)", f"game_id IN ({_OF_SEATED})"),
)

logger = logging.getLogger(__name__)


def player_erase(*, player: Player, by: Player, reason: str) -> None:
    """Erase a player's account and those of the player's bots; running games are given up, open ones left.
    What was played stays, by a deleted player. An account that was erased stays so.

    Raises `Problem` forbidden (whoever has a role, above whom one does not rank, or whose password was changed
    meanwhile) or invalid (no reason, or a long one).
    """
    with transaction.atomic():
        erased = account_erase(player=player, by=by, reason=reason)
        texts_rewrite(erased=erased, texts=_TEXTS)
        for one in erased:
            # What requests that were under way have made meanwhile, and what fails below, goes then.
            finish = app.configure_task(FINISH, schedule_in={"minutes": 1})
            finish.defer(player_id=str(one.player_id))
    for one in erased:
        games_give_up(player_id=one.player_id)


def erasing_finish(*, player_id: UUID) -> None:
    """Do again, for an account that was erased a while ago, what a request under way may have undone. Raises
    `Problem` unavailable where a game cannot be left."""
    with transaction.atomic():
        accesses_end(player_ids=[player_id])
    if not games_give_up(player_id=player_id):
        raise Problem("unavailable", "A game cannot be left just now.")


def games_give_up(*, player_id: UUID) -> bool:
    """Give up all running games of a player whose account was erased, and leave the open ones; each by itself.
    Whether all were."""
    player = Player.objects.get(id=player_id)
    for _ in range(ATTEMPTS):
        games = unfinished_games(player_id=player_id)
        if not games:
            return True
        for game_id, status in games:
            _give_up(player, game_id, status)
    return not unfinished_games(player_id=player_id)


def _give_up(player: Player, game_id: UUID, status: str) -> None:
    try:
        if status == Game.Status.OPEN:
            game_leave(game_id=game_id, player=player)
        else:
            game_resign(game_id=game_id, player=player)
    except Problem as problem:
        # It has begun or ended meanwhile, which is seen when it is asked for again.
        logger.info("game %s is not left: %s", game_id, problem.code)
    except DatabaseError as error:
        logger.warning("game %s is not left: %s", game_id, type(error.__cause__ or error).__name__)
