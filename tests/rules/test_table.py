"""The log folded over the rules."""

from itertools import islice
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from games import table
from games.rules.camelot import (
    Camelot,
    CamelotDeal,
    CamelotMove,
    CamelotOptions,
    CamelotPlace,
    CamelotRemove,
    CamelotState,
)
from games.rules.cards import FRENCH_DECK
from games.rules.contract import (
    GameOver,
    IllegalMove,
    NotYourTurn,
    Outcome,
    WrongForm,
    read_move,
)
from games.rules.freecell import Freecell, FreecellMove, FreecellOptions
from games.rules.las_pintas import LasPintas, LasPintasFlip, LasPintasOptions, LasPintasPlace
from games.rules.sicksack import (
    Sicksack,
    SicksackChance,
    SicksackDrew,
    SicksackOptions,
    SicksackPlay,
    SicksackState,
    SicksackTook,
    SicksackTurned,
)
from games.rules.vagrat_lodrat import VagratLodrat, VagratLodratOptions
from games.rules.vandtia_pyramid import (
    VandtiaPyramid,
    VandtiaPyramidOptions,
    VandtiaPyramidReady,
)
from games.table import MOVES, Entry, Kind, Leaving, Made, Position, Setup, Step
from tests.rules.variants import VARIANTS, Variant, cards_within, random_playout


class OpenSicksack(Sicksack):
    """Everybody may act until the hands are empty."""

    def to_act(self, state: SicksackState) -> tuple[int, ...]:
        return tuple(range(len(state.hands))) if any(state.hands) else ()


def setup(seats: int = 2, rules: Any = None, deck: tuple[str, ...] = FRENCH_DECK) -> Setup:
    return Setup(rules or Sicksack(), SicksackOptions(), seats, deck)


FIRST = [
    Entry(0, SicksackPlay("AH")),
    Entry(1, SicksackChance()),
    Entry(0, SicksackChance()),
]


def test_a_game_is_laid_out_at_ply_0() -> None:
    position = table.lay_out(setup(3))
    assert (position.setup, position.ply, position.to_act) == (setup(3, position.setup.rules), 0, (0,))
    assert position.state == Sicksack().deal(SicksackOptions(), 3, FRENCH_DECK)


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_a_wrong_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match=f"^sicksack is played by 2 to 6, not {seats}$"):
        table.lay_out(setup(seats))


@pytest.mark.parametrize(
    "deck",
    [
        (),
        FRENCH_DECK[1:],
        (*FRENCH_DECK, "AC"),
        ("AD", *FRENCH_DECK[1:]),
        ("1X", *FRENCH_DECK[1:]),
        tuple(card.lower() for card in FRENCH_DECK),
    ],
)
def test_a_deck_order_that_is_no_permutation_is_refused(deck: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"^the deck order is not a permutation of the pack$"):
        table.lay_out(setup(deck=deck))


def test_any_permutation_is_dealt() -> None:
    assert table.lay_out(setup(deck=FRENCH_DECK[::-1])).state.hands[0] == ("KD", "KH", "KS")


def test_a_deck_order_other_than_the_fixed_one_is_refused() -> None:
    freecell, options = Freecell(), FreecellOptions(1)
    fixed = freecell.fixed_deck(options)
    assert fixed is not None
    assert table.lay_out(Setup(freecell, options, 1, fixed)).to_act == (0,)
    with pytest.raises(ValueError, match=r"^the deck order is not the one that the options fix$"):
        table.lay_out(Setup(freecell, options, 1, FRENCH_DECK))


def test_an_accepted_move_is_judged_to_be_its_canonical_form() -> None:
    position = table.lay_out(Setup(Freecell(), FreecellOptions(), 1, FRENCH_DECK))
    assert table.judge(position, 0, FreecellMove("1", "a")) == FreecellMove("1", "a", 1)


def test_the_end_is_looked_at_before_the_turn_and_the_turn_before_the_rules() -> None:
    over = Position(setup(), 5, SicksackState(((), ()), (), (), ((), ()), 0))
    with pytest.raises(GameOver):
        table.judge(over, 1, SicksackPlay("KS"))
    with pytest.raises(NotYourTurn) as turn:
        table.judge(table.lay_out(setup()), 1, SicksackPlay("KS"))
    assert turn.value.facts == {"seat": 1, "to_act": [0]}
    with pytest.raises(IllegalMove) as illegal:
        table.judge(table.lay_out(setup()), 0, SicksackPlay("KS"))
    assert illegal.value.code == "SS-5"


