"""How much time the seats of a game have, from the log and the times of its entries.

Pure: the service layer says what time it is, which is the database's. A clock gives a time for each turn, or each
seat a bank that is added to. A turn lasts from where a seat comes to act until it has made a move, or in an open
phase until it is done.

All times are whole milliseconds, so that what the API shows is all that is needed to compute them again.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from games import table
from games.table import MOVES, Entry, Position, Step

DAY = 86_400
MILLISECOND = timedelta(milliseconds=1)


class TurnClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="turn"):
    """A time for each turn, in seconds."""

    seconds: Annotated[int, Meta(ge=60, le=14 * DAY)]


class BankClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="bank"):
    """A time for all turns of a seat together, in seconds, and what each turn that is done adds to it."""

    seconds: Annotated[int, Meta(ge=60, le=14 * DAY)]
    increment: Annotated[int, Meta(ge=0, le=DAY)] = 0


Clock: TypeAlias = TurnClock | BankClock


class Times(Struct, frozen=True):
    """By seat: until when its turn lasts, while it may act, and what time it has, while it may not. `abandoned_at`
    is when a game in which nobody moves ends. Of a game without a clock both tuples are empty."""

    deadlines: tuple[datetime | None, ...]
    remaining: tuple[timedelta, ...]
    abandoned_at: datetime | None

    @property
    def due_at(self) -> datetime | None:
        """The first moment after which something must be settled."""
        moments = [moment for moment in (*self.deadlines, self.abandoned_at) if moment is not None]
        return min(moments, default=None)


class Rate(Struct, frozen=True):
    """What a game's times follow from: its clock, and how long nobody need move before it is closed."""

    clock: Clock | None
    abandon_after: timedelta


def whole_milliseconds(moment: datetime) -> datetime:
    """A time without its microseconds."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def times_at_start(rate: Rate, position: Position, at: datetime) -> Times:
    """The times of a game that is dealt at `at`."""
    seats = position.setup.seats if rate.clock else 0
    bank = timedelta(seconds=rate.clock.seconds) if rate.clock else timedelta()
    blank = Times((None,) * seats, (bank,) * seats, None)
    return _started(rate, blank, position, at)


def times_after(rate: Rate, times: Times, step: Step, at: datetime) -> Times:
    """The times after an entry that was made at `at`."""
    deadlines, remaining = list(times.deadlines), list(times.remaining)
    to_act = step.after.to_act
    for seat, deadline in enumerate(deadlines):
        if deadline is None:
            continue
        done = _ends_turn(step, seat)
        if not done and seat in to_act:
            continue
        deadlines[seat] = None
        remaining[seat] = _kept(rate.clock, max(deadline - at, timedelta()), done=done)
    return _started(rate, Times(tuple(deadlines), tuple(remaining), None), step.after, at)


def _ends_turn(step: Step, seat: int) -> bool:
    """Whether an entry ends a turn of a seat: it is a move of its own, and none that leaves it where it was in an
    open phase."""
    entry, rules, after = step.entry, step.before.setup.rules, step.after
    if entry.seat != seat or entry.kind not in MOVES:
        return False
    ready = rules.ready(step.before.state, seat)
    # Where its move ends the phase for all, it may be to act again at once, in turns.
    in_turns = seat not in after.to_act or rules.ready(after.state, seat) is None
    return ready is None or entry.move == ready or in_turns


def _kept(clock: Clock | None, unused: timedelta, *, done: bool) -> timedelta:
    match clock:
        case BankClock(increment=increment):
            return unused + timedelta(seconds=increment if done else 0)
        case TurnClock(seconds=seconds):
            return timedelta(seconds=seconds)
    raise AssertionError("without a clock there are no deadlines")


def _started(rate: Rate, times: Times, position: Position, at: datetime) -> Times:
    """The same, where the turn of every seat that may act has begun."""
    to_act = position.to_act
    deadlines = tuple(
        at + left if deadline is None and seat in to_act else deadline
        for seat, (deadline, left) in enumerate(zip(times.deadlines, times.remaining, strict=True))
    )
    # Who has begun to play by a clock shall not get away by doing nothing.
    bound = rate.clock is not None and position.setup.seats > 1 and position.ply > 0
    abandoned_at = None if bound or not to_act else at + rate.abandon_after
    return Times(deadlines, times.remaining, abandoned_at)


def settled_steps(rate: Rate, times: Times, position: Position, now: datetime) -> Iterator[Step]:
    """What has become due by `now`: seats whose time is out leave, or are ready in an open phase; a game that was
    left alone is closed, or lost where it is a patience that was begun."""
    at = whole_milliseconds(now)
    while (due_at := times.due_at) is not None and due_at < now and position.to_act:
        for step in _due_steps(times, position, due_at):
            yield step
            times, position = times_after(rate, times, step, at), step.after


def _due_steps(times: Times, position: Position, due_at: datetime) -> list[Step]:
    if due_at not in times.deadlines:
        begun = position.setup.seats == 1 and position.ply > 0
        if begun:
            return table.leaving_steps(position, 0, "timeout")
        return [table.advance(position, Entry(None, kind="void"))]
    seat = times.deadlines.index(due_at)
    ready = position.setup.rules.ready(position.state, seat)
    if ready is None:
        return table.leaving_steps(position, seat, "timeout")
    step = table.advance(position, Entry(seat, ready, "auto"))
    return [step, *table.automatic_steps(step.after)]
