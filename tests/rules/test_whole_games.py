"""A small share of the soak: `python -m bench.soak` plays ten thousand games of every variant."""

import pytest

from tests.rules.variants import VARIANTS, Variant
from tests.rules.whole_games import play_some

every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


@every_variant
def test_random_games_come_to_a_valid_end(variant: Variant) -> None:
    assert play_some(variant, range(1_000_000, 1_000_008)) > 8


@every_variant
def test_games_played_for_every_seat_come_to_a_valid_end(variant: Variant) -> None:
    assert play_some(variant, range(4), automatic=range(variant.seats)) > 4


@every_variant
def test_games_played_for_one_seat_come_to_a_valid_end(variant: Variant) -> None:
    for seat in range(variant.seats):
        assert play_some(variant, range(4, 6), automatic=(seat,)) > 2