def test_who_may_act_is_judged_apart_from_the_move() -> None:
    position = table.lay_out(setup())
    table.require_to_act(position, 0)
    with pytest.raises(NotYourTurn):
        table.require_to_act(position, 1)
    assert table.legal_form(position, 0, SicksackPlay("AH")) == SicksackPlay("AH")
    with pytest.raises(IllegalMove) as illegal:
        table.legal_form(position, 0, SicksackPlay("KS"))
    assert illegal.value.code == "SS-5"


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_does_not_exist_may_not_act(seat: int) -> None:
    with pytest.raises(NotYourTurn):
        table.judge(table.lay_out(setup()), seat, SicksackChance())


def test_an_entry_takes_a_position_one_ply_further() -> None:
    position = table.lay_out(setup())
    step = table.advance(position, FIRST[0])
    assert (step.before, step.entry, step.events) == (position, FIRST[0], (SicksackDrew("2H"),))
    assert (step.after.ply, step.after.to_act, step.after.setup) == (1, (1,), position.setup)
    assert position.ply == 0


def test_a_log_is_folded_step_by_step() -> None:
    position = table.lay_out(setup())
    steps = list(table.fold(position, FIRST))
    assert [step.entry for step in steps] == FIRST
    assert [step.before.ply for step in steps] == [0, 1, 2]
    assert [step.after for step in steps[:-1]] == [step.before for step in steps[1:]]
    assert [step.events for step in steps] == [
        (SicksackDrew("2H"),),
        (SicksackTurned("2S", fits=True),),
        (SicksackTurned("3C", fits=False), SicksackTook(("AH", "2S", "3C"))),
    ]
    assert table.position_after(position, FIRST) == steps[-1].after


def test_a_fold_is_lazy() -> None:
    steps = table.fold(table.lay_out(setup()), iter([FIRST[0], Entry(0, None)]))
    assert next(steps).after.ply == 1


def test_a_fold_over_nothing_stays_where_it_is() -> None:
    position = table.lay_out(setup())
    assert list(table.fold(position, [])) == []
    assert table.position_after(position, []) is position


def test_the_same_log_gives_the_same_position() -> None:
    first, second = (table.position_after(table.lay_out(setup()), FIRST) for _ in range(2))
    assert (first.ply, first.state) == (second.ply, second.state)


def could_act(position: Position, entries: list[Entry], seat: int) -> bool:
    return table.could_act_throughout(list(table.fold(position, entries)), seat)


def test_a_seat_could_not_act_throughout_where_the_turn_passed() -> None:
    position = table.lay_out(setup(3))
    assert [could_act(position, FIRST[:1], seat) for seat in range(3)] == [False, False, False]


def test_a_seat_could_not_act_throughout_where_it_was_not_to_act_before() -> None:
    position = table.lay_out(setup(2))
    assert position.to_act == (0,)
    assert could_act(position, FIRST[:1], 1) is False


def test_a_seat_could_act_throughout_the_moves_of_others_in_an_open_phase() -> None:
    position = table.lay_out(setup(3, OpenSicksack()))
    entries = [Entry(0, SicksackChance()), Entry(1, SicksackChance())]
    assert [could_act(position, entries, seat) for seat in range(3)] == [False, False, True]
    assert [could_act(position, entries[:1], seat) for seat in range(3)] == [False, True, True]


def test_a_seat_could_not_act_throughout_the_end() -> None:
    state = SicksackState((("AC",), (), ()), (), (), ((), (), ()), 0)
    position = Position(setup(3, OpenSicksack()), 9, state)
    assert position.to_act == (0, 1, 2)
    assert could_act(position, [Entry(0, SicksackPlay("AC"))], 2) is False


