"""`manage.py recompute_standings [--check]`: ratings and boards again from all that they follow from."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.locks import one_snapshot
from games.selectors.standings import rating_disagreements
from games.services.agreement import board_disagreements
from games.services.boards import boards_rebuild
from games.services.rating import ratings_rebuild


class Command(BaseCommand):
    """Exit status 1 if anything differs, or still does."""

    help = (
        "Set every rating to the sum of its changes, and make the leaderboards again from the results; "
        "with --check only say what differs, there or in a change."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        if not check:
            self.stdout.write(f"set: {ratings_rebuild()} ratings")
            boards_rebuild()
        differing = 0
        with one_snapshot():
            found: list[object] = list(rating_disagreements())
        for disagreement in (*found, *board_disagreements()):
            differing += 1
            self.stdout.write(str(disagreement))
        if differing:
            raise CommandError(f"{differing} differ")
        self.stdout.write("equal: ratings and boards are what follows from the games")
