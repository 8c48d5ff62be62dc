"""Random games of every variant, played to their ends: `python -m bench.soak [--games N] [--only SLUG]`.

Each game is dealt and played by a seed of its own, which is named where something fails. Looked at are exceptions,
that cards are conserved, that somebody can act until it is over, and the outcome.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from tests.rules.variants import VARIANTS
from tests.rules.whole_games import play_some

CHUNK = 250


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="of each variant")
    parser.add_argument("--only", help="the games of one rule set")
    given = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for variant in VARIANTS:
            if given.only not in (None, variant.slug):
                continue
            # Where the options fix the deal, games differ by their moves alone.
            chunks = [range(at, min(at + CHUNK, given.games)) for at in range(0, given.games, CHUNK)]
            started = time.perf_counter()
            plies = sum(workers.map(play_some, repeat(variant), chunks))
            seconds = time.perf_counter() - started
            print(
                f"{variant.name:64}{given.games:>8} games{plies:>10} moves{plies / seconds:>10.0f} a second",
                flush=True,
            )


if __name__ == "__main__":
    main()