@pytest.mark.parametrize(
    ("rules", "move", "body"),
    [
        (Sicksack(), SicksackPlay("QH"), {"type": "play", "card": "QH"}),
        (Sicksack(), SicksackChance(), {"type": "chance"}),
        (Freecell(), FreecellMove("1", "h", 1), {"type": "move", "from": "1", "to": "h", "count": 1}),
        (Freecell(), FreecellMove("1", "h"), {"type": "move", "from": "1", "to": "h"}),
    ],
)
def test_a_move_is_stored_as_json_and_read_back(rules: Any, move: Any, body: object) -> None:
    stored = table.stored_move(move)
    assert stored == body
    assert msgspec.json.decode(msgspec.json.encode(stored)) == body
    assert table.entry_from(setup(rules=rules), 1, stored) == Entry(1, move)
    assert read_move(rules, stored) == move


def test_a_move_of_another_game_is_no_entry() -> None:
    body = table.stored_move(FreecellMove("1", "h", 1))
    with pytest.raises(msgspec.ValidationError):
        table.entry_from(setup(), 0, body)
    with pytest.raises(WrongForm):
        read_move(Sicksack(), body)


def test_what_is_printed_shows_no_cards() -> None:
    position = table.lay_out(setup())
    assert repr(position.setup) == "<Setup of sicksack for 2>"
    assert repr(position) == "<Position of sicksack at ply 0>"
    assert repr(table.advance(position, FIRST[0])) == "<Step of sicksack at ply 0>"
    assert repr(position.state) == "<SicksackState, seat 0 to move>"


def test_what_is_not_a_move_is_stored_without_one_and_read_back() -> None:
    for kind in ("undo", "resign", "timeout"):
        assert table.entry_from(setup(), 1, None, kind) == Entry(1, None, kind)
    assert table.entry_from(setup(), None, None, "void") == Entry(None, None, "void")
    assert table.entry_from(setup(), 1, {"type": "chance"}, "auto") == Entry(1, SicksackChance(), "auto")


def test_nothing_that_is_folded_can_be_changed() -> None:
    step = table.advance(table.lay_out(setup()), FIRST[0])
    for value, name in (
        (step, "events"),
        (step.before, "ply"),
        (step.entry, "seat"),
        (step.before.setup, "deck"),
    ):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(value, name, getattr(value, name))


# Leaving.


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def sicksack(
    *hands: str,
    scores: tuple[int, ...] = (),
    stock: str = "",
    pile: str = "",
    turn: int = 0,
    left: tuple[tuple[int, Kind], ...] = (),
) -> Position:
    """A position with a hand for each seat, so many cards in each score pile, and seats that have left."""
    state = SicksackState(
        hands=tuple(map(cards, hands)),
        stock=cards(stock),
        pile=cards(pile),
        score_piles=tuple(FRENCH_DECK[:size] for size in scores or (0,) * len(hands)),
        turn=turn,
    )
    return Position(setup(len(hands)), 7, state, left)


def leaves(position: Position, *entries: tuple[int, Kind]) -> Position:
    """The position after seats have left."""
    for seat, kind in entries:
        position = table.leaving_steps(position, seat, kind)[-1].after
    return position


def vagrat_lodrat(*, cooperative: bool) -> Position:
    options = VagratLodratOptions(cooperative=cooperative)
    return table.lay_out(Setup(VagratLodrat(), options, 2, FRENCH_DECK))


def patience(deal: int | None = 1) -> Position:
    rules, options = Freecell(), FreecellOptions(deal)
    return table.lay_out(Setup(rules, options, 1, rules.fixed_deck(options) or FRENCH_DECK))


@pytest.mark.parametrize(("kind", "ending"), [("resign", "resigned"), ("timeout", "timed_out")])
@pytest.mark.parametrize("leaver", [0, 1])
def test_of_two_the_one_who_stays_wins_whatever_the_score(leaver: int, kind: Kind, ending: str) -> None:
    position = leaves(sicksack("AH", "2S", scores=(2, 9)), (leaver, kind))
    place, result = {0: ((2, 1), ("loss", "win")), 1: ((1, 2), ("win", "loss"))}[leaver]
    assert position.outcome == Outcome(place, result, (2, 9))  # type: ignore[arg-type]
    assert (position.ply, position.to_act, position.ending) == (8, (), ending)
    assert (position.left, position.leavers) == (((leaver, kind),), (leaver,))


