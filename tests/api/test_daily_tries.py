"""Tries at the deals of the day: on their day, one first, which counts, and open to all when the day is over."""

from collections import Counter
from datetime import timedelta
from uuid import UUID

import msgspec
import pytest

from games.catalog import CURRENT
from games.models import DailyDeal, Game, Result
from games.services.boards import boards_project
from tests import second_verifier
from tests.api.checks import problem_of, refused
from tests.api.dailies import (
    CLOSING,
    DAY,
    MILLISECOND,
    NOON,
    OPENING,
    PATIENCES,
    WON_DECK,
    begin,
    begun,
    first_moves,
    make_deals,
    path_of,
    resign,
    tried,
    win,
)
from tests.api.published import assert_documented
from tests.api.threads import at_once, verdicts
from tests.conftest import Client
from tests.expect import nothing_changes, problem
from tests.proofs import both

FREECELL = path_of("freecell")
each_patience = pytest.mark.parametrize("slug", PATIENCES)


def day(number):
    return DAY + timedelta(days=number)


@pytest.fixture
def deals(time_stands):
    time_stands(NOON)
    make_deals()


@each_patience
def test_all_get_the_same_cards_and_a_sealed_game(slug, anna, bo, deals):
    games = [begin(player, slug) for player in (anna, bo)]
    deal = DailyDeal.objects.get(date=DAY, ruleset=slug)
    assert games[0]["id"] != games[1]["id"]
    assert games[0]["position"] == games[1]["position"]
    decks = [list(Game.objects.get(id=game["id"]).deal.deck) for game in games]
    assert decks == [deal.deck, deal.deck]
    game = games[0]
    assert (game["status"], game["ply"], game["to_act"], game["your_seat"]) == ("running", 0, [0], 0)
    assert (game["daily"], game["sealed_until"]) == (str(deal.id), "2031-05-15T00:00:00.000Z")
    assert (game["commitment"], game["variant"]) == (deal.commitment, "default")
    assert (game["visibility"], game["rated"], game["clock"]) == ("public", False, None)
    assert game["started_at"] == "2031-05-14T12:00:00.000Z"
    assert game["abandoned_at"] == "2031-06-13T12:00:00.000Z"
    assert game == anna.client.get_json(f"games/{game['id']}/")
    assert anna.client.get_json(path_of(slug))["your_try"] == game["id"]
    assert bo.client.get_json(path_of(slug))["your_try"] == games[1]["id"]


def test_other_days_have_other_cards(anna, deals, time_stands):
    decks = {
        tuple(deck) for deck in DailyDeal.objects.filter(ruleset="freecell").values_list("deck", flat=True)
    }
    assert len(decks) == 8
    today = begin(anna, "freecell")
    time_stands(CLOSING)
    assert begin(anna, "freecell", day(1))["position"]["view"] != today["position"]["view"]


@each_patience
def test_a_deal_is_played_on_its_day_alone(slug, anna, deals, time_stands):
    facts = {
        "detail": "The deal is played on its day.",
        "opens_at": "2031-05-14T00:00:00.000Z",
        "closes_at": "2031-05-15T00:00:00.000Z",
    }
    for time in (OPENING - timedelta(days=1), OPENING - MILLISECOND, CLOSING, CLOSING + timedelta(days=9)):
        time_stands(time)
        assert refused(anna.client, path_of(slug), {}, "not_today") == facts
    for number, time in enumerate((OPENING, CLOSING - MILLISECOND), 1):
        time_stands(time)
        tried(anna, slug)
        assert Game.objects.count() == number


def test_who_begins_must_have_an_account_and_nothing_to_choose(anna, anonymous, deals):
    with nothing_changes():
        problem(anonymous.post(FREECELL, {}), "unauthenticated")
    refused(anna.client, FREECELL, {"options": {"deal": 1}}, "malformed")
    refused(anna.client, FREECELL, {"entropy": "x"}, "malformed")
    for method in ("PUT", "PATCH", "DELETE"):
        with nothing_changes():
            problem_of(anna.client.ask(method, FREECELL, {}), "method_not_allowed")


