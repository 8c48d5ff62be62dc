"""The replay board in a browser: stepping, seeing with a seat's eyes, a game that goes on, phones, keys and screen
readers."""

import json
import os
import re
from random import Random
from urllib.parse import urlsplit

import psycopg
import pytest
from playwright.sync_api import expect

from games.catalog import CURRENT
from tests.e2e.browser import DESKTOP, PHONE, is_wider_than_the_screen, serious_faults
from tests.e2e.following import ROOT, serving

SOLVED = json.loads((ROOT / "seeds/records/freecell.json").read_text())[0]["notation"]
WON = len(SOLVED)
LONG = 131


@pytest.fixture(scope="module")
def database():
    """A database of its own beside that of the tests."""
    server, name = os.environ["DATABASE_URL"], f"board_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def site(browser, database, tmp_path_factory):
    """A server, which is not started where there is no browser."""
    log = tmp_path_factory.mktemp("board") / "serve.log"
    settings = {"DJANGO_SETTINGS_MODULE": "tests.e2e.board_settings"}
    with serving(database, log, "--workers", "1", **settings) as served:
        yield served


@pytest.fixture(scope="module")
def solved(site):
    """FreeCell, Microsoft deal 1, won."""
    player = site.player()
    game = site.game("freecell", [player], options={"deal": 1})
    player.asker.post(f"games/{game}/moves", {"ply": 0, "notation": " ".join(SOLVED)})
    return game


