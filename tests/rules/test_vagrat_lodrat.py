"""Vågrät & Lodrät, clause by clause."""

from random import Random
from typing import Any

import msgspec
import pytest

from games import table
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
from games.rules.vagrat_lodrat import (
    VALUE,
    VagratLodrat,
    VagratLodratCards,
    VagratLodratEvent,
    VagratLodratFurtherTurn,
    VagratLodratMove,
    VagratLodratOptions,
    VagratLodratPass,
    VagratLodratPlay,
    VagratLodratQuietEnd,
    VagratLodratState,
    VagratLodratSwap,
    VagratLodratView,
)
from games.table import Entry, Position, Setup

RULES = VagratLodrat()
PASS = {"type": "pass"}
COOPERATIVE = VagratLodratOptions(cooperative=True)
ANY_EARLIER = VagratLodratOptions(penalty="any-earlier")

# Rows 1 and 3 rise and 2 and 4 fall; each column but the last goes up and down.
BOARD = """
    .  .  .  .  .  .
    .  2D 3D 4D 5D .
    .  9S 8S 7S 6S .
    .  2H 4H 6H 8H .
    .  KC JC 9C 7C .
    .  .  .  .  .  .
"""
LEFT, RIGHT = "3C 5H TD", "4S QC AD"
ASIDE = "AC AH AS KD"


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def cells(written: str) -> tuple[str | None, ...]:
    """The cells of a board, row by row; a dot is an empty one."""
    found = tuple(None if one == "." else one for one in written.split())
    assert len(found) == 36
    return found


def at(
    *,
    board: str = BOARD,
    hands: tuple[str, str] = (LEFT, RIGHT),
    turn: int = 0,
    swapped: bool = False,
    unbroken: bool = False,
    quiet_turns: int = 0,
    over: bool = False,
    options: VagratLodratOptions = VagratLodratOptions(),  # noqa: B008 - frozen
) -> Position:
    state = VagratLodratState(
        options=options,
        board=cells(board),
        hands=(cards(hands[0]), cards(hands[1])),
        aside=cards(ASIDE),
        turn=turn,
        swapped=swapped,
        unbroken=unbroken,
        quiet_turns=quiet_turns,
        over=over,
    )
    return Position(Setup(RULES, options, 2, FRENCH_DECK), 0, state)


def dealt(options: VagratLodratOptions | None = None, seed: int | None = None) -> Position:
    deck = list(FRENCH_DECK)
    if seed is not None:
        Random(seed).shuffle(deck)
    return table.lay_out(Setup(RULES, options or VagratLodratOptions(), 2, tuple(deck)))


def swap(a: tuple[int, int], b: tuple[int, int]) -> dict[str, object]:
    return {"type": "swap", "a": list(a), "b": list(b)}


def play(card: str, row: int, column: int) -> dict[str, object]:
    return {"type": "play", "card": card, "at": [row, column]}


def step(position: Position, given: object) -> table.Step:
    (seat,) = position.to_act
    return table.advance(position, Entry(seat, table.judge(position, seat, read_move(RULES, given))))


def made(position: Position, given: object) -> tuple[VagratLodratState, tuple[VagratLodratEvent, ...]]:
    """The state after a move of the seat that may act, and its events."""
    one = step(position, given)
    return one.after.state, one.events


def after(position: Position, *moves: object) -> Position:
    for given in moves:
        position = step(position, given).after
    return position


def refused(position: Position, given: object) -> tuple[str, str]:
    """Code and explanation."""
    before = position.state
    with pytest.raises(Refused) as caught:
        table.judge(position, position.state.turn, read_move(RULES, given))
    assert position.state == before
    return caught.value.code, caught.value.explanation


def legal(position: Position) -> list[VagratLodratMove]:
    return list(RULES.legal_moves(position.state, position.state.turn))


def quiet_turn(position: Position) -> Position:
    """A swap and a pass."""
    return after(position, msgspec.to_builtins(legal(position)[0]), PASS)


def played_turn(position: Position) -> Position:
    """A swap and the first play."""
    swapped = after(position, msgspec.to_builtins(legal(position)[0]))
    return after(swapped, msgspec.to_builtins(legal(swapped)[0]))


def ended(
    board: str,
    options: VagratLodratOptions = VagratLodratOptions(),  # noqa: B008 - frozen
) -> Outcome:
    outcome = RULES.outcome(at(board=board, over=True, options=options).state)
    assert outcome is not None
    return outcome


def one_row(written: str) -> str:
    """A board with nothing but a row 2 of six cells, so that each card is alone in its column."""
    return ". " * 12 + written + " ." * 18


def one_column(written: str) -> str:
    """A board with nothing but a column 2."""
    return " ".join(f". . {card} . . ." for card in written.split())


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name) == ("vagrat-lodrat", "Vågrät & Lodrät (Across & Down)")


