"""Bots: accounts for programs of one's own, each with a token and no password."""

import re

import pytest

from accounts.models import ApiToken, IdempotentAnswer, Player
from accounts.names import RESERVED
from accounts.services import players
from tests.api.checks import whole_list
from tests.api.published import assert_documented
from tests.conftest import Client, basic
from tests.expect import everything, faults, nothing_changes, problem

PATH = "me/bots/"


def make_bot(client, username="robo", **fields):
    return client.post(PATH, {"username": username, **fields})


def test_a_new_bot_is_a_player_of_its_own_and_holds_a_token(anna):
    answer = make_bot(anna.client, "Robo", display_name="Robo  1")
    assert answer.status_code == 201
    assert_documented("/api/v1/me/bots/", "POST", answer)
    player, token = answer.json()["player"], answer.json()["token"]
    kept = Player.objects.get(username="Robo")
    assert player == {
        "username": "Robo",
        "display_name": "Robo 1",
        "bot_of": "anna",
        "joined_at": player["joined_at"],
    }
    assert token == {
        "id": str(ApiToken.objects.get(player=kept).id),
        "name": "sign-up",
        "hint": token["secret"][:10],
        "created_at": token["created_at"],
        "last_used_at": None,
        "secret": token["secret"],
    }
    assert re.fullmatch(r"card_[A-Za-z0-9_-]{43}", token["secret"])
    me = Client(token["secret"]).get_json("me/")
    assert (me["id"], me["username"], me["email"], me["is_staff"]) == (str(kept.id), "Robo", "", False)
    assert (kept.bot_of, kept.is_superuser, kept.is_active) == (anna, False, True)


def test_everybody_sees_whose_program_a_bot_is(anna, anonymous):
    made = make_bot(anna.client).json()["player"]
    assert made["display_name"] == "robo"
    for name in ("robo", "ROBO"):
        assert anonymous.get_json(f"players/{name}/") == made
    assert anonymous.get_json("players/anna/")["bot_of"] is None


def test_its_secret_is_shown_once_and_kept_nowhere(anna, anonymous):
    secret = make_bot(anna.client).json()["token"]["secret"]
    assert secret.removeprefix("card_") not in str(everything())
    for client in (anna.client, Client(secret)):
        for path in (PATH, "me/", "me/tokens/", "players/robo/"):
            assert secret not in client.ask("GET", path).content.decode()


def test_a_bot_has_no_password(anna):
    make_bot(anna.client)
    bot = Player.objects.get(username="robo")
    assert not bot.has_usable_password()
    for password in ("", "!", bot.password, "robo"):
        with nothing_changes():
            answer = Client().ask("GET", "me/tokens/", authorization=basic(f"robo:{password}"))
            problem(answer, "invalid_credentials")
        with nothing_changes():
            page = Client().generic(
                "POST",
                "/api/login/",
                f"username=robo&password={password}".encode(),
                content_type="application/x-www-form-urlencoded",
            )
        assert page.status_code == 200
        assert "sessionid" not in page.cookies


def test_a_bot_sits_at_tables_and_plays(anna):
    client = Client(make_bot(anna.client).json()["token"]["secret"])
    game = client.post("games/", {"ruleset": "camelot"}).json()["id"]
    started = client.post(f"games/{game}/start").json()
    assert (started["owner"], started["seats"][0]["player"]["username"]) == ("robo", "robo")
    assert client.post(f"games/{game}/moves", {"ply": 0, "move": {"type": "deal"}}).status_code == 201


def test_a_bot_makes_tokens_of_its_own_and_may_revoke_them(anna):
    first = make_bot(anna.client).json()["token"]
    client = Client(first["secret"])
    second = client.post("me/tokens/", {"name": "other"}).json()
    assert client.ask("DELETE", f"me/tokens/{first['id']}/").status_code == 204
    problem(client.ask("GET", "me/"), "invalid_credentials")
    assert Client(second["secret"]).get_json("me/")["username"] == "robo"
    assert [token["name"] for token in anna.client.get_json("me/tokens/")["items"]] == ["test"]


def test_a_bot_has_no_bots(anna):
    client = Client(make_bot(anna.client).json()["token"]["secret"])
    for name in ("robo2", "admin", "anna"):
        with nothing_changes():
            answer = make_bot(client, name)
        problem(answer, "forbidden", detail="A bot has no bots of its own.")
    assert client.get_json(PATH) == {"items": [], "next": None}


@pytest.mark.parametrize("username", ["ab", "Z9", "a_-", "a" * 20])
def test_names_of_the_published_form_are_taken(anna, username):
    assert make_bot(anna.client, username).json()["player"]["username"] == username


