"""The page of a game."""

import re
from datetime import UTC, datetime, timedelta
from itertools import islice

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.catalog import CURRENT
from games.clock import BankClock, TurnClock
from games.pages.positions import PARTS
from games.pages.words import OPTIONS
from games.selectors.tables import table_read
from games.services.leaving import game_resign
from games.services.playing import moves_play
from games.table import stored_move
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
    assert "1 hour for each turn" in page
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
        ("seat=spectators", 400),
    ],
)
def test_a_place_that_is_none_is_refused(visitor, won, query, status):
    with nothing_changes():
        assert visitor.get(f"/games/{won}/?{query}").status_code == status


def test_one_looks_with_the_eyes_of_a_seat_where_one_may(visitor, anna, browser_of, running, bo):
    own = browser_of(anna)
    assert board(own.page(f"/games/{running}/?seat=0"))["seat"] == "0"
    refused = "What this seat sees is shown when the game is over."
    for browser, seat in ((own, 1), (visitor, 0), (visitor, 1)):
        page = browser.page(f"/games/{running}/?seat={seat}")
        assert "seat" not in board(page)
        assert refused in page
    assert board(visitor.page(f"/games/{running}/?seat=spectator"))["seat"] == "spectator"
    game_resign(game_id=running, player=bo)
    page = visitor.page(f"/games/{running}/?ply=1&seat=1")
    assert board(page)["seat"] == "1"
    assert refused not in page
    assert 'href="?ply=2&amp;seat=1#now"' in page


def test_a_seat_that_there_is_not_is_said_to_be_none(visitor, anna, browser_of, running, won, make_game):
    waiting = make_game("kraftkort", [anna], start=False, seats=3)
    for browser, game, seat in ((visitor, won, 7), (browser_of(anna), running, 2), (visitor, waiting, 3)):
        page = browser.page(f"/games/{game}/?ply=999&seat={seat}")
        assert "There is no such seat." in page
        assert "What this seat sees" not in page
        assert ("this is its last position" in page) is (game != waiting)
        assert "seat" not in (board(page) or {})
    assert "There is no such seat." not in visitor.page(f"/games/{waiting}/?seat=2")
    assert "There is no such seat." not in visitor.page(f"/games/{won}/?seat=spectator")
    assert "Det finns ingen sådan plats." in visitor.page(
        f"/games/{won}/?seat=7", **{"Accept-Language": "sv"}
    )


def test_an_open_game_says_how_one_joins(visitor, anna, bo, make_game, running):
    waiting = make_game("kraftkort", [anna], start=False, seats=3)
    page = visitor.page(f"/games/{waiting}/")
    assert f"<code>POST /api/v1/games/{waiting}/join</code>" in page
    assert 'href="/api/v1/docs"' in page.partition("To join:")[2].partition("</p>")[0]
    assert "To join:" not in visitor.page(f"/games/{running}/")
    full = make_game("kraftkort", [anna, bo], start=False, seats=2)
    assert "To join:" not in visitor.page(f"/games/{full}/")


def test_an_open_game_has_no_board(visitor, anna, make_game):
    game = make_game("kraftkort", [anna], start=False, seats=3, clock=BankClock(600, 10))
    page = visitor.page(f"/games/{game}/")
    assert board(page) is None
    assert "<script" not in page
    assert "The game has not started, and no card is dealt." in page
    assert page.count("free</span>") == 2
    assert "10 minutes for all turns, and 10 seconds more with each" in page
    page = visitor.page(f"/games/{game}/?ply=1&seat=0")
    assert "this is its last position" not in page
    assert "The game has not started, and no card is dealt." in page
    assert board(page) is None


def position(page):
    """What the page says in words of the position: its title, and the parts of the table by name."""
    section = page.partition('id="position"')[2].partition("</section>")[0]
    title = re.search(r"<h2[^>]*>(.*?)</h2>", section)[1]
    return title, dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section))


def current(page):
    return re.findall(r'<li aria-current="true" id="now"><a class="ply" href="\?ply=(\d+)', page)


def test_without_a_board_the_position_that_is_asked_for_is_there_in_words(visitor, won):
    title, parts = position(visitor.page(f"/games/{won}/"))
    assert title == "The position after the deal"
    assert parts["Column 1"] == "JD, KD, 2S, 4C, 3S, 6D, 6S"
    assert parts["Foundations"] == "C: empty, D: empty, H: empty, S: empty"
    page = visitor.page(f"/games/{won}/?ply=57")
    title, parts = position(page)
    assert title == f"The position after move 57 of {len(WON.split())}"
    assert parts["Foundations"] == "C: 4C, D: AD, H: 8H, S: 3S"
    assert current(page) == ["57"]
    steps = re.findall(r'href="\?ply=(\d+)#position">([^<]*)<', page)
    assert steps[:4] == [
        ("0", "The deal"),
        ("56", "Back"),
        ("58", "On"),
        (str(len(WON.split())), "The last move"),
    ]


