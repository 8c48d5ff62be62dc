"""The times of a game from its log: who has how long, and what becomes due when that is over."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import table
from games.clock import (
    DAY,
    MILLISECOND,
    BankClock,
    Clock,
    Rate,
    Times,
    TurnClock,
    settled_steps,
    times_after,
    times_at_start,
    whole_milliseconds,
)
from games.rules.cards import FRENCH_DECK
from games.rules.freecell import Freecell, FreecellMove, FreecellOptions
from games.rules.sicksack import Sicksack, SicksackChance, SicksackOptions, SicksackPlay
from games.rules.vagrat_lodrat import VagratLodrat, VagratLodratOptions
from games.rules.vandtia_pyramid import (
    VandtiaPyramid,
    VandtiaPyramidExchange,
    VandtiaPyramidOptions,
    VandtiaPyramidReady,
)
from games.table import Entry, Kind, Leaving, Position, Setup, Step
from tests.rules.variants import VARIANTS, Variant

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)
TURN, BANK = TurnClock(600), BankClock(600, 10)
READY = VandtiaPyramidReady()


def at(seconds: float) -> datetime:
    """So many seconds after noon, when the games begin."""
    return NOON + timedelta(seconds=seconds)


def seconds(*each: float) -> tuple[timedelta, ...]:
    return tuple(timedelta(seconds=one) for one in each)


class Game:
    """A game that is played by hand: its newest position, and its times."""

    def __init__(self, position: Position, clock: Clock | None, abandon_after: timedelta = MONTH) -> None:
        self.rate = Rate(clock, abandon_after)
        self.position = position
        self.times = times_at_start(self.rate, position, NOON)

    def takes(self, step: Step, moment: float) -> None:
        self.times = times_after(self.rate, self.times, step, at(moment))
        self.position = step.after

    def plays(self, moment: float, seat: int, move: Any) -> None:
        move = table.judge(self.position, seat, move)
        self.takes(table.advance(self.position, Entry(seat, move)), moment)
        for step in table.automatic_steps(self.position):
            self.takes(step, moment)

    def leaves(self, moment: float, seat: int, kind: Kind = "resign") -> None:
        for step in table.leaving_steps(self.position, seat, kind):
            self.takes(step, moment)

    def settles(self, moment: datetime) -> list[tuple[str, int | None]]:
        """What has become due by then: kinds and seats."""
        steps = list(settled_steps(self.rate, self.times, self.position, moment))
        for step in steps:
            self.times = times_after(self.rate, self.times, step, whole_milliseconds(moment))
            self.position = step.after
        return [(step.entry.kind, step.entry.seat) for step in steps]

    @property
    def deadlines(self) -> list[float | None]:
        """By seat in seconds after noon."""
        return [one and (one - NOON).total_seconds() for one in self.times.deadlines]

    @property
    def remaining(self) -> list[float | None]:
        """By seat in seconds, None while it runs."""
        return [
            left.total_seconds() if deadline is None else None
            for deadline, left in zip(self.times.deadlines, self.times.remaining, strict=True)
        ]


def sicksack(seats: int, clock: Clock | None, abandon_after: timedelta = MONTH) -> Game:
    """Hands are AC AD AH, AS 2C 2D, 2H 2S 3C and so on, with the stock in the pack's order."""
    position = table.lay_out(Setup(Sicksack(), SicksackOptions(), seats, FRENCH_DECK))
    return Game(position, clock, abandon_after)


def patience(clock: Clock | None, abandon_after: timedelta = MONTH) -> Game:
    rules, options = Freecell(), FreecellOptions(1)
    deck = rules.fixed_deck(options)
    assert deck is not None
    return Game(table.lay_out(Setup(rules, options, 1, deck)), clock, abandon_after)


def vandtia(seats: int, clock: Clock | None) -> Game:
    """Seat 0 has 2S and 3C, and so starts; its open cards are 2C 2D 2H."""
    position = table.lay_out(Setup(VandtiaPyramid(), VandtiaPyramidOptions(), seats, FRENCH_DECK))
    return Game(position, clock)


# Times.


