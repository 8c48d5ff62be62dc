"""Las Pintas, clause by clause."""

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest

from games import table
from games.rules.cards import NUMBER, SPANISH_DECK
from games.rules.contract import (
    GameOver,
    IllegalMove,
    NotYourTurn,
    Outcome,
    Refused,
    WrongForm,
    read_move,
    read_options,
    said,
)
from games.rules.las_pintas import (
    LasPintas,
    LasPintasCards,
    LasPintasEvent,
    LasPintasFlip,
    LasPintasMove,
    LasPintasOptions,
    LasPintasPlace,
    LasPintasPlaced,
    LasPintasReveal,
    LasPintasRevealed,
    LasPintasSort,
    LasPintasState,
    LasPintasTableCard,
    LasPintasTookUp,
    LasPintasTurned,
)
from games.table import Entry, Position, Setup

RULES = LasPintas()
REVEAL = {"type": "reveal"}
VARIANTS = ("base", "lost-kings", "revealed-exchange")


def flip(row: int, column: int) -> dict[str, object]:
    return {"type": "flip", "at": [row, column]}


def place(row: int) -> dict[str, object]:
    return {"type": "place", "row": row}


def sort(card: str, row: int | None = None) -> dict[str, object]:
    return {"type": "sort", "card": card} | ({} if row is None else {"row": row})


def in_place(variant: str, size: int) -> list[str]:
    """The deck order that deals every card into its place, rows O, C, E, B; the kings are the first four where
    four are laid aside."""
    numbers = [*range(1, 13)] if size == 48 else [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
    kings = [] if variant == "base" else ["12O", "12C", "12E", "12B"]
    return kings + [f"{number}{suit}" for suit in "OCEB" for number in (numbers[:-1] if kings else numbers)]


def dealt(*swaps: str, variant: str = "base", size: int = 48) -> Position:
    """The deal in which all cards are in place but those of the swaps, such as `2O 3C`, which change places."""
    deck = in_place(variant, size)
    for pair in swaps:
        one, other = map(deck.index, pair.split())
        deck[one], deck[other] = deck[other], deck[one]
    options = read_options(RULES, {"deck": size, "variant": variant})
    return table.lay_out(Setup(RULES, options, 1, tuple(deck)))


def with_state(position: Position, **changes: object) -> Position:
    return Position(position.setup, position.ply, msgspec.structs.replace(position.state, **changes))


def all_up_but(position: Position, *places: tuple[int, int], **changes: object) -> Position:
    """The position with every card face up but those at the given places, all rows to their suits."""
    state: LasPintasState = position.state
    down = {row * state.columns + column for row, column in places}
    return with_state(
        position,
        face_up=tuple(None if at in down else card for at, card in enumerate(state.face_down)),
        face_down=tuple(card if at in down else None for at, card in enumerate(state.face_down)),
        suits=("O", "C", "E", "B"),
        **changes,
    )


def after(position: Position, *moves: object) -> tuple[Position, tuple[LasPintasEvent, ...]]:
    """The position after moves, and the events of the last."""
    events: tuple[LasPintasEvent, ...] = ()
    for given in moves:
        step = table.advance(position, Entry(0, table.judge(position, 0, read_move(RULES, given))))
        position, events = step.after, step.events
    return position, events


def refused(position: Position, given: object) -> tuple[str, str, dict[str, object]]:
    """Code, explanation and facts."""
    before = position.state
    with pytest.raises(Refused) as caught:
        table.judge(position, 0, read_move(RULES, given))
    assert position.state == before
    return caught.value.code, caught.value.explanation, dict(caught.value.facts)


def legal(position: Position) -> list[LasPintasMove]:
    return list(RULES.legal_moves(position.state, 0))


def places(*rows: int) -> list[LasPintasPlace]:
    return [LasPintasPlace(row) for row in rows]


def up(position: Position) -> dict[tuple[int, int], str]:
    """The cards that lie face up, the kings' column among them."""
    state: LasPintasState = position.state
    return {divmod(at, state.columns): card for at, card in enumerate(state.face_up) if card is not None}


def down(position: Position) -> dict[tuple[int, int], str]:
    state: LasPintasState = position.state
    return {divmod(at, state.columns): card for at, card in enumerate(state.face_down) if card is not None}


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name, RULES.hides) == ("las-pintas", "Las Pintas", True)


def test_one_plays() -> None:
    with pytest.raises(ValueError, match="las-pintas is played by 1 to 1, not 2"):
        table.lay_out(Setup(RULES, LasPintasOptions(), 2, SPANISH_DECK))
    with pytest.raises(NotYourTurn):
        table.judge(dealt(), 1, LasPintasFlip((0, 0)))
    assert list(RULES.legal_moves(dealt().state, 1)) == []


def test_options_have_defaults_and_no_other_values() -> None:
    assert read_options(RULES, {}) == LasPintasOptions(deck=48, variant="base")
    given = {"deck": 40, "variant": "lost-kings"}
    assert read_options(RULES, given) == LasPintasOptions(deck=40, variant="lost-kings")
    for wrong in ({"deck": 44}, {"deck": "48"}, {"variant": "reduced"}, {"tokens": 6}):
        with pytest.raises(WrongForm):
            read_options(RULES, wrong)


