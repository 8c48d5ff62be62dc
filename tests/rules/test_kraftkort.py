"""Kraftkort, clause by clause."""

from collections import Counter
from itertools import combinations, islice
from math import comb
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, structs

from games import table
from games.rules.cards import FRENCH_DECK
from games.rules.contract import (
    GameOver,
    IllegalOptions,
    NotYourTurn,
    Outcome,
    Refused,
    WrongForm,
    read_move,
    read_options,
    said,
)
from games.rules.kraftkort import (
    Kraftkort,
    KraftkortCards,
    KraftkortDirection,
    KraftkortDrew,
    KraftkortEvent,
    KraftkortExchange,
    KraftkortMove,
    KraftkortOptions,
    KraftkortOut,
    KraftkortPass,
    KraftkortPlay,
    KraftkortPlayed,
    KraftkortPowerCard,
    KraftkortRoundEnded,
    KraftkortSeenExchange,
    KraftkortState,
    KraftkortView,
)
from games.table import Entry, Position, Setup

RULES = Kraftkort()
PASS = {"type": "pass"}
# Twos lowest, aces highest, then clubs, diamonds, hearts, spades: written out apart from the module.
IN_ORDER = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def plays(written: str) -> tuple[KraftkortPlayed, ...]:
    """What was played in a round: seat, cards and, after an equals sign, what they count for."""
    return tuple(one(*play.split(":")) for play in written.split(", ") if play)


def one(seat: str, play: str) -> KraftkortPlayed:
    played, _, counts = play.partition("=")
    return KraftkortPlayed(int(seat), cards(played), int(counts or len(cards(played))))


def at(*hands: str, turn: int = 0, played: str = "", passed: tuple[int, ...] = (), **given: Any) -> Position:
    """A position with a hand for each seat; `played` is what was played in the round, `earlier` the cards of
    those before."""
    options = KraftkortOptions(
        exchange=given.pop("exchange", False),
        power_card=given.pop("power", given.get("power_card") is not None),
        play_on=given.pop("play_on", False),
    )
    given["played"] = given.pop("earlier", ())
    thrown = given.pop("thrown", ("",) * len(hands))
    state = KraftkortState(
        options=options,
        hands=tuple(cards(hand) for hand in hands),
        thrown=tuple(cards(kept) for kept in thrown),
        stock=cards(given.pop("stock", "")),
        exchanging=given.pop("exchanging", False),
        turn=turn,
        round=plays(played),
        passed=passed,
        **given,
    )
    return Position(Setup(RULES, options, len(hands), FRENCH_DECK), 0, state)


def before_the_first_round(*hands: str, stock: str, power: bool = True, **given: Any) -> Position:
    """The last seat that has a hand written is asked for an exchange, unless `turn` says another."""
    given.setdefault("turn", len(hands) - 1)
    return at(*hands, stock=stock, exchanging=True, exchange=True, power=power, **given)


def play(written: str, counts: int | None = None) -> dict[str, object]:
    given: dict[str, object] = {"type": "play", "cards": written.split()}
    return given if counts is None else {**given, "as": counts}


def exchange(written: str) -> dict[str, object]:
    return {"type": "exchange", "cards": written.split()}


def made(position: Position, *given: object) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
    """The state after moves of the seats that may act, and the events of the last."""
    for move in given:
        (seat,) = position.to_act
        step = table.advance(position, Entry(seat, table.judge(position, seat, read_move(RULES, move))))
        position = step.after
    return step.after.state, step.events


def refused(position: Position, given: object) -> tuple[str, str, dict[str, object]]:
    """Code, explanation and facts."""
    before = position.state
    with pytest.raises(Refused) as caught:
        table.judge(position, position.state.turn, read_move(RULES, given))
    assert position.state == before
    return caught.value.code, caught.value.explanation, dict(caught.value.facts)


def legal(position: Position) -> list[KraftkortMove]:
    return list(RULES.legal_moves(position.state, position.state.turn))


def spelt(position: Position) -> list[str]:
    """The legal moves in short: the cards, and what they count for."""
    return [
        f"{' '.join(move.cards)}={move.counts}" if isinstance(move, KraftkortPlay) else "pass"
        for move in legal(position)
    ]


def dealt(seats: int, deck: tuple[str, ...] = FRENCH_DECK, **options: bool) -> Position:
    return table.lay_out(Setup(RULES, KraftkortOptions(**options), seats, deck))


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name, RULES.version) == ("kraftkort", "Kraftkort (Power Card)", 1)


def test_kk_01_the_pack_is_the_french_deck() -> None:
    assert RULES.deck(KraftkortOptions()) == FRENCH_DECK
    assert RULES.fixed_deck(KraftkortOptions()) is None
    assert RULES.warnings(KraftkortOptions()) == ()


