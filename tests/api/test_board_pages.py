"""Parts of a leaderboard: pages, ranks, and what is around a player."""

from itertools import product
from random import Random

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.models import Player
from games.models import Board, Measure, Standing
from games.selectors.boards import rank_of
from games.services.boards import boards_project
from tests.api.checks import whole_list
from tests.api.finished import finish, patience
from tests.api.naive_boards import GRAIN
from tests.expect import faults, nothing_changes

WINS = "leaderboards/camelot/?measure=wins"
NUMBER = 23


@pytest.fixture
def others(db):
    return Player.objects.bulk_create(
        Player(username=f"player{number:02}", display_name="x") for number in range(NUMBER)
    )


@pytest.fixture
def wins(others, anna):
    """By name how many games each has won, many as many as others; anna is one of them."""
    chance = Random(1)
    players = [anna, *others]
    won = {player.username: chance.randint(1, 5) for player in players}
    finish(*(patience(player) for player in players for _ in range(won[player.username])))
    while boards_project():
        pass
    return won


def ranks(won):
    return {name: 1 + sum(other > own for other in won.values()) for name, own in won.items()}


def order(won, anna, others):
    """Everybody in the order of the board: the newer account first among equals."""
    ids = {player.username: player.id for player in [anna, *others]}
    return sorted(won, key=lambda name: (won[name], ids[name]), reverse=True)


def test_pages_have_everybody_once_and_in_order(wins, anna, others, anonymous):
    for limit in (1, 2, 5, 7, 23, 24, 25):
        items = whole_list(anonymous, f"{WINS}&limit={limit}")
        assert [one["username"] for one in items] == order(wins, anna, others)
        assert {one["username"]: one["rank"] for one in items} == ranks(wins)
        assert {one["username"]: one["wins"] for one in items} == wins
        assert anonymous.get_json(f"{WINS}&limit={limit}")["players"] == NUMBER + 1


def test_around_a_player_are_as_many_above_as_below(wins, anna, others, anonymous):
    whole = order(wins, anna, others)
    for limit, index in product((1, 2, 3, 6, 7, 24, 100), (0, 1, 2, 11, 21, 22, 23)):
        page = anonymous.get_json(f"{WINS}&around={whole[index]}&limit={limit}")
        start = max(0, index - (limit - 1) // 2)
        expected = whole[start : start + limit]
        assert [one["username"] for one in page["items"]] == expected
        assert [one["rank"] for one in page["items"]] == [ranks(wins)[name] for name in expected]
        assert whole[index] in expected
        # From there on one goes on by pages, and to the end.
        following = whole_list(anonymous, page["next"]) if page["next"] else []
        assert [one["username"] for one in following] == whole[start + limit :]


def test_around_me_is_around_the_one_who_asks(wins, anna, anonymous):
    around = {"around": anna.client.get_json(f"{WINS}&around=anna&limit=5")}
    assert anna.client.get_json(f"{WINS}&around=me&limit=5")["items"] == around["around"]["items"]
    assert anonymous.get_json(f"{WINS}&around=ANNA&limit=5")["items"] == around["around"]["items"]


def test_one_is_told_where_one_stands_on_whatever_page(wins, anna, bo, anonymous):
    (own,) = (one for one in whole_list(anonymous, WINS) if one["username"] == "anna")
    page = WINS + "&limit=4"
    while page:
        got = anna.client.get_json(page)
        assert got["you"] == own
        page = got["next"]
    assert bo.client.get_json(WINS)["you"] is None
    assert anonymous.get_json(WINS)["you"] is None


def test_around_one_who_does_not_stand_there_is_nothing(wins, bo):
    page = bo.client.get_json(f"{WINS}&around=me")
    assert (page["items"], page["next"], page["you"], page["players"]) == ([], None, None, NUMBER + 1)


SCORES = st.one_of(
    st.integers(0, 2**42 - 1),
    st.integers(0, 3),
    st.sampled_from([2**bits + step for bits in (8, 16, 18, 24, 26, 32, 34, 41) for step in (-1, 0, 1)]),
    st.just(2**42 - 1),
)


@pytest.mark.parametrize("measure", Measure)
def test_a_rank_is_one_more_than_there_are_higher_scores(measure, others):
    board = Board.objects.create(ruleset="camelot", variant="default", period="all")

    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(scores=st.lists(SCORES, min_size=1, max_size=NUMBER), asked=SCORES)
    def run(scores, asked):
        with transaction.atomic():
            Standing.objects.bulk_create(
                Standing(board=board, player=player, measure=measure, score=score)
                for player, score in zip(others, scores, strict=False)
            )
            fill_buckets(board, measure, scores)
            for score in {*scores, asked, 0}:
                higher = sum(other > score for other in scores)
                assert rank_of(board=board.id, measure=measure, score=score) == 1 + higher
            transaction.set_rollback(True)

    run()


def fill_buckets(board, measure, scores):
    grain = GRAIN.get(measure, 0)
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO games_scorebucket (board_id, measure, level, bucket, standings)
            SELECT %s, %s, level, score >> (%s + 8 * level), count(*)
            FROM unnest(%s::bigint[]) AS score, generate_series(0, 2) AS level GROUP BY 3, 4""",
            [board.id, measure.value, grain, scores],
        )


@pytest.mark.parametrize(
    ("query", "fault"),
    [("period=all%0A", "period"), ("period=%D9%A2026-11", "period"), ("variant=default%0A", "variant")],
)
def test_what_only_looks_like_a_period_or_variant_is_refused(anonymous, db, query, fault):
    with nothing_changes():
        assert faults(anonymous.ask("GET", f"leaderboards/camelot/?{query}")) == [fault]
