"""Where a game stands when a player asks something of it, and what is looked at before any move is: whether
the game has come that far, is over, or has something due."""

from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

from cardsite.jsonbody import timestamp
from cardsite.problems import Problem
from games import table
from games.clock import Times, times_after, times_at_start
from games.selectors.access import require_started
from games.selectors.rows import EntryRow, GameRow
from games.selectors.seen import entry_seen
from games.selectors.tables import Table, history_read
from games.services.settling import due_settle
from games.table import Position, Step

Log: TypeAlias = list[tuple[EntryRow, Step]]

MOST_MISSED = 100


class Standing(Struct, frozen=True):
    """A game as a seat's request meets it: `base` is the ply that the request had seen, `log` all entries
    where the game has moved on from there and none where it has not."""

    row: GameRow
    seat: int
    base: int
    position: Position
    log: Log

    def __repr__(self) -> str:
        return f"<Standing of {self.row.id} at ply {self.row.ply}>"


def standing_of(at_table: Table, seat: int, base: int) -> Standing:
    """Where a game stands for a request. Raises `Problem` not_started or ahead."""
    row = at_table.row
    require_started(row)
    if base > row.ply:
        raise Problem("ahead", f"The game has come to ply {row.ply}.", ply=row.ply)
    if base == row.ply:
        return Standing(row, seat, base, at_table.position, [])
    history = history_read(game_id=row.id)
    assert history is not None, "games are never deleted"
    log = list(history.steps())
    return Standing(history.row, seat, base, log[-1][1].after, log)


def is_playable(standing: Standing) -> bool:
    """Whether the seat's request may be looked at; False where something was due and the game has to be looked at
    again. Raises `Problem` overdue, whoever has settled it, over or left."""
    row, seat = standing.row, standing.seat
    ran_out = _ran_out(standing)
    if ran_out is not None:
        raise _overdue(row.ply, ran_out)
    require_going_on(row)
    if row.is_due:
        passed = _passed(row.times, seat, row.now) if seat in standing.position.to_act else None
        settled = due_settle(row, standing.position)
        if passed is not None and settled is not None:
            raise _overdue(settled.ply, passed)
        return False
    if seat in row.left:
        raise Problem("left", "You have left this game.", ply=row.ply)
    return True


def _overdue(ply: int, deadline: datetime) -> Problem:
    return Problem("overdue", "Your time was out.", ply=ply, deadline_at=timestamp(deadline))


def _ran_out(standing: Standing) -> datetime | None:
    """When the seat's time was out after the ply that the request had seen, if that has been settled since."""
    row, seat, log = standing.row, standing.seat, standing.log
    if not any(_is_of_late_seat(entry, step, seat) for entry, step in log[standing.base :]):
        return None
    assert row.started_at is not None, "a game with a log was begun"
    times = times_at_start(row.rate, log[0][1].before, row.started_at)
    for entry, step in log:
        if entry.ply >= standing.base and _is_of_late_seat(entry, step, seat):
            return _passed(times, seat, entry.at)
        times = times_after(row.rate, times, step, entry.at)
    return None


def _is_of_late_seat(entry: EntryRow, step: Step, seat: int) -> bool:
    """Whether an entry is what became of a seat's turn when its time was out."""
    match entry.kind:
        case "timeout":
            return entry.seat == seat
        case "auto":
            return entry.seat == seat and seat not in step.before.leavers
        case "void":
            return entry.by is None and seat in step.before.to_act
    return False


def require_going_on(row: GameRow) -> None:
    """Raises `Problem` over."""
    if row.has_ended:
        raise Problem("over", "The game is over.", ply=row.ply)


def fresh_position(standing: Standing) -> Position:
    """The newest position, where a request may be judged at it, even if others have moved since the base: at
    most one is accepted for each seat and base, and only while the seat could act all along. Raises `Problem`
    stale."""
    row, seat, base, log = standing.row, standing.seat, standing.base, standing.log
    if not log:
        return standing.position
    since = log[base:]
    used = any(entry.seat == seat and entry.base == base for entry, _ in log)
    if not used and table.could_act_throughout([step for _, step in since], seat):
        return standing.position
    more = f"/api/v1/games/{row.id}/moves?cursor={base + MOST_MISSED}"
    raise Problem(
        "stale",
        f"The game has moved on from ply {base} to ply {row.ply}.",
        ply=row.ply,
        missed=[entry_seen(row, entry, step, seat) for entry, step in since[:MOST_MISSED]],
        more=more if len(since) > MOST_MISSED else None,
    )


def first_entries(standing: Standing, player: UUID) -> Log:
    """What the player's request for this seat and base has led to before: its entries, and the automatic
    moves that followed at once; empty where there was none."""
    of_base = [
        number
        for number, (entry, _) in enumerate(standing.log)
        if (entry.seat, entry.base, entry.by) == (standing.seat, standing.base, player)
    ]
    if not of_base:
        return []
    end = of_base[-1] + 1
    while end < len(standing.log) and _follows_at_once(standing.log[end][1]):
        end += 1
    return standing.log[of_base[0] : end]


def _follows_at_once(step: Step) -> bool:
    return step.entry.kind == "auto" and step.entry.seat in step.before.leavers


def _passed(times: Times, seat: int, now: datetime) -> datetime | None:
    """What a seat that may act has let pass: its deadline or the time of abandonment, the first of them."""
    until = (*times.deadlines[seat : seat + 1], times.abandoned_at)
    return min((moment for moment in until if moment is not None and moment <= now), default=None)
