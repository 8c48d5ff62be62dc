"""Kraftkort (Power Card), clauses KK-1 to KK-15: rounds that run up or down, and a card that makes others count
for two.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, groupby
from random import Random
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import replace

from games.rules.cards import ACE_HIGH, FRENCH_DECK, RANKS, Card, by_high_rank
from games.rules.contract import (
    IllegalMove,
    IllegalOptions,
    Outcome,
    Phrase,
    RuleSet,
    WrongForm,
    phrase,
    phrases,
)

HAND = 13  # KK-2

Direction: TypeAlias = Literal["up", "down"]
DifferentCards: TypeAlias = Annotated[
    tuple[Card, ...], Meta(max_length=52, extra_json_schema={"uniqueItems": True})
]


class KraftkortOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """`exchange`: KK-4. `power_card`: KK-6, by default with two or three players (KK-3). `play_on`: KK-14."""

    exchange: bool = True
    power_card: bool | UnsetType = UNSET
    play_on: bool = False


class KraftkortExchange(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="exchange"
):
    """KK-4: cards of the hand for as many of the stock, or none."""

    cards: DifferentCards


class KraftkortSeenExchange(Struct, frozen=True, tag_field="type", tag="exchange"):
    """The same as a viewer saw it; to others than the mover the cards are null."""

    cards: tuple[Card, ...] | None


class KraftkortPlay(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """KK-8, KK-9: cards of one rank and what they count for; left out, `as` is how many they are."""

    cards: DifferentCards
    counts: int | UnsetType = field(name="as", default=UNSET)


class KraftkortPass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pass"):
    """KK-12: out until the round ends."""


KraftkortMove: TypeAlias = KraftkortExchange | KraftkortPlay | KraftkortPass
KraftkortSeenMove: TypeAlias = KraftkortMove | KraftkortSeenExchange


class KraftkortDrew(Struct, frozen=True, tag_field="type", tag="drew"):
    """KK-4: how many cards the mover exchanged, and which were drawn for them; those are null to all others."""

    count: int
    cards: tuple[Card, ...] | None


class KraftkortPowerCard(Struct, frozen=True, tag_field="type", tag="power_card"):
    """KK-6: the card that was turned up."""

    card: Card


class KraftkortDirection(Struct, frozen=True, tag_field="type", tag="direction"):
    """KK-10: where the round goes from now on."""

    direction: Direction


class KraftkortOut(Struct, frozen=True, tag_field="type", tag="out"):
    """KK-14: the mover has no cards left, and this place."""

    place: int


class KraftkortRoundEnded(Struct, frozen=True, tag_field="type", tag="round_ended"):
    """KK-13: the round is over, and this seat starts the next."""

    next: int


KraftkortEvent: TypeAlias = (
    KraftkortDrew | KraftkortPowerCard | KraftkortDirection | KraftkortOut | KraftkortRoundEnded
)


class KraftkortPlayed(Struct, frozen=True):
    """What a seat played, and what it counts for."""

    seat: int
    cards: tuple[Card, ...]
    counts: int = field(name="as")


class KraftkortState(Struct, frozen=True):
    """`options`: resolved. `hands` and `thrown` (what each exchanged away) by seat, in canonical order; `stock`
    top first; `exchanging`: before the first round. `round`: what was played in this one, the lead first, and
    `passed` who passed in it; `played`: the cards of earlier rounds. `out`: seats without cards, first first."""

    options: KraftkortOptions
    hands: tuple[tuple[str, ...], ...]
    thrown: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    exchanging: bool
    turn: int
    power_card: str | None = None
    round: tuple[KraftkortPlayed, ...] = ()
    passed: tuple[int, ...] = ()
    played: tuple[str, ...] = ()
    out: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<KraftkortState, seat {self.turn} to move>"


class KraftkortCards(Struct, frozen=True):
    """Cards that may be hidden: how many, and which (null to whom they are hidden)."""

    size: int
    cards: tuple[Card, ...] | None


class KraftkortView(Struct, frozen=True):
    """The table as one viewer sees it. By seat: `hands`, and `thrown`, what each exchanged away. `stock` top
    first; `exchanging` before the first round. Of this round: what was played, the lead first, its `direction`
    once it has one, and the seats that `passed`. `played`: the cards of earlier rounds. `out`: the seats that
    have no cards left, in the order in which they got rid of them."""

    hands: tuple[KraftkortCards, ...]
    thrown: tuple[KraftkortCards, ...]
    stock: KraftkortCards
    exchanging: bool
    power_card: Card | None
    round: tuple[KraftkortPlayed, ...]
    direction: Direction | None
    passed: tuple[int, ...]
    played: tuple[Card, ...]
    out: tuple[int, ...]


# KK-7, by power card: the cards that may be played as two.
DOUBLED: dict[str | None, frozenset[str]] = {
    power: frozenset(card for card in FRENCH_DECK if power[0] == card[0] or power[1] == card[1])
    for power in FRENCH_DECK
} | {None: frozenset()}
LOWEST, HIGHEST = min(ACE_HIGH.values()), max(ACE_HIGH.values())

_PASS = KraftkortPass()
# Every play in canonical form, by its cards and then by how many of them count for two.
_PLAYS: dict[tuple[str, ...], tuple[KraftkortPlay, ...]] = {
    cards: tuple(KraftkortPlay(cards, size + twice) for twice in range(size + 1))
    for rank in RANKS
    for size in range(1, 5)
    for cards in combinations([card for card in FRENCH_DECK if card[0] == rank], size)
}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The canonical order of cards."""
    return tuple(sorted(cards, key=by_high_rank))


