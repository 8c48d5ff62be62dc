"""Kungen (FreeCell), clauses FC-1 to FC-10: one player, all cards open.

Clause ids stand beside the code that is them; the module follows the order of the rule book.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.rules.cards import ACE_LOW, FRENCH_DECK, RANKS, RED, SUITS, Card
from games.rules.contract import IllegalMove, Outcome, Phrase, RuleSet, WrongForm, phrase, phrases, words

COLUMNS = "12345678"
CELLS = "abcd"
FOUNDATION = "h"
Place: TypeAlias = Literal["1", "2", "3", "4", "5", "6", "7", "8", "a", "b", "c", "d", "h"]

MOST_MOVES = 2000  # FC-7
LAST_DEAL = 1_000_000  # FC-10
CANNOT_BE_WON = frozenset({11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948})  # FC-10


class FreecellOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """`deal`: the Microsoft deal of that number (FC-10) instead of a shuffled deck."""

    deal: Annotated[int, Meta(ge=1, le=LAST_DEAL)] | None = None


class FreecellMove(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="move"):
    """FC-3, FC-6: from a column or a free cell to a column, a free cell, or `h`, the suit's foundation. Left
    out, `count` is what FC-6 makes of it."""

    source: Place = field(name="from")
    target: Place = field(name="to")
    count: Annotated[int, Meta(ge=1, le=52)] | UnsetType = UNSET


class FreecellMoved(Struct, frozen=True, gc=False, tag_field="type", tag="moved"):
    """FC-3, FC-5: the cards that were moved, the free one last."""

    cards: tuple[Card, ...]


class FreecellState(Struct, frozen=True, gc=False):
    """`columns`: eight, the free card last. `cells`: four. `foundations`: cards built, by suit C D H S."""

    columns: tuple[tuple[str, ...], ...]
    cells: tuple[str | None, ...]
    foundations: tuple[int, ...]
    moves: int


class FreecellView(Struct, frozen=True):
    """The table as all see it: `columns` (the free card last), the cells `a` to `d`, the top card of each
    foundation by suit, and how many moves were made."""

    columns: tuple[tuple[Card, ...], ...]
    cells: dict[str, Card | None]
    foundations: dict[str, Card | None]
    moves: int


# FC-4: the cards upon which each card may be laid in a column: one rank higher and of the other colour.
LIES_ON: dict[str, tuple[str, ...]] = {
    lower: tuple(
        upper
        for upper in FRENCH_DECK
        if ACE_LOW[upper] == ACE_LOW[lower] + 1 and (upper in RED) != (lower in RED)
    )
    for lower in FRENCH_DECK
}
# Every canonical move, by count and then by `from` and `to` as FC-9 writes them.
MOVES: dict[int, dict[str, FreecellMove]] = {
    count: {
        source + target: FreecellMove(source, target, count)  # type: ignore[arg-type]  # all of them places
        for source in COLUMNS + CELLS
        for target in COLUMNS + CELLS + FOUNDATION
    }
    for count in range(1, len(RANKS) + 1)
}


def run_length(column: Sequence[str]) -> int:
    """How many cards at a column's free end form a run, descending and alternating (FC-5)."""
    for length in range(1, len(column)):
        if column[-length - 1] not in LIES_ON[column[-length]]:
            return length
    return len(column)


def most_at_once(state: FreecellState) -> tuple[int, int]:
    """How many cards could be moved one at a time (FC-5): to a column that holds cards, and to an empty one,
    which itself does not count as empty."""
    empty = state.columns.count(())
    steps = state.cells.count(None) + 1
    return steps << empty, steps << empty >> 1


def default_count(state: FreecellState, source: str, target: str) -> int:
    """FC-6, for a source that holds cards. Raises `IllegalMove` (FC-4)."""
    onto = state.columns[COLUMNS.index(target)] if target in COLUMNS else ()
    if not onto:
        return 1
    cards = cards_at(state, source)
    count = ACE_LOW[onto[-1]] - ACE_LOW[cards[-1]]
    if not 1 <= count <= len(cards):
        raise IllegalMove("FC-4", "no card of {source} fits on {card}", source=source, card=onto[-1])
    return count


