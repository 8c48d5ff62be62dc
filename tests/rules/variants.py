"""The games that the contract and the golden playthroughs are tried on, and how they are played out."""

from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

import msgspec

from games import catalog, table
from games.rules.cards import FRENCH_DECK, SUITS
from games.rules.contract import read_options
from games.rules.freecell import FreecellState
from games.table import Entry, Position, Setup, Step
from tests.rules.universe import CARDS

ANY_DECK = frozenset(CARDS)


def cards_within(value: Any) -> Iterator[str]:
    """The cards that stand anywhere in a state or view, as often as they stand there."""
    if isinstance(value, str):
        if value in ANY_DECK:
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from cards_within(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from cards_within(inner)
    elif isinstance(value, msgspec.Struct):
        yield from cards_within(msgspec.to_builtins(value))


def freecell_cards(state: FreecellState) -> Iterator[str]:
    """A foundation is a number in the state, and stands for the cards from the ace up."""
    yield from cards_within(state)
    for suit, height in zip(SUITS, state.foundations, strict=True):
        yield from (card for card in FRENCH_DECK[: 4 * height] if card[1] == suit)


@dataclass(frozen=True)
class Variant:
    """One way to set up a game. `plies` bounds a random playout; `together` says that
    all win or all lose; `hidden_again` are the events that all see,
    though the cards in them are hidden afterwards; `golden` is the whole game of the golden
    playthrough, in words of the game's notation or as the seed of a random one."""

    slug: str
    seats: int
    golden: str | int
    options: dict[str, Any] = field(default_factory=dict)
    plies: int = 100
    together: bool = False
    hidden_again: tuple[str, ...] = ()
    cards: Callable[[Any], Iterator[str]] = cards_within

    @property
    def name(self) -> str:
        options = [f"{key}-{value}" for key, value in self.options.items()]
        return "-".join([self.slug, str(self.seats), *options])

    def setup(self, seed: int, rules: catalog.AnyRules | None = None) -> Setup:
        """The game dealt from the deck order that the options fix, else from one shuffled by a seed."""
        rules = rules or catalog.CURRENT[self.slug]
        options = rules.resolve(read_options(rules, self.options), self.seats)
        deck = list(rules.deck(options))
        Random(seed).shuffle(deck)
        return Setup(rules, options, self.seats, rules.fixed_deck(options) or tuple(deck))

    def conserves(self, state: Any) -> bool:
        """Whether a state holds each card of the pack exactly once."""
        pack = catalog.CURRENT[self.slug].deck(read_options(catalog.CURRENT[self.slug], self.options))
        return Counter(self.cards(state)) == Counter(pack)


WON_DEAL_3 = """
    5h 6h 2a 2b 2c 2h 5d 5h bh 35 3h 3h 8b 8h ah 5h 8a 8h c7 5c 56 5h 25 26 2h 78 7h 7h c7 4c 42 4h 2h ch 1c
    12 1h 1h bh 7h 7h ch 7h 1h 8b 8h 8c 8h 48 4h 45 4h b5 82 6b 64 68 6h 1h 2h b4 6b 6h 6h 2h dh 7h 4h 3d 3h
    3h 5h 3h dh ch 5h 4h 1h 8h bh 5h ah
"""

VARIANTS = (
    Variant("sicksack", 2, golden=0),
    Variant("sicksack", 3, golden=0),
    Variant("sicksack", 4, golden=0),
    Variant("sicksack", 5, golden=0),
    Variant("sicksack", 6, golden=0),
    *(
        Variant(
            "vagrat-lodrat",
            2,
            golden=1,
            options={"cooperative": cooperative, "penalty": penalty},
            plies=40,
            together=cooperative,
        )
        for cooperative in (False, True)
        for penalty in ("adjacent", "any-earlier")
    ),
    *(
        Variant("vandtia-pyramid", seats, golden, plies=90, hidden_again=("turned", "took"))
        for seats, golden in ((2, 114), (3, 149), (4, 78))  # games that are short
    ),
    *(
        Variant(
            "kraftkort",
            seats,
            golden=0,
            options={"exchange": exchange, "power_card": power_card, "play_on": play_on},
            plies=60,
        )
        for seats in (2, 3, 4)
        for exchange in (False, True)
        for power_card in ((False, True) if seats < 4 else (False,))
        for play_on in (False, True)
    ),
    Variant("camelot", 1, golden=0),
    *(
        Variant("las-pintas", 1, golden, options={"deck": deck, "variant": variant}, plies=60)
        for deck, variant, golden in (
            (48, "base", 0),
            (48, "lost-kings", 13),
            (48, "revealed-exchange", 0),
            (40, "base", 0),
            (40, "lost-kings", 0),
            (40, "revealed-exchange", 1),
        )
    ),
    Variant("freecell", 1, golden=180, plies=25, cards=freecell_cards),
    Variant("freecell", 1, golden=WON_DEAL_3, options={"deal": 3}, plies=25, cards=freecell_cards),
)


def random_playout(setup: Setup, seed: int, plies: int, automatic: Container[int] = ()) -> Iterator[Step]:
    """Steps of legal moves chosen by a seed, at most so many, to the end of the game; the seats in `automatic` are
    played for."""
    rng, position = Random(seed), table.lay_out(setup)
    while position.to_act and position.ply < plies:
        seat = rng.choice(position.to_act)
        if seat in automatic:
            move = table.judge(position, seat, setup.rules.automatic(position.state, seat))
        else:
            # The first thousand: of an exchange there are thousands more, and listing them takes long.
            move = rng.choice(list(islice(setup.rules.legal_moves(position.state, seat), 1000)))
        step = table.advance(position, Entry(seat, move))
        yield step
        position = step.after


def random_positions(setup: Setup, seed: int, plies: int) -> Iterator[Position]:
    """The positions of a random playout, from the deal on."""
    yield table.lay_out(setup)
    for step in random_playout(setup, seed, plies):
        yield step.after


def golden_playout(variant: Variant) -> Iterator[Step]:
    """The whole game of a variant's golden playthrough."""
    if isinstance(variant.golden, int):
        yield from random_playout(variant.setup(variant.golden), variant.golden, plies=10_000)
        return
    position = table.lay_out(variant.setup(0))
    for word in variant.golden.split():
        rules = position.setup.rules
        move = table.judge(position, position.to_act[0], rules.parse(word))
        step = table.advance(position, Entry(position.to_act[0], move))
        yield step
        position = step.after
