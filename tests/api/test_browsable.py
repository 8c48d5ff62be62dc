"""The API as pages, for people who look at it in a browser."""

import html
import json
import re

import pytest

from tests.conftest import Client

HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.fixture
def browser(anna):
    browser = Client()
    browser.force_login(anna)
    return browser


def shown(answer):
    """The JSON that a page shows."""
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    page = answer.content.decode()
    block = re.search(r'<div class="response-info".*?<pre class="prettyprint">(.*?)</pre>', page, re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]*>", "", block[1]))
    head, _, body = text.partition("\n\n")
    assert head.startswith(f"HTTP {answer.status_code} ")
    return json.loads(body)


@pytest.fixture
def games(anna, bo, make_game):
    return {
        "running": make_game("sicksack", [bo, anna]),
        "private": make_game("sicksack", [anna, bo], private=True),
        "open": make_game("freecell", [anna], start=False),
    }


PAGES = [
    "",
    "problems",
    "me/",
    "me/tokens/",
    "players/bo/",
    "rulesets/",
    "rulesets/sicksack/",
    "rulesets/freecell/",
    "games/",
    "games/?mine=true&limit=1",
    "games/{running}/",
    "games/{private}/",
    "games/{open}/",
    "games/{running}/legal-moves",
    "games/{private}/legal-moves",
    "games/{running}/moves",
    "games/{running}/positions/0",
]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_shows_what_json_says_and_no_more(anna, browser, games, path):
    where = path.format(**games)
    expected = [anna.client.get_json(where) for _ in range(2)][-1]  # the first notes the use of the token
    answer = browser.ask("GET", where, accept=HTML)
    assert answer.status_code == 200
    assert shown(answer) == expected


@pytest.mark.parametrize("path", ["games/{running}/", "games/{running}/moves", "games/{running}/positions/1"])
def test_a_page_shows_nothing_that_is_hidden(bo, browser, games, path):
    played = bo.client.post(f"games/{games['running']}/moves", {"ply": 0, "move": {"type": "chance"}})
    assert played.status_code == 201
    hand = bo.client.get_json(f"games/{games['running']}/")["position"]["view"]["hands"][0]["cards"]
    content = html.unescape(browser.ask("GET", path.format(**games), accept=HTML).content.decode())
    written = json.dumps(hand, separators=(",", ":"))
    assert written not in re.sub(r"\s", "", content)
    assert "entropy" not in content
    # As a check of the check: whose hand it is sees it so.
    own = Client()
    own.force_login(bo)
    page = html.unescape(own.ask("GET", f"games/{games['running']}/", accept=HTML).content.decode())
    assert written in re.sub(r"\s", "", page)


@pytest.mark.parametrize(
    "path", ["games/{private}/", "games/{private}/moves", "me/", "games/?mine=true", "games/x/"]
)
def test_refusals_are_pages_too(games, path):
    answer = Client().ask("GET", path.format(**games), accept=HTML)
    if path == "games/x/":  # which no view has seen
        assert answer.headers["Content-Type"] == "application/problem+json"
    else:
        assert shown(answer)["status"] == answer.status_code
    assert answer.status_code == (404 if path.startswith("games/{") or path == "games/x/" else 401)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "<em>&amp;", "\"'>", "{{ 7 }}", "http://x.example/<em>"]
)
def test_a_name_is_text_and_never_markup(bo, browser, games, name):
    bo.client.ask("PATCH", "me/", {"display_name": name})
    for path in ("players/bo/", f"games/{games['running']}/", "games/"):
        answer = browser.ask("GET", path, accept=HTML)
        assert name in str(shown(answer)) or name in json.dumps(shown(answer), ensure_ascii=False)
        content = answer.content.decode()
        assert "<script>alert" not in content
        assert "<em>" not in content


def test_a_page_is_written_by_its_own_forms_with_a_csrf_token_alone(browser, games):
    answer = browser.ask("GET", f"games/{games['open']}/join", accept=HTML)
    assert answer.status_code == 405
    assert "csrfToken" in browser.ask("GET", "games/", accept=HTML).content.decode()


@pytest.mark.parametrize("path", ["docs", "/api/login/"])
def test_the_other_pages_can_be_seen_by_anyone(anonymous, path):
    answer = anonymous.ask("GET", path, accept=HTML)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")


def test_the_front_page_leads_to_the_documents(anonymous):
    assert 'href="/api/v1/docs"' in anonymous.ask("GET", "/").content.decode()


def test_the_documents_load_nothing_from_elsewhere(anonymous):
    page = anonymous.ask("GET", "docs", accept=HTML).content.decode()
    assert re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', page) == []
