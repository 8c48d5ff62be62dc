"""The proof of a game that is over."""

from uuid import UUID

from cardsite.jsonbody import timestamp
from cardsite.problems import Problem
from games.models import Deal, Seat
from games.proofs import FORMAT, Proof, ProvenEntry, position_digest
from games.selectors.access import history_seen
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


def proof_of(history: History) -> Proof:
    """The proof of a game that is over; for those to whom it is disclosed."""
    row, dealt = history.row, history.dealt
    seats = Seat.objects.filter(game_id=row.id).order_by("number")
    seed = bytes(Deal.objects.get(game_id=row.id).seed)
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
        entropies=tuple(seats.values_list("entropy", flat=True)),
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