def test_lp_01_the_reduced_deck_has_no_eights_and_nines() -> None:
    assert RULES.deck(LasPintasOptions()) == SPANISH_DECK
    assert len(set(SPANISH_DECK)) == 48
    reduced = RULES.deck(LasPintasOptions(deck=40))
    assert len(set(reduced)) == 40
    assert {NUMBER[card] for card in reduced} == {1, 2, 3, 4, 5, 6, 7, 10, 11, 12}


@pytest.mark.parametrize(
    ("size", "columns"),
    [
        (48, {number: number - 1 for number in range(1, 13)}),
        (40, {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 10: 7, 11: 8, 12: 9}),
    ],
)
def test_lp_01_there_is_a_column_for_each_value(size: int, columns: dict[int, int]) -> None:
    for number, column in columns.items():
        _, events = after(dealt(size=size), flip(2, column))
        assert events == (LasPintasTurned(f"{number}E", (2, column), stays=True),)


@pytest.mark.parametrize("size", [48, 40])
def test_lp_02_the_whole_deck_is_dealt_face_down_row_by_row(size: int) -> None:
    options = read_options(RULES, {"deck": size})
    deck = RULES.deck(options)[::-1]
    position = table.lay_out(Setup(RULES, options, 1, deck))
    lies = down(position)
    assert lies == {divmod(at, size // 4): card for at, card in enumerate(deck)}
    assert (lies[0, 0], lies[0, 1], lies[1, 0]) == (deck[0], deck[1], deck[size // 4])
    assert up(position) == {}
    state: LasPintasState = position.state
    assert (state.tokens, state.hand, state.start, state.suits) == (6, (), (), (None,) * 4)


def test_lp_03_a_flip_pays_a_token_and_turns_up_a_card() -> None:
    position, events = after(dealt(), flip(1, 4))
    assert events == (LasPintasTurned("5C", (1, 4), stays=True),)
    assert position.state.tokens == 5
    assert up(position) == {(1, 4): "5C"}
    assert position.state.face_down[1 * 12 + 4] is None


def test_lp_03_every_face_down_card_may_be_flipped() -> None:
    assert legal(dealt()) == [LasPintasFlip((row, column)) for row in range(4) for column in range(12)]
    position, _ = after(dealt(size=40), flip(1, 4))
    assert legal(position) == [
        LasPintasFlip((row, column)) for row in range(4) for column in range(10) if (row, column) != (1, 4)
    ]


def test_lp_03_a_face_up_card_is_not_flipped() -> None:
    position, _ = after(dealt(), flip(1, 4))
    assert refused(position, flip(1, 4)) == (
        "LP-3",
        "5C lies face up at [1,4]",
        {"card": "5C", "row": 1, "column": 4},
    )


def test_lp_03_nothing_is_flipped_with_a_card_in_hand() -> None:
    position, _ = after(dealt("2O 3C"), flip(0, 1))
    facts = {"card": "3C"}
    assert refused(position, flip(3, 3)) == ("LP-3", "3C in your hand must be placed first", facts)
    # Neither is the place that it came from.
    assert refused(position, flip(0, 1)) == ("LP-3", "3C in your hand must be placed first", facts)


def test_lp_03_a_column_that_the_table_does_not_have_is_refused() -> None:
    for column in (10, 11):
        assert refused(dealt(size=40), flip(0, column)) == (
            "LP-3",
            f"the table has no column {column}",
            {"column": column},
        )
    assert after(dealt(size=40), flip(0, 9))[1] == (LasPintasTurned("12O", (0, 9), stays=True),)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"at": [0, 0]},
        {"type": "flip"},
        {"type": "flip", "at": [0, 0], "row": 1},
        {"type": "flip", "at": [0]},
        {"type": "flip", "at": [0, 0, 0]},
        {"type": "flip", "at": [4, 0]},
        {"type": "flip", "at": [-1, 0]},
        {"type": "flip", "at": [0, 12]},
        {"type": "flip", "at": [0, -1]},
        {"type": "flip", "at": [0, 0.5]},
        {"type": "flip", "at": ["0", 0]},
        {"type": "flip", "at": [True, 0]},
        {"type": "flip", "at": None},
        {"type": "place"},
        {"type": "place", "row": 4},
        {"type": "place", "row": -1},
        {"type": "place", "row": None},
        {"type": "place", "card": "7E", "row": 0},
        {"type": "reveal", "row": 0},
        {"type": "sort"},
        {"type": "sort", "row": 0},
        {"type": "sort", "card": "7E", "row": 4},
        {"type": "sort", "card": "7E", "row": None},
        {"type": "sort", "card": "13E", "row": 0},
        {"type": "sort", "card": "0E", "row": 0},
        {"type": "sort", "card": "07E", "row": 0},
        {"type": "sort", "card": "QH", "row": 0},
        {"type": "sort", "card": "7E\n", "row": 0},
        {"type": "sort", "card": "7e", "row": 0},
        {"type": "turned", "card": "7E", "at": [0, 0], "stays": True},
        {"type": "Flip", "at": [0, 0]},
        [],
        "reveal",
        None,
    ],
)
def test_a_move_is_exactly_of_its_form(given: object) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert caught.value.code == "FORM"


def test_a_move_of_the_form_is_read() -> None:
    assert read_move(RULES, flip(3, 11)) == LasPintasFlip((3, 11))
    assert read_move(RULES, {"type": "flip", "at": [0.0, 1.0]}) == LasPintasFlip((0, 1))
    assert read_move(RULES, place(3)) == LasPintasPlace(3)
    assert read_move(RULES, REVEAL) == LasPintasReveal()
    assert read_move(RULES, sort("12B", 0)) == LasPintasSort("12B", 0)
    assert read_move(RULES, sort("7E")) == LasPintasSort("7E")


def test_lp_04_a_row_belongs_to_the_suit_of_its_first_card() -> None:
    position, _ = after(dealt(), flip(2, 6), flip(0, 0), flip(2, 0))
    assert position.state.suits == ("O", None, "E", None)


def test_lp_04_a_card_turned_up_to_be_taken_up_gives_its_row_nothing() -> None:
    position, _ = after(dealt("2O 3C"), flip(0, 1))
    assert position.state.suits == (None,) * 4
    assert legal(position) == places(0, 1, 2, 3)


def test_lp_04_no_card_is_placed_in_a_row_of_another_suit() -> None:
    position, _ = after(dealt("2O 3C"), flip(2, 0), flip(0, 1))
    assert legal(position) == places(0, 1, 3)
    assert refused(position, place(2)) == (
        "LP-4",
        "row 2 belongs to the suit E; 3C is of another",
        {"row": 2, "suit": "E", "card": "3C"},
    )


def test_lp_05_a_card_in_place_stays() -> None:
    position, events = after(dealt(), flip(0, 0))  # both row and suit are free
    assert events == (LasPintasTurned("1O", (0, 0), stays=True),)
    assert (position.state.suits, position.state.hand) == (("O", None, None, None), ())
    position, events = after(position, flip(0, 5))  # the row belongs to the suit
    assert events == (LasPintasTurned("6O", (0, 5), stays=True),)
    assert up(position) == {(0, 0): "1O", (0, 5): "6O"}


def test_lp_05_not_in_a_column_of_another_value() -> None:
    position, events = after(dealt("3O 4O"), flip(0, 0), flip(0, 2))
    assert events == (
        LasPintasTurned("4O", (0, 2), stays=False),
        LasPintasTookUp("4O", (0, 2)),
        LasPintasPlaced("4O", (0, 3)),
        LasPintasTookUp("3O", (0, 3)),
        LasPintasPlaced("3O", (0, 2)),
    )
    assert position.state.hand == ()


def test_lp_05_not_in_a_row_of_another_suit() -> None:
    position, events = after(dealt("3O 3C"), flip(0, 0), flip(0, 2))
    assert events == (LasPintasTurned("3C", (0, 2), stays=False), LasPintasTookUp("3C", (0, 2)))
    assert position.state.hand == ("3C",)
    assert legal(position) == places(1, 2, 3)


def test_lp_05_not_in_a_free_row_when_its_suit_has_another() -> None:
    position, events = after(dealt("3O 3C"), flip(0, 2), flip(1, 4))
    assert events == (
        LasPintasTurned("5C", (1, 4), stays=False),
        LasPintasTookUp("5C", (1, 4)),
        LasPintasPlaced("5C", (0, 4)),
        LasPintasTookUp("5O", (0, 4)),
    )
    assert position.state.suits == ("C", None, None, None)
    assert legal(position) == places(1, 2, 3)


def test_lp_06_the_card_taken_up_leaves_its_place_empty() -> None:
    position, events = after(dealt("2O 3C"), flip(0, 1))
    assert events == (LasPintasTurned("3C", (0, 1), stays=False), LasPintasTookUp("3C", (0, 1)))
    state: LasPintasState = position.state
    assert (state.face_down[1], state.face_up[1], state.hand, state.tokens) == (None, None, ("3C",), 5)
    shown = RULES.view(state, 0)
    assert shown.table[0][1] is None
    assert shown.hand == ("3C",)


def test_lp_06_without_a_row_of_its_suit_a_card_goes_to_a_row_of_choice() -> None:
    chosen = {row: after(dealt("2O 3C"), flip(0, 1), place(row)) for row in range(4)}
    took = {0: "3O", 1: "2O", 2: "3E", 3: "3B"}
    for row, (position, events) in chosen.items():
        assert events[:2] == (LasPintasPlaced("3C", (row, 2)), LasPintasTookUp(took[row], (row, 2)))
        assert position.state.suits[row] == "C"
        assert position.state.hand == (took[row],)
        assert position.state.tokens == 5


def test_lp_06_a_card_goes_to_the_row_of_its_suit() -> None:
    _, events = after(dealt("2O 3C"), flip(3, 3), flip(2, 3), flip(1, 3), flip(0, 1))
    assert events == (
        LasPintasTurned("3C", (0, 1), stays=False),
        LasPintasTookUp("3C", (0, 1)),
        LasPintasPlaced("3C", (1, 2)),
        LasPintasTookUp("2O", (1, 2)),
        LasPintasPlaced("2O", (0, 1)),
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_lp_06_there_is_no_row_to_be_chosen_without_a_card_that_waits_for_it(variant: str) -> None:
    # Not the deal in which the hand is four kings, which is over.
    assert refused(dealt("12O 3O", variant=variant), place(0)) == (
        "LP-6",
        "no card is waiting to be placed",
        {},
    )


def test_lp_07_a_chain_ends_at_the_empty_place() -> None:
    position, events = after(dealt("2O 3C"), flip(0, 1), place(1), place(0))
    assert events == (LasPintasPlaced("2O", (0, 1)),)
    assert up(position) == {(1, 2): "3C", (0, 1): "2O"}
    assert (position.state.hand, position.state.tokens) == ((), 5)
    assert len(legal(position)) == 46


def test_lp_07_a_card_taken_up_is_not_tested_for_its_place() -> None:
    """4E lies in the column of its value in a row that was free until the card before was placed."""
    start = dealt("2O 4C", "4O 4E")
    position, events = after(start, flip(0, 1), place(0))
    assert events == (LasPintasPlaced("4C", (0, 3)), LasPintasTookUp("4E", (0, 3)))
    assert position.state.hand == ("4E",)
    assert legal(position) == places(1, 2, 3)
    position, events = after(position, place(2))
    assert events == (LasPintasPlaced("4E", (2, 3)), LasPintasTookUp("4O", (2, 3)))


def test_lp_08_the_rules_make_a_placement_that_has_one_row() -> None:
    """Only the last row is free, and so the last suit is not asked for."""
    position, events = after(dealt("2B 5B"), flip(0, 0), flip(1, 0), flip(2, 0), flip(3, 1))
    assert events == (
        LasPintasTurned("5B", (3, 1), stays=False),
        LasPintasTookUp("5B", (3, 1)),
        LasPintasPlaced("5B", (3, 4)),
        LasPintasTookUp("2B", (3, 4)),
        LasPintasPlaced("2B", (3, 1)),
    )
    assert position.state.suits == ("O", "C", "E", "B")


def test_lp_08_the_player_is_asked_in_the_middle_of_a_chain() -> None:
    position, events = after(dealt("2O 3O", "2O 5C"), flip(0, 0), flip(0, 1))
    assert events == (
        LasPintasTurned("3O", (0, 1), stays=False),
        LasPintasTookUp("3O", (0, 1)),
        LasPintasPlaced("3O", (0, 2)),
        LasPintasTookUp("5C", (0, 2)),
    )
    assert legal(position) == places(1, 2, 3)
    position, events = after(position, place(1))
    assert events == (
        LasPintasPlaced("5C", (1, 4)),
        LasPintasTookUp("2O", (1, 4)),
        LasPintasPlaced("2O", (0, 1)),
    )
    assert (position.state.tokens, position.state.hand) == (4, ())


@pytest.mark.parametrize("tokens", [1, 3, 6])
def test_lp_09_won_when_every_card_lies_face_up(tokens: int) -> None:
    position = all_up_but(dealt(size=40), (3, 9), tokens=tokens)
    assert RULES.outcome(position.state) is None
    assert legal(position) == [LasPintasFlip((3, 9))]
    position, events = after(position, flip(3, 9))
    assert events == (LasPintasTurned("12B", (3, 9), stays=True),)
    score = 40 + 10 * (tokens - 1)  # LP-12
    assert RULES.outcome(position.state) == Outcome((1,), ("win",), (score,))
    assert (position.to_act, legal(position)) == ((), [])
    with pytest.raises(GameOver):
        table.judge(position, 0, LasPintasFlip((3, 9)))


def test_lp_09_lost_when_no_token_is_left_and_cards_lie_face_down() -> None:
    position, _ = after(dealt(), *(flip(0, column) for column in range(5)))
    assert RULES.outcome(position.state) is None
    position, _ = after(position, flip(0, 5))
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (6,))
    assert position.to_act == ()


def test_lp_09_cards_in_place_face_down_do_not_win() -> None:
    position, _ = after(all_up_but(dealt(), (0, 0), (3, 3), tokens=1), flip(0, 0))
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (47,))