@pytest.mark.parametrize(
    "username",
    ["", "a", "a" * 21, "1ab", "_ab", "-ab", "a b", " ab", "ab\n", "a\0b", "åsa", "a.b", 12, None, []],
)
def test_names_of_another_form_are_refused(anna, username):
    with nothing_changes():
        assert faults(make_bot(anna.client, username)) == ["$.username"]


@pytest.mark.parametrize("change", [str.lower, str.upper])
def test_reserved_names_are_refused(anna, change):
    with nothing_changes():
        for name in (*sorted(RESERVED), "deleted-robo"):
            assert faults(make_bot(anna.client, change(name)), "invalid") == ["$.username"]


@pytest.mark.parametrize("username", ["bo", "BO", "robo", "Robo", "anna"])
def test_a_name_is_taken_whoever_has_it(anna, bo, username):
    make_bot(anna.client)
    for player in (anna, bo):
        with nothing_changes():
            answer = make_bot(player.client, username)
        problem(answer, "username_taken", detail=f"The name {username} is taken, or was once.")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "$"),
        ({"username": "robo", "display_name": ""}, "$.display_name"),
        ({"username": "robo", "display_name": "x" * 51}, "$.display_name"),
        ({"username": "robo", "display_name": "a\nb"}, "$.display_name"),
        ({"username": "robo", "display_name": 1}, "$.display_name"),
        ({"username": "robo", "password": "brown-otter-47"}, "$"),
        ({"username": "robo", "bot_of": "bo"}, "$"),
        (b"robo", "$"),
    ],
)
def test_bodies_of_another_form_are_refused(anna, body, path):
    with nothing_changes():
        assert faults(anna.client.post(PATH, body)) == [path]


@pytest.mark.parametrize("name", ["x" * 41, " ", "a\u200bb", "\u3164"])
def test_a_display_name_that_cannot_be_used_is_refused(anna, name):
    with nothing_changes():
        assert faults(make_bot(anna.client, display_name=name), "invalid") == ["$.display_name"]


def test_only_a_player_makes_or_lists_bots(anna, anonymous):
    for method, body in (("GET", None), ("POST", {"username": "robo"})):
        with nothing_changes():
            problem(anonymous.ask(method, PATH, body), "unauthenticated")
    for method in ("PUT", "PATCH", "DELETE"):
        problem(anna.client.ask(method, PATH, {}), "method_not_allowed")


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_ones_own_bots_are_listed_newest_first_on_pages_of_any_size(anna, bo, limit):
    made = []
    for number in range(3):
        made.append(make_bot(anna.client, f"robo{number}").json()["player"])
        make_bot(bo.client, f"other{number}")
    with nothing_changes():
        assert whole_list(anna.client, f"{PATH}?limit={limit}") == made[::-1]
    page = anna.client.ask("GET", f"{PATH}?limit={limit}")
    assert_documented("/api/v1/me/bots/", "GET", page)
    assert len(page.json()["items"]) == min(limit, 3)
    assert [bot["username"] for bot in bo.client.get_json(PATH)["items"]] == ["other2", "other1", "other0"]


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=" + "a" * 32 + "%0A", "cursor"),
        ("owner=bo", "query"),
    ],
)
def test_a_query_of_another_form_is_told_its_fault(anna, query, fault):
    with nothing_changes():
        answer = anna.client.ask("GET", f"{PATH}?{query}")
        assert faults(answer) == [fault]
    assert_documented("/api/v1/me/bots/", "GET", answer)


def test_a_bot_is_made_once_with_an_idempotency_key(anna, bo):
    first = anna.client.post(PATH, {"username": "robo"}, idempotency_key="k")
    with nothing_changes():
        again = anna.client.post(PATH, {"username": "robo"}, idempotency_key="k")
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.json()["token"]["secret"] not in str(everything())
    with nothing_changes():
        problem(bo.client.post(PATH, {"username": "robo"}, idempotency_key="k"), "username_taken")
    assert IdempotentAnswer.objects.count() == 1


def test_the_games_of_a_bot_are_not_those_of_its_owner(anna):
    client = Client(make_bot(anna.client).json()["token"]["secret"])
    game = client.post("games/", {"ruleset": "camelot", "visibility": "private"}).json()["id"]
    assert [one["id"] for one in client.get_json("games/?mine=true")["items"]] == [game]
    assert anna.client.get_json("games/?mine=true")["items"] == []
    problem(anna.client.ask("GET", f"games/{game}/"), "not_found")


def test_a_player_has_only_so_many_bots(anna, monkeypatch):
    monkeypatch.setattr(players, "MOST_BOTS", 2)
    assert [make_bot(anna.client, f"robo{number}").status_code for number in range(2)] == [201, 201]
    with nothing_changes():
        refused = problem(make_bot(anna.client, "robo3"), "forbidden")
    assert refused["detail"] == "You have 2 bots, which is all that one may have."
