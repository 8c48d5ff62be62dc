"""Camelot, clause by clause."""

from random import Random

import msgspec
import pytest

from games import table
from games.rules.camelot import (
    Camelot,
    CamelotCards,
    CamelotDeal,
    CamelotEvent,
    CamelotMove,
    CamelotOptions,
    CamelotPlace,
    CamelotPlaced,
    CamelotRemove,
    CamelotRemoved,
    CamelotState,
    CamelotTurned,
    CamelotView,
)
from games.rules.cards import FRENCH_DECK
from games.rules.contract import (
    GameOver,
    NotYourTurn,
    Outcome,
    Refused,
    WrongForm,
    read_move,
    read_options,
    said,
)
from games.table import Entry, Position, Setup

RULES = Camelot()
DEAL = {"type": "deal"}

EMPTY = "-- -- -- --  -- -- -- --  -- -- -- --  -- -- -- --"
FULL = "KC AC 2C 3C  4C 5C 6C 7C  8C 9C TC AD  2D 3D 4D 5D"
"""With a ten at [2,2] and pairs such as AC 9C, 2C 8C and 5C 5D."""
STUCK = "KC QC QD AC  JC 2C 3C AD  JD 4C 3D 2D  KD AH 4D KH"
ROYAL_COURT = "KC QC -- KD  JC -- -- JD  JH -- -- JS  KH QD QH KS"


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def at(
    board: str = EMPTY,
    *,
    stock: str = "",
    waste: str | None = None,
    removing: bool = False,
    removed: str = "",
) -> Position:
    """A position; the board is written row by row, the stock top first."""
    state = CamelotState(
        stock=cards(stock),
        waste=waste,
        board=tuple(None if card == "--" else card for card in cards(board)),
        removing=removing,
        removed=cards(removed),
    )
    return Position(Setup(RULES, CamelotOptions(), 1, FRENCH_DECK), 0, state)


def place(row: int, column: int) -> dict[str, object]:
    return {"type": "place", "at": [row, column]}


def remove(*cells: tuple[int, int]) -> dict[str, object]:
    return {"type": "remove", "cells": [list(cell) for cell in cells]}


def made(position: Position, *given: object) -> Position:
    """The position after moves."""
    for move in given:
        accepted = table.judge(position, 0, read_move(RULES, move))
        position = table.advance(position, Entry(0, accepted)).after
    return position


def caused(position: Position, given: object) -> tuple[CamelotEvent, ...]:
    return table.advance(position, Entry(0, table.judge(position, 0, read_move(RULES, given)))).events


def refused(position: Position, given: object) -> tuple[str, str, dict[str, object]]:
    """Code, explanation and facts."""
    before = position.state
    with pytest.raises(Refused) as caught:
        table.judge(position, 0, read_move(RULES, given))
    assert position.state == before
    return caught.value.code, caught.value.explanation, dict(caught.value.facts)


def legal(position: Position) -> list[CamelotMove]:
    return list(RULES.legal_moves(position.state, 0))


def is_legal(position: Position, given: object) -> bool:
    return read_move(RULES, given) in legal(position)


def cells(moves: list[CamelotMove]) -> list[tuple[int, int]]:
    """Where a card is placed, by moves that are all places."""
    return [move.at for move in moves if isinstance(move, CamelotPlace)]


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name, RULES.version, RULES.hides) == ("camelot", "Camelot", 1, True)


def test_one_plays() -> None:
    assert list(RULES.seats) == [1]
    with pytest.raises(ValueError, match="camelot is played by 1 to 1, not 2"):
        table.lay_out(Setup(RULES, CamelotOptions(), 2, FRENCH_DECK))
    with pytest.raises(NotYourTurn):
        table.judge(at(stock="AC"), 1, CamelotDeal())
    assert list(RULES.legal_moves(at(stock="AC").state, 1)) == []


def test_ca_01_the_pack_is_the_french_deck() -> None:
    assert RULES.deck(CamelotOptions()) == FRENCH_DECK
    assert RULES.fixed_deck(CamelotOptions()) is None


