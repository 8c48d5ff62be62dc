"""Pyramidvändtia, clauses VP-1 to VP-19: what you cannot beat you take up, and the last cards lie in a pyramid.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import Annotated, Any, ClassVar, Literal, NoReturn, TypeAlias, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import FRENCH_DECK, Card, by_high_rank
from games.rules.contract import (
    IllegalMove,
    Outcome,
    Phrase,
    Refused,
    RuleSet,
    WrongForm,
    phrase,
    phrases,
    ranked,
)

T = TypeVar("T")

RANKS = "23456789TJQKA"  # VP-1
FIRST_HAND = 2  # VP-2
MOST_EXCHANGES = 10  # VP-3
DRAWN_UP_TO = 3  # VP-13
MOST_MOVES = 1000  # VP-19

Phase: TypeAlias = Literal["first_exchange", "second_exchange", "play"]
Cell: TypeAlias = tuple[
    Annotated[int, Meta(ge=0, le=3, description="The row, from the top.")],
    Annotated[int, Meta(ge=0, le=3, description="The place in the row, from the left.")],
]
Cards: TypeAlias = tuple[str, ...]
Pyramid: TypeAlias = tuple[str | None, ...]
"""The ten places in the order of `CELLS`, None where no card lies."""


class VandtiaPyramidOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Pyramidvändtia has no options."""


class VandtiaPyramidExchange(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="exchange"
):
    """VP-3, VP-6: a card of the hand for an open card of one's own."""

    hand: Card
    table: Cell


