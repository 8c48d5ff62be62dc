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


def by_rank(card: str) -> tuple[int, str]:
    """Sort key of the canonical order of cards where the ace is low: by rank, then by suit C D H S."""
    return ACE_LOW[card], card[1]
