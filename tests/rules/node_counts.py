"""How many positions are reached in so many moves from one deal of every variant (perft).

`python -m tests.rules.node_counts` counts them anew and writes `node_counts.json`.
"""

import json
from pathlib import Path

from games import table
from games.table import Entry, Position
from tests.rules.variants import VARIANTS, Variant

KEPT = Path(__file__).resolve().parent / "node_counts.json"
SEED = 2026
MOST_EXPANDED = 3_000


def count_nodes(variant: Variant, depth: int | None = None) -> list[int]:
    """Sequences of 1, 2, … legal moves of any seats that may act, to a depth; without one as deep as there are
    few enough to go on from."""
    level, counts = [table.lay_out(variant.setup(SEED))], list[int]()
    while level and (len(level) <= MOST_EXPANDED if depth is None else len(counts) < depth):
        moves = [
            (position, seat, move)
            for position in level
            for seat in position.to_act
            for move in position.setup.rules.legal_moves(position.state, seat)
        ]
        counts.append(len(moves))
        goes_on = len(moves) <= MOST_EXPANDED if depth is None else len(counts) < depth
        level = [_after(*move) for move in moves] if goes_on else []
    return counts


def _after(position: Position, seat: int, move: object) -> Position:
    return table.advance(position, Entry(seat, move)).after


if __name__ == "__main__":
    counted = {variant.name: count_nodes(variant) for variant in VARIANTS}
    lines = ",\n".join(f'"{name}": {json.dumps(counts)}' for name, counts in counted.items())
    KEPT.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
