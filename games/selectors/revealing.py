"""Who has had shown what a game hides, who plays it, and so who of the staff may do what about it."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Player
from cardsite.problems import Problem
from games.models import Game, Reveal, Seat


def is_revealed_to(*, game_id: UUID, player_id: UUID) -> bool:
    """Whether a player has had shown what a game hides."""
    return Reveal.objects.filter(game_id=game_id, by_id=player_id).exists()


def revealed_at(*, game_id: UUID, player_id: UUID) -> datetime | None:
    """When a player had shown what a game hides, if ever."""
    return Reveal.objects.filter(game_id=game_id, by_id=player_id).values_list("at", flat=True).first()


def is_deal_revealed_to(*, deal_id: UUID, player_id: UUID) -> bool:
    """Whether a player has had shown a deal of the day, in somebody's game with it."""
    return Reveal.objects.filter(game__daily=deal_id, by_id=player_id).exists()


def is_known_to(*, game_id: UUID, player: Player) -> bool:
    """Whether what a game hides was shown to a player, or to the owner of a bot."""
    return Reveal.objects.filter(game_id=game_id, by__in=[player.id, player.bot_of_id]).exists()


def has_a_seat(*, game_id: UUID, player_id: UUID) -> bool:
    """Whether a player, or a bot of the player's, sits at a game."""
    return _seats_of(player_id).filter(game=game_id).exists()


def plays_its_deal(*, game: Game, player_id: UUID) -> bool:
    """Whether a player, or a bot of the player's, sits at a game or plays the same deal of the day just now."""
    same_deal = Q(game=game.id)
    if game.daily_id is not None:
        same_deal |= Q(game__daily=game.daily_id, game__status=Game.Status.RUNNING)
    return _seats_of(player_id).filter(same_deal).exists()


def require_revealable(*, game: Game, by: Player) -> None:
    """Raises `Problem` forbidden unless somebody of the staff may be shown what a game hides."""
    if plays_its_deal(game=game, player_id=by.id):
        raise Problem("forbidden", "Who plays a game, or whose bot does, is not shown what it hides.")


def require_voidable(*, game: Game, by: Player, at: datetime) -> None:
    """Raises `Problem` not_disclosed, not_over or forbidden unless somebody of the staff may void a game; who may
    not know yet how a try at the deal of the day goes is not told whether it is over."""
    is_sealed = game.sealed_until is not None and at < game.sealed_until
    if is_sealed and not is_revealed_to(game_id=game.id, player_id=by.id):
        raise Problem(
            "not_disclosed",
            "Others still play this deal: it can be voided when its day is over, or once revealed.",
        )
    if game.status != Game.Status.FINISHED:
        raise Problem("not_over", f"The game is {game.status}.", game_status=game.status)
    if has_a_seat(game_id=game.id, player_id=by.id):
        raise Problem("forbidden", "Who played a game, or whose bot did, does not void it.")


def _seats_of(player_id: UUID) -> QuerySet[Seat]:
    return Seat.objects.filter(Q(player=player_id) | Q(player__bot_of=player_id))
