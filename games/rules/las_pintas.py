"""Las Pintas, clauses LP-1 to LP-13: bring every card to the column of its value and a row of its suit.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Iterator, Sequence
from itertools import compress
from random import Random
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.rules.cards import NUMBER, SPANISH_DECK, SPANISH_SUITS, SpanishCard
from games.rules.contract import IllegalMove, Outcome, Phrase, RuleSet, phrase

ROWS = len(SPANISH_SUITS)  # LP-1
TOKENS = 6  # LP-2
START_CARDS = 4  # LP-10, LP-11
BONUS = 10  # LP-12
KINGS = frozenset(card for card in SPANISH_DECK if NUMBER[card] == 12)

Variant: TypeAlias = Literal["base", "lost-kings", "revealed-exchange"]
Suit: TypeAlias = Literal["O", "C", "E", "B"]
Row: TypeAlias = Annotated[int, Meta(ge=0, le=3, description="A row of the table, counted from 0.")]
Column: TypeAlias = Annotated[int, Meta(ge=0, le=11, description="A column of the table, counted from 0.")]

# The packs by their size, by which everything that depends on the pack is found.
PACKS: dict[int, tuple[str, ...]] = {
    48: SPANISH_DECK,
    40: tuple(card for card in SPANISH_DECK if NUMBER[card] not in (8, 9)),
}
# LP-1: the column of each card's value; the kings' is the last also where they come to it later.
COLUMN: dict[int, dict[str, int]] = {
    size: {card: number // len(SPANISH_SUITS) for number, card in enumerate(pack)}
    for size, pack in PACKS.items()
}
HAND_ORDER: dict[str, int] = {card: number for number, card in enumerate(SPANISH_DECK)}


class LasPintasOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The size of the pack (48 cards, or 40 without the eights and nines), and the variant."""

    deck: Literal[48, 40] = 48
    variant: Variant = "base"


class LasPintasFlip(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="flip"):
    """LP-3: pay a token and turn up the face-down card at `[row, column]`."""

    at: tuple[Row, Column]


class LasPintasPlace(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="place"):
    """LP-6: the row for the card in hand."""

    row: Row


class LasPintasReveal(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="reveal"):
    """LP-10: take the next start card into the hand."""


class LasPintasSort(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="sort"):
    """LP-11: place a card of the hand; `row` may be left out where only one is possible."""

    card: SpanishCard
    row: Row | UnsetType = UNSET


LasPintasMove: TypeAlias = LasPintasFlip | LasPintasPlace | LasPintasReveal | LasPintasSort


class LasPintasTurned(Struct, frozen=True, gc=False, tag_field="type", tag="turned"):
    """LP-3, LP-5: the card that was turned up, and whether it stays where it lies."""

    card: SpanishCard
    at: tuple[Row, Column]
    stays: bool


class LasPintasRevealed(Struct, frozen=True, gc=False, tag_field="type", tag="revealed"):
    """LP-10: the start card that was taken into the hand."""

    card: SpanishCard


class LasPintasTookUp(Struct, frozen=True, gc=False, tag_field="type", tag="took_up"):
    """LP-6, LP-7: a card that was taken from the table into the hand."""

    card: SpanishCard
    at: tuple[Row, Column]


class LasPintasPlaced(Struct, frozen=True, gc=False, tag_field="type", tag="placed"):
    """LP-6, LP-8: a card that was placed, asked for or by the rules."""

    card: SpanishCard
    at: tuple[Row, Column]


LasPintasEvent: TypeAlias = LasPintasTurned | LasPintasRevealed | LasPintasTookUp | LasPintasPlaced


class LasPintasState(Struct, frozen=True, gc=False):
    """`face_down` and `face_up`: the card at each place of the table, row by row, over all columns, the kings'
    among them (a place has a card in one of the two at most). `suits`: to whom each row belongs. `hand`: the
    card that awaits a row, or in `revealed-exchange` the whole hand in order of number and suit. `start`: the
    start cards that are left, the next one first."""

    variant: Variant
    face_down: tuple[str | None, ...]
    face_up: tuple[str | None, ...]
    suits: tuple[str | None, ...]
    hand: tuple[str, ...]
    tokens: int
    start: tuple[str, ...]

    @property
    def columns(self) -> int:
        return len(self.face_down) // ROWS

    def __repr__(self) -> str:
        return f"<LasPintasState, {self.variant}, {self.tokens} tokens left>"


