"""`manage.py demo [--games N] [--players N]`: a site to look at."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError
from psycopg.errors import InsufficientPrivilege
from tqdm import tqdm

from games.locks import database_time
from games.models import Game
from games.services.demo import FEWEST_GAMES, FEWEST_PLAYERS, Filled, demo_fill

PASSWORD = "cards-on-the-table"  # noqa: S105 - everybody is told
EXAMPLES = 3


class Command(BaseCommand):
    """Exit status 1 where there are games already, or the database's account may make no schema."""

    help = (
        "Fill a new server with players and the games of their last three weeks, played through the services. "
        "Everybody knows the players' password: this is for looking, not for a server that others use."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=300, help="(default: %(default)s)")
        parser.add_argument("--players", type=int, default=24, help="(default: %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="of what is chosen (default: %(default)s)")
        parser.add_argument("--add", action="store_true", help="also where there are games already")

    def handle(self, *args: Any, games: int, players: int, seed: int, add: bool, **options: Any) -> None:
        if games < FEWEST_GAMES or players < FEWEST_PLAYERS:
            raise CommandError(
                f"a demo has {FEWEST_GAMES} games or more, and {FEWEST_PLAYERS} players or more"
            )
        call_command("migrate", interactive=False, verbosity=options["verbosity"] - 1)
        if Game.objects.exists() and not add:
            raise CommandError("there are games already; with --add those of a demo are put beside them")
        with tqdm(total=games, unit=" games", file=self.stderr) as bar:
            try:
                filled = demo_fill(
                    games=games, players=players, seed=seed, password=PASSWORD, tell=bar.update
                )
            except ProgrammingError as error:
                if isinstance(error.__cause__, InsufficientPrivilege):
                    raise CommandError("the database's account may not make a schema") from error
                raise
        self.stdout.write(f"{filled.games} games by {len(filled.players)} players")
        self._tell(filled)

    def _tell(self, filled: Filled) -> None:
        names = ", ".join(filled.players)
        self.stdout.write(f"Log in as any of {names}, with the password {PASSWORD}")
        now = database_time()
        last_week = {
            one.game: one for one in filled.lost if timedelta(days=2) < now - one.at < timedelta(days=9)
        }
        for lost in list(last_week.values())[:EXAMPLES]:
            self.stdout.write(
                f"{lost.player} lost at {lost.ruleset} on {lost.at.date()}: /games/{lost.game}/"
            )
