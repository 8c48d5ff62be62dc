"""Whether a stored game follows from its own log: every entry by the rules of its version, and everything
that is kept beside the log as it comes out when the log is played again."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection

from games.clock import times_after, times_at_start
from games.events import entry_event
from games.models import Event
from games.proofs import Divergence, check_proof
from games.selectors.proofs import proof_of
from games.selectors.rows import GameRow
from games.selectors.tables import History, history_read, status_of
from games.table import Position


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
    """The first thing in which a game that was begun differs from what follows from its log, or None."""
    history = history_read(game_id=game_id)
    assert history is not None, "games are never deleted"
    return next(_divergences(history), None)


def _divergences(history: History) -> Iterator[Divergence]:
    row, position = history.row, history.dealt
    if row.has_ended:
        proven = check_proof(proof_of(history))
        if proven is not None:
            yield proven
            return
    assert row.started_at is not None, "a game that was begun"
    times = times_at_start(row.rate, position, row.started_at)
    told = _told(row.id)
    for entry, step in history.steps():
        times = times_after(row.rate, times, step, entry.at)
        event = entry_event(step, times, entry.at, entry.by)
        if told is not None:
            yield from _differs(f"event of entry {entry.ply}", [event.body, event.seen], told.get(entry.ply))
        position = step.after
    for what, follows, stored in _kept(row, position):
        yield from _differs(what, follows, stored)
    if told is not None:
        yield from _differs("times", times, row.times)


def _told(game_id: UUID) -> dict[int, Any] | None:
    """What was told of each entry, by its ply; None for a game that was begun before there were events."""
    stored = list(Event.objects.filter(game_id=game_id).values_list("kind", "body", "seen"))
    if all(kind != "started" for kind, _, _ in stored):
        return None
    return {body["ply"]: [body, seen] for kind, body, seen in stored if kind == "entry"}


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
