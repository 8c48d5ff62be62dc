"""The proof of a game that is over."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db import connection

from cardsite.jsonbody import timestamp
from cardsite.problems import Problem
from games.proofs import FORMAT, Proof, ProvenEntry, position_digest
from games.selectors.access import history_seen
from games.selectors.rows import game_rows
from games.selectors.tables import History, disclosed
from games.table import MOVES, stored_move


def proof_lookup(*, game_id: UUID, player_id: UUID | None) -> Proof:
    """All that a game was dealt from and all that was done in it. Raises `Problem` not_found, not_started or
    not_disclosed."""
    history = history_seen(game_id=game_id, player_id=player_id)
    _require_disclosed(history)
    return proof_of(history)


def notation_lookup(*, game_id: UUID, player_id: UUID | None) -> str | None:
    """The moves that stand at the end of a game, in the notation of its rule set, as one line; None where it
    has none. Moves that were taken back are left out. Raises `Problem` like `proof_lookup`."""
    history = history_seen(game_id=game_id, player_id=player_id)
    _require_disclosed(history)
    rules = history.row.rules
    if not rules.has_notation:
        return None
    words = list[str]()
    for entry, step in history.steps():
        if entry.kind == "undo":
            words.pop()
        elif entry.kind in MOVES:
            words.append(rules.notate(step.before.state, step.entry.move))
    return " ".join(words) + "\n"


def _require_disclosed(history: History) -> None:
    row = history.row
    if not row.has_ended:
        raise Problem("not_disclosed", "The game is not over yet.", game_status=row.status)
    if not disclosed(row):
        raise Problem(
            "not_disclosed",
            "Others still play this deal.",
            game_status=row.status,
            sealed_until=timestamp(row.sealed_until) if row.sealed_until else None,
        )


_ORIGINS = """
SELECT d.game_id, d.seed, ARRAY(SELECT s.entropy FROM games_seat s WHERE s.game_id = d.game_id ORDER BY s.number)
FROM games_deal d WHERE d.game_id = ANY(%s)
"""


def proofs_of(game_ids: Sequence[UUID]) -> Iterator[Proof]:
    """The proofs of games that are over, for those to whom they are disclosed; read at once, and made one at a
    time."""
    rows, origins = game_rows(game_ids=game_ids), _origins(game_ids)
    for game_id in game_ids:
        yield _proof(History(rows[game_id]), *origins[game_id])


def proof_of(history: History) -> Proof:
    """The proof of a game that is over; for those to whom it is disclosed."""
    return _proof(history, *_origins([history.row.id])[history.row.id])


def _origins(game_ids: Sequence[UUID]) -> dict[UUID, tuple[bytes, tuple[str, ...]]]:
    """What games were shuffled from: the seed, and the entropies by seat."""
    with connection.cursor() as cursor:
        cursor.execute(_ORIGINS, (list(game_ids),))
        return {game_id: (bytes(seed), tuple(entropies)) for game_id, seed, entropies in cursor.fetchall()}


def _proof(history: History, seed: bytes, entropies: tuple[str, ...]) -> Proof:
    row, dealt = history.row, history.dealt
    steps = [step for _, step in history.steps()]
    last = steps[-1].after if steps else dealt
    assert row.started_at is not None, "a game that is over was begun"
    assert last.ending is not None, "and ended"
    setup = dealt.setup
    return Proof(
        format=FORMAT,
        game=str(row.id),
        ruleset=row.ruleset,
        rules_version=row.rules_version,
        shuffle_version=row.shuffle_version,
        options=row.options,
        seats=row.seat_count,
        players=tuple(seat.username for seat in row.seats),
        commitment=row.commitment,
        daily=str(row.daily) if row.daily else None,
        seed=None if row.commitment is None else seed.hex(),
        entropies=entropies,
        pack=setup.rules.deck(setup.options),
        deck=setup.deck,
        clock=row.clock,
        abandon_after=row.abandon_after,
        started_at=timestamp(row.started_at),
        log=tuple(
            ProvenEntry(entry.kind, entry.seat, stored_move(step.entry.move), timestamp(entry.at))
            for entry, step in zip(row.entries, steps, strict=True)
        ),
        positions=tuple(map(position_digest, [dealt, *(step.after for step in steps)])),
        ending=last.ending,
        outcome=last.outcome,
    )
