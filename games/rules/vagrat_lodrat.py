"""Vågrät & Lodrät (Across & Down), clauses VL-1 to VL-16: one sorts the rows of a board, the other its columns.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Annotated, Any, ClassVar, Literal, NoReturn, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import ACE_HIGH, FRENCH_DECK, Card
from games.rules.contract import IllegalMove, Outcome, Phrase, Result, RuleSet, phrase, ranked

VALUE: dict[str, int] = {card: 10 * ACE_HIGH[card] + "DSHC".index(card[1]) for card in FRENCH_DECK}
"""VL-1: the value of each card, from 20 (2D) to 143 (AC)."""

VAGRAT, LODRAT = 0, 1  # VL-2

SIZE = 6  # VL-3
MIDDLE = range(1, SIZE - 1)
HAND = 8  # VL-4
QUIET_TURNS = 40  # VL-16

Coordinate: TypeAlias = Annotated[int, Meta(ge=0, le=SIZE - 1)]
Cell: TypeAlias = tuple[Coordinate, Coordinate]


class VagratLodratOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """`cooperative`: both win by equal points, and a card must be played in each turn (VL-15). `penalty`: the
    cards that a card is compared with, the one directly before it or any before it (VL-13)."""

    cooperative: bool = False
    penalty: Literal["adjacent", "any-earlier"] = "adjacent"


class VagratLodratSwap(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="swap"):
    """VL-6: two cards of a row (Vågrät) or a column (Lodrät) change places."""

    a: Cell
    b: Cell


class VagratLodratPlay(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """VL-7: a card from the hand to an empty cell at the beginning or end of a row or column."""

    card: Card
    at: Cell


class VagratLodratPass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pass"):
    """VL-9: end the turn without playing a card."""


VagratLodratMove: TypeAlias = VagratLodratSwap | VagratLodratPlay | VagratLodratPass


class VagratLodratFurtherTurn(Struct, frozen=True, tag_field="type", tag="further_turn"):
    """VL-11: the seat that has one whole further turn, the last of the game."""

    seat: int


class VagratLodratQuietEnd(Struct, frozen=True, tag_field="type", tag="quiet_end"):
    """VL-16: the game has ended because so many turns in a row were ended by a pass."""

    turns: int


VagratLodratEvent: TypeAlias = VagratLodratFurtherTurn | VagratLodratQuietEnd


class VagratLodratState(Struct, frozen=True):
    """`board`: 36 cells row by row, None where a cell is empty. `hands` by seat, lowest value first. `aside` in
    deck order. `swapped`: the seat whose `turn` it is has made its swap. `unbroken`: Vågrät has played a card in
    every turn so far (VL-11). `quiet_turns`: turns in a row ended by a pass (VL-16)."""

    options: VagratLodratOptions
    board: tuple[str | None, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    aside: tuple[str, ...]
    turn: int
    swapped: bool
    unbroken: bool
    quiet_turns: int
    over: bool

    def __repr__(self) -> str:
        told = "the game is over" if self.over else f"seat {self.turn} to move"
        return f"<VagratLodratState, {told}>"


class VagratLodratCards(Struct, frozen=True):
    """Cards that may be hidden: how many, and which (null to whom they are hidden)."""

    size: int
    cards: tuple[Card, ...] | None


class VagratLodratView(Struct, frozen=True):
    """The table as one viewer sees it. `board`: six rows of six cells, row 0 first, null where a cell is empty.
    `hands` by seat, lowest value first; `aside` in deck order. `swapped`: the swap of this turn has been made.
    `unbroken`: Vågrät has played a card in every turn so far (VL-11). `quiet_turns`: turns in a row ended by a
    pass (VL-16)."""

    board: tuple[tuple[Card | None, ...], ...]
    hands: tuple[VagratLodratCards, ...]
    aside: VagratLodratCards
    swapped: bool
    unbroken: bool
    quiet_turns: int


CELLS: tuple[Cell, ...] = tuple((row, column) for row in range(SIZE) for column in range(SIZE))
NUMBER: dict[Cell, int] = {cell: number for number, cell in enumerate(CELLS)}
"""Where each cell stands in the board of a state."""

# VL-2, VL-3, by seat: the lines that a seat sorts, each in the order in which it is read (VL-12).
LINES: tuple[tuple[tuple[int, ...], ...], ...] = (
    tuple(tuple(NUMBER[row, column] for column in range(SIZE)) for row in range(SIZE)),
    tuple(tuple(NUMBER[row, column] for row in range(SIZE)) for column in range(SIZE)),
)
# VL-6, by seat: every swap in canonical form, with the numbers of its cells.
SWAPS: tuple[tuple[tuple[int, int, VagratLodratSwap], ...], ...] = tuple(
    tuple((a, b, VagratLodratSwap(CELLS[a], CELLS[b])) for line in lines for a, b in combinations(line, 2))
    for lines in LINES
)
# VL-7, by seat: the numbers of the cells at both ends of the four middle rows or columns.
FRINGE: tuple[tuple[int, ...], ...] = tuple(
    tuple(end for line in MIDDLE for end in (lines[line][0], lines[line][-1])) for lines in LINES
)
# VL-8
CORNERS = frozenset(NUMBER[row, column] for row in (0, SIZE - 1) for column in (0, SIZE - 1))

_PLAYS: dict[str, dict[int, VagratLodratPlay]] = {
    card: {number: VagratLodratPlay(card, CELLS[number]) for fringe in FRINGE for number in fringe}
    for card in FRENCH_DECK
}
_PASS = VagratLodratPass()


class VagratLodrat(
    RuleSet[VagratLodratState, VagratLodratOptions, VagratLodratMove, VagratLodratEvent, VagratLodratView]
):
    """The rules of Vågrät & Lodrät."""

    slug = "vagrat-lodrat"
    name = "Vågrät & Lodrät (Across & Down)"
    version = 1
    seats = range(2, 3)
    State = VagratLodratState
    Options = VagratLodratOptions
    Move: ClassVar[Any] = VagratLodratMove
    Events: ClassVar[Any] = tuple[VagratLodratEvent, ...]
    View = VagratLodratView
    hides = True

    def deck(self, options: VagratLodratOptions) -> tuple[str, ...]:
        """VL-1."""
        return FRENCH_DECK

    def deal(self, options: VagratLodratOptions, seats: int, deck: Sequence[str]) -> VagratLodratState:
        """VL-4: the middle is filled row by row, then come the hands; the rest is set aside."""
        cards = iter(deck)
        board = tuple(next(cards) if row in MIDDLE and column in MIDDLE else None for row, column in CELLS)
        return VagratLodratState(
            options=options,
            board=board,
            hands=(_hand(next(cards) for _ in range(HAND)), _hand(next(cards) for _ in range(HAND))),
            aside=tuple(cards),
            turn=VAGRAT,
            swapped=False,
            unbroken=True,
            quiet_turns=0,
            over=False,
        )

    def to_act(self, state: VagratLodratState) -> tuple[int, ...]:
        return () if state.over else (state.turn,)

    def check(self, state: VagratLodratState, seat: int, move: VagratLodratMove) -> None:
        """VL-5: a turn is a swap, then a play or a pass."""
        match move:
            case VagratLodratSwap(a, b):
                if state.swapped:
                    raise IllegalMove("VL-5", "you have made the swap of this turn")
                self._check_swap(state, seat, a, b)
            case _ if not state.swapped:
                raise IllegalMove("VL-5", "the swap comes first in every turn")
            case VagratLodratPlay(card, at):
                self._check_play(state, seat, card, at)
            case VagratLodratPass():
                if state.options.cooperative:
                    raise IllegalMove("VL-15", "in the cooperative game a card must be played after the swap")

    def _check_swap(self, state: VagratLodratState, seat: int, a: Cell, b: Cell) -> None:
        """VL-6: two cards of one row for Vågrät (the first number of a cell), of one column for Lodrät (the
        second)."""
        if a == b:
            raise IllegalMove("VL-6", "a swap takes two cards, and both cells are {cell}", cell=_written(a))
        if a[seat] != b[seat]:
            self._refuse_line(seat, a, b)
        for cell in (a, b):
            if state.board[NUMBER[cell]] is None:
                raise IllegalMove("VL-6", "there is no card at {cell}", cell=_written(cell))

    def _refuse_line(self, seat: int, a: Cell, b: Cell) -> NoReturn:
        if seat == VAGRAT:
            raise IllegalMove("VL-6", "{a} and {b} are not in one row", a=_written(a), b=_written(b))
        raise IllegalMove("VL-6", "{a} and {b} are not in one column", a=_written(a), b=_written(b))

    def _check_play(self, state: VagratLodratState, seat: int, card: str, at: Cell) -> None:
        """VL-7: a card from the hand, to an empty cell of the player's own fringe."""
        number = NUMBER[at]
        self._check_forbidden_cells(seat, at)
        if card not in state.hands[seat]:
            raise IllegalMove("VL-7", "{card} is not in your hand", card=card)
        if state.board[number] is not None:
            raise IllegalMove(
                "VL-7", "{other} lies at {cell} already", other=state.board[number], cell=_written(at)
            )

    def _check_forbidden_cells(self, seat: int, at: Cell) -> None:
        """VL-8: not the corners, not the other player's fringe; every other cell outside the own fringe is in
        the middle, which is always full."""
        number = NUMBER[at]
        if number in CORNERS:
            raise IllegalMove("VL-8", "{cell} is a corner, where nobody plays", cell=_written(at))
        if number in FRINGE[1 - seat]:
            if seat == VAGRAT:
                raise IllegalMove(
                    "VL-8", "{cell} is in row {row}, where only Lodrät plays", cell=_written(at), row=at[0]
                )
            raise IllegalMove(
                "VL-8",
                "{cell} is in column {column}, where only Vågrät plays",
                cell=_written(at),
                column=at[1],
            )

    def canonical(self, state: VagratLodratState, seat: int, move: VagratLodratMove) -> VagratLodratMove:
        """VL-6: the smaller cell of a swap stands first."""
        if isinstance(move, VagratLodratSwap) and move.b < move.a:
            return VagratLodratSwap(move.b, move.a)
        return move

    def legal_moves(self, state: VagratLodratState, seat: int) -> Iterator[VagratLodratMove]:
        """Swaps line by line; after the swap the cards of the hand, each to every cell, then a pass."""
        if state.over or seat != state.turn:
            return
        board = state.board
        if not state.swapped:
            for a, b, swap in SWAPS[seat]:
                if board[a] is not None and board[b] is not None:
                    yield swap
            return
        empty = [number for number in FRINGE[seat] if board[number] is None]
        for card in state.hands[seat]:
            plays = _PLAYS[card]
            for number in empty:
                yield plays[number]
        if not state.options.cooperative:
            yield _PASS

    def apply(
        self, state: VagratLodratState, seat: int, move: VagratLodratMove
    ) -> tuple[VagratLodratState, tuple[VagratLodratEvent, ...]]:
        match move:
            case VagratLodratSwap(a, b):
                return self._swap(state, NUMBER[a], NUMBER[b]), ()
            case VagratLodratPlay():
                return self._play(state, seat, move)
            case VagratLodratPass():
                return self._pass(state, seat)

    def _swap(self, state: VagratLodratState, a: int, b: int) -> VagratLodratState:
        """VL-6; the turn goes on (VL-5)."""
        board = list(state.board)
        board[a], board[b] = board[b], board[a]
        return replace(state, board=tuple(board), swapped=True)

    def _play(
        self, state: VagratLodratState, seat: int, play: VagratLodratPlay
    ) -> tuple[VagratLodratState, tuple[VagratLodratEvent, ...]]:
        """VL-7, and VL-11 where a last card does not end the game."""
        at, over = NUMBER[play.at], self._ends(state, seat, play)
        hand = tuple(held for held in state.hands[seat] if held != play.card)
        after = replace(
            state,
            board=(*state.board[:at], play.card, *state.board[at + 1 :]),
            hands=(hand, state.hands[LODRAT]) if seat == VAGRAT else (state.hands[VAGRAT], hand),
            turn=1 - seat,
            swapped=False,
            quiet_turns=0,
            over=over,
        )
        return after, () if hand or over else (VagratLodratFurtherTurn(LODRAT),)

    def _pass(
        self, state: VagratLodratState, seat: int
    ) -> tuple[VagratLodratState, tuple[VagratLodratEvent, ...]]:
        """VL-9."""
        quiet_turns = state.quiet_turns + 1
        after = replace(
            state,
            turn=1 - seat,
            swapped=False,
            unbroken=state.unbroken and seat != VAGRAT,
            quiet_turns=quiet_turns,
            over=self._ends(state, seat, _PASS),
        )
        return after, (VagratLodratQuietEnd(quiet_turns),) if quiet_turns == QUIET_TURNS else ()

    def _ends(self, state: VagratLodratState, seat: int, move: VagratLodratMove) -> bool:
        """Whether a move that ends the turn ends the game."""
        if not state.hands[VAGRAT]:
            return True  # VL-11: this was the further turn
        if isinstance(move, VagratLodratPass):
            return state.quiet_turns + 1 == QUIET_TURNS  # VL-16
        plays_the_last_card = len(state.hands[seat]) == 1
        return plays_the_last_card and not (seat == VAGRAT and state.unbroken)  # VL-10, VL-11

    def outcome(self, state: VagratLodratState) -> Outcome | None:
        if not state.over:
            return None
        points = self.score(state)
        if not state.options.cooperative:
            return ranked(points, fewest_wins=False)  # VL-14
        result: Result = "win" if points[VAGRAT] == points[LODRAT] else "loss"
        return Outcome(place=(1, 1), result=(result, result), score=points)  # VL-15

    def score(self, state: VagratLodratState) -> tuple[int, ...]:
        """VL-14."""
        return tuple(self._points(state, seat) for seat in (VAGRAT, LODRAT))

    def is_cooperative(self, options: VagratLodratOptions) -> bool:
        """VL-15."""
        return options.cooperative

    def _points(self, state: VagratLodratState, seat: int) -> int:
        """VL-12: a point for every card, less one for every card that comes after a higher one."""
        points = 0
        for line in LINES[seat]:
            values = [VALUE[card] for number in line if (card := state.board[number]) is not None]
            points += len(values) - self._penalties(state.options, values)
        return points

    def _penalties(self, options: VagratLodratOptions, values: Sequence[int]) -> int:
        """VL-13: the cards that come after a higher one, directly or at any distance."""
        if options.penalty == "adjacent":
            return sum(before > value for before, value in pairwise(values))
        return sum(max(values[:place]) > values[place] for place in range(1, len(values)))

    def may_reveal(self, state: VagratLodratState, seat: int, move: VagratLodratMove) -> bool:
        """Nothing is shown before the end of the game, which opens the cards set aside."""
        if state.over or seat != state.turn or not state.swapped or isinstance(move, VagratLodratSwap):
            return False
        return self._ends(state, seat, move)

    def view(self, state: VagratLodratState, seat: int | None) -> VagratLodratView:
        """Hidden: hands from the other player and spectators; the cards set aside from all."""
        if state.over:
            return self.open_view(state)
        return self._shown(state, hands=() if seat is None else (seat,), aside=False)

    def open_view(self, state: VagratLodratState) -> VagratLodratView:
        return self._shown(state, hands=(VAGRAT, LODRAT), aside=True)

    def _shown(self, state: VagratLodratState, *, hands: Container[int], aside: bool) -> VagratLodratView:
        return VagratLodratView(
            board=tuple(tuple(state.board[number] for number in row) for row in LINES[VAGRAT]),
            hands=tuple(
                VagratLodratCards(len(hand), hand if seat in hands else None)
                for seat, hand in enumerate(state.hands)
            ),
            aside=VagratLodratCards(len(state.aside), state.aside if aside else None),
            swapped=state.swapped,
            unbroken=state.unbroken,
            quiet_turns=state.quiet_turns,
        )

    def redact(
        self,
        before: VagratLodratState,
        seat: int | None,
        mover: int,
        move: VagratLodratMove,
        events: tuple[VagratLodratEvent, ...],
    ) -> tuple[VagratLodratMove, tuple[VagratLodratEvent, ...]]:
        """Moves are made on the board, where all can see them, and so is what they cause."""
        return move, events

    def describe(
        self, mover: int, move: VagratLodratMove, events: tuple[VagratLodratEvent, ...]
    ) -> tuple[Phrase, ...]:
        match move:
            case VagratLodratSwap(a, b):
                told = [phrase("seat {seat} swaps {a} and {b}", seat=mover, a=_written(a), b=_written(b))]
            case VagratLodratPlay(card, at):
                told = [
                    phrase("seat {seat} plays {card} at {cell}", seat=mover, card=card, cell=_written(at))
                ]
            case VagratLodratPass():
                told = [phrase("seat {seat} plays no card", seat=mover)]
        for event in events:
            match event:
                case VagratLodratFurtherTurn(seat):
                    told.append(phrase("and seat {seat} has one further turn", seat=seat))
                case VagratLodratQuietEnd(turns):
                    told.append(phrase("and {turns} turns in a row without a card end the game", turns=turns))
        return tuple(told)

    def redeal(self, state: VagratLodratState, seat: int | None, rng: Random) -> VagratLodratState:
        if state.over:
            return state
        unseen = [card for number, hand in enumerate(state.hands) if number != seat for card in hand]
        unseen += state.aside
        rng.shuffle(unseen)
        first, second = (
            hand if number == seat else _hand(unseen.pop() for _ in hand)
            for number, hand in enumerate(state.hands)
        )
        return replace(state, hands=(first, second), aside=tuple(unseen))


def _hand(cards: Iterator[str]) -> tuple[str, ...]:
    """Cards as a hand holds them, lowest value first."""
    return tuple(sorted(cards, key=VALUE.__getitem__))


def _written(cell: Cell) -> str:
    """A cell as the rule book writes it."""
    return f"[{cell[0]},{cell[1]}]"
