"""Who has had shown what a game hides."""

from uuid import UUID

from accounts.models import Player
from games.models import Reveal


def is_revealed_to(*, game_id: UUID, player_id: UUID) -> bool:
    """Whether a player has had shown what a game hides."""
    return Reveal.objects.filter(game_id=game_id, by_id=player_id).exists()


def is_deal_revealed_to(*, deal_id: UUID, player_id: UUID) -> bool:
    """Whether a player has had shown a deal of the day, in somebody's game with it."""
    return Reveal.objects.filter(game__daily=deal_id, by_id=player_id).exists()


def is_known_to(*, game_id: UUID, player: Player) -> bool:
    """Whether what a game hides was shown to a player, or to the owner of a bot."""
    return Reveal.objects.filter(game_id=game_id, by__in=[player.id, player.bot_of_id]).exists()