class VandtiaPyramidReady(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ready"):
    """VP-3, VP-6: no more exchanges."""


class VandtiaPyramidPlay(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """VP-9, VP-15: cards of one rank, all from the hand or all free and open in the pyramid."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=52, extra_json_schema={"uniqueItems": True})]


class VandtiaPyramidChance(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="chance"):
    """VP-14: turn up the top card of the stock."""


class VandtiaPyramidTake(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="take"):
    """VP-14, VP-16: take the pile up."""


class VandtiaPyramidFlip(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="flip"):
    """VP-15: turn up a free card of the pyramid that lies face down."""

    at: Cell


VandtiaPyramidMove: TypeAlias = (
    VandtiaPyramidExchange
    | VandtiaPyramidReady
    | VandtiaPyramidPlay
    | VandtiaPyramidChance
    | VandtiaPyramidTake
    | VandtiaPyramidFlip
)


class VandtiaPyramidTookUp(Struct, frozen=True, tag_field="type", tag="took_up"):
    """VP-3, VP-6: the open card that an exchange brought to the mover's hand."""

    card: Card


class VandtiaPyramidDealt(Struct, frozen=True, tag_field="type", tag="dealt"):
    """VP-5: the card at the top of a seat's pyramid, and the one to its hand; null to all others."""

    seat: int
    top: Card
    hand: Card | None


class VandtiaPyramidStarts(Struct, frozen=True, tag_field="type", tag="starts"):
    """VP-8: the play begins, and who starts."""

    seat: int


class VandtiaPyramidTurned(Struct, frozen=True, tag_field="type", tag="turned"):
    """VP-14, VP-15: the card that was turned up from the stock or the pyramid, and whether it can be played."""

    card: Card
    fits: bool


class VandtiaPyramidTurnedAway(Struct, frozen=True, tag_field="type", tag="turned_away"):
    """VP-10, VP-11: the pile that went out of the game, bottom card first."""

    cards: tuple[Card, ...]


class VandtiaPyramidDrew(Struct, frozen=True, tag_field="type", tag="drew"):
    """VP-13: how many cards the mover drew, and which; null to all others."""

    size: int
    cards: tuple[Card, ...] | None


class VandtiaPyramidTook(Struct, frozen=True, tag_field="type", tag="took"):
    """VP-14 to VP-16: the cards that went to the mover's hand, bottom card of the pile first."""

    cards: tuple[Card, ...]


class VandtiaPyramidOut(Struct, frozen=True, tag_field="type", tag="out"):
    """VP-17: the mover got out, as the first, second or third."""

    place: int


VandtiaPyramidEvent: TypeAlias = (
    VandtiaPyramidTookUp
    | VandtiaPyramidDealt
    | VandtiaPyramidStarts
    | VandtiaPyramidTurned
    | VandtiaPyramidTurnedAway
    | VandtiaPyramidDrew
    | VandtiaPyramidTook
    | VandtiaPyramidOut
)
Caused: TypeAlias = tuple[VandtiaPyramidEvent, ...]


class VandtiaPyramidState(Struct, frozen=True):
    """`hands` by seat, each in canonical order; `pyramids` by seat; `stock` top first, before the second deal
    all that is undealt; `pile` bottom first; `away` as it was turned away.

    `exchanging` are the seats not ready yet, `exchanges` how many each seat has made in the first exchange;
    `turn` counts from the start of the play on, `moves` those of the play; `out` in the order of getting out.
    """

    phase: Phase
    hands: tuple[Cards, ...]
    pyramids: tuple[Pyramid, ...]
    stock: Cards
    pile: Cards
    away: Cards
    exchanging: tuple[int, ...]
    exchanges: tuple[int, ...]
    turn: int
    moves: int
    out: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<VandtiaPyramidState, {self.phase}, {self.moves} moves played>"


After: TypeAlias = tuple[VandtiaPyramidState, Caused]


class VandtiaPyramidCards(Struct, frozen=True):
    """Cards that may be hidden: how many, and which (null to whom they are hidden)."""

    size: int
    cards: tuple[Card, ...] | None


class VandtiaPyramidPlace(Struct, frozen=True):
    """A place of a pyramid where a card lies: which, null while it lies face down."""

    at: Cell
    card: Card | None


class VandtiaPyramidView(Struct, frozen=True):
    """The table as one viewer sees it: `hands` and `pyramids` by seat; `stock` top first, before the second deal
    all that is undealt; `pile` bottom first; `away` what was turned away.

    `exchanges` are those each seat has made in the first exchange; `turn` is null before the play, `moves` counts
    those of the play; `out` are seats in the order of getting out.
    """

    phase: Phase
    hands: tuple[VandtiaPyramidCards, ...]
    pyramids: tuple[tuple[VandtiaPyramidPlace, ...], ...]
    stock: VandtiaPyramidCards
    pile: tuple[Card, ...]
    away: tuple[Card, ...]
    exchanges: tuple[int, ...]
    turn: int | None
    moves: int
    out: tuple[int, ...]


# VP-7: row k has k + 1 places. Rows 0 and 2 lie open, rows 1 and 3 face down (VP-2, VP-5).
CELLS: tuple[Cell, ...] = tuple((row, place) for row in range(4) for place in range(row + 1))
NUMBER: dict[tuple[int, int], int] = {cell: number for number, cell in enumerate(CELLS)}
ROWS = tuple(tuple(NUMBER[row, place] for place in range(row + 1)) for row in range(4))
TOP = NUMBER[0, 0]
OPEN = (*ROWS[0], *ROWS[2])
FACE_DOWN = (*ROWS[1], *ROWS[3])
NO_PYRAMID: Pyramid = (None,) * len(CELLS)

# VP-7: each place below the top with the places that cover it; at an edge one stands twice.
COVERED = tuple(
    (NUMBER[row, place], NUMBER[row - 1, max(place - 1, 0)], NUMBER[row - 1, min(place, row - 1)])
    for row, place in CELLS
    if row
)

# VP-8: the lowest card starts: threes first, by suit H S D C; twos and tens do not count.
START = {
    card: number
    for number, card in enumerate(rank + suit for rank in RANKS if rank not in "2T" for suit in "HSDC")
}
NO_START = len(START)

# VP-9, VP-10: the ranks that may be played on each rank: the same or higher, and twos and tens.
FOLLOWS = {top: frozenset(RANKS[RANKS.index(top) :] + "2T") for top in RANKS}
ANY_RANK = frozenset(RANKS)

ORDER = {card: number for number, card in enumerate(sorted(FRENCH_DECK, key=by_high_rank))}
in_order = ORDER.__getitem__

_READY, _CHANCE, _TAKE = VandtiaPyramidReady(), VandtiaPyramidChance(), VandtiaPyramidTake()
_FLIPS = {NUMBER[cell]: VandtiaPyramidFlip(cell) for cell in CELLS}
# VP-9: for the cards of one rank, all plays that can be made of them.
_PLAYS: dict[Cards, tuple[VandtiaPyramidPlay, ...]] = {
    held: tuple(VandtiaPyramidPlay(cards) for size in (1, 2, 3, 4) for cards in combinations(held, size))
    for rank in RANKS
    for count in (1, 2, 3, 4)
    for held in combinations([rank + suit for suit in "CDHS"], count)
}


def free_places(pyramid: Pyramid) -> list[int]:
    """VP-7: the places of the cards that no card covers."""
    if pyramid[TOP]:
        return [TOP]
    return [
        number
        for number, left, right in COVERED
        if pyramid[number] and not pyramid[left] and not pyramid[right]
    ]


def free_open_cards(pyramid: Pyramid) -> Cards:
    """VP-15: the free cards that lie face up, in canonical order."""
    free = [card for number in free_places(pyramid) if number in OPEN and (card := pyramid[number])]
    return tuple(sorted(free, key=in_order))


def starter(hands: Sequence[Cards]) -> tuple[int, str | None]:
    """VP-8: who starts and with which card; seat 0 with any where no hand has a card that counts."""
    lowest, seat = min((START.get(card, NO_START), seat) for seat, hand in enumerate(hands) for card in hand)
    if lowest == NO_START:
        return 0, None
    return seat, next(card for card in hands[seat] if START.get(card) == lowest)


def followers(pile: Cards) -> frozenset[str]:
    """VP-9, VP-10: the ranks that may be played on a pile."""
    return FOLLOWS[pile[-1][0]] if pile else ANY_RANK


def plays_of(cards: Cards, fits: frozenset[str]) -> list[VandtiaPyramidPlay]:
    """VP-9: every play of cards of one rank, out of cards in canonical order."""
    plays: list[VandtiaPyramidPlay] = []
    held: Cards = ()
    last = ""
    for card in cards:
        rank = card[0]
        if rank == last:
            held += (card,)
            continue
        if last in fits:
            plays += _PLAYS[held]
        held, last = (card,), rank
    if last in fits:
        plays += _PLAYS[held]
    return plays


class _Made:
    """A move of the play as it is made: what changes of the seat and the table, and the events."""

    __slots__ = ("again", "away", "events", "hand", "pile", "pyramid", "seat", "state", "stock")

    def __init__(self, state: VandtiaPyramidState, seat: int) -> None:
        self.state, self.seat = state, seat
        self.hand, self.pyramid = state.hands[seat], state.pyramids[seat]
        self.stock, self.pile, self.away = state.stock, state.pile, state.away
        self.again = False
        self.events: list[VandtiaPyramidEvent] = []

    def play(self, cards: Cards) -> None:
        """VP-9, from the hand; VP-15, from the pyramid without a hand."""
        if self.hand:
            self.hand = tuple([card for card in self.hand if card not in cards])
        else:
            self.pyramid = tuple([None if card in cards else card for card in self.pyramid])
        self.lay(cards)
        if self.stock and len(self.hand) < DRAWN_UP_TO:
            self.draw(DRAWN_UP_TO - len(self.hand))

    def lay(self, cards: Cards) -> None:
        """A ten (VP-10) and four of one rank on top of each other (VP-11) turn the pile away; VP-12."""
        self.pile = pile = self.pile + cards
        rank = cards[0][0]
        if rank == "T" or (len(pile) > 3 and pile[-2][0] == pile[-3][0] == pile[-4][0] == rank):
            self.away, self.pile, self.again = self.away + pile, (), True
            self.events.append(VandtiaPyramidTurnedAway(pile))

    def draw(self, count: int) -> None:
        """VP-13."""
        drawn, self.stock = self.stock[:count], self.stock[count:]
        self.hand = tuple(sorted(self.hand + drawn, key=in_order))
        self.events.append(VandtiaPyramidDrew(len(drawn), drawn))

    def turn_up(self, card: str) -> None:
        """VP-14, VP-15: a card turned up is played if it can be; if not, it is taken with the pile."""
        fits = card[0] in followers(self.pile)
        self.events.append(VandtiaPyramidTurned(card, fits))
        if fits:
            self.lay((card,))
        else:
            self.pile += (card,)
            self.take()

    def take(self) -> None:
        """VP-14, VP-16: the pile goes to the hand."""
        self.events.append(VandtiaPyramidTook(self.pile))
        self.hand, self.pile = tuple(sorted(self.hand + self.pile, key=in_order)), ()

    def end(self) -> After:
        """VP-12: who turned the pile away plays again; VP-17: who has no cards is out, and does not."""
        state, seat, out = self.state, self.seat, self.state.out
        if not self.hand and not any(self.pyramid):
            out = (*out, seat)
            self.events.append(VandtiaPyramidOut(len(out)))
        turn = seat
        if not self.again or seat in out:
            seats = len(state.hands)
            turn = (seat + 1) % seats
            while turn in out:
                turn = (turn + 1) % seats
        after = VandtiaPyramidState(
            phase="play",
            hands=_with(state.hands, seat, self.hand),
            pyramids=_with(state.pyramids, seat, self.pyramid),
            stock=self.stock,
            pile=self.pile,
            away=self.away,
            exchanging=(),
            exchanges=state.exchanges,
            turn=turn,
            moves=state.moves + 1,
            out=out,
        )
        return after, tuple(self.events)


def _fitting(pile: Cards, cards: Cards) -> list[str]:
    fits = followers(pile)
    return [card for card in cards if card[0] in fits]


def _with(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    return (*items[:number], item, *items[number + 1 :])


def _put(pyramid: Pyramid, number: int, card: str | None) -> tuple[str, Pyramid]:
    """The card that lay on a place, and the pyramid with another or none there."""
    lay = pyramid[number]
    assert lay is not None
    return lay, _with(pyramid, number, card)


def _written(cell: Cell) -> str:
    """A place as moves write it."""
    return "[{},{}]".format(*cell)


class VandtiaPyramid(
    RuleSet[
        VandtiaPyramidState,
        VandtiaPyramidOptions,
        VandtiaPyramidMove,
        VandtiaPyramidEvent,
        VandtiaPyramidView,
    ]
):
    """The rules of Pyramidvändtia."""

    slug = "vandtia-pyramid"
    name = "Pyramidvändtia"
    version = 1
    seats = range(2, 5)
    State = VandtiaPyramidState
    Options = VandtiaPyramidOptions
    Move: ClassVar[Any] = VandtiaPyramidMove
    Events: ClassVar[Any] = tuple[VandtiaPyramidEvent, ...]
    View = VandtiaPyramidView
    hides = True

    def deck(self, options: VandtiaPyramidOptions) -> tuple[str, ...]:
        """VP-1."""
        return FRENCH_DECK

    def deal(self, options: VandtiaPyramidOptions, seats: int, deck: Sequence[str]) -> VandtiaPyramidState:
        """VP-2: to each seat, seat by seat, row 3 and row 2 of the pyramid and two cards in hand."""
        cards = iter(deck)
        hands, pyramids = [], []
        for _ in range(seats):
            pyramid = list(NO_PYRAMID)
            for number in (*ROWS[3], *ROWS[2]):
                pyramid[number] = next(cards)
            pyramids.append(tuple(pyramid))
            hands.append(tuple(sorted((next(cards) for _ in range(FIRST_HAND)), key=in_order)))
        return VandtiaPyramidState(
            phase="first_exchange",
            hands=tuple(hands),
            pyramids=tuple(pyramids),
            stock=tuple(cards),
            pile=(),
            away=(),
            exchanging=tuple(range(seats)),
            exchanges=(0,) * seats,
            turn=0,
            moves=0,
            out=(),
        )

    def check_form(self, move: VandtiaPyramidMove) -> None:
        if isinstance(move, VandtiaPyramidPlay) and len(set(move.cards)) < len(move.cards):
            raise WrongForm("A card is given twice", "$.cards")

    def out_of_turn(self, state: VandtiaPyramidState, seat: int) -> Refused:
        """VP-3, VP-6: a seat that is ready already is told so."""
        match state.phase:
            case "first_exchange":
                return IllegalMove("VP-3", "you have ended your exchange")
            case "second_exchange":
                return IllegalMove("VP-6", "you have ended your exchange")
        return super().out_of_turn(state, seat)

    def check(self, state: VandtiaPyramidState, seat: int, move: VandtiaPyramidMove) -> None:
        if state.phase != "play":
            if state.phase == "first_exchange":
                self._check_first(state, seat, move)
            else:
                self._check_second(state, seat, move)
            return
        match move:
            case VandtiaPyramidPlay(cards):
                self._check_play(state, seat, cards)
            case VandtiaPyramidChance():
                self._check_chance(state, seat)
            case VandtiaPyramidTake():
                self._check_take(state, seat)
            case VandtiaPyramidFlip(at):
                self._check_flip(state, seat, at)
            case _:
                raise IllegalMove("VP-6", "the play has begun, and nothing is exchanged any more")

    def _check_first(self, state: VandtiaPyramidState, seat: int, move: VandtiaPyramidMove) -> None:
        match move:
            case VandtiaPyramidReady():
                return
            case VandtiaPyramidExchange(hand, table):
                if state.exchanges[seat] == MOST_EXCHANGES:
                    raise IllegalMove("VP-3", "you have made ten exchanges")
                if hand not in state.hands[seat]:
                    raise IllegalMove("VP-3", "{card} is not in your hand", card=hand)
                if NUMBER.get(table) not in ROWS[2]:
                    raise IllegalMove("VP-3", "there is no open card on {at}", at=_written(table))
            case _:
                raise IllegalMove("VP-3", "nothing is played before all have exchanged")

    def _check_second(self, state: VandtiaPyramidState, seat: int, move: VandtiaPyramidMove) -> None:
        match move:
            case VandtiaPyramidReady():
                return
            case VandtiaPyramidExchange(hand, table):
                if hand not in state.hands[seat]:
                    raise IllegalMove("VP-6", "{card} is not in your hand", card=hand)
                if NUMBER.get(table) != TOP:
                    raise IllegalMove(
                        "VP-6", "only the top card is exchanged now, not {at}", at=_written(table)
                    )
            case _:
                raise IllegalMove("VP-6", "nothing is played before all have exchanged")

    def _check_play(self, state: VandtiaPyramidState, seat: int, cards: Cards) -> None:
        hand, pyramid = state.hands[seat], state.pyramids[seat]
        held = hand or free_open_cards(pyramid)
        if missing := [card for card in cards if card not in held]:
            self._refuse_not_held(hand, pyramid, missing)
        if not cards:
            raise IllegalMove("VP-9", "a play has one card or more")
        rank = cards[0][0]
        for card in cards:
            if card[0] != rank:
                raise IllegalMove("VP-9", "{cards} are not of one rank", cards=list(cards))
        if state.moves == 0:
            self._check_start(state, cards)
        if rank not in followers(state.pile):
            top = state.pile[-1]
            raise IllegalMove("VP-9", "the pile shows {top}; {card} is lower", top=top, card=cards[0])

    def _refuse_not_held(self, hand: Cards, pyramid: Pyramid, missing: list[str]) -> NoReturn:
        """VP-15: no card of the pyramid while there is a hand, and without one none that is not free; VP-9."""
        if not hand:
            raise IllegalMove("VP-15", "{card} is not a free open card of your pyramid", card=missing[0])
        lying = {pyramid[number] for number in OPEN}
        for card in missing:
            if card in lying:
                raise IllegalMove(
                    "VP-15", "{card} lies in your pyramid, and you have cards in hand", card=card
                )
        raise IllegalMove("VP-9", "{card} is not in your hand", card=missing[0])

    def _check_start(self, state: VandtiaPyramidState, cards: Cards) -> None:
        """VP-8."""
        _, card = starter(state.hands)
        if card and card not in cards:
            raise IllegalMove("VP-8", "you hold the lowest card, {card}, and start with it", card=card)

    def _check_chance(self, state: VandtiaPyramidState, seat: int) -> None:
        """VP-14."""
        if not state.stock:
            raise IllegalMove("VP-14", "the stock is gone")
        if fitting := _fitting(state.pile, state.hands[seat]):
            raise IllegalMove("VP-14", "you can play {cards}", cards=fitting)

    def _check_take(self, state: VandtiaPyramidState, seat: int) -> None:
        """VP-14 with cards in hand, VP-16 without."""
        if state.hands[seat]:
            if fitting := _fitting(state.pile, state.hands[seat]):
                raise IllegalMove("VP-14", "you can play {cards}", cards=fitting)
            return
        if fitting := _fitting(state.pile, free_open_cards(state.pyramids[seat])):
            raise IllegalMove("VP-16", "you can play {cards}", cards=fitting)
        if not state.pile:
            raise IllegalMove("VP-16", "there is no pile to take up")

    def _check_flip(self, state: VandtiaPyramidState, seat: int, at: Cell) -> None:
        """VP-15."""
        number, pyramid = NUMBER.get(at), state.pyramids[seat]
        if state.hands[seat]:
            raise IllegalMove("VP-15", "you have cards in hand")
        if number is None or not pyramid[number]:
            raise IllegalMove("VP-15", "no card lies on {at}", at=_written(at))
        if number in OPEN:
            raise IllegalMove("VP-15", "the card on {at} lies face up", at=_written(at))
        if number not in free_places(pyramid):
            raise IllegalMove("VP-15", "the card on {at} is covered", at=_written(at))

    def legal_moves(self, state: VandtiaPyramidState, seat: int) -> Iterator[VandtiaPyramidMove]:
        """In an exchange by cards of the hand and places, then ready. In the play by rank, then by number of
        cards, then flips, then chance, then take."""
        if seat not in self.to_act(state):
            return
        if state.phase != "play":
            yield from self._legal_exchanges(state, seat)
            return
        hand, pyramid = state.hands[seat], state.pyramids[seat]
        plays = plays_of(hand or free_open_cards(pyramid), followers(state.pile))
        if state.moves == 0:
            _, first = starter(state.hands)
            plays = [play for play in plays if first is None or first in play.cards]
        yield from plays
        if not hand:
            yield from [_FLIPS[number] for number in free_places(pyramid) if number in FACE_DOWN]
        elif state.stock and not plays:
            yield _CHANCE
        if state.pile and not plays:
            yield _TAKE

    def _legal_exchanges(self, state: VandtiaPyramidState, seat: int) -> Iterator[VandtiaPyramidMove]:
        """VP-3, VP-6."""
        first = state.phase == "first_exchange"
        if not first or state.exchanges[seat] < MOST_EXCHANGES:
            for card in state.hands[seat]:
                for number in ROWS[2] if first else ROWS[0]:
                    yield VandtiaPyramidExchange(card, CELLS[number])
        yield _READY

    def canonical(
        self, state: VandtiaPyramidState, seat: int, move: VandtiaPyramidMove
    ) -> VandtiaPyramidMove:
        if isinstance(move, VandtiaPyramidPlay):
            return VandtiaPyramidPlay(tuple(sorted(move.cards, key=in_order)))
        return move

    def apply(self, state: VandtiaPyramidState, seat: int, move: VandtiaPyramidMove) -> After:
        made = _Made(state, seat)
        match move:
            case VandtiaPyramidPlay(cards):
                made.play(cards)
            case VandtiaPyramidTake():
                made.take()
            case VandtiaPyramidChance():
                card, made.stock = state.stock[0], state.stock[1:]
                made.turn_up(card)
            case VandtiaPyramidFlip(at):
                card, made.pyramid = _put(made.pyramid, NUMBER[at], None)
                made.turn_up(card)
            case VandtiaPyramidExchange(hand, table):
                return self._exchange(state, seat, hand, NUMBER[table])
            case VandtiaPyramidReady():
                return self._end_exchange(state, seat, ())
        return made.end()

    def _exchange(self, state: VandtiaPyramidState, seat: int, card: str, number: int) -> After:
        """VP-3, VP-4: the two cards change places; VP-6: in the second exchange that ends it for the seat."""
        taken, pyramid = _put(state.pyramids[seat], number, card)
        hand = (taken, *(held for held in state.hands[seat] if held != card))
        after = replace(
            state,
            hands=_with(state.hands, seat, tuple(sorted(hand, key=in_order))),
            pyramids=_with(state.pyramids, seat, pyramid),
        )
        events = (VandtiaPyramidTookUp(taken),)
        if state.phase == "second_exchange":
            return self._end_exchange(after, seat, events)
        exchanges = _with(state.exchanges, seat, state.exchanges[seat] + 1)
        return replace(after, exchanges=exchanges), events

    def _end_exchange(self, state: VandtiaPyramidState, seat: int, events: Caused) -> After:
        """VP-5 and VP-6: what follows when all are ready."""
        exchanging = tuple(other for other in state.exchanging if other != seat)
        if exchanging:
            return replace(state, exchanging=exchanging), events
        if state.phase == "first_exchange":
            return self._second_deal(state)
        turn, _ = starter(state.hands)
        after = replace(state, phase="play", exchanging=(), turn=turn)
        return after, (*events, VandtiaPyramidStarts(turn))

    def _second_deal(self, state: VandtiaPyramidState) -> After:
        """VP-5: to each seat, seat by seat, row 1 and row 0 of the pyramid and one card to the hand."""
        cards = iter(state.stock)
        hands, pyramids, events = [], [], []
        for seat, (hand, pyramid) in enumerate(zip(state.hands, state.pyramids, strict=True)):
            left, right, top, held = next(cards), next(cards), next(cards), next(cards)
            pyramids.append((top, left, right, *pyramid[3:]))
            hands.append(tuple(sorted((*hand, held), key=in_order)))
            events.append(VandtiaPyramidDealt(seat, top, held))
        after = replace(
            state,
            phase="second_exchange",
            hands=tuple(hands),
            pyramids=tuple(pyramids),
            stock=tuple(cards),
            exchanging=tuple(range(len(hands))),
        )
        return after, tuple(events)

    def to_act(self, state: VandtiaPyramidState) -> tuple[int, ...]:
        """VP-3, VP-6: all that are not ready. VP-18: until one is left; VP-19: or for a thousand moves."""
        if state.phase != "play":
            return state.exchanging
        if state.moves >= MOST_MOVES or len(state.out) >= len(state.hands) - 1:
            return ()
        return (state.turn,)

    def outcome(self, state: VandtiaPyramidState) -> Outcome | None:
        """VP-18, VP-19: first those who are out, in that order; then by fewest cards left."""
        if self.to_act(state):
            return None
        left = self.score(state)
        # Who is out has no cards left, and comes before all others by the order of getting out.
        got_out = {seat: number - len(state.out) for number, seat in enumerate(state.out)}
        by_place = ranked([got_out.get(seat, count) for seat, count in enumerate(left)], fewest_wins=True)
        return replace(by_place, score=left)

    def score(self, state: VandtiaPyramidState) -> tuple[int, ...]:
        """VP-18: the cards left in hand and pyramid."""
        return tuple(
            len(hand) + sum(card is not None for card in pyramid)
            for hand, pyramid in zip(state.hands, state.pyramids, strict=True)
        )

    def ready(self, state: VandtiaPyramidState, seat: int) -> VandtiaPyramidMove | None:
        """VP-3, VP-6: the exchanges, in which all act at once."""
        return None if state.phase == "play" else _READY

    def may_reveal(self, state: VandtiaPyramidState, seat: int, move: VandtiaPyramidMove) -> bool:
        """The last to end an exchange sees the second deal (VP-5) or who starts (VP-8); a flip and a chance turn
        up a card; a play may draw (VP-13); the end of the game opens what is hidden."""
        if state.phase != "play":
            last = state.exchanging == (seat,)
            ends_by_exchange = state.phase == "second_exchange" and isinstance(move, VandtiaPyramidExchange)
            return last and (ends_by_exchange or isinstance(move, VandtiaPyramidReady))
        hand, pyramid, out = state.hands[seat], state.pyramids[seat], False
        match move:
            case VandtiaPyramidFlip():
                return True
            case VandtiaPyramidChance():
                return bool(state.stock)
            case VandtiaPyramidPlay(cards):
                if state.stock and len(hand) - len(cards) < DRAWN_UP_TO:
                    return True
                out = len(cards) >= len(hand) + sum(card is not None for card in pyramid)
            case VandtiaPyramidExchange() | VandtiaPyramidReady():
                return False
        ends = state.moves + 1 >= MOST_MOVES or (out and len(state.out) + 2 >= len(state.hands))
        return ends and self._hides_from(state, seat)

    def _hides_from(self, state: VandtiaPyramidState, seat: int) -> bool:
        return (
            bool(state.stock)
            or any(hand for other, hand in enumerate(state.hands) if other != seat)
            or any(pyramid[number] for pyramid in state.pyramids for number in FACE_DOWN)
        )

    def view(self, state: VandtiaPyramidState, seat: int | None) -> VandtiaPyramidView:
        """Hidden: hands from others and spectators; cards that lie face down, and the order of the stock, from
        all."""
        if not self.to_act(state):
            return self.open_view(state)
        return self._shown(state, hands=() if seat is None else (seat,), everything=False)

    def open_view(self, state: VandtiaPyramidState) -> VandtiaPyramidView:
        return self._shown(state, hands=range(len(state.hands)), everything=True)

    def _shown(
        self, state: VandtiaPyramidState, *, hands: Sequence[int], everything: bool
    ) -> VandtiaPyramidView:
        return VandtiaPyramidView(
            phase=state.phase,
            hands=tuple(
                VandtiaPyramidCards(len(hand), hand if seat in hands else None)
                for seat, hand in enumerate(state.hands)
            ),
            pyramids=tuple(
                tuple(
                    VandtiaPyramidPlace(CELLS[number], card if everything or number in OPEN else None)
                    for number, card in enumerate(pyramid)
                    if card
                )
                for pyramid in state.pyramids
            ),
            stock=VandtiaPyramidCards(len(state.stock), state.stock if everything else None),
            pile=state.pile,
            away=state.away,
            exchanges=state.exchanges,
            turn=state.turn if state.phase == "play" else None,
            moves=state.moves,
            out=state.out,
        )

    def redact(
        self,
        before: VandtiaPyramidState,
        seat: int | None,
        mover: int,
        move: VandtiaPyramidMove,
        events: Caused,
    ) -> tuple[VandtiaPyramidMove, Caused]:
        """A move is open to all, and so is all that it causes but the cards dealt to the hands of others and
        the cards that others draw."""
        seen: list[VandtiaPyramidEvent] = []
        for event in events:
            match event:
                case VandtiaPyramidDealt(dealt_to, top) if dealt_to != seat:
                    seen.append(VandtiaPyramidDealt(dealt_to, top, None))
                case VandtiaPyramidDrew(size) if mover != seat:
                    seen.append(VandtiaPyramidDrew(size, None))
                case _:
                    seen.append(event)
        return move, tuple(seen)

    def describe(self, mover: int, move: VandtiaPyramidMove, events: Caused) -> tuple[Phrase, ...]:
        match move:
            case VandtiaPyramidExchange(hand, table):
                told = phrase("seat {seat} lays {card} on {at}", seat=mover, card=hand, at=_written(table))
            case VandtiaPyramidReady():
                told = phrase("seat {seat} is ready", seat=mover)
            case VandtiaPyramidPlay(cards):
                told = phrase("seat {seat} plays {cards}", seat=mover, cards=list(cards))
            case VandtiaPyramidChance():
                told = phrase("seat {seat} takes a chance", seat=mover)
            case VandtiaPyramidTake():
                told = phrase("seat {seat} takes up the pile", seat=mover)
            case VandtiaPyramidFlip(at):
                told = phrase("seat {seat} flips the card on {at}", seat=mover, at=_written(at))
        return told, *map(self._words, events)

    def _words(self, event: VandtiaPyramidEvent) -> Phrase:  # noqa: C901, PLR0911 - one return an event
        match event:
            case VandtiaPyramidTookUp(card):
                return phrase("takes up {card}", card=card)
            case VandtiaPyramidDealt(seat, top, hand):
                if hand is None:
                    return phrase("seat {seat} gets {top} on top and a card in hand", seat=seat, top=top)
                return phrase(
                    "seat {seat} gets {top} on top and {hand} in hand", seat=seat, top=top, hand=hand
                )
            case VandtiaPyramidStarts(seat):
                return phrase("seat {seat} starts", seat=seat)
            case VandtiaPyramidTurned(card, fits):
                if fits:
                    return phrase("turns up {card}, which fits", card=card)
                return phrase("turns up {card}, which does not fit", card=card)
            case VandtiaPyramidTurnedAway(cards):
                return phrases("turns away {count} card", "turns away {count} cards", len(cards))
            case VandtiaPyramidDrew(size, drawn):
                if drawn is None:
                    return phrases("draws {count} card", "draws {count} cards", size)
                return phrase("draws {cards}", cards=list(drawn))
            case VandtiaPyramidTook(cards):
                return phrases("takes {count} card", "takes {count} cards", len(cards))
            case VandtiaPyramidOut(place):
                return phrase("is out in place {place}", place=place)

    def redeal(self, state: VandtiaPyramidState, seat: int | None, rng: Random) -> VandtiaPyramidState:
        if not self.to_act(state):
            return state
        hidden_from = [other for other in range(len(state.hands)) if other != seat]
        unseen = [card for other in hidden_from for card in state.hands[other]]
        count = len(unseen)
        unseen += [card for pyramid in state.pyramids for number in FACE_DOWN if (card := pyramid[number])]
        unseen += state.stock
        rng.shuffle(unseen)
        if state.phase == "play" and state.moves == 0:
            unseen = self._starting(state, seat, unseen, count, rng)
        cards, hands = iter(unseen), list(state.hands)
        for other in hidden_from:
            hands[other] = tuple(sorted((next(cards) for _ in hands[other]), key=in_order))
        pyramids = tuple(
            tuple(
                next(cards) if card and number in FACE_DOWN else card for number, card in enumerate(pyramid)
            )
            for pyramid in state.pyramids
        )
        return replace(state, hands=tuple(hands), pyramids=pyramids, stock=tuple(cards))

    def _starting(
        self, state: VandtiaPyramidState, seat: int | None, unseen: list[str], count: int, rng: Random
    ) -> list[str]:
        """VP-8: shuffled cards put so that who starts is as disclosed, and every such deal is equally likely; the
        first `count` go to the hidden hands."""

        def above(number: int) -> list[str]:
            return [card for card in unseen if START.get(card, NO_START) > number]

        seen = () if seat is None else state.hands[seat]
        lowest = min((START.get(card, NO_START) for card in seen), default=NO_START)
        if seat == state.turn:
            dealt = above(min(lowest, NO_START - 1))[:count]
        else:
            # The starter's card, and how many deals there are with it; None stands for hands without any.
            deals: dict[str | None, int] = {
                card: comb(len(above(number)), count - 1) * len(state.hands[state.turn])
                for card in unseen
                if (number := START.get(card, NO_START)) < lowest
            }
            if state.turn == 0 and lowest == NO_START:
                deals[None] = comb(len(above(NO_START - 1)), count) * count
            (first,) = rng.choices(list(deals), list(deals.values()))
            if first is None:
                dealt = above(NO_START - 1)[:count]
            else:
                dealt = above(START[first])[: count - 1]
                before = sum(len(state.hands[other]) for other in range(state.turn) if other != seat)
                dealt.insert(before, first)
        return dealt + [card for card in unseen if card not in dealt]
