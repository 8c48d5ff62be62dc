"""Pyramidvändtia, clause by clause."""

from collections import Counter
from random import Random
from typing import Literal

import msgspec
import pytest

from games import table
from games.rules.cards import FRENCH_DECK
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
from games.rules.vandtia_pyramid import (
    VandtiaPyramid,
    VandtiaPyramidCards,
    VandtiaPyramidChance,
    VandtiaPyramidDealt,
    VandtiaPyramidDrew,
    VandtiaPyramidEvent,
    VandtiaPyramidExchange,
    VandtiaPyramidFlip,
    VandtiaPyramidMove,
    VandtiaPyramidOptions,
    VandtiaPyramidOut,
    VandtiaPyramidPlace,
    VandtiaPyramidPlay,
    VandtiaPyramidReady,
    VandtiaPyramidStarts,
    VandtiaPyramidState,
    VandtiaPyramidTake,
    VandtiaPyramidTook,
    VandtiaPyramidTookUp,
    VandtiaPyramidTurned,
    VandtiaPyramidTurnedAway,
    VandtiaPyramidView,
)
from games.table import Entry, Position, Setup

RULES = VandtiaPyramid()
READY, CHANCE, TAKE = {"type": "ready"}, {"type": "chance"}, {"type": "take"}
EMPTY = "- / - - / - - - / - - - -"
FULL = "4H / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S"


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def pyramid(written: str) -> tuple[str | None, ...]:
    """Rows from the top, parted by slashes; a dash where no card lies."""
    places = written.replace("/", " ").split()
    assert len(places) == 10
    return tuple(None if place == "-" else place for place in places)


def at(
    *hands: str,
    pyramids: tuple[str, ...] = (),
    stock: str = "",
    pile: str = "",
    away: str = "",
    turn: int = 0,
    moves: int = 1,
    out: tuple[int, ...] = (),
    phase: Literal["first_exchange", "second_exchange", "play"] = "play",
    exchanging: tuple[int, ...] = (),
    exchanges: tuple[int, ...] = (),
) -> Position:
    """A position with a hand for each seat, and full pyramids unless others are given; the pile is written bottom
    first, the stock top first."""
    state = VandtiaPyramidState(
        phase=phase,
        hands=tuple(cards(hand) for hand in hands),
        pyramids=tuple(pyramid(written) for written in pyramids or (FULL,) * len(hands)),
        stock=cards(stock),
        pile=cards(pile),
        away=cards(away),
        exchanging=exchanging,
        exchanges=exchanges or (0,) * len(hands),
        turn=turn,
        moves=moves,
        out=out,
    )
    return Position(Setup(RULES, VandtiaPyramidOptions(), len(hands), FRENCH_DECK), 0, state)


def first_exchange(*hands: str, exchanges: tuple[int, ...] = (), stock: str = "") -> Position:
    return at(
        *hands,
        pyramids=("- / - - / 6C 7C 8C / 9C 9D 9H 9S",) * len(hands),
        phase="first_exchange",
        exchanging=tuple(range(len(hands))),
        exchanges=exchanges,
        stock=stock,
    )


def second_exchange(*hands: str, exchanging: tuple[int, ...] = (0, 1)) -> Position:
    return at(*hands, phase="second_exchange", exchanging=exchanging, moves=0)


def play(written: str) -> dict[str, object]:
    return {"type": "play", "cards": written.split()}


def exchange(hand: str, row: int, place: int) -> dict[str, object]:
    return {"type": "exchange", "hand": hand, "table": [row, place]}


def flip(row: int, place: int) -> dict[str, object]:
    return {"type": "flip", "at": [row, place]}


def advanced(
    position: Position, given: object, seat: int | None = None
) -> tuple[Position, tuple[VandtiaPyramidEvent, ...]]:
    """The position after a move of a seat, or the one that may act, and its events."""
    mover = position.to_act[0] if seat is None else seat
    step = table.advance(position, Entry(mover, table.judge(position, mover, read_move(RULES, given))))
    return step.after, step.events


def made(
    position: Position, given: object, seat: int | None = None
) -> tuple[VandtiaPyramidState, tuple[VandtiaPyramidEvent, ...]]:
    after, events = advanced(position, given, seat)
    return after.state, events


def refused(position: Position, given: object, seat: int | None = None) -> tuple[str, str, dict[str, object]]:
    """Code, explanation and facts."""
    before = msgspec.json.encode(position.state)
    with pytest.raises(Refused) as caught:
        table.judge(position, position.to_act[0] if seat is None else seat, read_move(RULES, given))
    assert msgspec.json.encode(position.state) == before
    return caught.value.code, caught.value.explanation, dict(caught.value.facts)


def legal(position: Position, seat: int | None = None) -> list[VandtiaPyramidMove]:
    return list(RULES.legal_moves(position.state, position.to_act[0] if seat is None else seat))


def plays(position: Position) -> list[str]:
    """The cards of each legal play."""
    return [" ".join(move.cards) for move in legal(position) if isinstance(move, VandtiaPyramidPlay)]


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name, RULES.version) == ("vandtia-pyramid", "Pyramidvändtia", 1)


def test_vp_01_the_pack_is_the_french_deck() -> None:
    assert RULES.deck(VandtiaPyramidOptions()) == FRENCH_DECK


def test_vp_01_there_are_no_options() -> None:
    assert read_options(RULES, {}) == VandtiaPyramidOptions()
    assert RULES.fixed_deck(VandtiaPyramidOptions()) is None
    with pytest.raises(WrongForm, match="Object contains unknown field `deal`"):
        read_options(RULES, {"deal": 1})


