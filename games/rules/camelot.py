"""Camelot, clauses CA-1 to CA-8: one player fills a court of sixteen cells and clears it of all but royals.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Annotated, Any, ClassVar, TypeAlias

from msgspec import Meta, Struct

from games.rules.cards import ACE_LOW, FRENCH_DECK, Card
from games.rules.contract import IllegalMove, Outcome, Phrase, RuleSet, phrase

SIDE = 4
Coordinate: TypeAlias = Annotated[int, Meta(ge=0, le=SIDE - 1)]
Cell: TypeAlias = Annotated[tuple[Coordinate, Coordinate], Meta(description="A cell: row, then column.")]
Board: TypeAlias = tuple[str | None, ...]

CELLS: tuple[Cell, ...] = tuple((row, column) for row in range(SIDE) for column in range(SIDE))
NUMBER_OF: dict[Cell, int] = {cell: number for number, cell in enumerate(CELLS)}
"""Where each cell stands in a board."""

# CA-3: the cells of the royals.
CORNERS: tuple[Cell, ...] = ((0, 0), (0, 3), (3, 0), (3, 3))
MIDDLE_OF_FIRST_AND_LAST_ROW: tuple[Cell, ...] = ((0, 1), (0, 2), (3, 1), (3, 2))
MIDDLE_OF_FIRST_AND_LAST_COLUMN: tuple[Cell, ...] = ((1, 0), (1, 3), (2, 0), (2, 3))
_OF_RANK = {"K": CORNERS, "Q": MIDDLE_OF_FIRST_AND_LAST_ROW, "J": MIDDLE_OF_FIRST_AND_LAST_COLUMN}
PLACES: dict[str, tuple[int, ...]] = {
    card: tuple(NUMBER_OF[cell] for cell in _OF_RANK.get(card[0], CELLS)) for card in FRENCH_DECK
}
"""Where each card may be placed, as places in a board."""

TEN = 10  # CA-5
ROYALS = frozenset(card for card in FRENCH_DECK if card[0] in _OF_RANK)
NUMERALS: dict[str | None, int] = {card: ACE_LOW[card] for card in FRENCH_DECK if card not in ROYALS}
"""CA-1, CA-5: what each card that can be removed counts."""


class CamelotOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Camelot has no options."""


class CamelotDeal(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="deal"):
    """CA-2: turn the top card of the stock onto the waste."""


class CamelotPlace(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="place"):
    """CA-3: put the waste card in an empty cell."""

    at: Cell


class CamelotRemove(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="remove"):
    """CA-5: take a ten off the board, or two cards that together make ten."""

    cells: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=2)]


CamelotMove: TypeAlias = CamelotDeal | CamelotPlace | CamelotRemove


class CamelotTurned(Struct, frozen=True, tag_field="type", tag="turned"):
    """CA-2: the card that was turned onto the waste."""

    card: Card


class CamelotPlaced(Struct, frozen=True, tag_field="type", tag="placed"):
    """CA-3: the card that went from the waste to the board."""

    card: Card


class CamelotRemoved(Struct, frozen=True, tag_field="type", tag="removed"):
    """CA-5: the cards that left the board, by row and column."""

    cards: tuple[Card, ...]


CamelotEvent: TypeAlias = CamelotTurned | CamelotPlaced | CamelotRemoved


class CamelotState(Struct, frozen=True):
    """`stock`: top first. `board`: the sixteen cells, row by row. `removing`: whether removing is allowed
    (CA-4), never while there is a waste card. `removed`: first removed first."""

    stock: tuple[str, ...]
    waste: str | None
    board: Board
    removing: bool
    removed: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<CamelotState, {len(self.stock)} in the stock>"


class CamelotCards(Struct, frozen=True):
    """Cards that may be hidden: how many, and which (null to whom they are hidden)."""

    size: int
    cards: tuple[Card, ...] | None


