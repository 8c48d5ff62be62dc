"""The log of a game folded over its rules.

Pure: a `Setup` and the entries of the log determine every position, with no clock, database or randomness. The
service layer asks `judge`, or its two halves, whether a move is accepted, and `advance` what follows from it;
whoever looks back folds the log from the deal.

The rules see moves alone. Beside them the log tells what happens at a table: seats that leave, and are played by
the automatic player from then on; moves of a patience that are taken back; games that are closed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from games.catalog import AnyRules
from games.rules.contract import GameOver, Outcome, Result

Kind: TypeAlias = Literal["play", "auto", "undo", "resign", "timeout", "void"]
"""A move of a player; one made for a seat that has left or was out of time in an open phase; a move taken back;
a seat that leaves, by its own will or by running out of time; a game that is closed without a result."""
MOVES: tuple[Kind, ...] = ("play", "auto")
Leaving: TypeAlias = Literal["resign", "timeout"]
MOST_UNDOS = 2000  # of a game, so that no log grows without end
Ending: TypeAlias = Literal["played_out", "resigned", "timed_out", "abandoned"]


class Setup(Struct, frozen=True):
    """What a game is dealt from: the rules it was begun with, resolved options, seats and deck order."""

    rules: AnyRules
    options: Any
    seats: int
    deck: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Setup of {self.rules.slug} for {self.seats}>"


class Entry(Struct, frozen=True):
    """An entry of the log: whose it is (None where a game is closed), and for a move which, in canonical form."""

    seat: int | None
    move: Any = None
    kind: Kind = "play"


class Made(Struct, frozen=True):
    """A move of a patience that may yet be taken back: the state before it, and what it caused."""

    before: Any
    move: Any
    events: tuple[Any, ...]

    def __repr__(self) -> str:
        return "<Made>"


class Position(Struct, frozen=True):
    """The state after `ply` entries of the log. `left` are the seats that have left and how, the earliest first;
    `made` are the moves of a patience that stand, `undos` how often one was taken back."""

    setup: Setup
    ply: int
    state: Any
    left: tuple[tuple[int, Leaving], ...] = ()
    closed: bool = False
    made: tuple[Made, ...] = ()
    undos: int = 0

    def __repr__(self) -> str:
        return f"<Position of {self.setup.rules.slug} at ply {self.ply}>"

    @property
    def leavers(self) -> tuple[int, ...]:
        """The seats that have left, the earliest first."""
        return tuple(seat for seat, _ in self.left)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats whose players may act, ascending; none when the game is over."""
        if self.closed:
            return ()
        to_act = self.setup.rules.to_act(self.state)
        if not self.left:
            return to_act
        return () if self._given_up else tuple(seat for seat in to_act if seat not in self.leavers)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, and of one that was closed."""
        if self.closed:
            return None
        rules = self.setup.rules
        played = rules.outcome(self.state)
        if not self.left or (played is None and not self._given_up):
            return played
        if rules.is_cooperative(self.setup.options) or self.setup.seats == 1:
            seats, lost = self.setup.seats, list[Result](["loss"])
            return Outcome((1,) * seats, tuple(lost * seats), rules.score(self.state))
        return _with_leavers(self.leavers, played, rules.score(self.state))

    @property
    def ending(self) -> Ending | None:
        """Why the game ended, or None while it goes on."""
        if self.closed:
            return "abandoned"
        if not self.setup.rules.to_act(self.state):
            return "played_out"
        if not self._given_up:
            return None
        return "resigned" if self.left[-1][1] == "resign" else "timed_out"

    @property
    def _given_up(self) -> bool:
        """Whether so many have left that nothing is left to be played: one stays, or a partner is missing."""
        if not self.left:
            return False
        stayers = self.setup.seats - len(self.left)
        return stayers <= 1 or self.setup.rules.is_cooperative(self.setup.options)


def _with_leavers(leavers: Sequence[int], played: Outcome | None, score: tuple[int, ...]) -> Outcome:
    """The stayers by the places that the rules give them, or the one that stayed; then the leavers, the earliest
    last."""
    stayers = [seat for seat in range(len(score)) if seat not in leavers]
    by_rules = {seat: played.place[seat] if played else 1 for seat in stayers}
    place = [
        1 + sum(by_rules[other] < by_rules[seat] for other in stayers)
        if seat in stayers
        else len(score) - leavers.index(seat)
        for seat in range(len(score))
    ]
    first: Result = "win" if place.count(1) == 1 else "draw"
    result: tuple[Result, ...] = tuple(first if at == 1 else "loss" for at in place)
    return Outcome(tuple(place), result, score)


class Step(Struct, frozen=True):
    """One entry of the log between two positions, with the events that a move caused."""

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
    if seat in position.to_act:
        return
    # Where it is the turn of a seat that has left nobody may act, and the game goes on.
    if position.ending is not None:
        raise GameOver
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
    ply, events, state, made = position.ply + 1, (), position.state, position.made
    left, closed, undos = position.left, position.closed, position.undos
    match entry.kind:
        case "play" | "auto":
            assert entry.seat is not None, "a move is of a seat"
            state, events = position.setup.rules.apply(position.state, entry.seat, entry.move)
            if position.setup.seats == 1:
                made = (*made, Made(position.state, entry.move, events))
        case "undo":
            state, made, undos = made[-1].before, made[:-1], undos + 1
        case "resign" | "timeout":
            assert entry.seat is not None, "a seat leaves"
            left = (*left, (entry.seat, entry.kind))
        case "void":
            closed = True
    after = Position(position.setup, ply, state, left, closed, made, undos)
    return Step(position, entry, events, after)


def automatic_steps(position: Position) -> Iterator[Step]:
    """The moves that are made for seats that have left, until one that has stayed must act or the game is over."""
    if not position.left:
        return
    rules = position.setup.rules
    while position.ending is None:
        seat = next((seat for seat in rules.to_act(position.state) if seat in position.leavers), None)
        if seat is None:
            return
        step = advance(position, Entry(seat, rules.automatic(position.state, seat), "auto"))
        yield step
        position = step.after


def leaving_steps(position: Position, seat: int, kind: Leaving) -> list[Step]:
    """A seat leaves, and what follows from it."""
    step = advance(position, Entry(seat, kind=kind))
    return [step, *automatic_steps(step.after)]


def why_no_undo(position: Position) -> Literal["several", "over", "nothing", "shown", "too_many"] | None:
    """Why the last move cannot be taken back: the game is not for one, is over, has no move, the move showed
    something, or moves were taken back `MOST_UNDOS` times; None where it can."""
    if position.setup.seats != 1:
        return "several"
    if position.ending is not None:
        return "over"
    if not position.made:
        return "nothing"
    if position.undos >= MOST_UNDOS:
        return "too_many"
    return "shown" if _showed(position) else None


def _showed(position: Position) -> bool:
    """Whether the last move showed a card that was not open before it."""
    rules, last = position.setup.rules, position.made[-1]
    if not rules.may_reveal(last.before, 0, last.move):
        return False
    cards = set(rules.deck(position.setup.options))
    after = msgspec.to_builtins((rules.view(position.state, 0), last.events))
    return bool(_texts(after) & cards - _texts(msgspec.to_builtins(rules.view(last.before, 0))))


def _texts(value: object) -> set[str]:
    """Every text within a JSON value."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return set().union(*map(_texts, parts))


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


def entry_from(setup: Setup, seat: int | None, body: object, kind: Kind = "play") -> Entry:
    """An entry of the log from its stored form."""
    return Entry(seat, msgspec.convert(body, setup.rules.Move) if kind in MOVES else None, kind)
