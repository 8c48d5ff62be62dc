"""Kungen, clause by clause."""

import re
from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import table
from games.rules.cards import FRENCH_DECK, Card
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
from games.rules.freecell import (
    CANNOT_BE_WON,
    Freecell,
    FreecellMove,
    FreecellMoved,
    FreecellOptions,
    FreecellState,
    FreecellView,
)
from games.table import Entry, Position, Setup

RULES = Freecell()
SETUP = Setup(RULES, FreecellOptions(), 1, FRENCH_DECK)
EMPTY: Mapping[str, str] = {}


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def at(
    *columns: str,
    cells: Mapping[str, str] = EMPTY,
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0),
    moves: int = 0,
) -> Position:
    """A position with columns written from the left, each with its free card last; the rest are empty."""
    state = FreecellState(
        columns=tuple(cards(column) for column in (*columns, *[""] * (8 - len(columns)))),
        cells=tuple(cells.get(cell) for cell in "abcd"),
        foundations=foundations,
        moves=moves,
    )
    return Position(SETUP, moves, state)


def move(source: str, target: str, count: object = None) -> dict[str, object]:
    given: dict[str, object] = {"type": "move", "from": source, "to": target}
    return given if count is None else {**given, "count": count}


def accepted(position: Position, given: object) -> object:
    """The canonical form, as the log keeps it."""
    return table.stored_move(table.judge(position, 0, read_move(RULES, given)))


def made(position: Position, given: object) -> FreecellState:
    """The state after a move."""
    canonical = table.judge(position, 0, read_move(RULES, given))
    state: FreecellState = table.advance(position, Entry(0, canonical)).after.state
    return state


def refused(position: Position, given: object) -> tuple[str, str, dict[str, object]]:
    """Code, explanation and facts."""
    before = position.state
    with pytest.raises(Refused) as caught:
        table.judge(position, 0, read_move(RULES, given))
    assert position.state == before
    return caught.value.code, caught.value.explanation, dict(caught.value.facts)


def words(position: Position) -> list[str]:
    return [RULES.notate(position.state, legal) for legal in RULES.legal_moves(position.state, 0)]


def fixed_deck(number: int) -> tuple[str, ...]:
    deck = RULES.fixed_deck(FreecellOptions(number))
    assert deck is not None
    return deck


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name) == ("freecell", "Kungen (FreeCell)")


def test_fc_01_the_deal_goes_to_eight_columns_from_left_to_right() -> None:
    state = RULES.deal(FreecellOptions(), 1, FRENCH_DECK)
    assert (
        state
        == at(
            "AC 3C 5C 7C 9C JC KC",
            "AD 3D 5D 7D 9D JD KD",
            "AH 3H 5H 7H 9H JH KH",
            "AS 3S 5S 7S 9S JS KS",
            "2C 4C 6C 8C TC QC",
            "2D 4D 6D 8D TD QD",
            "2H 4H 6H 8H TH QH",
            "2S 4S 6S 8S TS QS",
        ).state
    )


def test_fc_01_the_pack_is_the_french_deck() -> None:
    assert RULES.deck(FreecellOptions()) == FRENCH_DECK
    assert " ".join(FRENCH_DECK) == (
        "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S "
        "8C 8D 8H 8S 9C 9D 9H 9S TC TD TH TS JC JD JH JS QC QD QH QS KC KD KH KS"
    )


def test_fc_01_the_ace_is_low() -> None:
    assert accepted(at("AC", "2D"), move("1", "2")) == move("1", "2", 1)
    assert refused(at("KD", "AC"), move("1", "2", 1)) == (
        "FC-4",
        "KD does not fit on AC",
        {"card": "KD", "onto": "AC"},
    )


def test_fc_01_one_plays_alone() -> None:
    assert list(RULES.seats) == [1]
    with pytest.raises(ValueError, match="freecell is played by 1 to 1, not 2"):
        table.lay_out(msgspec.structs.replace(SETUP, seats=2))


def test_fc_02_cells_and_foundations_are_empty_at_the_deal() -> None:
    view = RULES.view(table.lay_out(SETUP).state, 0)
    assert view.cells == {"a": None, "b": None, "c": None, "d": None}
    assert view.foundations == {"C": None, "D": None, "H": None, "S": None}
    assert len(view.columns) == 8


def test_fc_02_a_view_shows_cells_and_the_top_of_each_foundation() -> None:
    position = at("KD QS", cells={"c": "JH"}, foundations=(1, 0, 13, 10), moves=40)
    assert RULES.view(position.state, 0) == FreecellView(
        columns=(("KD", "QS"), (), (), (), (), (), (), ()),
        cells={"a": None, "b": None, "c": "JH", "d": None},
        foundations={"C": "AC", "D": None, "H": "KH", "S": "TS"},
        moves=40,
    )