def test_lp_09_it_is_not_lost_before_the_turn_is_over() -> None:
    start = with_state(dealt("2O 3C"), tokens=1)
    position, _ = after(start, flip(0, 1))
    assert (position.state.tokens, position.to_act, RULES.outcome(position.state)) == (0, (0,), None)
    position, _ = after(position, place(1))
    assert RULES.outcome(position.state) is None
    position, _ = after(position, place(0))
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (2,))


@pytest.mark.parametrize("size", [48, 40])
def test_lp_10_there_is_no_kings_column_at_the_deal(size: int) -> None:
    options = read_options(RULES, {"deck": size, "variant": "lost-kings"})
    deck = RULES.deck(options)[::-1]
    position = table.lay_out(Setup(RULES, options, 1, deck))
    width = size // 4 - 1
    assert position.state.start == deck[:4]
    assert down(position) == {divmod(at, width): card for at, card in enumerate(deck[4:])}
    assert (up(position), position.state.hand, position.state.tokens) == ({}, (), 0)
    assert legal(position) == [LasPintasReveal()]


def test_lp_10_a_start_card_is_revealed_and_placed() -> None:
    position, events = after(dealt("12O 1C", variant="lost-kings"), REVEAL)
    assert events == (LasPintasRevealed("1C"),)
    assert (position.state.hand, position.state.start) == (("1C",), ("12C", "12E", "12B"))
    assert legal(position) == places(0, 1, 2, 3)
    position, events = after(position, place(3))
    assert events == (LasPintasPlaced("1C", (3, 0)), LasPintasTookUp("1B", (3, 0)))
    assert legal(position) == places(0, 1, 2)
    assert refused(position, place(3))[0] == "LP-4"
    position, events = after(position, place(1))
    # The king that lay in place of the ace takes the free row that is chosen for it.
    assert events == (LasPintasPlaced("1B", (1, 0)), LasPintasTookUp("12O", (1, 0)))
    assert legal(position) == places(0, 2)
    position, events = after(position, place(2))
    assert events == (LasPintasPlaced("12O", (2, 11)),)
    assert position.state.suits == (None, "B", "O", "C")
    assert (position.state.hand, legal(position)) == ((), [LasPintasReveal()])


