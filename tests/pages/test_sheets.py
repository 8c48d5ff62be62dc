"""The page of a game."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.clock import BankClock, TurnClock
from games.services.leaving import game_resign
from games.services.playing import moves_play
from tests.api.checks import records
from tests.expect import nothing_changes
from tests.pages.conftest import Browser

WON = " ".join(records("freecell")["deal-1"]["notation"])


def board(page):
    """The attributes of the board."""
    tag = re.search(r"<game-board ([^>]*)></game-board>", page)
    return None if tag is None else dict(re.findall(r'([\w-]+)(?:="([^"]*)")?', tag[1]))


def listed(page):
    """The moves in words, by number."""
    found = re.findall(
        r'<li([^>]*)><a class="ply" href="[^"]*" aria-label="Move (\d+)">\d+</a><span>(.*?)</span></li>',
        page,
        re.DOTALL,
    )
    return {int(number): re.sub(r"<[^>]*>", "", text).strip() for _, number, text in found}


@pytest.fixture
def running(anna, bo, make_game):
    game = make_game("sicksack", [anna, bo], clock=TurnClock(3600))
    moves_play(game_id=game, player=anna, body=b'{"ply": 0, "move": {"type": "chance"}}')
    return game


@pytest.fixture
def won(anna, make_game):
    game = make_game("freecell", [anna], options={"deal": 1})
    moves_play(game_id=game, player=anna, body=f'{{"ply": 0, "notation": "{WON}"}}'.encode())
    return game


def test_a_running_game_is_followed_by_its_events(visitor, running):
    page = visitor.page(f"/games/{running}/")
    api = f"/api/v1/games/{running}/"
    assert board(page) == {
        "replay": f"{api}replay",
        "game": api,
        "events": f"{api}events",
        "lang": "en",
        "linked": "",
    }
    assert "<h1>anna \N{EN DASH} bo</h1>" in page
    assert '<span class="badge">Being played</span>' in page
    assert "3600 s for each turn" in page
    assert "to move" in page
    assert list(listed(page)) == [1]
    assert f"{api}proof" not in page


def test_a_game_that_is_over_says_how(visitor, won, anna):
    page = visitor.page(f"/games/{won}/")
    assert "events" not in board(page)
    assert "Played to its end" in page
    assert '<span class="badge won">Won</span>' in page
    assert f'href="/api/v1/games/{won}/proof"' in page
    assert f'href="/api/v1/games/{won}/export" download' in page
    assert '<meta name="description" content="Kungen (FreeCell): anna (Won). ' in page
    assert f'<link rel="canonical" href="http://testserver/games/{won}/">' in page
    assert '<meta property="og:title" content="anna, Kungen (FreeCell)">' in page


def test_moves_are_pages_of_fifty_by_the_ply(visitor, won):
    length = len(WON.split())
    assert length > 50
    page = visitor.page(f"/games/{won}/")
    assert list(listed(page)) == list(range(1, 51))
    assert 'rel="next" href="?ply=51#moves"' in page
    assert 'rel="prev"' not in page
    page = visitor.page(f"/games/{won}/?ply=51")
    assert list(listed(page)) == list(range(51, min(length, 100) + 1))
    assert '<li aria-current="true" id="now"><a class="ply" href="?ply=51#now"' in page
    assert 'rel="prev" href="?ply=1#moves"' in page
    assert board(page)["ply"] == "51"
    assert list(listed(visitor.page(f"/games/{won}/?ply=50"))) == list(range(1, 51))
    assert list(listed(visitor.page(f"/games/{won}/?ply=0"))) == list(range(1, 51))
    assert max(listed(visitor.page(f"/games/{won}/?ply={length}"))) == length
    assert listed(page)[51].endswith(WON.split()[50])


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("ply=-1", 400),
        ("ply=x", 400),
        ("ply=", 400),
        ("ply=99999999999999", 400),
        ("seat=x", 400),
        ("seat=-1", 400),
        ("ply=%00", 400),
        ("ply=1000", 404),
    ],
)
def test_a_place_that_is_none_is_refused(visitor, won, query, status):
    with nothing_changes():
        assert visitor.get(f"/games/{won}/?{query}").status_code == status


def test_one_looks_with_the_eyes_of_a_seat_where_one_may(visitor, anna, browser_of, running, bo):
    own = browser_of(anna)
    assert board(own.page(f"/games/{running}/?seat=0"))["seat"] == "0"
    refused = "What this seat sees is shown when the game is over."
    for browser, seat in ((own, 1), (visitor, 0), (visitor, 1), (own, 9)):
        page = browser.page(f"/games/{running}/?seat={seat}")
        assert "seat" not in board(page)
        assert refused in page
    assert board(visitor.page(f"/games/{running}/?seat=spectator"))["seat"] == "spectator"
    game_resign(game_id=running, player=bo)
    page = visitor.page(f"/games/{running}/?ply=1&seat=1")
    assert board(page)["seat"] == "1"
    assert refused not in page
    assert 'href="?ply=2&amp;seat=1#now"' in page


def test_an_open_game_has_no_board(visitor, anna, make_game):
    game = make_game("kraftkort", [anna], start=False, seats=3, clock=BankClock(600, 10))
    page = visitor.page(f"/games/{game}/")
    assert board(page) is None
    assert "<script" not in page
    assert "The game has not started, and no card is dealt." in page
    assert page.count("free</span>") == 2
    assert "600 s for all turns, and 10 s more with each" in page
    assert visitor.get(f"/games/{game}/?ply=1").status_code == 404


def test_the_page_is_in_the_asked_language(running):
    page = Browser(**{"Accept-Language": "sv"}).page(f"/games/{running}/")
    assert board(page)["lang"] == "sv"
    assert "plats 0" in page
    assert '<span class="badge">Pågår</span>' in page


def test_names_are_text_and_never_markup(visitor, anna, running):
    anna.client.ask("PATCH", "me/", {"display_name": "<script>alert(1)</script>\"'&amp;"})
    for path in (f"/games/{running}/", "/players/anna/"):
        page = visitor.page(path)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;amp;" in page
        assert "<script>alert" not in page


def test_a_page_takes_one_statement_however_long_the_game(visitor, won, running):
    for game in (won, running):
        with CaptureQueriesContext(connection) as queries:
            visitor.page(f"/games/{game}/")
        assert len(queries) == 1