def test_kk_01_twos_are_lowest_and_aces_highest() -> None:
    hand = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    going_up = at(hand, "", turn=0, played="1:9D, 1:TD")
    assert spelt(going_up) == ["TC=1", "JC=1", "QC=1", "KC=1", "AC=1", "pass"]
    going_down = at(hand, "", turn=0, played="1:5D, 1:4D")
    assert spelt(going_down) == ["2C=1", "3C=1", "4C=1", "pass"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_kk_02_thirteen_cards_to_each_seat_and_the_rest_is_the_stock(seats: int) -> None:
    state = dealt(seats, exchange=False, power_card=False).state
    hands = [
        "2C 2D 2H 2S 3C 3D 3H 3S 4C AC AD AH AS",
        "4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D",
        "7H 7S 8C 8D 8H 8S 9C 9D 9H 9S TC TD TH",
        "TS JC JD JH JS QC QD QH QS KC KD KH KS",
    ]
    assert state.hands == tuple(cards(hand) for hand in hands[:seats])
    assert state.stock == FRENCH_DECK[13 * seats :]
    assert state.thrown == ((),) * seats
    assert (state.round, state.passed, state.played, state.out) == ((), (), (), ())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_kk_02_seat_0_starts_the_first_round(seats: int) -> None:
    assert dealt(seats, exchange=False).to_act == (0,)
    assert dealt(seats, exchange=False, power_card=False).to_act == (0,)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_kk_02_two_to_four_play(seats: int) -> None:
    assert list(RULES.seats) == [2, 3, 4]
    with pytest.raises(ValueError, match=f"kraftkort is played by 2 to 4, not {seats}"):
        dealt(seats)


@pytest.mark.parametrize("given", [{}, {"exchange": False}, {"play_on": True}])
def test_kk_03_a_power_card_with_two_or_three_players_by_default(given: dict[str, bool]) -> None:
    options = KraftkortOptions(**given)
    for seats, default in [(2, True), (3, True), (4, False)]:
        resolved = RULES.resolve(options, seats)
        assert resolved == structs.replace(options, power_card=default)
        assert RULES.resolve(resolved, seats) == resolved


@pytest.mark.parametrize("seats", [2, 3])
def test_kk_03_the_power_card_may_be_chosen_with_two_or_three(seats: int) -> None:
    for chosen in (True, False):
        options = KraftkortOptions(power_card=chosen)
        assert RULES.resolve(options, seats) == options


def test_kk_03_a_power_card_with_four_players_is_refused() -> None:
    assert RULES.resolve(KraftkortOptions(power_card=False), 4) == KraftkortOptions(power_card=False)
    with pytest.raises(IllegalOptions) as caught:
        dealt(4, power_card=True)
    assert (caught.value.code, caught.value.explanation, dict(caught.value.facts)) == (
        "KK-3",
        "with 4 players the deck is used up and leaves no power card",
        {"seats": 4},
    )


def test_kk_03_with_four_players_the_exchange_is_passed_over() -> None:
    position = dealt(4, exchange=True)
    assert (position.to_act, position.state.exchanging, position.state.stock) == ((0,), False, ())
    assert position.state.power_card is None
    assert refused(position, exchange(""))[0] == "KK-4"
    assert legal(position)[0] == KraftkortPlay(("2C",), 1)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"exchange": 1}, "Expected `bool`, got `int`"),
        ({"power_card": None}, "Expected `bool`, got `null`"),
        ({"stock": True}, "Object contains unknown field `stock`"),
    ],
)
def test_kk_03_options_are_exactly_these(given: object, why: str) -> None:
    assert read_options(RULES, {}) == KraftkortOptions(exchange=True, power_card=UNSET, play_on=False)
    with pytest.raises(WrongForm) as caught:
        read_options(RULES, given)
    assert caught.value.explanation == why


@pytest.mark.parametrize("seats", [2, 3])
def test_kk_04_each_exchanges_once_the_dealer_first(seats: int) -> None:
    position, asked = dealt(seats), []
    while position.state.exchanging:
        asked.append(position.to_act)
        position = structs.replace(position, state=made(position, exchange(""))[0])
    assert asked == [(seat,) for seat in reversed(range(seats))]
    assert position.to_act == (0,)


def test_kk_04_cards_are_thrown_away_and_as_many_are_drawn() -> None:
    position = before_the_first_round("2C 2D 2H", "3C KH AD", stock="9S 4D 5D 6D 7D")
    after, events = made(position, exchange("AD 3C"))
    assert after.hands == (("2C", "2D", "2H"), ("4D", "9S", "KH"))
    assert after.thrown == ((), ("3C", "AD"))
    assert after.stock == ("5D", "6D", "7D")
    assert (after.exchanging, after.turn) == (True, 0)
    assert events == (KraftkortDrew(2, ("4D", "9S")),)


def test_kk_04_what_was_thrown_away_does_not_come_back() -> None:
    position = before_the_first_round("2C 2D", "3C KH", stock="9S 4D 5D", power=False)
    after, events = made(position, exchange("3C KH"), exchange("2C"))
    assert after.hands == (("2D", "5D"), ("4D", "9S"))
    assert after.thrown == (("2C",), ("3C", "KH"))
    assert (after.stock, after.exchanging, after.turn) == ((), False, 0)
    assert events == (KraftkortDrew(1, ("5D",)),)


def test_kk_04_nothing_may_be_exchanged() -> None:
    position = before_the_first_round("2C 2D", "3C KH", stock="9S 4D 5D")
    after, events = made(position, exchange(""))
    assert (after.hands, after.thrown, after.stock) == (position.state.hands, ((), ()), ("9S", "4D", "5D"))
    assert (after.exchanging, after.turn, events) == (True, 0, ())


def test_kk_04_every_subset_is_one_legal_move() -> None:
    position = before_the_first_round("", "3C 3S KH", stock="9S 4D 5D 6D 7D")
    assert [
        " ".join(move.cards or ()) for move in legal(position) if isinstance(move, KraftkortExchange)
    ] == [
        "",
        "3C",
        "3S",
        "KH",
        "3C 3S",
        "3C KH",
        "3S KH",
        "3C 3S KH",
    ]
    assert len(legal(position)) == 8
    assert len(set(legal(dealt(2)))) == len(legal(dealt(2))) == 8192


def test_kk_04_legal_moves_are_listed_lazily() -> None:
    moves = RULES.legal_moves(dealt(2).state, 1)
    assert list(islice(moves, 2)) == [KraftkortExchange(()), KraftkortExchange(("4D",))]
    assert sum(1 for _ in moves) == 8190


def test_kk_04_the_canonical_order_is_by_rank_and_suit() -> None:
    hand = cards("AH 2S 2C KD TC 9D JS")
    position = before_the_first_round("", " ".join(hand), stock=" ".join(["9S"] * 13))
    form = table.judge(position, 1, read_move(RULES, exchange(" ".join(hand))))
    assert form == KraftkortExchange(("2C", "2S", "9D", "TC", "JS", "KD", "AH"))