@pytest.mark.parametrize(("size", "column"), [(48, 11), (40, 9)])
def test_lp_10_a_king_ends_the_chain_in_a_new_column(size: int, column: int) -> None:
    position, events = after(dealt("12O 1O", variant="lost-kings", size=size), REVEAL, place(0))
    assert events == (
        LasPintasPlaced("1O", (0, 0)),
        LasPintasTookUp("12O", (0, 0)),
        LasPintasPlaced("12O", (0, column)),
    )
    assert up(position) == {(0, 0): "1O", (0, column): "12O"}
    assert legal(position) == [LasPintasReveal()]


def test_lp_10_a_king_gets_a_row_for_its_suit() -> None:
    position, events = after(dealt(variant="lost-kings"), REVEAL)
    assert events == (LasPintasRevealed("12O"),)
    assert legal(position) == places(0, 1, 2, 3)
    position, _ = after(position, place(2))
    assert position.state.suits == (None, None, "O", None)
    position, _ = after(position, REVEAL)
    assert legal(position) == places(0, 1, 3)
    assert refused(position, place(2)) == (
        "LP-4",
        "row 2 belongs to the suit O; 12C is of another",
        {"row": 2, "suit": "O", "card": "12C"},
    )


def test_lp_10_nothing_is_revealed_with_a_card_in_hand() -> None:
    position, _ = after(dealt(variant="lost-kings"), REVEAL)
    assert refused(position, REVEAL) == ("LP-10", "12O in your hand must be placed first", {"card": "12O"})