class LasPintasCards(Struct, frozen=True):
    """Cards that may be hidden: how many, and which (null to whom they are hidden)."""

    size: int
    cards: tuple[SpanishCard, ...] | None


class LasPintasTableCard(Struct, frozen=True):
    """A card on the table: which way it lies, and which it is (null to whom it is hidden)."""

    face_up: bool
    card: SpanishCard | None


class LasPintasView(Struct, frozen=True):
    """The table as one viewer sees it. `table`: the rectangle row by row, null at the empty place. `kings`: the
    column beside it, by row (LP-10). `suits`: to whom each row belongs. `hand`: cards taken up. `tokens` and
    `start`, the start cards left, the next one first, are null in variants that have none."""

    table: tuple[tuple[LasPintasTableCard | None, ...], ...]
    kings: tuple[SpanishCard | None, ...] | None
    suits: tuple[Suit | None, ...]
    hand: tuple[SpanishCard, ...]
    tokens: int | None
    start: LasPintasCards | None


_FLIPS: dict[int, tuple[LasPintasFlip, ...]] = {
    size: tuple(LasPintasFlip(divmod(place, size // ROWS)) for place in range(size)) for size in PACKS
}
_PLACES = tuple(LasPintasPlace(row) for row in range(ROWS))
_REVEAL = LasPintasReveal()
_SORTS = {card: tuple(LasPintasSort(card, row) for row in range(ROWS)) for card in SPANISH_DECK}
_ROWS = tuple((row,) for row in range(ROWS))


def possible_rows(suits: Sequence[str | None], card: str) -> tuple[int, ...]:
    """LP-6: its suit's row if it has one, otherwise every row without a face-up card."""
    suit = card[-1]
    if suit in suits:
        return _ROWS[suits.index(suit)]
    return tuple(row for row, owner in enumerate(suits) if owner is None)


class _Table:
    """A table while a move is made on it, and what it caused so far."""

    def __init__(self, state: LasPintasState, *events: LasPintasEvent) -> None:
        self.columns = state.columns
        self.column = COLUMN[len(state.face_down)]
        self.face_down = list(state.face_down)
        self.face_up = list(state.face_up)
        self.suits = list(state.suits)
        self.events: list[LasPintasEvent] = list(events)

    def lay(self, card: str, row: int) -> str | None:
        """LP-7: the card lies face up, and its row belongs to its suit (LP-4); the card that was there is taken
        up. There is none at the empty place, nor in the kings' column of LP-10."""
        at = row, self.column[card]
        place = row * self.columns + at[1]
        self.face_up[place], self.suits[row] = card, card[-1]
        self.events.append(LasPintasPlaced(card, at))
        taken, self.face_down[place] = self.face_down[place], None
        if taken is not None:
            self.events.append(LasPintasTookUp(taken, at))
        return taken

    def carry_on(self, card: str | None) -> str | None:
        """LP-8: cards are placed for as long as one row only is possible; the card for which there is a choice,
        None when the turn is over."""
        while card is not None and len(rows := possible_rows(self.suits, card)) == 1:
            card = self.lay(card, rows[0])
        return card

    def after(
        self, state: LasPintasState, hand: tuple[str, ...], tokens: int, start: tuple[str, ...]
    ) -> tuple[LasPintasState, tuple[LasPintasEvent, ...]]:
        lies = tuple(self.face_down), tuple(self.face_up), tuple(self.suits)
        return LasPintasState(state.variant, *lies, hand, tokens, start), tuple(self.events)


class LasPintas(RuleSet[LasPintasState, LasPintasOptions, LasPintasMove, LasPintasEvent, LasPintasView]):
    """The rules of Las Pintas."""

    slug = "las-pintas"
    name = "Las Pintas"
    version = 1
    seats = range(1, 2)
    State = LasPintasState
    Options = LasPintasOptions
    Move: ClassVar[Any] = LasPintasMove
    Events: ClassVar[Any] = tuple[LasPintasEvent, ...]
    View = LasPintasView
    hides = True

    def deck(self, options: LasPintasOptions) -> tuple[str, ...]:
        """LP-1."""
        return PACKS[options.deck]

    def deal(self, options: LasPintasOptions, seats: int, deck: Sequence[str]) -> LasPintasState:
        """LP-2: the whole deck face down, row by row; LP-10, LP-11: four cards first, and no kings' column."""
        columns, base = options.deck // ROWS, options.variant == "base"
        first, rest = ((), deck) if base else (deck[:START_CARDS], deck[START_CARDS:])
        dealt = iter(rest)
        exchange = options.variant == "revealed-exchange"
        return LasPintasState(
            variant=options.variant,
            face_down=tuple(
                next(dealt) if base or place % columns < columns - 1 else None
                for place in range(options.deck)
            ),
            face_up=(None,) * options.deck,
            suits=(None,) * ROWS,
            hand=tuple(sorted(first, key=HAND_ORDER.__getitem__)) if exchange else (),
            tokens=TOKENS if base else 0,
            start=() if exchange else tuple(first),
        )

    def check(self, state: LasPintasState, seat: int, move: LasPintasMove) -> None:
        match move:
            case LasPintasFlip(at):
                self._check_flip(state, *at)
            case LasPintasPlace(row):
                if state.variant == "revealed-exchange" or not state.hand:
                    raise IllegalMove("LP-6", "no card is waiting to be placed")
                self._check_row(state, state.hand[0], row)
            case LasPintasReveal():
                self._check_reveal(state)
            case LasPintasSort(card, row):
                self._check_sort(state, card, row)

    def _check_flip(self, state: LasPintasState, row: int, column: int) -> None:
        """LP-3; that a token is left is so in every turn (LP-9)."""
        if state.variant != "base":  # LP-13
            raise IllegalMove("LP-3", "in {variant} no card is flipped", variant=state.variant)
        if state.hand:
            raise IllegalMove("LP-3", "{card} in your hand must be placed first", card=state.hand[0])
        if column >= state.columns:
            raise IllegalMove("LP-3", "the table has no column {column}", column=column)
        card = state.face_up[row * state.columns + column]
        if card is not None:
            raise IllegalMove(
                "LP-3", "{card} lies face up at [{row},{column}]", card=card, row=row, column=column
            )

    def _check_row(self, state: LasPintasState, card: str, row: int) -> None:
        """LP-4, LP-6: a row of another suit, or a free one although the suit has its own."""
        owner = state.suits[row]
        if owner is not None and owner != card[-1]:
            raise IllegalMove(
                "LP-4",
                "row {row} belongs to the suit {suit}; {card} is of another",
                row=row,
                suit=owner,
                card=card,
            )
        (own, *_) = rows = possible_rows(state.suits, card)
        if row not in rows:
            raise IllegalMove(
                "LP-6",
                "{card} goes to row {own}, the row of its suit; row {row} is free",
                card=card,
                own=own,
                row=row,
            )

    def _check_reveal(self, state: LasPintasState) -> None:
        """LP-10; that a start card is left is so in every turn."""
        if state.variant != "lost-kings":  # LP-13
            raise IllegalMove("LP-10", "in {variant} there are no start cards", variant=state.variant)
        if state.hand:
            raise IllegalMove("LP-10", "{card} in your hand must be placed first", card=state.hand[0])

    def _check_sort(self, state: LasPintasState, card: str, row: int | UnsetType) -> None:
        """LP-11."""
        if state.variant != "revealed-exchange":  # LP-13
            raise IllegalMove("LP-11", "in {variant} no card is sorted from a hand", variant=state.variant)
        if card not in state.hand:
            raise IllegalMove("LP-11", "{card} is not in your hand", card=card)
        if card in KINGS:
            raise IllegalMove("LP-11", "{card} is a king and stays in your hand", card=card)
        if row is UNSET:
            self._only_row(state, card)
        else:
            self._check_row(state, card, row)

    def _only_row(self, state: LasPintasState, card: str) -> int:
        """LP-11: the row that is meant where it is left out."""
        rows = possible_rows(state.suits, card)
        if len(rows) > 1:
            raise IllegalMove(
                "LP-11", "{card} can go to any of the rows {rows}", card=card, rows=[str(row) for row in rows]
            )
        return rows[0]

    def canonical(self, state: LasPintasState, seat: int, move: LasPintasMove) -> LasPintasMove:
        """LP-11: a sort with its row."""
        if isinstance(move, LasPintasSort) and move.row is UNSET:
            return LasPintasSort(move.card, self._only_row(state, move.card))
        return move

    def legal_moves(self, state: LasPintasState, seat: int) -> Iterator[LasPintasMove]:
        """Flips row by row; rows ascending; cards of the hand in their order, each with its rows."""
        if seat not in self.to_act(state):
            return
        if state.variant == "revealed-exchange":
            for card in state.hand:
                if card not in KINGS:
                    for row in possible_rows(state.suits, card):
                        yield _SORTS[card][row]
        elif state.hand:
            for row in possible_rows(state.suits, state.hand[0]):
                yield _PLACES[row]
        elif state.variant == "lost-kings":
            yield _REVEAL
        else:
            yield from compress(_FLIPS[len(state.face_down)], state.face_down)

    def apply(
        self, state: LasPintasState, seat: int, move: LasPintasMove
    ) -> tuple[LasPintasState, tuple[LasPintasEvent, ...]]:
        match move:
            case LasPintasFlip(at):
                return self._flip(state, *at)
            case LasPintasPlace(row):
                table = _Table(state)
                return self._carry_on(state, table, table.lay(state.hand[0], row))
            case LasPintasReveal():
                card = state.start[0]
                return self._carry_on(state, _Table(state, LasPintasRevealed(card)), card, revealed=1)
            case LasPintasSort(card, row):
                assert row is not UNSET  # in canonical form
                return self._sort(state, card, row)

    def _flip(
        self, state: LasPintasState, row: int, column: int
    ) -> tuple[LasPintasState, tuple[LasPintasEvent, ...]]:
        """LP-3 to LP-6."""
        table, place = _Table(state), row * state.columns + column
        card, table.face_down[place] = state.face_down[place], None
        assert card is not None  # a legal flip
        stays = table.column[card] == column and row in possible_rows(state.suits, card)  # LP-5
        table.events.append(LasPintasTurned(card, (row, column), stays))
        if stays:
            table.face_up[place], table.suits[row] = card, card[-1]
        else:
            table.events.append(LasPintasTookUp(card, (row, column)))
        return self._carry_on(state, table, None if stays else card, paid=1)

    def _carry_on(
        self, state: LasPintasState, table: _Table, card: str | None, *, paid: int = 0, revealed: int = 0
    ) -> tuple[LasPintasState, tuple[LasPintasEvent, ...]]:
        """LP-6 to LP-8, from a card in hand, if any."""
        card = table.carry_on(card)
        hand = () if card is None else (card,)
        return table.after(state, hand, state.tokens - paid, state.start[revealed:])

    def _sort(
        self, state: LasPintasState, card: str, row: int
    ) -> tuple[LasPintasState, tuple[LasPintasEvent, ...]]:
        """LP-11: the card that was there waits in the hand."""
        table = _Table(state)
        taken = table.lay(card, row)
        assert taken is not None  # a card in hand does not lie in its place
        hand = [taken if held == card else held for held in state.hand]
        return table.after(state, tuple(sorted(hand, key=HAND_ORDER.__getitem__)), 0, ())

    def _is_over(self, state: LasPintasState) -> bool:
        if state.variant == "revealed-exchange":  # LP-11
            return not any(state.face_down) or KINGS.issuperset(state.hand)
        # LP-9 and LP-10 look when the turn, the chain, is over: it is won, or a token or start card is missed.
        # Each start card's chain ends with a king, so that the fourth lies when none is left.
        return not state.hand and not (any(state.face_down) and (state.tokens or state.start))

    def to_act(self, state: LasPintasState) -> tuple[int, ...]:
        return () if self._is_over(state) else (0,)

    def outcome(self, state: LasPintasState) -> Outcome | None:
        """LP-9 to LP-11: won when no card of the table lies face down any more, lost otherwise."""
        if not self._is_over(state):
            return None
        won = not any(state.face_down)
        return Outcome(place=(1,), result=("win" if won else "loss",), score=self.score(state))

    def score(self, state: LasPintasState) -> tuple[int, ...]:
        """LP-12: the cards face up in the rectangle, and at a win ten for each token or start card left."""
        score = sum(
            card is not None and not (card in KINGS and state.variant == "lost-kings")
            for card in state.face_up
        )
        if self._is_over(state) and not any(state.face_down):
            score += BONUS * (state.tokens + len(state.start))
        return (score,)

    def may_reveal(self, state: LasPintasState, seat: int, move: LasPintasMove) -> bool:
        """Whether a card is turned or taken up, or the game ends with cards hidden. A refusal shows nothing, and
        a single hidden card is the one not seen elsewhere."""
        hidden = len(state.start) + len(state.face_down) - state.face_down.count(None)
        if self._is_over(state) or hidden < 2:
            return False
        try:
            self.check(state, seat, move)
        except IllegalMove:
            return False
        if not isinstance(move, LasPintasPlace):
            return True
        column = COLUMN[len(state.face_down)][state.hand[0]]
        if state.face_down[move.row * state.columns + column] is not None:
            return True
        # The turn is over, and perhaps the game.
        return not (any(state.face_down) and (state.tokens or state.start))

    def view(self, state: LasPintasState, seat: int | None) -> LasPintasView:
        """Hidden: every face-down card, from the player too."""
        return self._shown(state, face_down=self._is_over(state))

    def open_view(self, state: LasPintasState) -> LasPintasView:
        return self._shown(state, face_down=True)

    def sealed_view(self, state: LasPintasState) -> LasPintasView:
        return self._shown(state, face_down=False)

    def _shown(self, state: LasPintasState, *, face_down: bool) -> LasPintasView:
        """`face_down`: whether the cards that lie so are shown."""
        columns, base, lost_kings = state.columns, state.variant == "base", state.variant == "lost-kings"
        width = columns if base else columns - 1
        start = LasPintasCards(len(state.start), state.start if face_down else None)

        def shown(place: int) -> LasPintasTableCard | None:
            up, down = state.face_up[place], state.face_down[place]
            if up is not None:
                return LasPintasTableCard(face_up=True, card=up)
            if down is not None:
                return LasPintasTableCard(face_up=False, card=down if face_down else None)
            return None

        return LasPintasView(
            table=tuple(
                tuple(shown(row * columns + column) for column in range(width)) for row in range(ROWS)
            ),
            kings=state.face_up[width::columns] if lost_kings else None,
            suits=state.suits,  # type: ignore[arg-type]  # all of them suits
            hand=state.hand,
            tokens=state.tokens if base else None,
            start=start if lost_kings else None,
        )

    def redact(
        self,
        before: LasPintasState,
        seat: int | None,
        mover: int,
        move: LasPintasMove,
        events: tuple[LasPintasEvent, ...],
    ) -> tuple[LasPintasMove, tuple[LasPintasEvent, ...]]:
        """Whatever a move turns or takes up is open to all."""
        return move, events

    def describe(
        self, mover: int, move: LasPintasMove, events: tuple[LasPintasEvent, ...]
    ) -> tuple[Phrase, ...]:
        match move:
            case LasPintasFlip():
                told = [phrase("pays a token")]
            case LasPintasPlace(row):
                told = [phrase("chooses row {row}", row=row)]
            case LasPintasReveal():
                told = [phrase("reveals a start card")]
            case LasPintasSort(card):
                told = [phrase("sorts {card}", card=card)]
        return (*told, *map(self._told, events))

    def _told(self, event: LasPintasEvent) -> Phrase:
        match event:
            case LasPintasTurned(card, (row, column), stays=True):
                return phrase(
                    "turns up {card} at [{row},{column}], where it stays", card=card, row=row, column=column
                )
            case LasPintasTurned(card, (row, column)):
                return phrase("turns up {card} at [{row},{column}]", card=card, row=row, column=column)
            case LasPintasRevealed(card):
                return phrase("takes {card} into the hand", card=card)
            case LasPintasTookUp(card, (row, column)):
                return phrase("takes up {card} from [{row},{column}]", card=card, row=row, column=column)
            case LasPintasPlaced(card, (row, column)):
                return phrase("places {card} at [{row},{column}]", card=card, row=row, column=column)

    def redeal(self, state: LasPintasState, seat: int | None, rng: Random) -> LasPintasState:
        if self._is_over(state):
            return state
        unseen = [card for card in (*state.face_down, *state.start) if card is not None]
        rng.shuffle(unseen)
        face_down = tuple(card and unseen.pop() for card in state.face_down)
        return LasPintasState(
            state.variant, face_down, state.face_up, state.suits, state.hand, state.tokens, tuple(unseen)
        )