def test_ca_01_there_are_no_options() -> None:
    assert read_options(RULES, {}) == CamelotOptions()
    assert RULES.warnings(CamelotOptions()) == ()
    with pytest.raises(WrongForm, match="Object contains unknown field `deal`"):
        read_options(RULES, {"deal": 1})


def test_ca_01_all_cards_start_in_the_stock_and_the_board_is_empty() -> None:
    deck = tuple(reversed(FRENCH_DECK))
    state = table.lay_out(Setup(RULES, CamelotOptions(), 1, deck)).state
    assert state == CamelotState(deck, None, (None,) * 16, removing=False, removed=())
    assert RULES.to_act(state) == (0,)


def test_ca_01_the_ace_counts_1_and_suits_do_not_matter() -> None:
    position = at("AC 9C 9D 9H  9S -- -- --  -- -- -- --  -- -- -- --", removing=True)
    assert legal(position) == [CamelotRemove(((0, 0), nine)) for nine in ((0, 1), (0, 2), (0, 3), (1, 0))]


def test_ca_02_deal_turns_the_top_card_of_the_stock_onto_the_waste() -> None:
    position = at(stock="7C AC")
    assert legal(position) == [CamelotDeal()]
    assert made(position, DEAL).state == at(stock="AC", waste="7C").state
    assert caused(position, DEAL) == (CamelotTurned("7C"),)