def test_at_the_start_the_turn_of_those_who_may_act_begins() -> None:
    game = sicksack(3, TURN)
    assert game.times == Times((at(600), None, None), seconds(600, 600, 600), NOON + MONTH)
    game = vandtia(2, BANK)
    assert game.times == Times((at(600), at(600)), seconds(600, 600), NOON + MONTH)


def test_without_a_clock_there_are_no_deadlines_and_the_abandonment_moves_on() -> None:
    game = sicksack(2, None)
    assert game.times == Times((), (), NOON + MONTH)
    game.plays(100, 0, SicksackPlay("AH"))
    assert game.times == Times((), (), at(100) + MONTH)
    assert game.times.due_at == at(100) + MONTH


def test_a_turn_clock_gives_every_turn_its_time_anew() -> None:
    game = sicksack(3, TURN)
    game.plays(100, 0, SicksackPlay("AH"))
    assert (game.deadlines, game.remaining) == ([None, 700, None], [600, None, 600])
    game.plays(699.5, 1, SicksackPlay("AS"))
    assert (game.deadlines, game.remaining) == ([None, None, 1299.5], [600, 600, None])
    assert game.times.due_at == at(1299.5)


def test_a_seat_that_moves_and_is_to_move_again_has_a_new_turn() -> None:
    game = sicksack(2, TURN)
    game.plays(100, 0, SicksackPlay("AC"))
    game.plays(150, 1, SicksackChance())  # 2H does not fit on AC: seat 1 takes the pile, and starts the next
    assert (game.position.to_act, game.deadlines) == ((1,), [None, 750])
    game = sicksack(2, BANK)
    game.plays(100, 0, SicksackPlay("AC"))
    game.plays(150, 1, SicksackChance())
    assert (game.deadlines, game.remaining) == ([None, 150 + 600 - 50 + 10], [510, None])


def test_a_bank_runs_in_a_seats_turns_and_every_move_adds_the_increment() -> None:
    game = sicksack(2, BANK)
    game.plays(100, 0, SicksackPlay("AH"))
    assert (game.deadlines, game.remaining) == ([None, 700], [510, None])
    game.plays(130, 1, SicksackPlay("AS"))
    assert (game.deadlines, game.remaining) == ([640, None], [None, 580])
    game.plays(640, 0, SicksackPlay("AC"))
    assert (game.deadlines, game.remaining) == ([None, 1220], [10, None])


def test_a_bank_can_grow_beyond_what_it_began_with_and_have_no_increment() -> None:
    game = sicksack(2, BankClock(60, DAY))
    game.plays(1, 0, SicksackPlay("AH"))
    assert game.remaining == [59 + DAY, None]
    game = sicksack(2, BankClock(60))
    game.plays(1.25, 0, SicksackPlay("AH"))
    assert game.remaining == [58.75, None]


def test_a_seat_that_leaves_has_no_deadline_any_more_and_keeps_what_it_had() -> None:
    game = sicksack(3, BANK)
    game.leaves(100, 1)
    assert (game.deadlines, game.remaining) == ([600, None, None], [None, 600, 600])
    game.leaves(250, 0)
    assert (game.position.ending, game.deadlines, game.remaining) == ("resigned", [None] * 3, [350, 600, 600])
    assert game.times.due_at is None
    game = sicksack(3, TURN)
    game.leaves(100, 0)  # played for at once, so that seat 1 is to act
    assert (game.deadlines, game.remaining) == ([None, 700, None], [600, None, 600])


def test_the_turn_of_a_seat_begins_after_the_automatic_moves() -> None:
    game = sicksack(3, BANK)
    game.leaves(50, 1)
    game.plays(100, 0, SicksackPlay("AH"))
    assert (game.position.to_act, game.deadlines) == ((2,), [None, None, 700])
    assert game.remaining == [510, 600, None]


