"""The log of a game folded over its rules.

Pure: a `Setup` and the entries of the log determine every position, with no clock, database or randomness. The
service layer asks `judge`, or its two halves, whether a move is accepted, and `advance` what follows from it;
whoever looks back folds the log from the deal.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from games.catalog import AnyRules
from games.rules.contract import GameOver


class Setup(Struct, frozen=True):
    """What a game is dealt from: the rules it was begun with, resolved options, seats and deck order."""

    rules: AnyRules
    options: Any
    seats: int
    deck: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Setup of {self.rules.slug} for {self.seats}>"


class Entry(Struct, frozen=True):
    """A move in the log: who made it and what it was, in canonical form."""

    seat: int
    move: Any


class Position(Struct, frozen=True):
    """The state after `ply` entries of the log."""

    setup: Setup
    ply: int
    state: Any

    def __repr__(self) -> str:
        return f"<Position of {self.setup.rules.slug} at ply {self.ply}>"

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act, ascending; none when the game is over."""
        return self.setup.rules.to_act(self.state)


class Step(Struct, frozen=True):
    """One entry of the log between two positions, with the events that it caused."""

    before: Position
    entry: Entry
    events: tuple[Any, ...]
    after: Position

    def __repr__(self) -> str:
        return f"<Step of {self.before.setup.rules.slug} at ply {self.before.ply}>"


def lay_out(setup: Setup) -> Position:
    """The position after the deal; its setup has the options resolved.

    Raises `ValueError` for a wrong number of seats or a deck order that is not a permutation of the pack, and
    `IllegalOptions`.
    """
    rules = setup.rules
    if setup.seats not in rules.seats:
        raise ValueError(
            f"{rules.slug} is played by {rules.seats[0]} to {rules.seats[-1]}, not {setup.seats}"
        )
    options = rules.resolve(setup.options, setup.seats)
    if sorted(setup.deck) != sorted(rules.deck(options)):
        raise ValueError("the deck order is not a permutation of the pack")
    fixed = rules.fixed_deck(options)
    if fixed is not None and setup.deck != fixed:
        raise ValueError("the deck order is not the one that the options fix")
    resolved = Setup(rules, options, setup.seats, setup.deck)
    return Position(resolved, 0, rules.deal(options, setup.seats, setup.deck))


def require_to_act(position: Position, seat: int) -> None:
    """Raises `Refused` OVER, or TURN or the clause that says more, unless the seat may act."""
    to_act = position.to_act
    if not to_act:
        raise GameOver
    if seat not in to_act:
        raise position.setup.rules.out_of_turn(position.state, seat)


def legal_form(position: Position, seat: int, move: Any) -> Any:
    """The canonical form of a move of a seat that may act. Raises `IllegalMove`."""
    rules, state = position.setup.rules, position.state
    rules.check(state, seat, move)
    return rules.canonical(state, seat, move)


def judge(position: Position, seat: int, move: Any) -> Any:
    """The canonical form of a move that is accepted. Raises `Refused`: OVER, TURN, or the clause."""
    require_to_act(position, seat)
    return legal_form(position, seat, move)


def advance(position: Position, entry: Entry) -> Step:
    """The step that an accepted entry takes."""
    state, events = position.setup.rules.apply(position.state, entry.seat, entry.move)
    return Step(position, entry, events, Position(position.setup, position.ply + 1, state))


def fold(position: Position, entries: Iterable[Entry]) -> Iterator[Step]:
    """The steps from a position through the entries that follow it, lazily."""
    for entry in entries:
        step = advance(position, entry)
        yield step
        position = step.after


def position_after(position: Position, entries: Iterable[Entry]) -> Position:
    """The last position of a fold."""
    for step in fold(position, entries):
        position = step.after
    return position


def could_act_throughout(steps: Sequence[Step], seat: int) -> bool:
    """Whether a seat could act before and after each of these steps, and none is its own: what it decided
    before them it may still do."""
    return seat in steps[0].before.to_act and all(
        step.entry.seat != seat and seat in step.after.to_act for step in steps
    )


def stored_move(move: Any) -> Any:
    """A move as the log keeps it: JSON values."""
    return msgspec.to_builtins(move)


def entry_from(setup: Setup, seat: int, body: object) -> Entry:
    """An entry of the log from its stored form."""
    return Entry(seat, msgspec.convert(body, setup.rules.Move))