@pytest.mark.parametrize("cell", "abcd")
def test_fc_02_each_cell_takes_a_card_and_gives_it_back(cell: str) -> None:
    state = made(at("KD QS"), move("1", cell))
    assert state == at("KD", cells={cell: "QS"}, moves=1).state
    assert made(Position(SETUP, 1, state), move(cell, "8")) == at("KD", *[""] * 6, "QS", moves=2).state


@pytest.mark.parametrize("column", "12345678")
def test_fc_02_each_column_gives_a_card_and_takes_it_back(column: str) -> None:
    number = int(column) - 1
    columns = ["9C"] * number + ["KD QS"] + ["9C"] * (7 - number)
    state = made(at(*columns), move(column, "a"))
    columns[number] = "KD"
    assert state == at(*columns, cells={"a": "QS"}, moves=1).state
    columns[number] = "KD QS"
    assert made(Position(SETUP, 1, state), move("a", column)) == at(*columns, moves=2).state


@pytest.mark.parametrize(
    ("suit", "built"), [("C", (1, 0, 0, 0)), ("D", (0, 1, 0, 0)), ("H", (0, 0, 1, 0)), ("S", (0, 0, 0, 1))]
)
def test_fc_02_each_suit_has_its_foundation(suit: str, built: tuple[int, int, int, int]) -> None:
    assert made(at(f"KD A{suit}"), move("1", "h")) == at("KD", foundations=built, moves=1).state


@pytest.mark.parametrize("source", [*"12345678", *"abcd"])
def test_fc_03_a_source_without_a_card_is_refused(source: str) -> None:
    position = at("", "KD") if source == "1" else at("KD")
    assert refused(position, move(source, "h")) == (
        "FC-3",
        f"there is no card at {source}",
        {"source": source},
    )


@pytest.mark.parametrize("target", ["1", "8", "a", "h"])
@pytest.mark.parametrize("count", [None, 1, 2])
def test_fc_03_a_card_on_a_foundation_stays_there(target: str, count: int | None) -> None:
    position = at("3D", foundations=(2, 0, 0, 0))
    assert refused(position, move("h", target, count)) == ("FC-3", "a card on a foundation stays there", {})


def test_fc_03_an_empty_source_is_refused_before_a_target_that_is_the_same() -> None:
    assert refused(at("KD"), move("2", "2"))[0] == "FC-3"
    assert refused(at("KD"), move("a", "a", 2))[0] == "FC-3"