def test_kk_04_only_cards_of_the_hand() -> None:
    position = before_the_first_round("2C 2D", "3C KH", stock="9S 4D 5D 6D")
    assert refused(position, exchange("3C 2C 9S")) == (
        "KK-4",
        "not in your hand: 2C 9S",
        {"cards": ["2C", "9S"]},
    )


@pytest.mark.parametrize("given", [play("3C", 1), play("KS"), PASS])
def test_kk_04_the_exchange_comes_before_the_first_round(given: dict[str, object]) -> None:
    position = before_the_first_round("2C 2D", "3C KH", stock="9S 4D 5D 6D")
    assert refused(position, given) == ("KK-4", "the exchange comes before the first round", {})


@pytest.mark.parametrize("played", ["", "1:2D"])
def test_kk_04_there_is_no_exchange_later(played: str) -> None:
    position = at("3C KH", "2C", stock="9S 4D", exchange=True, power=False, played=played)
    for given in (exchange("3C"), exchange("")):
        assert refused(position, given) == ("KK-4", "cards are exchanged only before the first round", {})


def test_kk_04_without_the_option_there_is_no_exchange() -> None:
    position = dealt(2, exchange=False)
    assert position.state.exchanging is False
    assert refused(position, exchange(""))[0] == "KK-4"


