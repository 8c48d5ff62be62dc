"""The proof of a game: all that it was dealt from and all that was done, so that anybody can play it again.

The format and what a verifier does stand in `docs/proof.md`, written so that a stranger can write one. Here
are the making of a proof from a game that is over, and our own verifier, which needs nothing but the proof
and the rules."""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from cardsite import jsonbody
from cardsite.jsonbody import Timestamp, timestamp
from cardsite.problems import Problem
from games import shuffle, table
from games.catalog import AnyRules, rules_for
from games.clock import MILLISECOND, Clock, Rate, settled_steps, times_after, times_at_start
from games.rules.contract import Outcome, Refused, read_move, read_options
from games.table import MOVES, Ending, Entry, Kind, Position, Setup, Step, stored_move

FORMAT: Literal["cardsite proof 1"] = "cardsite proof 1"
MOST_SHOWN = 400
"""Characters of a value in the words of a divergence; a deck order has fewer."""
WHY_NOT: dict[Kind, str] = {
    "play": "the move is not in canonical form",
    "auto": "there is nothing that the automatic player had to do",
    "undo": "there is nothing that may be taken back",
    "resign": "it is of no seat that could leave",
    "timeout": "no time was out",
    "void": "there is no reason why the game was closed",
}


class ProvenEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the log; `seat` is null where the game was closed, `move` where the entry is no move."""

    kind: Kind
    seat: int | None
    move: Any
    at: Timestamp


class Proof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game that is over. `seed` and `commitment` are hexadecimal, and null where the options fix the deck
    order; `daily` is there only where the deal was one of the day: its id, which the commitment was made over;
    `entropies` are by seat; `pack` is what was shuffled, and `deck` what came of it; `positions` are the
    digests of the position after the deal and after each entry."""

    format: Literal["cardsite proof 1"]
    game: str
    ruleset: str
    rules_version: int
    shuffle_version: int
    options: dict[str, Any]
    seats: int
    players: tuple[str, ...]
    commitment: str | None
    seed: str | None
    entropies: tuple[str, ...]
    pack: tuple[str, ...]
    deck: tuple[str, ...]
    clock: Clock | None
    abandon_after: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    started_at: Timestamp
    log: tuple[ProvenEntry, ...]
    positions: tuple[str, ...]
    ending: Ending
    outcome: Outcome | None
    daily: str | None = None

    def __repr__(self) -> str:
        return f"<Proof of {self.game}>"


class Divergence(Struct, frozen=True):
    """The first thing in which a game is not as its proof says: `got` is what the proof has, or why that cannot
    be."""

    where: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"{self.where}: expected {_shown(self.expected)}, got {_shown(self.got)}"


def canonical_json(value: object) -> str:
    """The one JSON text of a value: names sorted, no white space, ASCII."""
    return json.dumps(msgspec.to_builtins(value), sort_keys=True, separators=(",", ":"))


def position_text(position: Position) -> str:
    """What is digested of a position: its ply, who may act, who has left, and all that lies on the table."""
    return canonical_json(
        {
            "ply": position.ply,
            "to_act": position.to_act,
            "left": position.leavers,
            "view": position.setup.rules.open_view(position.state),
        }
    )


def position_digest(position: Position) -> str:
    """SHA-256 of a position."""
    return hashlib.sha256(position_text(position).encode("ascii")).hexdigest()


def read_proof(content: bytes) -> Proof | Divergence:
    """The proof in a file, or what is wrong with its form."""
    try:
        proof = jsonbody.decode(content, Proof)
        json.loads(content, parse_float=_refuse_fraction)
    except Problem as problem:
        return Divergence("form", "a proof", problem.detail)
    except ValueError as error:
        return Divergence("form", "a proof", str(error))
    return proof


def _refuse_fraction(text: str) -> None:
    # 6.0 would be an integer to what reads options and moves.
    raise ValueError(f"{text} is not written as an integer")


def check_proof(proof: Proof) -> Divergence | None:
    """Play a game again from its proof: None if everything is as it says, else the first divergence."""
    return next(_divergences(proof), None)


def _divergences(proof: Proof) -> Iterator[Divergence]:
    try:
        rules = rules_for(proof.ruleset, proof.rules_version)
    except KeyError:
        yield Divergence("ruleset", "one that this program knows", [proof.ruleset, proof.rules_version])
        return
    if proof.seats not in rules.seats:
        yield Divergence("seats", list(rules.seats), proof.seats)
        return
    try:
        options = rules.resolve(read_options(rules, proof.options), proof.seats)
    except Refused as refused:
        yield Divergence("options", "options of this game", _reason(refused))
        return
    for what, given in (("players", proof.players), ("entropies", proof.entropies)):
        if len(given) != proof.seats:
            yield Divergence(what, f"{proof.seats}, one for each seat", len(given))
    if len(proof.positions) != len(proof.log) + 1:
        yield Divergence("positions", f"{len(proof.log) + 1}, one more than entries", len(proof.positions))
        return
    yield from _deal_divergences(proof, rules, options)
    yield from _play_divergences(proof, table.lay_out(Setup(rules, options, proof.seats, proof.deck)))