def test_a_second_try_cannot_begin_while_the_first_goes_on(anna, bo, deals):
    first = begun(anna, "freecell")
    facts = {"detail": "Your first try, which counts, goes on.", "game": first}
    assert refused(anna.client, FREECELL, {}, "try_running") == facts
    first_moves(anna, first, 3)
    assert refused(anna.client, FREECELL, {}, "try_running") == facts
    begun(bo, "freecell")
    begun(anna, "camelot")
    resign(anna, first)
    second, third = begun(anna, "freecell"), begun(anna, "freecell")
    assert Game.objects.filter(owner=anna, ruleset="freecell", is_first_try=True).get().id == UUID(first)
    assert len({first, second, third}) == 3
    assert anna.client.get_json(FREECELL)["your_try"] == first


def test_a_first_try_that_goes_on_when_the_day_is_over_is_no_hindrance_on_the_next(anna, deals, time_stands):
    begun(anna, "freecell")
    time_stands(CLOSING)
    assert begin(anna, "freecell", day(1))["status"] == "running"


@pytest.mark.django_db(transaction=True)
def test_of_two_that_begin_at_once_one_is_the_first_try(anna, time_stands):
    time_stands(NOON)
    make_deals()
    answers = at_once(*[(anna, FREECELL, {})] * 4)
    assert verdicts(answers) == {(201, None): 1, (409, "try_running"): 3}
    (game,) = Game.objects.all()
    assert {answer.json().get("game", answer.json().get("id")) for answer in answers} == {str(game.id)}
    assert game.is_first_try