def put(
    by_seat: tuple[tuple[str, ...], ...], seat: int, cards: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """The same, with these cards for a seat."""
    return (*by_seat[:seat], cards, *by_seat[seat + 1 :])


class Kraftkort(RuleSet[KraftkortState, KraftkortOptions, KraftkortMove, KraftkortEvent, KraftkortView]):
    """The rules of Kraftkort."""

    slug = "kraftkort"
    name = "Kraftkort (Power Card)"
    version = 1
    seats = range(2, 5)
    State = KraftkortState
    Options = KraftkortOptions
    Move: ClassVar[Any] = KraftkortMove
    Seen: ClassVar[Any] = KraftkortSeenExchange | KraftkortPlay | KraftkortPass
    Events: ClassVar[Any] = tuple[KraftkortEvent, ...]
    View = KraftkortView
    hides = True

    def deck(self, options: KraftkortOptions) -> tuple[str, ...]:
        """KK-1; that aces are highest is `ACE_HIGH`."""
        return FRENCH_DECK

    def deal(self, options: KraftkortOptions, seats: int, deck: Sequence[str]) -> KraftkortState:
        """KK-2: thirteen cards to each seat, seat by seat; the rest is the stock. The last seat, the dealer, is
        asked first for an exchange."""
        dealt = HAND * seats
        state = KraftkortState(
            options=options,
            hands=tuple(in_order(deck[first : first + HAND]) for first in range(0, dealt, HAND)),
            thrown=((),) * seats,
            stock=tuple(deck[dealt:]),
            exchanging=options.exchange,
            turn=0,
        )
        return self._ask_for_exchange(state, seats - 1)[0]

    def resolve(self, options: KraftkortOptions, seats: int) -> KraftkortOptions:
        """KK-3: a power card needs a stock to come from."""
        used_up = HAND * seats == len(FRENCH_DECK)
        if options.power_card is UNSET:
            return replace(options, power_card=not used_up)
        if options.power_card and used_up:
            raise IllegalOptions(
                "KK-3", "with {seats} players the deck is used up and leaves no power card", seats=seats
            )
        return options

    def check_form(self, move: KraftkortMove) -> None:
        if not isinstance(move, KraftkortPass) and len(set(move.cards)) < len(move.cards):
            raise WrongForm("A card is given twice", "$.cards")

    def check(self, state: KraftkortState, seat: int, move: KraftkortMove) -> None:
        match move:
            case KraftkortExchange(cards):
                self._check_exchange(state, seat, cards)
            case _ if state.exchanging:
                raise IllegalMove("KK-4", "the exchange comes before the first round")
            case KraftkortPlay(cards, counts):
                counts = len(cards) if counts is UNSET else counts
                if state.round:
                    self._check_follow(state, seat, cards, counts)
                else:
                    self._check_lead(state, seat, cards, counts)
            case KraftkortPass():
                self._check_pass(state)

    def legal_moves(self, state: KraftkortState, seat: int) -> Iterator[KraftkortMove]:
        """Exchanges by size, then in canonical order; plays by rank, then by size, in canonical order, by what
        they count for; then pass."""
        if seat not in self.to_act(state):
            return iter(())
        return self._exchanges(state, seat) if state.exchanging else self._turns(state, seat)

    def canonical(self, state: KraftkortState, seat: int, move: KraftkortMove) -> KraftkortMove:
        """KK-8: the canonical form always has `as`."""
        match move:
            case KraftkortPlay(cards, counts):
                return KraftkortPlay(in_order(cards), len(cards) if counts is UNSET else counts)
            case KraftkortExchange(cards):
                return KraftkortExchange(in_order(cards))
        return move

    def apply(
        self, state: KraftkortState, seat: int, move: KraftkortMove
    ) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
        match move:
            case KraftkortExchange(cards):
                return self._exchange(state, seat, cards)
            case KraftkortPlay(cards, counts):
                assert counts is not UNSET, "only moves in canonical form are applied"
                return self._play(state, KraftkortPlayed(seat, cards, counts))
            case KraftkortPass():
                return self._go_on(replace(state, passed=(*state.passed, seat)))

    def _check_exchange(self, state: KraftkortState, seat: int, cards: Sequence[str]) -> None:
        """KK-4, KK-5."""
        if not state.exchanging:
            raise IllegalMove("KK-4", "cards are exchanged only before the first round")
        elsewhere = [card for card in cards if card not in state.hands[seat]]
        if elsewhere:
            raise IllegalMove("KK-4", "not in your hand: {cards}", cards=elsewhere)
        most = self._most_exchanged(state)
        if len(cards) > most:
            raise IllegalMove(
                "KK-5",
                "the stock has cards for an exchange of {most}, not of {count}",
                most=most,
                count=len(cards),
            )

    def _exchanges(self, state: KraftkortState, seat: int) -> Iterator[KraftkortExchange]:
        """KK-4: every subset of the hand, up to the limit."""
        hand = state.hands[seat]
        sizes = range(min(len(hand), self._most_exchanged(state)) + 1)
        return map(KraftkortExchange, chain.from_iterable(combinations(hand, size) for size in sizes))

    def _exchange(
        self, state: KraftkortState, seat: int, cards: tuple[str, ...]
    ) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
        """KK-4: thrown away for good, and as many drawn; in reverse turn order, so that seat 0 comes last."""
        drawn, stock = state.stock[: len(cards)], state.stock[len(cards) :]
        hand = in_order([*(card for card in state.hands[seat] if card not in cards), *drawn])
        hands, thrown = put(state.hands, seat, hand), put(state.thrown, seat, cards)
        after = replace(state, hands=hands, thrown=thrown, stock=stock)
        drew = (KraftkortDrew(len(drawn), in_order(drawn)),) if drawn else ()
        after, events = self._ask_for_exchange(after, seat - 1)
        return after, (*drew, *events)

    def _most_exchanged(self, state: KraftkortState) -> int:
        """KK-5: as many as are left in the stock, but for the power card."""
        return len(state.stock) - bool(state.options.power_card)

    def _ask_for_exchange(
        self, state: KraftkortState, seat: int
    ) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
        """KK-5: a seat that could exchange nothing is passed over, and so are all that would come after it; KK-3:
        without a stock that is everyone. After seat 0 the exchanges are over."""
        if state.exchanging and seat >= 0 and self._most_exchanged(state):
            return replace(state, turn=seat), ()
        return self._start(state)

    def _start(self, state: KraftkortState) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
        """KK-6: the power card is turned up; KK-2: seat 0 starts."""
        if not state.options.power_card:
            return replace(state, exchanging=False, turn=0), ()
        card, stock = state.stock[0], state.stock[1:]
        after = replace(state, exchanging=False, turn=0, power_card=card, stock=stock)
        return after, (KraftkortPowerCard(card),)

    def _doubled(self, state: KraftkortState, cards: Collection[str]) -> int:
        """KK-7: how many of these may be played as two."""
        twice = DOUBLED[state.power_card]
        return sum(card in twice for card in cards)

    def _check_lead(self, state: KraftkortState, seat: int, cards: Sequence[str], counts: int) -> None:
        """KK-8."""
        if fault := self._fault(state, seat, cards):
            raise IllegalMove("KK-8", fault.text, **fault.facts)
        self._check_counts(state, cards, counts)

    def _fault(self, state: KraftkortState, seat: int, cards: Sequence[str]) -> Phrase | None:
        """KK-8, KK-9: what is wrong, unless these are one or more cards of the hand, all of one rank."""
        if not cards:
            return phrase("a play is one card or more")
        elsewhere = [card for card in cards if card not in state.hands[seat]]
        if elsewhere:
            return phrase("not in your hand: {cards}", cards=elsewhere)
        if any(card[0] != cards[0][0] for card in cards):
            return phrase("these are not of one rank: {cards}", cards=list(cards))
        return None

    def _check_counts(self, state: KraftkortState, cards: Sequence[str], counts: int) -> None:
        """KK-8: `as` lies between the number of cards and that number plus the doubled ones."""
        least, most = len(cards), len(cards) + self._doubled(state, cards)
        if not least <= counts <= most:
            raise IllegalMove(
                "KK-8",
                "{cards} can count for at least {least} and at most {most}, not for {count}",
                cards=list(cards),
                least=least,
                most=most,
                count=counts,
            )

    def _check_follow(self, state: KraftkortState, seat: int, cards: Sequence[str], counts: int) -> None:
        """KK-9: as many as the lead counts for; KK-8 limits what they can count for."""
        if fault := self._fault(state, seat, cards):
            raise IllegalMove("KK-9", fault.text, **fault.facts)
        self._check_counts(state, cards, counts)
        lead = state.round[0]
        if counts != lead.counts:
            raise IllegalMove(
                "KK-9", "the lead counts for {lead}, your play for {count}", lead=lead.counts, count=counts
            )
        self._check_direction(state, cards)

    def _direction(self, played: Sequence[KraftkortPlayed]) -> Direction | None:
        """KK-10: where a round goes, None while only the lead's rank has been played (KK-11). What was played
        last says so, since the lead's rank does not come back once another was played."""
        if not played:
            return None
        first, last = ACE_HIGH[played[0].cards[0]], ACE_HIGH[played[-1].cards[0]]
        return None if first == last else "up" if last > first else "down"

    def _check_direction(self, state: KraftkortState, cards: Sequence[str]) -> None:
        """KK-10."""
        lowest, highest = self._fitting(state)
        if lowest <= ACE_HIGH[cards[0]] <= highest:
            return
        own, last = list(cards), list(state.round[-1].cards)
        if self._direction(state.round) == "up":
            raise IllegalMove(
                "KK-10", "the round goes up, and {cards} would go down from {last}", cards=own, last=last
            )
        raise IllegalMove(
            "KK-10", "the round goes down, and {cards} would go up from {last}", cards=own, last=last
        )

    def _fitting(self, state: KraftkortState) -> tuple[int, int]:
        """The lowest and the highest rank that fit. KK-11: the last rank always, and any rank while there is no
        direction; else KK-10."""
        goes = self._direction(state.round)
        if goes is None:
            return LOWEST, HIGHEST
        last = ACE_HIGH[state.round[-1].cards[0]]
        return (last, HIGHEST) if goes == "up" else (LOWEST, last)

    def _check_pass(self, state: KraftkortState) -> None:
        """KK-12."""
        if not state.round:
            raise IllegalMove("KK-12", "who leads a round cannot pass")

    def _turns(self, state: KraftkortState, seat: int) -> Iterator[KraftkortMove]:
        """A lead (KK-8), or what follows it (KK-9 to KK-11) and a pass (KK-12)."""
        needed = state.round[0].counts if state.round else None
        lowest, highest = self._fitting(state)
        for rank, group in groupby(state.hands[seat], key=ACE_HIGH.__getitem__):
            if not lowest <= rank <= highest:
                continue
            held = tuple(group)
            for size in range(1, len(held) + 1):
                for cards in combinations(held, size):
                    twice = self._doubled(state, cards)
                    if needed is None:
                        yield from _PLAYS[cards][: twice + 1]
                    elif size <= needed <= size + twice:
                        yield _PLAYS[cards][needed - size]
        if state.round:
            yield _PASS

    def _play(
        self, state: KraftkortState, played: KraftkortPlayed
    ) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
        """KK-10: the first other rank gives the round its direction; KK-14: without cards the player is out."""
        seat, round_ = played.seat, (*state.round, played)
        hand = tuple(card for card in state.hands[seat] if card not in played.cards)
        out = state.out if hand else (*state.out, seat)
        after = replace(state, hands=put(state.hands, seat, hand), round=round_, out=out)
        events: list[KraftkortEvent] = []
        goes = self._direction(round_)
        if goes is not None and self._direction(state.round) is None:
            events.append(KraftkortDirection(goes))
        if not hand:
            events.append(KraftkortOut(len(out)))
        if self._over(after):
            return after, tuple(events)
        after, caused = self._go_on(after)
        return after, (*events, *caused)

    def _go_on(self, state: KraftkortState) -> tuple[KraftkortState, tuple[KraftkortEvent, ...]]:
        """KK-13: the turn goes to the next seat that is in the game and in the round. When there is none but who
        played last, the round ends, and who played last starts the next, or the next seat that has cards."""
        last = state.round[-1].seat
        for seat in self._around(state, state.turn):
            if seat != last and seat not in state.passed:
                return replace(state, turn=seat), ()
        starts = last if state.hands[last] else next(self._around(state, last))
        played = (*state.played, *(card for played in state.round for card in played.cards))
        after = replace(state, turn=starts, round=(), passed=(), played=played)
        return after, (KraftkortRoundEnded(starts),)

    def _around(self, state: KraftkortState, seat: int) -> Iterator[int]:
        """The other seats that have cards, in turn order."""
        seats = len(state.hands)
        return (other % seats for other in range(seat + 1, seat + seats) if state.hands[other % seats])

    def _over(self, state: KraftkortState) -> bool:
        """KK-14: when the first is out, or with `play_on` all but one."""
        return len(state.out) >= (len(state.hands) - 1 if state.options.play_on else 1)

    def to_act(self, state: KraftkortState) -> tuple[int, ...]:
        return () if self._over(state) else (state.turn,)

    def outcome(self, state: KraftkortState) -> Outcome | None:
        """KK-14: by the order in which they got rid of their cards, those who did not sharing the place after;
        KK-15: the score is the number of cards left."""
        if not self._over(state):
            return None
        seats = range(len(state.hands))
        return Outcome(
            place=tuple(
                1 + (state.out.index(seat) if seat in state.out else len(state.out)) for seat in seats
            ),
            result=tuple("win" if seat == state.out[0] else "loss" for seat in seats),
            score=self.score(state),
        )

    def score(self, state: KraftkortState) -> tuple[int, ...]:
        """KK-15."""
        return tuple(len(hand) for hand in state.hands)

    def may_reveal(self, state: KraftkortState, seat: int, move: KraftkortMove) -> bool:
        """An exchange draws cards (KK-4), and the last one turns up the power card (KK-6); the end opens
        everything (KK-14)."""
        match move:
            case KraftkortExchange(cards):
                turns_up = seat == 0 and bool(state.options.power_card)
                return state.exchanging and (bool(cards) or turns_up)
            case KraftkortPlay(cards):
                goes_out = set(state.hands[seat]) <= set(cards)
                return goes_out and self._over(replace(state, out=(*state.out, seat)))
        return False

    def view(self, state: KraftkortState, seat: int | None) -> KraftkortView:
        """Hidden: hands, and what was exchanged away, from others and spectators; the stock from all."""
        if self._over(state):
            return self.open_view(state)
        return self._shown(state, seats=() if seat is None else (seat,), stock=False)

    def open_view(self, state: KraftkortState) -> KraftkortView:
        return self._shown(state, seats=range(len(state.hands)), stock=True)

    def _shown(self, state: KraftkortState, *, seats: Collection[int], stock: bool) -> KraftkortView:
        def of_seats(kept: Sequence[tuple[str, ...]]) -> tuple[KraftkortCards, ...]:
            return tuple(
                KraftkortCards(len(cards), cards if seat in seats else None)
                for seat, cards in enumerate(kept)
            )

        return KraftkortView(
            hands=of_seats(state.hands),
            thrown=of_seats(state.thrown),
            stock=KraftkortCards(len(state.stock), state.stock if stock else None),
            exchanging=state.exchanging,
            power_card=state.power_card,
            round=state.round,
            direction=self._direction(state.round),
            passed=state.passed,
            played=state.played,
            out=state.out,
        )

    def redact(
        self,
        before: KraftkortState,
        seat: int | None,
        mover: int,
        move: KraftkortMove,
        events: tuple[KraftkortEvent, ...],
    ) -> tuple[KraftkortSeenMove, tuple[KraftkortEvent, ...]]:
        """Others see of an exchange how many cards it was; everything else is open."""
        if seat == mover or not isinstance(move, KraftkortExchange) or not move.cards:
            return move, events
        return KraftkortSeenExchange(None), tuple(
            KraftkortDrew(event.count, None) if isinstance(event, KraftkortDrew) else event
            for event in events
        )

    def describe(
        self, mover: int, move: KraftkortSeenMove, events: tuple[KraftkortEvent, ...]
    ) -> tuple[Phrase, ...]:
        match move:
            case KraftkortSeenExchange(None):
                told = phrase("seat {seat} makes an exchange", seat=mover)
            case KraftkortExchange(()) | KraftkortSeenExchange(()):
                told = phrase("seat {seat} exchanges no card", seat=mover)
            case KraftkortExchange(cards) | KraftkortSeenExchange(cards):
                told = phrase("seat {seat} throws away {cards}", seat=mover, cards=cards)
            case KraftkortPlay(cards, counts) if counts in (UNSET, len(cards)):
                told = phrase("seat {seat} plays {cards}", seat=mover, cards=cards)
            case KraftkortPlay(cards, counts):
                told = phrase("seat {seat} plays {cards} as {count}", seat=mover, cards=cards, count=counts)
            case KraftkortPass():
                told = phrase("seat {seat} passes", seat=mover)
        return (told, *map(self._words_of, events))

    def _words_of(self, event: KraftkortEvent) -> Phrase:
        match event:
            case KraftkortDrew(count, None):
                told = phrases("draws {count} card", "draws {count} cards", count)
            case KraftkortDrew(_, drawn):
                told = phrase("draws {cards}", cards=drawn)
            case KraftkortPowerCard(card):
                told = phrase("the power card is {card}", card=card)
            case KraftkortDirection("up"):
                told = phrase("the round goes up")
            case KraftkortDirection():
                told = phrase("the round goes down")
            case KraftkortOut(place):
                told = phrase("has no cards left and takes place {place}", place=place)
            case KraftkortRoundEnded(starts):
                told = phrase("the round ends and seat {next} starts another", next=starts)
        return told

    def redeal(self, state: KraftkortState, seat: int | None, rng: Random) -> KraftkortState:
        if self._over(state):
            return state
        kept = (*state.hands, *state.thrown)
        known = () if seat is None else (seat, len(state.hands) + seat)
        unseen = [card for place, cards in enumerate(kept) if place not in known for card in cards]
        unseen += state.stock
        rng.shuffle(unseen)
        dealt = tuple(
            cards if place in known else in_order([unseen.pop() for _ in cards])
            for place, cards in enumerate(kept)
        )
        seats = len(state.hands)
        return replace(state, hands=dealt[:seats], thrown=dealt[seats:], stock=tuple(unseen))
