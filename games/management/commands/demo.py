"""`manage.py demo [--games N] [--players N]`: a site to look at."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError
from psycopg.errors import InsufficientPrivilege
from tqdm import tqdm

from cardsite.past_pooler import past_pooler
from games.locks import lock_demo
from games.services.demo import FEWEST_GAMES, FEWEST_PLAYERS, WEEK_AGO, Filled, Lost, demo_fill, others_found

PASSWORD = "cards-on-the-table"  # noqa: S105 - everybody is told
EXAMPLES = 3


class Command(BaseCommand):
    """Exit status 1, before anything is changed, where others seem to use the server; and where the database's
    account may make no schema."""

    help = (
        "Fill a new server with players and the games of their last three weeks, played through the services. "
        "Everybody knows the players' password: this is for looking, not for a server that others use."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=300, help="(default: %(default)s)")
        parser.add_argument("--players", type=int, default=24, help="(default: %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="of what is chosen (default: %(default)s)")
        parser.add_argument(
            "--beside-others",
            action="store_true",
            help="also where there are players or games already, or HTTPS is on: anybody can be the new ones",
        )

    def handle(
        self, *args: Any, games: int, players: int, seed: int, beside_others: bool, **options: Any
    ) -> None:
        if games < FEWEST_GAMES or players < FEWEST_PLAYERS:
            raise CommandError(
                f"a demo has {FEWEST_GAMES} games or more, and {FEWEST_PLAYERS} players or more"
            )
        with past_pooler(), lock_demo() as is_alone:
            if not is_alone:
                raise CommandError("another demo is being made: nothing was changed")
            self._fill(
                games=games,
                players=players,
                seed=seed,
                beside_others=beside_others,
                verbosity=options["verbosity"],
            )

    def _fill(self, *, games: int, players: int, seed: int, beside_others: bool, verbosity: int) -> None:
        others = None if beside_others else others_found()
        if others is not None:
            raise CommandError(
                f"{others}: nothing was changed. A demo's players have a password that everybody knows; "
                "--beside-others makes them all the same"
            )
        call_command("migrate", interactive=False, verbosity=verbosity - 1)
        with tqdm(total=players + games, unit=" players and games", file=self.stderr) as bar:
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
        for lost in _examples(filled):
            day = lost.at.date()
            self.stdout.write(f"{lost.player} lost at {lost.ruleset} on {day}: /games/{lost.game}/")
            self.stdout.write(
                f"    found by /games/?player={lost.player}&result=loss&ended_from={day}&ended_to={day}"
            )


def _examples(filled: Filled) -> list[Lost]:
    """Some that were lost last week, of a game one: from seven days before the filling began until the day before
    it, the earliest first, as on the first of these days it was last week however one counts. Midnight may have
    passed since it began."""
    until = filled.until
    days = (until - WEEK_AGO).date(), (until - timedelta(days=1)).date()
    last_week = {one.game: one for one in filled.lost if days[0] <= one.at.date() <= days[1]}
    return sorted(last_week.values(), key=lambda one: one.at)[:EXAMPLES]
