"""Sicksack, clause by clause."""

from random import Random

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
from games.rules.sicksack import (
    Sicksack,
    SicksackCards,
    SicksackChance,
    SicksackDrew,
    SicksackEvent,
    SicksackMove,
    SicksackOptions,
    SicksackPlay,
    SicksackState,
    SicksackTake,
    SicksackTook,
    SicksackTurned,
    SicksackView,
)
from games.table import Entry, Position, Setup

RULES = Sicksack()
CHANCE, TAKE = {"type": "chance"}, {"type": "take"}


def cards(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def at(
    *hands: str, stock: str = "", pile: str = "", score_piles: tuple[str, ...] = (), turn: int = 0
) -> Position:
    """A position with a hand for each seat; piles are written bottom first, the stock top first."""
    state = SicksackState(
        hands=tuple(cards(hand) for hand in hands),
        stock=cards(stock),
        pile=cards(pile),
        score_piles=tuple(cards(taken) for taken in score_piles) or ((),) * len(hands),
        turn=turn,
    )
    return Position(Setup(RULES, SicksackOptions(), len(hands), FRENCH_DECK), 0, state)


def play(card: str) -> dict[str, object]:
    return {"type": "play", "card": card}


def made(position: Position, given: object) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
    """The state after a move of the seat that may act, and its events."""
    (seat,) = position.to_act
    step = table.advance(position, Entry(seat, table.judge(position, seat, read_move(RULES, given))))
    return step.after.state, step.events


def refused(position: Position, given: object) -> tuple[str, str, dict[str, object]]:
    """Code, explanation and facts."""
    before = position.state
    with pytest.raises(Refused) as caught:
        table.judge(position, position.state.turn, read_move(RULES, given))
    assert position.state == before
    return caught.value.code, caught.value.explanation, dict(caught.value.facts)


def legal(position: Position) -> list[SicksackMove]:
    return list(RULES.legal_moves(position.state, position.state.turn))


def test_the_game_has_its_names() -> None:
    assert (RULES.slug, RULES.name) == ("sicksack", "Sicksack (Zigzag)")


def test_ss_01_the_pack_is_the_french_deck() -> None:
    assert RULES.deck(SicksackOptions()) == FRENCH_DECK
    assert len(set(FRENCH_DECK)) == 52


def test_ss_01_there_are_no_options() -> None:
    assert read_options(RULES, {}) == SicksackOptions()
    assert RULES.fixed_deck(SicksackOptions()) is None
    assert RULES.warnings(SicksackOptions()) == ()
    with pytest.raises(WrongForm, match="Object contains unknown field `deal`"):
        read_options(RULES, {"deal": 1})


def test_ss_01_the_ace_is_low_only() -> None:
    assert refused(at("AC", "", pile="KD"), play("AC"))[0] == "SS-4"
    assert refused(at("KC", "", pile="AS"), play("KC"))[0] == "SS-4"
    assert made(at("AC 2C", "3C", pile="AS"), play("AC"))[0].pile == ("AS", "AC")


def test_ss_01_suits_matter_by_colour_only() -> None:
    for top in ("8C", "8S"):
        assert legal(at("7C 7D 9C", "AC", pile=top)) == [SicksackPlay("7C"), SicksackPlay("7D")]
    for top in ("8D", "8H"):
        assert legal(at("7C 9C 9D", "AC", pile=top)) == [SicksackPlay("9C"), SicksackPlay("9D")]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_ss_02_three_cards_to_each_seat_and_seat_0_starts(seats: int) -> None:
    state = RULES.deal(SicksackOptions(), seats, FRENCH_DECK)
    hands = ["AC AD AH", "AS 2C 2D", "2H 2S 3C", "3D 3H 3S", "4C 4D 4H", "4S 5C 5D"]
    assert state.hands == tuple(cards(hand) for hand in hands[:seats])
    assert state.stock == FRENCH_DECK[3 * seats :]
    assert (state.pile, state.score_piles, state.turn) == ((), ((),) * seats, 0)
    assert RULES.to_act(state) == (0,)


def test_ss_02_a_hand_is_kept_in_order_of_rank_and_suit() -> None:
    deck = cards("KS AD AC") + cards("TH TC 9S")
    state = RULES.deal(SicksackOptions(), 2, deck)
    assert state.hands == (("AC", "AD", "KS"), ("9S", "TC", "TH"))


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_ss_02_two_to_six_play(seats: int) -> None:
    assert list(RULES.seats) == [2, 3, 4, 5, 6]
    with pytest.raises(ValueError, match=f"sicksack is played by 2 to 6, not {seats}"):
        table.lay_out(Setup(RULES, SicksackOptions(), seats, FRENCH_DECK))


def test_ss_03_on_an_empty_pile_any_card_may_be_played() -> None:
    for card in FRENCH_DECK:
        position = at(card, "5C" if card != "5C" else "6C", stock="7C")
        assert legal(position) == [SicksackPlay(card), SicksackChance()]
        assert made(position, play(card))[0].pile == (card,)


def fits(card: str, top: str) -> bool:
    """SS-4, written out apart from the module."""
    from_there_up = {
        "A": "A23456789TJQK",
        "2": "23456789TJQK",
        "3": "3456789TJQK",
        "4": "456789TJQK",
        "5": "56789TJQK",
        "6": "6789TJQK",
        "7": "789TJQK",
        "8": "89TJQK",
        "9": "9TJQK",
        "T": "TJQK",
        "J": "JQK",
        "Q": "QK",
        "K": "K",
    }
    if top[1] in "DH":
        return card[0] in from_there_up[top[0]]
    return top[0] in from_there_up[card[0]]


@pytest.mark.parametrize("top", FRENCH_DECK)
def test_ss_04_red_goes_up_and_black_goes_down(top: str) -> None:
    for card in FRENCH_DECK:
        position = at(card, "", pile=top)
        assert (SicksackPlay(card) in legal(position)) == fits(card, top)
        if fits(card, top):
            assert made(position, play(card))[0].pile == (top, card)
            continue
        colour, lies = ("red", "lower") if top[1] in "DH" else ("black", "higher")
        assert refused(position, play(card)) == (
            "SS-4",
            f"the pile shows {top}, a {colour} card; {card} is {lies}",
            {"top": top, "card": card},
        )


def test_ss_04_the_example_of_the_queens() -> None:
    def playable(top: str) -> str:
        hand = " ".join(card for card in FRENCH_DECK if card[1] == "C")
        return "".join(
            move.card[0] for move in legal(at(hand, "", pile=top)) if isinstance(move, SicksackPlay)
        )

    assert playable("QH") == "QK"
    assert playable("QS") == "A23456789TJQ"


def test_ss_04_only_the_top_card_counts() -> None:
    assert legal(at("2C 9C", "AC", pile="KH 2S 5D")) == [SicksackPlay("9C")]
    assert legal(at("2C 9C", "AC", pile="5D 2H KS")) == [SicksackPlay("2C"), SicksackPlay("9C")]


def test_ss_05_a_card_from_the_hand_is_played_and_the_turn_passes() -> None:
    after, events = made(at("5D 6C", "7C", pile="4H"), play("6C"))
    assert after == at("5D", "7C", pile="4H 6C", turn=1).state
    assert events == ()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_ss_05_turns_go_round_in_seat_order(seats: int) -> None:
    position = at(*["5D 5H"] * seats)
    for seat, card in [*((seat, "5D") for seat in range(seats)), (0, "5H")]:
        other = (seat + 1) % seats
        with pytest.raises(NotYourTurn) as turn:
            table.judge(position, other, SicksackPlay("5D"))
        assert turn.value.explanation == f"seat {other} may not act now"
        assert turn.value.facts == {"seat": other, "to_act": [seat]}
        position = msgspec.structs.replace(position, state=made(position, play(card))[0])
    assert position.to_act == (1,)


def test_ss_05_a_card_not_in_the_hand_is_refused() -> None:
    position = at("5D 6C", "7C", stock="8C", pile="4H")
    for elsewhere in ("7C", "8C", "4H", "KS"):
        assert refused(position, play(elsewhere)) == (
            "SS-5",
            f"{elsewhere} is not in your hand",
            {"card": elsewhere},
        )


def test_ss_05_the_hand_is_looked_at_before_the_pile() -> None:
    assert refused(at("5D", "3C", pile="4H"), play("3C"))[0] == "SS-5"
    assert refused(at("3C 5D", "6C", pile="4H"), play("3C"))[0] == "SS-4"


@pytest.mark.parametrize(
    ("given", "why", "path"),
    [
        ({}, "Object missing required field `type`", "$"),
        ({"card": "QH"}, "Object missing required field `type`", "$"),
        ({"type": "play"}, "Object missing required field `card`", "$"),
        ({"type": "play", "card": "QH", "count": 1}, "Object contains unknown field `count`", "$"),
        ({"type": "chance", "card": "QH"}, "Object contains unknown field `card`", "$"),
        ({"type": "take", "seat": 0}, "Object contains unknown field `seat`", "$"),
        ({"type": "Play", "card": "QH"}, "Invalid value 'Play'", "$.type"),
        ({"type": "move", "from": "1", "to": "a"}, "Invalid value 'move'", "$.type"),
        ({"type": "drew", "card": "QH"}, "Invalid value 'drew'", "$.type"),
        ({"type": 1}, "Expected `str`, got `int`", "$.type"),
        ({"type": "play", "card": None}, "Expected `str`, got `null`", "$.card"),
        ({"type": "play", "card": ["QH"]}, "Expected `str`, got `array`", "$.card"),
        ([], "Expected `object`, got `array`", "$"),
        ("chance", "Expected `object`, got `str`", "$"),
        (None, "Expected `object`, got `null`", "$"),
    ],
)
def test_ss_05_a_move_is_exactly_of_its_form(given: object, why: str, path: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, given)
    assert (caught.value.code, caught.value.explanation, caught.value.path) == ("FORM", why, path)


@pytest.mark.parametrize(
    "card", ["", "1X", "XH", "QX", "hQ", "HQ", "qh", "Qh", " QH", "10H", "1H", "0H", "QHQH"]
)
def test_ss_05_a_card_is_written_as_a_rank_and_a_suit(card: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, play(card))
    assert caught.value.path == "$.card"


@pytest.mark.parametrize("card", ["QH\n", "QH ", "QH\x00"])
def test_ss_05_nothing_may_follow_a_card(card: str) -> None:
    with pytest.raises(WrongForm) as caught:
        read_move(RULES, play(card))
    assert caught.value.explanation == "Expected `str` of length <= 2"


def test_ss_06_after_a_play_the_player_draws_one_card() -> None:
    after, events = made(at("4C 5D 6C", "7C", stock="5C 2H", pile="4H"), play("6C"))
    assert after == at("4C 5C 5D", "7C", stock="2H", pile="4H 6C", turn=1).state
    assert events == (SicksackDrew("5C"),)


def test_ss_06_while_the_stock_lasts() -> None:
    after, events = made(at("4C 5D 6C", "7C", stock="5C", pile="4H"), play("6C"))
    assert (after.hands[0], after.stock) == (("4C", "5C", "5D"), ())
    after, events = made(at("4C 5D 6C", "7C", pile="4H"), play("6C"))
    assert (after.hands[0], events) == (("4C", "5D"), ())


def test_ss_07_the_top_card_of_the_stock_is_turned_up_and_fits() -> None:
    after, events = made(at("AC", "7C", stock="5C 2H", pile="KH 4H"), CHANCE)
    assert after == at("AC", "7C", stock="2H", pile="KH 4H 5C", turn=1).state
    assert events == (SicksackTurned("5C", fits=True),)


def test_ss_07_if_it_does_not_fit_the_pile_and_the_card_are_taken() -> None:
    position = at("AC", "7C", stock="3C 2H", pile="KH 4H", score_piles=("9S", "8S"))
    after, events = made(position, CHANCE)
    assert after == at("AC", "7C", stock="2H", score_piles=("9S KH 4H 3C", "8S"), turn=0).state
    assert events == (SicksackTurned("3C", fits=False), SicksackTook(("KH", "4H", "3C")))


def test_ss_07_on_an_empty_pile_it_always_fits() -> None:
    for card in FRENCH_DECK:
        after, events = made(at("AC", "7C", stock=card), CHANCE)
        assert (after.pile, after.turn) == ((card,), 1)
        assert events == (SicksackTurned(card, fits=True),)


def test_ss_07_it_is_allowed_also_when_a_card_in_hand_would_fit() -> None:
    assert legal(at("9C", "7C", stock="5C", pile="4H")) == [SicksackPlay("9C"), SicksackChance()]
    assert legal(at("3C", "7C", stock="5C", pile="4H")) == [SicksackChance(), SicksackTake()]


def test_ss_07_it_is_refused_when_the_stock_is_gone() -> None:
    assert refused(at("9C", "7C", pile="4H"), CHANCE) == ("SS-7", "the stock is gone", {})
    assert legal(at("9C", "7C", pile="4H")) == [SicksackPlay("9C")]


@pytest.mark.parametrize("pile", ["", "4H", "4S"])
def test_ss_07_nobody_draws_after_a_chance(pile: str) -> None:
    position = at("AC 2C 3C", "7C 8C 9C", stock="TC 2H 3H", pile=pile)
    after, events = made(position, CHANCE)
    assert after.hands == position.state.hands
    assert after.stock == ("2H", "3H")
    assert not any(isinstance(event, SicksackDrew) for event in events)


def test_ss_08_the_whole_pile_goes_to_the_score_pile() -> None:
    position = at("3C 2C", "7C", stock="5C", pile="KH 2S 4H", score_piles=("9S", ""))
    after, events = made(position, TAKE)
    assert after == at("3C 2C", "7C", stock="5C", score_piles=("9S KH 2S 4H", ""), turn=0).state
    assert events == (SicksackTook(("KH", "2S", "4H")),)


def test_ss_08_it_is_allowed_only_when_no_card_in_the_hand_fits() -> None:
    assert refused(at("3C 9C KS", "7C", stock="5C", pile="4H"), TAKE) == (
        "SS-8",
        "you can follow with 9C KS",
        {"cards": ["9C", "KS"]},
    )


def test_ss_08_nobody_takes_an_empty_pile() -> None:
    assert refused(at("3C", "7C", stock="5C"), TAKE)[:2] == ("SS-8", "you can follow with 3C")


@pytest.mark.parametrize("given", [CHANCE, TAKE])
def test_ss_09_who_took_starts_the_new_pile(given: dict[str, str]) -> None:
    position = at("3C", "2C", "AC", stock="AD 9S", pile="KH", turn=1)
    after, _ = made(position, given)
    assert (after.pile, RULES.to_act(after)) == ((), (1,))
    fresh = msgspec.structs.replace(position, state=after)
    assert legal(fresh) == [SicksackPlay("2C"), SicksackChance()]
    for started in (play("2C"), CHANCE):
        assert RULES.to_act(made(fresh, started)[0]) == (2,)


def test_ss_09_who_took_with_the_last_of_the_stock_plays() -> None:
    after, _ = made(at("3C", "7C", stock="AD", pile="KH"), CHANCE)
    assert legal(msgspec.structs.replace(at("3C", "7C"), state=after)) == [SicksackPlay("3C")]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_ss_10_when_the_stock_is_gone_every_hand_has_three_cards(seats: int) -> None:
    for seed in range(20):
        rng = Random(seed)
        deck = list(FRENCH_DECK)
        rng.shuffle(deck)
        position = table.lay_out(Setup(RULES, SicksackOptions(), seats, tuple(deck)))
        while position.state.stock:
            (seat,) = position.to_act
            position = table.advance(position, Entry(seat, rng.choice(legal(position)))).after
        assert [len(hand) for hand in position.state.hands] == [3] * seats

        turns = []
        while position.to_act:
            (seat,) = position.to_act
            chosen = rng.choice(legal(position))
            position = table.advance(position, Entry(seat, chosen)).after
            if isinstance(chosen, SicksackPlay):
                turns.append(seat)
        first = turns[0]
        assert turns == [(first + number) % seats for number in range(3 * seats)]


def test_ss_10_the_game_ends_when_the_last_hand_is_empty() -> None:
    position = at("", "", "9C", pile="4H", score_piles=("", "KS", ""), turn=2)
    assert RULES.outcome(position.state) is None
    after, _ = made(position, play("9C"))
    assert RULES.to_act(after) == ()
    assert list(RULES.legal_moves(after, 0)) == list(RULES.legal_moves(after, 2)) == []
    assert RULES.outcome(after) == Outcome((1, 3, 1), ("draw", "loss", "draw"), (0, 1, 0))


def test_ss_10_cards_then_in_the_pile_count_for_nobody() -> None:
    after, _ = made(at("9C", "", pile="2H 3H 4H", score_piles=("", "KS")), play("9C"))
    assert after.pile == ("2H", "3H", "4H", "9C")
    assert RULES.outcome(after) == Outcome((1, 2), ("win", "loss"), (0, 1))


def test_ss_10_nothing_is_accepted_after_the_end() -> None:
    position = at("", "", pile="4H")
    for seat in (0, 1):
        with pytest.raises(GameOver) as over:
            table.judge(position, seat, SicksackTake())
        assert (over.value.code, over.value.explanation, over.value.facts) == ("OVER", "the game is over", {})


@pytest.mark.parametrize(
    ("taken", "place", "result"),
    [
        ((0, 1), (1, 2), ("win", "loss")),
        ((2, 1), (2, 1), ("loss", "win")),
        ((3, 3), (1, 1), ("draw", "draw")),
        ((4, 2, 2), (3, 1, 1), ("loss", "draw", "draw")),
        ((1, 2, 2), (1, 2, 2), ("win", "loss", "loss")),
        ((5, 5, 1, 5), (2, 2, 1, 2), ("loss", "loss", "win", "loss")),
        ((7, 7, 3, 3, 9), (3, 3, 1, 1, 5), ("loss", "loss", "draw", "draw", "loss")),
        ((6, 5, 4, 3, 2, 1), (6, 5, 4, 3, 2, 1), ("loss", "loss", "loss", "loss", "loss", "win")),
        ((2, 2, 2, 2, 2, 2), (1, 1, 1, 1, 1, 1), ("draw",) * 6),
    ],
)
def test_ss_11_the_fewest_cards_win(
    taken: tuple[int, ...], place: tuple[int, ...], result: tuple[str, ...]
) -> None:
    pack = iter(FRENCH_DECK)
    score_piles = tuple(" ".join(next(pack) for _ in range(number)) for number in taken)
    position = at(*[""] * len(taken), score_piles=score_piles)
    outcome = RULES.outcome(position.state)
    assert outcome is not None
    assert (outcome.place, outcome.result, outcome.score) == (place, result, taken)


def test_hidden_are_the_hands_of_others_and_the_stock() -> None:
    position = at("4C 5D", "7C", stock="5C 2H", pile="4H", score_piles=("9S", "KS QS"))

    def view(*hands: SicksackCards) -> SicksackView:
        return SicksackView(hands, SicksackCards(2, None), ("4H",), (("9S",), ("KS", "QS")))

    assert RULES.view(position.state, 0) == view(SicksackCards(2, ("4C", "5D")), SicksackCards(1, None))
    assert RULES.view(position.state, 1) == view(SicksackCards(2, None), SicksackCards(1, ("7C",)))
    assert RULES.view(position.state, None) == view(SicksackCards(2, None), SicksackCards(1, None))
    assert RULES.open_view(position.state) == SicksackView(
        (SicksackCards(2, ("4C", "5D")), SicksackCards(1, ("7C",))),
        SicksackCards(2, ("5C", "2H")),
        ("4H",),
        (("9S",), ("KS", "QS")),
    )


def test_hidden_is_the_card_drawn_from_all_others() -> None:
    position = at("4C 5D", "7C", stock="5C", pile="4H")
    move, events = SicksackPlay("5D"), (SicksackDrew("5C"),)
    assert RULES.redact(position.state, 0, 0, move, events) == (move, events)
    for viewer in (1, None):
        assert RULES.redact(position.state, viewer, 0, move, events) == (move, (SicksackDrew(None),))


def test_open_are_the_card_turned_up_and_the_cards_taken() -> None:
    position = at("AC", "7C", stock="3C", pile="4H")
    events = (SicksackTurned("3C", fits=False), SicksackTook(("4H", "3C")))
    for viewer in (0, 1, None):
        assert RULES.redact(position.state, viewer, 0, SicksackChance(), events) == (SicksackChance(), events)


def test_a_move_that_draws_or_turns_up_a_card_reveals() -> None:
    moves: list[SicksackMove] = [SicksackPlay("5D"), SicksackPlay("KS"), SicksackChance(), SicksackTake()]

    def reveals(stock: str) -> list[bool]:
        state = at("4C 5D", "7C", stock=stock, pile="4H").state
        return [RULES.may_reveal(state, 0, move) for move in moves]

    assert reveals("8C") == [True, True, True, False]
    assert reveals("") == [False, False, False, False]


def test_a_redeal_keeps_what_the_viewer_sees() -> None:
    state = at("4C 5D", "7C 8C", stock="5C 2H 3H", pile="4H", score_piles=("9S", "")).state
    seen = {RULES.redeal(state, 0, Random(seed)) for seed in range(200)}
    assert {other.hands[0] for other in seen} == {("4C", "5D")}
    assert {card for other in seen for card in other.hands[1]} == {"7C", "8C", "5C", "2H", "3H"}
    assert len(seen) > 40
    to_a_spectator = {RULES.redeal(state, None, Random(seed)) for seed in range(200)}
    assert {card for other in to_a_spectator for card in other.hands[0]} == {
        card for hand in (*state.hands, state.stock) for card in hand
    }


def test_legal_moves_are_the_hand_in_order_then_chance_then_take() -> None:
    assert legal(at("5D 6C 9S", "7C", stock="8C", pile="5H")) == [
        SicksackPlay("5D"),
        SicksackPlay("6C"),
        SicksackPlay("9S"),
        SicksackChance(),
    ]
    assert list(RULES.legal_moves(at("5D", "7C", stock="8C").state, 1)) == []


@pytest.mark.parametrize(
    ("move", "events", "words"),
    [
        (SicksackPlay("6C"), (), "seat 1 plays 6C"),
        (SicksackPlay("6C"), (SicksackDrew("5C"),), "seat 1 plays 6C, draws 5C"),
        (SicksackPlay("6C"), (SicksackDrew(None),), "seat 1 plays 6C, draws a card"),
        (
            SicksackChance(),
            (SicksackTurned("5C", fits=True),),
            "seat 1 takes a chance, turns up 5C, which fits",
        ),
        (
            SicksackChance(),
            (SicksackTurned("3C", fits=False), SicksackTook(("4H", "3C"))),
            "seat 1 takes a chance, turns up 3C, which does not fit, takes 2 cards",
        ),
        (SicksackTake(), (SicksackTook(("4H",)),), "seat 1 cannot follow, takes 1 card"),
    ],
)
def test_a_move_has_words(move: SicksackMove, events: tuple[SicksackEvent, ...], words: str) -> None:
    assert said(RULES.describe(1, move, events)) == words


def test_a_state_does_not_show_its_cards_in_print() -> None:
    state = RULES.deal(SicksackOptions(), 2, FRENCH_DECK)
    assert repr(state) == str(state) == "<SicksackState, seat 0 to move>"


def test_there_is_no_notation() -> None:
    assert RULES.has_notation is False
    with pytest.raises(WrongForm, match="sicksack has no notation of its own"):
        RULES.parse("QH")
    with pytest.raises(NotImplementedError, match="sicksack has no notation of its own"):
        RULES.notate(at("4C", "7C").state, SicksackPlay("4C"))
