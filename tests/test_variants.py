"""The short names of options."""

import re

import pytest

from games.catalog import CURRENT
from games.rules.contract import read_options
from games.variants import LONGEST, PATTERN, variant_of
from tests.rules.variants import VARIANTS


def name(slug, options, seats=None):
    rules = CURRENT[slug]
    seats = seats or rules.seats[0]
    return variant_of(rules, rules.resolve(read_options(rules, options), seats), seats)


@pytest.mark.parametrize("slug", CURRENT)
def test_a_game_in_which_nothing_was_chosen_is_the_default(slug):
    for seats in CURRENT[slug].seats:
        assert name(slug, {}, seats) == "default"


@pytest.mark.parametrize(
    ("slug", "options", "expected"),
    [
        ("las-pintas", {"deck": 40}, "deck=40"),
        ("las-pintas", {"variant": "lost-kings"}, "variant=lost-kings"),
        ("las-pintas", {"deck": 48, "variant": "base"}, "default"),
        ("vagrat-lodrat", {"cooperative": True}, "cooperative=true"),
        (
            "vagrat-lodrat",
            {"penalty": "any-earlier", "cooperative": True},
            "cooperative=true,penalty=any-earlier",
        ),
        ("kraftkort", {"exchange": False}, "exchange=false"),
        ("kraftkort", {"exchange": False, "power_card": False}, "exchange=false,power_card=false"),
        ("kraftkort", {"play_on": True, "power_card": False}, "power_card=false,play_on=true"),
        ("freecell", {"deal": 1}, "deal=1"),
        ("freecell", {"deal": None}, "default"),
    ],
)
def test_a_name_says_what_differs_from_that(slug, options, expected):
    assert name(slug, options) == expected


def test_every_variant_has_a_name_of_its_own_that_can_be_asked_for():
    names = [(one.slug, one.seats, name(one.slug, one.options, one.seats)) for one in VARIANTS]
    assert len(set(names)) == len({(one.slug, one.seats, str(one.options)) for one in VARIANTS}) > 30
    assert [name for *_, name in names if not re.fullmatch(PATTERN, name) or len(name) > LONGEST] == []