@pytest.mark.parametrize(
    ("given", "why", "path"),
    [
        ({"cards": ["QH"]}, "Object missing required field `type`", "$"),
        ({"type": "exchange"}, "Object missing required field `cards`", "$"),
        ({"type": "exchange", "cards": [], "as": 1}, "Object contains unknown field `as`", "$"),
        ({"type": "exchange", "cards": "QH"}, "Expected `array`, got `str`", "$.cards"),
        ({"type": "exchange", "cards": None}, "Expected `array`, got `null`", "$.cards"),
        ({"type": "exchange", "cards": [None]}, "Expected `str`, got `null`", "$.cards[0]"),
        ({"type": "exchange", "cards": ["QH", "QH"]}, "A card is given twice", "$.cards"),
        ({"type": "play"}, "Object missing required field `cards`", "$"),
        ({"type": "play", "cards": None}, "Expected `array`, got `null`", "$.cards"),
        ({"type": "play", "cards": ["5H", "5S", "5H"]}, "A card is given twice", "$.cards"),
        ({"type": "play", "cards": ["5H"], "counts": 1}, "Object contains unknown field `counts`", "$"),
        ({"type": "play", "cards": ["5H"], "as": 1.5}, "Expected `int`, got `float`", "$.as"),
        ({"type": "play", "cards": ["5H"], "as": None}, "Expected `int`, got `null`", "$.as"),
        ({"type": "play", "cards": ["5H"], "as": "1"}, "Expected `int`, got `str`", "$.as"),
        ({"type": "pass", "cards": []}, "Object contains unknown field `cards`", "$"),
        ({"type": "drew", "count": 1, "cards": None}, "Invalid value 'drew'", "$.type"),
    ],
)
def test_kk_04_kk_08_kk_12_a_move_is_exactly_of_its_form(given: object, why: str, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert (caught.value.code, caught.value.explanation, caught.value.path) == ("FORM", why, path)


@pytest.mark.parametrize("card", ["1C", "Qh", "10H", "QH ", "QH\n", "7E", ""])
def test_kk_04_kk_08_a_card_is_written_as_a_rank_and_a_suit(card: str) -> None:
    for kind in ("exchange", "play"):
        with pytest.raises(WrongForm) as caught:
            read_move(RULES, {"type": kind, "cards": [card]})
        assert caught.value.path == "$.cards[0]"


def test_kk_05_no_more_than_are_left_in_the_stock() -> None:
    position = before_the_first_round("2C 2D", "3C 4C 5C KH", stock="9S 4D 5D", power=False)
    assert refused(position, exchange("3C 4C 5C KH")) == (
        "KK-5",
        "the stock has cards for an exchange of 3, not of 4",
        {"most": 3, "count": 4},
    )
    assert len(legal(position)) == 1 + 4 + 6 + 4
    assert made(position, exchange("3C 4C 5C"))[0].stock == ()


def test_kk_05_one_card_stays_for_the_power_card() -> None:
    position = before_the_first_round("2C 2D", "3C 4C 5C KH", stock="9S 4D 5D", power=True)
    assert refused(position, exchange("3C 4C 5C"))[2] == {"most": 2, "count": 3}
    assert len(legal(position)) == 1 + 4 + 6


def test_kk_05_the_hand_is_looked_at_before_the_stock() -> None:
    position = before_the_first_round("2C 2D", "3C 4C 5C", stock="9S 4D", power=True)
    assert refused(position, exchange("3C 2D"))[0] == "KK-4"
    assert refused(position, exchange("3C 4C"))[0] == "KK-5"


@pytest.mark.parametrize(("power_card", "most"), [(True, 12), (False, 13)])
def test_kk_05_three_players_have_a_stock_of_thirteen(power_card: bool, most: int) -> None:  # noqa: FBT001
    position = dealt(3, power_card=power_card)
    assert len(legal(position)) == sum(comb(13, size) for size in range(most + 1))
    largest = legal(position)[-1]
    assert isinstance(largest, KraftkortExchange)
    assert largest.cards is not None
    assert len(largest.cards) == most


def test_kk_05_who_can_exchange_nothing_is_passed_over() -> None:
    position = before_the_first_round("2C", "3C", "4C 5C", stock="9S 4D 5D", power=True)
    after, events = made(position, exchange("4C 5C"))
    assert (after.exchanging, after.turn, after.stock, after.power_card) == (False, 0, (), "5D")
    assert events == (KraftkortDrew(2, ("4D", "9S")), KraftkortPowerCard("5D"))
    assert after.thrown == ((), (), ("4C", "5C"))
    without = before_the_first_round("2C", "3C", "4C 5C", stock="9S 4D 5D", power=False)
    after, _ = made(without, exchange("4C 5C"))
    assert (after.exchanging, after.turn) == (True, 1)


def test_kk_06_the_top_card_of_the_stock_is_turned_up_after_the_exchanges() -> None:
    position = before_the_first_round("2C 2D", "3C KH", stock="9S 4D 5D 6D")
    first, _ = made(position, exchange("3C"))
    assert (first.power_card, first.stock) == (None, ("4D", "5D", "6D"))
    after, events = made(position, exchange("3C"), exchange("2D"))
    assert (after.power_card, after.stock, after.turn) == ("5D", ("6D",), 0)
    assert events == (KraftkortDrew(1, ("4D",)), KraftkortPowerCard("5D"))


def test_kk_06_it_is_turned_up_also_after_an_exchange_of_nothing() -> None:
    position = before_the_first_round("2C 2D", "3C KH", stock="9S 4D", turn=0)
    after, events = made(position, exchange(""))
    assert (after.power_card, after.stock, events) == ("9S", ("4D",), (KraftkortPowerCard("9S"),))


def test_kk_06_without_an_exchange_it_is_turned_up_at_the_deal() -> None:
    state = dealt(2, exchange=False).state
    assert (state.power_card, state.stock) == (FRENCH_DECK[26], FRENCH_DECK[27:])


def test_kk_06_without_the_option_there_is_none() -> None:
    state = dealt(2, exchange=False, power_card=False).state
    assert (state.power_card, state.stock) == (None, FRENCH_DECK[26:])
    after, events = made(dealt(2, power_card=False), exchange(""), exchange(""))
    assert (after.power_card, after.stock, events) == (None, FRENCH_DECK[26:], ())


def test_kk_06_it_is_not_in_play() -> None:
    position = at("TC 2C", "3C", power_card="TH")
    assert refused(position, play("TC TH"))[:2] == ("KK-8", "not in your hand: TH")


def test_kk_07_cards_of_its_rank_or_suit_may_be_played_as_two() -> None:
    position = at("5H 5S", "2C", power_card="TH")
    assert spelt(position) == ["5H=1", "5H=2", "5S=1", "5H 5S=2", "5H 5S=3"]


def test_kk_07_the_three_other_tens_count_for_three_to_six() -> None:
    position = at("TC TD TS 2C", "2D", power_card="TH")
    assert [move for move in spelt(position) if move.startswith("TC TD TS")] == [
        "TC TD TS=3",
        "TC TD TS=4",
        "TC TD TS=5",
        "TC TD TS=6",
    ]


@pytest.mark.parametrize("power_card", FRENCH_DECK)
def test_kk_07_a_card_alone_counts_for_two_exactly_by_rank_or_suit(power_card: str) -> None:
    for card in FRENCH_DECK:
        if card != power_card:
            doubled = card[0] in power_card or card[1] in power_card
            assert spelt(at(card, "2C", power_card=power_card)) == [
                f"{card}={n}" for n in (1, 2)[: 1 + doubled]
            ]


def test_kk_08_a_lead_is_one_or_more_cards_of_one_rank() -> None:
    assert spelt(at("5C 5H 9D 9S AC", "2C")) == [
        "5C=1",
        "5H=1",
        "5C 5H=2",
        "9D=1",
        "9S=1",
        "9D 9S=2",
        "AC=1",
    ]
    hand = "3C 4C 4D 5C 5D 5H 6C 6D 6H 6S"
    expected = [
        f"{' '.join(group)}={size}"
        for rank in "3456"
        for size in range(1, 5)
        for group in combinations([card for card in hand.split() if card[0] == rank], size)
    ]
    assert spelt(at(hand, "2C")) == expected
    assert len(expected) == 1 + 3 + 7 + 15


def test_kk_08_it_is_played_and_the_turn_passes() -> None:
    after, events = made(at("5C 5H 9D", "2C", "3C"), play("5C 5H", 2))
    assert after == at("9D", "2C", "3C", turn=1, played="0:5C 5H").state
    assert events == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_kk_08_the_turn_goes_round_in_seat_order(seats: int) -> None:
    position = at(*["2C 3C 4C"] * seats)
    for seat, card in [*((seat, "2C") for seat in range(seats)), (0, "3C")]:
        other = (seat + 1) % seats
        with pytest.raises(NotYourTurn) as turn:
            table.judge(position, other, KraftkortPass())
        assert turn.value.facts == {"seat": other, "to_act": [seat]}
        position = structs.replace(position, state=made(position, play(card))[0])
    assert position.to_act == (1,)


def test_kk_08_left_out_as_is_the_number_of_cards() -> None:
    position = at("5H 5S", "2C", power_card="TH")
    for given, counts in [(play("5S 5H"), 2), (play("5S 5H", 2), 2), (play("5S 5H", 3), 3)]:
        form = table.judge(position, 0, read_move(RULES, given))
        assert form == KraftkortPlay(("5H", "5S"), counts)
        assert table.stored_move(form) == {"type": "play", "cards": ("5H", "5S"), "as": counts}


def test_kk_08_only_cards_of_the_hand_and_of_one_rank() -> None:
    position = at("5C 5H 9D", "5S", stock="5D", power=False)
    assert refused(position, play("5C 5D 5S")) == (
        "KK-8",
        "not in your hand: 5D 5S",
        {"cards": ["5D", "5S"]},
    )
    assert refused(position, play("9D 5C")) == (
        "KK-8",
        "these are not of one rank: 9D 5C",
        {"cards": ["9D", "5C"]},
    )
    assert refused(position, play("")) == ("KK-8", "a play is one card or more", {})
    assert refused(position, play("", 1))[0] == "KK-8"


@pytest.mark.parametrize(
    ("power_card", "written", "counts", "least", "most"),
    [
        (None, "5H", 2, 1, 1),
        (None, "5C 5H", 1, 2, 2),
        (None, "5C 5H", 3, 2, 2),
        ("TH", "5H", 3, 1, 2),
        ("TH", "5C", 2, 1, 1),
        ("TH", "5C 5H", 1, 2, 3),
        ("TH", "5C 5H", 4, 2, 3),
        ("TH", "TC TD TS", 2, 3, 6),
        ("TH", "TC TD TS", 7, 3, 6),
        ("TH", "TC TD TS", 52, 3, 6),
        (None, "5H", 0, 1, 1),
        ("TH", "5H", -1, 1, 2),
        (None, "5H", 10**30, 1, 1),
    ],
)
def test_kk_08_what_cards_can_count_for(
    power_card: str | None, written: str, counts: int, least: int, most: int
) -> None:
    position = at("5C 5H TC TD TS", "2C", power_card=power_card)
    assert refused(position, play(written, counts)) == (
        "KK-8",
        f"{written} can count for at least {least} and at most {most}, not for {counts}",
        {"cards": written.split(), "least": least, "most": most, "count": counts},
    )
    for allowed in range(least, most + 1):
        assert made(position, play(written, allowed))[0].round[0].counts == allowed


def test_kk_08_refuses_also_what_follows() -> None:
    position = at("5C 5H", "2C", played="1:4C=2, 1:6C 6D", power_card="TC")
    assert refused(position, play("5H", 2))[0] == "KK-8"
    assert refused(at("5H", "2C", played="1:4C 4D"), play("5H", 2))[0] == "KK-8"
    assert refused(at("9H", "2C", played="1:4C"), play("9H", 2))[0] == "KK-8"


def test_kk_09_what_follows_counts_for_as_many_as_the_lead() -> None:
    assert spelt(at("5C 5H 9C 9D 9H JS", "2C", played="1:4C 4D")) == [
        "5C 5H=2",
        "9C 9D=2",
        "9C 9H=2",
        "9D 9H=2",
        "pass",
    ]
    for given in (play("JS"), play("9C 9D 9H")):
        code, why, facts = refused(at("9C 9D 9H JS", "2C", played="1:4C 4D"), given)
        count = 1 if given == play("JS") else 3
        assert (code, why) == ("KK-9", f"the lead counts for 2, your play for {count}")
        assert facts == {"lead": 2, "count": count}


def test_kk_09_with_cards_played_as_two() -> None:
    position = at("5H 5S 9C 9D 9S TC", "2C", played="1:4H=2", power_card="TH")
    assert spelt(position) == ["5H=2", "5H 5S=2", "9C 9D=2", "9C 9S=2", "9D 9S=2", "TC=2", "pass"]
    assert refused(position, play("5H"))[0] == "KK-9"
    after, _ = made(position, play("TC", 2))
    assert after.round == plays("1:4H=2, 0:TC=2")


def test_kk_09_it_is_what_the_lead_counts_for_not_its_cards() -> None:
    position = at("5C 5D 5S", "2C", played="1:TC TD=4, 1:6H 6S KH=4", power_card="TH")
    assert refused(position, play("5C 5D 5S"))[2] == {"lead": 4, "count": 3}
    assert spelt(position) == ["pass"]


def test_kk_09_only_cards_of_the_hand_and_of_one_rank() -> None:
    position = at("5C 5H 9D", "5S", played="1:4C 4D")
    assert refused(position, play("5C 5S"))[:2] == ("KK-9", "not in your hand: 5S")
    assert refused(position, play("5C 9D"))[:2] == ("KK-9", "these are not of one rank: 5C 9D")
    assert refused(position, play(""))[:2] == ("KK-9", "a play is one card or more")


def test_kk_10_higher_than_the_lead_goes_up() -> None:
    position = at("2C 8C 8D 9C QS", "3C", played="1:7D")
    after, events = made(position, play("9C"))
    assert events == (KraftkortDirection("up"),)
    assert RULES.open_view(after).direction == "up"
    later = at("2C 8C 8D 9S QS", "3C", played="1:7D, 0:9C, 1:9D")
    assert spelt(later) == ["9S=1", "QS=1", "pass"]
    assert refused(later, play("8C")) == (
        "KK-10",
        "the round goes up, and 8C would go down from 9D",
        {"cards": ["8C"], "last": ["9D"]},
    )
    assert made(later, play("QS"))[1] == ()


def test_kk_10_lower_than_the_lead_goes_down() -> None:
    position = at("2C 6C 8C QS", "3C", played="1:7D 7S")
    assert made(at("6C 6D 8C", "3C", played="1:7D 7S"), play("6C 6D"))[1] == (KraftkortDirection("down"),)
    later = at("2C 2D 6C 6H 8C 8D", "3C", played="1:7D 7S, 0:5C 5D")
    assert spelt(later) == ["2C 2D=2", "pass"]
    assert refused(later, play("6C 6H"))[:2] == (
        "KK-10",
        "the round goes down, and 6C 6H would go up from 5C 5D",
    )
    assert refused(position, play("2C"))[0] == "KK-9"


def test_kk_10_the_last_play_counts_and_not_the_lead() -> None:
    position = at("8C JC", "3C", played="1:7D, 0:9C, 1:TD")
    assert spelt(position) == ["JC=1", "pass"]


def test_kk_10_what_it_counts_for_is_looked_at_first() -> None:
    position = at("5C 5D", "3C", played="1:7D, 0:9C")
    assert refused(position, play("5C 5D"))[0] == "KK-9"
    assert refused(position, play("5C"))[0] == "KK-10"


def test_kk_11_the_same_rank_may_always_be_played() -> None:
    assert spelt(at("7C 9C", "3C", played="1:7D, 0:9H")) == ["9C=1", "pass"]
    assert spelt(at("7C 9C", "3C", played="1:9H, 0:7D")) == ["7C=1", "pass"]
    after, events = made(at("7C 9C 2S", "3C", played="1:9H, 1:7D"), play("7C"))
    assert (after.round[-1].cards, events) == (("7C",), ())


def test_kk_11_with_only_the_leads_rank_there_is_no_direction() -> None:
    for played in ("1:7D", "1:7D, 0:7H", "1:7D, 0:7H, 1:7S"):
        position = at("2C 7C AC", "3C", played=played)
        assert spelt(position) == ["2C=1", "7C=1", "AC=1", "pass"]
        assert RULES.view(position.state, 0).direction is None
        assert made(position, play("7C"))[1] == ()
        assert made(position, play("AC"))[1] == (KraftkortDirection("up"),)
        assert made(position, play("2C"))[1] == (KraftkortDirection("down"),)


def test_kk_12_pass_is_always_allowed_but_for_the_leader() -> None:
    assert refused(at("5C", "2C"), PASS) == ("KK-12", "who leads a round cannot pass", {})
    assert KraftkortPass() not in legal(at("5C", "2C"))
    for hand in ("5C", "AC"):
        assert legal(at(hand, "2C", played="1:4D, 0:9D, 1:TD"))[-1] == KraftkortPass()


def test_kk_12_who_passes_is_out_until_the_round_ends() -> None:
    position = at("9C AC", "9D", "9H AH", played="0:2C, 1:3C", turn=2)
    after, events = made(position, PASS)
    assert after == at("9C AC", "9D", "9H AH", played="0:2C, 1:3C", turn=0, passed=(2,)).state
    assert events == ()
    after, _ = made(position, PASS, play("9C"), PASS)
    assert after.turn == 0
    assert (after.round, after.passed) == ((), ())
    later, _ = made(at("9C AC", "9D 9S", "9H AH", played="0:2C, 1:3C", turn=2), PASS, play("9C"), play("9D"))
    assert (later.turn, later.passed) == (0, (2,))


def test_kk_13_the_round_ends_when_all_others_have_passed() -> None:
    position = at("9C", "9D", "9H", "9S", played="0:2C, 1:3C", turn=2)
    after, events = made(position, PASS, PASS)
    assert (after.turn, after.passed, after.round) == (0, (2, 3), plays("0:2C, 1:3C"))
    assert events == ()
    after, events = made(position, PASS, PASS, PASS)
    assert after == at("9C", "9D", "9H", "9S", turn=1, earlier=("2C", "3C")).state
    assert events == (KraftkortRoundEnded(1),)


def test_kk_13_who_played_last_starts_the_next_also_by_the_lead_alone() -> None:
    after, events = made(at("9C 2C", "9D"), play("2C"), PASS)
    assert (after.turn, after.round, after.played) == (0, (), ("2C",))
    assert events == (KraftkortRoundEnded(0),)
    after, _ = made(at("9C 2C", "9D 3D"), play("2C"), play("9D"), PASS)
    assert (after.turn, after.played) == (1, ("2C", "9D"))


def test_kk_13_a_new_round_has_no_direction() -> None:
    after, _ = made(at("2C 3S 9C", "3D 9D KD"), play("2C"), play("3D"), PASS, play("9D"))
    assert spelt(structs.replace(at("", ""), state=after)) == ["3S=1", "9C=1", "pass"]
    after, _ = made(at("2C 3S 9C", "3D 9D KD"), play("2C"), play("3D"), PASS, play("9D"), PASS)
    assert after.played == ("2C", "3D", "9D")


def test_kk_13_with_play_on_the_next_who_has_cards_starts() -> None:
    position = at("9C", "4C", "9H", "", played="0:2C", turn=1, play_on=True, out=(3,))
    after, events = made(position, play("4C"))
    assert (after.out, after.turn) == ((3, 1), 2)
    assert events == (KraftkortDirection("up"), KraftkortOut(2))
    after, events = made(position, play("4C"), PASS, PASS)
    assert (after.turn, after.round, after.passed) == (2, (), ())
    assert events == (KraftkortRoundEnded(2),)


def test_kk_13_who_is_out_counts_neither_as_passed_nor_as_waiting() -> None:
    position = at("9C 9D", "", "9H AH", "9S", played="2:2C, 3:3C", turn=0, play_on=True, out=(1,))
    after, events = made(position, play("9C"))
    assert (after.turn, events) == (2, ())
    after, events = made(position, PASS, PASS)
    assert (after.turn, events) == (3, (KraftkortRoundEnded(3),))


def test_kk_13_with_play_on_the_round_may_end_at_once_after_a_play() -> None:
    position = at("9C JC", "", "9H AH", played="2:2C, 1:3C", turn=0, passed=(2,), play_on=True, out=(1,))
    after, events = made(position, play("9C"))
    assert (after.turn, after.round, after.passed) == (0, (), ())
    assert after.played == ("2C", "3C", "9C")
    assert events == (KraftkortRoundEnded(0),)
    position = at("9C", "", "9H AH", "KS", played="2:2C, 1:3C", passed=(2, 3), play_on=True, out=(1,))
    after, events = made(position, play("9C"))
    assert (after.turn, after.out) == (2, (1, 0))
    assert events == (KraftkortOut(2), KraftkortRoundEnded(2))


def test_kk_14_the_first_without_cards_wins_and_the_game_ends() -> None:
    after, events = made(at("9C", "9D JD", "9H KH AH"), play("9C"))
    assert RULES.to_act(after) == ()
    assert events == (KraftkortOut(1),)
    assert RULES.outcome(after) == Outcome((1, 2, 2), ("win", "loss", "loss"), (0, 2, 3))


def test_kk_14_nothing_is_accepted_after_the_end() -> None:
    after, _ = made(at("9C", "9D JD", "9H KH AH"), play("9C"))
    for seat in range(3):
        assert list(RULES.legal_moves(after, seat)) == []
        with pytest.raises(GameOver):
            table.judge(structs.replace(at(""), state=after), seat, KraftkortPass())


def test_kk_14_with_play_on_the_others_go_on() -> None:
    position = at("9C", "TD", "9H KH", "2S", play_on=True)
    after, events = made(position, play("9C"))
    assert (RULES.to_act(after), after.out, events) == ((1,), (0,), (KraftkortOut(1),))
    assert RULES.outcome(after) is None
    after, events = made(position, play("9C"), play("TD"), PASS, PASS)
    assert (after.turn, after.out, RULES.outcome(after)) == (2, (0, 1), None)
    assert events == (KraftkortRoundEnded(2),)
    after, events = made(position, play("9C"), play("TD"), PASS, PASS, play("9H"), play("2S"))
    assert events == (KraftkortDirection("down"), KraftkortOut(3))
    assert RULES.to_act(after) == ()
    assert RULES.outcome(after) == Outcome((1, 2, 4, 3), ("win", "loss", "loss", "loss"), (0, 0, 1, 0))


@pytest.mark.parametrize(("out", "place"), [((2, 0), (2, 3, 1)), ((1, 2), (3, 1, 2)), ((0, 1), (1, 2, 3))])
def test_kk_14_with_play_on_places_are_in_the_order_of_getting_out(
    out: tuple[int, ...], place: tuple[int, ...]
) -> None:
    hands = ["" if seat in out else "2C 3C" for seat in range(3)]
    outcome = RULES.outcome(at(*hands, play_on=True, out=out).state)
    assert outcome is not None
    assert outcome.place == place
    assert outcome.result == tuple("win" if number == 1 else "loss" for number in place)


@pytest.mark.parametrize("play_on", [False, True])
def test_kk_14_with_two_players_playing_on_changes_nothing(play_on: bool) -> None:  # noqa: FBT001
    after, events = made(at("9C", "9D JD", play_on=play_on), play("9C"))
    assert events == (KraftkortOut(1),)
    assert RULES.outcome(after) == Outcome((1, 2), ("win", "loss"), (0, 2))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("play_on", [False, True])
def test_kk_14_every_game_comes_to_its_end(seats: int, play_on: bool) -> None:  # noqa: FBT001
    for seed in range(15):
        rng = Random(seed)
        deck = rng.sample(FRENCH_DECK, 52)
        position = dealt(seats, tuple(deck), play_on=play_on)
        while position.to_act:
            (seat,) = position.to_act
            moves = list(islice(RULES.legal_moves(position.state, seat), 300))
            position = table.advance(position, Entry(seat, rng.choice(moves))).after
            held = msgspec.to_builtins(position.state)
            assert Counter(within(held)) == Counter(FRENCH_DECK)
        left = [len(hand) for hand in position.state.hands]
        assert left.count(0) == (seats - 1 if play_on else 1)
        assert RULES.outcome(position.state).score == tuple(left)  # type: ignore[union-attr]


def within(value: Any) -> list[str]:
    """The cards that stand anywhere in a JSON value."""
    if isinstance(value, dict):
        return [card for inner in value.values() for card in within(inner)]
    if isinstance(value, list | tuple):
        return [card for inner in value for card in within(inner)]
    return [value] if value in IN_ORDER else []


def test_kk_15_the_score_is_the_number_of_cards_left_and_decides_nothing() -> None:
    outcome = RULES.outcome(at("", "9D", "9H KH AH", out=(0,)).state)
    assert outcome == Outcome((1, 2, 2), ("win", "loss", "loss"), (0, 1, 3))


OPEN = at(
    "4C 5D",
    "7C",
    "8C 9C TC",
    stock="5C 2H",
    thrown=("AS AH", "", "KS"),
    power_card="3D",
    played="2:4D=2, 0:6S 6H",
    passed=(1,),
    play_on=True,
)


def test_hidden_are_hands_the_stock_and_what_was_exchanged_away() -> None:
    whole = RULES.open_view(OPEN.state)
    assert whole == KraftkortView(
        hands=(
            KraftkortCards(2, ("4C", "5D")),
            KraftkortCards(1, ("7C",)),
            KraftkortCards(3, ("8C", "9C", "TC")),
        ),
        thrown=(KraftkortCards(2, ("AS", "AH")), KraftkortCards(0, ()), KraftkortCards(1, ("KS",))),
        stock=KraftkortCards(2, ("5C", "2H")),
        exchanging=False,
        power_card="3D",
        round=plays("2:4D=2, 0:6S 6H"),
        direction="up",
        passed=(1,),
        played=(),
        out=(),
    )
    for viewer in (0, 1, 2, None):
        assert RULES.view(OPEN.state, viewer) == structs.replace(
            whole,
            hands=tuple(
                shown if seat == viewer else KraftkortCards(shown.size, None)
                for seat, shown in enumerate(whole.hands)
            ),
            thrown=tuple(
                shown if seat == viewer else KraftkortCards(shown.size, None)
                for seat, shown in enumerate(whole.thrown)
            ),
            stock=KraftkortCards(2, None),
        )


def test_open_is_everything_when_the_game_is_over() -> None:
    state = at("", "7C", stock="5C 2H", thrown=("AS", "KS"), out=(0,)).state
    for viewer in (0, 1, None):
        assert RULES.view(state, viewer) == RULES.open_view(state)
        assert RULES.redeal(state, viewer, Random(1)) == state


def test_hidden_is_an_exchange_from_all_others_but_not_how_many_it_was() -> None:
    before = before_the_first_round("2C 2D", "3C KH", stock="9S 4D 5D 6D", turn=0).state
    move = KraftkortExchange(("2C", "2D"))
    events = (KraftkortDrew(2, ("4D", "9S")), KraftkortPowerCard("5D"))
    assert RULES.redact(before, 0, 0, move, events) == (move, events)
    for viewer in (1, None):
        assert RULES.redact(before, viewer, 0, move, events) == (
            KraftkortSeenExchange(None),
            (KraftkortDrew(2, None), KraftkortPowerCard("5D")),
        )
        nothing = (KraftkortExchange(()), (KraftkortPowerCard("9S"),))
        assert RULES.redact(before, viewer, 0, *nothing) == nothing


def test_open_is_all_that_is_played() -> None:
    steps: list[tuple[KraftkortMove, tuple[KraftkortEvent, ...]]] = [
        (KraftkortPlay(("6H",), 2), (KraftkortDirection("up"), KraftkortOut(1), KraftkortRoundEnded(0))),
        (KraftkortPass(), (KraftkortRoundEnded(1),)),
    ]
    for move, events in steps:
        for viewer in (0, 1, None):
            assert RULES.redact(OPEN.state, viewer, 0, move, events) == (move, events)


@pytest.mark.parametrize(
    ("turn", "power", "nothing"), [(1, True, False), (0, True, True), (1, False, False), (0, False, False)]
)
def test_an_exchange_may_reveal_what_is_drawn_and_the_last_the_power_card(
    turn: int,
    power: bool,  # noqa: FBT001
    nothing: bool,  # noqa: FBT001
) -> None:
    hands = ("2C 2D", "3C KH")
    state = before_the_first_round(*hands, stock="9S 4D 5D 6D", turn=turn, power=power).state
    own = cards(hands[turn])
    assert RULES.may_reveal(state, turn, KraftkortExchange(own[:1])) is True
    assert RULES.may_reveal(state, turn, KraftkortExchange(own)) is True
    assert RULES.may_reveal(state, turn, KraftkortExchange(())) is nothing
    assert RULES.may_reveal(state, turn, KraftkortPass()) is False
    later = at(*hands, stock="9S 4D", exchange=True, power=power)
    assert RULES.may_reveal(later.state, turn, KraftkortExchange(own)) is False


def test_a_play_reveals_only_where_it_may_end_the_game() -> None:
    def reveals(position: Position, *moves: KraftkortMove) -> list[bool]:
        return [RULES.may_reveal(position.state, 0, move) for move in moves]

    all_of_it, part = KraftkortPlay(("9D", "9C")), KraftkortPlay(("9C",), 1)
    assert reveals(at("9C 9D", "2C", "3C"), all_of_it, part, KraftkortPass()) == [True, False, False]
    assert reveals(at("9C 9D", "2C", "3C", play_on=True), all_of_it, part) == [False, False]
    assert reveals(at("9C 9D", "2C", "", play_on=True, out=(2,)), all_of_it, part) == [True, False]
    assert reveals(at("9C 9D", "2C", play_on=True), all_of_it, KraftkortPlay((), 1)) == [True, False]


def test_a_redeal_keeps_what_the_viewer_sees() -> None:
    seen = {RULES.redeal(OPEN.state, 0, Random(seed)) for seed in range(200)}
    assert len(seen) > 100
    for other in seen:
        assert RULES.view(other, 0) == RULES.view(OPEN.state, 0)
        assert (other.hands[0], other.thrown[0]) == (("4C", "5D"), ("AS", "AH"))
        assert Counter(within(msgspec.to_builtins(other))) == Counter(within(msgspec.to_builtins(OPEN.state)))
    hidden = {"7C", "8C", "9C", "TC", "5C", "2H", "KS"}
    assert {card for other in seen for card in other.hands[1]} == hidden
    assert {card for other in seen for card in other.thrown[2]} == hidden
    assert {card for other in seen for card in other.stock} == hidden


def test_a_redeal_for_a_spectator_keeps_no_hand() -> None:
    seen = {RULES.redeal(OPEN.state, None, Random(seed)) for seed in range(200)}
    assert {card for other in seen for card in other.hands[0]} == {
        *("4C", "5D", "7C", "8C", "9C", "TC", "AS", "AH", "KS", "5C", "2H")
    }
    assert {RULES.view(other, None) for other in seen} == {RULES.view(OPEN.state, None)}
    assert {tuple(sorted(hand, key=IN_ORDER.index)) for other in seen for hand in other.hands} == {
        hand for other in seen for hand in other.hands
    }


def test_legal_moves_are_of_the_seat_that_may_act() -> None:
    assert list(RULES.legal_moves(at("5D", "7C").state, 1)) == []
    assert list(RULES.legal_moves(dealt(2).state, 0)) == []


LAST_WORDS = (
    "seat 1 plays 5H, the round goes down, has no cards left and takes place 2, "
    "the round ends and seat 3 starts another"
)


@pytest.mark.parametrize(
    ("move", "events", "words"),
    [
        (
            KraftkortExchange(("2C", "3D")),
            (KraftkortDrew(2, ("9S", "KD")),),
            "seat 1 throws away 2C 3D, draws 9S KD",
        ),
        (KraftkortSeenExchange(None), (KraftkortDrew(1, None),), "seat 1 makes an exchange, draws 1 card"),
        (
            KraftkortSeenExchange(None),
            (KraftkortDrew(2, None), KraftkortPowerCard("TH")),
            "seat 1 makes an exchange, draws 2 cards, the power card is TH",
        ),
        (KraftkortExchange(()), (), "seat 1 exchanges no card"),
        (KraftkortPlay(("5H", "5S"), 2), (), "seat 1 plays 5H 5S"),
        (KraftkortPlay(("5H", "5S")), (), "seat 1 plays 5H 5S"),
        (
            KraftkortPlay(("5H", "5S"), 3),
            (KraftkortDirection("up"),),
            "seat 1 plays 5H 5S as 3, the round goes up",
        ),
        (
            KraftkortPlay(("5H",), 1),
            (KraftkortDirection("down"), KraftkortOut(2), KraftkortRoundEnded(3)),
            LAST_WORDS,
        ),
        (KraftkortPass(), (), "seat 1 passes"),
    ],
)
def test_a_move_has_words(move: KraftkortMove, events: tuple[KraftkortEvent, ...], words: str) -> None:
    assert said(RULES.describe(1, move, events)) == words


def test_a_state_does_not_show_its_cards_in_print() -> None:
    state = dealt(2).state
    assert repr(state) == str(state) == "<KraftkortState, seat 1 to move>"


def test_there_is_no_notation() -> None:
    assert RULES.has_notation is False
    with pytest.raises(WrongForm, match="kraftkort has no notation of its own"):
        RULES.parse("QH")