def test_lp_10_lost_with_the_fourth_king_though_all_cards_lie_in_place() -> None:
    position, _ = after(dealt(variant="lost-kings"), REVEAL, place(0), REVEAL, place(1), REVEAL, place(2))
    assert RULES.outcome(position.state) is None
    position, events = after(position, REVEAL)
    assert events == (LasPintasRevealed("12B"), LasPintasPlaced("12B", (3, 11)))
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (0,))
    assert position.to_act == ()


def test_lp_10_won_when_the_rectangle_lies_face_up_and_the_king_is_laid_down() -> None:
    start = dealt("12O 1O", "1O 12C", variant="lost-kings")
    assert start.state.start == ("12C", "1O", "12E", "12B")
    position, events = after(all_up_but(start, (0, 0), start=("1O", "12C", "12E", "12B")), REVEAL)
    assert events == (
        LasPintasRevealed("1O"),
        LasPintasPlaced("1O", (0, 0)),
        LasPintasTookUp("12O", (0, 0)),
        LasPintasPlaced("12O", (0, 11)),
    )
    assert RULES.outcome(position.state) == Outcome((1,), ("win",), (44 + 30,))
    assert position.to_act == ()


def test_lp_10_won_with_the_fourth_king() -> None:
    start = dealt("12O 1O", variant="lost-kings", size=40)
    last = all_up_but(start, (0, 0), start=("1O",))
    kings = [*last.state.face_up]
    kings[19], kings[29], kings[39] = "12C", "12E", "12B"
    position, _ = after(with_state(last, face_up=tuple(kings)), REVEAL)
    assert up(position)[0, 9] == "12O"
    assert RULES.outcome(position.state) == Outcome((1,), ("win",), (36,))


