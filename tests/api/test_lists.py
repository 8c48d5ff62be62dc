"""Lists of games: which, in what order, page by page."""

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from games.models import Game
from tests.conftest import Client
from tests.expect import faults, problem


def listed(client, query=""):
    """The ids of a list's first page, as they come."""
    return [game["id"] for game in client.get_json(f"games/?{query}")["items"]]


def all_pages(client, query, between=lambda: None):
    """The ids of each page; something may happen between them."""
    path, pages = f"games/?{query}", []
    while path:
        page = client.get_json(path)
        pages.append([game["id"] for game in page["items"]])
        path = page["next"]
        between()
    return pages


@pytest.fixture
def games(anna, bo, cilla, make_game):
    """Games by name, oldest first. It is bo's turn in `bos`, and anna's in all others that run."""
    made = {
        "patience": make_game("freecell", [anna], start=False),
        "free": make_game("sicksack", [anna, bo], start=False, seats=3),
        "full": make_game("sicksack", [anna, bo], start=False),
        "running": make_game("sicksack", [anna, bo]),
        "bos": make_game("sicksack", [bo, anna]),
        "secret free": make_game("sicksack", [anna, bo], start=False, seats=3, private=True),
        "secret": make_game("sicksack", [anna, bo], private=True),
        "cillas": make_game("sicksack", [cilla], start=False, seats=2),
        "cancelled": make_game("sicksack", [cilla], start=False, seats=2),
        "finished": make_game("freecell", [anna], options={"deal": 1}),
    }
    Game.objects.filter(id=made["cancelled"]).update(status="cancelled", ended_at=Now())
    Game.objects.filter(id=made["finished"]).update(status="finished", ended_at=Now(), to_act=[])
    return {name: str(game) for name, game in made.items()}


PUBLIC = ["finished", "cancelled", "cillas", "bos", "running", "full", "free", "patience"]
ANNAS = ["finished", "secret", "secret free", "bos", "running", "full", "free", "patience"]
BOS = ["secret", "secret free", "bos", "running", "full", "free"]


@pytest.mark.parametrize(
    ("who", "query", "names"),
    [
        ("anonymous", "", PUBLIC),
        ("stranger", "", PUBLIC),
        ("staff", "", PUBLIC),
        ("anna", "", ["finished", "cancelled", "cillas", "secret", "secret free", *PUBLIC[3:]]),
        ("anna", "mine=true", ANNAS),
        ("anna", "mine=1", ANNAS),
        ("anna", "mine=false", ["finished", "cancelled", "cillas", "secret", "secret free", *PUBLIC[3:]]),
        ("bo", "mine=true", BOS),
        ("stranger", "mine=true", []),
        ("staff", "mine=true", []),
        ("anna", "my_turn=true", ["secret", "running"]),
        ("bo", "my_turn=true", ["bos"]),
        ("stranger", "my_turn=true", []),
        ("anna", "joinable=true", ["cillas"]),
        ("bo", "joinable=true", ["cillas"]),
        ("cilla", "joinable=true", ["free"]),
        ("stranger", "joinable=true", ["cillas", "free"]),
        ("staff", "joinable=true", ["cillas", "free"]),
        ("anonymous", "ruleset=freecell", ["finished", "patience"]),
        ("anonymous", "ruleset=sicksack", ["cancelled", "cillas", "bos", "running", "full", "free"]),
        ("anonymous", "status=open", ["cillas", "full", "free", "patience"]),
        ("anonymous", "status=running", ["bos", "running"]),
        ("anonymous", "status=finished", ["finished"]),
        ("anonymous", "status=cancelled", ["cancelled"]),
        ("anna", "status=running", ["secret", "bos", "running"]),
        ("anna", "mine=true&status=open", ["secret free", "full", "free", "patience"]),
        ("anna", "mine=true&ruleset=freecell", ["finished", "patience"]),
        ("anna", "mine=true&my_turn=true&ruleset=sicksack&status=running", ["secret", "running"]),
        ("anna", "my_turn=true&status=open", []),
        ("anna", "mine=true&joinable=true", []),
        ("stranger", "joinable=true&ruleset=freecell", []),
        ("anonymous", "mine=false&my_turn=false&joinable=false&ruleset=freecell", ["finished", "patience"]),
    ],
)
def test_a_list_holds_what_was_asked_for_and_may_be_seen(games, request, who, query, names):
    client = getattr(request.getfixturevalue(who), "client", None)
    asking = Client() if who == "anonymous" else client
    of_id = {game: name for name, game in games.items()}
    assert [of_id[game] for game in listed(asking, query)] == names


@pytest.mark.parametrize("query", ["mine=true", "my_turn=true", "joinable=true", "mine=true&status=open"])
def test_ones_own_games_are_listed_for_players_alone(games, anonymous, query):
    problem(anonymous.ask("GET", f"games/?{query}"), "unauthenticated")


def test_a_game_in_a_list_is_as_by_itself_but_for_its_position(games, anna):
    for game in anna.client.get_json("games/")["items"]:
        alone = anna.client.get_json(f"games/{game['id']}/")
        del alone["position"]
        assert game == alone


def test_a_game_in_a_list_says_nothing_that_is_hidden(games, stranger):
    for game in stranger.client.get_json("games/")["items"]:
        assert game["your_seat"] is None
        assert not {"position", "link", "deck", "seed", "entropy"} & set(game)


