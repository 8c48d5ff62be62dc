"""A site to look at: players and the games of their last weeks, played through the services.

What happens is in the order of its times, a move after the other across all games, as if a server had been used
all the while: so logs, events, ratings and boards are what they would be.
"""

import heapq
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import cycle, islice
from operator import itemgetter
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection
from msgspec import Struct, field

from accounts.models import Player
from accounts.services.players import player_sign_up
from cardsite.problems import Problem
from games import table
from games.catalog import CURRENT, AnyRules
from games.clock import BankClock, Clock, TurnClock
from games.locks import database_time
from games.records import Record
from games.rules.contract import read_move, read_options
from games.selectors.daily import opening_of
from games.selectors.newest import newest_positions
from games.selectors.tables import table_read
from games.services.boards import boards_project
from games.services.daily import daily_deals_make, daily_start
from games.services.gathering import game_create, game_join
from games.services.leaving import game_resign
from games.services.playing import moves_play
from games.services.pretended_time import pretend, pretended_times, pretending
from games.services.settling import game_settle
from games.services.starting import game_start
from games.table import Entry, Position

FEWEST_GAMES, FEWEST_PLAYERS = 21, 6
WEEKS = timedelta(weeks=3)
"""The games are spread over so long a time."""
SHARE_OF_DAILY, SHARE_OF_WON = 0.3, 0.3  # of patiences
SHARE_OF_RATED, SHARE_OF_SLOW = 0.6, 0.2  # of games for several
SHARE_OF_LATE, SHARE_OF_RESIGNED = 0.08, 0.12  # of games for several
MOST_PLIES, MOST_OF_PATIENCE = 140, 160
"""Games that come to so many are given up."""
MOST_LOOKED_AT = 30
"""Of legal moves, from which one is chosen."""
MOST_TRIES = 8
"""A good player of a patience takes the best of so many playouts."""
MOST_SEATS, WAITING = 4, 3
WEEK_AGO = timedelta(days=7)
"""On the day so long ago somebody has lost to another for sure: it was last week, however one counts."""
PLIES_OF_LOST = 12
QUICK_CLOCKS: tuple[Clock, ...] = (TurnClock(120), TurnClock(300), BankClock(600, 10))
AT_ONCE = 100
"""Moments in a transaction."""
DAY, HOUR, MINUTE, SECOND = (timedelta(seconds=seconds) for seconds in (86_400, 3600, 60, 1))

NAMES = (
    *("Astrid", "Bjorn", "Carmen", "Dario", "Elin", "Felipe", "Greta", "Hugo", "Ines", "Jonas"),
    *("Karin", "Lars", "Marta", "Nils", "Olivia", "Pablo", "Quim", "Rosa", "Sixten", "Teresa"),
    *("Ulla", "Victor", "Wilma", "Ximena", "Yngve", "Zoe", "Alva", "Bruno", "Clara", "Diego"),
    *("Ebba", "Frida", "Gustav", "Hanna", "Ivan", "Julia", "Klara", "Leo", "Maja", "Nora"),
    *("Oscar", "Pia", "Rut", "Sara", "Tove", "Ursula", "Vera", "Wanda"),
)

Waits: TypeAlias = Generator[timedelta, None, None]
"""Something that goes on for a while: how long until it goes on, each time."""


class Line(Struct, frozen=True):
    """A patience that was won, and how."""

    options: Any
    moves: tuple[Any, ...]


class Lost(Struct, frozen=True):
    """A game that somebody has lost to another."""

    player: str
    ruleset: str
    game: UUID
    at: datetime


class Filled(Struct):
    """What was made, up to when: the players' names, how many games, and those that were lost."""

    until: datetime
    players: list[str] = field(default_factory=list)
    games: int = 0
    lost: list[Lost] = field(default_factory=list)


_OTHERS = (
    ("accounts_player", "SELECT EXISTS (SELECT FROM accounts_player WHERE NOT is_staff)", "players"),
    ("games_game", "SELECT EXISTS (SELECT FROM games_game)", "games"),
)


