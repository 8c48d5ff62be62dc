"""Signing up, logging in and out by browser."""

import re

import pytest
from django.db import OperationalError

from accounts.models import ApiToken, Player
from games.pages import finding
from tests.expect import is_wait, nothing_changes
from tests.pages.conftest import PASSWORD

NEW = {"username": "olga", "password": "green-heron-92"}


def errors(page):
    """What is said by the fields: by the id of each, and by none where it is of all."""
    assert "errorlist" in page
    return {
        field: re.findall(r"<li>(.*?)</li>", items)
        for field, items in re.findall(
            r'<ul class="errorlist[^"]*"(?: id="id_(\w+)_error")?>(.*?)</ul>', page, re.DOTALL
        )
    }


def seconds_told(page):
    """How long to wait, by a page that says nothing else."""
    found = errors(page)
    assert list(found) == [""], found
    (words,) = found[""]
    return re.fullmatch(r"Too many attempts; try again in (\d+) s\.", words)[1]


def test_who_signs_up_gets_a_token_that_works_and_is_logged_in(visitor, anonymous):
    answer = visitor.send("/sign-up", **NEW, email="olga@example.org", display_name="Olga  O.")
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    secret = re.search(r'id="secret">(card_[\w-]{43})<', answer.content.decode())[1]
    anonymous.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    me = anonymous.get_json("me/")
    assert (me["username"], me["email"], me["display_name"]) == ("olga", "olga@example.org", "Olga O.")
    assert 'value="Olga O."' in visitor.page("/account/")
    assert ApiToken.objects.get().name == "sign-up"
    again = visitor.get("/sign-up")
    assert (again.status_code, again.headers["Location"]) == (302, "/account/")


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"username": "1olga"}, "username", "Two to twenty letters A to Z, digits, _ and -, a letter first."),
        ({"username": "o"}, "username", "Two to twenty letters A to Z, digits, _ and -, a letter first."),
        ({"username": "admin"}, "username", "this name is reserved"),
        ({"username": "NILS"}, "username", "This name is taken, or was once. Choose another."),
        ({"username": ""}, "username", "This field is required."),
        ({"username": "ol\0ga"}, "username", "Null characters are not allowed."),
        (
            {"password": "short"},
            "password",
            "This password is too short. It must contain at least 8 characters.",
        ),
        ({"password": "x" * 129}, "password", "Ensure this value has at most 128 characters (it has 129)."),
        ({"email": "nowhere"}, "email", "Enter a valid email address."),
        ({"display_name": "a\x07b"}, "display_name", "Control characters are not taken."),
        ({"display_name": "\u200b"}, "display_name", "a display name has no control or invisible characters"),
    ],
)
def test_what_is_wrong_is_said_by_the_field_and_changes_nothing(visitor, nils, fields, field, words):
    with nothing_changes():
        answer = visitor.send("/sign-up", **{**NEW, **fields})
    assert answer.status_code == (409 if "name is taken" in words else 422)
    page = answer.content.decode()
    assert words in errors(page)[field]
    described = re.search(rf'<input[^>]*name="{field}"[^>]*>', page)[0]
    assert 'aria-invalid="true"' in described
    assert f"id_{field}_error" in re.search(r'aria-describedby="([^"]*)"', described)[1].split()
    assert "sessionid" not in visitor.cookies
    # A password is never sent back.
    assert NEW["password"] not in page


def test_sign_ups_are_counted_with_those_by_api(visitor, anonymous, settings):
    settings.SIGN_UPS_PER_HOUR = 1
    body = {"username": "first", "password": NEW["password"]}
    assert anonymous.post("accounts/", body).status_code == 201
    with nothing_changes():
        answer = visitor.send("/sign-up", **NEW)
    assert answer.status_code == 429
    assert is_wait(seconds_told(answer.content.decode()), 3600)
    assert answer.headers["Retry-After"] == seconds_told(answer.content.decode())