@pytest.mark.parametrize(
    ("given", "why", "path"),
    [
        ({"from": "1", "to": "a"}, "Object missing required field `type`", "$"),
        ({}, "Object missing required field `type`", "$"),
        ({"type": "move", "to": "a"}, "Object missing required field `from`", "$"),
        ({"type": "move", "from": "1"}, "Object missing required field `to`", "$"),
        ({"type": "move", "from": "1", "to": "a", "seat": 0}, "Object contains unknown field `seat`", "$"),
        ({"type": "move", "source": "1", "target": "a"}, "Object contains unknown field `source`", "$"),
        ({"type": "chance"}, "Invalid value 'chance'", "$.type"),
        ({"type": "play", "card": "QH"}, "Invalid value 'play'", "$.type"),
        ({"type": None, "from": "1", "to": "a"}, "Expected `str`, got `NoneType`", "$.type"),
        (move("9", "a"), "Invalid enum value '9'", "$.from"),
        (move("0", "a"), "Invalid enum value '0'", "$.from"),
        (move("e", "a"), "Invalid enum value 'e'", "$.from"),
        (move("A", "a"), "Invalid enum value 'A'", "$.from"),
        (move("1\n", "a"), "Invalid enum value '1\\n'", "$.from"),
        (move("1", "12"), "Invalid enum value '12'", "$.to"),
        (move("1", ""), "Invalid enum value ''", "$.to"),
        ({"type": "move", "from": 1, "to": "a"}, "Expected `str`, got `int`", "$.from"),
        ([], "Expected `object`, got `array`", "$"),
        (None, "Expected `object`, got `null`", "$"),
        ("1a", "Expected `object`, got `str`", "$"),
    ],
)
def test_fc_03_a_move_is_exactly_of_its_form(given: object, why: str, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert (caught.value.code, caught.value.explanation, caught.value.path) == ("FORM", why, path)


@pytest.mark.parametrize("place", ["1", "5", "8", "a", "c"])
@pytest.mark.parametrize("count", [None, 1, 2])
def test_fc_04_a_card_does_not_go_where_it_lies(place: str, count: int | None) -> None:
    columns = ["9C 8D"] * 8
    position = at(*columns, cells={"a": "2C", "c": "2D"})
    assert refused(position, move(place, place, count)) == (
        "FC-4",
        f"{place} is both where the card lies and where it is to go",
        {"source": place},
    )


def test_fc_04_to_a_foundation_goes_the_next_card_of_its_suit() -> None:
    position = at("5H", "5D", "6H", cells={"b": "AS"}, foundations=(0, 3, 4, 0))
    assert accepted(position, move("1", "h")) == move("1", "h", 1)
    assert accepted(position, move("b", "h")) == move("b", "h", 1)
    assert refused(position, move("2", "h")) == (
        "FC-4",
        "5D is not the next card of its suit",
        {"card": "5D"},
    )
    assert refused(position, move("3", "h", 1)) == (
        "FC-4",
        "6H is not the next card of its suit",
        {"card": "6H"},
    )


def test_fc_04_only_the_free_card_goes_to_a_foundation() -> None:
    assert refused(at("AH 9C"), move("1", "h")) == (
        "FC-4",
        "9C is not the next card of its suit",
        {"card": "9C"},
    )


def test_fc_04_a_free_cell_must_be_empty() -> None:
    position = at("9H", cells={"a": "2C", "d": "KS"})
    assert accepted(position, move("1", "b")) == move("1", "b", 1)
    assert refused(position, move("1", "d")) == (
        "FC-4",
        "free cell d holds KS",
        {"cell": "d", "held": "KS"},
    )
    assert refused(position, move("a", "d", 1))[:2] == ("FC-4", "free cell d holds KS")


@pytest.mark.parametrize("card", FRENCH_DECK)
def test_fc_04_to_an_empty_column_goes_any_card(card: str) -> None:
    assert accepted(at(card), move("1", "2")) == move("1", "2", 1)
    assert accepted(at("", "", cells={"a": card}), move("a", "2")) == move("a", "2", 1)


def test_fc_04_to_a_column_goes_a_card_one_lower_of_the_other_colour() -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
    for upper in FRENCH_DECK:
        for lower in FRENCH_DECK:
            position = at(lower, upper)
            one_lower = ranks.index(upper[0]) - ranks.index(lower[0]) == 1
            other_colour = (upper[1] in {"D", "H"}) is not (lower[1] in {"D", "H"})
            if one_lower and other_colour:
                assert accepted(position, move("1", "2", 1)) == move("1", "2", 1)
            else:
                assert refused(position, move("1", "2", 1)) == (
                    "FC-4",
                    f"{lower} does not fit on {upper}",
                    {"card": lower, "onto": upper},
                )


def test_fc_04_it_is_the_highest_of_several_that_must_fit() -> None:
    assert accepted(at("9H 8S 7D", "9D"), move("1", "2", 2)) == move("1", "2", 2)
    assert refused(at("9H 8S 7D", "TC"), move("1", "2", 2)) == (
        "FC-4",
        "8S does not fit on TC",
        {"card": "8S", "onto": "TC"},
    )


def crowded(empty_cells: int, empty_columns: int, onto: str) -> Position:
    """A run from the queen down in column 1, and `onto` in column 2; the empty columns are the last."""
    run = "QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH"
    full = ["2C", "2D", "4C", "4D", "6C", "6D"]
    return at(
        run,
        onto,
        *full[: 6 - empty_columns],
        cells=dict(zip("abcd"[empty_cells:], ["8C", "8D", "TC", "TD"], strict=False)),
    )


@pytest.mark.parametrize(
    ("empty_cells", "empty_columns", "most"),
    [
        (0, 0, 1),
        (1, 0, 2),
        (2, 0, 3),
        (3, 0, 4),
        (4, 0, 5),
        (0, 1, 2),
        (1, 1, 4),
        (2, 1, 6),
        (4, 1, 10),
        (0, 2, 4),
        (0, 3, 8),
        (2, 2, 12),
    ],
)
def test_fc_05_no_more_than_could_be_moved_one_at_a_time(
    empty_cells: int, empty_columns: int, most: int
) -> None:
    ranks = cards("AH 2S 3H 4S 5H 6S 7H 8S 9H TS JH QS KD")
    fits = {"S": "D", "H": "C"}
    position = crowded(empty_cells, empty_columns, ranks[most][0] + fits[ranks[most - 1][1]])
    assert accepted(position, move("1", "2")) == move("1", "2", most)
    if most == 12:
        return
    too_far = crowded(empty_cells, empty_columns, ranks[most + 1][0] + fits[ranks[most][1]])
    assert refused(too_far, move("1", "2")) == (
        "FC-5",
        f"no more than {most} cards could be moved one at a time",
        {"most": most, "count": most + 1},
    )


@pytest.mark.parametrize(
    ("empty_cells", "empty_columns", "most"),
    [(0, 1, 1), (1, 1, 2), (4, 1, 5), (0, 2, 2), (1, 2, 4), (2, 3, 12), (0, 3, 4)],
)
def test_fc_05_an_empty_column_as_target_does_not_count(
    empty_cells: int, empty_columns: int, most: int
) -> None:
    position = crowded(empty_cells, empty_columns, "QC")
    target = str(9 - empty_columns)
    assert accepted(position, move("1", target, most)) == move("1", target, most)
    assert [word for word in words(position) if word.startswith("1" + target)] == [
        f"1{target}",
        *(f"1{target}v{count:x}" for count in range(2, most + 1)),
    ]
    if most < 12:
        assert refused(position, move("1", target, most + 1)) == (
            "FC-5",
            f"no more than {most} cards could be moved one at a time",
            {"most": most, "count": most + 1},
        )


@pytest.mark.parametrize(
    ("column", "run"),
    [
        ("KD QC", 2),
        ("KD QD", 1),
        ("KD QH", 1),
        ("KD JC", 1),
        ("QC KD", 1),
        ("KD QC JC", 1),
        ("5H KD QC JD", 3),
        ("5H 5C", 1),
    ],
)
def test_fc_05_several_cards_must_form_a_run(column: str, run: int) -> None:
    position = at(column)
    assert accepted(position, move("1", "2", run)) == move("1", "2", run)
    assert refused(position, move("1", "2", run + 1)) == (
        "FC-5",
        f"the run at the end of column 1 is {run} long, not {run + 1}",
        {"run": run, "source": "1", "count": run + 1},
    )


def test_fc_05_no_more_cards_than_lie_there() -> None:
    assert refused(at("KD"), move("1", "2", 52))[2] == {"run": 1, "source": "1", "count": 52}


@pytest.mark.parametrize(
    ("source", "target"), [("1", "a"), ("1", "h"), ("a", "2"), ("a", "3"), ("a", "b"), ("a", "h")]
)
def test_fc_05_several_cards_go_only_between_columns(source: str, target: str) -> None:
    position = at("3H 2C AD", "9C", cells={"a": "AC"})
    assert refused(position, move(source, target, 2)) == (
        "FC-5",
        "2 cards may be moved at once only between columns",
        {"count": 2},
    )


def test_fc_05_is_looked_at_before_fc_04_where_the_count_is_given() -> None:
    assert refused(at("9H 8S 7D", "2C", cells={"a": "2D"}), move("1", "a", 2))[0] == "FC-5"
    assert refused(at("9H 8S 7C", "2C"), move("1", "2", 2))[0] == "FC-5"
    assert refused(at("9H 8S 7D", "2C"), move("1", "2", 2))[0] == "FC-4"


def test_fc_05_the_cards_keep_their_order() -> None:
    assert made(at("KC 9H 8S 7D", "TC"), move("1", "2", 3)) == at("KC", "TC 9H 8S 7D", moves=1).state


def test_fc_06_on_cards_the_count_is_the_difference_of_ranks() -> None:
    position = at("9H 8S 7D 6C", "TC", "7H", "9D")
    assert accepted(position, move("1", "2")) == move("1", "2", 4)
    assert accepted(position, move("1", "3")) == move("1", "3", 1)
    assert accepted(position, move("1", "4")) == move("1", "4", 3)


def test_fc_06_from_a_free_cell_the_count_is_one() -> None:
    position = at("TC", "8C", cells={"a": "9H"})
    assert accepted(position, move("a", "1")) == move("a", "1", 1)
    assert refused(position, move("a", "2")) == (
        "FC-4",
        "no card of a fits on 8C",
        {"source": "a", "card": "8C"},
    )


def test_fc_06_from_a_free_cell_two_ranks_too_low_is_refused_by_fc_04() -> None:
    assert refused(at("JC", cells={"a": "9H"}), move("a", "1"))[:2] == ("FC-4", "no card of a fits on JC")


@pytest.mark.parametrize(
    ("source", "target"),
    [("9H", "9S"), ("9H", "8S"), ("KD", "AC"), ("9H 8S 7D", "JC"), ("9H 8S 7D", "7C")],
)
def test_fc_06_a_difference_that_is_no_count_is_refused_by_fc_04(source: str, target: str) -> None:
    assert refused(at(source, target), move("1", "2")) == (
        "FC-4",
        f"no card of 1 fits on {target}",
        {"source": "1", "card": target},
    )


def test_fc_06_a_difference_within_the_length_goes_on_to_fc_05_and_fc_04() -> None:
    assert refused(at("9H 2C 7D", "TC"), move("1", "2"))[:2] == (
        "FC-5",
        "the run at the end of column 1 is 1 long, not 3",
    )
    assert refused(at("9H 8S 7D", "TH"), move("1", "2"))[:2] == ("FC-4", "9H does not fit on TH")


@pytest.mark.parametrize("target", ["2", "a", "h"])
def test_fc_06_elsewhere_the_count_is_one(target: str) -> None:
    assert accepted(at("3H 2C AD"), move("1", target)) == move("1", target, 1)


def test_fc_06_the_canonical_form_always_has_the_count() -> None:
    position = at("9H 8S 7D", "TC")
    legal = list(RULES.legal_moves(position.state, 0))
    assert legal == [RULES.canonical(position.state, 0, legal_move) for legal_move in legal]
    assert {"type": "move", "from": "1", "to": "2", "count": 3} in map(table.stored_move, legal)
    assert {"type": "move", "from": "2", "to": "a", "count": 1} in map(table.stored_move, legal)
    assert accepted(position, move("1", "2", 3)) == accepted(position, move("1", "2"))


@pytest.mark.parametrize(
    ("count", "why"),
    [
        (0, "Expected `int` >= 1"),
        (-1, "Expected `int` >= 1"),
        (53, "Expected `int` <= 52"),
        (10**30, "Expected `int` <= 52"),
        ("2", "Expected `int`, got `str`"),
        (1.5, "Expected `int`, got `float`"),
        (True, "Expected `int`, got `bool`"),
        ([1], "Expected `int`, got `array`"),
    ],
)
def test_fc_06_a_count_is_a_number_of_cards(count: object, why: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, move("1", "2", count))
    assert (caught.value.code, caught.value.explanation, caught.value.path) == ("FORM", why, "$.count")


def test_fc_06_a_count_of_null_is_not_a_count_left_out() -> None:
    with pytest.raises(WrongForm, match="Expected `int`, got `null`"):
        read_move(RULES, {"type": "move", "from": "1", "to": "2", "count": None})


def test_fc_06_a_count_may_be_written_as_an_integral_float() -> None:
    assert read_move(RULES, move("1", "2", 2.0)) == FreecellMove("1", "2", 2)


@pytest.mark.parametrize("count", [1, 52])
def test_fc_06_the_least_and_the_largest_count_are_of_the_form(count: int) -> None:
    assert read_move(RULES, move("1", "2", count)) == FreecellMove("1", "2", count)


def test_fc_07_won_when_all_cards_are_on_the_foundations() -> None:
    position = at("KS", foundations=(13, 13, 13, 12), moves=90)
    assert RULES.outcome(position.state) is None
    state = made(position, move("1", "h"))
    assert RULES.to_act(state) == ()
    assert RULES.outcome(state) == Outcome((1,), ("win",), (52,))


def test_fc_07_the_win_is_looked_at_before_the_number_of_moves() -> None:
    state = made(at("KS", foundations=(13, 13, 13, 12), moves=1999), move("1", "h"))
    assert state.moves == 2000
    assert RULES.outcome(state) == Outcome((1,), ("win",), (52,))


def test_fc_07_lost_after_two_thousand_moves() -> None:
    position = at("KS QS", foundations=(13, 13, 13, 11), moves=1998)
    state = made(position, move("1", "a"))
    assert (state.moves, RULES.to_act(state), RULES.outcome(state)) == (1999, (0,), None)
    state = made(Position(SETUP, 1999, state), move("a", "b"))
    assert (state.moves, RULES.to_act(state)) == (2000, ())
    assert RULES.outcome(state) == Outcome((1,), ("loss",), (50,))
    assert list(RULES.legal_moves(state, 0)) == []


def test_fc_07_lost_when_no_legal_move_is_left() -> None:
    columns = ["KD", "KH", "KC", "KS", "TD", "TH", "TC"]
    cells = {"b": "4D", "c": "4H", "d": "4C"}
    position = at(*columns, "8S 6S", cells=cells, foundations=(1, 0, 2, 0))
    assert words(position) == ["1a", "2a", "3a", "4a", "5a", "6a", "7a", "8a", "ba", "ca", "da"]
    state = made(position, move("8", "a"))
    assert state == at(*columns, "8S", cells={"a": "6S", **cells}, foundations=(1, 0, 2, 0), moves=1).state
    assert RULES.to_act(state) == ()
    assert RULES.outcome(state) == Outcome((1,), ("loss",), (3,))


@pytest.mark.parametrize(
    ("seventh", "eighth", "first_cell", "left"),
    [
        ("TC", "8S", "6S", []),
        ("TC", "AD", "6S", ["8h"]),
        ("TC", "8S", "3H", ["ah"]),
        ("TC", "8S", "7H", ["a8"]),
        ("9H", "8S", "6S", ["87"]),
        ("9H", "JH TC 8S", "6S", ["87"]),
        ("TC", "", "6S", ["18", "28", "38", "48", "58", "68", "78", "a8", "b8", "c8", "d8"]),
    ],
)
def test_fc_07_one_move_is_enough_to_go_on(
    seventh: str, eighth: str, first_cell: str, left: list[str]
) -> None:
    cells = {"a": first_cell, "b": "4D", "c": "4H", "d": "4C"}
    position = at("KD", "KH", "KC", "KS", "TD", "TH", seventh, eighth, cells=cells, foundations=(1, 0, 2, 0))
    assert words(position) == left
    assert position.to_act == ((0,) if left else ())


def test_fc_07_a_move_of_several_cards_is_one_move() -> None:
    assert made(at("9H 8S 7D", "TC", moves=7), move("1", "2")).moves == 8


def test_fc_07_nothing_is_moved_automatically() -> None:
    state = made(at("2C AC", foundations=(0, 0, 0, 0)), move("1", "h"))
    assert state == at("2C", foundations=(1, 0, 0, 0), moves=1).state
    assert RULES.apply(at("KD").state, 0, FreecellMove("1", "a", 1))[1] == (FreecellMoved(("KD",)),)
    assert RULES.apply(at("KD QS JH", "KS").state, 0, FreecellMove("1", "2", 2))[1] == (
        FreecellMoved(("QS", "JH")),
    )


def test_fc_07_a_card_may_go_from_cell_to_cell() -> None:
    assert made(at("KD", cells={"a": "2C"}), move("a", "d")) == at("KD", cells={"d": "2C"}, moves=1).state


def test_fc_07_nothing_is_accepted_after_the_end() -> None:
    position = at("KS", moves=2000)
    with pytest.raises(GameOver) as over:
        table.judge(position, 0, FreecellMove("1", "a"))
    assert (over.value.code, over.value.explanation) == ("OVER", "the game is over")


def test_fc_07_nobody_else_may_act() -> None:
    with pytest.raises(NotYourTurn) as turn:
        table.judge(at("KS"), 1, FreecellMove("1", "a"))
    assert (turn.value.code, turn.value.explanation) == ("TURN", "seat 1 may not act now")
    assert turn.value.facts == {"seat": 1, "to_act": [0]}


@pytest.mark.parametrize(
    ("foundations", "score"), [((0, 0, 0, 0), 0), ((1, 2, 3, 4), 10), ((12, 13, 13, 13), 51)]
)
def test_fc_08_the_score_is_the_number_of_cards_on_the_foundations(
    foundations: tuple[int, int, int, int], score: int
) -> None:
    outcome = RULES.outcome(at("KC", foundations=foundations, moves=2000).state)
    assert outcome == Outcome((1,), ("loss",), (score,))


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("1h", move("1", "h")),
        ("a2", move("a", "2")),
        ("26", move("2", "6")),
        ("da", move("d", "a")),
        ("26v3", move("2", "6", 3)),
        ("12vd", move("1", "2", 13)),
        ("12v1", move("1", "2", 1)),
        ("12v34", move("1", "2", 52)),
        ("h1", move("h", "1")),
        ("11", move("1", "1")),
    ],
)
def test_fc_09_a_word_is_read(word: str, given: object) -> None:
    assert RULES.parse(word) == read_move(RULES, given)


