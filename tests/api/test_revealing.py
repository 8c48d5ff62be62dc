"""What a game hides is shown to the staff at the price of playing it."""

from datetime import UTC, datetime

import pytest

from accounts.services.players import bot_create
from cardsite.problems import Problem
from games.models import Reveal
from games.selectors.revealing import is_revealed_to
from games.services.daily import daily_deals_make, daily_start
from games.services.revealing import game_reveal
from tests.api.published import assert_documented
from tests.conftest import Client
from tests.expect import nothing_changes, problem

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
TODAY = NOON.date()


@pytest.fixture
def deals(time_stands):
    time_stands(NOON)
    daily_deals_make(today=TODAY)


def refused(code, game, by, reason="a report"):
    with nothing_changes(), pytest.raises(Problem) as raised:
        game_reveal(game_id=game, by=by, reason=reason)
    assert raised.value.code == code


def test_a_game_is_revealed_to_one_alone(anna, bo, staff, make_game):
    game, other = make_game("sicksack", [anna, bo]), make_game("sicksack", [anna, bo])
    game_reveal(game_id=game, by=staff, reason=" a report ")
    kept = Reveal.objects.get()
    assert (kept.game_id, kept.by, kept.reason) == (game, staff, "a report")
    assert is_revealed_to(game_id=game, player_id=staff.id)
    for of, player in ((other, staff), (game, anna)):
        assert not is_revealed_to(game_id=of, player_id=player.id)


def test_the_api_shows_no_more_to_whom_a_game_is_revealed(anna, bo, staff, anonymous, make_game):
    game = make_game("sicksack", [anna, bo])
    game_reveal(game_id=game, by=staff, reason="a report")
    seen = staff.client.get_json(f"games/{game}/")["position"]["view"]
    assert seen == anonymous.get_json(f"games/{game}/")["position"]["view"]


def test_nobody_has_a_game_revealed_who_sits_there_or_whose_bot_does(staff, bo, anna, make_game):
    bot, _, _ = bot_create(owner=staff, username="robot", display_name=None)
    for players in ([staff, bo], [bo, bot]):
        for start in (True, False):
            refused("forbidden", make_game("sicksack", players, start=start), staff)
    refused("not_found", anna.id, staff)
    refused("invalid", make_game("sicksack", [anna, bo]), staff, " ")


def test_to_whom_a_game_is_revealed_does_not_join_it_nor_do_their_bots(anna, bo, staff, make_game):
    _, _, secret = bot_create(owner=staff, username="robot", display_name=None)
    game = make_game("sicksack", [anna], start=False, seats=3)
    game_reveal(game_id=game, by=staff, reason="a report")
    for client in (staff.client, Client(secret)):
        with nothing_changes():
            answer = client.post(f"games/{game}/join", {})
        problem(answer, "revealed")
        assert_documented(f"/api/v1/games/{game}/join", "POST", answer)
    assert bo.client.post(f"games/{game}/join", {}).status_code == 200
    other = make_game("sicksack", [anna], start=False)
    assert staff.client.post(f"games/{other}/join", {}).status_code == 200


def test_to_whom_a_deal_of_the_day_is_revealed_does_not_begin_with_it(anna, bo, staff, deals):
    attempt = daily_start(player=anna, day=TODAY, ruleset="freecell")
    game_reveal(game_id=attempt, by=staff, reason="a report")
    with nothing_changes():
        answer = staff.client.post(f"daily/{TODAY}/freecell/", {})
    problem(answer, "revealed")
    assert_documented(f"/api/v1/daily/{TODAY}/freecell/", "POST", answer)
    for player, ruleset in ((staff, "camelot"), (bo, "freecell")):
        assert player.client.post(f"daily/{TODAY}/{ruleset}/", {}).status_code == 201


def test_who_plays_a_deal_of_the_day_has_no_others_try_at_it_revealed(anna, staff, deals):
    attempt = daily_start(player=anna, day=TODAY, ruleset="freecell")
    other = daily_start(player=anna, day=TODAY, ruleset="camelot")
    own = daily_start(player=staff, day=TODAY, ruleset="freecell")
    refused("forbidden", attempt, staff)
    game_reveal(game_id=other, by=staff, reason="a report")
    assert staff.client.post(f"games/{own}/resign").status_code == 200
    game_reveal(game_id=attempt, by=staff, reason="a report")
    problem(staff.client.post(f"daily/{TODAY}/freecell/", {}), "revealed")
