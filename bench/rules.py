"""Random playouts in moves a second: `python -m bench.rules [--moves N] [--rounds N]`.

All games beside python-chess, and where they are installed RLCard's Uno and OpenSpiel's Crazy Eights, in turn, so
that a change of the machine's speed meets them all. A playout asks for all legal moves, chooses one and makes it,
until the game is over; python-chess makes its moves on one board, ours make a new state each.
"""

import argparse
import gc
import time
from collections.abc import Callable
from random import Random
from statistics import median

import chess

from games.catalog import CURRENT, AnyRules
from games.rules.contract import read_options

try:
    import numpy as np
    from rlcard.games.uno import Game as Uno
except ImportError:
    Uno = None

try:
    import pyspiel
except ImportError:
    pyspiel = None


def chess_playouts(rng: Random, wanted: int) -> int:
    made = 0
    while made < wanted:
        board = chess.Board()
        # What ends a game of ours is a look at the state; so is what ends these.
        while (moves := list(board.legal_moves)) and board.halfmove_clock < 150:
            board.push(rng.choice(moves))
            made += 1
    return made


def playouts(rules: AnyRules, seats: int, **given: object) -> Callable[[Random, int], int]:
    def run(rng: Random, wanted: int) -> int:
        made, options = 0, rules.resolve(read_options(rules, given), seats)
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


def uno_playouts(rng: Random, wanted: int) -> int:
    """RLCard's game of Uno alone, without its environment and encodings."""
    made = 0
    while made < wanted:
        game = Uno()
        game.np_random = np.random.RandomState(rng.randrange(2**31))
        game.init_game()
        while not game.is_over():
            game.step(rng.choice(game.get_legal_actions()))
            made += 1
    return made


def eights_playouts(rng: Random, wanted: int) -> int:
    """OpenSpiel's Crazy Eights, written in C++; chance is drawn, and does not count as a move."""
    made, game = 0, pyspiel.load_game("crazy_eights")
    while made < wanted:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                made += 1
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=60)
    given = parser.parse_args()
    contenders = {"python-chess": chess_playouts}
    if Uno is None or pyspiel is None:
        print("RLCard or OpenSpiel is not there: pip install rlcard open_spiel")
    if Uno is not None:
        contenders["RLCard uno"] = uno_playouts
    if pyspiel is not None:
        contenders["OpenSpiel crazy_eights"] = eights_playouts
    contenders |= {
        f"{slug} ({rules.seats[-1]})": playouts(rules, rules.seats[-1]) for slug, rules in CURRENT.items()
    }
    for seats in (2, 3):
        contenders[f"kraftkort ({seats})"] = playouts(CURRENT["kraftkort"], seats)
        contenders[f"kraftkort ({seats}), no exchange"] = playouts(
            CURRENT["kraftkort"], seats, exchange=False
        )
    for variant in ("lost-kings", "revealed-exchange"):
        contenders[f"las-pintas, {variant}"] = playouts(CURRENT["las-pintas"], 1, variant=variant)
    # What the libraries have made stays out of the collector's way, or each contender pays for all of them.
    gc.collect()
    gc.freeze()
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(given.rounds):
        for name, run in contenders.items():
            started = time.process_time()
            made = run(Random(number), given.moves)
            rates[name].append(made / (time.process_time() - started))
    base = rates["python-chess"]
    print(f"{'':32}{'moves a second':>16}{'× python-chess':>20}")
    for name, found in rates.items():
        ratios = [rate / beside for rate, beside in zip(found, base, strict=True)]
        print(f"{name:32}{median(found):16,.0f}{median(ratios):10.2f} ({min(ratios):.2f}–{max(ratios):.2f})")


if __name__ == "__main__":
    main()
