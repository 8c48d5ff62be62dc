"""The shuffle, against `docs/shuffle.md`: its test vectors, and a second implementation written from it."""

import hashlib
import hmac
import json
import re
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import shuffle
from games.rules.cards import FRENCH_DECK

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "shuffle.md"
VECTORS = [
    json.loads(block)
    for block in re.findall(r"^```json\n(.+?)^```$", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["game"])

seeds = st.binary(min_size=32, max_size=32)
entropies = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=6)


def numbers_as_documented(seed: bytes, texts: Sequence[str]) -> Iterator[int]:
    encoded = [text.encode("utf-8") for text in texts]
    mixed = hashlib.sha256(b"".join(struct.pack(">I", len(text)) + text for text in encoded)).digest()
    block = 0
    while True:
        message = b"cardsite deck 1" + mixed + struct.pack(">I", block)
        yield from struct.unpack(">8I", hmac.new(seed, message, hashlib.sha256).digest())
        block += 1


def order_as_documented(pack: Sequence[str], numbers: Iterator[int]) -> list[str]:
    order = list(pack)
    place = len(order)
    while place > 1:
        while (number := next(numbers)) >= 4294967296 // place * place:
            pass
        place -= 1
        other = number % (place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def commitment_as_documented(game: str, seed: bytes) -> str:
    return hashlib.sha256(b"cardsite commitment 1" + bytes.fromhex(game.replace("-", "")) + seed).hexdigest()


def test_the_document_has_three_vectors() -> None:
    assert len(VECTORS) == 3
    assert [len(vector["entropies"]) for vector in VECTORS] == [0, 2, 3]


@each_vector
def test_a_vector_of_the_document_is_reproduced(vector: dict[str, Any]) -> None:
    seed, pack, deck = bytes.fromhex(vector["seed"]), vector["pack"].split(), vector["deck"].split()
    assert len(seed) == shuffle.SEED_BYTES
    assert shuffle.deck_order(pack, seed, vector["entropies"]) == deck
    assert shuffle.commitment(UUID(vector["game"]), seed) == vector["commitment"]


@each_vector
def test_a_stranger_finds_the_same_from_the_document(vector: dict[str, Any]) -> None:
    seed, pack, deck = bytes.fromhex(vector["seed"]), vector["pack"].split(), vector["deck"].split()
    assert order_as_documented(pack, numbers_as_documented(seed, vector["entropies"])) == deck
    assert commitment_as_documented(vector["game"], seed) == vector["commitment"]


def test_the_pack_of_the_document_is_the_french_deck() -> None:
    assert VECTORS[0]["pack"].split() == list(FRENCH_DECK)


def test_the_document_is_of_this_version() -> None:
    assert shuffle.VERSION == 1
    assert "version 1 of the algorithm" in DOCUMENT.read_text("utf-8").replace("\n", " ")


@settings(deadline=None)
@given(seeds, entropies, st.integers(0, 60))
def test_any_deck_order_is_as_documented(seed: bytes, texts: list[str], size: int) -> None:
    pack = [f"card {number}" for number in range(size)]
    order = shuffle.deck_order(pack, seed, texts)
    assert order == order_as_documented(pack, numbers_as_documented(seed, texts))
    assert sorted(order) == sorted(pack)


@settings(deadline=None)
@given(seeds, st.uuids())
def test_any_commitment_is_as_documented(seed: bytes, game: UUID) -> None:
    assert shuffle.commitment(game, seed) == commitment_as_documented(str(game), seed)


def test_the_pack_stays_as_it_is() -> None:
    pack = list(FRENCH_DECK)
    shuffle.deck_order(pack, bytes(32), [])
    assert pack == list(FRENCH_DECK)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["ab", "c"], ["a", "bc"]),
        (["ab", ""], ["", "ab"]),
        (["a"], ["a", ""]),
        ([], [""]),
        (["a", "b"], ["b", "a"]),
        (["a"], ["A"]),
    ],
)
def test_who_added_what_matters(one: list[str], other: list[str]) -> None:
    assert shuffle.deck_order(FRENCH_DECK, bytes(32), one) != shuffle.deck_order(
        FRENCH_DECK, bytes(32), other
    )


def test_a_commitment_is_bound_to_its_game_and_its_seed() -> None:
    game, other = UUID(int=1), UUID(int=2)
    assert shuffle.commitment(game, bytes(32)) == (
        hashlib.sha256(b"cardsite commitment 1" + bytes(15) + b"\x01" + bytes(32)).hexdigest()
    )
    assert len({shuffle.commitment(game, bytes(32)), shuffle.commitment(other, bytes(32))}) == 2
    assert len({shuffle.commitment(game, bytes(32)), shuffle.commitment(game, bytes(31) + b"\x01")}) == 2


def test_each_choice_of_numbers_gives_another_permutation(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = []
    for chosen in product(range(4), range(3), range(2)):
        monkeypatch.setattr(shuffle, "_stream", lambda _seed, _texts, chosen=chosen: iter(chosen))
        reached.append(tuple(shuffle.deck_order("ABCD", bytes(32), [])))
    assert sorted(reached) == sorted(permutations("ABCD"))


def test_the_permutations_of_three_cards_come_about_equally_often() -> None:
    found = Counter(
        "".join(shuffle.deck_order("ABC", number.to_bytes(32, "big"), [])) for number in range(6000)
    )
    assert found == {"ABC": 1050, "ACB": 975, "BAC": 1012, "BCA": 1011, "CAB": 952, "CBA": 1000}
    assert sum((times - 1000) ** 2 / 1000 for times in found.values()) < 11.07


@pytest.mark.parametrize(
    ("bound", "numbers", "drawn"),
    [
        (3, [4294967295, 5], 2),
        (3, [4294967294], 2),
        (3, [4294967293], 1),
        (52, [4294967248, 4294967295, 51], 51),
        (52, [4294967247], 51),
        (2, [4294967295], 1),
        (1, [4294967295], 0),
        (32, [4294967295], 31),
    ],
)
def test_what_would_favour_small_numbers_is_thrown_away(bound: int, numbers: list[int], drawn: int) -> None:
    stream = iter([*numbers, 0])
    assert shuffle._below(bound, stream) == drawn
    assert list(stream) == [0]


def test_each_number_below_a_bound_has_as_many_numbers_of_the_stream() -> None:
    for bound in range(1, 53):
        kept = 2**32 // bound * bound
        assert shuffle._below(bound, iter([kept - 1])) == bound - 1
        if kept < 2**32:
            with pytest.raises(StopIteration):
                shuffle._below(bound, iter([kept]))


def test_the_stream_goes_on_past_a_block() -> None:
    ours = list(islice(shuffle._stream(bytes(32), ["a"]), 40))
    assert ours == list(islice(numbers_as_documented(bytes(32), ["a"]), 40))
    assert len(set(ours)) == 40