@pytest.mark.parametrize(
    "word",
    ["", "1", "h", "01", "19", "1e", "1H", "A2", "123", "1 h", " 1h", "v", "v3", "1v3", "1hV3", "1h\n"],
)
def test_fc_09_a_word_that_is_no_move_is_refused(word: str) -> None:
    with pytest.raises(WrongForm) as caught:
        RULES.parse(word)
    assert caught.value.explanation == f"{word!r} is not a move in standard notation (FC-9)"


@pytest.mark.parametrize("number", ["", "0", "35", "D", "0x3", "-1", "+3", "3 ", "1_0", "g", "v3", "3v", "٣"])
def test_fc_09_a_count_that_is_none_is_refused(number: str) -> None:
    with pytest.raises(WrongForm) as caught:
        RULES.parse(f"26v{number}")
    assert caught.value.explanation == f"{number!r} is not a count in hexadecimal (FC-9)"


@settings(deadline=None)
@given(
    st.text(max_size=6)
    | st.text("12345678abcdhv0f{", max_size=6)
    | st.from_regex(RULES.notation_word, fullmatch=True)
)
def test_fc_09_any_word_is_read_or_refused(word: str) -> None:
    try:
        parsed = RULES.parse(word)
    except WrongForm:
        parsed = None
    assert (parsed is not None) == (re.fullmatch(RULES.notation_word, word) is not None)
    assert parsed is None or word.startswith(parsed.source + parsed.target)


