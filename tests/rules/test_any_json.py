"""Whatever JSON is sent as a move or as options, the answer is a refusal or an acceptance, never an error."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import catalog, table
from games.rules.contract import Refused, WrongForm, read_move, read_options
from tests.rules.universe import CARDS
from tests.rules.variants import VARIANTS, Variant, random_positions

TYPES = (
    *("play", "chance", "take", "move", "swap", "pass", "exchange", "ready", "flip"),
    *("deal", "place", "remove", "reveal", "sort"),
)
KEYS = ("type", "card", "cards", "at", "row", "a", "b", "as", "hand", "table", "from", "to", "count")
words = st.sampled_from([*TYPES, *KEYS, *"18adh", "QH"])
texts = words | st.sampled_from(CARDS) | st.text(max_size=4) | st.text("\ud800\udfff\n{}`", max_size=3)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
cells = st.lists(st.integers(-1, 12), min_size=2, max_size=2)
card_lists = st.lists(st.sampled_from(CARDS), max_size=4)
any_json = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
almost_moves = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | any_json},
    optional={
        "card": st.sampled_from(CARDS) | any_json,
        "from": st.sampled_from("12345678abcdh") | any_json,
        "to": st.sampled_from("12345678abcdh") | any_json,
        "count": st.integers(0, 53) | any_json,
        "cards": card_lists | any_json,
        "as": st.integers(-1, 9) | any_json,
        "hand": st.sampled_from(CARDS) | any_json,
        "row": st.integers(-1, 4) | any_json,
        **dict.fromkeys(("at", "a", "b", "table"), cells | any_json),
        "cells": st.lists(cells, max_size=3) | any_json,
    },
)
POSITIONS = {variant.name: list(random_positions(variant.setup(1), 1, variant.plies)) for variant in VARIANTS}


def answer(ask: Callable[[], Any]) -> Any:
    """What comes of a question: its value, or the refusal."""
    try:
        return ask()
    except Refused as refused:
        return refused


def assert_sendable(refused: Refused) -> None:
    assert msgspec.json.encode([refused.code, refused.explanation, refused.facts])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(move=any_json | almost_moves, at=st.integers(0, 10_000))
def test_any_json_is_answered(variant: Variant, move: Any, at: int) -> None:
    position = POSITIONS[variant.name][at % len(POSITIONS[variant.name])]
    rules = position.setup.rules
    for seat in range(variant.seats):
        told = answer(lambda: table.judge(position, seat, read_move(rules, move)))  # noqa: B023 - asked at once
        if isinstance(told, Refused):
            assert_sendable(told)
        else:
            assert told in list(rules.legal_moves(position.state, seat))


@pytest.mark.parametrize("rules", catalog.CURRENT.values(), ids=lambda rules: rules.slug)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(options=any_json | st.fixed_dictionaries({"deal": any_json}))
def test_any_json_as_options_is_answered(rules: catalog.AnyRules, options: Any) -> None:
    told = answer(lambda: read_options(rules, options))
    if isinstance(told, Refused):
        assert_sendable(told)
    else:
        assert read_options(rules, msgspec.to_builtins(told)) == told


@pytest.mark.parametrize(
    ("slug", "move", "why"),
    [
        ("freecell", {"type": "{seat}"}, "Invalid value '{seat}'"),
        ("freecell", {"type": "{"}, "Invalid value '{'"),
        ("freecell", {"type": "\ud800"}, "Invalid value '\\ud800'"),
        ("sicksack", {"type": "\ud800"}, "Invalid Unicode: a surrogate by itself"),
        ("sicksack", {"type": "play", "\ud800": 1}, "Invalid Unicode: a surrogate by itself"),
        ("sicksack", {"type": "play", "card": "QH", "{": 1}, "Object contains unknown field `{`"),
    ],
)
def test_text_of_the_sender_is_quoted_as_it_is(slug: str, move: object, why: str) -> None:
    with pytest.raises(WrongForm) as refused:
        read_move(catalog.CURRENT[slug], move)
    assert (refused.value.code, refused.value.explanation) == ("FORM", why)


@pytest.mark.parametrize("rules", catalog.CURRENT.values(), ids=lambda rules: rules.slug)
def test_json_nested_too_deeply_is_refused(rules: catalog.AnyRules) -> None:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(WrongForm, match="Nested too deeply"):
        read_move(rules, {"type": nested})
