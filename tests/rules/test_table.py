"""The log folded over the rules."""

from typing import Any

import msgspec
import pytest

from games import table
from games.rules.cards import FRENCH_DECK
from games.rules.contract import GameOver, IllegalMove, NotYourTurn, WrongForm, read_move
from games.rules.freecell import Freecell, FreecellMove, FreecellOptions
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
from games.table import Entry, Position, Setup


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
