"""Golden playthroughs: a whole game of every variant, kept as it was, so that a change of behaviour shows.

`python -m tests.rules.golden` writes them anew.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from games import table
from games.rules.contract import said
from games.table import Entry, Position, Step
from tests.rules.checks import redacted
from tests.rules.variants import VARIANTS, Variant, golden_playout

FOLDER = Path(__file__).resolve().parent / "golden"
FULL_VIEWS_EVERY = 12
"""Every so many plies, and at the end, the views stand in full; elsewhere their digests."""
LINES_TO_DEPTH = 4
MOST_LEGAL = 400


def path_of(variant: Variant) -> Path:
    return FOLDER / f"{variant.name}.json"


def document(variant: Variant, deck: tuple[str, ...], entries: Iterable[Entry]) -> dict[str, Any]:
    """A variant's golden playthrough: how it is set up, its positions, its outcome."""
    setup = msgspec.structs.replace(variant.setup(0), deck=deck)
    position = table.lay_out(setup)
    positions = [_position(position)]
    for step in table.fold(position, entries):
        position = step.after
        positions.append({"step": _step(step), **_position(position)})
    return {
        "slug": variant.slug,
        "version": setup.rules.version,
        "options": variant.options,
        "seats": variant.seats,
        "deck": " ".join(deck),
        "positions": positions,
        "outcome": msgspec.to_builtins(setup.rules.outcome(position.state)),
    }


def replayed(variant: Variant, kept: dict[str, Any]) -> dict[str, Any]:
    """The golden playthrough that the deck order and the moves of a kept one make."""
    setup = variant.setup(0)
    steps = [position["step"] for position in kept["positions"][1:]]
    entries = (table.entry_from(setup, step["seat"], step["move"]) for step in steps)
    return document(variant, tuple(kept["deck"].split()), entries)


def _step(step: Step) -> dict[str, Any]:
    rules = step.before.setup.rules
    move, events = redacted(step, None)
    shown: dict[str, Any] = {
        "seat": step.entry.seat,
        "move": table.stored_move(step.entry.move),
        "events": msgspec.to_builtins(step.events),
        "words": said(rules.describe(step.entry.seat, step.entry.move, step.events)),
        "to a spectator": said(rules.describe(step.entry.seat, move, events)),
        "may reveal": rules.may_reveal(step.before.state, step.entry.seat, step.entry.move),
    }
    if not rules.hides:
        del shown["to a spectator"], shown["may reveal"]
    return shown


def _position(position: Position) -> dict[str, Any]:
    rules, state = position.setup.rules, position.state
    full = position.ply % FULL_VIEWS_EVERY == 0 or not position.to_act
    viewers = (*range(position.setup.seats), None) if rules.hides else (None,)
    return {
        "ply": position.ply,
        "legal": {str(seat): _legal(position, seat) for seat in position.to_act},
        "views": {
            "spectator" if viewer is None else f"seat {viewer}": _view(rules.view(state, viewer), full=full)
            for viewer in viewers
        },
    }


def _legal(position: Position, seat: int) -> str:
    """The legal moves, or where they are very many how many, and their digest."""
    words = _words(position, seat)
    if len(words) <= MOST_LEGAL:
        return " ".join(words)
    return f"{len(words)} moves, {hashlib.sha256(' '.join(words).encode()).hexdigest()[:12]}"


def _words(position: Position, seat: int) -> list[str]:
    """Legal moves, as short as can be: in the game's notation, or what stands in them."""
    rules = position.setup.rules
    moves = rules.legal_moves(position.state, seat)
    if rules.has_notation:
        return [rules.notate(position.state, move) for move in moves]
    return [",".join(map(str, table.stored_move(move).values())) for move in moves]


def _view(view: Any, *, full: bool) -> Any:
    if full:
        return msgspec.to_builtins(view)
    return hashlib.sha256(msgspec.json.encode(view)).hexdigest()[:12]


def written(golden: dict[str, Any]) -> str:
    """A golden playthrough as JSON, one line for each thing that may differ."""
    return _indented(golden, 0) + "\n"


def _indented(value: Any, depth: int) -> str:
    if depth == LINES_TO_DEPTH or not value or not isinstance(value, dict | list):
        return msgspec.json.encode(value).decode()
    margin = "\n" + " " * depth
    if isinstance(value, list):
        items, ends = [_indented(item, depth + 1) for item in value], "[]"
    else:
        items, ends = [f'"{key}": {_indented(item, depth + 1)}' for key, item in value.items()], "{}"
    return ends[0] + ",".join(f"{margin} {item}" for item in items) + margin + ends[1]


if __name__ == "__main__":
    for variant in VARIANTS:
        steps = list(golden_playout(variant))
        golden = document(variant, steps[0].before.setup.deck, (step.entry for step in steps))
        path_of(variant).write_text(written(golden), encoding="utf-8")