def test_the_options_have_their_defaults() -> None:
    options = read_options(RULES, {})
    assert options == VagratLodratOptions(cooperative=False, penalty="adjacent")
    assert RULES.resolve(options, 2) == options
    assert RULES.fixed_deck(options) is None
    assert RULES.warnings(options) == ()
    assert read_options(RULES, {"cooperative": True, "penalty": "any-earlier"}) == VagratLodratOptions(
        cooperative=True, penalty="any-earlier"
    )


@pytest.mark.parametrize(
    "given",
    [{"cooperative": 1}, {"cooperative": None}, {"penalty": "any"}, {"penalty": True}, {"seats": 2}, []],
)
def test_other_options_are_refused(given: object) -> None:
    with pytest.raises(WrongForm):
        read_options(RULES, given)


def test_vl_01_the_pack_is_the_french_deck() -> None:
    assert RULES.deck(VagratLodratOptions()) == FRENCH_DECK


def test_vl_01_every_card_has_a_value_of_its_own() -> None:
    order = cards(
        "2D 2S 2H 2C 3D 3S 3H 3C 4D 4S 4H 4C 5D 5S 5H 5C 6D 6S 6H 6C 7D 7S 7H 7C 8D 8S 8H 8C 9D 9S 9H 9C "
        "TD TS TH TC JD JS JH JC QD QS QH QC KD KS KH KC AD AS AH AC"
    )
    assert tuple(sorted(FRENCH_DECK, key=VALUE.__getitem__)) == order
    assert len(set(VALUE.values())) == 52
    assert {card: VALUE[card] for card in cards("2D 3S TH JC QS KD AC")} == {
        "2D": 20,
        "3S": 31,
        "TH": 102,
        "JC": 113,
        "QS": 121,
        "KD": 130,
        "AC": 143,
    }


def test_vl_02_seat_0_sorts_rows_and_seat_1_columns_and_seat_0_starts() -> None:
    position = dealt()
    assert position.to_act == (0,)
    with pytest.raises(NotYourTurn) as turn:
        table.judge(position, 1, read_move(RULES, swap((1, 1), (2, 1))))
    assert turn.value.facts == {"seat": 1, "to_act": [0]}
    assert after(position, swap((1, 1), (1, 2)), PASS).to_act == (1,)


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_vl_02_two_play(seats: int) -> None:
    assert list(RULES.seats) == [2]
    with pytest.raises(ValueError, match=f"vagrat-lodrat is played by 2 to 2, not {seats}"):
        table.lay_out(Setup(RULES, VagratLodratOptions(), seats, FRENCH_DECK))


def test_vl_03_the_board_is_six_by_six_and_its_middle_full() -> None:
    board = RULES.open_view(dealt().state).board
    assert [[card is not None for card in row] for row in board] == [
        [False] * 6,
        *[[False, True, True, True, True, False]] * 4,
        [False] * 6,
    ]


@pytest.mark.parametrize("number", [-1, 6])
def test_vl_03_there_are_no_other_cells(number: int) -> None:
    for cell in ((number, 1), (1, number)):
        for given in (swap(cell, (1, 1)), swap((1, 1), cell), play("3C", *cell)):
            with pytest.raises(WrongForm):
                read_move(RULES, given)


def test_vl_04_the_middle_is_filled_row_by_row_then_come_the_hands() -> None:
    state = dealt().state
    assert state.board == cells("""
        .  .  .  .  .  .
        .  AC AD AH AS .
        .  2C 2D 2H 2S .
        .  3C 3D 3H 3S .
        .  4C 4D 4H 4S .
        .  .  .  .  .  .
    """)
    assert state.hands == (cards("5D 5S 5H 5C 6D 6S 6H 6C"), cards("7D 7S 7H 7C 8D 8S 8H 8C"))
    assert state.aside == FRENCH_DECK[32:]
    assert len(state.aside) == 20
    assert (state.turn, state.swapped, state.unbroken, state.quiet_turns, state.over) == (
        0,
        False,
        True,
        0,
        False,
    )


def test_vl_05_the_swap_comes_first() -> None:
    for turn, given in ((0, play("3C", 1, 0)), (1, play("4S", 0, 1)), (0, PASS), (1, PASS)):
        assert refused(at(turn=turn), given) == ("VL-5", "the swap comes first in every turn")
    assert refused(at(options=COOPERATIVE), PASS)[0] == "VL-5"
    assert refused(at(), play("KD", 0, 0))[0] == "VL-5"


@pytest.mark.parametrize("given", [swap((1, 1), (1, 2)), swap((1, 1), (2, 2)), swap((1, 1), (1, 1))])
def test_vl_05_there_is_one_swap_in_a_turn(given: object) -> None:
    assert refused(at(swapped=True), given) == ("VL-5", "you have made the swap of this turn")


def test_vl_05_after_the_swap_the_turn_goes_on() -> None:
    state, events = made(at(quiet_turns=3, unbroken=True), swap((1, 1), (1, 2)))
    assert (state.turn, state.swapped, state.quiet_turns, state.unbroken) == (0, True, 3, True)
    assert events == ()


