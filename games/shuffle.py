"""Seed and entropies to deck order, so that anyone can recompute it, and the commitment to the seed.

The algorithm is written for strangers in `docs/shuffle.md`, with test vectors. A change of the algorithm is a
new version; games keep the version they were dealt with.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from uuid import UUID

VERSION = 1
SEED_BYTES = 32

_COMMITMENT_TAG = b"cardsite commitment 1"
_DECK_TAG = b"cardsite deck 1"


def commitment(game_id: UUID, seed: bytes) -> str:
    """What is published before anybody adds entropy: SHA-256 over a tag, the game's id (16 bytes) and the
    seed (32 bytes), in hexadecimal."""
    return hashlib.sha256(_COMMITMENT_TAG + game_id.bytes + seed).hexdigest()


def deck_order(pack: Sequence[str], seed: bytes, entropies: Sequence[str]) -> list[str]:
    """The pack in the order in which it is dealt, from the seed and every seat's entropy in seat order."""
    numbers = _stream(seed, entropies)
    deck = list(pack)
    for last in range(len(deck) - 1, 0, -1):
        chosen = _below(last + 1, numbers)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck


def _stream(seed: bytes, entropies: Sequence[str]) -> Iterator[int]:
    """Unsigned 32-bit numbers without end: HMAC-SHA256 blocks keyed with the seed, eight numbers a block."""
    mixed = hashlib.sha256()
    for entropy in entropies:
        encoded = entropy.encode()
        mixed.update(len(encoded).to_bytes(4, "big") + encoded)
    prefix = _DECK_TAG + mixed.digest()
    block = 0
    while True:
        digest = hmac.digest(seed, prefix + block.to_bytes(4, "big"), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A number from below `bound`, each exactly as likely: what would favour the small ones is thrown away."""
    limit = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < limit) % bound