class CamelotView(Struct, frozen=True):
    """The table as all see it: `stock` top first, `board` as four rows of four cells, `removing` whether
    cards may be removed now, and the cards `removed`, first removed first."""

    stock: CamelotCards
    waste: Card | None
    board: tuple[tuple[Card | None, ...], ...]
    removing: bool
    removed: tuple[Card, ...]


_DEAL = CamelotDeal()
_PLACES = tuple(CamelotPlace(cell) for cell in CELLS)
_REMOVE_ONE = tuple(CamelotRemove((cell,)) for cell in CELLS)
_REMOVE_TWO = tuple(tuple(CamelotRemove((one, other)) for other in CELLS) for one in CELLS)


def removals(board: Board) -> Iterator[CamelotRemove]:
    """What CA-5 lets be removed, by the first cell and then the second."""
    counts = [NUMERALS.get(card, 0) for card in board]
    for one, count in enumerate(counts):
        if count == TEN:
            yield _REMOVE_ONE[one]
        elif count:
            for other in range(one + 1, len(counts)):
                if counts[other] == TEN - count:
                    yield _REMOVE_TWO[one][other]


def is_full(board: Board) -> bool:
    return None not in board


def changed(board: Board, cell: Cell, card: str | None) -> Board:
    """The board with another card, or none, in a cell."""
    number = NUMBER_OF[cell]
    return (*board[:number], card, *board[number + 1 :])


def is_won(state: CamelotState) -> bool:
    """CA-6: stock and waste are empty, and only royals are left on the board."""
    return (
        not state.stock
        and state.waste is None
        and all(card is None or card in ROYALS for card in state.board)
    )


def is_lost(state: CamelotState) -> bool:
    """CA-7: the waste card has no cell to go to, or all cells are filled and nothing can be removed."""
    if state.waste is not None:
        return all(state.board[number] is not None for number in PLACES[state.waste])
    return is_full(state.board) and next(removals(state.board), None) is None


