"""A small share of the soak: `python -m bench.soak` plays ten thousand games of every variant."""

import pytest

from tests.rules.variants import VARIANTS, Variant
from tests.rules.whole_games import play_some


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_random_games_come_to_a_valid_end(variant: Variant) -> None:
    assert play_some(variant, range(1_000_000, 1_000_008)) > 8
