"""Tokens: made, used, listed and revoked; and what is no token."""

import base64
import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models.functions import Now

from accounts import authentication
from accounts.models import ApiToken
from tests.conftest import Client, basic
from tests.expect import everything, faults, nothing_changes, problem

PASSWORD = "brown-otter-47"


def ask_as(authorization, method, path, body=None):
    return Client().ask(method, path, body, authorization=authorization)


@pytest.fixture
def nils(make_player):
    return make_player("nils", password=PASSWORD)


def last_use():
    return ApiToken.objects.values_list("last_used_at", flat=True).get()


# Making.


def test_a_new_token_has_a_name_and_a_secret_and_works(anna):
    answer = anna.client.post("me/tokens/", {"name": "laptop"})
    assert answer.status_code == 201
    token = answer.json()
    assert token == {
        "id": token["id"],
        "name": "laptop",
        "hint": token["secret"][:10],
        "created_at": token["created_at"],
        "last_used_at": None,
        "secret": token["secret"],
    }
    assert re.fullmatch(r"card_[A-Za-z0-9_-]{43}", token["secret"])
    assert Client(token["secret"]).get_json("me/")["username"] == "anna"


def test_a_player_may_have_many_tokens_also_of_one_name(anna):
    secrets = [anna.client.post("me/tokens/", {"name": "bot"}).json()["secret"] for _ in range(3)]
    assert len({anna.secret, *secrets}) == 4
    for secret in [anna.secret, *secrets]:
        assert Client(secret).get_json("me/")["username"] == "anna"


def test_no_secret_is_anywhere_in_the_database(anna):
    secret = anna.client.post("me/tokens/", {"name": "laptop"}, idempotency_key="k").json()["secret"]
    kept = str(everything())
    random_part = secret.removeprefix("card_")
    for trace in (
        secret,
        random_part,
        secret.encode().hex(),
        base64.urlsafe_b64decode(random_part + "=").hex(),
        base64.b64encode(secret.encode()).decode(),
    ):
        assert trace not in kept
    assert hashlib.sha256(secret.encode()).hexdigest() in kept


def test_a_secret_is_shown_once(anna):
    secret = anna.client.post("me/tokens/", {"name": "laptop"}).json()["secret"]
    for path in ("me/tokens/", "me/", "players/anna/"):
        assert secret not in anna.client.ask("GET", path).content.decode()
    assert {frozenset(token) for token in anna.client.get_json("me/tokens/")["items"]} == {
        frozenset(["id", "name", "hint", "created_at", "last_used_at"])
    }


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "$"),
        ({"name": ""}, "$.name"),
        ({"name": "x" * 51}, "$.name"),
        ({"name": "a\n"}, "$.name"),
        ({"name": "a\0b"}, "$.name"),
        ({"name": None}, "$.name"),
        ({"name": 5}, "$.name"),
        ({"name": "bot", "secret": "card_mine"}, "$"),
        ([], "$"),
        (b'{"name": "\xff"}', "$"),
    ],
)
def test_a_token_of_another_form_is_refused(anna, body, path):
    with nothing_changes():
        assert faults(anna.client.post("me/tokens/", body)) == [path]


# By password.


@pytest.mark.parametrize("name", ["nils", "NILS"])
def test_tokens_are_made_listed_and_revoked_by_password_too(nils, name):
    header = basic(f"{name}:{PASSWORD}")
    made = ask_as(header, "POST", "me/tokens/", {"name": "first"})
    assert made.status_code == 201
    assert len(ask_as(header, "GET", "me/tokens/").json()["items"]) == 2
    assert ask_as(header, "DELETE", f"me/tokens/{made.json()['id']}/").status_code == 204


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_ones_own_account_is_seen_and_changed_by_password_too(nils, method):
    answer = ask_as(basic(f"nils:{PASSWORD}"), method, "me/", {})
    assert (answer.status_code, answer.json()["username"]) == (200, "nils")


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "games/"), ("GET", "me/bots/"), ("POST", "me/stream-ticket")]
)
def test_a_password_opens_nothing_else(nils, method, path):
    with nothing_changes():
        problem(ask_as(basic(f"nils:{PASSWORD}"), method, path, {}), "unauthenticated")


