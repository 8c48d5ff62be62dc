"""A verified replay beside one with dataclasses and deepcopy: `python -m bench.replay [--plies N] [--rounds N]`.

Both replay the same FreeCell moves from the same deal, check each move before it is made, and keep the position
after every move. The other way is the usual one: a mutable dataclass, copied whole before each move.
"""

import argparse
import time
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from statistics import median
from typing import Any

from games import table
from games.catalog import CURRENT
from games.rules.cards import ACE_LOW, RED
from games.rules.freecell import CELLS, COLUMNS, FreecellMove


@dataclass
class Card:
    name: str
    rank: int
    red: bool


@dataclass
class Board:
    columns: list[list[Card]]
    cells: list[Card | None] = field(default_factory=lambda: [None] * 4)
    foundations: dict[str, list[Card]] = field(default_factory=lambda: {suit: [] for suit in "CDHS"})

    def cards_at(self, place: str) -> list[Card]:
        if place in COLUMNS:
            return self.columns[COLUMNS.index(place)]
        card = self.cells[CELLS.index(place)]
        return [] if card is None else [card]

    def check(self, move: FreecellMove, count: int) -> None:
        lifted = self.cards_at(move.source)[-count:]
        assert len(lifted) == count
        for upper, lower in pairwise(lifted):
            assert lower.rank == upper.rank - 1
            assert lower.red != upper.red
        if move.target == "h":
            assert len(self.foundations[lifted[0].name[1]]) == lifted[0].rank - 1
        elif move.target in CELLS:
            assert self.cells[CELLS.index(move.target)] is None
        elif onto := self.columns[COLUMNS.index(move.target)]:
            assert onto[-1].rank == lifted[0].rank + 1
            assert onto[-1].red != lifted[0].red

    def make(self, move: FreecellMove, count: int) -> None:
        lifted = self.cards_at(move.source)[-count:]
        if move.source in COLUMNS:
            del self.columns[COLUMNS.index(move.source)][-count:]
        else:
            self.cells[CELLS.index(move.source)] = None
        if move.target == "h":
            self.foundations[lifted[0].name[1]] += lifted
        elif move.target in CELLS:
            self.cells[CELLS.index(move.target)] = lifted[0]
        else:
            self.columns[COLUMNS.index(move.target)] += lifted


def game(plies: int) -> tuple[table.Setup, list[FreecellMove]]:
    """A game of at least so many moves."""
    rules = CURRENT["freecell"]
    for seed in range(10_000):
        rng = Random(seed)
        deck = list(rules.deck(rules.Options()))
        rng.shuffle(deck)
        setup = table.Setup(rules, rules.Options(), 1, tuple(deck))
        position, moves = table.lay_out(setup), []
        while position.to_act and len(moves) < plies:
            moves.append(rng.choice(list(rules.legal_moves(position.state, 0))))
            position = table.advance(position, table.Entry(0, moves[-1])).after
        if len(moves) == plies:
            return setup, moves
    raise SystemExit("no random game is so long")


def ours(setup: table.Setup, moves: list[FreecellMove]) -> list[Any]:
    position = table.lay_out(setup)
    positions = [position]
    for move in moves:
        canonical = table.judge(position, 0, move)
        position = table.advance(position, table.Entry(0, canonical)).after
        positions.append(position)
    return positions


def the_usual_way(setup: table.Setup, moves: list[FreecellMove]) -> list[Any]:
    cards = [Card(name, ACE_LOW[name], name in RED) for name in setup.deck]
    board = Board([cards[number::8] for number in range(8)])
    positions = [board]
    for move in moves:
        count = int(move.count or 1)
        board = deepcopy(board)
        board.check(move, count)
        board.make(move, count)
        positions.append(board)
    return positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    setup, moves = game(given.plies)
    end, other_end = ours(setup, moves)[-1], the_usual_way(setup, moves)[-1]
    columns = tuple(tuple(card.name for card in column) for column in other_end.columns)
    assert end.state.columns == columns, "the two ways came to different positions"
    times: dict[str, list[float]] = {"ours": [], "dataclasses and deepcopy": []}
    for _ in range(given.rounds):
        for name, replay, repeats in (("ours", ours, 20), ("dataclasses and deepcopy", the_usual_way, 1)):
            started = time.process_time()
            for _ in range(repeats):
                replay(setup, moves)
            times[name].append((time.process_time() - started) / repeats)
    for name, found in times.items():
        print(f"{name:28}{median(found) * 1000:10.2f} ms for a replay of {given.plies} moves")
    ratios = [slow / quick for quick, slow in zip(*times.values(), strict=True)]
    print(f"{median(ratios):.0f} × faster ({min(ratios):.0f}–{max(ratios):.0f})")


if __name__ == "__main__":
    main()
