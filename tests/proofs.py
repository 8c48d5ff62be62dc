"""Games as the server would write them, at times that a test chooses and without a database, and their proofs.

`python -m tests.proofs` writes the proofs in `seeds/proofs` anew.
"""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

import django
import msgspec
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()

from games import shuffle, table
from games.catalog import CURRENT
from games.clock import Clock, Rate, settled_steps, times_after, times_at_start, whole_milliseconds
from games.proofs import Proof, check_proof, read_proof
from games.rules.contract import read_move, read_options
from games.selectors.proofs import _proof
from games.selectors.rows import EntryRow, GameRow, SeatRow
from games.selectors.tables import History, status_of
from games.table import Entry, Setup, stored_move
from tests import second_verifier

FOLDER = Path(__file__).resolve().parent.parent / "seeds" / "proofs"
GAME = UUID("01936d3f-5b7c-7a10-9f4e-2b6c8d0e1f23")
SEED = bytes(range(32))
STARTED_AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
NAMES = ("anna", "bo", "cilla", "david", "eva", "filip")
MONTH = 30 * 86_400


class Played:
    """A game that is dealt from a seed and played on as the services would: `now` is what time it is."""

    def __init__(
        self,
        slug,
        seats=1,
        *,
        options=None,
        clock=None,
        abandon_after=MONTH,
        seed=SEED,
        entropies=None,
        game=GAME,
        daily=None,
    ):
        rules = CURRENT[slug]
        options = rules.resolve(read_options(rules, options or {}), seats)
        self.entropies = entropies or ("",) * seats
        fixed = rules.fixed_deck(options)
        deck = fixed or tuple(shuffle.deck_order(rules.deck(options), seed, self.entropies))
        self.game, self.daily, self.seed = game, daily, seed
        self.commitment = None if fixed else shuffle.commitment(daily or game, seed)
        self.clock = msgspec.convert(clock, Clock | None)
        self.rate = Rate(self.clock, timedelta(seconds=abandon_after))
        self.now = STARTED_AT
        self.dealt = self.position = table.lay_out(Setup(rules, options, seats, deck))
        self.times = times_at_start(self.rate, self.position, self.now)
        self.log = []

    @property
    def rules(self):
        return self.position.setup.rules

    @property
    def is_over(self):
        return self.position.ending is not None

    @property
    def is_due(self):
        return self.times.due_at is not None and self.times.due_at < self.now

    def passes(self, seconds):
        """Time goes by: the game, so that it can be played on at once."""
        self.now += timedelta(seconds=seconds)
        return self

    def _append(self, steps):
        at = whole_milliseconds(self.now)
        for step in steps:
            self.times = times_after(self.rate, self.times, step, at)
            self.log.append((step.entry, at))
            self.position = step.after

    def settle(self):
        """Write what has become due."""
        self._append(list(settled_steps(self.rate, self.times, self.position, self.now)))

    def play(self, move, seat=None):
        assert not self.is_due
        seat = self.position.to_act[0] if seat is None else seat
        move = table.judge(self.position, seat, read_move(self.rules, move))
        step = table.advance(self.position, Entry(seat, move))
        self._append([step, *table.automatic_steps(step.after)])

    def words(self, words):
        """Moves in the game's notation."""
        for word in words.split():
            self.play(stored_move(self.rules.parse(word)))

    def undo(self):
        assert table.why_no_undo(self.position) is None
        self._append([table.advance(self.position, Entry(0, kind="undo"))])

    def resign(self, seat=0):
        assert not self.is_due
        assert not self.is_over
        if self.position.setup.seats == 1 and self.position.ply == 0:
            self._append([table.advance(self.position, Entry(None, kind="void"))])
        else:
            self._append(table.leaving_steps(self.position, seat, "resign"))

    def play_on(self, rng, plies=100_000, seconds=0):
        """So many random moves at most, as long as the game goes on."""
        end = self.position.ply + plies
        while not self.is_over and self.position.ply < end:
            self.passes(rng.randrange(seconds * 1000) / 1000 if seconds else 0)
            seat = rng.choice(self.position.to_act)
            moves = self.rules.legal_moves(self.position.state, seat)
            self.play(
                stored_move(rng.choice([move for _, move in zip(range(1000), moves, strict=False)])), seat
            )
        return self

    @property
    def row(self):
        position, setup = self.position, self.position.setup
        seats = tuple(
            SeatRow(seat, UUID(int=seat + 1), NAMES[seat], NAMES[seat]) for seat in range(setup.seats)
        )
        return GameRow(
            id=self.game,
            owner=seats[0].player,
            ruleset=setup.rules.slug,
            rules_version=setup.rules.version,
            shuffle_version=shuffle.VERSION,
            options=msgspec.to_builtins(setup.options),
            seat_count=setup.seats,
            visibility="public",
            commitment=self.commitment,
            status=status_of(position),
            ending=position.ending,
            ply=position.ply,
            to_act=position.to_act,
            left=position.leavers,
            undos=position.undos,
            variant=None,
            rated=False,
            daily=self.daily,
            sealed_until=self.now if self.daily else None,
            sealed=False,
            voided=False,
            clock=self.clock,
            abandon_after=self.rate.abandon_after // timedelta(seconds=1),
            deadlines=self.times.deadlines,
            remaining=(),
            abandoned_at=self.times.abandoned_at,
            event_seq=0,
            created_at=STARTED_AT,
            started_at=STARTED_AT,
            ended_at=self.now,
            seats=seats,
            results=(),
            now=self.now,
            entries=tuple(
                EntryRow(ply, entry.kind, entry.seat, None, None, None, stored_move(entry.move), at)
                for ply, (entry, at) in enumerate(self.log)
            ),
            deck=setup.deck,
        )

    @property
    def proof(self):
        """The proof that the server would give."""
        return _proof(History(self.row), self.seed, self.entropies)

    @property
    def document(self):
        """The same as decoded JSON."""
        return msgspec.json.decode(self.content)

    @property
    def content(self):
        """The same as JSON."""
        return msgspec.json.encode(self.proof)