def test_vl_05_the_swap_and_the_play_of_a_turn_each_have_a_time() -> None:
    rules = VagratLodrat()
    game = Game(table.lay_out(Setup(rules, VagratLodratOptions(), 2, FRENCH_DECK)), BANK)
    game.plays(100, 0, next(rules.legal_moves(game.position.state, 0)))
    assert (game.deadlines, game.remaining) == ([610, None], [None, 600])
    game.plays(110, 0, next(rules.legal_moves(game.position.state, 0)))
    assert (game.deadlines, game.remaining) == ([None, 710], [510, None])


def test_the_end_leaves_nothing_due() -> None:
    for game in (sicksack(2, TURN), sicksack(2, None), patience(BANK)):
        game.takes(table.advance(game.position, Entry(None, kind="void")), 100)
        assert (game.times.due_at, game.times.abandoned_at) == (None, None)


# Open phases.


def test_in_an_open_phase_a_turn_lasts_until_the_seat_is_ready() -> None:
    game = vandtia(3, TURN)
    assert game.deadlines == [600, 600, 600]
    game.plays(100, 0, VandtiaPyramidExchange("2S", (2, 0)))
    assert game.deadlines == [600, 600, 600]
    game.plays(200, 0, READY)
    assert (game.deadlines, game.remaining) == ([None, 600, 600], [600, None, None])
    game.plays(300, 1, READY)
    assert game.deadlines == [None, None, 600]


def test_in_an_open_phase_an_exchange_adds_no_increment_and_ready_does() -> None:
    game = vandtia(2, BANK)
    game.plays(100, 0, VandtiaPyramidExchange("2S", (2, 0)))
    assert (game.deadlines, game.remaining) == ([600, 600], [None, None])
    game.plays(150, 0, READY)
    assert (game.deadlines, game.remaining) == ([None, 600], [460, None])


def test_the_last_who_is_ready_begins_a_new_turn_of_all() -> None:
    game = vandtia(2, BANK)
    game.plays(150, 0, READY)
    game.plays(400, 1, READY)
    assert game.position.state.phase == "second_exchange"
    assert game.deadlines == [400 + 460, 400 + 210]


def second_exchange(clock: Clock) -> Game:
    """At 400; with a bank seat 0 has 460 seconds left, and seat 1 has 210."""
    game = vandtia(2, clock)
    game.plays(150, 0, READY)
    game.plays(400, 1, READY)
    return game


def test_an_exchange_that_ends_the_phase_for_a_seat_ends_its_turn() -> None:
    game = second_exchange(BANK)
    game.plays(410, 1, VandtiaPyramidExchange("5C", (0, 0)))
    assert (game.position.to_act, game.deadlines, game.remaining) == ((0,), [860, None], [None, 210])


@pytest.mark.parametrize(("clock", "deadline"), [(TURN, 450 + 600), (BANK, 450 + 460 - 50 + 10)])
def test_an_exchange_that_ends_the_phase_for_all_begins_the_turn_of_who_starts(
    clock: Clock, deadline: float
) -> None:
    for last in (READY, VandtiaPyramidExchange("2S", (0, 0))):
        game = second_exchange(clock)
        game.plays(410, 1, READY)
        game.plays(450, 0, last)
        assert (game.position.state.phase, game.position.to_act) == ("play", (0,))
        assert game.deadlines == [deadline, None]


def test_in_the_play_after_an_open_phase_every_move_is_a_turn() -> None:
    game = second_exchange(TURN)
    game.plays(410, 1, READY)
    game.plays(450, 0, READY)
    game.plays(500, 0, next(game.position.setup.rules.legal_moves(game.position.state, 0)))
    assert (game.position.to_act, game.deadlines) == ((1,), [None, 1100])


def test_a_seat_that_leaves_an_open_phase_keeps_nobody_waiting() -> None:
    game = vandtia(3, BANK)
    game.leaves(100, 2)
    assert (game.deadlines, game.remaining) == ([600, 600, None], [None, None, 500])
    game.plays(150, 0, READY)
    game.plays(200, 1, READY)
    assert game.position.state.phase == "second_exchange"
    assert game.deadlines == [200 + 460, 200 + 410, None]


# Patiences.