def test_the_last_who_stays_wins_and_the_earliest_leaver_is_last() -> None:
    position = sicksack("AH", "2S", "3C", "4D", scores=(0, 9, 3, 0))
    first = leaves(position, (2, "timeout"))
    second = leaves(first, (0, "resign"))
    assert [one.outcome for one in (first, second)] == [None, None]
    assert [one.ending for one in (first, second)] == [None, None]
    third = leaves(second, (3, "timeout"))
    assert third.outcome == Outcome((3, 1, 4, 2), ("loss", "win", "loss", "loss"), (0, 9, 3, 0))
    assert (third.ending, third.leavers) == ("timed_out", (2, 0, 3))


@pytest.mark.parametrize(
    ("left", "scores", "place", "result"),
    [
        # The fewest cards win; leavers would have been in any place.
        ((1,), (4, 0, 4), (1, 3, 1), "draw loss draw"),
        ((1,), (4, 0, 5), (1, 3, 2), "win loss loss"),
        ((1,), (4, 9, 3), (2, 3, 1), "loss loss win"),
        ((3, 0), (0, 5, 2, 1), (3, 2, 1, 4), "loss loss win loss"),
        ((0, 3), (0, 5, 2, 1), (4, 2, 1, 3), "loss loss win loss"),
        ((0, 3), (0, 2, 2, 1), (4, 1, 1, 3), "loss draw draw loss"),
        ((1,), (3, 0, 3, 1), (2, 4, 2, 1), "loss loss loss win"),
        ((1,), (2, 0, 2, 5), (1, 4, 1, 3), "draw loss draw loss"),
        ((2,), (6, 6, 0, 6), (1, 1, 4, 1), "draw draw loss draw"),
        ((), (6, 6, 0, 6), (2, 2, 1, 2), "loss loss win loss"),
    ],
)
def test_stayers_are_placed_by_the_rules_and_leavers_behind_them(
    left: tuple[int, ...], scores: tuple[int, ...], place: tuple[int, ...], result: str
) -> None:
    over = sicksack(*[""] * len(scores), scores=scores, left=tuple((seat, "resign") for seat in left))
    assert over.outcome == Outcome(place, cards(result), scores)  # type: ignore[arg-type]
    assert (over.ending, over.to_act) == ("played_out", ())


@pytest.mark.parametrize(("kind", "ending"), [("resign", "resigned"), ("timeout", "timed_out")])
@pytest.mark.parametrize("leaver", [0, 1])
def test_in_the_cooperative_game_both_lose(leaver: int, kind: Kind, ending: str) -> None:
    position = vagrat_lodrat(cooperative=True)
    score = position.setup.rules.score(position.state)
    gone = leaves(position, (leaver, kind))
    assert gone.outcome == Outcome((1, 1), ("loss", "loss"), score)
    assert (gone.ending, gone.to_act, gone.ply) == (ending, (), 1)
    alone = leaves(vagrat_lodrat(cooperative=False), (leaver, kind))
    assert alone.outcome is not None
    assert alone.outcome.place[leaver] == 2


class TogetherSicksack(Sicksack):
    def is_cooperative(self, options: SicksackOptions) -> bool:
        return True


def test_in_a_cooperative_game_of_more_all_lose_by_the_first_who_leaves() -> None:
    position = table.lay_out(setup(3, TogetherSicksack()))
    steps = table.leaving_steps(position, 0, "timeout")
    assert played(steps) == [("timeout", 0, None)]
    end = steps[-1].after
    assert end.outcome == Outcome((1, 1, 1), ("loss", "loss", "loss"), (0, 0, 0))
    assert (end.ending, end.to_act) == ("timed_out", ())


@pytest.mark.parametrize(("kind", "ending"), [("resign", "resigned"), ("timeout", "timed_out")])
def test_a_patience_that_is_given_up_is_lost_with_the_score_it_has(kind: Kind, ending: str) -> None:
    state = replace(patience().state, foundations=(1, 2, 0, 3))
    position = leaves(replace(patience(), state=state), (0, kind))
    assert position.outcome == Outcome((1,), ("loss",), (6,))
    assert (position.ending, position.to_act) == (ending, ())