def test_a_game_that_is_begun_twice_with_one_key_is_one_game(anna, deals):
    answers = [anna.client.post(FREECELL, {}, idempotency_key="today") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert Game.objects.count() == 1
    with nothing_changes():
        problem(anna.client.post(path_of("camelot"), {}, idempotency_key="today"), "idempotency_mismatch")


# What counts.


def counted():
    """How many results count, by player, rule set and scope, once all are counted."""
    while boards_project():
        pass
    rows = Result.objects.exclude(scope=None).values_list("player__username", "ruleset", "scope")
    return Counter(rows)


def test_the_first_try_counts_and_no_later_one_counts_anywhere(anna, bo, anonymous, time_stands):
    time_stands(NOON)
    make_deals(WON_DECK)
    tried(anna, "freecell")
    for _ in range(2):
        win(anna, begun(anna, "freecell"))
    win(bo, begun(bo, "freecell"))
    assert counted() == {("anna", "freecell", "daily"): 1, ("bo", "freecell", "daily"): 1}
    table = anonymous.get_json(f"{FREECELL}table")
    assert [(item["username"], item["wins"], item["games"]) for item in table["items"]] == [
        ("bo", 1, 1),
        ("anna", 0, 1),
    ]
    assert (anonymous.get_json(FREECELL)["tries"], anonymous.get_json(FREECELL)["wins"]) == (2, 1)
    for measure in ("wins", "best_score", "fewest_moves", "best_time", "streak", "win_share"):
        for period in ("all", "month", "week", "day"):
            board = anonymous.get_json(f"leaderboards/freecell/?measure={measure}&period={period}")
            assert (board["players"], board["items"]) == (0, []), (measure, period)


@pytest.mark.parametrize(
    ("time", "counts"), [(CLOSING - MILLISECOND, 1), (CLOSING, 0), (CLOSING + MILLISECOND, 0)]
)
def test_a_try_counts_that_ends_while_the_day_goes_on(anna, anonymous, deals, time_stands, time, counts):
    game = begun(anna, "camelot")
    time_stands(time)
    first_moves(anna, game)
    resign(anna, game)
    assert counted() == ({("anna", "camelot", "daily"): 1} if counts else {})
    table = anonymous.get_json(f"{path_of('camelot')}table")
    assert (table["players"], len(table["items"])) == (counts, counts)
    seen = anna.client.get_json(path_of("camelot"))
    assert (seen["tries"], seen["wins"], seen["your_try"]) == (counts, 0, game)
    assert anonymous.get_json("leaderboards/camelot/?measure=best_score")["items"] == []


def test_a_first_try_that_is_given_up_before_a_move_has_no_result_and_stays_the_first(anna, anonymous, deals):
    first = begun(anna, "camelot")
    assert resign(anna, first)["status"] == "abandoned"
    tried(anna, "camelot", 3)
    assert counted() == {}
    assert anna.client.get_json(path_of("camelot"))["your_try"] == first
    assert anonymous.get_json(path_of("camelot"))["tries"] == 0


# Opened.


@each_patience
def test_a_proof_is_disclosed_when_the_day_is_over_and_is_verified(
    slug, anna, stranger, anonymous, deals, time_stands
):
    game = tried(anna, slug, 5)
    for time in (NOON, CLOSING - MILLISECOND):
        time_stands(time)
        for path in (f"games/{game}/proof", f"games/{game}/export"):
            with nothing_changes():
                answer = anna.client.ask("GET", path)
            assert problem_of(answer, "not_disclosed") == {
                "detail": "Others still play this deal.",
                "game_status": "finished",
                "sealed_until": "2031-05-15T00:00:00.000Z",
            }
            problem(stranger.client.ask("GET", path), "not_found")
    time_stands(CLOSING)
    for path in (f"games/{game}/proof", f"games/{game}/export"):
        answers = [client.ask("GET", path) for client in (anna.client, stranger.client, anonymous)]
        assert [answer.status_code for answer in answers] == [200] * 3
        assert len({answer.content for answer in answers}) == 1
        assert_documented(f"/api/v1/{path}", "GET", answers[0])
        assert both(answers[0].content) is None
        assert second_verifier.verify(answers[0].content) == (slug == "freecell")
    proof, seen = answers[0].json(), anonymous.get_json(path_of(slug))
    assert proof["daily"] == seen["id"] != proof["game"]
    assert all(proof[name] == seen[name] for name in ("commitment", "seed", "deck"))
    assert proof["entropies"] == [""]


@each_patience
def test_a_try_that_goes_on_when_the_day_is_over_is_open_to_all(
    slug, anna, stranger, anonymous, deals, time_stands
):
    game, path = begun(anna, slug), path_of(slug)
    first_moves(anna, game, 3)
    time_stands(CLOSING)
    rules, deck = CURRENT[slug], anonymous.get_json(path)["deck"]
    views = []
    for client in (anna.client, stranger.client, anonymous):
        views.append(client.get_json(f"games/{game}/positions/0")["view"])
        seen = client.get_json(f"games/{game}/")
        assert (seen["status"], seen["ply"]) == ("running", 3)
        problem(client.ask("GET", f"games/{game}/proof"), "not_disclosed", game_status="running")
        for of_game in ("replay", "moves", "events"):
            assert client.ask("GET", f"games/{game}/{of_game}").status_code == 200
    dealt = rules.deal(rules.Options(), 1, tuple(deck))
    assert views[0] == views[1] == views[2] == to_json(rules.open_view(dealt))
    first_moves(anna, game)
    assert stranger.client.get_json(f"games/{game}/")["ply"] == 4
    resign(anna, game)
    assert anonymous.ask("GET", f"games/{game}/proof").status_code == 200


def to_json(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def test_a_bot_would_show_the_deal_to_its_owner(anna, deals):
    secret = anna.client.post("me/bots/", {"username": "robo"}).json()["token"]["secret"]
    with nothing_changes():
        answer = Client(secret).post(path_of("freecell"), {})
    assert problem_of(answer, "forbidden")["detail"] == (
        "The deal of the day is not for bots, whose owners would know it."
    )