def test_a_move_that_is_taken_back_does_not_begin_the_turn_anew() -> None:
    for clock, deadline in ((TURN, 700), (BANK, 610)):
        game = patience(clock)
        game.plays(100, 0, FreecellMove("5", "a"))
        assert game.deadlines == [deadline]
        game.takes(table.advance(game.position, Entry(0, kind="undo")), 200)
        assert game.deadlines == [deadline]
        assert game.times.abandoned_at == at(200) + MONTH


def test_of_a_patience_the_abandonment_moves_on_beside_the_clock() -> None:
    game = patience(TURN, timedelta(hours=1))
    assert game.times == Times((at(600),), seconds(600), at(3600))
    game.plays(100, 0, FreecellMove("5", "a"))
    assert game.times == Times((at(700),), seconds(600), at(3700))
    game = patience(TurnClock(14 * DAY), timedelta(hours=1))
    assert game.times.due_at == at(3600)


def test_of_several_with_a_clock_there_is_no_abandonment_after_the_first_entry() -> None:
    for begin in (lambda game: game.plays(9, 0, SicksackPlay("AH")), lambda game: game.leaves(9, 2)):
        game = sicksack(3, TURN)
        begin(game)
        assert game.times.abandoned_at is None


# What becomes due.


def after(moment: datetime) -> datetime:
    """The next moment that the database could tell."""
    return moment + timedelta(microseconds=1)


def test_a_seat_has_its_time_to_the_very_end_of_it() -> None:
    game = sicksack(2, TURN)
    assert game.settles(at(600)) == []
    assert game.settles(after(at(600))) == [("timeout", 0)]
    assert (game.position.ending, game.position.outcome and game.position.outcome.place) == (
        "timed_out",
        (2, 1),
    )


def test_a_seat_that_is_out_of_time_is_played_for_and_the_next_has_its_whole_turn() -> None:
    game = sicksack(3, TURN)
    assert game.settles(at(4000)) == [("timeout", 0), ("auto", 0)]
    assert (game.position.to_act, game.deadlines) == ((1,), [None, 4600, None])
    assert game.settles(at(4600)) == []
    assert game.settles(at(4601)) == [("timeout", 1)]
    assert (game.position.ending, game.position.leavers) == ("timed_out", (0, 1))


def test_a_waiting_seat_in_an_open_phase_is_made_ready_and_stays() -> None:
    game = vandtia(3, TURN)
    game.plays(100, 1, READY)
    assert game.settles(at(601)) == [("auto", 0), ("auto", 2)]
    assert (game.position.state.phase, game.position.leavers) == ("second_exchange", ())
    assert game.deadlines == [1201, 1201, 1201]
    assert game.settles(at(1202)) == [("auto", 0), ("auto", 1), ("auto", 2)]
    assert (game.position.state.phase, game.position.to_act, game.deadlines) == (
        "play",
        (0,),
        [1802, None, None],
    )
    assert game.settles(at(1803)) == [("timeout", 0), ("auto", 0)]


def test_of_several_that_are_due_the_longest_due_is_first() -> None:
    game = vandtia(3, BANK)
    game.plays(100, 2, READY)
    game.plays(200, 1, READY)
    game.plays(300, 0, READY)
    assert game.deadlines == [300 + 310, 300 + 410, 300 + 510]
    assert game.settles(at(611)) == [("auto", 0)]
    assert game.remaining == [10, None, None]
    assert game.settles(at(1000)) == [("auto", 1), ("auto", 2)]
    assert (game.position.to_act, game.deadlines) == ((0,), [1010, None, None])


def test_an_empty_bank_without_an_increment_is_ready_once_and_then_out_of_time() -> None:
    game = vandtia(2, BankClock(60))
    game.plays(10, 0, READY)
    assert game.settles(at(61)) == [("auto", 1)]
    assert game.deadlines == [111, 61]
    assert game.settles(after(at(61))) == [("auto", 1)]
    game.plays(62, 0, READY)
    game.plays(63, 0, next(game.position.setup.rules.legal_moves(game.position.state, 0)))
    assert (game.position.to_act, game.deadlines) == ((1,), [None, 63])
    assert game.settles(after(at(63))) == [("timeout", 1)]