class Camelot(RuleSet[CamelotState, CamelotOptions, CamelotMove, CamelotEvent, CamelotView]):
    """The rules of Camelot."""

    slug = "camelot"
    name = "Camelot"
    version = 1
    seats = range(1, 2)
    State = CamelotState
    Options = CamelotOptions
    Move: ClassVar[Any] = CamelotMove
    Events: ClassVar[Any] = tuple[CamelotEvent, ...]
    View = CamelotView
    hides = True

    def deck(self, options: CamelotOptions) -> tuple[str, ...]:
        """CA-1."""
        return FRENCH_DECK

    def deal(self, options: CamelotOptions, seats: int, deck: Sequence[str]) -> CamelotState:
        """CA-1: all cards start in the stock."""
        return CamelotState(tuple(deck), waste=None, board=(None,) * len(CELLS), removing=False, removed=())

    def check(self, state: CamelotState, seat: int, move: CamelotMove) -> None:
        if isinstance(move, CamelotPlace):
            self._check_place(state, move.at)
        elif state.waste is not None:
            raise IllegalMove("CA-3", "{card} must be placed first", card=state.waste)
        elif isinstance(move, CamelotDeal):
            self._check_deal(state)
        else:
            self._check_remove(state, move.cells)

    def _check_deal(self, state: CamelotState) -> None:
        """CA-2, with no card on the waste."""
        if not state.stock:
            raise IllegalMove("CA-2", "the stock is gone")
        if is_full(state.board):
            raise IllegalMove("CA-2", "no cell is empty")

    def _check_place(self, state: CamelotState, at: Cell) -> None:
        """CA-3."""
        card, there, (row, column) = state.waste, state.board[NUMBER_OF[at]], at
        if card is None:
            raise IllegalMove("CA-3", "there is no card on the waste to place")
        if there is not None:
            raise IllegalMove("CA-3", "{card} lies at [{row},{column}]", card=there, row=row, column=column)
        if NUMBER_OF[at] not in PLACES[card]:
            self._refuse_royal(card)

    def _refuse_royal(self, card: str) -> None:
        """CA-3."""
        match card[0]:
            case "K":
                raise IllegalMove("CA-3", "{card} may go only to a corner", card=card)
            case "Q":
                raise IllegalMove(
                    "CA-3", "{card} may go only to the two middle cells of the first and last row", card=card
                )
        raise IllegalMove(
            "CA-3", "{card} may go only to the two middle cells of the first and last column", card=card
        )

    def _check_remove(self, state: CamelotState, cells: tuple[Cell, ...]) -> None:
        """CA-4 and CA-5, with no card on the waste."""
        if not state.removing:
            filled = sum(card is not None for card in state.board)
            raise IllegalMove("CA-4", "the board must be full first: it holds {filled} of 16", filled=filled)
        if len(set(cells)) < len(cells):
            raise IllegalMove("CA-5", "[{row},{column}] is one cell", row=cells[0][0], column=cells[0][1])
        self._check_sum([self._numeral_at(state, cell) for cell in cells])

    def _numeral_at(self, state: CamelotState, cell: Cell) -> str:
        """The card in a cell that holds one other than a royal (CA-5)."""
        card, (row, column) = state.board[NUMBER_OF[cell]], cell
        if card is None:
            raise IllegalMove("CA-5", "[{row},{column}] is empty", row=row, column=column)
        if card in ROYALS:
            raise IllegalMove("CA-5", "{card} is a royal, and royals stay", card=card)
        return card

    def _check_sum(self, cards: list[str]) -> None:
        """CA-5."""
        total = sum(NUMERALS[card] for card in cards)
        if total == TEN:
            return
        if len(cards) == 1:
            raise IllegalMove("CA-5", "{card} alone makes {sum}, not 10", card=cards[0], sum=total)
        raise IllegalMove("CA-5", "{cards} make {sum}, not 10", cards=cards, sum=total)

    def canonical(self, state: CamelotState, seat: int, move: CamelotMove) -> CamelotMove:
        """CA-5: cells by row, then column."""
        return CamelotRemove(tuple(sorted(move.cells))) if isinstance(move, CamelotRemove) else move

    def legal_moves(self, state: CamelotState, seat: int) -> Iterator[CamelotMove]:
        """With a card on the waste its cells by row and column; else deal, then what can be removed."""
        if seat not in self.to_act(state):
            return
        board = state.board
        if state.waste is not None:
            for number in PLACES[state.waste]:
                if board[number] is None:
                    yield _PLACES[number]
            return
        if state.stock and not is_full(board):
            yield _DEAL
        if state.removing:
            yield from removals(board)

    def apply(
        self, state: CamelotState, seat: int, move: CamelotMove
    ) -> tuple[CamelotState, tuple[CamelotEvent, ...]]:
        match move:
            case CamelotDeal():
                return self._deal(state)
            case CamelotPlace(at):
                return self._place(state, at)
            case CamelotRemove(cells):
                return self._remove(state, cells)

    def _deal(self, state: CamelotState) -> tuple[CamelotState, tuple[CamelotEvent, ...]]:
        """CA-2, and CA-4: removing is allowed until the next deal."""
        card = state.stock[0]
        after = CamelotState(
            state.stock[1:], waste=card, board=state.board, removing=False, removed=state.removed
        )
        return after, (CamelotTurned(card),)

    def _place(self, state: CamelotState, at: Cell) -> tuple[CamelotState, tuple[CamelotEvent, ...]]:
        """CA-3, and CA-4: removing is allowed once all cells are filled, or stock and waste both empty."""
        card = state.waste
        assert card is not None, "a legal place has a waste card"
        board = changed(state.board, at, card)
        removing = is_full(board) or not state.stock
        after = CamelotState(state.stock, waste=None, board=board, removing=removing, removed=state.removed)
        return after, (CamelotPlaced(card),)

    def _remove(
        self, state: CamelotState, cells: tuple[Cell, ...]
    ) -> tuple[CamelotState, tuple[CamelotEvent, ...]]:
        """CA-5, and CA-4: removing stays allowed."""
        board = state.board
        cards = tuple(card for cell in cells if (card := board[NUMBER_OF[cell]]) is not None)
        for cell in cells:
            board = changed(board, cell, None)
        after = CamelotState(
            state.stock, waste=None, board=board, removing=True, removed=state.removed + cards
        )
        return after, (CamelotRemoved(cards),)

    def to_act(self, state: CamelotState) -> tuple[int, ...]:
        return () if is_won(state) or is_lost(state) else (0,)

    def outcome(self, state: CamelotState) -> Outcome | None:
        """CA-6 to CA-8: the score is the number of cards removed, in a lost game too."""
        score = self.score(state)
        if is_won(state):
            return Outcome((1,), ("win",), score)
        if is_lost(state):
            return Outcome((1,), ("loss",), score)
        return None

    def score(self, state: CamelotState) -> tuple[int, ...]:
        """CA-8."""
        return (len(state.removed),)

    def may_reveal(self, state: CamelotState, seat: int, move: CamelotMove) -> bool:
        """A deal turns up a card, and a card placed where it ends the game (CA-7) opens what the stock has
        left; nothing is removed in a way that ends the game while the stock has a card (CA-6)."""
        if not state.stock:
            return False
        match move:
            case CamelotDeal():
                return state.waste is None and not is_full(state.board)
            case CamelotPlace(at):
                number = NUMBER_OF[at]
                if (
                    state.waste is None
                    or number not in PLACES[state.waste]
                    or state.board[number] is not None
                ):
                    return False
                return is_lost(self._place(state, at)[0])
        return False

    def view(self, state: CamelotState, seat: int | None) -> CamelotView:
        """Hidden: the order of the stock, from the player too."""
        return self.sealed_view(state) if self.to_act(state) else self.open_view(state)

    def open_view(self, state: CamelotState) -> CamelotView:
        return self._shown(state, stock=state.stock)

    def sealed_view(self, state: CamelotState) -> CamelotView:
        return self._shown(state, stock=None)

    def _shown(self, state: CamelotState, *, stock: tuple[str, ...] | None) -> CamelotView:
        board = state.board
        return CamelotView(
            stock=CamelotCards(len(state.stock), stock),
            waste=state.waste,
            board=tuple(board[first : first + SIDE] for first in range(0, len(board), SIDE)),
            removing=state.removing,
            removed=state.removed,
        )

    def redact(
        self,
        before: CamelotState,
        seat: int | None,
        mover: int,
        move: CamelotMove,
        events: tuple[CamelotEvent, ...],
    ) -> tuple[CamelotMove, tuple[CamelotEvent, ...]]:
        """Moves are open to all, and so is what they turn up."""
        return move, events

    def describe(self, mover: int, move: CamelotMove, events: tuple[CamelotEvent, ...]) -> tuple[Phrase, ...]:
        match move, events:
            case CamelotDeal(), (CamelotTurned(card),):
                return (phrase("deals {card}", card=card),)
            case CamelotPlace((row, column)), (CamelotPlaced(card),):
                return (phrase("places {card} at [{row},{column}]", card=card, row=row, column=column),)
            case _, (CamelotRemoved(cards),):
                return (phrase("removes {cards}", cards=cards),)
        raise AssertionError(f"{events} do not follow from {move}")

    def redeal(self, state: CamelotState, seat: int | None, rng: Random) -> CamelotState:
        if not self.to_act(state):
            return state
        return CamelotState(
            tuple(rng.sample(state.stock, len(state.stock))),
            waste=state.waste,
            board=state.board,
            removing=state.removing,
            removed=state.removed,
        )
