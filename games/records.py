"""Recorded games: whether the rules reproduce one exactly.

The format is that of `seeds/records/README.md`. Each record states, for every position, who may act and how
many legal moves there are, besides moves that must be refused and the outcome.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from games import catalog, table
from games.catalog import AnyRules
from games.rules.contract import Outcome, Refused, read_move, read_options


class RecordedMove(Struct, frozen=True):
    """A move of a seat, in any form that the rules accept."""

    seat: int
    move: object


class RecordedRefusal(Struct, frozen=True):
    """A move that must be refused at position `at` by `clause`, changing nothing."""

    at: int
    seat: int
    move: object
    clause: str


class Record(Struct, frozen=True):
    """A recorded game; `to_act` and `legal` have one item more than `steps`."""

    name: str
    slug: str
    options: dict[str, Any]
    seats: int
    deck: tuple[str, ...]
    steps: tuple[RecordedMove, ...]
    to_act: tuple[tuple[int, ...], ...]
    legal: tuple[dict[str, int], ...]
    refused: tuple[RecordedRefusal, ...]
    outcome: Outcome | None
    notation: tuple[str, ...] | UnsetType = UNSET


class Difference(Struct, frozen=True):
    """The first thing in which a replay differs; `position` counts the moves made before."""

    position: int
    what: str
    expected: object
    got: object

    def __str__(self) -> str:
        return (
            f"position {self.position}, {self.what}: expected {_shown(self.expected)}, got {_shown(self.got)}"
        )


def read_records(content: bytes) -> list[object]:
    """The records of a file, each still to be read by `check_record`. Raises `ValueError`."""
    records = msgspec.json.decode(content)
    if not isinstance(records, list):
        raise ValueError("a file of recorded games is a list")  # noqa: TRY004 - the content is wrong
    return records


def name_of(given: object) -> str:
    """What to call a record that may be malformed."""
    return str(given.get("name", "(no name)")) if isinstance(given, dict) else "(no name)"


def check_record(given: object) -> Difference | None:
    """Replay a record through the rules: None if it holds, else the first difference."""
    try:
        record = msgspec.convert(given, Record)
    except msgspec.ValidationError as error:
        return Difference(0, "record", "a recorded game", str(error))
    return next(_differences(record), None)


def _differences(record: Record) -> Iterator[Difference]:  # noqa: C901 - one check after the other
    rules = catalog.CURRENT.get(record.slug)
    if rules is None:
        yield Difference(0, "slug", sorted(catalog.CURRENT), record.slug)
        return
    try:
        options = read_options(rules, record.options)
        position = table.lay_out(table.Setup(rules, options, record.seats, record.deck))
    except (Refused, ValueError) as error:
        yield Difference(0, "deal", "a game that can be made", _reason(error))
        return
    for name in ("to_act", "legal"):
        if len(getattr(record, name)) != len(record.steps) + 1:
            yield Difference(0, f"length of {name}", len(record.steps) + 1, len(getattr(record, name)))
            return
    if record.notation is not UNSET and len(record.notation) != len(record.steps):
        yield Difference(0, "length of notation", len(record.steps), len(record.notation))
        return
    for refusal in record.refused:
        if not 0 <= refusal.at <= len(record.steps) or not 0 <= refusal.seat < record.seats:
            yield Difference(0, "refused", "a position and a seat of this game", [refusal.at, refusal.seat])
            return

    for ply, step in enumerate(record.steps):
        yield from _position_differences(record, position, ply)
        try:
            move = table.judge(position, step.seat, read_move(rules, step.move))
        except Refused as refused:
            yield Difference(ply, f"move {_shown(step.move)}", "accepted", _reason(refused))
            return
        if record.notation is not UNSET:
            yield from _notation_differences(rules, position, move, record.notation[ply])
        position = table.advance(position, table.Entry(step.seat, move)).after
    yield from _position_differences(record, position, len(record.steps))
    outcome = rules.outcome(position.state)
    if outcome != record.outcome:
        yield Difference(position.ply, "outcome", record.outcome, outcome)


def _position_differences(record: Record, position: table.Position, ply: int) -> Iterator[Difference]:
    rules, to_act = position.setup.rules, position.to_act
    if to_act != record.to_act[ply]:
        yield Difference(ply, "to_act", record.to_act[ply], to_act)
    legal = {str(seat): sum(1 for _ in rules.legal_moves(position.state, seat)) for seat in to_act}
    if legal != record.legal[ply]:
        yield Difference(ply, "legal", record.legal[ply], legal)
    for refusal in record.refused:
        if refusal.at == ply:
            got = _verdict(position, refusal)
            if got != refusal.clause:
                yield Difference(ply, f"refusal of {_shown(refusal.move)}", refusal.clause, got)


def _verdict(position: table.Position, refusal: RecordedRefusal) -> str:
    try:
        table.judge(position, refusal.seat, read_move(position.setup.rules, refusal.move))
    except Refused as refused:
        return refused.code
    return "accepted"


def _notation_differences(
    rules: AnyRules, position: table.Position, move: Any, word: str
) -> Iterator[Difference]:
    if not rules.has_notation:
        yield Difference(position.ply, "notation", f"none for {rules.slug}", word)
        return
    if (notated := rules.notate(position.state, move)) != word:
        yield Difference(position.ply, "notation", word, notated)
    parsed = rules.canonical(position.state, 0, rules.parse(word))
    if parsed != move:
        yield Difference(position.ply, f"move of notation {word}", move, parsed)


def _reason(error: Exception) -> str:
    return f"{error.code}: {error.explanation}" if isinstance(error, Refused) else str(error)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