def ours(content):
    """Where a proof diverges by our verifier; None where it is verified."""
    found = read_proof(content)
    if isinstance(found, Proof):
        found = check_proof(found)
    return found.where if found else None


def theirs(content):
    """The same by the second one."""
    try:
        second_verifier.verify(content)
    except second_verifier.Diverges as error:
        return error.where
    return None


def both(document):
    """Where a proof diverges by both."""
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    where = ours(content)
    assert theirs(content) == where
    return where


def sicksack_2():
    """Two seats play it out."""
    game = Played("sicksack", 2, entropies=("correct horse battery staple", "17"))
    return game.play_on(Random(1), seconds=60)


def sicksack_3_resigned():
    """Three seats with a bank; seat 1 resigns out of turn, is played for, and two play it out."""
    game = Played(
        "sicksack",
        3,
        clock={"type": "bank", "seconds": 600, "increment": 10},
        entropies=("", "smorgasbord", ""),
    )
    game.play_on(Random(2), 16, seconds=20).passes(5)
    game.resign(1)
    return game.play_on(Random(3), seconds=20)


def sicksack_3_timed_out():
    """Three seats with a time for each turn; two are out of time, one after the other."""
    game = Played("sicksack", 3, clock={"type": "turn", "seconds": 300}, seed=SEED[::-1])
    game.play_on(Random(4), 7, seconds=200).passes(300.0007).settle()
    game.play_on(Random(5), 6, seconds=200).passes(400).settle()
    return game


def freecell_undo():
    """Microsoft deal 1, in which moves are taken back, and given up."""
    game = Played("freecell", options={"deal": 1})
    game.passes(30).words("5a 1b 2c")
    game.passes(5.25).undo()
    game.passes(1.5).undo()
    game.passes(20).words("5b 5c 5d 5h")
    game.passes(60).resign()
    return game


KEPT = {
    "sicksack-2": sicksack_2,
    "sicksack-3-resigned": sicksack_3_resigned,
    "sicksack-3-timed-out": sicksack_3_timed_out,
    "freecell-undo": freecell_undo,
}


def path_of(name):
    return FOLDER / f"{name}.json"


def written(document):
    """A proof as JSON, one line for each member, entry and position."""
    members = []
    for name, value in document.items():
        text = json.dumps(value)
        if name in ("log", "positions"):
            text = "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        members.append(f' "{name}": {text}')
    return "{\n" + ",\n".join(members) + "\n}\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, play in KEPT.items():
        path_of(name).write_text(written(play().document), encoding="utf-8")