def others_found() -> str | None:
    """Why this seems to be a server that others use, if it does; asked before any table need be there."""
    if settings.HTTPS:
        return "HTTPS is on, as on a server that others use"
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table, statement, those in _OTHERS:
            if table in tables:
                cursor.execute(statement)
                if cursor.fetchone()[0]:
                    return f"there are {those} already"
    return None


def demo_fill(*, games: int, players: int, seed: int, password: str, tell: Callable[[], object]) -> Filled:
    """Make players with a password and have them play games, up to now; `tell` is called for each player, and for
    each game that is over, or is left as it is. It takes transactions of its own, and a time for them alone."""
    until = database_time()
    rng, filled = Random(seed), Filled(until)  # noqa: S311 - what is played is nobody's secret
    with pretended_times():
        seated = _players(rng, players, password, until, tell)
        filled.players = [player.username for player in seated]
        try:
            _go_on(list(_Plan(rng, seated, until, filled, tell).things(games)), until)
        except BaseException:
            # Of positions that were never committed.
            newest_positions.clear()
            raise
    while boards_project():
        pass
    return filled


def _players(
    rng: Random, count: int, password: str, until: datetime, tell: Callable[[], object]
) -> list[Player]:
    """New players, who have been there for longer than the games."""
    made = list[Player]()
    names = (f"{name}{number or ''}" for number in range(1000) for name in NAMES)
    while len(made) < count:
        name = next(names)
        try:
            player, _, _ = player_sign_up(
                username=name.lower(), password=password, email="", display_name=name
            )
        except Problem as taken:
            if taken.code != "username_taken":
                raise
            continue
        joined_at = until - WEEKS - DAY * (1 + 60 * rng.random())
        Player.objects.filter(id=player.id).update(created_at=joined_at)
        made.append(player)
        tell()
    return made


def _go_on(things: Sequence[tuple[datetime, Waits]], until: datetime) -> None:
    """Let things go on, each at its times, until all are over or it is now."""
    waiting = [(at, number, thing) for number, (at, thing) in enumerate(things)]
    heapq.heapify(waiting)
    while waiting:
        with pretending():
            for _ in range(AT_ONCE):
                if not waiting:
                    break
                at, number, thing = heapq.heappop(waiting)
                if at >= until:
                    thing.close()
                    continue
                pretend(at)
                wait = next(thing, None)
                if wait is not None:
                    heapq.heappush(waiting, (at + wait, number, thing))


