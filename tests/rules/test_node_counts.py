"""The node counts of every variant, counted again. A difference is a change of behaviour, as with the golden
playthroughs; `python -m tests.rules.node_counts` writes them anew."""

import json

import pytest

from tests.rules.node_counts import KEPT, count_nodes
from tests.rules.variants import VARIANTS, Variant

COUNTED = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_as_many_positions_are_reached_as_before(variant: Variant) -> None:
    expected = COUNTED[variant.name]
    assert expected
    assert count_nodes(variant, len(expected)) == expected


def test_counts_are_kept_of_the_variants_and_no_others() -> None:
    assert list(COUNTED) == [variant.name for variant in VARIANTS]
