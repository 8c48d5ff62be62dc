"""`manage.py void_game GAME --by NAME --reason WHY`: have a finished game count for nothing."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from accounts.selectors.players import player_by_name
from cardsite.problems import Problem
from games.services.rating import game_void


class Command(BaseCommand):
    """Exit status 1 if there is no such game or player, or the game is not finished."""

    help = "Void a finished game: its changes of ratings are taken back, and boards and statistics lose it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", type=UUID, metavar="GAME")
        parser.add_argument("--by", required=True, metavar="NAME", help="who says so, of the staff")
        parser.add_argument("--reason", required=True)

    def handle(self, *args: Any, game: UUID, by: str, reason: str, **options: Any) -> None:
        player = player_by_name(username=by)
        if player is None or not player.is_staff:
            raise CommandError(f"there is nobody of the staff named {by}")
        try:
            game_void(game_id=game, by=player, reason=reason)
        except Problem as problem:
            raise CommandError(problem.detail) from None
        self.stdout.write(f"voided: {game}")