@pytest.mark.parametrize(
    "path", ["/sign-up", "/log-in", "/log-out", "/tokens/", "/account/", "/password-reset/"]
)
def test_a_form_of_another_site_changes_nothing(at_home, path):
    with nothing_changes():
        answer = at_home.post(path, {**NEW, "name": "x", "display_name": "X", "email": "x@example.org"})
    assert answer.status_code == 403
    assert "The form has grown old" in answer.content.decode()


def test_who_logs_in_comes_to_the_account_and_out_again(visitor, nils):
    answer = visitor.send("/log-in", username="Nils", password=PASSWORD)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/")
    page = visitor.page("/")
    assert 'href="/players/nils/"' in page
    assert 'href="/log-in"' not in page
    assert visitor.get("/log-out").status_code == 405
    assert 'href="/players/nils/"' in visitor.page("/")
    answer = visitor.send("/log-out")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert 'href="/log-in"' in visitor.page("/")


@pytest.mark.parametrize(
    ("username", "password"),
    [("nils", "wrong"), ("nobody", PASSWORD), ("closed", PASSWORD), ("nils", "x" * 200)],
)
def test_a_wrong_password_is_told_as_a_name_that_nobody_has(visitor, nils, username, password):
    Player.objects.create_user(username="closed", display_name="C", password=PASSWORD, is_active=False)
    with nothing_changes():
        answer = visitor.send("/log-in", username=username, password=password)
    assert answer.status_code == 422
    assert errors(answer.content.decode()) == {
        "": ["Please enter a correct user name and password. Note that the password is case-sensitive."]
    }
    assert "sessionid" not in visitor.cookies


def test_attempts_are_counted_with_those_elsewhere(visitor, nils, settings, client):
    settings.LOG_IN_ATTEMPTS = 2
    client.post("/api/login/", {"username": "nils", "password": "wrong"})
    answers = [visitor.send("/log-in", username="nils", password=given) for given in ("wrong", PASSWORD)]
    assert [answer.status_code for answer in answers] == [422, 429]
    assert answers[1].headers["Retry-After"] == seconds_told(answers[1].content.decode())
    assert is_wait(answers[1].headers["Retry-After"], 60)


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        ("/tokens/", "/tokens/"),
        ("/games/?player=anna", "/games/?player=anna"),
        ("https://evil.example/", "/account/"),
        ("//evil.example/", "/account/"),
        ("/\\evil.example", "/account/"),
        ("javascript:alert(1)", "/account/"),
    ],
)
def test_a_log_in_leads_to_this_host_alone(visitor, nils, target, leads):
    answer = visitor.send("/log-in", username="nils", password=PASSWORD, next=target)
    assert answer.headers["Location"] == leads


def test_a_page_that_needs_an_account_is_come_back_to(visitor, nils):
    answer = visitor.get("/tokens/")
    assert answer.headers["Location"] == "/log-in?next=/tokens/"
    assert '<input type="hidden" name="next" value="/tokens/">' in visitor.page("/log-in?next=/tokens/")


def test_visitors_are_given_no_cookie_before_there_is_a_form_of_theirs(visitor):
    for path in ("/", "/games/", "/rules/sicksack/", "/leaderboards/"):
        visitor.page(path)
    assert dict(visitor.cookies) == {}


def test_a_page_that_has_not_changed_is_not_sent_again(visitor):
    answer = visitor.get("/rules/sicksack/")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))
    again = visitor.get("/rules/sicksack/", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = visitor.get("/rules/sicksack/?language=sv", headers={"If-None-Match": answer.headers["ETag"]})
    assert other.status_code == 200


def test_pages_are_counted_with_requests_by_api(settings, visitor):
    settings.REQUESTS_PER_MINUTE = 3
    address = {"REMOTE_ADDR": "198.51.100.77"}
    answers = [visitor.get("/rules/", **address) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[3].headers["Retry-After"]) <= 60
    assert "<h1>Too many attempts</h1>" in answers[3].content.decode()
    assert answers[3].headers["Cache-Control"] == "no-store"


def test_where_the_database_does_not_answer_a_page_says_so(visitor, monkeypatch):
    def fails(**_):
        raise OperationalError

    monkeypatch.setattr(finding, "games_found", fails)
    answer = visitor.get("/games/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert "The server is busy with itself" in answer.content.decode()