@pytest.mark.parametrize("size", [48, 40])
def test_lp_11_four_cards_are_dealt_to_the_hand(size: int) -> None:
    options = read_options(RULES, {"deck": size, "variant": "revealed-exchange"})
    deck = RULES.deck(options)[::-1]
    position = table.lay_out(Setup(RULES, options, 1, deck))
    assert deck[:4] == ("12B", "12E", "12C", "12O")
    assert position.state.hand == ("12O", "12C", "12E", "12B")
    assert down(position) == {divmod(at, size // 4 - 1): card for at, card in enumerate(deck[4:])}
    assert (up(position), position.state.start, position.state.tokens) == ({}, (), 0)


def exchange() -> Position:
    """3O, 1C, 12E and 12B in hand; 12O lies at [0,2] and 12C at [1,0]."""
    return dealt("12O 3O", "12C 1C", variant="revealed-exchange")


def test_lp_11_a_card_of_the_hand_is_sorted_into_a_row_of_choice() -> None:
    position = exchange()
    assert position.state.hand == ("1C", "3O", "12E", "12B")
    assert legal(position) == [LasPintasSort(card, row) for card in ("1C", "3O") for row in range(4)]
    position, events = after(position, sort("3O", 1))
    assert events == (LasPintasPlaced("3O", (1, 2)), LasPintasTookUp("3C", (1, 2)))
    assert position.state.hand == ("1C", "3C", "12E", "12B")
    assert up(position) == {(1, 2): "3O"}
    assert legal(position) == [LasPintasSort(card, row) for card in ("1C", "3C") for row in (0, 2, 3)]


def test_lp_11_a_card_taken_up_waits_in_the_hand() -> None:
    """Also where one row only is possible for it, and a card in the hand gives no row to its suit."""
    position, _ = after(exchange(), sort("3O", 0), sort("1C", 1))
    assert position.state.hand == ("12O", "12C", "12E", "12B")
    position, events = after(dealt("12O 2O", "12C 4O", variant="revealed-exchange"), sort("2O", 0))
    assert position.state.suits == ("O", None, None, None)
    assert events == (LasPintasPlaced("2O", (0, 1)), LasPintasTookUp("12O", (0, 1)))
    assert position.state.hand == ("4O", "12O", "12E", "12B")
    assert legal(position) == [LasPintasSort("4O", 0)]
    assert up(position) == {(0, 1): "2O"}


def test_lp_11_the_row_may_be_left_out_when_one_is_possible() -> None:
    position, _ = after(dealt("12O 2O", "12C 4O", variant="revealed-exchange"), sort("2O", 2))
    move = read_move(RULES, sort("4O"))
    assert table.judge(position, 0, move) == LasPintasSort("4O", 2)
    _, events = after(position, sort("4O"))
    assert events == (LasPintasPlaced("4O", (2, 3)), LasPintasTookUp("4E", (2, 3)))


def test_lp_11_the_row_may_not_be_left_out_when_several_are_possible() -> None:
    assert refused(exchange(), sort("3O")) == (
        "LP-11",
        "3O can go to any of the rows 0 1 2 3",
        {"card": "3O", "rows": ["0", "1", "2", "3"]},
    )
    position, _ = after(exchange(), sort("3O", 1))
    assert refused(position, sort("1C"))[1] == "1C can go to any of the rows 0 2 3"
    with pytest.raises(IllegalMove) as caught:
        RULES.canonical(position.state, 0, LasPintasSort("1C"))
    assert caught.value.code == "LP-11"


def test_lp_11_only_cards_of_the_hand_are_sorted_and_no_king() -> None:
    for card in ("2O", "12O", "8B"):
        for row in (0, None):
            assert refused(exchange(), sort(card, row)) == (
                "LP-11",
                f"{card} is not in your hand",
                {"card": card},
            )
    for row in (2, None):
        assert refused(exchange(), sort("12E", row)) == (
            "LP-11",
            "12E is a king and stays in your hand",
            {"card": "12E"},
        )


def test_lp_11_a_card_of_the_other_deck_is_not_in_the_hand() -> None:
    position = dealt("12O 3O", variant="revealed-exchange", size=40)
    assert refused(position, sort("8O", 0))[:2] == ("LP-11", "8O is not in your hand")


def test_lp_11_the_row_is_refused_by_its_own_clause() -> None:
    position, _ = after(exchange(), sort("3O", 1))
    with_another = with_state(position, hand=("1C", "5O", "12E", "12B"))
    assert refused(with_another, sort("1C", 1)) == (
        "LP-4",
        "row 1 belongs to the suit O; 1C is of another",
        {"row": 1, "suit": "O", "card": "1C"},
    )
    assert refused(with_another, sort("5O", 0)) == (
        "LP-6",
        "5O goes to row 1, the row of its suit; row 0 is free",
        {"card": "5O", "own": 1, "row": 0},
    )
    position, _ = after(position, sort("1C", 0))
    owned = with_state(position, hand=("2C", "5O", "12E", "12B"))
    assert refused(owned, sort("5O", 0))[0] == "LP-4"


def test_lp_11_won_when_all_cards_on_the_table_lie_face_up() -> None:
    start = dealt("12O 3O", variant="revealed-exchange")
    position = all_up_but(start, (0, 2))
    assert RULES.outcome(position.state) is None
    position, _ = after(position, sort("3O"))
    # That the hand is the four kings is looked at after it.
    assert position.state.hand == ("12O", "12C", "12E", "12B")
    assert RULES.outcome(position.state) == Outcome((1,), ("win",), (44,))
    assert position.to_act == ()


def test_lp_11_lost_when_the_hand_is_the_four_kings() -> None:
    position, _ = after(dealt("12O 3O", variant="revealed-exchange", size=40), sort("3O", 0))
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (1,))
    assert position.to_act == ()


@pytest.mark.parametrize("size", [48, 40])
@pytest.mark.parametrize("kings", [*permutations(("12O", "12C", "12E", "12B"))][::5])
def test_lp_11_it_may_be_lost_at_the_deal(size: int, kings: Sequence[str]) -> None:
    deck = (*kings, *in_place("revealed-exchange", size)[4:])
    options = read_options(RULES, {"deck": size, "variant": "revealed-exchange"})
    position = table.lay_out(Setup(RULES, options, 1, deck))
    assert (position.to_act, legal(position)) == ((), [])
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (0,))