def test_ca_02_cards_come_in_deck_order() -> None:
    position = table.lay_out(Setup(RULES, CamelotOptions(), 1, FRENCH_DECK))
    seen = []
    for number in range(16):
        position = made(position, DEAL)
        seen.append(position.state.waste)
        position = made(position, place(number // 4, number % 4))
    assert tuple(seen) == FRENCH_DECK[:16]


def test_ca_02_not_when_all_cells_are_filled() -> None:
    position = at(FULL, stock="7C", removing=True)
    assert refused(position, DEAL) == ("CA-2", "no cell is empty", {})
    assert not is_legal(position, DEAL)


def test_ca_02_not_without_a_stock() -> None:
    position = at("AC 9C -- --  -- -- -- --  -- -- -- --  -- -- -- --", removing=True)
    assert refused(position, DEAL) == ("CA-2", "the stock is gone", {})
    assert not is_legal(position, DEAL)


@pytest.mark.parametrize("given", [DEAL, remove((0, 0)), remove((0, 0), (0, 1)), remove((3, 3), (3, 3))])
def test_ca_03_the_waste_card_is_placed_before_anything_else(given: dict[str, object]) -> None:
    for stock in ("7C", ""):
        position = at("TC AC 9D 2C  -- -- -- --  -- -- -- --  -- -- -- --", stock=stock, waste="5C")
        assert refused(position, given) == ("CA-3", "5C must be placed first", {"card": "5C"})


@pytest.mark.parametrize("removing", [True, False])
def test_ca_03_without_a_waste_card_there_is_nothing_to_place(removing: bool) -> None:  # noqa: FBT001
    position = at("TC -- -- --  -- -- -- --  -- -- -- --  -- -- -- --", stock="7C", removing=removing)
    for cell in ((0, 0), (1, 1)):
        assert refused(position, place(*cell)) == ("CA-3", "there is no card on the waste to place", {})


def test_ca_03_the_card_goes_from_the_waste_to_an_empty_cell() -> None:
    position = at("TC -- -- --  -- -- -- --  -- -- -- --  -- -- -- --", stock="7C", waste="5C")
    after = made(position, place(2, 1))
    assert after.state == at("TC -- -- --  -- -- -- --  -- 5C -- --  -- -- -- --", stock="7C").state
    assert caused(position, place(2, 1)) == (CamelotPlaced("5C"),)


def test_ca_03_a_filled_cell_takes_no_card() -> None:
    position = at("-- -- -- --  -- -- KS --  -- -- -- --  -- -- -- --", stock="7C", waste="5C")
    assert refused(position, place(1, 2)) == (
        "CA-3",
        "KS lies at [1,2]",
        {"card": "KS", "row": 1, "column": 2},
    )
    assert len(legal(position)) == 15
    assert not is_legal(position, place(1, 2))


ALL_CELLS = [(row, column) for row in range(4) for column in range(4)]
OF_ROYALS = {
    "K": ([(0, 0), (0, 3), (3, 0), (3, 3)], "a corner"),
    "Q": ([(0, 1), (0, 2), (3, 1), (3, 2)], "the two middle cells of the first and last row"),
    "J": ([(1, 0), (1, 3), (2, 0), (2, 3)], "the two middle cells of the first and last column"),
}


@pytest.mark.parametrize("card", FRENCH_DECK)
def test_ca_03_royals_have_cells_of_their_own_and_others_go_anywhere(card: str) -> None:
    position = at(stock="7C" if card != "7C" else "8C", waste=card)
    allowed, where = OF_ROYALS.get(card[0], (ALL_CELLS, ""))
    assert cells(legal(position)) == allowed
    for cell in ALL_CELLS:
        if cell in allowed:
            number = ALL_CELLS.index(cell)
            assert made(position, place(*cell)).state.board[number] == card
        else:
            why = f"{card} may go only to {where}"
            assert refused(position, place(*cell)) == ("CA-3", why, {"card": card})


def test_ca_03_others_may_take_the_cells_of_royals() -> None:
    position = at(stock="KC", waste="AC")
    assert made(position, place(0, 0), DEAL, place(0, 3)).state.board[:4] == ("AC", None, None, "KC")


def test_ca_03_a_card_placed_never_moves() -> None:
    with pytest.raises(WrongForm, match="Invalid value 'move'"):
        read_move(RULES, {"type": "move", "from": [0, 0], "to": [0, 1]})


def test_ca_04_not_before_all_sixteen_cells_are_filled() -> None:
    position = at("TC -- -- --  -- -- -- --  -- -- -- --  -- -- -- --", stock="7C")
    why = "the board must be full first: it holds 1 of 16"
    assert refused(position, remove((0, 0))) == ("CA-4", why, {"filled": 1})
    assert legal(position) == [CamelotDeal()]
    fifteen = at(FULL.replace("4D", "--"), stock="7C")
    assert refused(fifteen, remove((2, 2)))[1] == "the board must be full first: it holds 15 of 16"


@pytest.mark.parametrize(
    "given", [remove((0, 0)), remove((1, 1)), remove((1, 1), (1, 1)), remove((0, 0), (0, 1)), remove((0, 2))]
)
def test_ca_04_is_looked_at_before_the_cards(given: dict[str, object]) -> None:
    position = at("KC 5C TC --  -- -- -- --  -- -- -- --  -- -- -- --", stock="7C")
    assert refused(position, given)[0] == "CA-4"


def test_ca_04_allowed_once_all_cells_are_filled() -> None:
    position = at(FULL.replace("4D", "--"), stock="7C", waste="4D")
    full = made(position, place(3, 2))
    assert full.state == at(FULL, stock="7C", removing=True).state
    assert is_legal(full, remove((2, 2)))


def test_ca_04_and_from_then_on_though_cells_are_empty() -> None:
    position = made(at(FULL, stock="7C", removing=True), remove((2, 2)), remove((0, 1), (2, 1)))
    assert position.state.removing
    assert is_legal(position, remove((1, 1), (3, 3)))


def test_ca_04_it_need_not_go_on() -> None:
    position = made(at(FULL, stock="7D 8D", removing=True), remove((2, 2)))
    assert legal(position)[0] == CamelotDeal()
    assert made(position, DEAL).state.waste == "7D"


def test_ca_04_after_the_next_deal_the_board_must_be_full_again() -> None:
    full = at(FULL, stock="TD TH", removing=True)
    position = made(full, remove((0, 1), (2, 1)), DEAL, place(0, 1))
    assert legal(position) == [CamelotDeal()]
    assert refused(position, remove((2, 2)))[:2] == (
        "CA-4",
        "the board must be full first: it holds 15 of 16",
    )
    assert is_legal(made(position, DEAL, place(2, 1)), remove((2, 2)))


def test_ca_04_allowed_when_stock_and_waste_are_both_empty() -> None:
    position = at("AC -- -- --  -- -- -- --  -- -- -- --  -- -- -- --", waste="9C")
    after = made(position, place(3, 3))
    assert after.state.removing
    assert legal(after) == [CamelotRemove(((0, 0), (3, 3)))]


def test_ca_04_an_empty_stock_with_a_waste_card_does_not_do() -> None:
    position = made(at(FULL, stock="5H", removing=True), remove((2, 2)), DEAL)
    assert (position.state.stock, position.state.removing) == ((), False)
    assert refused(position, remove((1, 1), (3, 3)))[0] == "CA-3"


def test_ca_05_a_ten_is_removed_alone() -> None:
    position = at(FULL, stock="7D", removing=True, removed="TS")
    after = made(position, remove((2, 2)))
    assert after.state == at(FULL.replace("TC", "--"), stock="7D", removing=True, removed="TS TC").state
    assert caused(position, remove((2, 2))) == (CamelotRemoved(("TC",)),)


def test_ca_05_two_cards_that_make_ten_are_removed() -> None:
    position = at(FULL, stock="7D", removing=True)
    after = made(position, remove((0, 2), (2, 0)))
    board = "KC AC -- 3C  4C 5C 6C 7C  -- 9C TC AD  2D 3D 4D 5D"
    assert after.state == at(board, stock="7D", removing=True, removed="2C 8C").state
    assert caused(position, remove((0, 2), (2, 0))) == (CamelotRemoved(("2C", "8C")),)


@pytest.mark.parametrize(
    ("one", "other"),
    [(one, other) for one in "A23456789TJQK" for other in "A23456789TJQK"],
)
def test_ca_05_which_two_cards_make_ten(one: str, other: str) -> None:
    makes_ten = one + other in ("A9", "28", "37", "46", "55", "64", "73", "82", "9A")
    board = f"{one}C -- -- --  -- -- -- --  -- -- -- --  -- -- -- {other}D"
    position = at(board, stock="7D", removing=True)
    assert is_legal(position, remove((0, 0), (3, 3))) == makes_ten
    if not makes_ten:
        assert refused(position, remove((0, 0), (3, 3)))[0] == "CA-5"


@pytest.mark.parametrize("card", FRENCH_DECK)
def test_ca_05_only_a_ten_goes_alone(card: str) -> None:
    board = f"-- -- -- --  -- {card} -- --  -- -- -- --  -- -- -- --"
    position = at(board, stock="7C", removing=True)
    assert legal(position) == [CamelotDeal(), *([CamelotRemove(((1, 1),))] if card[0] == "T" else [])]
    if card[0] in "A23456789":
        number = "A23456789".index(card[0]) + 1
        assert refused(position, remove((1, 1))) == (
            "CA-5",
            f"{card} alone makes {number}, not 10",
            {"card": card, "sum": number},
        )


def test_ca_05_where_they_lie_does_not_matter() -> None:
    for one in ALL_CELLS:
        for other in ALL_CELLS:
            if one < other:
                board = " ".join(
                    "4C" if cell == one else "6C" if cell == other else "--" for cell in ALL_CELLS
                )
                assert legal(at(board, removing=True)) == [CamelotRemove((one, other))]


def test_ca_05_royals_stay() -> None:
    position = at("KC QC -- --  JC 5C -- --  -- -- -- --  -- -- TC --", stock="7C", removing=True)
    for cell, card in (((0, 0), "KC"), ((0, 1), "QC"), ((1, 0), "JC")):
        expected = ("CA-5", f"{card} is a royal, and royals stay", {"card": card})
        assert refused(position, remove(cell)) == expected
        assert refused(position, remove(cell, (3, 2))) == expected
        assert refused(position, remove((1, 1), cell)) == expected


def test_ca_05_an_empty_cell_gives_nothing() -> None:
    position = at("TC 5C -- --  -- -- -- --  -- -- -- --  -- -- -- --", stock="7C", removing=True)
    expected = ("CA-5", "[0,2] is empty", {"row": 0, "column": 2})
    assert refused(position, remove((0, 2))) == expected
    assert refused(position, remove((0, 0), (0, 2))) == expected
    assert refused(position, remove((0, 2), (0, 1))) == expected


def test_ca_05_a_sum_that_is_not_ten_is_refused() -> None:
    position = at(FULL, stock="7D", removing=True)
    assert refused(position, remove((0, 1), (0, 2))) == (
        "CA-5",
        "AC 2C make 3, not 10",
        {"cards": ["AC", "2C"], "sum": 3},
    )
    assert refused(position, remove((2, 2), (2, 1)))[1] == "TC 9C make 19, not 10"


def test_ca_05_two_cells_are_two_different_ones() -> None:
    position = at(FULL, stock="7D", removing=True)
    for cell in ((1, 1), (2, 2), (0, 0)):
        row, column = cell
        assert refused(position, remove(cell, cell)) == (
            "CA-5",
            f"[{row},{column}] is one cell",
            {"row": row, "column": column},
        )


def test_ca_05_the_canonical_order_is_by_row_then_column() -> None:
    position = at(FULL, stock="7D", removing=True)
    for one, other in (((1, 1), (3, 3)), ((0, 2), (2, 0)), ((1, 0), (1, 2))):
        for given in (remove(one, other), remove(other, one)):
            assert table.judge(position, 0, read_move(RULES, given)) == CamelotRemove((one, other))
    assert caused(position, remove((3, 3), (1, 1))) == (CamelotRemoved(("5C", "5D")),)
    assert made(position, remove((3, 3), (1, 1))) == made(position, remove((1, 1), (3, 3)))


@pytest.mark.parametrize(
    ("given", "why", "path"),
    [
        ({}, "Object missing required field `type`", "$"),
        ({"at": [0, 0]}, "Object missing required field `type`", "$"),
        ({"type": "deal", "at": [0, 0]}, "Object contains unknown field `at`", "$"),
        ({"type": "place"}, "Object missing required field `at`", "$"),
        ({"type": "place", "at": [0, 0], "card": "KC"}, "Object contains unknown field `card`", "$"),
        ({"type": "place", "at": [0]}, "Expected `array` of length 2, got 1", "$.at"),
        ({"type": "place", "at": [0, 1, 2]}, "Expected `array` of length 2, got 3", "$.at"),
        ({"type": "place", "at": [0, 4]}, "Expected `int` <= 3", "$.at[1]"),
        ({"type": "place", "at": [-1, 0]}, "Expected `int` >= 0", "$.at[0]"),
        ({"type": "place", "at": [0.5, 0]}, "Expected `int`, got `float`", "$.at[0]"),
        ({"type": "place", "at": [True, 0]}, "Expected `int`, got `bool`", "$.at[0]"),
        ({"type": "place", "at": ["0", 0]}, "Expected `int`, got `str`", "$.at[0]"),
        ({"type": "place", "at": "00"}, "Expected `array`, got `str`", "$.at"),
        ({"type": "remove"}, "Object missing required field `cells`", "$"),
        ({"type": "remove", "cells": []}, "Expected `array` of length >= 1", "$.cells"),
        ({"type": "remove", "cells": [[0, 0], [0, 1], [0, 2]]}, "Expected `array` of length <= 2", "$.cells"),
        ({"type": "remove", "cells": [0, 0]}, "Expected `array`, got `int`", "$.cells[0]"),
        ({"type": "remove", "cells": [[0, 0], [4, 0]]}, "Expected `int` <= 3", "$.cells[1][0]"),
        ({"type": "remove", "cells": None}, "Expected `array`, got `null`", "$.cells"),
        ({"type": "turned", "card": "KC"}, "Invalid value 'turned'", "$.type"),
        ({"type": "Deal"}, "Invalid value 'Deal'", "$.type"),
        ([], "Expected `object`, got `array`", "$"),
        (None, "Expected `object`, got `null`", "$"),
    ],
)
def test_a_move_is_exactly_of_its_form(given: object, why: str, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert (caught.value.code, caught.value.explanation, caught.value.path) == ("FORM", why, path)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert read_move(RULES, {"type": "place", "at": [1.0, 2]}) == CamelotPlace((1, 2))


def test_ca_06_won_when_only_royals_are_left() -> None:
    position = at(ROYAL_COURT.replace("--", "4C", 1).replace("--", "6C", 1), removing=True, removed="TC")
    assert RULES.outcome(position.state) is None
    after = made(position, remove((0, 2), (1, 1)))
    assert after.to_act == ()
    assert RULES.outcome(after.state) == Outcome((1,), ("win",), (3,))


def test_ca_06_it_may_come_with_placing_the_last_card() -> None:
    position = at(ROYAL_COURT, waste="QS", removed="TC TD")
    assert RULES.outcome(position.state) is None
    after = made(position, place(0, 2))
    assert after.to_act == ()
    assert RULES.outcome(after.state) == Outcome((1,), ("win",), (2,))


def test_ca_06_not_while_the_stock_has_a_card() -> None:
    position = at(ROYAL_COURT, stock="QS", removing=True)
    assert (position.to_act, RULES.outcome(position.state)) == ((0,), None)
    assert legal(position) == [CamelotDeal()]


def test_ca_06_not_while_another_card_is_left() -> None:
    position = at(ROYAL_COURT, waste="5C")
    after = made(position, place(0, 2))
    assert RULES.outcome(after.state) is None


def test_ca_07_lost_when_the_waste_card_has_no_cell() -> None:
    corners = "AC -- -- 2C  -- -- -- --  -- -- -- --  3C -- -- 4C"
    rows = "-- AC 2C --  -- -- -- --  -- -- -- --  -- 3C 4C --"
    columns = "-- -- -- --  AC -- -- 2C  3C -- -- 4C  -- -- -- --"
    for board, royal in ((corners, "KC"), (rows, "QC"), (columns, "JC")):
        for card in ("KC", "QC", "JC", "5C"):
            after = made(at(board, stock=f"{card} 9C", removed="TC"), DEAL)
            lost = card == royal
            assert after.to_act == (() if lost else (0,))
            assert RULES.outcome(after.state) == (Outcome((1,), ("loss",), (1,)) if lost else None)


def test_ca_07_not_while_one_of_its_cells_is_empty() -> None:
    after = made(at("AC -- -- 2C  -- -- -- --  -- -- -- --  3C -- -- --", stock="KC 9C"), DEAL)
    assert legal(after) == [CamelotPlace((3, 3))]


def test_ca_07_lost_with_the_last_card_of_the_stock_too() -> None:
    after = made(at("5C -- -- 5D  -- -- -- --  -- -- -- --  5H -- -- 5S", stock="KC"), DEAL)
    assert RULES.outcome(after.state) == Outcome((1,), ("loss",), (0,))


def test_ca_07_lost_when_the_board_is_full_and_nothing_can_be_removed() -> None:
    position = at(STUCK.replace("4D", "--"), stock="7C 8C", waste="4D", removed="TC")
    after = made(position, place(3, 2))
    assert after.state.board == at(STUCK).state.board
    assert (after.to_act, legal(after)) == ((), [])
    assert RULES.outcome(after.state) == Outcome((1,), ("loss",), (1,))


@pytest.mark.parametrize(("card", "lost"), [("4D", True), ("6D", False), ("9D", False), ("TD", False)])
def test_ca_07_not_while_something_can_be_removed(card: str, lost: bool) -> None:  # noqa: FBT001
    after = made(at(STUCK.replace("4D", "--"), stock="7C", waste=card), place(3, 2))
    assert (RULES.outcome(after.state) is not None) == lost


def test_ca_07_a_board_that_is_not_full_is_not_lost() -> None:
    tens = [((0, 1), (2, 1)), ((0, 2), (2, 0)), ((0, 3), (1, 3)), ((1, 0), (1, 2)), ((1, 1), (3, 3))]
    full = at(FULL, stock="7D", removing=True)
    after = made(full, remove((2, 2)), *(remove(*pair) for pair in tens))
    assert legal(after) == [CamelotDeal()]


@pytest.mark.parametrize("seed", range(30))
def test_ca_07_with_stock_and_waste_empty_something_can_always_be_removed(seed: int) -> None:
    rng = Random(seed)
    left = [card for card in FRENCH_DECK if card[0] not in "JQK"]
    rng.shuffle(left)
    while len(left) > 4:  # what was removed before made tens
        one = left.pop()
        if one[0] != "T":
            left.remove(next(card for card in left if counts(card) + counts(one) == 10))
    board = ROYAL_COURT.replace("--", "QS", 1)
    for card in left:
        board = board.replace("--", card, 1)
    position = at(board, removing=True)
    while position.to_act:
        position = table.advance(position, Entry(0, rng.choice(legal(position)))).after
    assert RULES.outcome(position.state) == Outcome((1,), ("win",), (len(left),))


def counts(card: str) -> int:
    return "A23456789T".index(card[0]) + 1


def test_ca_07_nothing_is_accepted_after_the_end() -> None:
    for position in (at(ROYAL_COURT), at(STUCK, stock="7C", removing=True)):
        for move in (CamelotDeal(), CamelotPlace((0, 0)), CamelotRemove(((0, 0),))):
            with pytest.raises(GameOver) as over:
                table.judge(position, 0, move)
            assert (over.value.code, over.value.explanation) == ("OVER", "the game is over")


def test_ca_08_the_score_is_the_number_of_cards_removed() -> None:
    forty = " ".join(card for card in FRENCH_DECK if card[0] not in "JQK")
    won = at(ROYAL_COURT.replace("--", "QS", 1), removed=forty)
    assert RULES.outcome(won.state) == Outcome((1,), ("win",), (40,))


def test_ca_08_a_lost_game_keeps_its_score() -> None:
    full = at(STUCK.replace("4D KH", "TS 5D"), stock="KS 6S", removing=True, removed="TC 5C 5H")
    lost = made(full, remove((3, 2)), DEAL)
    assert RULES.outcome(lost.state) == Outcome((1,), ("loss",), (4,))


def test_legal_moves_are_deal_and_then_removals_by_row_and_column() -> None:
    position = at("9C -- 5C --  TC -- -- 5D  -- AC -- --  -- AD -- TD", stock="7C", removing=True)
    assert legal(position) == [
        CamelotDeal(),
        CamelotRemove(((0, 0), (2, 1))),
        CamelotRemove(((0, 0), (3, 1))),
        CamelotRemove(((0, 2), (1, 3))),
        CamelotRemove(((1, 0),)),
        CamelotRemove(((3, 3),)),
    ]


def test_hidden_is_the_order_of_the_stock_from_the_player_too() -> None:
    state = at(
        "KC -- -- --  -- -- 5C --  -- -- -- --  -- QC -- --", stock="7C AC", waste="9C", removed="TC"
    ).state
    board = (
        ("KC", None, None, None),
        (None, None, "5C", None),
        (None, None, None, None),
        (None, "QC", None, None),
    )
    for viewer in (0, None):
        assert RULES.view(state, viewer) == CamelotView(
            CamelotCards(2, None), "9C", board, removing=False, removed=("TC",)
        )
    assert RULES.open_view(state) == CamelotView(
        CamelotCards(2, ("7C", "AC")), "9C", board, removing=False, removed=("TC",)
    )


def test_when_removing_is_allowed_is_shown() -> None:
    assert RULES.view(at(FULL, stock="7D", removing=True).state, 0).removing is True


def test_the_stock_is_open_when_the_game_is_over() -> None:
    state = at(STUCK, stock="7C 8C", removing=True).state
    for viewer in (0, None):
        assert RULES.view(state, viewer) == RULES.open_view(state)
        assert RULES.view(state, viewer).stock == CamelotCards(2, ("7C", "8C"))


def test_moves_and_what_they_turn_up_are_open() -> None:
    state = at(stock="7C 8C").state
    move, events = CamelotDeal(), (CamelotTurned("7C"),)
    for viewer in (0, None):
        assert RULES.redact(state, viewer, 0, move, events) == (move, events)


def reveals(position: Position, given: object) -> bool:
    return RULES.may_reveal(position.state, 0, read_move(RULES, given))


def test_a_deal_reveals() -> None:
    assert reveals(at(stock="7C 8C"), DEAL)
    assert reveals(at(FULL.replace("TC", "--"), stock="7D", removing=True), DEAL)


def test_a_deal_that_cannot_be_made_reveals_nothing() -> None:
    assert not reveals(at(FULL, stock="7D", removing=True), DEAL)
    assert not reveals(at(stock="7C 8C", waste="9C"), DEAL)
    assert not reveals(at("AC 9C -- --  -- -- -- --  -- -- -- --  -- -- -- --", removing=True), DEAL)
    assert not reveals(
        made(at("AC -- -- 2C  -- -- -- --  -- -- -- --  3C -- -- 4C", stock="KC 9C"), DEAL), DEAL
    )


def test_a_card_placed_so_that_the_game_is_lost_reveals_the_stock() -> None:
    last = STUCK.replace("4D", "--")
    assert reveals(at(last, stock="7C", waste="4D"), place(3, 2))
    assert not reveals(at(last, stock="7C", waste="6D"), place(3, 2))
    assert not reveals(at(last, waste="4D"), place(3, 2))
    assert not reveals(at(last.replace("2C", "--"), stock="7C", waste="4D"), place(3, 2))


def test_a_place_that_is_refused_reveals_nothing() -> None:
    last = STUCK.replace("4D", "--")
    assert not reveals(at(last, stock="7C", waste="4D"), place(0, 0))
    assert not reveals(at(last, stock="7C 4D"), place(3, 2))
    crowned = STUCK.replace("2C", "--")
    assert not reveals(at(crowned, stock="7C", waste="QH"), place(1, 1))


def test_a_removal_reveals_nothing() -> None:
    position = at(FULL, stock="7D", removing=True)
    for given in (remove((2, 2)), remove((0, 1), (2, 1)), remove((0, 0)), remove((1, 1), (1, 1))):
        assert not reveals(position, given)


def test_a_redeal_shuffles_the_stock_alone() -> None:
    state = at(
        "KC -- -- --  -- -- -- --  -- -- -- --  -- -- -- --", stock="7C AC 2C 3C", waste="9C", removed="TC"
    ).state
    for viewer in (0, None):
        seen = {RULES.redeal(state, viewer, Random(seed)) for seed in range(200)}
        assert len({other.stock for other in seen}) == 24
        assert {tuple(sorted(other.stock)) for other in seen} == {("2C", "3C", "7C", "AC")}
        assert {msgspec.structs.replace(other, stock=state.stock) for other in seen} == {state}


def test_a_redeal_leaves_a_finished_game_as_it_is() -> None:
    state = at(STUCK, stock="7C 8C 9C TC", removing=True).state
    assert {RULES.redeal(state, 0, Random(seed)) for seed in range(20)} == {state}


@pytest.mark.parametrize(
    ("move", "events", "words"),
    [
        (CamelotDeal(), (CamelotTurned("7C"),), "deals 7C"),
        (CamelotPlace((2, 1)), (CamelotPlaced("7C"),), "places 7C at [2,1]"),
        (CamelotRemove(((2, 1),)), (CamelotRemoved(("TC",)),), "removes TC"),
        (CamelotRemove(((0, 1), (2, 1))), (CamelotRemoved(("4C", "6D")),), "removes 4C 6D"),
    ],
)
def test_a_move_has_words(move: CamelotMove, events: tuple[CamelotEvent, ...], words: str) -> None:
    assert said(RULES.describe(0, move, events)) == words


def test_a_state_does_not_show_its_cards_in_print() -> None:
    state = RULES.deal(CamelotOptions(), 1, FRENCH_DECK)
    assert repr(state) == "<CamelotState, 52 in the stock>"


def test_a_state_survives_json() -> None:
    state = at(FULL.replace("TC", "--"), stock="7D 8D", waste="9D", removed="TC").state
    assert msgspec.json.decode(msgspec.json.encode(state), type=CamelotState) == state