# Pages.


@pytest.mark.parametrize("query", ["", "mine=true"])
@pytest.mark.parametrize("limit", [1, 3, 7])
def test_pages_have_no_gap_and_nothing_twice_while_new_games_appear(anna, make_game, query, limit):
    there = [str(make_game("freecell", [anna], start=False)) for _ in range(7)]
    pages = all_pages(
        anna.client, f"{query}&limit={limit}", between=lambda: make_game("freecell", [anna], start=False)
    )
    assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    assert [game for page in pages for game in page] == there[::-1]


def test_what_comes_or_goes_in_between_leaves_the_rest_in_place(anna, make_game):
    games = [str(make_game("freecell", [anna], start=False)) for _ in range(6)]
    first = anna.client.get_json("games/?status=open&limit=2")
    anna.client.post(f"games/{games[4]}/start")  # of the first page
    anna.client.post(f"games/{games[3]}/leave")  # of the second
    second = anna.client.get_json(first["next"])
    assert [game["id"] for game in first["items"]] == [games[5], games[4]]
    assert [game["id"] for game in second["items"]] == [games[2], games[1]]
    assert [game["id"] for game in anna.client.get_json(second["next"])["items"]] == [games[0]]


def test_the_next_page_is_asked_for_as_the_first_one_was(anna, make_game):
    games = [make_game("freecell", [anna], start=False) for _ in range(2)]
    page = anna.client.get_json("games/?mine=true&status=open&limit=1")
    assert page["next"] == f"/api/v1/games/?mine=true&status=open&limit=1&cursor={games[1].hex}"
    assert anna.client.get_json(page["next"])["next"] is None


def test_there_are_50_games_on_a_page_and_at_most_100(anna, make_game):
    for _ in range(51):
        make_game("freecell", [anna], start=False)
    assert len(listed(anna.client)) == 50
    assert len(listed(anna.client, "limit=100")) == 51


def test_a_list_of_nothing_is_a_page(anna):
    assert anna.client.get_json("games/") == {"items": [], "next": None}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=", "limit"),
        ("limit=ten", "limit"),
        ("limit=1.5", "limit"),
        ("limit=null", "limit"),
        ("limit=99999999999999999999999", "limit"),
        ("cursor=", "cursor"),
        ("cursor=null", "cursor"),
        ("cursor=x", "cursor"),
        ("cursor=" + "A" * 32, "cursor"),
        ("cursor=" + "a" * 33, "cursor"),
        ("cursor=" + "a" * 32 + "%0A", "cursor"),
        ("cursor=01920000-0000-7000-8000-000000000000", "cursor"),
        ("ruleset=chess", "ruleset"),
        ("ruleset=", "ruleset"),
        ("ruleset=null", "ruleset"),
        ("status=null", "status"),
        ("status=Open", "status"),
        ("mine=yes", "mine"),
        ("mine=", "mine"),
        ("mine=null", "mine"),
        ("mine=true&mine=true", "mine"),
        ("limit=5&limit=5", "limit"),
        ("page=2", "query"),
        ("limit=5&Limit=5", "query"),
        ("owner=anna", "query"),
        ("%00=1", "request"),
        ("limit=%ff", "limit"),
    ],
)
def test_a_query_of_another_form_is_refused(anna, query, path):
    assert faults(anna.client.ask("GET", f"games/?{query}")) == [path]


@pytest.mark.parametrize("path", ["rulesets/?limit=5", "rulesets/?x=1"])
def test_the_rule_sets_are_one_page(anna, path):
    assert faults(anna.client.ask("GET", path)) == ["query"]
    assert anna.client.get_json("rulesets/")["next"] is None


def test_a_query_of_a_thousand_parameters_is_refused(anna):
    for path in ("games/", "rulesets/", "me/", "players/anna/"):
        answer = anna.client.ask("GET", f"{path}?" + "&".join(f"a{number}=1" for number in range(1001)))
        problem(answer, "malformed")


# Cost.


@pytest.mark.parametrize("query", ["", "mine=true", "my_turn=true", "joinable=true", "status=open"])
@pytest.mark.parametrize("count", [1, 8])
def test_a_list_costs_one_query_however_long_it_is(anna, bo, make_game, query, count):
    for _ in range(count):
        make_game("sicksack", [anna, bo])
        make_game("sicksack", [bo], start=False)
    anna.client.get_json("me/")  # notes the use of the token
    with CaptureQueriesContext(connection) as queries:
        anna.client.get_json(f"games/?{query}")
    assert len(queries) == 2, [query["sql"] for query in queries]  # the other finds the token


@pytest.mark.parametrize("path", ["", "moves", "positions/0", "legal-moves"])
@pytest.mark.parametrize("moves", [0, 40])
def test_a_game_costs_one_query_however_long_its_log_is(anna, make_game, path, moves):
    game = make_game("freecell", [anna], options={"deal": 1})
    if moves:
        words = "6a" + " ab ba" * (moves // 2)
        played = anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": words})
        assert played.status_code == 201, played.content
    anna.client.get_json("me/")
    with CaptureQueriesContext(connection) as queries:
        anna.client.get_json(f"games/{game}/{path}")
    # One for a game, which also finds its player; elsewhere another finds the token.
    assert len(queries) == (2 if path else 1), [query["sql"] for query in queries]