def test_lp_12_tokens_count_at_a_win_only() -> None:
    lost = all_up_but(dealt(), (0, 0), (3, 3), tokens=0)
    assert RULES.outcome(lost.state) == Outcome((1,), ("loss",), (46,))
    won = all_up_but(dealt(), tokens=5)
    assert RULES.outcome(won.state) == Outcome((1,), ("win",), (98,))
    with_kings = all_up_but(dealt(size=40), tokens=0)
    assert RULES.outcome(with_kings.state) == Outcome((1,), ("win",), (40,))


def test_lp_12_kings_beside_the_rectangle_are_not_counted() -> None:
    position, _ = after(
        dealt("12O 1O", variant="lost-kings"), REVEAL, place(0), REVEAL, place(1), REVEAL, place(2), REVEAL
    )
    assert len(up(position)) == 5
    assert RULES.outcome(position.state) == Outcome((1,), ("loss",), (1,))


@pytest.mark.parametrize("size", [48, 40])
def test_lp_13_moves_of_another_variant_are_refused(size: int) -> None:
    def verdicts(variant: str) -> list[tuple[str, str]]:
        # A hand of four kings would be a game that is over.
        position = dealt("12O 3O", variant=variant, size=size)
        found = []
        for given in (flip(0, 0), REVEAL, sort("3O", 0), sort("3O")):
            try:
                table.judge(position, 0, read_move(RULES, given))
            except Refused as caught:
                found.append((caught.code, caught.explanation))
        return found

    unflipped = "in {variant} no card is flipped"
    unrevealed = "in {variant} there are no start cards"
    unsorted = "in {variant} no card is sorted from a hand"

    def expected(variant: str, *why: tuple[str, str]) -> list[tuple[str, str]]:
        return [(code, text.format(variant=variant)) for code, text in why]

    assert verdicts("base") == expected(
        "base", ("LP-10", unrevealed), ("LP-11", unsorted), ("LP-11", unsorted)
    )
    assert verdicts("lost-kings") == expected(
        "lost-kings", ("LP-3", unflipped), ("LP-11", unsorted), ("LP-11", unsorted)
    )
    assert verdicts("revealed-exchange") == expected(
        "revealed-exchange",
        ("LP-3", unflipped),
        ("LP-10", unrevealed),
        ("LP-11", "3O can go to any of the rows 0 1 2 3"),
    )


def test_lp_13_a_move_of_another_variant_is_refused_for_that_alone() -> None:
    position, _ = after(dealt(variant="lost-kings"), REVEAL)
    assert refused(position, flip(0, 11))[:2] == ("LP-3", "in lost-kings no card is flipped")
    assert refused(position, sort("12O"))[:2] == ("LP-11", "in lost-kings no card is sorted from a hand")
    position, _ = after(dealt("2O 3C"), flip(0, 1))
    assert refused(position, REVEAL)[:2] == ("LP-10", "in base there are no start cards")


UNSEEN = LasPintasTableCard(face_up=False, card=None)


def test_hidden_is_every_face_down_card() -> None:
    position, _ = after(dealt("2O 3C"), flip(2, 3), flip(0, 1))
    shown = RULES.view(position.state, 0)
    assert RULES.view(position.state, None) == shown
    expected: list[list[LasPintasTableCard | None]] = [[UNSEEN] * 12 for _ in range(4)]
    expected[2][3], expected[0][1] = LasPintasTableCard(face_up=True, card="4E"), None
    assert shown.table == tuple(map(tuple, expected))
    assert (shown.hand, shown.tokens, shown.suits) == (("3C",), 4, (None, None, "E", None))
    assert (shown.kings, shown.start) == (None, None)
    whole = RULES.open_view(position.state)
    assert whole.table[1][2] == LasPintasTableCard(face_up=False, card="2O")
    assert whole.table[2][3] == LasPintasTableCard(face_up=True, card="4E")
    assert whole.table[0][1] is None


def test_hidden_are_the_start_cards_too() -> None:
    position, _ = after(dealt("12O 1O", variant="lost-kings", size=40), REVEAL, place(2))
    shown = RULES.view(position.state, 0)
    assert shown.kings == (None, None, None, None)
    assert (shown.tokens, shown.start) == (None, LasPintasCards(3, None))
    assert [len(row) for row in shown.table] == [9] * 4
    assert shown.hand == ("1E",)
    position, _ = after(position, place(3), place(1))
    shown = RULES.view(position.state, 0)
    # The row of copas is the last, and not asked for.
    assert position.state.suits == shown.suits == ("C", "B", "O", "E")
    assert shown.kings == (None, None, "12O", None)
    assert RULES.open_view(position.state).start == LasPintasCards(3, ("12C", "12E", "12B"))


def test_open_is_the_hand_of_the_exchange() -> None:
    position = exchange()
    for viewer in (0, None):
        shown = RULES.view(position.state, viewer)
        assert shown.hand == ("1C", "3O", "12E", "12B")
        assert shown.table == ((UNSEEN,) * 11,) * 4
        assert (shown.kings, shown.tokens, shown.start) == (None, None, None)


def test_open_is_everything_at_the_end() -> None:
    position, _ = after(dealt(), *(flip(0, column) for column in range(6)))
    assert RULES.view(position.state, 0) == RULES.open_view(position.state)
    assert RULES.view(position.state, None).table[3][11] == LasPintasTableCard(face_up=False, card="12B")