def test_vp_01_twos_are_lowest_and_aces_highest() -> None:
    assert plays(at("AC", "3C", pile="KS")) == ["AC"]
    assert plays(at("KC", "3C", pile="AS")) == []
    assert plays(at("3C", "4C", pile="2S")) == ["3C"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_vp_02_nine_cards_to_each_seat(seats: int) -> None:
    state = RULES.deal(VandtiaPyramidOptions(), seats, FRENCH_DECK)
    assert state.pyramids[:2] == (
        pyramid("- / - - / 2C 2D 2H / AC AD AH AS"),
        pyramid("- / - - / 4D 4H 4S / 3D 3H 3S 4C"),
    )
    assert state.hands[:2] == (("2S", "3C"), ("5C", "5D"))
    assert len(state.hands) == len(state.pyramids) == seats
    assert state.stock == FRENCH_DECK[9 * seats :]
    assert (state.pile, state.away, state.out, state.moves) == ((), (), (), 0)
    assert RULES.to_act(state) == tuple(range(seats))


def test_vp_02_a_hand_is_kept_in_order_of_rank_and_suit() -> None:
    deck = cards("3C 4C 5C 6C 7C 8C 9C AC KC") + cards("3D 4D 5D 6D 7D 8D 9D 2H 2D")
    assert RULES.deal(VandtiaPyramidOptions(), 2, deck).hands == (("KC", "AC"), ("2D", "2H"))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_vp_02_two_to_four_play(seats: int) -> None:
    assert list(RULES.seats) == [2, 3, 4]
    with pytest.raises(ValueError, match=f"vandtia-pyramid is played by 2 to 4, not {seats}"):
        table.lay_out(Setup(RULES, VandtiaPyramidOptions(), seats, FRENCH_DECK))


def test_vp_03_a_hand_card_and_an_open_card_change_places() -> None:
    after, events = made(first_exchange("3C KD", "3D KS"), exchange("KD", 2, 1), seat=0)
    assert after.hands == (("3C", "7C"), ("3D", "KS"))
    assert after.pyramids[0] == pyramid("- / - - / 6C KD 8C / 9C 9D 9H 9S")
    assert (after.exchanging, after.exchanges, after.phase) == ((0, 1), (1, 0), "first_exchange")
    assert events == (VandtiaPyramidTookUp("7C"),)


def test_vp_03_all_seats_exchange_at_once_in_any_order() -> None:
    position = first_exchange("3C KD", "3D KS", "3H QS")
    assert position.to_act == (0, 1, 2)
    for seat, card in [(2, "QS"), (0, "KD"), (2, "3H"), (1, "KS")]:
        position, _ = advanced(position, exchange(card, 2, 0), seat)
        assert position.to_act == (0, 1, 2)
    assert position.state.exchanges == (1, 1, 2)
    assert position.state.hands == (("3C", "6C"), ("3D", "6C"), ("6C", "QS"))


def test_vp_03_legal_are_all_swaps_and_ready() -> None:
    assert legal(first_exchange("3C KD", "3D KS"), 1) == [
        VandtiaPyramidExchange(card, (2, place)) for card in ("3D", "KS") for place in (0, 1, 2)
    ] + [VandtiaPyramidReady()]


def test_vp_03_at_most_ten_exchanges_a_seat() -> None:
    position = first_exchange("3C KD", "3D KS", exchanges=(9, 3))
    assert len(legal(position, 0)) == 7
    position, _ = advanced(position, exchange("KD", 2, 1), 0)
    assert position.state.exchanges == (10, 3)
    assert legal(position, 0) == [VandtiaPyramidReady()]
    assert refused(position, exchange("3C", 2, 1), 0) == ("VP-3", "you have made ten exchanges", {})
    assert len(legal(position, 1)) == 7


def test_vp_03_ready_ends_it_for_the_seat() -> None:
    position, events = advanced(first_exchange("3C KD", "3D KS"), READY, 0)
    assert (position.to_act, events) == ((1,), ())
    assert legal(position, 0) == []
    assert len(legal(position, 1)) == 7


def test_vp_03_a_seat_says_that_it_is_done_by_ready() -> None:
    position = first_exchange("3C KD", "3D KS", exchanges=(10, 0))
    assert [RULES.ready(position.state, seat) for seat in (0, 1)] == [VandtiaPyramidReady()] * 2
    position, _ = advanced(position, READY, 0)
    assert RULES.ready(position.state, 1) == VandtiaPyramidReady()


@pytest.mark.parametrize("given", [READY, exchange("KD", 2, 1), TAKE])
def test_vp_03_a_seat_already_ready_is_refused(given: object) -> None:
    position, _ = advanced(first_exchange("3C KD", "3D KS"), READY, 0)
    with pytest.raises(IllegalMove) as caught:
        table.judge(position, 0, read_move(RULES, given))
    assert (caught.value.code, caught.value.explanation) == ("VP-3", "you have ended your exchange")
    assert table.judge(position, 1, VandtiaPyramidReady()) == VandtiaPyramidReady()


@pytest.mark.parametrize(("row", "place"), [(0, 0), (1, 0), (1, 1), (3, 0), (3, 3), (2, 3), (0, 1), (1, 3)])
def test_vp_03_a_wrong_place_is_refused(row: int, place: int) -> None:
    assert refused(first_exchange("3C KD", "3D KS"), exchange("KD", row, place), 0) == (
        "VP-3",
        f"there is no open card on [{row},{place}]",
        {"at": f"[{row},{place}]"},
    )


def test_vp_03_a_card_not_in_the_hand_is_refused() -> None:
    position = first_exchange("3C KD", "3D KS", stock="AS")
    for card in ("KS", "7C", "9C", "AS", "2H"):
        assert refused(position, exchange(card, 2, 1), 0) == (
            "VP-3",
            f"{card} is not in your hand",
            {"card": card},
        )


@pytest.mark.parametrize("given", [play("KD"), play("KD 3C"), play("7C"), CHANCE, TAKE, flip(3, 0)])
def test_vp_03_nothing_is_played_during_the_exchange(given: object) -> None:
    assert refused(first_exchange("3C KD", "3D KS"), given, 0)[:2] == (
        "VP-3",
        "nothing is played before all have exchanged",
    )


def test_vp_04_a_card_takes_the_place_of_an_equal_one() -> None:
    after, _ = made(first_exchange("3C 7D", "3D KS"), exchange("7D", 2, 1), 0)
    assert after.hands[0] == ("3C", "7C")
    assert after.pyramids[0] == pyramid("- / - - / 6C 7D 8C / 9C 9D 9H 9S")


def test_vp_05_when_all_are_ready_four_more_cards_are_dealt() -> None:
    position = first_exchange("3C KD", "3D KS", exchanges=(4, 0), stock="JC JD JH JS QC QD QH 4S TC TD")
    position, _ = advanced(position, READY, 1)
    after, events = made(position, READY, 0)
    assert after.pyramids == (
        pyramid("JH / JC JD / 6C 7C 8C / 9C 9D 9H 9S"),
        pyramid("QH / QC QD / 6C 7C 8C / 9C 9D 9H 9S"),
    )
    assert after.hands == (("3C", "JS", "KD"), ("3D", "4S", "KS"))
    assert after.stock == ("TC", "TD")
    assert (after.phase, RULES.to_act(after)) == ("second_exchange", (0, 1))
    assert events == (VandtiaPyramidDealt(0, "JH", "JS"), VandtiaPyramidDealt(1, "QH", "4S"))


@pytest.mark.parametrize(("seats", "stock"), [(2, 26), (3, 13), (4, 0)])
def test_vp_05_the_rest_is_the_stock(seats: int, stock: int) -> None:
    position = table.lay_out(Setup(RULES, VandtiaPyramidOptions(), seats, FRENCH_DECK))
    for seat in range(seats):
        position, _ = advanced(position, READY, seat)
    assert position.state.stock == FRENCH_DECK[52 - stock :]
    assert [len(hand) for hand in position.state.hands] == [3] * seats
    assert all(all(places) for places in position.state.pyramids)


def test_vp_06_the_top_card_is_swapped_once() -> None:
    position, events = advanced(second_exchange("3C JS KD", "3D QS KS"), exchange("KD", 0, 0), 0)
    assert position.state.hands[0] == ("3C", "4H", "JS")
    assert position.state.pyramids[0] == pyramid("KD / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S")
    assert (position.to_act, events) == ((1,), (VandtiaPyramidTookUp("4H"),))
    with pytest.raises(IllegalMove) as caught:
        table.judge(position, 0, VandtiaPyramidReady())
    assert (caught.value.code, caught.value.explanation) == ("VP-6", "you have ended your exchange")


def test_vp_06_ready_ends_it_too() -> None:
    position, events = advanced(second_exchange("3C JS KD", "3D QS KS"), READY, 1)
    assert (position.to_act, events) == ((0,), ())
    with pytest.raises(IllegalMove) as caught:
        table.judge(position, 1, VandtiaPyramidReady())
    assert caught.value.code == "VP-6"


def test_vp_06_a_seat_says_that_it_is_done_by_ready() -> None:
    position = second_exchange("3C JS KD", "3D QS KS")
    assert [RULES.ready(position.state, seat) for seat in (0, 1)] == [VandtiaPyramidReady()] * 2
    assert RULES.ready(second_exchange("3C", "3D", exchanging=(1,)).state, 1) == VandtiaPyramidReady()


@pytest.mark.parametrize("position", [at("4C KD", "5D", moves=0), at("4C KD", "5D", pile="3C"), at("", "5D")])
def test_vp_06_in_the_play_no_move_says_that_a_seat_is_done(position: Position) -> None:
    assert RULES.ready(position.state, 0) is None


def test_vp_06_legal_are_the_swaps_of_the_top_and_ready() -> None:
    position = second_exchange("3C JS KD", "3D QS KS")
    swaps: list[VandtiaPyramidMove] = [VandtiaPyramidExchange(card, (0, 0)) for card in ("3C", "JS", "KD")]
    assert legal(position, 0) == [*swaps, VandtiaPyramidReady()]


def test_vp_06_what_is_refused() -> None:
    position = second_exchange("3C JS KD", "3D QS KS")
    for row, place in [(2, 0), (2, 2), (1, 0), (3, 1), (0, 1)]:
        assert refused(position, exchange("KD", row, place), 0)[:2] == (
            "VP-6",
            f"only the top card is exchanged now, not [{row},{place}]",
        )
    assert refused(position, exchange("KS", 0, 0), 0)[:2] == ("VP-6", "KS is not in your hand")
    for given in (play("3C"), CHANCE, TAKE, flip(1, 0)):
        assert refused(position, given, 0)[0] == "VP-6"


def test_vp_06_ten_exchanges_before_do_not_count() -> None:
    position = at(
        "3C JS KD", "3D QS KS", phase="second_exchange", exchanging=(0, 1), exchanges=(10, 0), moves=0
    )
    assert len(legal(position, 0)) == 4


@pytest.mark.parametrize("given", [READY, exchange("KD", 0, 0)])
def test_vp_06_the_play_begins_when_all_have(given: object) -> None:
    after, events = made(second_exchange("4C JS KD", "5D QS KS", exchanging=(0,)), given)
    assert (after.phase, RULES.to_act(after), after.moves) == ("play", (0,), 0)
    assert events[-1] == VandtiaPyramidStarts(0)


@pytest.mark.parametrize("given", [READY, exchange("KD", 0, 0), exchange("KD", 2, 0)])
def test_vp_06_nothing_is_exchanged_in_the_play(given: object) -> None:
    assert refused(at("4C KD", "5D"), given)[:2] == (
        "VP-6",
        "the play has begun, and nothing is exchanged any more",
    )


@pytest.mark.parametrize(
    ("written", "free"),
    [
        (FULL, [(0, 0)]),
        ("- / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S", [(1, 0), (1, 1)]),
        ("- / - 5D / 6C 7C 8C / 9C 9D 9H 9S", [(1, 1), (2, 0)]),
        ("- / 5C - / 6C 7C 8C / 9C 9D 9H 9S", [(1, 0), (2, 2)]),
        ("- / - - / 6C 7C 8C / 9C 9D 9H 9S", [(2, 0), (2, 1), (2, 2)]),
        ("- / - 5D / - 7C 8C / 9C 9D 9H 9S", [(1, 1), (3, 0)]),
        ("- / - - / - 7C - / 9C 9D 9H 9S", [(2, 1), (3, 0), (3, 3)]),
        ("- / - - / 6C - 8C / 9C 9D 9H 9S", [(2, 0), (2, 2)]),
        ("- / - - / - - 8C / 9C 9D 9H 9S", [(2, 2), (3, 0), (3, 1)]),
        ("- / - - / - - - / - 9D - 9S", [(3, 1), (3, 3)]),
    ],
)
def test_vp_07_a_card_that_no_card_covers_is_free(written: str, free: list[tuple[int, int]]) -> None:
    position = at("", "3C", pyramids=(written, FULL))
    open_cards = {(0, 0): "4H", (2, 0): "6C", (2, 1): "7C", (2, 2): "8C"}
    assert legal(position) == [
        VandtiaPyramidPlay((open_cards[cell],)) for cell in free if cell in open_cards
    ] + [VandtiaPyramidFlip(cell) for cell in free if cell not in open_cards]


@pytest.mark.parametrize(
    ("hands", "turn", "first"),
    [
        (("4C KD AS", "3C QS KS"), 1, "3C"),
        (("3S KD AS", "3H QS KS"), 1, "3H"),
        (("3S KD AS", "3D QS KS"), 0, "3S"),
        (("3C KD AS", "3D QS KS"), 1, "3D"),
        (("2C TD 4S", "5H QS KS"), 0, "4S"),
        (("2C TD JS", "5H QS KS", "4C AC AD"), 2, "4C"),
        (("2C TD TS", "2D 2H AC"), 1, "AC"),
        (("2C 2D TD", "2H TC TS"), 0, None),
    ],
)
def test_vp_08_the_holder_of_the_lowest_card_starts(
    hands: tuple[str, ...], turn: int, first: str | None
) -> None:
    position, events = advanced(second_exchange(*hands, exchanging=(0,)), READY)
    assert position.to_act == (turn,)
    assert events == (VandtiaPyramidStarts(turn),)
    held = cards(hands[turn])
    assert plays(position) == ([first] if first else ["2C", "2D", "2C 2D", "TD"])
    for card in held:
        if first and card != first:
            assert refused(position, play(card)) == (
                "VP-8",
                f"you hold the lowest card, {first}, and start with it",
                {"card": first},
            )


def test_vp_08_the_suit_decides_among_equals() -> None:
    for first, others in [("3H", "3S 3D 3C"), ("3S", "3D 3C"), ("3D", "3C")]:
        for other in others.split():
            after, _ = made(second_exchange(f"{other} KD AS", f"{first} QS KS", exchanging=(0,)), READY)
            assert after.turn == 1


def test_vp_08_others_of_its_rank_may_go_with_it() -> None:
    position = at("3C 3D 3H", "4D QS KS", moves=0)
    assert plays(position) == ["3H", "3C 3H", "3D 3H", "3C 3D 3H"]
    assert refused(position, play("3C 3D"))[0] == "VP-8"
    assert made(position, play("3H 3C"))[0].pile == ("3C", "3H")


def test_vp_08_only_the_first_play_is_bound() -> None:
    assert plays(at("3C 3D KS", "4D QS KS", moves=1)) == ["3C", "3D", "3C 3D", "KS"]


def test_vp_08_cards_of_the_hand_and_of_one_rank_come_first() -> None:
    position = at("3C 4D KS", "4C QS KH", moves=0)
    assert refused(position, play("3C 4D"))[0] == "VP-9"
    assert refused(position, play("3H"))[0] == "VP-9"
    assert refused(position, play("4H"))[0] == "VP-15"
    for given in (CHANCE, TAKE):
        assert refused(position, given)[0] == "VP-14"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_vp_08_turns_go_in_seat_order(seats: int) -> None:
    position = at(*["3D AH", "4D AS", "5D AC", "6D AD"][:seats])
    for seat, card in [*enumerate(cards("3D 4D 5D 6D")[:seats]), (0, "AH")]:
        assert position.to_act == (seat,)
        other = (seat + 1) % seats
        with pytest.raises(NotYourTurn) as turn:
            table.judge(position, other, VandtiaPyramidPlay((card,)))
        assert turn.value.facts == {"seat": other, "to_act": [seat]}
        assert list(RULES.legal_moves(position.state, other)) == []
        position, _ = advanced(position, play(card))
    assert position.to_act == (1,)


def may_follow(card: str, top: str) -> bool:
    """VP-9 and VP-10, written out apart from the module."""
    order = "23456789TJQKA"
    return card[0] in "2T" or order.index(card[0]) >= order.index(top[0])


@pytest.mark.parametrize("top", [card for card in FRENCH_DECK if card[0] != "T"])
def test_vp_09_the_same_rank_or_higher(top: str) -> None:
    for card in FRENCH_DECK:
        position = at(f"{card}", "3C", pile=top)
        assert plays(position) == ([card] if may_follow(card, top) else [])
        if not may_follow(card, top):
            assert refused(position, play(card)) == (
                "VP-9",
                f"the pile shows {top}; {card} is lower",
                {"top": top, "card": card},
            )


def test_vp_09_on_an_empty_pile_anything() -> None:
    for card in FRENCH_DECK:
        assert plays(at(card, "3C")) == [card]


def test_vp_09_one_or_more_cards_of_one_rank() -> None:
    position = at("4C 4D 4S 7H", "3C", pile="3H")
    assert plays(position) == ["4C", "4D", "4S", "4C 4D", "4C 4S", "4D 4S", "4C 4D 4S", "7H"]
    after, events = made(position, play("4S 4C"))
    assert after == at("4D 7H", "3C", pile="3H 4C 4S", turn=1, moves=2).state
    assert events == ()
    assert refused(position, play("7H 4S")) == (
        "VP-9",
        "7H 4S are not of one rank",
        {"cards": ["7H", "4S"]},
    )


def test_vp_09_all_from_the_hand() -> None:
    position = at("4C 7H", "3C", stock="4S", pile="3H", away="4D")
    for elsewhere in ("3C", "4S", "3H", "4D", "9C", "5C", "AS"):
        assert refused(position, play(elsewhere)) == (
            "VP-9",
            f"{elsewhere} is not in your hand",
            {"card": elsewhere},
        )
    assert refused(position, play("4C 4D"))[:2] == ("VP-9", "4D is not in your hand")


def test_vp_09_no_cards_are_no_play() -> None:
    for hand in ("4C", ""):
        assert refused(at(hand, "3C"), {"type": "play", "cards": []}) == (
            "VP-9",
            "a play has one card or more",
            {},
        )


@pytest.mark.parametrize(
    ("given", "why", "path"),
    [
        ({}, "Object missing required field `type`", "$"),
        ({"type": "play"}, "Object missing required field `cards`", "$"),
        ({"type": "play", "cards": "4S"}, "Expected `array`, got `str`", "$.cards"),
        ({"type": "play", "cards": ["4S", "4S"]}, "A card is given twice", "$.cards"),
        ({"type": "play", "cards": ["4S"], "card": "4D"}, "Object contains unknown field `card`", "$"),
        ({"type": "take", "cards": []}, "Object contains unknown field `cards`", "$"),
        ({"type": "pass"}, "Invalid value 'pass'", "$.type"),
        ({"type": "flip"}, "Object missing required field `at`", "$"),
        ({"type": "flip", "at": [1]}, "Expected `array` of length 2, got 1", "$.at"),
        ({"type": "flip", "at": [1, 0, 0]}, "Expected `array` of length 2, got 3", "$.at"),
        ({"type": "flip", "at": [4, 0]}, "Expected `int` <= 3", "$.at[0]"),
        ({"type": "flip", "at": [1, -1]}, "Expected `int` >= 0", "$.at[1]"),
        ({"type": "flip", "at": [1, 0.5]}, "Expected `int`, got `float`", "$.at[1]"),
        ({"type": "flip", "at": [True, 0]}, "Expected `int`, got `bool`", "$.at[0]"),
        ({"type": "exchange", "hand": "KD"}, "Object missing required field `table`", "$"),
        ({"type": "exchange", "hand": "KD", "table": [2, 4]}, "Expected `int` <= 3", "$.table[1]"),
        ({"type": "exchange", "hand": None, "table": [2, 0]}, "Expected `str`, got `null`", "$.hand"),
        ("take", "Expected `object`, got `str`", "$"),
    ],
)
def test_vp_09_a_move_is_exactly_of_its_form(given: object, why: str, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert (caught.value.code, caught.value.explanation, caught.value.path) == ("FORM", why, path)


def test_vp_09_five_cards_are_of_a_form_but_not_of_one_rank() -> None:
    assert refused(at("4C 4D 4H 4S 5C", "3C"), play("4C 4D 4H 4S 5C"))[0] == "VP-9"


@pytest.mark.parametrize("card", ["", "1X", "HQ", "qh", "10H", "7E", "QH\n"])
def test_vp_09_a_card_is_written_as_a_rank_and_a_suit(card: str) -> None:
    with pytest.raises(WrongForm):
        read_move(RULES, {"type": "play", "cards": [card]})


def test_vp_09_a_number_may_be_written_with_a_fraction_of_zero() -> None:
    assert read_move(RULES, {"type": "flip", "at": [1.0, 0]}) == VandtiaPyramidFlip((1, 0))


def test_vp_10_a_two_may_be_played_on_anything() -> None:
    after, events = made(at("2C 2D 4S", "3C", pile="AS"), play("2C 2D"))
    assert after == at("4S", "3C", pile="AS 2C 2D", turn=1, moves=2).state
    assert events == ()


def test_vp_10_a_ten_turns_the_pile_away() -> None:
    position = at("4C TC TD", "3C", pile="3H AS", away="9H")
    after, events = made(position, play("TC TD"))
    assert after == at("4C", "3C", away="9H 3H AS TC TD", moves=2).state
    assert events == (VandtiaPyramidTurnedAway(("3H", "AS", "TC", "TD")),)


def test_vp_10_a_ten_on_an_empty_pile_is_turned_away_alone() -> None:
    after, events = made(at("4C TC", "3C"), play("TC"))
    assert (after.pile, after.away, after.turn) == ((), ("TC",), 0)
    assert events == (VandtiaPyramidTurnedAway(("TC",)),)


@pytest.mark.parametrize(
    ("pile", "played"),
    [("3H 4H", "4C 4D 4S"), ("3H 4H 4C", "4D 4S"), ("3H 4H 4C 4D", "4S"), ("3H", "4C 4D 4H 4S")],
)
def test_vp_11_four_of_one_rank_turn_the_pile_away(pile: str, played: str) -> None:
    after, events = made(at(f"{played} KS", "3C", pile=pile), play(played))
    turned = (*cards(pile), *cards(played))
    assert (after.pile, after.away, RULES.to_act(after)) == ((), turned, (0,))
    assert events == (VandtiaPyramidTurnedAway(turned),)


@pytest.mark.parametrize(
    ("pile", "played"), [("4H 2H 4C 4D", "4S"), ("4H 4C", "4D"), ("", "4C 4D 4S"), ("5H 5D 5C", "6S")]
)
def test_vp_11_they_lie_on_top_of_each_other(pile: str, played: str) -> None:
    after, events = made(at(f"{played} KS", "3C", pile=pile), play(played))
    assert (after.pile, after.turn, events) == ((*cards(pile), *cards(played)), 1, ())


def test_vp_11_four_twos_turn_the_pile_away() -> None:
    after, _ = made(at("2C 2D KS", "3C", pile="AS 2H 2S"), play("2C 2D"))
    assert (after.pile, after.away, after.turn) == ((), cards("AS 2H 2S 2C 2D"), 0)


def test_vp_12_who_turned_it_away_plays_again_on_the_empty_pile() -> None:
    position, _ = advanced(at("3C TC KD", "3D", pile="AS"), play("TC"))
    assert position.to_act == (0,)
    assert plays(position) == ["3C", "KD"]
    assert refused(position, TAKE)[0] == "VP-14"
    assert made(position, play("3C"))[0].turn == 1


def test_vp_13_up_to_three_cards_are_drawn() -> None:
    after, events = made(at("4C 4D KS", "3C", stock="9C 2H AC 5C", pile="3H"), play("4C 4D"))
    assert (after.hands[0], after.stock) == (("2H", "9C", "KS"), ("AC", "5C"))
    assert events == (VandtiaPyramidDrew(2, ("9C", "2H")),)
    assert after.turn == 1


def test_vp_13_while_the_stock_lasts() -> None:
    after, events = made(at("4C 4D KS", "3C", stock="9C", pile="3H"), play("4C 4D"))
    assert (after.hands[0], after.stock, events) == (("9C", "KS"), (), (VandtiaPyramidDrew(1, ("9C",)),))


def test_vp_13_nobody_with_three_cards_draws() -> None:
    after, events = made(at("4C 4D 5S 7S KS", "3C", stock="9C", pile="3H"), play("4C 4D"))
    assert (after.hands[0], after.stock, events) == (("5S", "7S", "KS"), ("9C",), ())


def test_vp_13_also_before_playing_again() -> None:
    after, events = made(at("TC 5S KS", "3C", stock="9C AC", pile="3H"), play("TC"))
    assert (after.hands[0], after.turn) == (("5S", "9C", "KS"), 0)
    assert events == (VandtiaPyramidTurnedAway(("3H", "TC")), VandtiaPyramidDrew(1, ("9C",)))


def test_vp_13_the_last_card_of_a_hand_is_followed_by_three() -> None:
    after, _ = made(at("4C", "3C", stock="9C 2H AC 5C", pile="3H"), play("4C"))
    assert after.hands[0] == ("2H", "9C", "AC")


def test_vp_14_a_chance_that_fits_is_played_and_no_card_is_drawn() -> None:
    after, events = made(at("3C", "4C", stock="9C AC", pile="8H"), CHANCE)
    assert after == at("3C", "4C", stock="AC", pile="8H 9C", turn=1, moves=2).state
    assert events == (VandtiaPyramidTurned("9C", fits=True),)


def test_vp_14_a_chance_that_does_not_fit_is_taken_with_the_pile() -> None:
    after, events = made(at("3C", "4C", stock="7C AC", pile="8H 9H"), CHANCE)
    assert after == at("3C 7C 8H 9H", "4C", stock="AC", turn=1, moves=2).state
    assert events == (VandtiaPyramidTurned("7C", fits=False), VandtiaPyramidTook(("8H", "9H", "7C")))


def test_vp_14_a_two_and_a_ten_always_fit() -> None:
    after, _ = made(at("3C", "4C", stock="2C", pile="AH"), CHANCE)
    assert (after.pile, after.turn) == (("AH", "2C"), 1)
    after, events = made(at("3C", "4C", stock="TC KS", pile="AH"), CHANCE)
    assert after == at("3C", "4C", stock="KS", away="AH TC", turn=0, moves=2).state
    assert events == (VandtiaPyramidTurned("TC", fits=True), VandtiaPyramidTurnedAway(("AH", "TC")))


def test_vp_14_the_fourth_of_a_rank_by_chance_turns_the_pile_away() -> None:
    after, _ = made(at("3C", "4C", stock="9C", pile="9D 9H 9S"), CHANCE)
    assert (after.pile, after.away, after.turn) == ((), cards("9D 9H 9S 9C"), 0)


def test_vp_14_taking_the_pile() -> None:
    after, events = made(at("3C 6H", "4C", stock="7C", pile="2D AS 8H"), TAKE)
    assert after == at("2D 3C 6H 8H AS", "4C", stock="7C", turn=1, moves=2).state
    assert events == (VandtiaPyramidTook(("2D", "AS", "8H")),)


def test_vp_14_only_who_can_play_no_card_may() -> None:
    assert legal(at("3C 7C", "4C", stock="AC", pile="8H")) == [VandtiaPyramidChance(), VandtiaPyramidTake()]
    assert legal(at("3C 7C", "4C", pile="8H")) == [VandtiaPyramidTake()]
    position = at("2D 3C 9C", "4C", stock="AC", pile="8H")
    assert legal(position) == [VandtiaPyramidPlay(("2D",)), VandtiaPyramidPlay(("9C",))]
    for given in (CHANCE, TAKE):
        assert refused(position, given) == ("VP-14", "you can play 2D 9C", {"cards": ["2D", "9C"]})


def test_vp_14_without_a_stock_there_is_no_chance() -> None:
    for hand in ("3C", "9C", ""):
        assert refused(at(hand, "4C", pile="8H"), CHANCE) == ("VP-14", "the stock is gone", {})


TWO_ROWS = "- / - - / 6C 6D 8C / 9C 9D 9H 9S"


def test_vp_15_without_a_hand_the_pyramid_is_played() -> None:
    after, events = made(at("", "3C", pyramids=(FULL, FULL), pile="3H"), play("4H"))
    assert after.pyramids[0] == pyramid("- / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S")
    assert (after.pile, after.turn, events) == (("3H", "4H"), 1, ())


def test_vp_15_several_of_one_rank_if_all_are_free() -> None:
    position = at("", "3C", pyramids=(TWO_ROWS, FULL), pile="3H")
    assert plays(position) == ["6C", "6D", "6C 6D", "8C"]
    after, _ = made(position, play("6D 6C"))
    assert after.pyramids[0] == pyramid("- / - - / - - 8C / 9C 9D 9H 9S")
    assert after.pile == ("3H", "6C", "6D")
    partly = at("", "3C", pyramids=("- / - 5D / 6C 6D 8C / 9C 9D 9H 9S", FULL), pile="3H")
    assert refused(partly, play("6C 6D")) == (
        "VP-15",
        "6D is not a free open card of your pyramid",
        {"card": "6D"},
    )


def test_vp_15_open_cards_go_by_vp_9_to_vp_12() -> None:
    position = at("", "3C", pyramids=(TWO_ROWS, FULL), pile="7H")
    assert refused(position, play("6C"))[:2] == ("VP-9", "the pile shows 7H; 6C is lower")
    assert refused(position, play("6C 8C"))[:2] == ("VP-9", "6C 8C are not of one rank")
    away, _ = made(at("", "3C", pyramids=(TWO_ROWS, FULL), pile="6H 6S"), play("6C 6D"))
    assert (away.pile, away.away, away.turn) == ((), cards("6H 6S 6C 6D"), 0)


def test_vp_15_other_cards_are_not_played() -> None:
    position = at("", "3C", pyramids=(FULL, "KC / 5H 5S / 6H 7H 8H / JC JD JH JS"), pile="3H")
    # Face down, covered, another seat's, another hand's, in the pile.
    for card in ("9C", "5C", "6C", "KC", "3C", "3H"):
        assert refused(position, play(card))[0] == "VP-15"


def test_vp_15_a_flip_that_can_be_played_is() -> None:
    written = "- / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S"
    after, events = made(at("", "3C", pyramids=(written, FULL), pile="3H"), flip(1, 0))
    assert after.pyramids[0] == pyramid("- / - 5D / 6C 7C 8C / 9C 9D 9H 9S")
    assert (after.pile, after.hands[0], after.turn) == (("3H", "5C"), (), 1)
    assert events == (VandtiaPyramidTurned("5C", fits=True),)


def test_vp_15_a_flip_that_cannot_be_played_is_taken_with_the_pile() -> None:
    written = "- / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S"
    position, events = advanced(at("", "3C", pyramids=(written, FULL), pile="3H 6H"), flip(1, 0))
    after = position.state
    assert after.pyramids[0] == pyramid("- / - 5D / 6C 7C 8C / 9C 9D 9H 9S")
    assert (after.pile, after.hands[0], after.turn) == ((), ("3H", "5C", "6H"), 1)
    assert events == (VandtiaPyramidTurned("5C", fits=False), VandtiaPyramidTook(("3H", "6H", "5C")))


def test_vp_15_on_an_empty_pile_every_flip_can_be_played() -> None:
    for card in FRENCH_DECK:
        written = f"- / {card} - / 6C 7C 8C / 9C 9D 9H 9S"
        after, events = made(at("", "3C", pyramids=(written, FULL)), flip(1, 0))
        assert events[0] == VandtiaPyramidTurned(card, fits=True)
        assert (after.hands[0], after.pyramids[0][1]) == ((), None)
        assert after.turn == (0 if card[0] == "T" else 1)


def test_vp_15_a_flip_has_the_same_effects() -> None:
    written = "- / 5C TD / 6C 7C 8C / 9C 9D 9H 9S"
    after, events = made(at("", "3C", pyramids=(written, FULL), pile="5D 5H 5S"), flip(1, 0))
    assert (after.away, after.turn) == (cards("5D 5H 5S 5C"), 0)
    assert events == (
        VandtiaPyramidTurned("5C", fits=True),
        VandtiaPyramidTurnedAway(cards("5D 5H 5S 5C")),
    )
    after, _ = made(at("", "3C", pyramids=(written, FULL), pile="AS"), flip(1, 1))
    assert (after.away, after.turn) == (("AS", "TD"), 0)


def test_vp_15_a_flip_is_allowed_also_when_an_open_card_would_fit() -> None:
    position = at("", "3C", pyramids=("- / - 5D / 6C 7C 8C / 9C 9D 9H 9S", FULL), pile="3H")
    assert legal(position) == [VandtiaPyramidPlay(("6C",)), VandtiaPyramidFlip((1, 1))]


@pytest.mark.parametrize(
    ("row", "place", "why"),
    [
        (1, 0, "no card lies on [1,0]"),
        (0, 1, "no card lies on [0,1]"),
        (2, 3, "no card lies on [2,3]"),
        (2, 0, "the card on [2,0] lies face up"),
        (2, 1, "the card on [2,1] lies face up"),
        (3, 0, "the card on [3,0] is covered"),
    ],
)
def test_vp_15_only_a_free_card_that_lies_face_down_is_flipped(row: int, place: int, why: str) -> None:
    position = at("", "3C", pyramids=("- / - 5D / 6C 7C 8C / 9C 9D 9H 9S", FULL), pile="3H")
    assert refused(position, flip(row, place))[:2] == ("VP-15", why)


def test_vp_15_no_card_of_the_pyramid_with_a_hand() -> None:
    position = at("KC", "3C", pyramids=(TWO_ROWS, FULL), pile="3H")
    assert plays(position) == ["KC"]
    for card in ("6C", "8C"):
        assert refused(position, play(card)) == (
            "VP-15",
            f"{card} lies in your pyramid, and you have cards in hand",
            {"card": card},
        )
    assert refused(position, flip(3, 0)) == ("VP-15", "you have cards in hand", {})
    assert refused(position, flip(0, 3))[0] == "VP-15"


def test_vp_15_hand_and_pyramid_are_not_played_together() -> None:
    position = at("6H", "3C", pyramids=(TWO_ROWS, FULL), pile="3H")
    assert refused(position, play("6C 6H"))[0] == "VP-15"
    assert refused(position, play("6H 8C"))[0] == "VP-15"
    for together in ("6C AS", "AS 6C"):
        assert refused(position, play(together))[:2] == (
            "VP-15",
            "6C lies in your pyramid, and you have cards in hand",
        )


def test_vp_15_a_card_face_down_is_refused_like_any_unknown_card() -> None:
    with_a_hand, without = at("6H", "3C"), at("", "3C")
    for card in ("9C", "AS"):
        assert refused(with_a_hand, play(card))[:2] == ("VP-9", f"{card} is not in your hand")
        assert refused(without, play(card))[:2] == (
            "VP-15",
            f"{card} is not a free open card of your pyramid",
        )


def test_vp_15_who_ran_out_of_hand_by_a_ten_goes_on_in_the_pyramid() -> None:
    position, _ = advanced(at("TC", "3C", pile="KS"), play("TC"))
    assert position.to_act == (0,)
    assert legal(position) == [VandtiaPyramidPlay(("4H",))]


def test_vp_16_the_pile_is_taken_when_no_free_open_card_fits() -> None:
    position = at("", "3C", pyramids=(TWO_ROWS, FULL), pile="5H 9H")
    assert legal(position) == [VandtiaPyramidTake()]
    after, events = made(position, TAKE)
    assert (after.hands[0], after.pile, after.turn) == (("5H", "9H"), (), 1)
    assert after.pyramids[0] == pyramid(TWO_ROWS)
    assert events == (VandtiaPyramidTook(("5H", "9H")),)


def test_vp_16_it_is_allowed_beside_a_flip() -> None:
    position = at("", "3C", pyramids=("- / - - / - - - / 9C - - 9S", FULL), pile="3H")
    assert legal(position) == [
        VandtiaPyramidFlip((3, 0)),
        VandtiaPyramidFlip((3, 3)),
        VandtiaPyramidTake(),
    ]


def test_vp_16_what_is_refused() -> None:
    position = at("", "3C", pyramids=(TWO_ROWS, FULL), pile="7H")
    assert refused(position, TAKE) == ("VP-16", "you can play 8C", {"cards": ["8C"]})
    flips = at("", "3C", pyramids=("- / - - / - - - / 9C - - 9S", FULL))
    assert refused(flips, TAKE) == ("VP-16", "there is no pile to take up", {})
    assert legal(flips) == [VandtiaPyramidFlip((3, 0)), VandtiaPyramidFlip((3, 3))]
    assert refused(at("", "3C", pyramids=(TWO_ROWS, FULL)), TAKE)[0] == "VP-16"


def test_vp_16_who_has_a_hand_again_plays_from_it() -> None:
    position = at("5H 9H", "3C", pyramids=(TWO_ROWS, FULL), pile="4C")
    assert plays(position) == ["5H", "9H"]


ONE_LEFT = "- / - - / - - - / - - - 9S"


def test_vp_17_who_has_no_cards_left_is_out() -> None:
    position = at("", "3C", "3D", pyramids=(ONE_LEFT, FULL, FULL), pile="3H")
    position, events = advanced(position, flip(3, 3))
    assert position.state.out == (0,)
    assert events == (VandtiaPyramidTurned("9S", fits=True), VandtiaPyramidOut(1))
    assert position.to_act == (1,)
    position, _ = advanced(position, TAKE)
    position, _ = advanced(position, play("3D"))
    assert position.to_act == (1,), "seat 0 has no more turns"


def test_vp_17_a_hand_may_be_the_last_cards() -> None:
    position = at("9C 9D", "3C", "3D", pyramids=(EMPTY, FULL, FULL), pile="3H", turn=0)
    after, events = made(position, play("9C 9D"))
    assert (after.out, events, after.turn) == ((0,), (VandtiaPyramidOut(1),), 1)


@pytest.mark.parametrize("last", ["2S", "TS"])
def test_vp_17_a_two_or_a_ten_may_be_the_last_card(last: str) -> None:
    after, _ = made(
        at("3C", last, "3D", "3S", pyramids=(FULL, EMPTY, FULL, FULL), pile="AH", turn=1), play(last)
    )
    assert (after.out, after.turn) == ((1,), 2)


def test_vp_17_if_it_turned_the_pile_away_the_next_player_still_in_starts() -> None:
    position = at(
        "3C", "", "TS", "3S", pyramids=(FULL, EMPTY, EMPTY, FULL), pile="AH", turn=2, out=(1,), moves=90
    )
    position, events = advanced(position, play("TS"))
    assert (position.state.pile, position.state.out, position.to_act) == ((), (1, 2), (3,))
    assert events == (VandtiaPyramidTurnedAway(("AH", "TS")), VandtiaPyramidOut(2))
    assert plays(position) == ["3S"]


def test_vp_18_the_game_ends_when_one_player_has_cards_left() -> None:
    position = at("", "3C 4C", pyramids=(ONE_LEFT, FULL), pile="3H")
    assert RULES.outcome(position.state) is None
    after, _ = made(position, flip(3, 3))
    assert RULES.to_act(after) == ()
    assert list(RULES.legal_moves(after, 0)) == list(RULES.legal_moves(after, 1)) == []
    assert RULES.outcome(after) == Outcome((1, 2), ("win", "loss"), (0, 12))


def test_vp_18_place_is_the_order_of_getting_out() -> None:
    position = at(
        "", "", "9C", "3S KS", pyramids=(EMPTY, EMPTY, EMPTY, ONE_LEFT), pile="3H", turn=2, out=(1, 0)
    )
    after, events = made(position, play("9C"))
    assert events == (VandtiaPyramidOut(3),)
    assert RULES.outcome(after) == Outcome((2, 1, 3, 4), ("loss", "win", "loss", "loss"), (0, 0, 0, 3))


def test_vp_18_nothing_is_accepted_after_the_end() -> None:
    position = at("", "3C", pyramids=(EMPTY, FULL), out=(0,), turn=1)
    for seat in (0, 1):
        with pytest.raises(GameOver):
            table.judge(position, seat, VandtiaPyramidTake())


def test_vp_19_the_game_ends_after_a_thousand_moves_of_play() -> None:
    position = at("3C", "4C KS", "4D", pyramids=(FULL, ONE_LEFT, FULL), pile="3H", moves=998)
    position, _ = advanced(position, play("3C"))
    assert (position.state.moves, position.to_act) == (999, (1,))
    assert RULES.outcome(position.state) is None
    after, _ = made(position, play("4C"))
    assert (after.moves, RULES.to_act(after)) == (1000, ())
    assert RULES.outcome(after) == Outcome((2, 1, 3), ("loss", "win", "loss"), (10, 2, 11))


def test_vp_19_equals_share_a_place() -> None:
    position = at("4C 5H", "4H", "4D", "4S", moves=999, pile="3H")
    after, _ = made(position, play("4C"))
    assert RULES.outcome(after) == Outcome((1, 1, 1, 1), ("draw",) * 4, (11, 11, 11, 11))


def test_vp_19_those_out_come_first() -> None:
    position = at("KS", "", "4H", "4D", pyramids=(EMPTY, EMPTY, FULL, FULL), pile="3H", moves=999, out=(1,))
    after, events = made(position, play("KS"))
    assert events == (VandtiaPyramidOut(2),)
    assert RULES.outcome(after) == Outcome((2, 1, 3, 3), ("loss", "win", "loss", "loss"), (0, 0, 11, 11))


@pytest.mark.parametrize(
    ("position", "given"),
    [
        (at("KS", "4C", pile="3H", moves=7), play("KS")),
        (at("3S", "4C", pile="4H", stock="AS", moves=7), CHANCE),
        (at("3S", "4C", pile="4H", moves=7), TAKE),
        (at("", "4C", pyramids=(ONE_LEFT.replace("-", "KS", 1), FULL), moves=7), play("KS")),
        (at("", "4C", pyramids=("- / 5C 5D / 6C 7C 8C / 9C 9D 9H 9S", FULL), moves=7), flip(1, 1)),
    ],
)
def test_vp_19_play_chance_take_and_flip_are_counted(position: Position, given: object) -> None:
    assert made(position, given)[0].moves == 8


def test_vp_19_exchange_and_ready_are_not_counted() -> None:
    position = table.lay_out(Setup(RULES, VandtiaPyramidOptions(), 2, FRENCH_DECK))
    for seat, given in [(0, exchange("2S", 2, 0)), (0, READY), (1, READY), (0, READY), (1, READY)]:
        position, _ = advanced(position, given, seat)
    assert (position.state.phase, position.state.moves) == ("play", 0)


def placed(written: str, *, face_down: bool) -> tuple[VandtiaPyramidPlace, ...]:
    cells = [(row, place) for row in range(4) for place in range(row + 1)]
    return tuple(
        VandtiaPyramidPlace(cell, card if cell[0] in (0, 2) or face_down else None)
        for cell, card in zip(cells, pyramid(written), strict=True)
        if card
    )


def test_hidden_are_hands_face_down_cards_and_the_stock() -> None:
    first, second = "- / 5C - / 6C 7C 8C / 9C 9D 9H 9S", ONE_LEFT
    position = at(
        "3C 4D", "7H", pyramids=(first, second), stock="5H 2H", pile="3H", away="TC", exchanges=(4, 0)
    )

    def view(*hands: VandtiaPyramidCards) -> VandtiaPyramidView:
        return VandtiaPyramidView(
            phase="play",
            hands=hands,
            pyramids=(placed(first, face_down=False), placed(second, face_down=False)),
            stock=VandtiaPyramidCards(2, None),
            pile=("3H",),
            away=("TC",),
            exchanges=(4, 0),
            turn=0,
            moves=1,
            out=(),
        )

    unknown = VandtiaPyramidCards(2, None), VandtiaPyramidCards(1, None)
    assert RULES.view(position.state, 0) == view(VandtiaPyramidCards(2, ("3C", "4D")), unknown[1])
    assert RULES.view(position.state, 1) == view(unknown[0], VandtiaPyramidCards(1, ("7H",)))
    assert RULES.view(position.state, None) == view(*unknown)
    assert placed(first, face_down=False)[0] == VandtiaPyramidPlace((1, 0), None)
    assert RULES.open_view(position.state) == VandtiaPyramidView(
        phase="play",
        hands=(VandtiaPyramidCards(2, ("3C", "4D")), VandtiaPyramidCards(1, ("7H",))),
        pyramids=(placed(first, face_down=True), placed(second, face_down=True)),
        stock=VandtiaPyramidCards(2, ("5H", "2H")),
        pile=("3H",),
        away=("TC",),
        exchanges=(4, 0),
        turn=0,
        moves=1,
        out=(),
    )


def test_nobody_has_the_turn_in_an_exchange() -> None:
    view = RULES.view(first_exchange("3C KD", "3D KS", stock="AS").state, 1)
    assert (view.phase, view.turn, view.stock.size) == ("first_exchange", None, 1)


def test_everything_is_open_at_the_end() -> None:
    state = at("", "3C 4C", pyramids=(EMPTY, FULL), out=(0,), turn=1).state
    for viewer in (0, 1, None):
        assert RULES.view(state, viewer) == RULES.open_view(state)
        assert RULES.redeal(state, viewer, Random(0)) == state


def test_hidden_is_the_card_drawn_from_all_others() -> None:
    state = at("4C 4D KS", "3C", stock="9C 2H", pile="3H").state
    move = VandtiaPyramidPlay(("4C", "4D"))
    _, events = RULES.apply(state, 0, move)
    assert events == (VandtiaPyramidDrew(2, ("9C", "2H")),)
    assert RULES.redact(state, 0, 0, move, events) == (move, events)
    for viewer in (1, None):
        assert RULES.redact(state, viewer, 0, move, events) == (move, (VandtiaPyramidDrew(2, None),))


def test_hidden_is_the_card_dealt_to_the_hand_from_all_others() -> None:
    position = first_exchange("3C KD", "3D KS", stock="JC JD JH JS QC QD QH QS TC")
    position, _ = advanced(position, READY, 0)
    _, events = advanced(position, READY, 1)

    def seen(viewer: int | None) -> tuple[VandtiaPyramidEvent, ...]:
        _, redacted = RULES.redact(position.state, viewer, 1, VandtiaPyramidReady(), events)
        return redacted

    assert seen(0) == (VandtiaPyramidDealt(0, "JH", "JS"), VandtiaPyramidDealt(1, "QH", None))
    assert seen(1) == (VandtiaPyramidDealt(0, "JH", None), VandtiaPyramidDealt(1, "QH", "QS"))
    assert seen(None) == (VandtiaPyramidDealt(0, "JH", None), VandtiaPyramidDealt(1, "QH", None))


@pytest.mark.parametrize(
    ("position", "given"),
    [
        (first_exchange("3C KD", "3D KS"), exchange("KD", 2, 1)),
        (second_exchange("3C JS KD", "3D QS KS", exchanging=(0,)), exchange("KD", 0, 0)),
        (at("3C", "4C", stock="7C", pile="8H"), CHANCE),
        (at("3C", "4C", stock="TC", pile="8H"), CHANCE),
        (at("3C", "4C", pile="8H"), TAKE),
        (at("", "3C", pyramids=(ONE_LEFT, FULL), pile="3H"), flip(3, 3)),
    ],
)
def test_open_is_all_else_that_a_move_shows(position: Position, given: object) -> None:
    move = read_move(RULES, given)
    _, events = made(position, given)
    assert events
    for viewer in (0, 1, None):
        assert RULES.redact(position.state, viewer, 0, move, events) == (move, events)


def test_a_card_taken_up_is_hidden_afterwards() -> None:
    after, _ = made(at("3C", "4C", pile="8H 9H"), TAKE)
    assert RULES.view(after, 1).hands[0] == VandtiaPyramidCards(3, None)
    hands = {RULES.redeal(after, 1, Random(seed)).hands[0] for seed in range(50)}
    assert len(hands) > 10
    swapped, _ = made(first_exchange("3C KD", "3D KS"), exchange("KD", 2, 1), 0)
    assert RULES.view(swapped, 1).hands[0] == VandtiaPyramidCards(2, None)


def reveals(position: Position, given: object, seat: int | None = None) -> bool:
    mover = position.to_act[0] if seat is None else seat
    return RULES.may_reveal(position.state, mover, read_move(RULES, given))


def test_only_the_last_to_be_ready_learns_something_in_the_first_exchange() -> None:
    position = first_exchange("3C KD", "3D KS")
    assert not reveals(position, READY, 0)
    assert not reveals(position, exchange("KD", 2, 1), 0)
    last = msgspec.structs.replace(position, state=msgspec.structs.replace(position.state, exchanging=(1,)))
    assert reveals(last, READY, 1)
    assert not reveals(last, exchange("KS", 2, 1), 1)
    assert not reveals(last, play("KS"), 1)
    assert not reveals(last, flip(3, 0), 1)


def test_the_last_in_the_second_exchange_learns_who_starts() -> None:
    position = second_exchange("3C JS KD", "3D QS KS")
    last = second_exchange("3C JS KD", "3D QS KS", exchanging=(0,))
    for given in (READY, exchange("KD", 0, 0)):
        assert not reveals(position, given, 0)
        assert reveals(last, given, 0)
    assert not reveals(last, CHANCE, 0)


def test_a_play_reveals_if_a_card_is_drawn() -> None:
    position = at("4C 4D 5C 6C", "3C", stock="9C", pile="3H")
    assert not reveals(position, play("4C"))
    assert reveals(position, play("4C 4D"))
    assert not reveals(at("4C 4D 5C 6C", "3C", pile="3H"), play("4C 4D"))
    assert not reveals(position, {"type": "play", "cards": []})


def test_a_flip_and_a_chance_reveal_and_a_taken_pile_does_not() -> None:
    position = at("3C", "4C", stock="7C", pile="8H")
    assert reveals(position, CHANCE)
    assert not reveals(at("3C", "4C", pile="8H"), CHANCE)
    assert not reveals(position, TAKE)
    assert reveals(at("", "3C", pyramids=(ONE_LEFT, FULL)), flip(3, 3))
    assert not reveals(position, READY)
    assert not reveals(position, exchange("3C", 0, 0))


def test_the_end_reveals_what_is_hidden() -> None:
    assert reveals(at("9C", "3C", pyramids=(EMPTY, EMPTY), pile="3H"), play("9C"))
    assert reveals(at("9C", "", pyramids=(EMPTY, ONE_LEFT), pile="3H"), play("9C"))
    open_only = "- / - - / 6C - - / - - - -"
    assert not reveals(at("9C", "", pyramids=(EMPTY, open_only), pile="3H"), play("9C"))
    assert not reveals(at("9C", "3C", "3D", pyramids=(EMPTY, FULL, FULL), pile="3H"), play("9C"))
    assert not reveals(at("9C KC", "3C", pyramids=(EMPTY, FULL), pile="3H"), play("9C"))
    last = at("9C", "3C", "", pyramids=(EMPTY, FULL, EMPTY), pile="3H", out=(2,))
    assert reveals(last, play("9C"))


def test_the_thousandth_move_reveals_what_is_hidden() -> None:
    assert reveals(at("3C", "3D", pile="9H", moves=999), TAKE)
    assert not reveals(at("3C", "3D", pile="9H", moves=998), TAKE)
    assert reveals(at("KC AC", "3D", pile="9H", moves=999), play("KC"))
    open_only = "- / - - / 6C - - / - - - -"
    assert not reveals(at("3C", "", pyramids=(EMPTY, open_only), pile="9H", moves=999), TAKE)
    assert reveals(at("3C", "", pyramids=(ONE_LEFT, open_only), pile="9H", moves=999), TAKE)
    assert reveals(
        at("3C 4C 5C 6C KC", "", pyramids=(EMPTY, open_only), pile="9H", stock="AC", moves=999), play("KC")
    )


def test_a_redeal_keeps_what_the_viewer_sees() -> None:
    state = at(
        "3C 4D",
        "7H JC",
        pyramids=("- / 5C - / 6C 7C 8C / 9C 9D 9H 9S", ONE_LEFT.replace("9S", "KS")),
        stock="5H 2H",
        pile="3H",
    ).state
    pool = Counter(cards("7H JC 5C 9C 9D 9H 9S KS 5H 2H"))
    seen = {RULES.redeal(state, 0, Random(seed)) for seed in range(100)}
    assert len(seen) > 90
    for other in seen:
        assert RULES.view(other, 0) == RULES.view(state, 0)
        face_down = [other.pyramids[0][1], *other.pyramids[0][6:], other.pyramids[1][9]]
        assert Counter([*other.hands[1], *other.stock, *face_down]) == pool
    assert {card for other in seen for card in other.hands[1]} == set(pool)
    to_a_spectator = {RULES.redeal(state, None, Random(seed)).hands[0] for seed in range(100)}
    assert {card for hand in to_a_spectator for card in hand} == {*pool, "3C", "4D"}


def lowest(hand: tuple[str, ...]) -> int:
    """How low the lowest card that counts is (VP-8), written out apart from the module."""
    order = [rank + suit for rank in "3456789JQKA" for suit in "HSDC"]
    return min((order.index(card) for card in hand if card in order), default=99)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_redeal_keeps_who_starts(seats: int) -> None:
    for seed in range(40):
        deck = list(FRENCH_DECK)
        Random(seed).shuffle(deck)
        position = table.lay_out(Setup(RULES, VandtiaPyramidOptions(), seats, tuple(deck)))
        for seat in (*range(seats), *range(seats)):
            position, _ = advanced(position, READY, seat)
        state = position.state
        for viewer in (*range(seats), None):
            other = RULES.redeal(state, viewer, Random(seed))
            assert RULES.view(other, viewer) == RULES.view(state, viewer)
            assert other != state
            by_height = sorted(range(seats), key=lambda seat: lowest(other.hands[seat]))
            assert by_height[0] == state.turn


def test_a_redeal_keeps_that_no_hand_has_a_card_to_start_with() -> None:
    pool = "3H 3S 3D 3C 4C 4D"
    position = at("2C 2D TD", "2H TC TS", stock=pool, moves=0, pyramids=(EMPTY, EMPTY))
    for seed in range(20):
        to_the_starter = RULES.redeal(position.state, 0, Random(seed))
        assert set(to_the_starter.hands[1]) == {"2H", "TS", "TC"}
    # To the other, seat 0 may also start with the lowest card.
    hands = [RULES.redeal(position.state, 1, Random(seed)).hands[0] for seed in range(200)]
    assert 1 <= sum(lowest(hand) == 99 for hand in hands) <= 20
    to_a_spectator = [RULES.redeal(position.state, None, Random(seed)).hands for seed in range(300)]
    assert all(lowest(first) <= lowest(second) for first, second in to_a_spectator)
    assert {lowest(first) for first, _ in to_a_spectator} >= {0, 1, 2, 3, 99}


def test_a_redeal_at_the_start_is_even() -> None:
    """Each deal in which seat 0 has the lowest card is equally likely."""
    state = at("3H", "KC", stock="4H 5H", moves=0, pyramids=(EMPTY, EMPTY)).state
    deals = Counter(RULES.redeal(state, None, Random(seed)).hands for seed in range(1200))
    assert deals.keys() == {
        ((low,), (high,))
        for low, high in [("3H", "4H"), ("3H", "5H"), ("3H", "KC"), ("4H", "5H"), ("4H", "KC"), ("5H", "KC")]
    }
    assert all(150 < count < 250 for count in deals.values())


def test_after_the_first_play_who_started_binds_no_redeal() -> None:
    state = at("4C KS", "5C", stock="3H 3S 3D 3C", turn=0, moves=1, pyramids=(EMPTY, EMPTY)).state
    assert any(lowest(RULES.redeal(state, 0, Random(seed)).hands[1]) < 4 for seed in range(20))


@pytest.mark.parametrize(
    ("move", "events", "words"),
    [
        (
            VandtiaPyramidExchange("KD", (2, 1)),
            (VandtiaPyramidTookUp("7C"),),
            "seat 1 lays KD on [2,1], takes up 7C",
        ),
        (VandtiaPyramidReady(), (), "seat 1 is ready"),
        (
            VandtiaPyramidReady(),
            (VandtiaPyramidDealt(0, "JH", None), VandtiaPyramidDealt(1, "QH", "QS")),
            "seat 1 is ready, seat 0 gets JH on top and a card in hand, seat 1 gets QH on top and QS in hand",
        ),
        (VandtiaPyramidReady(), (VandtiaPyramidStarts(0),), "seat 1 is ready, seat 0 starts"),
        (VandtiaPyramidPlay(("4C", "4D")), (), "seat 1 plays 4C 4D"),
        (
            VandtiaPyramidPlay(("TC",)),
            (VandtiaPyramidTurnedAway(("3H", "TC")), VandtiaPyramidDrew(1, ("9C",))),
            "seat 1 plays TC, turns away 2 cards, draws 9C",
        ),
        (
            VandtiaPyramidPlay(("TC",)),
            (VandtiaPyramidTurnedAway(("TC",)),),
            "seat 1 plays TC, turns away 1 card",
        ),
        (VandtiaPyramidPlay(("4C",)), (VandtiaPyramidDrew(1, None),), "seat 1 plays 4C, draws 1 card"),
        (VandtiaPyramidPlay(("4C",)), (VandtiaPyramidDrew(3, None),), "seat 1 plays 4C, draws 3 cards"),
        (VandtiaPyramidPlay(("4C",)), (VandtiaPyramidOut(2),), "seat 1 plays 4C, is out in place 2"),
        (
            VandtiaPyramidChance(),
            (VandtiaPyramidTurned("7C", fits=False), VandtiaPyramidTook(("8H", "7C"))),
            "seat 1 takes a chance, turns up 7C, which does not fit, takes 2 cards",
        ),
        (
            VandtiaPyramidFlip((1, 0)),
            (VandtiaPyramidTurned("7C", fits=True),),
            "seat 1 flips the card on [1,0], turns up 7C, which fits",
        ),
        (VandtiaPyramidTake(), (VandtiaPyramidTook(("8H",)),), "seat 1 takes up the pile, takes 1 card"),
    ],
)
def test_a_move_has_words(
    move: VandtiaPyramidMove, events: tuple[VandtiaPyramidEvent, ...], words: str
) -> None:
    assert said(RULES.describe(1, move, events)) == words


def test_a_play_in_any_order_is_kept_in_canonical_order() -> None:
    state = at("4C 4D 4S", "3C").state
    move = VandtiaPyramidPlay(("4S", "4C"))
    assert RULES.canonical(state, 0, move) == VandtiaPyramidPlay(("4C", "4S"))
    assert RULES.canonical(state, 0, VandtiaPyramidTake()) == VandtiaPyramidTake()


def test_a_state_does_not_show_its_cards_in_print() -> None:
    state = RULES.deal(VandtiaPyramidOptions(), 2, FRENCH_DECK)
    assert repr(state) == str(state) == "<VandtiaPyramidState, first_exchange, 0 moves played>"


def test_there_is_no_notation() -> None:
    assert RULES.has_notation is False
