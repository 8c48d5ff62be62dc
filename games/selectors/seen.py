"""Positions and entries of the log as one viewer may see them."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardsite.jsonbody import Timestamp, timestamp
from games.catalog import AnyRules
from games.rules.contract import Outcome, phrase
from games.selectors.rows import EntryRow, GameRow
from games.selectors.tables import disclosed
from games.table import MOVES, Kind, Position, Step
from games.words import told


class SeenPosition(Struct, frozen=True):
    """A position: `ply` entries after the deal, who may act, the view, and the outcome once it is over."""

    ruleset: str
    ply: int
    to_act: tuple[int, ...]
    view: Any
    outcome: Outcome | None


class SeenEntry(Struct, frozen=True):
    """An entry of the log: whose it is and when it was made; for a move that move in canonical form (also in
    the game's notation, where it has one) and what it revealed or caused; and all in words. `kind` is `play`;
    `auto`, a move made for a seat that has left or was out of time where all act at once; `undo`, the last
    move taken back; `resign` or `timeout`, the seat leaves; or `void`, the game is closed without a result.
    `player` is who asked for it, if anybody did; `seat` is null where the game is closed."""

    ruleset: str
    ply: int
    kind: Kind
    seat: int | None
    player: str | None
    at: Timestamp
    move: Any
    notation: str | None
    events: Any
    text: str


def position_seen(row: GameRow, position: Position, seat: int | None, *, then: bool = False) -> SeenPosition:
    """A position as a viewer sees it: all of it once the game is disclosed, else what that seat may know; of
    the deal of the day no more than was turned up, even at the end. With `then` as that seat saw it when the
    game had come to it, whatever has been disclosed since."""
    rules, state = position.setup.rules, position.state
    if disclosed(row) and not (then and _hid(row, position)):
        view = rules.open_view(state)
    else:
        view = rules.view(state, seat) if row.sealed_until is None else rules.sealed_view(state)
    return SeenPosition(
        ruleset=rules.slug,
        ply=position.ply,
        to_act=position.to_act,
        view=view,
        outcome=position.outcome,
    )


def entry_seen(
    row: GameRow, entry: EntryRow, step: Step, seat: int | None, *, then: bool = False
) -> SeenEntry:
    """An entry as a viewer sees it: all of it once the game is disclosed, else, or with `then`, as that seat saw
    it when it was made."""
    seen = SeenEntry(
        ruleset=row.ruleset,
        ply=entry.ply,
        kind=entry.kind,
        seat=entry.seat,
        player=next((held.username for held in row.seats if held.player == entry.by), None),
        at=timestamp(entry.at),
        move=None,
        notation=None,
        events=(),
        text=entry_text(entry.kind, entry.seat),
    )
    if entry.kind not in MOVES:
        return seen
    assert step.entry.seat is not None, "a move is of a seat"
    rules: AnyRules = step.before.setup.rules
    move, events = step.entry.move, step.events
    notation = rules.notate(step.before.state, move) if rules.has_notation else None
    if not disclosed(row) or (then and _hid(row, step.after)):
        move, events = rules.redact(step.before.state, seat, step.entry.seat, move, events)
    text = told(rules.describe(step.entry.seat, move, events))
    return replace(seen, move=move, notation=notation, events=events, text=text)


def _hid(row: GameRow, position: Position) -> bool:
    """Whether a game that is disclosed now still hid something when it had come to this position."""
    return position.ending is None or row.sealed_until is not None


def entry_text(kind: Kind, seat: int | None) -> str:
    """Words for an entry that is no move, or none."""
    match kind:
        case "undo":
            return told((phrase("takes the last move back"),))
        case "resign":
            return told((phrase("seat {seat} gives up", seat=seat),))
        case "timeout":
            return told((phrase("seat {seat} is out of time", seat=seat),))
        case "void":
            return told((phrase("the game is closed without a result"),))
    return ""