def test_all_that_follows_at_once_is_settled_at_once() -> None:
    game = vandtia(2, BankClock(60))
    game.plays(10, 0, READY)
    assert game.settles(after(at(61))) == [("auto", 1), ("auto", 1)]
    assert game.position.state.phase == "second_exchange"
    assert game.settles(after(at(111.5))) == [("auto", 0), ("timeout", 0)]
    assert game.position.ending == "timed_out"


@pytest.mark.parametrize("seats", [2, 3])
def test_a_game_in_which_nobody_has_moved_is_closed(seats: int) -> None:
    for clock in (None, TurnClock(14 * DAY)):
        game = sicksack(seats, clock, timedelta(hours=1))
        assert game.settles(at(3600)) == []
        assert game.settles(after(at(3600))) == [("void", None)]
        assert (game.position.ending, game.position.outcome, game.times.due_at) == ("abandoned", None, None)


def test_a_game_of_several_without_a_clock_that_is_left_alone_is_closed() -> None:
    game = sicksack(2, None, timedelta(hours=1))
    game.plays(3600, 0, SicksackPlay("AH"))
    assert game.settles(at(7200)) == []
    assert game.settles(after(at(7200))) == [("void", None)]
    assert game.position.ending == "abandoned"


def test_a_game_of_several_with_a_clock_ends_by_it_alone_once_it_is_begun() -> None:
    game = sicksack(2, TurnClock(14 * DAY), timedelta(hours=1))
    game.plays(10, 0, SicksackPlay("AH"))
    assert game.settles(at(14 * DAY + 10)) == []
    assert game.settles(after(at(14 * DAY + 10))) == [("timeout", 1)]


def test_a_deadline_before_the_abandonment_is_settled_as_one() -> None:
    game = sicksack(2, TurnClock(60), timedelta(hours=1))
    assert game.settles(at(90_000)) == [("timeout", 0)]
    game = sicksack(2, TurnClock(3600), timedelta(hours=1))
    assert game.settles(after(at(3600))) == [("timeout", 0)]


@pytest.mark.parametrize("clock", [None, TurnClock(14 * DAY)])
def test_a_patience_that_was_begun_and_left_alone_is_lost(clock: Clock | None) -> None:
    game = patience(clock, timedelta(hours=1))
    game.plays(3600, 0, FreecellMove("5", "a"))
    assert game.settles(at(7200)) == []
    assert game.settles(after(at(7200))) == [("timeout", 0)]
    outcome = game.position.outcome
    assert outcome is not None
    assert (game.position.ending, outcome.result) == ("timed_out", ("loss",))


def test_a_patience_that_was_begun_and_taken_back_is_lost_too() -> None:
    game = patience(None, timedelta(hours=1))
    game.plays(10, 0, FreecellMove("5", "a"))
    game.takes(table.advance(game.position, Entry(0, kind="undo")), 20)
    assert game.settles(at(3621)) == [("timeout", 0)]


@pytest.mark.parametrize("clock", [None, TurnClock(14 * DAY)])
def test_a_patience_that_was_not_begun_is_closed_by_its_abandonment(clock: Clock | None) -> None:
    game = patience(clock, timedelta(hours=1))
    assert game.settles(after(at(3600))) == [("void", None)]
    assert game.position.outcome is None


def test_a_patience_ends_by_its_clock_where_that_comes_first() -> None:
    game = patience(TurnClock(60))
    assert game.settles(after(at(60))) == [("timeout", 0)]


def test_in_the_cooperative_game_both_lose_by_one_who_is_out_of_time() -> None:
    options = VagratLodratOptions(cooperative=True)
    game = Game(table.lay_out(Setup(VagratLodrat(), options, 2, FRENCH_DECK)), TURN)
    assert game.settles(at(601)) == [("timeout", 0)]
    assert game.position.outcome is not None
    assert game.position.outcome.result == ("loss", "loss")


def test_nothing_is_due_in_a_game_that_has_ended() -> None:
    game = sicksack(2, TURN)
    game.leaves(100, 0)
    assert game.settles(at(10**8)) == []