def test_fc_09_the_default_count_is_not_written() -> None:
    position = at("9H 8S 7D 6C", "TC", "", cells={"a": "2H"})
    assert [RULES.notate(position.state, FreecellMove("1", target, 1)) for target in ("3", "a", "h")] == [
        "13",
        "1a",
        "1h",
    ]
    assert RULES.notate(position.state, FreecellMove("1", "2", 4)) == "12"
    assert RULES.notate(position.state, FreecellMove("a", "3", 1)) == "a3"


def test_fc_09_another_count_is_written_in_hexadecimal() -> None:
    position = crowded(2, 3, "QC")
    assert RULES.notate(position.state, FreecellMove("1", "6", 3)) == "16v3"
    assert RULES.notate(position.state, FreecellMove("1", "6", 12)) == "16vc"
    king = at("KD QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH")
    assert RULES.notate(king.state, FreecellMove("1", "2", 13)) == "12vd"


def test_fc_09_words_are_played() -> None:
    position = table.lay_out(Setup(RULES, FreecellOptions(1), 1, fixed_deck(1)))
    for word in ["5a", "5b", "5c", "5d", "5h", "b2"]:
        canonical = table.judge(position, 0, RULES.parse(word))
        position = table.advance(position, Entry(0, canonical)).after
    assert RULES.view(position.state, None) == FreecellView(
        columns=(
            cards("JD KD 2S 4C 3S 6D 6S"),
            cards("2D KC KS 5C TD 8S 9C 8H"),
            cards("9H 9S 9D TS 4S 8D 2H"),
            cards("JC 5S QD QH TH QS 6H"),
            ("5D",),
            cards("7H QC AS AC 2C 3D"),
            cards("7C KH AH 4D JH 8C"),
            cards("5H 3H 3C 7S 7D TC"),
        ),
        cells={"a": "6C", "b": None, "c": "4H", "d": "JS"},
        foundations={"C": None, "D": "AD", "H": None, "S": None},
        moves=6,
    )


