"""The page of a player, the front page and the rule books."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services.players import bot_create
from games.catalog import CURRENT
from games.clauses import rule_books
from games.pages.chart import Point, chart_of
from games.selectors.standings import rating_changes
from games.services.boards import boards_project
from games.services.erasing import player_erase
from games.services.leaving import game_resign
from tests.api.finished import NOON, finish, of_several, patience
from tests.pages.conftest import Browser
from tests.pages.test_boards import rows


@pytest.fixture
def fared(anna, bo):
    """Rated games of anna and bo at Sicksack: won, drawn, lost and lost; and patiences of anna."""
    finish(*(of_several([anna, bo], places) for places in ([1, 2], [1, 1], [2, 1], [2, 1])))
    finish(patience(anna), patience(anna, "loss"), patience(anna, is_public=False, scope=None))


def test_a_record_leads_to_the_games(fared, visitor):
    page = visitor.page("/players/anna/")
    assert rows(page) == [["Camelot", "2", "1", "0", "1"], ["Sicksack (Zigzag)", "4", "1", "1", "2"]]
    assert 'href="/games/?player=anna&amp;ruleset=sicksack&amp;result=loss">2</a>' in page


def test_ratings_and_the_history_of_one_are_there_as_words_too(fared, visitor, anna):
    page = visitor.page("/players/anna/")
    changes = rating_changes(player_id=anna.id, ruleset="sicksack", variant="default", before=None, limit=100)
    after = [round(change.mean_before + change.mean_change) for change in changes]
    assert f"<strong>{after[0]}</strong>" in page
    assert "provisional" in page
    assert f"From 1500 to {after[0]} in 4 games." in page
    table = page.partition("The same as a table")[2]
    assert [int(row[2]) for row in rows(table)] == after
    line = re.search(r'<polyline class="line" points="([^"]*)"', page)[1].split()
    assert len(line) == 5
    chosen = visitor.page("/players/anna/?rating=sicksack:default")
    assert chosen.replace('?rating=sicksack:default">', '">') == page
    for other in ("sicksack:x", "", "camelot:default", "%3Cb%3E"):
        visitor.page(f"/players/anna/?rating={other}", 404)


def test_a_newcomer_has_an_empty_page(visitor, nils):
    page = visitor.page("/players/Nils/")
    for words in (
        "No public game has ended yet.",
        "No rated game has ended yet.",
        "No game that you may see has ended yet.",
    ):
        assert words in page
    assert "<svg" not in page
    assert "example.org" not in page


def test_a_bot_names_its_owner(visitor, anna):
    bot_create(owner=anna, username="robot", display_name=None)
    assert 'a bot of <a href="/players/anna/">anna</a>' in visitor.page("/players/robot/")


def test_who_has_erased_the_account_is_named_by_no_link(visitor, anna, bo, cilla, make_game, time_stands):
    time_stands(NOON)
    running = make_game("sicksack", [anna, bo, cilla])
    finish(of_several([anna, bo], [2, 1]))
    boards_project()
    over = make_game("sicksack", [anna, bo])
    player_erase(player=anna, by=anna, reason="a test")
    for path in (
        "/",
        "/games/",
        f"/games/{over}/",
        f"/games/{running}/",
        "/leaderboards/sicksack/",
        "/players/bo/",
    ):
        page = visitor.page(path)
        assert '<span class="quiet">deleted player</span>' in page, path
        assert "deleted-" not in page, path
    assert "<h1>deleted player \N{EN DASH} bo</h1>" in visitor.page(f"/games/{over}/")
    assert "raderad spelare" in visitor.page("/games/", accept_language="sv")


def test_whoever_is_logged_in_is_not_asked_to_sign_up(visitor, at_home):
    assert 'class="button" href="/sign-up"' in visitor.page("/").partition("<main")[2]
    page = at_home.page("/")
    assert 'href="/sign-up"' not in page
    assert 'class="button" href="/your-games/"' in page


def test_games_of_a_player_are_those_that_one_may_see(visitor, anna, bo, browser_of, make_game):
    public, private = (make_game("sicksack", [anna, bo], private=hidden) for hidden in (False, True))
    for game in (public, private):
        game_resign(game_id=game, player=bo)
    for browser, seen in ((visitor, {public}), (browser_of(bo), {public, private})):
        page = browser.page("/players/anna/")
        assert {game for game in (public, private) if f"/games/{game}/" in page} == seen


def test_three_games_and_thirty_cost_the_same(anna, bo):
    costs = []
    for count in (3, 27):
        finish(*(of_several([anna, bo], [1, 2], at=NOON) for _ in range(count)))
        with CaptureQueriesContext(connection) as queries:
            page = Browser().page("/players/anna/")
        costs.append((len(queries), page.count('<td role="cell" data-label="Players">')))
    assert costs == [(5, 3), (5, 10)]


# The chart.


def test_a_chart_spans_what_a_rating_may_be():
    chart = chart_of([Point(NOON, 1500, 350), Point(NOON, 1600, 250), Point(NOON, 1550, 150)])
    assert [(line.rating, line.y) for line in chart.grid] == [
        (1000, 226.0),
        (1200, 183.6),
        (1400, 141.2),
        (1600, 98.8),
        (1800, 56.4),
        (2000, 14.0),
    ]
    xs = [float(place.split(",")[0]) for place in chart.line.split()]
    assert xs == [58, 343, 628]
    ys = [float(place.split(",")[1]) for place in chart.line.split()]
    assert ys[1] < ys[2] < ys[0]
    assert len(chart.band.split()) == 6
    assert (chart.x, chart.y) == (xs[-1], ys[-1])


@pytest.mark.parametrize("points", [[], [Point(NOON, 1500, 350)]])
def test_there_is_no_chart_of_nothing(points):
    assert chart_of(points) is None


def test_a_rating_that_never_changed_is_a_level_line():
    chart = chart_of([Point(NOON, 1500, 0), Point(NOON, 1500, 0)])
    assert len({place.split(",")[1] for place in chart.line.split()}) == 1
    assert [line.rating for line in chart.grid] == [1500, 1510]


# The front page and the rule books.


def test_the_front_page_says_how_to_begin(visitor, fared, make_game, anna):
    game = make_game("freecell", [anna])
    anna.client.post(
        f"games/{game}/moves",
        {"ply": 0, "move": anna.client.get_json(f"games/{game}/legal-moves")["items"][0]},
    )
    game_resign(game_id=game, player=anna)
    page = visitor.page("/")
    assert "API=http://testserver/api/v1" in page
    for slug in CURRENT:
        assert f'href="/rules/{slug}/"' in page
    assert f'href="/games/{game}/"' in page
    with CaptureQueriesContext(connection) as queries:
        visitor.page("/")
    assert len(queries) == 3


@pytest.mark.parametrize("slug", CURRENT)
def test_a_rule_book_has_each_clause_under_its_anchor(visitor, slug):
    for language, book in rule_books(slug).items():
        answer = visitor.get(f"/rules/{slug}/?language={language}")
        page = answer.content.decode()
        assert answer.headers["Content-Language"] == language
        assert f'<html lang="{language}"' in page
        assert re.findall(r'<section id="([^"]*)">', page) == [clause.id for clause in book.clauses]
        assert re.findall(r'<li><a href="#([^"]*)">', page) == [clause.id for clause in book.clauses]
        # The refusals' address has the same.
        by_api = visitor.page(f"/api/v1/rulesets/{slug}/rules?language={language}")
        start, end = '<article class="book">', "</article>"
        assert by_api.partition(start)[2].partition(end)[0].count("<section") == len(book.clauses)


def test_a_rule_book_follows_the_language_of_the_page(db):
    assert '<html lang="sv"' in Browser(**{"Accept-Language": "sv"}).page("/rules/sicksack/")
    assert '<html lang="en"' in Browser(**{"Accept-Language": "sv"}).page("/rules/sicksack/?language=en")
    Browser().page("/rules/sicksack/?language=de", 400)


def test_the_list_of_rule_books_says_in_which_languages_they_are(visitor):
    page = visitor.page("/rules/")
    for slug in CURRENT:
        for language in rule_books(slug):
            assert f'href="/rules/{slug}/?language={language}"' in page