@pytest.mark.parametrize("turn", [0, 1])
def test_vl_05_after_a_play_or_a_pass_the_other_player_must_swap(turn: int) -> None:
    for given in (PASS, play("3C", 2, 0) if turn == 0 else play("4S", 0, 2)):
        position = after(at(turn=turn, swapped=True), given)
        assert position.to_act == (1 - turn,)
        assert {type(move) for move in legal(position)} == {VagratLodratSwap}


def test_vl_06_two_cards_change_places() -> None:
    state, _ = made(at(), swap((2, 1), (2, 4)))
    assert state == at(board=BOARD.replace("9S 8S 7S 6S", "6S 8S 7S 9S"), swapped=True).state
    state, _ = made(at(turn=1), swap((1, 1), (3, 1)))
    assert state.board == cells(BOARD.replace("2D", "x").replace("2H", "2D").replace("x", "2H"))


def test_vl_06_vagrat_swaps_in_rows_and_lodrat_in_columns() -> None:
    assert refused(at(), swap((1, 1), (2, 1))) == ("VL-6", "[1,1] and [2,1] are not in one row")
    assert refused(at(), swap((1, 1), (2, 2))) == ("VL-6", "[1,1] and [2,2] are not in one row")
    assert refused(at(turn=1), swap((1, 1), (1, 2))) == ("VL-6", "[1,1] and [1,2] are not in one column")
    assert refused(at(turn=1), swap((1, 1), (2, 2))) == ("VL-6", "[1,1] and [2,2] are not in one column")


def test_vl_06_both_cells_must_hold_cards() -> None:
    assert refused(at(), swap((1, 0), (1, 1))) == ("VL-6", "there is no card at [1,0]")
    assert refused(at(), swap((1, 4), (1, 5))) == ("VL-6", "there is no card at [1,5]")
    assert refused(at(turn=1), swap((5, 3), (2, 3))) == ("VL-6", "there is no card at [5,3]")


def test_vl_06_a_cell_is_not_swapped_with_itself() -> None:
    for turn in (0, 1):
        assert refused(at(turn=turn), swap((2, 2), (2, 2))) == (
            "VL-6",
            "a swap takes two cards, and both cells are [2,2]",
        )


def test_vl_06_neither_distance_nor_gaps_matter() -> None:
    across = BOARD.replace(".  9S 8S 7S 6S .", "3H 9S 8S 7S 6S 4C")
    assert VagratLodratSwap((2, 0), (2, 5)) in legal(at(board=across))
    fringe = ".  QD . . AD .\n" + BOARD.strip().partition("\n")[2]
    assert VagratLodratSwap((0, 1), (0, 4)) in legal(at(board=fringe))
    assert made(at(board=fringe), swap((0, 1), (0, 4)))[0].board[:6] == (None, "AD", None, None, "QD", None)
    column = one_column("QD . . . . AD")
    assert legal(at(board=column, turn=1)) == [VagratLodratSwap((0, 2), (5, 2))]


def test_vl_06_the_fringe_of_the_other_player_may_be_swapped_in() -> None:
    both = """
        .  QD .  KD .  .
        AD 2D 3D 4D 5D .
        .  9S 8S 7S 6S .
        .  2H 4H 6H 8H .
        3S KC JC 9C 7C .
        .  .  .  .  .  .
    """
    assert made(at(board=both), swap((0, 1), (0, 3)))[0].board[1:4] == ("KD", None, "QD")
    swapped = made(at(board=both, turn=1), swap((1, 0), (4, 0)))[0]
    assert (swapped.board[6], swapped.board[24]) == ("3S", "AD")


def test_vl_06_either_order_is_the_same_move() -> None:
    for turn, small, great in ((0, (3, 1), (3, 4)), (1, (1, 4), (3, 4))):
        position = at(turn=turn)
        canonical = VagratLodratSwap(small, great)
        for given in (swap(small, great), swap(great, small)):
            assert table.judge(position, turn, read_move(RULES, given)) == canonical
        assert made(position, swap(great, small)) == made(position, swap(small, great))


def test_vl_06_only_swaps_have_two_orders() -> None:
    position = at(swapped=True)
    for move in (VagratLodratPlay("3C", (1, 0)), VagratLodratPass()):
        assert RULES.canonical(position.state, 0, move) is move


def test_vl_07_a_card_from_the_hand_goes_to_an_end_of_a_row() -> None:
    state, events = made(at(swapped=True, quiet_turns=7), play("5H", 3, 5))
    board = BOARD.replace("2H 4H 6H 8H .", "2H 4H 6H 8H 5H")
    assert state == at(board=board, hands=("3C TD", RIGHT), turn=1).state
    assert events == ()


def test_vl_07_and_for_lodrat_of_a_column() -> None:
    state, events = made(at(swapped=True, turn=1), play("QC", 0, 2))
    board = ". . QC . . .\n" + BOARD.strip().partition("\n")[2]
    assert state == at(board=board, hands=(LEFT, "4S AD"), turn=0).state
    assert events == ()