@pytest.mark.parametrize("password", ["", "wrong", PASSWORD + " ", PASSWORD.upper(), PASSWORD + "\0"])
def test_a_wrong_password_is_refused(nils, password):
    with nothing_changes():
        answer = ask_as(basic(f"nils:{password}"), "POST", "me/tokens/", {"name": "x"})
        problem(answer, "invalid_credentials")


def test_a_player_who_may_not_log_in_has_neither_password_nor_token(nils):
    nils.is_active = False
    nils.save()
    problem(ask_as(basic(f"nils:{PASSWORD}"), "GET", "me/tokens/"), "invalid_credentials")
    problem(nils.client.ask("GET", "me/"), "invalid_credentials")
    problem(nils.client.ask("GET", "games/"), "invalid_credentials")


# Listing.


def test_tokens_are_listed_newest_first_with_no_gap_while_new_ones_appear(anna):
    for number in range(4):
        anna.client.post("me/tokens/", {"name": f"token {number}"})
    page = anna.client.get_json("me/tokens/?limit=2")
    anna.client.post("me/tokens/", {"name": "newest"})
    second = anna.client.get_json(page["next"])
    third = anna.client.get_json(second["next"])
    names = [[token["name"] for token in one["items"]] for one in (page, second, third)]
    assert names == [["token 3", "token 2"], ["token 1", "token 0"], ["test"]]
    assert third["next"] is None


def test_a_page_that_ends_with_the_last_token_has_no_next(anna):
    assert anna.client.get_json("me/tokens/?limit=1")["next"] is None


def test_nobody_sees_anothers_tokens(anna, bo):
    anna.client.post("me/tokens/", {"name": "laptop"})
    assert [token["name"] for token in bo.client.get_json("me/tokens/")["items"]] == ["test"]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=x", "limit"),
        ("limit=1.5", "limit"),
        ("limit=", "limit"),
        ("limit=1&limit=2", "limit"),
        ("cursor=", "cursor"),
        ("cursor=null", "cursor"),
        ("cursor=" + "g" * 32, "cursor"),
        ("cursor=" + "a" * 31, "cursor"),
        ("cursor=" + "a" * 32 + "%0A", "cursor"),
        ("page=2", "query"),
        ("%ff=1", "query"),
    ],
)
def test_a_query_of_another_form_is_refused(anna, query, path):
    assert faults(anna.client.ask("GET", f"me/tokens/?{query}")) == [path]


# Revoking.


def test_a_revoked_token_is_worth_nothing_and_the_others_still_work(anna):
    made = anna.client.post("me/tokens/", {"name": "lost"}).json()
    answer = anna.client.ask("DELETE", f"me/tokens/{made['id']}/")
    assert (answer.status_code, answer.content) == (204, b"")
    problem(Client(made["secret"]).ask("GET", "me/"), "invalid_credentials")
    problem(Client(made["secret"]).ask("GET", "games/"), "invalid_credentials")
    assert [token["name"] for token in anna.client.get_json("me/tokens/")["items"]] == ["test"]


def test_a_token_may_revoke_itself(anna):
    token = anna.client.get_json("me/tokens/")["items"][0]["id"]
    assert anna.client.ask("DELETE", f"me/tokens/{token}/").status_code == 204
    problem(anna.client.ask("GET", "me/"), "invalid_credentials")


def test_only_ones_own_live_tokens_are_there_to_be_revoked(anna, bo):
    own = anna.client.post("me/tokens/", {"name": "x"}).json()["id"]
    anna.client.ask("DELETE", f"me/tokens/{own}/")
    others = bo.client.get_json("me/tokens/")["items"][0]["id"]
    unknown = "00000000-0000-7000-8000-000000000000"
    with nothing_changes():
        for token in (own, others, unknown, "nonsense", "1"):
            problem(anna.client.ask("DELETE", f"me/tokens/{token}/"), "not_found")
    assert bo.client.ask("GET", "me/").status_code == 200


