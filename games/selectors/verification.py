"""Whether a stored game follows from its own log: every entry by the rules of its version, and everything
that is kept beside the log as it comes out when the log is played again."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection

from games.clock import MILLISECOND, times_after, times_at_start
from games.events import entry_event
from games.models import Event, Result
from games.proofs import Divergence, check_proof
from games.selectors.proofs import proof_of
from games.selectors.rows import GameRow
from games.selectors.tables import History, disclosed, history_read, status_of
from games.table import Position

BEFORE_THE_START = ("created", "joined", "left")


def begun_games(*, after: UUID | None, limit: int, ruleset: str | None) -> list[UUID]:
    """The ids of games that were begun, oldest first, from after an id on."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM games_game WHERE started_at IS NOT NULL AND id > %(after)s::uuid "
            "AND (%(ruleset)s::text IS NULL OR ruleset = %(ruleset)s) ORDER BY id LIMIT %(limit)s",
            {"after": after or UUID(int=0), "ruleset": ruleset, "limit": limit},
        )
        return [game_id for (game_id,) in cursor.fetchall()]


def game_divergence(*, game_id: UUID) -> Divergence | None:
    """The first thing in which a game that was begun differs from what follows from its log, or None. Of a game
    that is not disclosed only where that is: cards that are hidden are nobody's to see."""
    history = history_read(game_id=game_id)
    assert history is not None, "games are never deleted"
    try:
        found = next(_divergences(history), None)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the game diverges by
        found = Divergence(
            "its replay", "a game that can be played again", f"{type(error).__name__}: {error}"
        )
    if found is None or disclosed(history.row):
        return found
    return Divergence(found.where, "what follows from its log", "something else, of a game that hides cards")


def _divergences(history: History) -> Iterator[Divergence]:
    row, position = history.row, history.dealt
    if row.has_ended:
        proven = check_proof(proof_of(history))
        if proven is not None:
            yield proven
            return
    assert row.started_at is not None, "a game that was begun"
    times = times_at_start(row.rate, position, row.started_at)
    events = _events(row)
    told = {body["ply"]: [body, seen] for kind, body, seen in events or () if kind == "entry"}
    for entry, step in history.steps():
        times = times_after(row.rate, times, step, entry.at)
        event = entry_event(step, times, entry.at, entry.by)
        if events is not None:
            yield from _differs(f"event of entry {entry.ply}", [event.body, event.seen], told.get(entry.ply))
        position = step.after
    for what, follows, stored in _kept(row, position):
        yield from _differs(what, follows, stored)
    if events is not None:
        yield from _differs("times", times, row.times)
        yield from _differs("events", _kinds(row), [kind for kind, _, _ in events])
    if row.has_ended:
        ended_at = row.entries[-1].at if row.entries else row.started_at
        yield from _differs("ended_at", ended_at, row.ended_at)
        yield from _result_divergences(row, position, ended_at)


def _events(row: GameRow) -> list[tuple[str, Any, Any]] | None:
    """The events from the start on: kind, body and what seats know beyond it, in order; None for a game that was
    begun before there were events."""
    stored = list(Event.objects.filter(game_id=row.id).order_by("seq").values_list("kind", "body", "seen"))
    if len(stored) == row.event_seq and all(kind != "started" for kind, _, _ in stored):
        return None
    return [event for event in stored if event[0] not in BEFORE_THE_START]


def _kinds(row: GameRow) -> list[str]:
    """The kinds of the events from the start on, in their order."""
    kinds = ["started", *["entry"] * row.ply]
    return [*kinds, "ended", *["voided"] * row.voided] if row.has_ended else kinds


def _result_divergences(row: GameRow, position: Position, ended_at: datetime) -> Iterator[Divergence]:
    """What results have beside the outcome; those from before that was kept have no length."""
    assert row.started_at is not None, "a game that was begun"
    duration = (ended_at - row.started_at) // MILLISECOND
    for result in Result.objects.filter(game_id=row.id, length__isnull=False).order_by("seat"):
        follows = [row.seats[result.seat].player, row.ply, duration, position.undos, position.ending]
        kept = [result.player_id, result.length, result.duration, result.undos, result.ending]
        yield from _differs(f"result of seat {result.seat}", follows, kept)


def _kept(row: GameRow, position: Position) -> Iterator[tuple[str, object, object]]:
    """What the game's row repeats of its log: its name, what follows from the log, and what is stored."""
    yield "ply", position.ply, row.ply
    yield "to_act", position.to_act, row.to_act
    yield "status", status_of(position), row.status
    yield "ending", position.ending, row.ending
    yield "outcome", position.outcome, row.outcome
    yield "left", position.leavers, row.left
    yield "undos", position.undos, row.undos


def _differs(what: str, follows: object, stored: object) -> Iterator[Divergence]:
    expected, got = (msgspec.json.decode(msgspec.json.encode(value)) for value in (follows, stored))
    if expected != got:
        yield Divergence(what, expected, got)
