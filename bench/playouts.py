"""Random games as the server would have stored them: rows of every table, by way of the rules and the clock."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct, field

from games import shuffle, table
from games.catalog import CURRENT
from games.clock import Rate, times_after, times_at_start, whole_milliseconds
from games.events import EventBody, ended_event, entry_event, seat_event, started_event
from games.rules.contract import read_options
from games.selectors.tables import status_of
from games.services.results import result_rows
from games.table import Entry, Setup, Step
from games.variants import variant_of

MOST_LOOKED_AT = 30  # legal moves that one is chosen from
RATE = Rate(None, timedelta(days=30))
MILLISECOND = timedelta(milliseconds=1)
TABLES = {
    "games_game": (
        "id, owner_id, ruleset, rules_version, shuffle_version, options, seat_count, visibility, commitment, "
        'status, variant, ply, to_act, deadlines, remaining, abandoned_at, due_at, "left", ending, event_seq, '
        "created_at, started_at, ended_at"
    ),
    "games_deal": "game_id, seed, deck",
    "games_seat": "id, game_id, number, player_id, entropy, since_seq, joined_at",
    "games_move": "game_id, ply, kind, seat, by_id, base, request_n, body, at",
    "games_event": "game_id, seq, kind, body, seen, at",
    "games_result": (
        "game_id, seat, player_id, place, result, score, undos, length, duration, ending, ruleset, variant, "
        "seats, is_public, is_shuffled, scope, at"
    ),
}
"""The columns that are written, by table, in the order in which the tables refer to each other."""


class Rows(Struct):
    """The rows of some games by table, each in the order of its columns."""

    of: dict[str, list[tuple[Any, ...]]] = field(default_factory=lambda: {name: [] for name in TABLES})
    moves: int = 0

    def add(self, name: str, *row: object) -> None:
        self.of[name].append(row)


class Playout:
    """A game of some rule set by its usual options, played at random: to its end, or until it is given up after
    `most_plies`, where it does not go on."""

    def __init__(
        self, rng: Random, players: list[UUID], started_at: datetime, most_plies: int, *, goes_on: bool
    ) -> None:
        self.rng = rng
        rules = rng.choice(list(CURRENT.values()))
        seats = rng.choice(list(rules.seats))
        options = rules.resolve(read_options(rules, {}), seats)
        self.started_at = self.at = whole_milliseconds(started_at)
        self.seated = rng.sample(players, seats)
        self.id, self.seed = self._new_id(), rng.randbytes(shuffle.SEED_BYTES)
        deck = tuple(shuffle.deck_order(rules.deck(options), self.seed, [""] * seats))
        self.setup = Setup(rules, options, seats, deck)
        self.position = table.lay_out(self.setup)
        self.times = times_at_start(RATE, self.position, self.at)
        self.told = [(EventBody("created", {}), self.at)]
        self.told += [(seat_event("joined", *pair), self.at) for pair in enumerate(self.seated)]
        self.told.append((started_event(self.position, self.times), self.at))
        self.log: list[tuple[Entry, UUID | None, datetime]] = []
        for step, by in self._steps(most_plies, goes_on=goes_on):
            self._append(step, by)
        if self.position.ending is not None:
            self.told.append((ended_event(self.position.ending, self.position.outcome), self.at))

    def _steps(self, most_plies: int, *, goes_on: bool) -> Iterator[tuple[Step, UUID | None]]:
        """The steps of the game, each with who asked for it."""
        rules = self.setup.rules
        while self.position.ending is None and self.position.ply < most_plies:
            seat = self.rng.choice(self.position.to_act)
            moves = islice(rules.legal_moves(self.position.state, seat), MOST_LOOKED_AT)
            move = rules.canonical(self.position.state, seat, self.rng.choice(list(moves)))
            yield table.advance(self.position, Entry(seat, move)), self.seated[seat]
        seat = 0
        while self.position.ending is None and not goes_on:
            # One leaves after the other, until one is left or it is played out for them.
            for number, step in enumerate(table.leaving_steps(self.position, seat, "resign")):
                yield step, self.seated[seat] if number == 0 else None
            seat += 1

    def _append(self, step: Step, by: UUID | None) -> None:
        if by is not None:
            self.at += MILLISECOND * self.rng.randrange(1, 20_000)
        self.times, self.position = times_after(RATE, self.times, step, self.at), step.after
        self.log.append((step.entry, by, self.at))
        self.told.append((entry_event(step, self.times, self.at, by), self.at))

    def add_to(self, rows: Rows) -> None:
        """Add the rows of the game."""
        position, setup, times, seated = self.position, self.setup, self.times, self.seated
        rules, ended_at = setup.rules, self.at if self.position.ending else None
        variant = variant_of(rules, setup.options, setup.seats)
        commitment = shuffle.commitment(self.id, self.seed)
        what = (self.id, seated[0], rules.slug, rules.version, shuffle.VERSION, _json(setup.options))
        how = (setup.seats, "public", commitment, status_of(position), variant, position.ply)
        now = (list(position.to_act), [], [], times.abandoned_at, times.due_at, list(position.leavers))
        when = (self.started_at, self.started_at, ended_at)
        rows.add("games_game", *what, *how, *now, position.ending, len(self.told), *when)
        rows.add("games_deal", self.id, self.seed, list(setup.deck))
        for number, player in enumerate(seated):
            rows.add("games_seat", self._new_id(), self.id, number, player, "", number + 2, self.started_at)
        for ply, (entry, by, at) in enumerate(self.log):
            request = (ply, 0) if entry.kind == "play" else (None, None)
            rows.add("games_move", self.id, ply, entry.kind, entry.seat, by, *request, _json(entry.move), at)
        for seq, (event, at) in enumerate(self.told, 1):
            seen = None if event.seen is None else _json(event.seen)
            rows.add("games_event", self.id, seq, event.kind, _json(event.body), seen, at)
        if position.outcome is not None:
            facts = (0, len(self.log), (self.at - self.started_at) // MILLISECOND, position.ending)
            scope = "open" if setup.seats == 1 else None
            for one in result_rows(seated, position.outcome):
                rows.add(
                    "games_result",
                    *(self.id, one["seat"], one["player"], one["place"], one["result"], one["score"], *facts),
                    *(rules.slug, variant, setup.seats, True, True, scope, self.at),
                )
        rows.moves += len(self.log)

    def _new_id(self) -> UUID:
        return id_of(self.started_at, self.rng)


def id_of(at: datetime, rng: Random) -> UUID:
    """A UUIDv7 of a time."""
    milliseconds = int(at.timestamp() * 1000)
    chance = rng.getrandbits
    return UUID(int=milliseconds << 80 | 7 << 76 | chance(12) << 64 | 2 << 62 | chance(62))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