def cards_at(state: FreecellState, source: str) -> tuple[str, ...]:
    """The cards that lie at a column or free cell, the free one last."""
    if source in COLUMNS:
        return state.columns[COLUMNS.index(source)]
    card = state.cells[CELLS.index(source)]
    return () if card is None else (card,)


def laid_out(
    state: FreecellState,
) -> tuple[list[tuple[str, tuple[str, ...]]], dict[str, str], list[str], list[str]]:
    """The columns and free cells that hold cards, each with its cards, the free one last; the free cards of the
    columns, each with its column; the empty columns; the empty cells."""
    holding, tops, empty_columns, empty_cells = [], {}, [], []
    for place, column in zip(COLUMNS, state.columns, strict=True):
        if column:
            holding.append((place, column))
            tops[column[-1]] = place
        else:
            empty_columns.append(place)
    for place, card in zip(CELLS, state.cells, strict=True):
        if card is None:
            empty_cells.append(place)
        else:
            holding.append((place, (card,)))
    return holding, tops, empty_columns, empty_cells


def next_up(state: FreecellState) -> list[str]:
    """FC-4: the next card of each suit that is not complete."""
    return [
        FRENCH_DECK[len(SUITS) * height + number]
        for number, height in enumerate(state.foundations)
        if height < len(RANKS)
    ]


def can_move(state: FreecellState) -> bool:
    """Whether any move is legal while cards are left to move (FC-7)."""
    if None in state.cells or () in state.columns:
        return True
    # Without an empty cell and an empty column cards move one at a time.
    tops, next_cards = {column[-1] for column in state.columns}, next_up(state)
    for card in (*tops, *filter(None, state.cells)):
        if card in next_cards:
            return True
        for upper in LIES_ON[card]:
            if upper in tops:
                return True
    return False