def test_fc_10_deal_1_begins_as_everywhere() -> None:
    assert fixed_deck(1)[:8] == ("JD", "2D", "9H", "JC", "5D", "7H", "7C", "5H")


def test_fc_10_deal_617_begins_as_everywhere() -> None:
    assert fixed_deck(617)[:16] == cards("7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH")


@pytest.mark.parametrize("number", [1, 2, 11982, 32000, 1_000_000])
def test_fc_10_a_deal_is_a_permutation_of_the_pack(number: int) -> None:
    assert sorted(fixed_deck(number)) == sorted(FRENCH_DECK)


def test_fc_10_every_card_is_drawn_by_the_generator() -> None:
    state, left, deck = 32001, list(FRENCH_DECK), []
    for remaining in range(52, 0, -1):
        state = (state * 214013 + 2531011) & 0x7FFFFFFF
        index = (state // 65536) % remaining
        left[index], left[remaining - 1] = left[remaining - 1], left[index]
        deck.append(left.pop())
    assert fixed_deck(32001) == tuple(deck)


def test_fc_10_without_a_deal_the_deck_is_shuffled() -> None:
    assert RULES.fixed_deck(FreecellOptions()) is None
    assert read_options(RULES, {}) == read_options(RULES, {"deal": None}) == FreecellOptions(None)


@pytest.mark.parametrize("number", [1, 1_000_000])
def test_fc_10_the_first_and_the_last_deal(number: int) -> None:
    assert read_options(RULES, {"deal": number}) == FreecellOptions(number)


@pytest.mark.parametrize(
    ("options", "why", "path"),
    [
        ({"deal": 0}, "Expected `int` >= 1", "$.deal"),
        ({"deal": 1_000_001}, "Expected `int` <= 1000000", "$.deal"),
        ({"deal": "1"}, "Expected `int | null`, got `str`", "$.deal"),
        ({"deal": 1.5}, "Expected `int | null`, got `float`", "$.deal"),
        ({"deal": True}, "Expected `int | null`, got `bool`", "$.deal"),
        ({"number": 1}, "Object contains unknown field `number`", "$"),
        ([], "Expected `object`, got `array`", "$"),
    ],
)
def test_fc_10_other_options_are_refused(options: object, why: str, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_options(RULES, options)
    assert (caught.value.explanation, caught.value.path) == (why, path)


def test_fc_10_a_deal_fixes_the_deck_order() -> None:
    with pytest.raises(ValueError, match="the deck order is not the one that the options fix"):
        table.lay_out(Setup(RULES, FreecellOptions(2), 1, fixed_deck(1)))


@pytest.mark.parametrize("number", [11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948])
def test_fc_10_a_deal_that_cannot_be_won_is_made_with_a_warning(number: int) -> None:
    options = read_options(RULES, {"deal": number})
    ((clause, warning),) = RULES.warnings(options)
    assert (clause, warning.said()) == ("FC-10", f"Microsoft deal {number} cannot be won.")
    assert table.lay_out(Setup(RULES, options, 1, fixed_deck(number))).to_act == (0,)


def test_fc_10_there_are_eight_of_these() -> None:
    warned = [number for number in range(1, 1_000_001) if number in CANNOT_BE_WON]
    assert len(warned) == len(CANNOT_BE_WON) == 8
    assert RULES.warnings(FreecellOptions()) == RULES.warnings(FreecellOptions(1)) == ()


def test_nothing_is_hidden() -> None:
    position = at("KD QS", cells={"c": "JH"})
    assert (
        RULES.view(position.state, 0) == RULES.view(position.state, None) == RULES.open_view(position.state)
    )
    assert not any(
        RULES.may_reveal(position.state, 0, legal) for legal in RULES.legal_moves(position.state, 0)
    )


def test_legal_moves_go_by_source_and_by_kind_of_target() -> None:
    position = at(
        "KC 9H 8S", "TC", "", "AD", "7D 6C", "JH", "JD", "JS", cells={"a": "9D", "c": "2H", "d": "2S"}
    )
    legal = words(position)
    assert sorted(legal) == [
        "12", "13", "13v2", "1b",
        "23", "26", "27", "2b",
        "43", "4b", "4h",
        "51", "53", "53v2", "5b",
        "63", "6b", "73", "7b", "83", "8b",
        "a2", "a3", "ab", "c3", "cb", "d3", "db",
    ]  # fmt: skip
    assert [word[0] for word in legal] == sorted(word[0] for word in legal)
    for source in "12456789abcd":
        targets = ["column" if word[1] in "12345678" else word[1] for word in legal if word[0] == source]
        assert targets == sorted(targets, key=["column", "a", "b", "c", "d", "h"].index)


@pytest.mark.parametrize(
    ("given", "words_for_it"),
    [
        (FreecellMove("1", "a", 1), "a card from column 1 to free cell a"),
        (FreecellMove("d", "8"), "a card from free cell d to column 8"),
        (FreecellMove("2", "h", 1), "a card from column 2 to its foundation"),
        (FreecellMove("2", "6", 3), "3 cards from column 2 to column 6"),
    ],
)
def test_a_move_that_was_stored_without_an_event_has_words(given: FreecellMove, words_for_it: str) -> None:
    assert said(RULES.describe(0, given, ())) == words_for_it


@pytest.mark.parametrize(
    ("given", "cards", "words_for_it"),
    [
        (FreecellMove("1", "a", 1), ("7S",), "7S from column 1 to free cell a"),
        (FreecellMove("d", "8", 1), ("7S",), "7S from free cell d to column 8"),
        (FreecellMove("d", "a", 1), ("7S",), "7S from free cell d to free cell a"),
        (FreecellMove("2", "h", 1), ("7S",), "7S from column 2 to its foundation"),
        (FreecellMove("d", "h", 1), ("7S",), "7S from free cell d to its foundation"),
        (FreecellMove("2", "6", 3), ("9D", "8C", "7D"), "9D 8C 7D from column 2 to column 6"),
    ],
)
def test_a_move_has_words_that_name_the_cards(
    given: FreecellMove, cards: tuple[Card, ...], words_for_it: str
) -> None:
    assert said(RULES.describe(0, given, (FreecellMoved(cards),))) == words_for_it


def test_a_move_with_its_count_left_out_cannot_be_applied() -> None:
    with pytest.raises(AssertionError, match="only moves in canonical form are applied"):
        RULES.apply(at("KD").state, 0, FreecellMove("1", "a"))
