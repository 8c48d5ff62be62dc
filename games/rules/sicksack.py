"""Sicksack (Zigzag), clauses SS-1 to SS-11: red goes up, black goes down; what you cannot follow, you take.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Container, Iterator, Sequence
from random import Random
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct

from games.rules.cards import ACE_LOW, FRENCH_DECK, RED, Card, by_rank
from games.rules.contract import IllegalMove, Outcome, Phrase, RuleSet, phrase, phrases, ranked

HAND = 3  # SS-2


class SicksackOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Sicksack has no options."""


class SicksackPlay(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """SS-5: a card from the hand that fits."""

    card: Card


class SicksackChance(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="chance"):
    """SS-7: turn up the top card of the stock."""


class SicksackTake(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="take"):
    """SS-8: take the pile."""


SicksackMove: TypeAlias = SicksackPlay | SicksackChance | SicksackTake


class SicksackDrew(Struct, frozen=True, tag_field="type", tag="drew"):
    """SS-6: the mover drew a card; null to all others."""

    card: Card | None


class SicksackTurned(Struct, frozen=True, tag_field="type", tag="turned"):
    """SS-7: the card that was turned up, and whether it fits."""

    card: Card
    fits: bool


class SicksackTook(Struct, frozen=True, tag_field="type", tag="took"):
    """SS-7, SS-8: the cards that went to the mover's score pile, bottom card first."""

    cards: tuple[Card, ...]


SicksackEvent: TypeAlias = SicksackDrew | SicksackTurned | SicksackTook


class SicksackState(Struct, frozen=True):
    """`hands` by seat, each in canonical order; `stock` top first; `pile` and `score_piles` bottom first."""

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    pile: tuple[str, ...]
    score_piles: tuple[tuple[str, ...], ...]
    turn: int

    def __repr__(self) -> str:
        return f"<SicksackState, seat {self.turn} to move>"


class SicksackCards(Struct, frozen=True):
    """Cards that may be hidden: how many, and which (null to whom they are hidden)."""

    size: int
    cards: tuple[Card, ...] | None


class SicksackView(Struct, frozen=True):
    """The table as one viewer sees it: `hands` and `score_piles` by seat, `pile` bottom first, `stock` top
    first."""

    hands: tuple[SicksackCards, ...]
    stock: SicksackCards
    pile: tuple[Card, ...]
    score_piles: tuple[tuple[Card, ...], ...]


# SS-4: what may follow upon each card: after red the same rank or higher, after black the same or lower.
FOLLOWS: dict[str, frozenset[str]] = {
    top: frozenset(
        card
        for card in FRENCH_DECK
        if (ACE_LOW[card] >= ACE_LOW[top] if top in RED else ACE_LOW[card] <= ACE_LOW[top])
    )
    for top in FRENCH_DECK
}
ANY_CARD = frozenset(FRENCH_DECK)

_CHANCE = SicksackChance()
_TAKE = SicksackTake()
_PLAYS = {card: SicksackPlay(card) for card in FRENCH_DECK}


def followers(state: SicksackState) -> frozenset[str]:
    """The cards that may be played: on an empty pile any (SS-3), else by the top card alone (SS-4)."""
    return FOLLOWS[state.pile[-1]] if state.pile else ANY_CARD


class Sicksack(RuleSet[SicksackState, SicksackOptions, SicksackMove, SicksackEvent, SicksackView]):
    """The rules of Sicksack."""

    slug = "sicksack"
    name = "Sicksack (Zigzag)"
    version = 1
    seats = range(2, 7)
    State = SicksackState
    Options = SicksackOptions
    Move: ClassVar[Any] = SicksackMove
    Events: ClassVar[Any] = tuple[SicksackEvent, ...]
    View = SicksackView
    hides = True

    def deck(self, options: SicksackOptions) -> tuple[str, ...]:
        """SS-1."""
        return FRENCH_DECK

    def deal(self, options: SicksackOptions, seats: int, deck: Sequence[str]) -> SicksackState:
        """SS-2: three cards to each seat, seat by seat; the rest is the stock."""
        dealt = HAND * seats
        return SicksackState(
            hands=tuple(
                tuple(sorted(deck[first : first + HAND], key=by_rank)) for first in range(0, dealt, HAND)
            ),
            stock=tuple(deck[dealt:]),
            pile=(),
            score_piles=((),) * seats,
            turn=0,
        )

    def check(self, state: SicksackState, seat: int, move: SicksackMove) -> None:
        hand, fits = state.hands[seat], followers(state)
        match move:
            case SicksackPlay(card):
                if card not in hand:
                    raise IllegalMove("SS-5", "{card} is not in your hand", card=card)
                if card not in fits:
                    self._refuse_unfit(state, card)
            case SicksackChance():
                if not state.stock:
                    raise IllegalMove("SS-7", "the stock is gone")
            case SicksackTake():
                fitting = [card for card in hand if card in fits]
                if fitting:
                    raise IllegalMove("SS-8", "you can follow with {cards}", cards=fitting)

    def _refuse_unfit(self, state: SicksackState, card: str) -> None:
        """SS-4."""
        top = state.pile[-1]
        if top in RED:
            raise IllegalMove("SS-4", "the pile shows {top}, a red card; {card} is lower", top=top, card=card)
        raise IllegalMove("SS-4", "the pile shows {top}, a black card; {card} is higher", top=top, card=card)

    def legal_moves(self, state: SicksackState, seat: int) -> Iterator[SicksackMove]:
        """Cards from the hand in canonical order, then chance, then take."""
        if seat not in self.to_act(state):
            return
        fits, follows = followers(state), False
        for card in state.hands[seat]:
            if card in fits:
                follows = True
                yield _PLAYS[card]
        if state.stock:
            yield _CHANCE
        if not follows:
            yield _TAKE

    def apply(
        self, state: SicksackState, seat: int, move: SicksackMove
    ) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        match move:
            case SicksackPlay(card):
                return self._play(state, seat, card)
            case SicksackChance():
                return self._chance(state, seat)
            case SicksackTake():
                return self._take(state, seat, state.stock, state.pile, ())

    def _play(
        self, state: SicksackState, seat: int, card: str
    ) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        """SS-5, and SS-6: after playing from the hand the player draws, while the stock lasts."""
        hand = [held for held in state.hands[seat] if held != card]
        events: tuple[SicksackEvent, ...] = ()
        if state.stock:
            hand.append(state.stock[0])
            hand.sort(key=by_rank)
            events = (SicksackDrew(state.stock[0]),)
        hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
        pile = (*state.pile, card)
        return SicksackState(hands, state.stock[1:], pile, state.score_piles, self._next(state, seat)), events

    def _chance(self, state: SicksackState, seat: int) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        """SS-7: if the card turned up fits the turn passes, if not it is taken with the pile."""
        card, stock, pile = state.stock[0], state.stock[1:], (*state.pile, state.stock[0])
        if card in followers(state):
            after = SicksackState(state.hands, stock, pile, state.score_piles, self._next(state, seat))
            return after, (SicksackTurned(card, fits=True),)
        return self._take(state, seat, stock, pile, (SicksackTurned(card, fits=False),))

    def _take(
        self,
        state: SicksackState,
        seat: int,
        stock: tuple[str, ...],
        pile: tuple[str, ...],
        events: tuple[SicksackEvent, ...],
    ) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        """SS-8: the whole pile goes to the score pile; SS-9: the same seat starts the new one."""
        score_piles = (
            *state.score_piles[:seat],
            state.score_piles[seat] + pile,
            *state.score_piles[seat + 1 :],
        )
        return SicksackState(state.hands, stock, (), score_piles, seat), (*events, SicksackTook(pile))

    def _next(self, state: SicksackState, seat: int) -> int:
        return (seat + 1) % len(state.hands)

    def to_act(self, state: SicksackState) -> tuple[int, ...]:
        """SS-10: the game ends when the last hand is empty."""
        return (state.turn,) if any(state.hands) else ()

    def outcome(self, state: SicksackState) -> Outcome | None:
        """SS-11: the fewest cards in the score pile wins."""
        if self.to_act(state):
            return None
        return ranked(self.score(state), fewest_wins=True)

    def score(self, state: SicksackState) -> tuple[int, ...]:
        """SS-11."""
        return tuple(len(pile) for pile in state.score_piles)

    def may_reveal(self, state: SicksackState, seat: int, move: SicksackMove) -> bool:
        """A chance turns up a card of the stock, a play draws one (SS-6), while there is one."""
        return bool(state.stock) and not isinstance(move, SicksackTake)

    def view(self, state: SicksackState, seat: int | None) -> SicksackView:
        """Hidden: hands from others and spectators; the order of the stock from all."""
        if not self.to_act(state):
            return self.open_view(state)
        return self._shown(state, hands=() if seat is None else (seat,), stock=False)

    def open_view(self, state: SicksackState) -> SicksackView:
        return self._shown(state, hands=range(len(state.hands)), stock=True)

    def _shown(self, state: SicksackState, *, hands: Container[int], stock: bool) -> SicksackView:
        return SicksackView(
            hands=tuple(
                SicksackCards(len(hand), hand if seat in hands else None)
                for seat, hand in enumerate(state.hands)
            ),
            stock=SicksackCards(len(state.stock), state.stock if stock else None),
            pile=state.pile,
            score_piles=state.score_piles,
        )

    def redact(
        self,
        before: SicksackState,
        seat: int | None,
        mover: int,
        move: SicksackMove,
        events: tuple[SicksackEvent, ...],
    ) -> tuple[SicksackMove, tuple[SicksackEvent, ...]]:
        """A move of Sicksack is open to all, and so is all that it causes but the card drawn."""
        if seat == mover:
            return move, events
        return move, tuple(
            SicksackDrew(None) if isinstance(event, SicksackDrew) else event for event in events
        )

    def describe(
        self, mover: int, move: SicksackMove, events: tuple[SicksackEvent, ...]
    ) -> tuple[Phrase, ...]:
        match move:
            case SicksackPlay(card):
                told = [phrase("seat {seat} plays {card}", seat=mover, card=card)]
            case SicksackChance():
                told = [phrase("seat {seat} takes a chance", seat=mover)]
            case SicksackTake():
                told = [phrase("seat {seat} cannot follow", seat=mover)]
        for event in events:
            match event:
                case SicksackDrew(None):
                    told.append(phrase("draws a card"))
                case SicksackDrew(drawn):
                    told.append(phrase("draws {card}", card=drawn))
                case SicksackTurned(turned, fits=True):
                    told.append(phrase("turns up {card}, which fits", card=turned))
                case SicksackTurned(turned, fits=False):
                    told.append(phrase("turns up {card}, which does not fit", card=turned))
                case SicksackTook(cards):
                    told.append(phrases("takes {count} card", "takes {count} cards", len(cards)))
        return tuple(told)

    def redeal(self, state: SicksackState, seat: int | None, rng: Random) -> SicksackState:
        unseen = [card for number, hand in enumerate(state.hands) if number != seat for card in hand]
        unseen += state.stock
        rng.shuffle(unseen)
        hands = tuple(
            hand if number == seat else tuple(sorted((unseen.pop() for _ in hand), key=by_rank))
            for number, hand in enumerate(state.hands)
        )
        return SicksackState(hands, tuple(unseen), state.pile, state.score_piles, state.turn)