def test_a_game_that_is_closed_has_no_outcome() -> None:
    for position in (patience(), table.lay_out(setup(3)), sicksack("AH", "2S", "3C", left=((1, "resign"),))):
        step = table.advance(position, Entry(None, kind="void"))
        assert (step.events, step.after.state, step.after.ply) == ((), position.state, position.ply + 1)
        assert (step.after.outcome, step.after.ending, step.after.to_act) == (None, "abandoned", ())
        with pytest.raises(GameOver):
            table.require_to_act(step.after, 0)


def test_after_a_seat_has_left_only_those_who_stay_may_act() -> None:
    position = sicksack("AH", "2S", "3C", left=((0, "resign"),))
    assert (position.to_act, position.ending) == ((), None)
    assert replace(position, state=replace(position.state, turn=2)).to_act == (2,)
    for seat in range(3):
        with pytest.raises(NotYourTurn):
            table.require_to_act(position, seat)


# Automatic moves.


def played(steps: list[Step]) -> list[tuple[str, int | None, Any]]:
    return [(step.entry.kind, step.entry.seat, step.entry.move) for step in steps]


def test_who_leaves_in_turn_is_played_for_at_once() -> None:
    position = sicksack("2S", "AS 2C 2D", "3H", pile="AH", stock="KD KC", turn=1)
    steps = table.leaving_steps(position, 1, "resign")
    assert played(steps) == [("resign", 1, None), ("auto", 1, SicksackPlay("AS"))]
    assert [step.events for step in steps] == [(), (SicksackDrew("KD"),)]
    assert [step.after.to_act for step in steps] == [(), (2,)]
    assert [step.after.ply for step in steps] == [8, 9]


def test_who_leaves_out_of_turn_is_played_for_when_the_turn_comes() -> None:
    position = sicksack("2S", "AS 2C", "3H", pile="AH", stock="KD KC 9D")
    gone = leaves(position, (1, "timeout"))
    assert (gone.ply, gone.to_act) == (8, (0,))
    step = table.advance(gone, Entry(0, SicksackPlay("2S")))
    assert step.after.to_act == ()
    assert played(list(table.automatic_steps(step.after))) == [("auto", 1, SicksackPlay("AS"))]


def test_automatic_moves_are_made_until_one_who_stays_must_act() -> None:
    position = sicksack("KC", "AC", "2H", "KS", pile="KH", stock="2D 3D 4D", turn=1, left=((2, "resign"),))
    assert played(table.leaving_steps(position, 1, "timeout")) == [
        ("timeout", 1, None),
        ("auto", 1, SicksackChance()),  # 2D does not fit: the pile is taken, and seat 1 starts the next
        ("auto", 1, SicksackPlay("AC")),
        ("auto", 2, SicksackChance()),  # 2H does not fit, nor does 4D
        ("auto", 2, SicksackPlay("2H")),
    ]


def test_automatic_moves_can_end_the_game() -> None:
    position = sicksack("", "KC", "", scores=(3, 0, 2), turn=1)
    steps = table.leaving_steps(position, 1, "resign")
    assert played(steps) == [("resign", 1, None), ("auto", 1, SicksackPlay("KC"))]
    assert steps[-1].after.outcome == Outcome((2, 3, 1), ("loss", "loss", "win"), (3, 0, 2))
    assert steps[-1].after.ending == "played_out"


def test_nothing_is_played_for_those_who_stay() -> None:
    assert list(table.automatic_steps(table.lay_out(setup()))) == []
    assert list(table.automatic_steps(sicksack("AH", "2S", "3C", left=((1, "resign"),)))) == []


def test_nothing_is_played_once_the_game_has_ended() -> None:
    assert played(table.leaving_steps(sicksack("AH", "2S"), 0, "resign")) == [("resign", 0, None)]
    assert played(table.leaving_steps(patience(), 0, "timeout")) == [("timeout", 0, None)]
    gone = sicksack("AH", "2S", "3C", left=((0, "resign"),))
    assert list(table.automatic_steps(table.advance(gone, Entry(None, kind="void")).after)) == []