def test_what_is_settled_late_is_settled_at_a_whole_millisecond() -> None:
    game = sicksack(3, TURN)
    moment = at(700) + timedelta(microseconds=123_999)
    assert game.settles(moment) == [("timeout", 0), ("auto", 0)]
    assert game.deadlines == [None, 1300.123, None]


@pytest.mark.parametrize(
    ("given_", "kept"), [(0, 0), (999, 0), (1000, 1000), (123_456, 123_000), (999_999, 999_000)]
)
def test_times_are_whole_milliseconds(given_: int, kept: int) -> None:
    assert whole_milliseconds(NOON.replace(microsecond=given_)) == NOON.replace(microsecond=kept)


# Clocks as they are asked for.


@pytest.mark.parametrize(
    ("written", "clock"),
    [
        ({"type": "turn", "seconds": 60}, TurnClock(60)),
        ({"type": "turn", "seconds": 14 * 86_400}, TurnClock(1_209_600)),
        ({"type": "bank", "seconds": 60}, BankClock(60, 0)),
        ({"type": "bank", "seconds": 300, "increment": 86_400}, BankClock(300, 86_400)),
        (None, None),
    ],
)
def test_a_clock_is_written_as_json(written: Any, clock: Clock | None) -> None:
    assert msgspec.convert(written, Clock | None) == clock  # type: ignore[arg-type]
    assert msgspec.convert(msgspec.to_builtins(clock), Clock | None) == clock  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "written",
    [
        {},
        {"type": "turn"},
        {"seconds": 60},
        {"type": "sand", "seconds": 60},
        {"type": "turn", "seconds": 59},
        {"type": "turn", "seconds": 14 * 86_400 + 1},
        {"type": "turn", "seconds": 60.5},
        {"type": "turn", "seconds": "60"},
        {"type": "turn", "seconds": 60, "increment": 0},
        {"type": "bank", "seconds": 59},
        {"type": "bank", "seconds": 60, "increment": -1},
        {"type": "bank", "seconds": 60, "increment": 86_401},
        {"type": "bank", "seconds": 60, "delay": 1},
    ],
)
def test_no_other_clock_can_be_asked_for(written: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(written, Clock | None)  # type: ignore[arg-type]


# Stepwise, as the server does it, and folded.


class Served:
    """A random game as it is served: what is kept between requests is what the game's row keeps, and what has
    become due is settled before anything else is done."""

    def __init__(self, variant: Variant, rate: Rate, seed: int) -> None:
        self.rng, self.rate = Random(seed), rate
        self.position = table.lay_out(variant.setup(seed))
        self.times = kept(times_at_start(rate, self.position, NOON))
        self.now = NOON
        self.log: list[tuple[int | None, Any, Kind, datetime]] = []

    def asked(self, wait: timedelta) -> None:
        """A request that comes after a while."""
        self.now += wait
        steps = list(settled_steps(self.rate, self.times, self.position, self.now))
        self.append(steps or self.chosen())

    def chosen(self) -> Sequence[Step]:
        position, rng = self.position, self.rng
        if position.ending is not None:
            return ()
        if rng.random() < 1 / 20:
            stayers = [seat for seat in range(position.setup.seats) if seat not in position.leavers]
            return table.leaving_steps(position, rng.choice(stayers), rng.choice(get_args(Leaving)))
        if rng.random() < 1 / 3 and table.why_no_undo(position) is None:
            return [table.advance(position, Entry(0, kind="undo"))]
        seat = rng.choice(position.to_act)
        move = rng.choice(list(islice(position.setup.rules.legal_moves(position.state, seat), 100)))
        step = table.advance(position, Entry(seat, move))
        return [step, *table.automatic_steps(step.after)]

    def append(self, steps: Sequence[Step]) -> None:
        moment = whole_milliseconds(self.now)
        times = self.times
        for step in steps:
            times = times_after(self.rate, times, step, moment)
            entry = step.entry
            self.log.append((entry.seat, table.stored_move(entry.move), entry.kind, moment))
            self.position = step.after
        self.times = kept(times)


def kept(times: Times) -> Times:
    """Times as a game's row keeps them, read again."""
    stored = msgspec.json.encode(
        {
            "deadlines": times.deadlines,
            "remaining": [left // MILLISECOND for left in times.remaining],
            "abandoned_at": times.abandoned_at,
        }
    )
    row = msgspec.json.decode(stored)
    return Times(
        tuple(one and datetime.fromisoformat(one) for one in row["deadlines"]),
        tuple(left * MILLISECOND for left in row["remaining"]),
        row["abandoned_at"] and datetime.fromisoformat(row["abandoned_at"]),
    )


def folded(variant: Variant, served: Served, seed: int) -> Iterator[tuple[Position, Times]]:
    """The positions and times of a log, from the deal on."""
    position = table.lay_out(variant.setup(seed))
    times = times_at_start(served.rate, position, NOON)
    yield position, times
    for seat, body, kind, moment in served.log:
        step = table.advance(position, table.entry_from(position.setup, seat, body, kind))
        times = times_after(served.rate, times, step, moment)
        position = step.after
        yield position, times


CLOCKS = st.one_of(
    st.none(),
    st.builds(TurnClock, st.integers(60, 14 * DAY)),
    st.builds(BankClock, st.integers(60, 14 * DAY), st.integers(0, DAY)),
    st.builds(BankClock, st.just(60), st.just(0)),
)
WAITS = st.lists(
    st.one_of(
        st.timedeltas(timedelta(), timedelta(seconds=40)),
        st.timedeltas(timedelta(), timedelta(days=16)),
    ),
    max_size=60,
)


@given(
    variant=st.sampled_from(VARIANTS),
    clock=CLOCKS,
    abandon_after=st.integers(3600, 90 * DAY).map(lambda seconds: timedelta(seconds=seconds)),
    waits=WAITS,
    seed=st.integers(0, 10**6),
)
def test_the_log_with_its_times_says_how_much_time_everybody_has(
    variant: Variant, clock: Clock | None, abandon_after: timedelta, waits: list[timedelta], seed: int
) -> None:
    served = Served(variant, Rate(clock, abandon_after), seed)
    for wait in waits:
        served.asked(wait)
    *_, (position, times) = folded(variant, served, seed)
    assert position == served.position
    assert times == served.times
    for position, times in folded(variant, served, seed):
        assert_holds(clock, position, times)
    if served.position.ending is None:
        due_at = served.times.due_at
        assert due_at is not None
        assert due_at >= whole_milliseconds(served.now)


def assert_holds(clock: Clock | None, position: Position, times: Times) -> None:
    running = {seat for seat, deadline in enumerate(times.deadlines) if deadline is not None}
    assert running == (set(position.to_act) if clock else set())
    assert len(times.deadlines) == len(times.remaining) == (position.setup.seats if clock else 0)
    assert all(left >= timedelta() for left in times.remaining)
    for moment in (*times.deadlines, times.abandoned_at):
        assert moment is None or moment == whole_milliseconds(moment)
    if position.ending is not None:
        assert (running, times.abandoned_at, times.due_at) == (set(), None, None)
    bound = clock is not None and position.setup.seats > 1 and position.ply > 0
    assert (times.abandoned_at is None) == (bound or not position.to_act)


def test_what_the_property_plays_comes_to_every_kind_of_entry_and_end() -> None:
    """Else it would say less than it seems to."""
    kinds, endings = set[str](), set[str | None]()
    for seed in range(200):
        variant = VARIANTS[seed % len(VARIANTS)]
        clock = (None, TurnClock(60), BankClock(600, 5))[seed % 3]
        served = Served(variant, Rate(clock, timedelta(days=1)), seed)
        for _ in range(60):
            served.asked(served.rng.choice([timedelta(seconds=9), timedelta(seconds=70), timedelta(days=2)]))
        kinds |= {kind for _, _, kind, _ in served.log}
        endings.add(served.position.ending)
    assert kinds == {"play", "auto", "undo", "resign", "timeout", "void"}
    assert endings >= {"resigned", "timed_out", "abandoned"}