def test_the_words_are_those_of_the_seat_that_is_asked_for(visitor, anna, browser_of, running, bo):
    hand = re.compile(r"[2-9TJQKA][CDHS](, [2-9TJQKA][CDHS])*")
    title, parts = position(visitor.page(f"/games/{running}/"))
    assert title == "The position after move 1 of 1"  # the newest of a game that goes on
    assert all("face down" in parts[f"Hand, {name}"] for name in ("anna", "bo"))
    _, parts = position(browser_of(anna).page(f"/games/{running}/"))
    assert hand.fullmatch(parts["Hand, anna"])
    assert "face down" in parts["Hand, bo"]
    # What was asked for and may not be is not seen.
    assert (
        position(visitor.page(f"/games/{running}/?seat=0"))[1]
        == position(visitor.page(f"/games/{running}/"))[1]
    )
    game_resign(game_id=running, player=bo)
    _, everything = position(visitor.page(f"/games/{running}/?ply=1"))
    assert hand.fullmatch(everything["Hand, anna"])
    assert hand.fullmatch(everything["Hand, bo"])
    assert hand.fullmatch(everything["Stock"])
    page = visitor.page(f"/games/{running}/?ply=1&seat=1")
    _, parts = position(page)
    assert "face down" in parts["Hand, anna"]
    assert parts["Hand, bo"] == everything["Hand, bo"]
    assert "face down" in parts["Stock"]
    assert '<a href="?ply=1&amp;seat=1#position" aria-current="true">bo</a>' in page
    assert '<a href="?ply=0&amp;seat=1#position">The deal</a>' in page
    _, parts = position(visitor.page(f"/games/{running}/?ply=1&seat=spectator"))
    assert all("face down" in parts[f"Hand, {name}"] for name in ("anna", "bo"))


@pytest.mark.parametrize("slug", CURRENT)
def test_every_table_has_words(slug, anna, bo, make_game, visitor, rng):
    rules = CURRENT[slug]
    seated = [anna, bo][: 1 if rules.is_patience else 2]
    game = make_game(slug, seated)
    for ply in range(6):
        table = table_read(game_id=game)
        if table.position.ending is not None:
            break
        seat = table.position.to_act[0]
        legal = list(islice(rules.legal_moves(table.position.state, seat), 50))
        body = msgspec.json.encode({"ply": ply, "move": stored_move(rng.choice(legal))})
        moves_play(game_id=game, player=seated[seat], body=body)
    fields = set(rules.View.__struct_fields__)
    assert fields <= set(PARTS)
    for language in ("en", "sv", "es"):
        browser = Browser(**{"Accept-Language": language})
        for ply in range(7):
            title, parts = position(browser.page(f"/games/{game}/?ply={ply}"))
            assert title
            assert len(parts) >= 3
            assert all(parts.values())


def test_a_place_after_the_last_is_the_last(visitor, won):
    page = visitor.page(f"/games/{won}/?ply=9999")
    length = len(WON.split())
    assert f"The game has {length} moves; this is its last position." in page
    assert board(page)["ply"] == str(length)
    assert current(page) == [str(length)]
    assert "this is its last position" not in visitor.page(f"/games/{won}/?ply={length}")


def test_a_move_that_nobody_asked_for_says_so(visitor, anna, bo, cilla, make_game):
    game = make_game("sicksack", [anna, bo, cilla])
    game_resign(game_id=game, player=anna)
    page = visitor.page(f"/games/{game}/")
    assert listed(page)[1] == "anna seat 0 gives up"
    assert listed(page)[2].endswith(" by itself")


def test_options_and_times_are_in_words(visitor, anna, make_game, time_stands):
    start = datetime(2026, 11, 23, 12, tzinfo=UTC)
    time_stands(start)
    game = make_game("las-pintas", [anna], options={"deck": 40, "variant": "lost-kings"})
    moves = table_read(game_id=game)
    legal = next(CURRENT["las-pintas"].legal_moves(moves.position.state, 0))
    moves_play(game_id=game, player=anna, body=msgspec.json.encode({"ply": 0, "move": stored_move(legal)}))
    time_stands(start + timedelta(minutes=3, seconds=12))
    game_resign(game_id=game, player=anna)
    page = visitor.page(f"/games/{game}/")
    assert "<dt>Cards</dt><dd>40</dd>" in page
    assert "<dt>Variant</dt><dd>Lost kings</dd>" in page
    assert "<dt>Took</dt><dd>3 minutes 12 seconds</dd>" in page
    assert "<code>deck</code>" not in page


@pytest.mark.parametrize("slug", CURRENT)
def test_every_option_has_words(slug):
    assert set(CURRENT[slug].Options.__struct_fields__) <= set(OPTIONS)


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