def test_in_an_open_phase_a_seat_that_leaves_is_made_ready() -> None:
    position = table.lay_out(Setup(VandtiaPyramid(), VandtiaPyramidOptions(), 3, FRENCH_DECK))
    ready = VandtiaPyramidReady()
    gone = table.leaving_steps(position, 1, "resign")
    assert played(gone) == [("resign", 1, None), ("auto", 1, ready)]
    assert gone[-1].after.to_act == (0, 2)
    first = table.advance(gone[-1].after, Entry(0, ready))
    assert list(table.automatic_steps(first.after)) == []
    last = table.advance(first.after, Entry(2, ready))
    assert played(list(table.automatic_steps(last.after))) == [("auto", 1, ready)]


def test_a_turn_that_has_passed_to_a_seat_that_has_left_is_not_the_end() -> None:
    """So a batch is refused by TURN there and not by OVER."""
    position = table.advance(
        sicksack("AH KD", "2S", "3C", left=((1, "resign"),)), Entry(0, SicksackPlay("AH"))
    )
    assert (position.after.to_act, position.after.ending) == ((), None)
    with pytest.raises(NotYourTurn) as turn:
        table.judge(position.after, 0, SicksackPlay("KD"))
    assert turn.value.facts == {"seat": 0, "to_act": [1]}


def test_a_seat_could_act_throughout_where_another_that_was_not_to_act_leaves() -> None:
    position = table.lay_out(setup(3))
    assert [could_act(position, [Entry(1, kind="resign")], seat) for seat in range(3)] == [True, False, False]
    assert could_act(position, [Entry(0, kind="resign")], 0) is False
    assert could_act(table.lay_out(setup(2)), [Entry(1, kind="resign")], 0) is False


def left_game(variant: Variant, seed: int) -> list[Step]:
    """The steps of a random game which seats leave now and then."""
    rng, position, steps = Random(seed), table.lay_out(variant.setup(seed)), list[Step]()
    rules = position.setup.rules
    while position.ending is None:
        stayers = sorted(set(range(variant.seats)) - set(position.leavers))
        if rng.random() < 1 / 25:
            steps += table.leaving_steps(position, rng.choice(stayers), rng.choice(get_args(Leaving)))
        else:
            seat = rng.choice(position.to_act)
            move = rng.choice(list(islice(rules.legal_moves(position.state, seat), 100)))
            steps.append(table.advance(position, Entry(seat, move)))
            steps += table.automatic_steps(steps[-1].after)
        position = steps[-1].after
    return steps


