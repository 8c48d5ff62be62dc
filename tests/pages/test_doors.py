"""Who may open which page: a row for every page, taken from the URL resolver, and for everybody."""

import re
from uuid import uuid4

import pytest
from django.urls import get_resolver

from accounts.services.tokens import token_create
from games.locks import database_time
from games.services.daily import daily_deals_make
from tests.conftest import Client
from tests.pages.conftest import Browser

ELSEWHERE = ("admin/", "api/", "healthz", "readyz")
LOG_IN = "302 /log-in?next="

# What a GET is answered to a visitor, a stranger, a player who sits there, and staff.
ROWS = {
    "": "200 200 200 200",
    "games/": "200 200 200 200",
    "games/{public}/": "200 200 200 200",
    "your-games/": "302 200 200 200",
    "leaderboards/": "200 200 200 200",
    "leaderboards/<slug:slug>/": "200 200 200 200",
    "daily/": "200 200 200 200",
    "daily/{day}/{slug}/": "200 200 200 200",
    "players/{username}/": "200 200 200 200",
    "rules/": "200 200 200 200",
    "rules/<slug:slug>/": "200 200 200 200",
    "sign-up": "200 302 302 302",
    "log-in": "200 302 302 302",
    "log-out": "405 405 405 405",
    "preferences": "405 405 405 405",
    "favicon.ico": "200 200 200 200",
    "account/": "302 200 200 200",
    "account/password": "302 200 200 200",
    "account/sessions": "302 200 200 200",
    "account/erase": "302 200 200 200",
    "account/export": "302 200 200 200",
    "tokens/": "302 200 200 200",
    "tokens/<uuid:token_id>/revoke": "302 404 200 404",
    "password-reset/": "200 200 200 200",
    "password-reset/sent": "200 200 200 200",
    "password-reset/<uidb64>/<token>/": "200 200 200 200",
    "password-reset/done": "200 200 200 200",
}


@pytest.mark.parametrize("path", ["/", "/games/", "/log-in", "/rules/", "/preferences"])
def test_what_a_page_takes_is_told(visitor, path):
    answer = visitor.options(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert "OPTIONS" in answer.headers["Allow"]


def names():
    """The paths of the pages as the table has them."""
    for one in get_resolver().url_patterns:
        for pattern in getattr(one, "url_patterns", [one]):
            path = str(pattern.pattern) if one is pattern else str(one.pattern) + str(pattern.pattern)
            if not path.startswith(ELSEWHERE):
                yield (
                    path.replace("<uuid:game_id>", "{public}")
                    .replace(r"^daily/(?P<day>\d{4}-\d{2}-\d{2})/(?P<slug>[-a-z]+)/$", "daily/{day}/{slug}/")
                    .replace("^players/(?P<username>[A-Za-z][A-Za-z0-9_-]{1,19})/$", "players/{username}/")
                )


def test_every_page_has_a_row():
    assert set(names()) == set(ROWS)


@pytest.fixture
def browsers(stranger, anna, staff, browser_of):
    return [Browser(), browser_of(stranger), browser_of(anna), browser_of(staff)]


@pytest.fixture
def private(anna, bo, make_game):
    return make_game("sicksack", [anna, bo], private=True)


@pytest.fixture
def examples(anna, bo, make_game):
    daily_deals_make(today=database_time().date())
    return {
        "public": make_game("sicksack", [anna, bo]),
        "day": str(database_time().date()),
        "slug": "freecell",
        "<slug:slug>": "freecell",
        "username": "anna",
        "<uuid:token_id>": token_create(player=anna, name="x")[0].id,
        "<uidb64>": "x",
        "<token>": "x",
    }


@pytest.mark.parametrize("path", ROWS)
def test_who_may_open_a_page(browsers, examples, path):
    where = "/" + path
    for name, value in examples.items():
        where = where.replace(f"{{{name}}}", str(value)).replace(name if "<" in name else "\0", str(value))
    answers = [browser.get(where) for browser in browsers]
    assert " ".join(str(answer.status_code) for answer in answers) == ROWS[path]
    if ROWS[path] == "302 200 200 200":
        assert answers[0].headers["Location"] == f"/log-in?next={where}"


def test_a_private_game_is_there_for_those_who_sit_at_it_alone(browsers, private):
    statuses = [browser.get(f"/games/{private}/").status_code for browser in browsers]
    assert statuses == [404, 404, 200, 404]
    assert [f"/games/{private}/" in browser.page("/games/?state=running") for browser in browsers] == [
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("index", [0, 1, 3])
def test_a_private_game_is_answered_to_strangers_as_one_that_is_not_there(browsers, private, index):
    browser = browsers[index]
    pages = [browser.page(f"/games/{game_id}/", 404) for game_id in (private, uuid4())]
    there, not_there = (re.sub(r"[0-9a-f-]{36}|value=\"\w{64}\"", "*", page) for page in pages)
    assert there == not_there


def test_the_icon_is_where_it_is_looked_for(visitor):
    answer = visitor.get("/favicon.ico")
    assert answer.headers["Content-Type"] == "image/x-icon"
    assert answer.content.startswith(b"\0\0\1\0")
    assert Client().ask("POST", "/favicon.ico").status_code == 405
    assert 'rel="icon" type="image/svg+xml"' in visitor.page("/")


@pytest.mark.parametrize(
    "path",
    [
        "/players/nobody/",
        "/games/1/",
        "/leaderboards/chess/",
        "/rules/chess/",
        "/daily/2026-11-30/sicksack/",
        "/daily/2026-13-41/freecell/",
        "/daily/2020-01-01/freecell/",
        "/nothing",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(visitor, path):
    page = visitor.page(path, 404)
    assert "<h1>There is nothing here</h1>" in page
    assert "<h1>Här finns ingenting</h1>" in visitor.page(path, 404, accept_language="sv")


def test_a_player_who_may_not_log_in_has_no_page(visitor, anna):
    assert "anna" in visitor.page("/players/ANNA/")
    anna.is_active = False
    anna.save()
    visitor.page("/players/anna/", 404)
    assert "There is no player of this name." in visitor.page("/games/?player=anna", 400)
