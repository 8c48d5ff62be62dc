"""Random playouts in moves a second: `python -m bench.rules [--moves N] [--rounds N]`.

FreeCell and Sicksack beside python-chess (`pip install chess`), in turn, so that a change of the machine's speed
meets them all. A playout asks for all legal moves, chooses one and makes it, until the game is over; python-chess
makes its moves on one board, ours make a new state each.
"""

import argparse
import time
from collections.abc import Callable
from random import Random
from statistics import median

import chess

from games.catalog import CURRENT, AnyRules


def chess_playouts(rng: Random, wanted: int) -> int:
    made = 0
    while made < wanted:
        board = chess.Board()
        # What ends a game of ours is a look at the state; so is what ends these.
        while (moves := list(board.legal_moves)) and board.halfmove_clock < 150:
            board.push(rng.choice(moves))
            made += 1
    return made


def playouts(rules: AnyRules, seats: int) -> Callable[[Random, int], int]:
    def run(rng: Random, wanted: int) -> int:
        made, options = 0, rules.Options()
        while made < wanted:
            deck = list(rules.deck(options))
            rng.shuffle(deck)
            state = rules.deal(options, seats, deck)
            while to_act := rules.to_act(state):
                seat = to_act[0]
                state, _ = rules.apply(state, seat, rng.choice(list(rules.legal_moves(state, seat))))
                made += 1
        return made

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=60)
    given = parser.parse_args()
    contenders = {"python-chess": chess_playouts}
    contenders |= {
        f"{slug} ({rules.seats[-1]})": playouts(rules, rules.seats[-1]) for slug, rules in CURRENT.items()
    }
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(given.rounds):
        for name, run in contenders.items():
            started = time.process_time()
            made = run(Random(number), given.moves)
            rates[name].append(made / (time.process_time() - started))
    base = rates["python-chess"]
    print(f"{'':16}{'moves a second':>16}{'× python-chess':>20}")
    for name, found in rates.items():
        ratios = [rate / beside for rate, beside in zip(found, base, strict=True)]
        print(f"{name:16}{median(found):16,.0f}{median(ratios):10.2f} ({min(ratios):.2f}–{max(ratios):.2f})")


if __name__ == "__main__":
    main()