class _Plan:
    """What is to happen, and by whom."""

    def __init__(
        self,
        rng: Random,
        players: Sequence[Player],
        until: datetime,
        filled: Filled,
        tell: Callable[[], object],
    ) -> None:
        self.rng, self.players, self.until, self.filled, self.tell = rng, players, until, filled, tell
        self.since = until - WEEKS
        self.lines = {slug: _won_lines(rules) for slug, rules in CURRENT.items()}
        self.tried = set[tuple[date, str, UUID]]()

    def things(self, games: int) -> Iterator[tuple[datetime, Waits]]:
        """The deals of the day, and as many games, each with when it begins: of each rule set one goes on,
        some wait for somebody to join them, and one was lost a week ago."""
        yield opening_of(self.since.date()), _daily_deals()
        each = cycle(CURRENT.values())
        for _ in CURRENT:
            yield self.until - HOUR * self.rng.uniform(0.5, 2), self._game(next(each), goes_on=True)
        several = [rules for rules in CURRENT.values() if not rules.is_patience][:WAITING]
        for rules in several:
            yield self.until - HOUR * self.rng.uniform(0.1, 1), self._waiting(rules)
        yield self._a_week_ago(), self._several(several[0], most=PLIES_OF_LOST)
        for _ in range(games - len(CURRENT) - len(several) - 1):
            begins = self.since + (self.until - self.since) * self.rng.random()
            rules = next(each)
            is_daily = rules.is_patience and self.rng.random() < SHARE_OF_DAILY
            yield begins, self._attempt(rules) if is_daily else self._game(rules)

    def _a_week_ago(self) -> datetime:
        """A moment of that day, hours before it is over."""
        return opening_of((self.until - WEEK_AGO).date()) + HOUR * self.rng.uniform(8, 18)

    def _game(self, rules: AnyRules, *, goes_on: bool = False) -> Waits:
        return (
            self._patience(rules, goes_on=goes_on)
            if rules.is_patience
            else self._several(rules, goes_on=goes_on)
        )

    def _waiting(self, rules: AnyRules) -> Waits:
        """A game for several that waits for its last player."""
        seated = self.rng.sample(self.players, rules.seats[0])
        options, seats = read_options(rules, {}), len(seated)
        try:
            made = game_create(owner=seated[0], rules=rules, options=options, seats=seats, private=False)
            self.filled.games += 1
            for player in seated[1:-1]:
                yield SECOND * self.rng.uniform(5, 300)
                game_join(game_id=made.game_id, player=player, entropy="", link=None)
        finally:
            self.tell()

    def _patience(self, rules: AnyRules, *, goes_on: bool) -> Waits:
        """A patience; one that goes on is played slowly."""
        rng, player = self.rng, self.rng.choice(self.players)
        lines = self.lines[rules.slug]
        line = rng.choice(lines) if lines and rng.random() < SHARE_OF_WON else None
        options = read_options(rules, {}) if line is None else line.options
        try:
            made = game_create(owner=player, rules=rules, options=options, seats=1, private=False)
            self.filled.games += 1
            yield SECOND * rng.uniform(1, 20)
            game_start(game_id=made.game_id, player=player, entropy="")
            moves = self._line(made.game_id) if line is None else line.moves
            yield from self._played_by(player, made.game_id, moves, 20 * MINUTE if goes_on else 8 * SECOND)
        finally:
            self.tell()

    def _attempt(self, rules: AnyRules) -> Waits:
        """A first try at the deal of the day, by somebody who has not tried yet; a patience where all have."""
        today = database_time().date()
        tried = [player for player in self.players if (today, rules.slug, player.id) not in self.tried]
        if not tried:
            yield from self._patience(rules, goes_on=False)
            return
        player = self.rng.choice(tried)
        self.tried.add((today, rules.slug, player.id))
        try:
            game_id = daily_start(player=player, day=today, ruleset=rules.slug)
            self.filled.games += 1
            yield from self._played_by(player, game_id, self._line(game_id), 8 * SECOND)
        finally:
            self.tell()

    def _played_by(self, player: Player, game_id: UUID, moves: Sequence[Any], pace: timedelta) -> Waits:
        """A patience, a move after the other; given up where they do not lead to its end."""
        for move in moves:
            yield pace * self.rng.uniform(0.2, 2)
            _play(player, game_id, _position(game_id), move)
        if _position(game_id).ending is None:
            yield pace
            game_resign(game_id=game_id, player=player)

    def _line(self, game_id: UUID) -> Sequence[Any]:
        """The best of some playouts."""
        dealt = _position(game_id)
        return max(
            (_playout(self.rng, dealt) for _ in range(self.rng.randint(1, MOST_TRIES))), key=itemgetter(0)
        )[1]

    def _several(self, rules: AnyRules, *, goes_on: bool = False, most: int | None = None) -> Waits:
        """A game for several; one that goes on is played by the day, and so are some others. One of `most` plies
        is given up after these, within the hour."""
        rng = self.rng
        seated = rng.sample(self.players, rng.choice([seats for seats in rules.seats if seats <= MOST_SEATS]))
        is_slow = goes_on or (most is None and rng.random() < SHARE_OF_SLOW)
        clock = TurnClock(2 * DAY // SECOND) if is_slow else rng.choice(QUICK_CLOCKS)
        options = rules.resolve(read_options(rules, {}), len(seated))
        try:
            made = game_create(
                owner=seated[0],
                rules=rules,
                options=options,
                seats=len(seated),
                private=False,
                rated=not rules.is_cooperative(options) and rng.random() < SHARE_OF_RATED,
                clock=clock,
            )
            self.filled.games += 1
            for player in seated[1:]:
                yield SECOND * rng.uniform(5, 300)
                game_join(game_id=made.game_id, player=player, entropy="", link=None)
            yield SECOND * rng.uniform(2, 60)
            game_start(game_id=made.game_id, player=seated[0], entropy="")
            pace = 12 * SECOND if not is_slow else 15 * MINUTE if goes_on else 2 * HOUR
            chance = 1 if goes_on else rng.random()
            yield from self._played(made.game_id, seated, pace, chance, most)
            self._note_lost(rules, made.game_id, seated)
        finally:
            self.tell()

    def _played(
        self, game_id: UUID, seated: Sequence[Player], pace: timedelta, chance: float, most: int | None
    ) -> Waits:
        """A game for several to its end, or until they give it up, where it is given after `most` plies, or do not
        come back to it, by chance."""
        rng = self.rng
        is_late = most is None and chance < SHARE_OF_LATE
        if most is None:
            leaves = chance < SHARE_OF_LATE + SHARE_OF_RESIGNED
            most = rng.randint(4, MOST_PLIES) if leaves else MOST_PLIES
        while (position := _position(game_id)).ending is None:
            yield pace * rng.uniform(0.2, 2)
            seat = rng.choice(position.to_act)
            if position.ply < most:
                legal = position.setup.rules.legal_moves(position.state, seat)
                _play(seated[seat], game_id, position, rng.choice(list(islice(legal, MOST_LOOKED_AT))))
            elif is_late:
                yield _until_due(game_id)
                game_settle(game_id=game_id)
            else:
                game_resign(game_id=game_id, player=seated[seat])

    def _note_lost(self, rules: AnyRules, game_id: UUID, seated: Sequence[Player]) -> None:
        outcome = _position(game_id).outcome
        for player, result in zip(seated, outcome.result if outcome else (), strict=False):
            if result == "loss":
                self.filled.lost.append(Lost(player.username, rules.slug, game_id, database_time()))


def _daily_deals() -> Waits:
    """The deals of the day, made at the beginning of each."""
    while True:
        daily_deals_make(today=database_time().date())
        yield DAY


def _won_lines(rules: AnyRules) -> list[Line]:
    """Recorded games with a deck order that the options fix, which were won."""
    path = settings.BASE_DIR / "seeds" / "records" / f"{rules.slug}.json"
    if not rules.is_patience or not path.exists():
        return []
    lines = []
    for record in msgspec.json.decode(path.read_bytes(), type=list[Record]):
        options = rules.resolve(read_options(rules, record.options), record.seats)
        is_won = record.outcome is not None and record.outcome.result == ("win",)
        if is_won and rules.fixed_deck(options) is not None and len(record.steps) <= MOST_OF_PATIENCE:
            moves = tuple(read_move(rules, step.move) for step in record.steps)
            lines.append(Line(read_options(rules, record.options), moves))
    return lines


def _playout(rng: Random, position: Position) -> tuple[tuple[bool, int], list[Any]]:
    """Chosen moves to the end, or as many as are made, and what they are worth."""
    rules, moves = position.setup.rules, list[Any]()
    while position.ending is None and len(moves) < MOST_OF_PATIENCE:
        move = rng.choice(list(islice(rules.legal_moves(position.state, 0), MOST_LOOKED_AT)))
        moves.append(move)
        position = table.advance(position, Entry(0, rules.canonical(position.state, 0, move))).after
    outcome = position.outcome
    return (outcome is not None and outcome.result == ("win",), rules.score(position.state)[0]), moves


def _position(game_id: UUID) -> Position:
    """The newest position of a game that has started."""
    known = newest_positions.get(game_id)
    if known is not None:
        return known
    found = table_read(game_id=game_id)
    assert found is not None, "games are never deleted"
    return found.position


def _play(player: Player, game_id: UUID, position: Position, move: Any) -> None:
    """A move of a player, who may come too late for it."""
    body = msgspec.json.encode({"ply": position.ply, "move": table.stored_move(move)})
    try:
        moves_play(game_id=game_id, player=player, body=body)
    except Problem as problem:
        if problem.code not in ("overdue", "over", "left"):
            raise


def _until_due(game_id: UUID) -> timedelta:
    """How long until something must be settled in a running game, and a moment more."""
    found = table_read(game_id=game_id)
    assert found is not None, "games are never deleted"
    due_at = found.row.times.due_at
    assert due_at is not None, "a running game is closed some day"
    return max(due_at - found.row.now, timedelta()) + SECOND