class Freecell(RuleSet[FreecellState, FreecellOptions, FreecellMove, FreecellMoved, FreecellView]):
    """The rules of Kungen."""

    slug = "freecell"
    name = "Kungen (FreeCell)"
    version = 1
    seats = range(1, 2)
    State = FreecellState
    Options = FreecellOptions
    Move = FreecellMove
    Events: ClassVar[Any] = tuple[FreecellMoved, ...]
    View = FreecellView
    hides = False
    has_notation = True
    notation_word = "[1-8a-dh]{2}(v0*([1-9a-f]|[12][0-9a-f]|3[0-4]))?"  # FC-9

    def deck(self, options: FreecellOptions) -> tuple[str, ...]:
        return FRENCH_DECK

    def deal(self, options: FreecellOptions, seats: int, deck: Sequence[str]) -> FreecellState:
        """FC-1, FC-2: to eight columns in turn, until the deck is dealt; cells and foundations are empty."""
        return FreecellState(
            columns=tuple(tuple(deck[number :: len(COLUMNS)]) for number in range(len(COLUMNS))),
            cells=(None,) * len(CELLS),
            foundations=(0,) * len(SUITS),
            moves=0,
        )

    def check(self, state: FreecellState, seat: int, move: FreecellMove) -> None:
        """FC-3 to FC-6."""
        source, target = move.source, move.target
        if source == FOUNDATION:
            raise IllegalMove("FC-3", "a card on a foundation stays there")
        cards = cards_at(state, source)
        if not cards:
            raise IllegalMove("FC-3", "there is no card at {source}", source=source)
        if source == target:
            raise IllegalMove(
                "FC-4", "{source} is both where the card lies and where it is to go", source=source
            )
        count = default_count(state, source, target) if move.count is UNSET else move.count
        if target in COLUMNS:
            self._check_run(state, source, target, count)
            self._check_column(state, target, cards[-count])
        elif count > 1:
            raise IllegalMove("FC-5", "{count} cards may be moved at once only between columns", count=count)
        elif target in CELLS:
            held = state.cells[CELLS.index(target)]
            if held is not None:
                raise IllegalMove("FC-4", "free cell {cell} holds {held}", cell=target, held=held)
        elif cards[-1] not in next_up(state):
            raise IllegalMove("FC-4", "{card} is not the next card of its suit", card=cards[-1])

    def _check_run(self, state: FreecellState, source: str, target: str, count: int) -> None:
        """FC-5."""
        if count == 1:
            return
        if source not in COLUMNS:
            raise IllegalMove("FC-5", "{count} cards may be moved at once only between columns", count=count)
        length = run_length(cards_at(state, source))
        if count > length:
            raise IllegalMove(
                "FC-5",
                "the run at the end of column {source} is {run} long, not {count}",
                run=length,
                source=source,
                count=count,
            )
        most, most_to_empty = most_at_once(state)
        if not state.columns[COLUMNS.index(target)]:
            most = most_to_empty
        if count > most:
            raise IllegalMove(
                "FC-5", "no more than {most} cards could be moved one at a time", most=most, count=count
            )

    def _check_column(self, state: FreecellState, target: str, card: str) -> None:
        """FC-4, to a column."""
        onto = state.columns[COLUMNS.index(target)]
        if onto and onto[-1] not in LIES_ON[card]:
            raise IllegalMove("FC-4", "{card} does not fit on {onto}", card=card, onto=onto[-1])

    def canonical(self, state: FreecellState, seat: int, move: FreecellMove) -> FreecellMove:
        """FC-6: the canonical form always has the count."""
        if move.count is not UNSET:
            return move
        count = default_count(state, move.source, move.target)
        return MOVES[count][move.source + move.target]

    def legal_moves(self, state: FreecellState, seat: int) -> Iterator[FreecellMove]:
        """By source (columns, then cells): to columns by count, then to a cell, then to the foundation."""
        if state.moves >= MOST_MOVES:
            return
        holding, tops, empty_columns, empty_cells = laid_out(state)
        most, most_to_empty = most_at_once(state)
        next_cards = next_up(state)
        for source, cards in holding:
            longest = min(run_length(cards), most) if most > 1 else 1
            for count in range(1, longest + 1):
                for upper in LIES_ON[cards[-count]]:
                    if upper in tops:
                        yield MOVES[count][source + tops[upper]]
                if count <= most_to_empty:
                    for target in empty_columns:
                        yield MOVES[count][source + target]
            for cell in empty_cells:
                yield MOVES[1][source + cell]
            if cards[-1] in next_cards:
                yield MOVES[1][source + FOUNDATION]

    def apply(
        self, state: FreecellState, seat: int, move: FreecellMove
    ) -> tuple[FreecellState, tuple[FreecellMoved, ...]]:
        assert move.count is not UNSET, "only moves in canonical form are applied"
        source, target, count = move.source, move.target, move.count
        columns, cells, foundations = list(state.columns), list(state.cells), state.foundations
        if source in COLUMNS:
            number = COLUMNS.index(source)
            lifted = columns[number][-count:]
            columns[number] = columns[number][:-count]
        else:
            number = CELLS.index(source)
            lifted = cards_at(state, source)
            cells[number] = None
        if target in COLUMNS:
            columns[COLUMNS.index(target)] += lifted
        elif target in CELLS:
            cells[CELLS.index(target)] = lifted[0]
        else:
            suit = SUITS.index(lifted[0][1])
            foundations = (*foundations[:suit], foundations[suit] + 1, *foundations[suit + 1 :])
        after = FreecellState(tuple(columns), tuple(cells), foundations, state.moves + 1)
        return after, (FreecellMoved(lifted),)

    def to_act(self, state: FreecellState) -> tuple[int, ...]:
        """FC-7: over when won, when no legal move is left, or after 2,000 moves."""
        if sum(state.foundations) == len(FRENCH_DECK) or state.moves >= MOST_MOVES:
            return ()
        return (0,) if can_move(state) else ()

    def outcome(self, state: FreecellState) -> Outcome | None:
        """FC-7."""
        if self.to_act(state):
            return None
        score = self.score(state)
        return Outcome(place=(1,), result=("win" if score == (len(FRENCH_DECK),) else "loss",), score=score)

    def score(self, state: FreecellState) -> tuple[int, ...]:
        """FC-8."""
        return (sum(state.foundations),)

    def parse(self, word: str) -> FreecellMove:
        """FC-9: `from` and `to`, and for another count than FC-6's `v` and the number in hexadecimal."""
        places, marked, number = word.partition("v")
        source, target = places[:1], places[1:]
        if source not in (*COLUMNS, *CELLS, FOUNDATION) or target not in (*COLUMNS, *CELLS, FOUNDATION):
            raise WrongForm(f"{word!r} is not a move in standard notation (FC-9)")
        if not marked:
            return FreecellMove(source, target)  # type: ignore[arg-type]  # looked at just above
        if not number or number.strip("0123456789abcdef") or not 1 <= int(number, 16) <= len(FRENCH_DECK):
            raise WrongForm(f"{number!r} is not a count in hexadecimal (FC-9)")
        return FreecellMove(source, target, int(number, 16))  # type: ignore[arg-type]

    def notate(self, state: FreecellState, move: FreecellMove) -> str:
        """FC-9."""
        word = f"{move.source}{move.target}"
        if move.count is UNSET or move.count == default_count(state, move.source, move.target):
            return word
        return f"{word}v{move.count:x}"

    def fixed_deck(self, options: FreecellOptions) -> tuple[str, ...] | None:
        """FC-10: the Microsoft deal of that number."""
        if options.deal is None:
            return None
        state, left, deck = options.deal, list(FRENCH_DECK), []
        while left:
            state = (214013 * state + 2531011) % 2**31
            number = (state >> 16) % len(left)
            deck.append(left[number])
            left[number] = left[-1]
            left.pop()
        return tuple(deck)

    def warnings(self, options: FreecellOptions) -> tuple[tuple[str, Phrase], ...]:
        """FC-10: the eight that cannot be won."""
        if options.deal in CANNOT_BE_WON:
            return (("FC-10", phrase("Microsoft deal {deal} cannot be won.", deal=options.deal)),)
        return ()

    def may_reveal(self, state: FreecellState, seat: int, move: FreecellMove) -> bool:
        """Nothing is hidden."""
        return False

    def view(self, state: FreecellState, seat: int | None) -> FreecellView:
        return FreecellView(
            columns=state.columns,
            cells=dict(zip(CELLS, state.cells, strict=True)),
            foundations={
                suit: FRENCH_DECK[len(SUITS) * (height - 1) + number] if height else None
                for number, (suit, height) in enumerate(zip(SUITS, state.foundations, strict=True))
            },
            moves=state.moves,
        )

    def open_view(self, state: FreecellState) -> FreecellView:
        return self.view(state, None)

    def sealed_view(self, state: FreecellState) -> FreecellView:
        return self.view(state, None)

    def redact(
        self,
        before: FreecellState,
        seat: int | None,
        mover: int,
        move: FreecellMove,
        events: tuple[FreecellMoved, ...],
    ) -> tuple[FreecellMove, tuple[FreecellMoved, ...]]:
        return move, events

    def describe(
        self, mover: int, move: FreecellMove, events: tuple[FreecellMoved, ...]
    ) -> tuple[Phrase, ...]:
        """What was stored of a move before it had an event names no card."""
        if events:
            told = NAMING[move.source in COLUMNS, _kind(move.target)]
            return (phrase(told, cards=events[0].cards, source=move.source, target=move.target),)
        source, target, count = move.source, move.target, 1 if move.count is UNSET else move.count
        if source in COLUMNS and target in COLUMNS:
            return (
                phrases(
                    "a card from column {source} to column {target}",
                    "{count} cards from column {source} to column {target}",
                    count,
                    source=source,
                    target=target,
                ),
            )
        return (phrase(WORDS[source in COLUMNS, _kind(target)], source=source, target=target),)

    def redeal(self, state: FreecellState, seat: int | None, rng: Random) -> FreecellState:
        return state


def _kind(place: str) -> str:
    return "foundation" if place == FOUNDATION else "column" if place in COLUMNS else "cell"


WORDS = {
    (True, "cell"): words("a card from column {source} to free cell {target}"),
    (True, "foundation"): words("a card from column {source} to its foundation"),
    (False, "column"): words("a card from free cell {source} to column {target}"),
    (False, "cell"): words("a card from free cell {source} to free cell {target}"),
    (False, "foundation"): words("a card from free cell {source} to its foundation"),
}
NAMING = {
    (True, "column"): words("{cards} from column {source} to column {target}"),
    (True, "cell"): words("{cards} from column {source} to free cell {target}"),
    (True, "foundation"): words("{cards} from column {source} to its foundation"),
    (False, "column"): words("{cards} from free cell {source} to column {target}"),
    (False, "cell"): words("{cards} from free cell {source} to free cell {target}"),
    (False, "foundation"): words("{cards} from free cell {source} to its foundation"),
}