def test_vl_07_each_card_may_go_to_each_of_eight_cells() -> None:
    ends = {
        0: [(row, column) for row in (1, 2, 3, 4) for column in (0, 5)],
        1: [(row, column) for column in (1, 2, 3, 4) for row in (0, 5)],
    }
    for turn, hand in ((0, LEFT), (1, RIGHT)):
        assert legal(at(turn=turn, swapped=True)) == [
            *(VagratLodratPlay(card, cell) for card in cards(hand) for cell in ends[turn]),
            VagratLodratPass(),
        ]


def test_vl_07_it_need_not_be_the_row_or_column_of_the_swap() -> None:
    assert after(at(), swap((1, 1), (1, 2)), play("3C", 4, 0)).state.board[24] == "3C"
    assert after(at(turn=1), swap((1, 1), (2, 1)), play("4S", 5, 4)).state.board[34] == "4S"


def test_vl_07_a_card_not_in_the_hand_is_refused() -> None:
    for card in ("4S", "AC", "2D"):
        assert refused(at(swapped=True), play(card, 1, 0)) == ("VL-7", f"{card} is not in your hand")
    assert refused(at(swapped=True, turn=1), play("3C", 0, 1)) == ("VL-7", "3C is not in your hand")


def test_vl_07_a_taken_cell_is_refused() -> None:
    taken = BOARD.replace(".  2D", "KS 2D")
    assert refused(at(board=taken, swapped=True), play("3C", 1, 0)) == ("VL-7", "KS lies at [1,0] already")
    for turn, card in ((0, "3C"), (1, "4S")):
        for row in (1, 2, 3, 4):
            for column in (1, 2, 3, 4):
                assert refused(at(swapped=True, turn=turn), play(card, row, column)) == (
                    "VL-7",
                    f"{cells(BOARD)[6 * row + column]} lies at [{row},{column}] already",
                )


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({}, "$"),
        ([], "$"),
        ("pass", "$"),
        (None, "$"),
        ({"type": "Pass"}, "$.type"),
        ({"type": "take"}, "$.type"),
        ({"type": "pass", "card": "3C"}, "$"),
        ({"type": "play", "card": "3C"}, "$"),
        ({"type": "play", "at": [1, 0]}, "$"),
        ({"type": "play", "card": "3C", "at": [1, 0], "a": [1, 0]}, "$"),
        ({"type": "play", "card": "3X", "at": [1, 0]}, "$.card"),
        ({"type": "play", "card": ["3C"], "at": [1, 0]}, "$.card"),
        ({"type": "play", "card": "3C", "at": [1]}, "$.at"),
        ({"type": "play", "card": "3C", "at": [1, 0, 0]}, "$.at"),
        ({"type": "play", "card": "3C", "at": 10}, "$.at"),
        ({"type": "play", "card": "3C", "at": "10"}, "$.at"),
        ({"type": "play", "card": "3C", "at": None}, "$.at"),
        ({"type": "play", "card": "3C", "at": [1, 6]}, "$.at[1]"),
        ({"type": "play", "card": "3C", "at": [-1, 0]}, "$.at[0]"),
        ({"type": "play", "card": "3C", "at": ["1", 0]}, "$.at[0]"),
        ({"type": "play", "card": "3C", "at": [1.5, 0]}, "$.at[0]"),
        ({"type": "play", "card": "3C", "at": [True, 0]}, "$.at[0]"),
        ({"type": "play", "card": "3C", "at": [1, None]}, "$.at[1]"),
        ({"type": "swap", "a": [1, 1]}, "$"),
        ({"type": "swap", "b": [1, 1]}, "$"),
        ({"type": "swap", "a": [1, 1], "b": [1, 2], "at": [1, 3]}, "$"),
        ({"type": "swap", "a": [1, 1], "b": {"row": 1}}, "$.b"),
        ({"type": "swap", "a": [1, 1], "b": [1, 10**30]}, "$.b[1]"),
    ],
)
def test_vl_07_a_move_is_exactly_of_its_form(given: object, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert (caught.value.code, caught.value.path) == ("FORM", path)


CORNER = "{0} is a corner, where nobody plays"


@pytest.mark.parametrize("cell", [(0, 0), (0, 5), (5, 0), (5, 5)])
def test_vl_08_nobody_plays_in_the_corners(cell: tuple[int, int]) -> None:
    written = f"[{cell[0]},{cell[1]}]"
    for turn, card in ((0, "3C"), (1, "4S")):
        assert refused(at(turn=turn, swapped=True), play(card, *cell)) == ("VL-8", CORNER.format(written))


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_vl_08_nobody_plays_in_the_fringe_of_the_other(line: int) -> None:
    for end in (0, 5):
        assert refused(at(swapped=True), play("3C", end, line)) == (
            "VL-8",
            f"[{end},{line}] is in row {end}, where only Lodrät plays",
        )
        assert refused(at(turn=1, swapped=True), play("4S", line, end)) == (
            "VL-8",
            f"[{line},{end}] is in column {end}, where only Vågrät plays",
        )


def test_vl_08_the_cell_is_looked_at_before_the_hand_and_whether_it_is_taken() -> None:
    taken = ".  .  QD .  .  .\n" + BOARD.strip().partition("\n")[2]
    assert refused(at(board=taken, swapped=True), play("3C", 0, 2))[0] == "VL-8"
    assert refused(at(swapped=True), play("AC", 0, 0))[0] == "VL-8"
    assert refused(at(swapped=True), play("AC", 0, 1))[0] == "VL-8"


def test_vl_09_a_pass_ends_the_turn_without_a_card() -> None:
    assert made(at(swapped=True), PASS) == (at(turn=1, quiet_turns=1).state, ())
    assert made(at(swapped=True, turn=1), PASS) == (at(turn=0, quiet_turns=1).state, ())


def test_vl_10_the_game_ends_with_the_last_card_of_lodrat() -> None:
    for unbroken in (False, True):
        position = at(hands=(LEFT, "4S"), turn=1, swapped=True, unbroken=unbroken)
        state, events = made(position, play("4S", 0, 1))
        assert (state.over, state.hands, events) == (True, (cards(LEFT), ()), ())
        assert RULES.to_act(state) == ()


def test_vl_10_the_game_ends_with_the_last_card_of_vagrat_who_has_passed() -> None:
    state, events = made(at(hands=("3C", RIGHT), swapped=True), play("3C", 1, 0))
    assert (state.over, state.hands, events) == (True, ((), cards(RIGHT)), ())
    assert (RULES.to_act(state), state.swapped) == ((), False)
    for seat in (0, 1):
        assert list(RULES.legal_moves(state, seat)) == []


def test_vl_10_the_last_card_but_one_ends_nothing() -> None:
    assert made(at(hands=("3C 5H", RIGHT), swapped=True), play("3C", 1, 0))[0].over is False
    assert made(at(hands=(LEFT, "4S QC"), swapped=True, turn=1), play("QC", 5, 1))[0].over is False


def test_vl_10_nothing_is_accepted_after_the_end() -> None:
    for seat in (0, 1):
        with pytest.raises(GameOver) as over:
            table.judge(at(over=True), seat, VagratLodratPass())
        assert over.value.code == "OVER"


def test_vl_11_who_plays_in_every_turn_gives_lodrat_one_further_turn() -> None:
    position = dealt(seed=1)
    for _ in range(7):
        position = quiet_turn(played_turn(position))
    assert (position.to_act, position.state.unbroken) == ((0,), True)
    position = after(position, msgspec.to_builtins(legal(position)[0]))
    last = step(position, msgspec.to_builtins(legal(position)[0]))
    assert last.events == (VagratLodratFurtherTurn(1),)
    assert (last.after.to_act, last.after.state.hands[0]) == ((1,), ())
    assert RULES.outcome(last.after.state) is None
    for turn in (quiet_turn, played_turn):
        assert turn(last.after).to_act == ()
    assert RULES.outcome(played_turn(last.after).state) is not None


def test_vl_11_the_further_turn_is_a_swap_and_then_a_card_if_wanted() -> None:
    position = at(hands=("", "4S QC"), turn=1, unbroken=True)
    assert refused(position, PASS)[0] == "VL-5"
    swapped = after(position, swap((1, 1), (2, 1)))
    assert len(legal(swapped)) == 17
    passed, events = made(swapped, PASS)
    assert (passed.over, passed.hands, events) == (True, ((), cards("4S QC")), ())
    played, events = made(swapped, play("QC", 5, 1))
    assert (played.over, played.hands, events) == (True, ((), cards("4S")), ())
    only = at(hands=("", "4S"), turn=1, swapped=True, unbroken=True)
    assert made(only, play("4S", 5, 1))[0].over is True


def test_vl_11_a_single_pass_of_vagrat_breaks_it() -> None:
    position = dealt(seed=2)
    assert position.state.unbroken is True
    position = quiet_turn(position)
    assert position.state.unbroken is False
    position = quiet_turn(position)
    for turns in range(8):
        assert position.to_act == (0,)
        position = played_turn(position)
        if turns < 7:
            position = quiet_turn(position)
    assert position.to_act == ()
    assert position.state.unbroken is False


def test_vl_11_a_pass_of_lodrat_does_not_break_it() -> None:
    assert made(at(turn=1, swapped=True, unbroken=True), PASS)[0].unbroken is True
    assert made(at(turn=1, swapped=True, unbroken=True), play("4S", 0, 1))[0].unbroken is True
    assert made(at(turn=0, swapped=True, unbroken=True), play("3C", 1, 0))[0].unbroken is True
    assert made(at(turn=0, swapped=True, unbroken=True), PASS)[0].unbroken is False


def test_vl_12_a_point_for_each_card_less_one_for_each_after_a_higher() -> None:
    # Vågrät: 4 + 1 + 4 + 1. Lodrät: in columns 1 to 3, up, down, up; in column 4, up, up, down.
    assert ended(BOARD).score == (10, 3 + 3 + 3 + 3)


def test_vl_12_the_example() -> None:
    assert ended(one_row(". 3D 5D 8D 2D .")).score == (3, 4)
    assert ended(one_column(". 3D 5D 8D 2D .")).score == (4, 3)


def test_vl_12_rows_are_read_from_column_0_and_columns_from_row_0() -> None:
    assert ended(one_row("2D 3D 4D 5D 6D 7D")).score == (6, 6)
    assert ended(one_row("7D 6D 5D 4D 3D 2D")).score == (1, 6)
    assert ended(one_column("2D 3D 4D 5D 6D 7D")).score == (6, 6)
    assert ended(one_column("7D 6D 5D 4D 3D 2D")).score == (6, 1)


def test_vl_12_gaps_are_skipped() -> None:
    assert ended(one_row("8D . . 2D . 3D")).score == (2, 3)
    assert ended(one_column("8D . . 2D . 3D")).score == (3, 2)


def test_vl_12_within_a_rank_the_suits_go_up_from_diamonds_to_clubs() -> None:
    assert ended(one_row(". 5D 5S 5H 5C .")).score == (4, 4)
    assert ended(one_row(". 5C 5H 5S 5D .")).score == (1, 4)


def test_vl_12_the_rows_and_columns_of_the_fringe_count_too() -> None:
    board = """
        .  QD .  JD KD .
        AD .  .  .  .  .
        .  .  .  .  .  .
        .  .  .  .  .  2D
        3S .  .  .  .  .
        .  9D 8D .  .  .
    """
    # Rows: 3 - 1, 1, 0, 1, 1, 2 - 1. Columns: 2 - 1, 2 - 1, 1, 1, 1, 1.
    assert ended(board).score == (6, 6)


def test_vl_12_cards_in_hand_and_aside_count_for_nothing() -> None:
    poor, rich = at(hands=("", RIGHT), over=True), at(hands=(LEFT, ""), over=True)
    assert RULES.outcome(poor.state) == RULES.outcome(rich.state)


@pytest.mark.parametrize(
    ("row", "adjacent", "any_earlier"),
    [
        ("8D 2D 3D . . .", 2, 1),
        ("8D . 2D . 3D .", 2, 1),
        ("3D 5D 8D 2D . .", 3, 3),
        ("KD 2D QD 3D JD .", 3, 1),
        ("2D KD 3D 4D 5D 6D", 5, 2),
        ("7D 6D 5D 4D 3D 2D", 1, 1),
        ("2D 3D 4D 5D 6D 7D", 6, 6),
        ("5D . . . . .", 1, 1),
    ],
)
def test_vl_13_a_card_is_compared_with_the_one_before_or_with_any(
    row: str, adjacent: int, any_earlier: int
) -> None:
    assert ended(one_row(row)).score[0] == adjacent
    assert ended(one_row(row), ANY_EARLIER).score[0] == any_earlier
    assert ended(one_column(row)).score[1] == adjacent
    assert ended(one_column(row), ANY_EARLIER).score[1] == any_earlier


def test_vl_14_most_points_win() -> None:
    assert ended(one_row("2D 3D 5D 4D 6D .")) == Outcome((2, 1), ("loss", "win"), (4, 5))
    assert ended(one_column("2D 3D 5D 4D 6D .")) == Outcome((1, 2), ("win", "loss"), (5, 4))


def test_vl_14_equal_points_are_a_draw() -> None:
    assert ended(one_row("2D 3D 4D 5D 6D .")) == Outcome((1, 1), ("draw", "draw"), (5, 5))


def test_vl_14_there_is_no_outcome_before_the_end() -> None:
    assert RULES.outcome(at().state) is None
    assert RULES.outcome(at(options=COOPERATIVE).state) is None


def test_vl_15_in_the_cooperative_game_a_card_must_be_played() -> None:
    for turn in (0, 1):
        position = at(turn=turn, swapped=True, options=COOPERATIVE)
        assert refused(position, PASS) == (
            "VL-15",
            "in the cooperative game a card must be played after the swap",
        )
        assert len(legal(position)) == 24
        assert VagratLodratPass() not in legal(position)


@pytest.mark.parametrize("penalty", ["adjacent", "any-earlier"])
@pytest.mark.parametrize("cooperative", [False, True])
def test_vl_15_the_option_makes_the_game_cooperative(*, cooperative: bool, penalty: Any) -> None:
    options = VagratLodratOptions(cooperative=cooperative, penalty=penalty)
    assert RULES.is_cooperative(options) is cooperative


def test_vl_15_the_further_turn_has_no_pass_either() -> None:
    position = at(hands=("", "4S"), turn=1, swapped=True, unbroken=True, options=COOPERATIVE)
    assert refused(position, PASS)[0] == "VL-15"
    assert made(position, play("4S", 5, 1))[0].over is True


@pytest.mark.parametrize(
    ("board", "result", "score"),
    [
        (one_row("2D 3D 4D 5D 6D ."), "win", (5, 5)),
        (one_row("2D 3D 5D 4D 6D ."), "loss", (4, 5)),
        (one_column("2D 3D 5D 4D 6D ."), "loss", (5, 4)),
    ],
)
def test_vl_15_both_win_by_equal_points_or_both_lose(board: str, result: Any, score: tuple[int, int]) -> None:
    assert ended(board, COOPERATIVE) == Outcome((1, 1), (result, result), score)


def test_vl_15_the_penalty_is_an_option_of_the_cooperative_game_too() -> None:
    board = one_row("8D 2D 3D . . .")
    both = VagratLodratOptions(cooperative=True, penalty="any-earlier")
    assert (ended(board, COOPERATIVE).score, ended(board, both).score) == ((2, 3), (1, 3))


@pytest.mark.parametrize("seed", range(10))
def test_vl_15_all_sixteen_cards_are_played(seed: int) -> None:
    rng, position, plies = Random(seed), dealt(COOPERATIVE, seed), 0
    while position.to_act:
        position = after(position, msgspec.to_builtins(rng.choice(legal(position))))
        plies += 1
    assert plies == 32
    assert position.state.hands == ((), ())
    assert sum(card is not None for card in position.state.board) == 32


def test_vl_16_forty_quiet_turns_end_the_game() -> None:
    position = dealt(seed=3)
    for turns in range(40):
        assert (position.to_act, position.state.quiet_turns) == ((turns % 2,), turns)
        swapped = after(position, msgspec.to_builtins(legal(position)[0]))
        last = step(swapped, PASS)
        assert last.events == ((VagratLodratQuietEnd(40),) if turns == 39 else ())
        position = last.after
    assert position.to_act == ()
    assert position.state.hands == dealt(seed=3).state.hands
    outcome = RULES.outcome(position.state)
    assert outcome is not None
    assert outcome.score == ended(" ".join(card or "." for card in position.state.board)).score


def test_vl_16_it_is_the_pass_that_ends_it() -> None:
    position = after(at(turn=1, quiet_turns=39), swap((1, 1), (2, 1)))
    assert position.to_act == (1,)
    state, events = made(position, play("4S", 0, 1))
    assert (state.over, state.quiet_turns, events) == (False, 0, ())
    state, events = made(position, PASS)
    assert (state.over, state.quiet_turns, events) == (True, 40, (VagratLodratQuietEnd(40),))


def test_vl_16_a_card_begins_the_count_anew() -> None:
    assert made(at(swapped=True, quiet_turns=38), PASS)[0].quiet_turns == 39
    state, _ = made(at(swapped=True, quiet_turns=38), play("3C", 1, 0))
    assert state.quiet_turns == 0
    position = msgspec.structs.replace(at(), state=state)
    assert quiet_turn(position).state.quiet_turns == 1


def test_hidden_are_the_other_hand_and_the_cards_set_aside() -> None:
    position = at(hands=("3C 5H", "4S"), turn=1, swapped=True, unbroken=True, quiet_turns=5)
    left, right = VagratLodratCards(2, ("3C", "5H")), VagratLodratCards(1, ("4S",))
    aside = VagratLodratCards(4, ("AC", "AH", "AS", "KD"))
    empty = (None,) * 6

    def view(
        first: VagratLodratCards, second: VagratLodratCards, aside: VagratLodratCards
    ) -> VagratLodratView:
        return VagratLodratView(
            board=(
                empty,
                (None, "2D", "3D", "4D", "5D", None),
                (None, "9S", "8S", "7S", "6S", None),
                (None, "2H", "4H", "6H", "8H", None),
                (None, "KC", "JC", "9C", "7C", None),
                empty,
            ),
            hands=(first, second),
            aside=aside,
            swapped=True,
            unbroken=True,
            quiet_turns=5,
        )

    two, one, four = VagratLodratCards(2, None), VagratLodratCards(1, None), VagratLodratCards(4, None)
    assert RULES.view(position.state, 0) == view(left, one, four)
    assert RULES.view(position.state, 1) == view(two, right, four)
    assert RULES.view(position.state, None) == view(two, one, four)
    assert RULES.open_view(position.state) == view(left, right, aside)


def test_at_the_end_everything_is_open() -> None:
    state = at(over=True).state
    for viewer in (0, 1, None):
        view = RULES.view(state, viewer)
        assert view == RULES.open_view(state)
        assert [hand.cards for hand in view.hands] == [cards(LEFT), cards(RIGHT)]
        assert view.aside.cards == cards(ASIDE)


def test_moves_and_events_are_open() -> None:
    state = at(swapped=True).state
    moves: list[VagratLodratMove] = [
        VagratLodratSwap((1, 1), (1, 2)),
        VagratLodratPlay("3C", (1, 0)),
        VagratLodratPass(),
    ]
    for viewer in (0, 1, None):
        for move in moves:
            for events in ((), (VagratLodratFurtherTurn(1),)):
                assert RULES.redact(state, viewer, 0, move, events) == (move, events)


def test_only_a_move_that_ends_the_game_reveals() -> None:
    a_swap, a_pass = VagratLodratSwap((1, 1), (1, 2)), VagratLodratPass()
    plays = {0: VagratLodratPlay("3C", (1, 0)), 1: VagratLodratPlay("4S", (0, 1))}

    def reveals(position: Position) -> tuple[bool, bool, bool]:
        """Of a swap, a play and a pass."""
        state = position.state
        swapping, playing, passing = (
            RULES.may_reveal(state, state.turn, move) for move in (a_swap, plays[state.turn], a_pass)
        )
        return swapping, playing, passing

    nothing, a_play, both = (False, False, False), (False, True, False), (False, True, True)
    last = ("3C", "4S")
    for turn in (0, 1):
        assert reveals(at(turn=turn, swapped=True)) == nothing
        assert reveals(at(turn=turn, swapped=True, hands=last)) == a_play
        assert reveals(at(turn=turn, swapped=True, quiet_turns=38)) == nothing
        assert reveals(at(turn=turn, swapped=True, quiet_turns=39)) == (False, False, True)
        assert reveals(at(turn=turn, swapped=False, hands=last, quiet_turns=39)) == nothing
        assert reveals(at(turn=turn, swapped=True, hands=last, over=True)) == nothing
    assert reveals(at(swapped=True, hands=last, unbroken=True)) == nothing
    assert reveals(at(turn=1, swapped=True, hands=last, unbroken=True)) == a_play
    assert reveals(at(turn=1, swapped=True, hands=("", RIGHT), unbroken=True)) == both
    assert reveals(at(turn=1, swapped=False, hands=("", RIGHT), unbroken=True)) == nothing
    assert RULES.may_reveal(at(swapped=True, hands=last).state, 1, plays[1]) is False


def test_a_redeal_keeps_what_the_viewer_sees() -> None:
    state = at(swapped=True, unbroken=True, quiet_turns=4, options=COOPERATIVE).state
    for viewer, kept, unseen in ((0, LEFT, f"{RIGHT} {ASIDE}"), (1, RIGHT, f"{LEFT} {ASIDE}")):
        seen = [RULES.redeal(state, viewer, Random(seed)) for seed in range(200)]
        for other in seen:
            assert other.hands[viewer] == cards(kept)
            assert sorted((*other.hands[1 - viewer], *other.aside)) == sorted(cards(unseen))
            assert list(other.hands[1 - viewer]) == sorted(other.hands[1 - viewer], key=VALUE.__getitem__)
            assert RULES.view(other, viewer) == RULES.view(state, viewer)
            assert (other.options, other.turn, other.over) == (COOPERATIVE, 0, False)
        assert {card for other in seen for card in other.hands[1 - viewer]} == set(cards(unseen))
        assert len(set(seen)) > 150
    to_a_spectator = [RULES.redeal(state, None, Random(seed)) for seed in range(200)]
    for seat in (0, 1):
        assert {card for other in to_a_spectator for card in other.hands[seat]} == set(
            cards(f"{LEFT} {RIGHT} {ASIDE}")
        )


def test_a_finished_game_is_not_redealt() -> None:
    state = at(over=True).state
    assert RULES.redeal(state, 0, Random(1)) is RULES.redeal(state, None, Random(2)) is state


def test_legal_moves_of_the_deal_are_the_swaps_line_by_line() -> None:
    pairs = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    across = [VagratLodratSwap((row, a), (row, b)) for row in (1, 2, 3, 4) for a, b in pairs]
    down = [VagratLodratSwap((a, column), (b, column)) for column in (1, 2, 3, 4) for a, b in pairs]
    assert legal(dealt()) == across
    assert legal(at(turn=1)) == down
    assert list(RULES.legal_moves(dealt().state, 1)) == []
    assert list(RULES.legal_moves(at(turn=1, swapped=True).state, 0)) == []


@pytest.mark.parametrize(
    ("mover", "move", "events", "words"),
    [
        (0, VagratLodratSwap((1, 1), (1, 4)), (), "seat 0 swaps [1,1] and [1,4]"),
        (1, VagratLodratPlay("5C", (0, 3)), (), "seat 1 plays 5C at [0,3]"),
        (1, VagratLodratPass(), (), "seat 1 plays no card"),
        (
            0,
            VagratLodratPlay("5C", (4, 0)),
            (VagratLodratFurtherTurn(1),),
            "seat 0 plays 5C at [4,0], and seat 1 has one further turn",
        ),
        (
            1,
            VagratLodratPass(),
            (VagratLodratQuietEnd(40),),
            "seat 1 plays no card, and 40 turns in a row without a card end the game",
        ),
    ],
)
def test_a_move_has_words(
    mover: int, move: VagratLodratMove, events: tuple[VagratLodratEvent, ...], words: str
) -> None:
    assert said(RULES.describe(mover, move, events)) == words


def test_a_state_does_not_show_its_cards_in_print() -> None:
    assert repr(dealt().state) == str(dealt().state) == "<VagratLodratState, seat 0 to move>"
    assert repr(at(turn=1, over=True).state) == "<VagratLodratState, the game is over>"


@pytest.mark.parametrize("position", [dealt(), at(swapped=True, options=COOPERATIVE), at(over=True)])
def test_a_state_survives_json(position: Position) -> None:
    encoded = msgspec.json.encode(position.state)
    assert msgspec.json.decode(encoded, type=VagratLodratState) == position.state