def test_open_is_what_a_move_turned_and_took_up() -> None:
    position = dealt("2O 3C")
    events: tuple[LasPintasEvent, ...] = (
        LasPintasTurned("3C", (0, 1), stays=False),
        LasPintasTookUp("3C", (0, 1)),
    )
    move = LasPintasFlip((0, 1))
    for viewer in (0, None):
        assert RULES.redact(position.state, viewer, 0, move, events) == (move, events)


def reveals(position: Position, given: object) -> bool:
    return RULES.may_reveal(position.state, 0, read_move(RULES, given))


def test_a_flip_a_reveal_and_a_sort_reveal() -> None:
    assert reveals(dealt(), flip(0, 0))
    assert reveals(dealt(variant="lost-kings"), REVEAL)
    assert reveals(exchange(), sort("3O", 2))


def test_a_placement_reveals_what_it_takes_up_or_the_end() -> None:
    position, _ = after(dealt("2O 3C"), flip(0, 1))
    assert reveals(position, place(0))
    position, _ = after(position, place(1))
    assert reveals(position, place(2))
    assert not reveals(position, place(0))  # the empty place
    assert reveals(with_state(position, tokens=0), place(0))  # the end


def test_a_king_reveals_nothing_in_its_column() -> None:
    position, _ = after(dealt(variant="lost-kings"), REVEAL)
    assert [reveals(position, place(row)) for row in range(4)] == [False] * 4
    assert reveals(with_state(position, start=()), place(0))  # the end


def test_a_refused_move_reveals_nothing() -> None:
    position, _ = after(dealt("2O 3C"), flip(2, 2), flip(0, 1))
    for given in (flip(0, 0), place(2), REVEAL, sort("3C", 0), sort("3C")):
        assert not reveals(position, given)
    assert not reveals(exchange(), sort("3O"))
    over, _ = after(dealt(), *(flip(0, column) for column in range(6)))
    assert not reveals(over, flip(3, 3))


def test_the_last_hidden_card_is_known() -> None:
    assert not reveals(all_up_but(dealt(), (3, 3)), flip(3, 3))
    assert reveals(all_up_but(dealt(), (3, 3), (0, 0)), flip(3, 3))


def test_a_redeal_keeps_what_is_seen() -> None:
    position, _ = after(dealt("12O 1O", variant="lost-kings", size=40), REVEAL, place(2))
    state: LasPintasState = position.state
    unseen = {*state.start, *down(position).values()}
    assert len(unseen) == 3 + 35
    for seed in range(50):
        other = RULES.redeal(state, 0, Random(seed))
        again = Position(position.setup, position.ply, other)
        assert (other.face_up, other.suits, other.hand) == (state.face_up, state.suits, state.hand)
        assert down(again).keys() == down(position).keys()
        assert {*other.start, *down(again).values()} == unseen
    dealt_anew = [RULES.redeal(state, None, Random(seed)) for seed in range(200)]
    assert len(set(dealt_anew)) == 200
    assert {card for other in dealt_anew for card in other.start} == unseen


def test_a_redeal_leaves_a_finished_game() -> None:
    position, _ = after(dealt(), *(flip(0, column) for column in range(6)))
    assert RULES.redeal(position.state, 0, Random(1)) == position.state


@pytest.mark.parametrize("size", [48, 40])
@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games_keep_every_card_and_end(variant: str, size: int) -> None:
    options = read_options(RULES, {"deck": size, "variant": variant})
    for seed in range(30):
        rng = Random(seed)
        deck = [*RULES.deck(options)]
        rng.shuffle(deck)
        position = table.lay_out(Setup(RULES, options, 1, tuple(deck)))
        while position.to_act:
            position = table.advance(position, Entry(0, rng.choice(legal(position)))).after
            state: LasPintasState = position.state
            held = [*up(position).values(), *down(position).values(), *state.hand, *state.start]
            assert sorted(held) == sorted(deck)
            for (row, column), card in up(position).items():
                assert card == f"{NUMBER[card]}{state.suits[row]}"
                assert column == sorted({NUMBER[other] for other in deck}).index(NUMBER[card])


def words(position: Position, given: object) -> str:
    move: Any = table.judge(position, 0, read_move(RULES, given))
    return said(RULES.describe(0, move, after(position, given)[1]))


def test_a_move_has_words() -> None:
    assert words(dealt(), flip(0, 0)) == "pays a token, turns up 1O at [0,0], where it stays"
    position = dealt("2O 3C")
    assert words(position, flip(0, 1)) == "pays a token, turns up 3C at [0,1], takes up 3C from [0,1]"
    position, _ = after(position, flip(0, 1))
    assert words(position, place(1)) == "chooses row 1, places 3C at [1,2], takes up 2O from [1,2]"
    assert words(dealt(variant="lost-kings"), REVEAL) == "reveals a start card, takes 12O into the hand"
    assert words(exchange(), sort("3O", 3)) == "sorts 3O, places 3O at [3,2], takes up 3B from [3,2]"


def test_a_state_does_not_show_its_cards_in_print() -> None:
    assert repr(dealt().state) == str(dealt().state) == "<LasPintasState, base, 6 tokens left>"


def test_there_is_no_notation() -> None:
    assert RULES.has_notation is False
    with pytest.raises(WrongForm, match="las-pintas has no notation of its own"):
        RULES.parse("7E")
