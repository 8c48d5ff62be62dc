"""Examples in the published schema: what the API would answer of recorded games that are finished, so that no
example shows a card that is hidden from anybody."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from games import table
from games.api import shapes
from games.catalog import CURRENT, AnyRules
from games.records import Record, read_records
from games.rules.contract import Outcome, read_move, read_options
from games.selectors.rows import EntryRow, GameRow, ResultRow, SeatRow
from games.selectors.seen import entry_seen, position_seen
from games.selectors.tables import History
from games.services.playing import Played
from games.table import Entry, stored_move
from games.variants import variant_of

RECORDS = Path(__file__).resolve().parent.parent.parent / "seeds" / "records"
GAME_ID = UUID("01920000-0000-7000-8000-000000000000")
STARTED_AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
NAMES = ("anna", "bo", "cilla", "david", "eva", "filip")  # as many as any game has seats
SHOWN = 3


class _Fixture(Struct, frozen=True):
    """A recorded game as if it had been played here."""

    record: Record
    history: History

    @property
    def row(self) -> GameRow:
        return self.history.row


def add_examples(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """A hook of drf-spectacular: puts an example of every rule set into the schema's operations."""
    for slug, rules in CURRENT.items():
        fixture = _fixture(rules)
        for (path, method, status), value in _examples(fixture).items():
            operation = result["paths"][path][method]
            where = operation["requestBody"] if status is None else operation["responses"][str(status)]
            shown = where["content"]["application/json"].setdefault("examples", {})
            shown[slug] = {"value": msgspec.to_builtins(value)}
    return result


def _examples(fixture: _Fixture) -> dict[tuple[str, str, int | None], object]:
    """By path, method and status (None for the request)."""
    row, history, record = fixture.row, fixture.history, fixture.record
    rules = row.rules
    *_, (last, step) = history.steps()
    assert last.seat is not None, "the records hold moves alone"
    summary = shapes.game_summary(row, row.owner)
    detail = shapes.game_detail(summary, position_seen(row, step.after, summary.your_seat))
    entries = [entry_seen(row, entry, taken, last.seat) for entry, taken in history.steps()][-SHOWN:]
    moves = list(rules.legal_moves(step.before.state, last.seat))
    played = Played(
        game=str(row.id),
        ruleset=row.ruleset,
        repeated=False,
        ply=row.ply,
        status=row.status,
        entries=(entries[-1],),
        position=position_seen(row, step.after, last.seat),
    )
    game = "/api/v1/games/{game_id}/"
    return {
        ("/api/v1/games/", "post", None): {
            "ruleset": row.ruleset,
            "seats": row.seat_count,
            "options": record.options,
        },
        ("/api/v1/games/", "get", 200): shapes.GamePage([summary], next=None),
        (game, "get", 200): detail,
        (f"{game}legal-moves", "get", 200): shapes.LegalMovesPage(
            row.ruleset, last.ply, last.seat, len(moves), moves, next=None
        ),
        (f"{game}moves", "get", 200): shapes.EntryPage(row.ply, entries, next=None),
        (f"{game}moves", "post", None): {"ply": last.ply, "move": last.body},
        (f"{game}moves", "post", 201): played,
        (f"{game}moves", "post", 200): msgspec.structs.replace(played, repeated=True),
        (f"{game}positions/{{ply}}", "get", 200): position_seen(row, step.before, None),
    }


def _fixture(rules: AnyRules) -> _Fixture:
    """The first finished game among the rule set's records."""
    records = read_records((RECORDS / f"{rules.slug}.json").read_bytes())
    record = next(one for one in (msgspec.convert(each, Record) for each in records) if one.outcome)
    assert record.outcome is not None
    seats = tuple(
        SeatRow(number, UUID(int=GAME_ID.int + 1 + number), NAMES[number], NAMES[number].capitalize())
        for number in range(record.seats)
    )
    row = GameRow(
        id=GAME_ID,
        owner=seats[0].player,
        ruleset=rules.slug,
        rules_version=rules.version,
        shuffle_version=1,
        options=record.options,
        seat_count=record.seats,
        visibility="public",
        commitment=None,
        status="finished",
        ending="played_out",
        ply=len(record.steps),
        to_act=(),
        left=(),
        undos=0,
        variant=variant_of(
            rules, rules.resolve(read_options(rules, record.options), record.seats), record.seats
        ),
        rated=False,
        daily=None,
        sealed_until=None,
        sealed=False,
        voided=False,
        clock=None,
        abandon_after=30 * 86_400,
        deadlines=(),
        remaining=(),
        abandoned_at=None,
        event_seq=0,
        created_at=STARTED_AT,
        started_at=STARTED_AT,
        ended_at=_at(len(record.steps)),
        seats=seats,
        results=_results(record.outcome),
        now=_at(len(record.steps)),
        entries=(),
        deck=record.deck,
    )
    return _Fixture(record, History(msgspec.structs.replace(row, entries=_entries(rules, record, row))))


def _entries(rules: AnyRules, record: Record, row: GameRow) -> tuple[EntryRow, ...]:
    """The record's moves as the log keeps them. A record may state them in any accepted form."""
    position, entries = History(row).dealt, list[EntryRow]()
    for ply, step in enumerate(record.steps):
        move = rules.canonical(position.state, step.seat, read_move(rules, step.move))
        by = row.seats[step.seat].player
        entries.append(EntryRow(ply, "play", step.seat, by, ply, 0, stored_move(move), _at(ply)))
        position = table.advance(position, Entry(step.seat, move)).after
    return tuple(entries)


def _at(ply: int) -> datetime:
    return STARTED_AT + timedelta(seconds=10 * ply)


def _results(outcome: Outcome) -> tuple[ResultRow, ...]:
    return tuple(map(ResultRow, outcome.place, outcome.result, outcome.score))