# Use.


def test_asking_costs_one_query_for_the_token_and_its_player(anna, django_assert_num_queries):
    anna.client.get_json("me/")
    with django_assert_num_queries(1):
        assert anna.client.post("me/stream-ticket").status_code == 201


@pytest.mark.parametrize(("minutes", "noted"), [(59, False), (60, True), (600, True)])
def test_the_last_use_is_noted_once_an_hour(anna, minutes, noted):
    before = datetime.now(UTC) - timedelta(minutes=minutes, seconds=1)
    ApiToken.objects.update(last_used_at=before)
    anna.client.get_json("me/")
    assert (last_use() != before) == noted


def test_the_first_use_is_noted_by_the_clock_of_the_database(anna):
    assert last_use() is None
    anna.client.get_json("me/")
    first = last_use()
    assert ApiToken.objects.filter(
        last_used_at__gt=Now() - timedelta(seconds=30), last_used_at__lte=Now()
    ).exists()
    anna.client.get_json("me/")
    assert last_use() == first


def test_a_wrong_clock_of_the_server_does_not_note_more_often(anna, monkeypatch):
    class Fast(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=1)

    anna.client.get_json("me/")
    first = last_use()
    monkeypatch.setattr(authentication, "datetime", Fast)
    anna.client.get_json("me/")
    assert last_use() == first


# What is no token.


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer card_",
        "Bearer \0",
        "Bearer a b c",
        "Bearer " + "x" * 60_000,
        "Bearer \xe9\xff",
        "Bearer " + "\u00e5\u0308".encode().decode("latin-1"),
        "bearer nonsense",
    ],
)
def test_a_bearer_of_nonsense_is_refused_everywhere(nils, header):
    with nothing_changes():
        for path in ("me/", "me/tokens/", "games/", "players/nils/"):
            problem(ask_as(header, "GET", path), "invalid_credentials")


@pytest.mark.parametrize(
    "header",
    [
        "Basic",
        "Basic !!!",
        "Basic a b",
        basic(b"nocolon"),
        basic(b"\xff\xfe:x"),
        basic(b":"),
        basic(f"\u00e5sa:{PASSWORD}"),
        basic(b"nils:" + b"x" * 40_000),
        basic(b"nils\0:x"),
    ],
)
def test_a_password_header_of_nonsense_is_refused_where_passwords_count(nils, header):
    with nothing_changes():
        for path in ("me/tokens/", "me/"):
            problem(ask_as(header, "GET", path), "invalid_credentials")
        problem(ask_as(header, "GET", "me/bots/"), "unauthenticated")


@pytest.mark.parametrize(
    "header", ["", " ", "\0", "Digest x", "card_x", "Token x", "Bearer\tcard_x", "\xff" * 9]
)
def test_a_header_of_another_scheme_is_as_none(nils, header):
    with nothing_changes():
        problem(ask_as(header, "GET", "me/"), "unauthenticated")
        problem(ask_as(header, "GET", "me/tokens/"), "unauthenticated")
        assert ask_as(header, "GET", "games/").status_code == 200


def test_what_is_added_to_a_token_is_not_ignored(nils):
    for header in (f"Bearer {nils.secret}x", f"Bearer {nils.secret}\0", f"Bearer {nils.secret[:-1]}"):
        problem(ask_as(header, "GET", "me/"), "invalid_credentials")
    for header in (f"bearer {nils.secret}", f"BEARER  {nils.secret} "):
        assert ask_as(header, "GET", "me/").status_code == 200


def test_who_is_refused_is_told_how_to_ask(nils):
    for path in ("me/", "me/tokens/"):
        for header in ("", "Bearer nonsense"):
            answer = ask_as(header, "GET", path)
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'
