"""Positions and entries of the log as one viewer may see them."""

from typing import Any

from msgspec import Struct

from cardsite.jsonbody import Timestamp, timestamp
from games.catalog import AnyRules
from games.rules.contract import Outcome
from games.selectors.rows import EntryRow, GameRow
from games.selectors.tables import disclosed
from games.table import Position, Step
from games.words import told


class SeenPosition(Struct, frozen=True):
    """A position: `ply` entries after the deal, who may act, the view, and the outcome once it is over."""

    ruleset: str
    ply: int
    to_act: tuple[int, ...]
    view: Any
    outcome: Outcome | None


class SeenEntry(Struct, frozen=True):
    """An entry of the log: who made it and when, the move in canonical form (also in the game's notation,
    where it has one), what it revealed or caused, and both in words."""

    ruleset: str
    ply: int
    kind: str
    seat: int
    player: str | None
    at: Timestamp
    move: Any
    notation: str | None
    events: Any
    text: str


def position_seen(row: GameRow, position: Position, seat: int | None) -> SeenPosition:
    """A position as a viewer sees it: all of it once the game is disclosed, else what that seat may know."""
    rules, state = position.setup.rules, position.state
    return SeenPosition(
        ruleset=rules.slug,
        ply=position.ply,
        to_act=position.to_act,
        view=rules.open_view(state) if disclosed(row) else rules.view(state, seat),
        outcome=rules.outcome(state),
    )


def entry_seen(row: GameRow, entry: EntryRow, step: Step, seat: int | None) -> SeenEntry:
    """An entry as a viewer sees it: all of it once the game is disclosed, else as that seat saw it then."""
    rules: AnyRules = step.before.setup.rules
    move, events = step.entry.move, step.events
    notation = rules.notate(step.before.state, move) if rules.has_notation else None
    if not disclosed(row):
        move, events = rules.redact(step.before.state, seat, entry.seat, move, events)
    return SeenEntry(
        ruleset=rules.slug,
        ply=entry.ply,
        kind=entry.kind,
        seat=entry.seat,
        player=next((held.username for held in row.seats if held.player == entry.by), None),
        at=timestamp(entry.at),
        move=move,
        notation=notation,
        events=events,
        text=told(rules.describe(entry.seat, move, events)),
    )
