"""`manage.py verify_games`: play everything stored again."""

import multiprocessing
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import django
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.catalog import CURRENT
from games.selectors.verification import begun_games, game_divergence

AT_ONCE = 1000


class Command(BaseCommand):
    """Exit status 1 if any game diverges."""

    help = "Replay every stored game by the rules of its version, in parallel, and say what diverges."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", choices=list(CURRENT), help="only games of this rule set")
        parser.add_argument(
            "--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)"
        )

    def handle(self, *args: Any, ruleset: str | None, workers: int, **options: Any) -> None:
        if workers < 1:
            raise CommandError("at least one process does it")
        diverging = total = 0
        with (
            multiprocessing.get_context("spawn").Pool(workers, initializer=django.setup) as pool,
            tqdm(unit=" games", file=self.stderr) as bar,
        ):
            for page in _pages(ruleset):
                for game_id, divergence in pool.imap_unordered(verified, page, chunksize=10):
                    bar.update()
                    total += 1
                    if divergence is not None:
                        diverging += 1
                        self.stdout.write(f"{game_id} diverges at {divergence}")
        self.stdout.write(f"{total - diverging} games verified")
        if diverging:
            raise CommandError(f"{diverging} of {total} games diverge")


def _pages(ruleset: str | None) -> Iterator[list[UUID]]:
    after = None
    while games := begun_games(after=after, limit=AT_ONCE, ruleset=ruleset):
        yield games
        after = games[-1]


def verified(game_id: UUID) -> tuple[UUID, str | None]:
    """A game, and at what it diverges, in words; in a process of the pool."""
    found = game_divergence(game_id=game_id)
    return game_id, None if found is None else str(found)