SEVERAL = [variant for variant in VARIANTS if variant.seats > 1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("variant", SEVERAL, ids=lambda variant: variant.name)
def test_games_that_seats_leave_go_on_by_the_rules_to_a_valid_end(variant: Variant, seed: int) -> None:
    steps = left_game(variant, seed)
    for step in steps:
        before, (seat, kind) = step.before, (step.entry.seat, step.entry.kind)
        rules = before.setup.rules
        assert before.ending is None
        assert (kind == "auto") == (kind in MOVES and seat in before.leavers)
        if kind in MOVES:
            assert seat in rules.to_act(before.state)
            assert table.legal_form(before, seat, step.entry.move) == step.entry.move  # type: ignore[arg-type]
        else:
            assert seat not in before.leavers
            assert step.after.state is before.state
        if not before.to_act:
            assert kind == "auto"
    end = steps[-1].after
    assert end.to_act == ()
    assert table.position_after(table.lay_out(variant.setup(seed)), [step.entry for step in steps]) == end
    assert_is_of_those_who_stay(variant, end)


def assert_is_of_those_who_stay(variant: Variant, end: Position) -> None:
    outcome, seats = end.outcome, range(variant.seats)
    assert outcome is not None
    assert outcome.score == end.setup.rules.score(end.state)
    if variant.together and end.left:
        assert (outcome.place, outcome.result) == ((1, 1), ("loss", "loss"))
        return
    behind = [outcome.place[seat] for seat in end.leavers]
    assert behind == [variant.seats - number for number in range(len(behind))]
    staying = [outcome.place[seat] for seat in seats if seat not in end.leavers]
    assert staying == [1 + sum(other < place for other in staying) for place in staying]
    if end.ending != "played_out":
        assert staying == [1]
    if end.left:
        best = "win" if staying.count(1) == 1 else "draw"
        assert outcome.result == tuple(best if place == 1 else "loss" for place in outcome.place)


# Taking back.


def undone(position: Position) -> Position:
    assert table.why_no_undo(position) is None
    step = table.advance(position, Entry(0, kind="undo"))
    assert (step.events, step.after.ply) == ((), position.ply + 1)
    return step.after


def moved(position: Position, *moves: Any) -> Position:
    for move in moves:
        position = table.advance(position, Entry(0, table.judge(position, 0, move))).after
    return position


def test_a_move_of_a_patience_is_taken_back_and_the_one_before_it_after_that() -> None:
    dealt = patience()
    one = moved(dealt, FreecellMove("5", "a"))
    two = moved(one, FreecellMove("5", "b"))
    assert [made.move for made in two.made] == [FreecellMove("5", "a", 1), FreecellMove("5", "b", 1)]
    back = undone(two)
    assert (back.ply, back.state, back.made, back.undos) == (3, one.state, one.made, 1)
    again = undone(back)
    assert (again.ply, again.state, again.made, again.undos) == (4, dealt.state, (), 2)
    assert table.why_no_undo(again) == "nothing"
    other = undone(moved(again, FreecellMove("6", "a")))
    assert (other.ply, other.state, other.undos) == (6, dealt.state, 3)


def test_fc_07_the_moves_in_the_position_are_counted() -> None:
    position = patience()
    for _ in range(3):
        position = undone(moved(position, FreecellMove("5", "a")))
    assert (position.ply, position.state.moves) == (6, 0)
    assert moved(position, FreecellMove("5", "a")).state.moves == 1
    last = replace(patience(), state=replace(patience().state, moves=1999))
    assert undone(moved(replace(last, state=replace(last.state, moves=1998)), FreecellMove("5", "a"))).to_act
    assert table.why_no_undo(moved(last, FreecellMove("5", "a"))) == "over"


def camelot(rules: Camelot | None = None, **changes: Any) -> Position:
    position = table.lay_out(Setup(rules or Camelot(), CamelotOptions(), 1, FRENCH_DECK[::-1]))
    return replace(position, state=replace(position.state, **changes))


def test_of_camelot_a_card_that_was_placed_is_taken_back_and_one_that_was_dealt_is_not() -> None:
    dealt = moved(camelot(), CamelotDeal())
    assert table.why_no_undo(dealt) == "shown"
    placed = moved(dealt, CamelotPlace((0, 0)))
    assert undone(placed).state == dealt.state
    assert table.why_no_undo(undone(placed)) == "shown"
    further = moved(placed, CamelotDeal(), CamelotPlace((0, 3)))
    assert table.why_no_undo(undone(further)) == "shown"


def test_of_camelot_cards_that_were_removed_are_taken_back() -> None:
    full = cards("KC AC 2C 3C 4C 5C 6C 7C 8C 9C TC AD 2D 3D 4D 5D")
    position = camelot(board=full, stock=cards("KD"), removing=True)
    one = moved(position, CamelotRemove(((0, 1), (2, 1))))
    two = moved(one, CamelotRemove(((0, 2), (2, 0))))
    assert two.state.removed == ("AC", "9C", "2C", "8C")
    assert undone(two).state == one.state
    assert undone(undone(two)).state == position.state


class SuspectsEveryMove(Camelot):
    def may_reveal(self, state: CamelotState, seat: int, move: CamelotMove) -> bool:
        return True


def test_a_move_that_might_have_shown_something_and_did_not_is_taken_back() -> None:
    dealt = moved(camelot(SuspectsEveryMove()), CamelotDeal())
    assert table.why_no_undo(dealt) == "shown"
    placed = moved(dealt, CamelotPlace((0, 0)))
    assert placed.setup.rules.may_reveal(dealt.state, 0, CamelotPlace((0, 0)))
    assert undone(placed).state == dealt.state
    assert table.why_no_undo(undone(placed)) == "shown"


class SuspectsNoMove(Camelot):
    def may_reveal(self, state: CamelotState, seat: int, move: CamelotMove) -> bool:
        return False


def test_a_move_that_could_show_nothing_is_taken_back_whatever_is_seen_after_it() -> None:
    dealt = camelot(SuspectsNoMove())
    assert undone(moved(dealt, CamelotDeal())).state == dealt.state


def las_pintas(**places: str) -> Position:
    """The deal in which every card is in its place, rows O, C, E, B, but those that have changed places."""
    deck = [f"{number}{suit}" for suit in "OCEB" for number in range(1, 13)]
    for one, other in places.items():
        first, second = deck.index(one.removeprefix("_")), deck.index(other)
        deck[first], deck[second] = deck[second], deck[first]
    return table.lay_out(Setup(LasPintas(), LasPintasOptions(), 1, tuple(deck)))


def test_of_las_pintas_a_card_that_was_laid_on_the_empty_place_is_taken_back_and_no_other() -> None:
    position = las_pintas(_1O="5C", _1E="1O")  # 5C lies on [0,0], 1E on [1,4] and 1O on [2,0]
    flipped = moved(position, LasPintasFlip((0, 0)))
    assert (flipped.state.hand, table.why_no_undo(flipped)) == (("5C",), "shown")
    took_up = moved(flipped, LasPintasPlace(1))
    assert (took_up.state.hand, table.why_no_undo(took_up)) == (("1E",), "shown")
    laid = moved(took_up, LasPintasPlace(0))
    assert (laid.state.hand, laid.state.tokens) == ((), 5)
    assert undone(laid).state == took_up.state
    assert table.why_no_undo(undone(laid)) == "shown"
    assert moved(undone(laid), LasPintasPlace(3)).state.hand == ("1B",)


PATIENCES = [variant for variant in VARIANTS if variant.seats == 1]


@pytest.mark.parametrize("variant", PATIENCES, ids=lambda variant: variant.name)
def test_a_move_is_taken_back_exactly_where_it_showed_no_card(variant: Variant) -> None:
    rules, reasons = variant.setup(0).rules, set()
    for seed in range(5):
        for step in random_playout(variant.setup(seed), seed, 80):
            if step.after.ending is not None:
                assert table.why_no_undo(step.after) == "over"
                continue
            known = set(cards_within(rules.view(step.before.state, 0)))
            now = {*cards_within(rules.view(step.after.state, 0)), *cards_within(list(step.events))}
            reason = "shown" if now - known else None
            reasons.add(reason)
            assert table.why_no_undo(step.after) == reason
            if reason is None:
                assert undone(step.after).state == step.before.state
    assert ("shown" in reasons) is rules.hides


def test_after_the_end_nothing_is_taken_back() -> None:
    position = moved(patience(), FreecellMove("5", "a"))
    assert table.why_no_undo(leaves(position, (0, "resign"))) == "over"
    assert table.why_no_undo(table.advance(position, Entry(None, kind="void")).after) == "over"


def test_in_a_game_for_several_nothing_is_taken_back() -> None:
    position = table.position_after(table.lay_out(setup()), FIRST[:1])
    assert (table.why_no_undo(position), position.made, position.undos) == ("several", (), 0)
    assert table.why_no_undo(leaves(position, (0, "resign"))) == "several"


def test_before_the_first_move_there_is_nothing_to_take_back() -> None:
    assert table.why_no_undo(patience()) == "nothing"


def test_a_log_with_moves_taken_back_is_folded_to_the_same_position() -> None:
    entries = [
        Entry(0, FreecellMove("5", "a", 1)),
        Entry(0, FreecellMove("5", "b", 1)),
        Entry(0, kind="undo"),
        Entry(0, FreecellMove("6", "b", 1)),
        Entry(0, kind="undo"),
        Entry(0, kind="undo"),
        Entry(0, FreecellMove("8", "c", 1)),
    ]
    steps = list(table.fold(patience(), entries))
    assert [step.after.ply for step in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [len(step.after.made) for step in steps] == [1, 2, 1, 2, 1, 0, 1]
    assert [step.after.undos for step in steps] == [0, 0, 1, 1, 2, 3, 3]
    assert steps[-1].after.state == moved(patience(), FreecellMove("8", "c")).state
    assert repr(steps[0].after.made) == repr((Made(None, None, ()),)) == "(<Made>,)"


def test_no_more_is_taken_back_than_a_log_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_UNDOS", 2)
    position = table.lay_out(Setup(Freecell(), FreecellOptions(), 1, FRENCH_DECK))
    for reason in (None, None, "too_many"):
        position = moved(position, FreecellMove("1", "a"))
        assert table.why_no_undo(position) == reason
        if reason is None:
            position = undone(position)
    assert (position.ply, position.undos) == (5, 2)
