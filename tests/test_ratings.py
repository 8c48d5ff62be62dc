"""What becomes of ratings by a game: openskill's Plackett-Luce on the scale of chess."""

from random import Random

import pytest
from openskill.models import PlackettLuce

from games.ratings import Strength, strengths_after

NEW = Strength()


def rounded(strengths):
    return [(round(one.mean, 3), round(one.deviation, 3)) for one in strengths]


def test_one_begins_at_1500_and_nothing_is_known_of_one():
    assert Strength(1500.0, 350.0) == NEW


def test_a_game_of_two_new_players_moves_both_by_as_much():
    assert rounded(strengths_after([NEW, NEW], [1, 2])) == [(1610.686, 338.768), (1389.314, 338.768)]


def test_seats_change_nothing():
    one, other = Strength(1610, 336), Strength(1450, 120)
    assert strengths_after([one, other], [2, 1]) == strengths_after([other, one], [1, 2])[::-1]


def test_equals_who_come_in_together_stay_where_they_are_and_are_better_known():
    after = strengths_after([NEW] * 3, [1, 1, 1])
    assert [round(one.mean, 6) for one in after] == [1500.0] * 3
    assert all(one.deviation < 350 for one in after)


def test_a_stronger_player_who_comes_in_with_a_weaker_one_loses_to_it():
    strong, weak = strengths_after([Strength(1700, 80), Strength(1300, 80)], [1, 1])
    assert strong.mean < 1700
    assert weak.mean > 1300


def test_places_may_be_skipped_after_equals():
    before = [Strength(1500 + 40 * number, 200) for number in range(4)]
    assert strengths_after(before, [1, 1, 3, 4]) == strengths_after(before, [1, 1, 2, 3])


def test_a_rating_is_less_sure_again_where_a_game_says_nothing_new():
    # Of two who are known well the expected result tells next to nothing, and a rating never freezes.
    strong, weak = strengths_after([Strength(2400, 1), Strength(600, 1)], [1, 2])
    assert (strong.deviation > 1, weak.deviation > 1) == (True, True)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_numbers_are_those_of_openskill_for_any_number_of_seats(seats):
    chance = Random(seats)
    model = PlackettLuce(mu=1500.0, sigma=350.0, beta=175.0, tau=3.5)
    for _ in range(50):
        before = [Strength(chance.uniform(800, 2200), chance.uniform(40, 350)) for _ in range(seats)]
        drawn = [chance.randrange(seats) for _ in range(seats)]
        places = [1 + sum(other < one for other in drawn) for one in drawn]
        teams = [[model.rating(mu=one.mean, sigma=one.deviation)] for one in before]
        expected = [
            Strength(team[0].mu, team[0].sigma)
            for team in model.rate(teams, ranks=[float(place) for place in places])
        ]
        assert strengths_after(before, places) == expected