def _deal_divergences(proof: Proof, rules: AnyRules, options: Any) -> Iterator[Divergence]:
    pack, fixed = rules.deck(options), rules.fixed_deck(options)
    if proof.pack != pack:
        yield Divergence("pack", pack, proof.pack)
    game, daily = _as_id(proof.game), _as_id(proof.game if proof.daily is None else proof.daily)
    if game is None or daily is None:
        yield Divergence("game" if game is None else "daily", "a UUID", proof.daily if game else proof.game)
        return
    if proof.shuffle_version != shuffle.VERSION:
        yield Divergence("shuffle_version", shuffle.VERSION, proof.shuffle_version)
    if fixed is None:
        seed = _as_seed(proof.seed)
        if seed is None:
            yield Divergence("seed", f"{shuffle.SEED_BYTES} bytes in lower-case hexadecimal", proof.seed)
            return
        commitment: str | None = shuffle.commitment(daily, seed)
        deck = tuple(shuffle.deck_order(pack, seed, proof.entropies))
    else:
        if proof.seed is not None:
            yield Divergence("seed", None, proof.seed)
        commitment, deck = None, fixed
    if proof.commitment != commitment:
        yield Divergence("commitment", commitment, proof.commitment)
    if proof.deck != deck:
        yield Divergence("deck", deck, proof.deck)


def _play_divergences(proof: Proof, position: Position) -> Iterator[Divergence]:
    try:
        replay = _Replay(proof, position)
    except (ValueError, OverflowError) as error:
        yield Divergence("started_at", "a time", str(error))
        return
    yield from _position_divergences(proof, position)
    for entry in proof.log:
        try:
            position = replay.step(entry)
        except (Refused, ValueError, OverflowError) as error:
            yield Divergence(f"entry {position.ply}", "an entry that can be made", _reason(error))
            return
        yield from _position_divergences(proof, position)
    if position.ending != proof.ending:
        yield Divergence("ending", position.ending, proof.ending)
    if position.outcome != proof.outcome:
        yield Divergence("outcome", position.outcome, proof.outcome)


def _as_id(text: str) -> UUID | None:
    try:
        found = UUID(text)
    except ValueError:
        return None
    return found if str(found) == text else None


def _as_seed(text: str | None) -> bytes | None:
    try:
        seed = bytes.fromhex(text or "")
    except ValueError:
        return None
    return seed if len(seed) == shuffle.SEED_BYTES and seed.hex() == text else None


def _position_divergences(proof: Proof, position: Position) -> Iterator[Divergence]:
    digest = position_digest(position)
    if proof.positions[position.ply] != digest:
        yield Divergence(f"position {position.ply}", digest, proof.positions[position.ply])


class _Replay:
    """A game that is played again, with its times."""

    def __init__(self, proof: Proof, position: Position) -> None:
        self._rate = Rate(proof.clock, timedelta(seconds=proof.abandon_after))
        self._position = position
        self._at = _moment(proof.started_at)
        self._times = times_at_start(self._rate, position, self._at)

    def step(self, entry: ProvenEntry) -> Position:
        """The position after the next entry. Raises `Refused` or `ValueError` where it could not be made."""
        at = _moment(entry.at)
        if at < self._at:
            raise ValueError("it is earlier than what was before it")
        step = self._judged(_read_entry(self._position, entry), at)
        self._times = times_after(self._rate, self._times, step, at)
        self._at, self._position = at, step.after
        return step.after

    def _judged(self, entry: Entry, at: datetime) -> Step:
        position = self._position
        if position.ending is not None:
            raise ValueError("the game is over")
        follows = next(table.automatic_steps(position), None)
        if follows is not None:
            return self._following(follows, entry, at)
        # An entry of the last millisecond of a turn is both in time and, by the microsecond, late.
        late = settled_steps(self._rate, self._times, position, at + MILLISECOND - timedelta.resolution)
        settled = next(late, None)
        if settled is not None and settled.entry == entry:
            return settled
        if self._times.due_at is not None and self._times.due_at < at:
            raise ValueError("something was due before it")
        if not _could_be_asked_for(position, entry):
            raise ValueError(WHY_NOT[entry.kind])
        return table.advance(position, entry)

    def _following(self, follows: Step, entry: Entry, at: datetime) -> Step:
        """A move of the automatic player, which is written together with what it follows from."""
        if follows.entry != entry:
            made = {"seat": follows.entry.seat, "move": follows.entry.move}
            raise ValueError(f"the automatic player makes another: {canonical_json(made)}")
        if at != self._at:
            raise ValueError("the automatic player moves at the time of what was before it")
        return follows


def _read_entry(position: Position, given: ProvenEntry) -> Entry:
    """Raises `WrongForm` or `ValueError`."""
    if given.kind not in MOVES:
        if given.move is not None:
            raise ValueError(f"{given.kind} has no move")
        return Entry(given.seat, kind=given.kind)
    move = read_move(position.setup.rules, given.move)
    if canonical_json(stored_move(move)) != canonical_json(given.move):
        raise ValueError("the move is not in canonical form")
    return Entry(given.seat, move, given.kind)


def _could_be_asked_for(position: Position, entry: Entry) -> bool:
    """Whether a player could have asked for an entry. Raises `Refused` for a move that is not accepted."""
    seats, is_patience, begun = range(position.setup.seats), position.setup.seats == 1, position.ply > 0
    match entry.kind:
        case "play":
            return entry.seat is not None and table.judge(position, entry.seat, entry.move) == entry.move
        case "undo":
            return entry.seat == 0 and table.why_no_undo(position) is None
        case "resign":
            leaves = entry.seat in seats and entry.seat not in position.leavers
            return leaves and (begun or not is_patience)
        case "void":
            return entry.seat is None and is_patience and not begun
    return False


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or timestamp(moment) != text:
        raise ValueError("a time is in UTC with milliseconds, as in 2026-01-31T12:00:00.000Z")
    return moment


def _reason(error: Exception) -> str:
    return f"{error.code}: {error.explanation}" if isinstance(error, Refused) else str(error)


def _shown(value: object) -> str:
    """A value on one line of printable ASCII, whatever stands in it."""
    text = value if isinstance(value, str) else canonical_json(value)
    text = text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
