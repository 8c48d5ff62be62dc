"""Cards as the rule books write them: a rank, then a suit (`QH`, `TD`).

A card is a plain string everywhere, in states as in JSON. A pack is listed in one fixed order, which is also
where shuffling and the numbering of the Microsoft deals start from.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta

SUITS = "CDHS"
RANKS = "A23456789TJQK"

Card: TypeAlias = Annotated[
    str,
    # Python's `$` also stands before a last line break; the length rules that out.
    Meta(
        pattern="^[A23456789TJQK][CDHS]$",
        max_length=2,
        description="A card of the French deck: rank, then suit.",
    ),
]
FRENCH_DECK: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
FRENCH_CARDS = frozenset(FRENCH_DECK)

RED = frozenset(card for card in FRENCH_DECK if card[1] in "DH")

ACE_LOW: dict[str, int] = {card: RANKS.index(card[0]) + 1 for card in FRENCH_DECK}
"""The rank of each card as a number from 1 (ace) to 13 (king)."""


ACE_HIGH: dict[str, int] = {card: number if number > 1 else 14 for card, number in ACE_LOW.items()}
"""The rank of each card as a number from 2 (two) to 14 (ace)."""


def by_rank(card: str) -> tuple[int, str]:
    """Sort key of the canonical order of cards where the ace is low: by rank, then by suit C D H S."""
    return ACE_LOW[card], card[1]


def by_high_rank(card: str) -> tuple[int, str]:
    """Sort key of the canonical order of cards where the ace is high: by rank, then by suit C D H S."""
    return ACE_HIGH[card], card[1]


SPANISH_SUITS = "OCEB"

SpanishCard: TypeAlias = Annotated[
    str,
    # Python's `$` also stands before a last line break.
    Meta(
        pattern=r"^([1-9]|1[0-2])[OCEB](?!\n)$",
        max_length=3,
        description="A card of the Spanish deck: number 1 to 12, then suit.",
    ),
]
SPANISH_DECK: tuple[str, ...] = tuple(f"{number}{suit}" for number in range(1, 13) for suit in SPANISH_SUITS)

NUMBER: dict[str, int] = {card: int(card[:-1]) for card in SPANISH_DECK}
"""The number of each Spanish card, from 1 to 12."""