@pytest.fixture(scope="module")
def long(site):
    """A card that goes to and fro."""
    player = site.player()
    game = site.game("freecell", [player], options={"deal": 1})
    moves = " ".join(["5a", *["ab", "ba"] * (LONG // 2)])
    player.asker.post(f"games/{game}/moves", {"ply": 0, "notation": moves})
    player.asker.post(f"games/{game}/resign")
    return game


class Sicksack:
    """A game for two that goes on, played by whoever's turn it is."""

    def __init__(self, site):
        self.players = [site.player(), site.player()]
        self.askers = [player.asker for player in self.players]
        self.game = site.game("sicksack", self.players)

    def move(self):
        state = self.askers[0].get(f"games/{self.game}/")
        seat = state["to_act"][0]
        moves = self.askers[seat].get(f"games/{self.game}/legal-moves")["items"]
        self.askers[seat].post(f"games/{self.game}/moves", {"ply": state["ply"], "move": moves[0]})

    def resign(self):
        self.askers[1].post(f"games/{self.game}/resign")


@pytest.fixture
def sicksack(site):
    yield Sicksack(site)
    site.close()


class Board:
    """A board on a page."""

    def __init__(self, page, site, game, query=""):
        self.page, self.root = page, page.locator("game-board")
        page.goto(f"http://127.0.0.1:{site.port}/board/{game}/{query}")

    def button(self, name):
        return self.root.get_by_role("button", name=name, exact=True)

    def card(self, name):
        return self.root.get_by_role("img", name=name, exact=True)

    def is_at(self, ply, plies):
        expect(self.root.locator(".ply")).to_have_text(f"{ply} / {plies}")
        expect(self.root.locator(".caption-line .at")).to_have_text(f"{ply} / {plies}")

    @property
    def query(self):
        return self.page.url.partition("?")[2]


def test_one_steps_through_a_game_by_buttons_keys_slider_and_moves(page, site, solved):
    board = Board(page, site, solved)
    board.is_at(0, WON)
    board.button("Next move").click()
    board.is_at(1, WON)
    page.keyboard.press("ArrowRight")
    board.is_at(2, WON)
    page.keyboard.press("End")
    board.is_at(WON, WON)
    expect(board.root.locator(".caption-line")).to_contain_text("The game is over")
    page.keyboard.press("ArrowLeft")
    board.is_at(WON - 1, WON)
    board.button("First position").click()
    board.is_at(0, WON)
    slider = board.root.get_by_role("slider")
    slider.fill("30")
    board.is_at(30, WON)
    words = site.player().asker.get(f"games/{solved}/moves?cursor=29&limit=1")["items"][0]["text"]
    assert words == "5H from column 1 to its foundation"
    expect(slider).to_have_attribute(
        "aria-valuetext", f"30 / {WON}: 5 of hearts from column 1 to its foundation"
    )
    board.root.locator(".list button", has_text="12").first.click()
    board.is_at(12, WON)
    current = board.root.locator(".list [aria-current=step]")
    expect(current).to_have_count(1)
    assert current.get_attribute("data-ply") == "12"
    page.keyboard.press("ArrowDown")
    board.is_at(13, WON)


def test_a_card_moves_to_where_it_lies_then(page, site, solved):
    """The first move takes the free card of column 3 to column 4 or a cell; everything else lies still."""
    board = Board(page, site, solved)
    board.is_at(0, WON)
    where = "element => Array.from(element.children, card => [card.dataset.card, card.style.transform])"
    cards = board.root.locator(".cards")
    before = dict(cards.evaluate(where))
    assert len(before) == 52
    board.button("Next move").click()
    board.is_at(1, WON)
    after = dict(cards.evaluate(where))
    assert set(after) == set(before)
    entry = site.player().asker.get(f"games/{solved}/replay?cursor=1&limit=1")["items"][0]
    first = site.player().asker.get(f"games/{solved}/positions/0")["view"]["columns"]
    moved = {code for code in after if after[code] != before[code]}
    assert moved == {first[int(entry["entry"]["move"]["from"]) - 1][-1]}


def test_a_link_leads_to_a_position_as_a_seat_saw_it(open_page, site, sicksack):
    for _ in range(4):
        sicksack.move()
    sicksack.resign()
    board = Board(open_page(), site, sicksack.game)
    board.is_at(0, 5)
    backs = board.card("card face down")
    expect(backs).to_have_count(0)
    board.root.get_by_label("Seen by").select_option("1")
    expect(backs).to_have_count(3 + 3)  # the other's hand, and the top of the stock
    board.button("Next move").click()
    board.is_at(1, 5)
    assert board.query == "ply=1&seat=1"
    names = board.root.locator(".card").evaluate_all("cards => cards.map(card => card.ariaLabel).sort()")

    other = Board(open_page(), site, sicksack.game, "?ply=1&seat=1")
    other.is_at(1, 5)
    expect(other.root.get_by_label("Seen by")).to_have_value("1")
    assert (
        other.root.locator(".card").evaluate_all("cards => cards.map(card => card.ariaLabel).sort()") == names
    )


def test_a_game_that_goes_on_is_followed_until_one_steps_back(page, site, sicksack):
    sicksack.move()
    board = Board(page, site, sicksack.game)
    board.is_at(1, 1)
    expect(board.root.locator(".live")).to_have_text("Live")
    sicksack.move()
    board.is_at(2, 2)
    board.button("Previous move").click()
    board.is_at(1, 2)
    sicksack.move()
    expect(board.root.locator(".live")).to_have_text("Live: 2 newer")
    expect(board.root.locator(".ply")).to_have_text("1 / 3")
    board.button("Follow the game").click()
    board.is_at(3, 3)
    sicksack.resign()
    board.is_at(4, 4)
    expect(board.root.locator(".caption-line")).to_contain_text("The game is over")
    expect(board.root.locator(".live")).to_be_hidden()
    expect(board.card("card face down")).to_have_count(0)


def test_a_long_game_is_fetched_as_it_is_looked_at(page, site, long):
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/replay?" in request.url else None)
    board = Board(page, site, long)
    board.is_at(0, LONG + 1)
    assert len(asked) == 1
    page.keyboard.press("End")
    board.is_at(LONG + 1, LONG + 1)
    assert len(asked) <= 3
    rows = board.root.locator(".list button")
    expect(rows.last).to_have_attribute("data-ply", str(LONG + 1))
    board.root.locator(".list").evaluate("list => { list.scrollTop = 0; }")
    expect(board.root.locator(".list button[data-ply='60']")).to_have_count(1)
    assert page.evaluate("document.activeElement.localName") == "body"


def test_it_plays_by_itself_and_stops_at_the_end(page, site, solved):
    board = Board(page, site, solved, f"?ply={WON - 3}")
    board.is_at(WON - 3, WON)
    board.root.get_by_label("Speed").select_option("fast")
    board.button("Play").click()
    expect(board.button("Pause")).to_be_visible()
    board.is_at(WON, WON)
    expect(board.button("Play")).to_be_visible()


LANGUAGES = [
    ("en", "queen of hearts", "the deal", "The position in words"),
    ("sv", "hjärter dam", "given", "Ställningen i ord"),
    ("es", "reina de corazones", "el reparto", "La posición en palabras"),
]


@pytest.mark.parametrize(("language", "queen", "deal", "position"), LANGUAGES)
def test_it_speaks_the_language_of_the_page(page, site, solved, language, queen, deal, position):
    board = Board(page, site, solved, f"?lang={language}")
    expect(board.card(queen)).to_be_visible()
    expect(board.root.locator(".caption-line")).to_contain_text(deal)
    board.root.get_by_text(position).click()
    expect(board.root.locator(".groups")).to_contain_text(queen)


@pytest.fixture(scope="module")
def tables(site):
    """A game of every rule set with the most seats, some moves after its start: the id by slug."""
    games = {}
    seated = [site.player() for _ in range(6)]
    for slug, rules in CURRENT.items():
        players = seated[: max(rules.seats)]
        game = games[slug] = site.game(slug, players)
        askers, rng = [player.asker for player in players], Random(slug)
        for ply in range(8):
            seats = askers[0].get(f"games/{game}/")["to_act"]
            if not seats:  # a patience may be over soon
                break
            moves = askers[seats[0]].get(f"games/{game}/legal-moves")["items"]
            askers[seats[0]].post(f"games/{game}/moves", {"ply": ply, "move": rng.choice(moves)})
    site.close()
    return games


@pytest.mark.parametrize("slug", sorted(CURRENT))
def test_every_table_fits_a_phone(open_page, site, tables, slug):
    page = open_page(viewport=PHONE)
    board = Board(page, site, tables[slug])
    expect(board.root.locator(".card").first).to_be_visible()
    assert not is_wider_than_the_screen(page)
    board.root.get_by_text("The position in words").click()
    assert ("face down" in board.root.locator(".groups").inner_text()) == CURRENT[slug].hides


@pytest.mark.parametrize("slug", sorted(CURRENT))
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_one_steps_on_without_scrolling_however_high_the_table(open_page, site, tables, slug, size):
    page = open_page(viewport=size)
    board = Board(page, site, tables[slug], "?ply=0")
    expect(board.root.locator(".card").first).to_be_visible()
    page.evaluate("scrollTo(0, document.querySelector('game-board').offsetTop)")
    expect(board.button("Next move")).to_be_in_viewport(ratio=1)
    expect(board.root.get_by_role("slider")).to_be_in_viewport(ratio=1)
    expect(board.root.locator(".caption-line")).to_be_in_viewport(ratio=1)
    board.button("Next move").click()
    expect(board.root.locator(".caption-line .at")).to_contain_text("1 / ")


@pytest.mark.parametrize("slug", sorted(CURRENT))
def test_a_table_and_its_controls_fit_a_desktop(open_page, site, tables, slug):
    page = open_page(viewport=DESKTOP)
    board = Board(page, site, tables[slug], "?ply=7")
    expect(board.root.locator(".card").first).to_be_visible()
    page.evaluate("scrollTo(0, document.querySelector('game-board').offsetTop)")
    expect(board.root.locator(".table")).to_be_in_viewport(ratio=1)
    table, dock = (board.root.locator(part).bounding_box() for part in (".table", ".dock"))
    assert dock["y"] >= table["y"] + table["height"]
    assert dock["y"] + dock["height"] <= DESKTOP["height"]


def test_the_current_move_is_seen_beside_the_controls(open_page, site, long):
    page = open_page(viewport=DESKTOP)
    page.goto(f"http://127.0.0.1:{site.port}/games/{long}/?ply=60")
    board = page.locator("game-board")
    expect(board.locator(".caption-line .at")).to_have_text(f"60 / {LONG + 1}")
    for button, ply in ((None, 60), ("Next move", 61), ("Newest position", LONG + 1)):
        if button:
            board.get_by_role("button", name=button, exact=True).click()
        expect(board.locator(f".list [aria-current=step][data-ply='{ply}']")).to_be_in_viewport(ratio=1)
        expect(board.get_by_role("button", name="Next move", exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_that_the_link_has_been_copied_is_seen_in_the_place_of_the_move(open_page, site, tables, size):
    page = open_page(viewport=size, permissions=["clipboard-read", "clipboard-write"])
    page.clock.install()
    board = Board(page, site, tables["vagrat-lodrat"], "?ply=3")
    board.is_at(3, 8)
    height = board.root.locator(".dock").bounding_box()["height"]
    board.button("Copy link to this position").click()
    told = board.root.get_by_role("status").filter(has_text="The link has been copied.")
    expect(told).to_be_in_viewport(ratio=1)
    expect(board.root.locator(".caption-line")).to_be_hidden()
    assert board.root.locator(".dock").bounding_box()["height"] == height
    assert page.evaluate("navigator.clipboard.readText()").endswith("?ply=3")
    page.clock.run_for(6000)
    expect(told).to_have_count(0)
    expect(board.root.locator(".caption-line")).to_be_visible()


def test_places_are_called_on_the_table_as_in_the_words_of_moves(page, site):
    player = site.player()
    game = site.game("las-pintas", [player])
    player.asker.post(f"games/{game}/moves", {"ply": 0, "move": {"type": "flip", "at": [2, 9]}})
    board = Board(page, site, game, "?ply=1")
    expect(board.root.locator(".caption-line")).to_contain_text("at [2,9]")
    card = board.root.locator(".caption-line .code .unseen").first.inner_text()
    labels = board.root.locator(".label:not(.worth)")
    expect(labels.filter(has_text=re.compile("^9$"))).to_have_count(1)
    Board(page, site, game, "?ply=0")
    expect(board.root.locator(".label.worth")).to_have_text([str(value) for value in range(1, 13)])
    column = labels.filter(has_text=re.compile("^9$")).bounding_box()
    row = labels.filter(has_text=re.compile("^2$")).last.bounding_box()
    where = [column["x"] + column["width"] / 2, row["y"] + 20]
    player.asker.post(f"games/{game}/resign")
    board = Board(page, site, game, "?ply=0")
    board.is_at(0, len(player.asker.get(f"games/{game}/moves")["items"]))
    box = board.card(card).bounding_box()
    assert box["x"] <= where[0] <= box["x"] + box["width"]
    assert box["y"] <= where[1] <= box["y"] + box["height"]


def test_a_pyramid_has_its_places_named_and_what_lies_face_down_dimmed(page, site):
    players = [site.player(), site.player()]
    game = site.game("vandtia-pyramid", players)
    players[0].asker.post(f"games/{game}/resign")
    board = Board(page, site, game, "?ply=0")
    expect(board.root.locator(".caption-line .at")).to_be_visible()
    expect(board.root.locator(".tag")).to_have_text(
        [f"{row},{place}" for _ in players for row in (3, 2) for place in reversed(range(row + 1))]
    )
    view = players[0].asker.get(f"games/{game}/positions/0")["view"]
    lying = {place["card"] for pyramid in view["pyramids"] for place in pyramid if place["at"][0] % 2}
    dimmed = board.root.locator(".card.dim").evaluate_all("cards => cards.map(card => card.dataset.card)")
    assert set(dimmed) == lying | {view["stock"]["cards"][0]}
    legend = board.root.get_by_text("Darkened: face down for the players", exact=True)
    expect(legend).to_be_visible()
    board.root.get_by_label("Seen by").select_option("spectator")
    expect(legend).to_be_hidden()


def test_a_seat_that_there_is_not_is_said_to_be_none(page, site, solved):
    board = Board(page, site, solved, "?ply=3&seat=7")
    board.is_at(3, WON)
    expect(board.root.locator(".message")).to_have_text("There is no such seat.")
    assert board.query == "ply=3"


def test_a_move_that_nobody_asked_for_says_so(page, site):
    players = [site.player() for _ in range(3)]
    game = site.game("sicksack", players)
    seat = players[0].asker.get(f"games/{game}/")["to_act"][0]
    players[seat].asker.post(f"games/{game}/resign")
    board = Board(page, site, game, "?ply=2")
    expect(board.root.locator(".caption-line")).to_contain_text("(played by itself)")
    expect(board.root.locator(".list button", has_text="(played by itself)")).to_have_count(1)


def test_a_move_names_its_cards(page, site, solved):
    board = Board(page, site, solved, "?ply=30")
    expect(board.root.locator(".caption-line .code .unseen")).to_have_text(["5 of hearts"])
    expect(board.root.locator(".caption-line")).to_contain_text("from column 1 to its foundation")


def test_a_name_that_looks_like_a_card_is_none(page, site):
    player = site.player()
    assert player.asker.ask("PATCH", "me/", {"display_name": "Jo JD"})[0] == 200
    game = site.game("freecell", [player], options={"deal": 1})
    player.asker.post(f"games/{game}/moves", {"ply": 0, "notation": "5a"})
    player.asker.post(f"games/{game}/resign")
    board = Board(page, site, game, "?ply=2")
    expect(board.root.locator(".caption-line")).to_contain_text("Jo JD gives up")
    expect(board.root.locator(".caption-line .code")).to_have_count(0)


@pytest.mark.parametrize(("slug", "theme"), [("las-pintas", "light"), ("vandtia-pyramid", "dark")])
def test_a_checker_of_accessibility_finds_nothing_serious(open_page, site, tables, slug, theme):
    page = open_page(viewport=PHONE, reduced_motion="reduce", bypass_csp=True)
    board = Board(page, site, tables[slug], f"?theme={theme}")
    board.root.get_by_text("The position in words").click()
    expect(board.root).to_have_attribute("data-theme", theme)
    assert serious_faults(page) == []
