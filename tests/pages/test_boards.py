"""Leaderboards and deals of the day as pages."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.selectors.boards import variants_with_boards
from games.services.boards import boards_project
from tests.api.dailies import CLOSING, NOON, WON_DECK, begun, make_deals, resign, tried, win
from tests.api.finished import NOON as MONDAY
from tests.api.finished import finish, of_several, patience
from tests.expect import nothing_changes
from tests.pages.test_entering import errors


def rows(page):
    """The rows of a board, each as its cells."""
    body = page.partition("<tbody")[2].partition("</tbody>")[0]
    cells = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)
    return [
        [re.sub(r"<[^>]*>", "", cell).strip() for cell in cells.findall(row)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
    ]


@pytest.fixture
def board(anna, bo, cilla, time_stands):
    """Camelot: anna has won two of two, bo one of two, cilla none of one."""
    time_stands(MONDAY)
    finish(
        patience(anna, score=12, length=40, duration=61_500),
        patience(anna, score=20, length=30, duration=3_661_000),
        patience(bo, score=15, length=50, duration=5_000),
        patience(bo, "loss", score=3),
        patience(cilla, "loss", score=1),
        patience(bo, score=9, length=10, variant="x=1", at=MONDAY - timedelta(days=40)),
    )
    boards_project()


def test_what_boards_there_are(board, visitor):
    page = visitor.page("/leaderboards/")
    assert 'href="/leaderboards/sicksack/?measure=rating"' in page
    assert 'href="/leaderboards/camelot/?measure=streak"' in page
    assert 'href="/leaderboards/camelot/?variant=x%3D1"' in page
    assert page.count("Nobody stands here yet.") == 6


def test_variants_are_found_one_after_another(board, anna):
    assert variants_with_boards() == {"camelot": ["default", "x=1"]}
    finish(patience(anna, ruleset="freecell", variant="deal=1"), of_several([anna], [1], rated=False))
    boards_project()
    assert variants_with_boards() == {
        "camelot": ["default", "x=1"],
        "freecell": ["deal=1"],
        "sicksack": ["default"],
    }


@pytest.mark.parametrize(
    ("query", "caption", "expected"),
    [
        (
            "measure=wins",
            "Wins",
            [
                ["anna", "1", "100.0 %", "2", "2", "20", "30", "1:01.5", "2"],
                ["bo", "2", "50.0 %", "1", "2", "15", "50", "0:05.0", "1"],
            ],
        ),
        (
            "measure=best_time&period=day",
            "Best time",
            [
                ["bo", "1", "50.0 %", "1", "2", "15", "50", "0:05.0", "1"],
                ["anna", "2", "100.0 %", "2", "2", "20", "30", "1:01.5", "2"],
            ],
        ),
        ("measure=wins&variant=x%3D1", "Wins", [["bo", "1", "100.0 %", "1", "1", "9", "10", "1:00.0", "1"]]),
        (
            "measure=wins&variant=x%3D1&period=2026-10",
            "Wins",
            [["bo", "1", "100.0 %", "1", "1", "9", "10", "1:00.0", "1"]],
        ),
    ],
)
def test_a_board_by_measure_period_and_variant(board, visitor, query, caption, expected):
    page = visitor.page(f"/leaderboards/camelot/?{query}")
    assert f"<caption>{caption}</caption>" in page
    assert rows(page) == expected


def test_a_board_is_shown_by_the_first_measure_by_which_anybody_stands_on_it(board, visitor, anna):
    page = visitor.page("/leaderboards/camelot/")
    assert "<caption>Wins</caption>" in page  # nobody has played twenty games
    assert [row[0] for row in rows(page)] == ["anna", "bo"]
    assert '<option value="wins" selected>' in page
    assert 'href="?measure=win_share"' not in page
    finish(*(patience(anna) for _ in range(18)))
    boards_project()
    page = visitor.page("/leaderboards/camelot/")
    assert "<caption>Share of wins</caption>" in page
    assert '<option value="win_share" selected>' in page
    assert "<caption>Share of wins</caption>" not in visitor.page("/leaderboards/camelot/?period=2026-10")


def test_where_only_a_variant_was_played_its_board_is_shown(visitor, anna, time_stands):
    time_stands(MONDAY)
    finish(patience(anna, ruleset="freecell", variant="deal=1"))
    boards_project()
    page = visitor.page("/leaderboards/freecell/")
    assert [row[0] for row in rows(page)] == ["anna"]
    assert '<option value="deal=1" selected>Microsoft deal: 1</option>' in page


@pytest.mark.parametrize(
    "query", ["measure=win_share", "measure=wins&period=week&variant=x%3D1", "measure=wins&period=2020-W01"]
)
def test_a_board_on_which_nobody_stands(board, visitor, query):
    page = visitor.page(f"/leaderboards/camelot/?{query}")
    assert "Nobody stands on this board." in page


def test_ratings_are_given_or_taken(anna, bo, visitor):
    finish(of_several([anna, bo], [1, 2]))
    boards_project()
    page = visitor.page("/leaderboards/sicksack/")
    assert "three deviations less than its middle" in page
    ((first, rank, rating, deviation, games, wins), (second, *_)) = rows(page)
    assert (first, rank, games, wins, second) == ("anna", "1", "1", "1", "bo")
    assert int(rating) > 1500
    assert int(deviation) < 350


def test_who_asks_stands_below_or_is_looked_for(board, browser_of, bo, cilla, visitor):
    own = browser_of(bo)
    page = own.page("/leaderboards/camelot/?measure=wins")
    assert 'class="own"' in page
    assert 'href="?measure=wins&amp;around=me"' in page
    page = own.page("/leaderboards/camelot/?measure=wins&around=me")
    assert 'name="around" value="bo"' in page
    assert [row[0] for row in rows(page)] == ["anna", "bo"]
    assert "cilla does not stand on this board." in visitor.page(
        "/leaderboards/camelot/?measure=wins&around=CILLA"
    )


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("measure=rating", "measure"),
        ("period=never", "period"),
        ("period=2026-13", "period"),
        ("variant=%3Cb%3E", "variant"),
        ("around=nobody", "around"),
        ("around=me", "around"),
    ],
)
def test_what_cannot_be_is_told_by_the_field(board, visitor, query, field):
    with nothing_changes():
        page = visitor.page(f"/leaderboards/camelot/?{query}", 400)
    assert list(errors(page)) == [field]


@pytest.mark.parametrize("cursor", ["x", "1.2", "-1." + "0" * 32])
def test_a_cursor_of_nonsense_is_refused(board, visitor, cursor):
    assert "This address is not understood" in visitor.page(
        f"/leaderboards/camelot/?measure=wins&cursor={cursor}", 400
    )


def test_pages_follow_each_other_and_cost_the_same(visitor, time_stands):
    time_stands(MONDAY)
    players = Player.objects.bulk_create(
        [Player(username=f"p{n:02}", display_name=f"P{n}") for n in range(53)]
    )
    costs = []
    for some in (players[:3], players[3:]):
        finish(*(patience(player) for player in some))
        boards_project()
        with CaptureQueriesContext(connection) as queries:
            page = visitor.page("/leaderboards/camelot/?measure=wins")
        costs.append((len(queries), len(rows(page))))
    assert costs == [(4, 3), (4, 50)]
    following = re.search(r'rel="next" href="([^"]*)"', page)[1].replace("&amp;", "&")
    rest = visitor.page(f"/leaderboards/camelot/{following}")
    assert len(rows(rest)) == 3
    assert {row[1] for row in rows(rest)} == {"1"}
    assert 'href="?measure=wins"' in rest


# The deals of the day.


def test_the_days_are_there_from_those_ahead_on(visitor, time_stands):
    time_stands(NOON)
    make_deals()
    found = rows(visitor.page("/daily/"))
    assert [day for day, _, _ in found] == [f"{number} May 2031" for number in range(21, 13, -1)]
    assert [state for _, state, _ in found] == ["Sealed, and committed to"] * 7 + ["Being played"]
    assert found[0][2] == "Camelot, Kungen (FreeCell), Las Pintas"
    assert rows(visitor.page("/daily/?before=2031-05-15"))[0][0] == "14 May 2031"
    assert "There are no such deals." in visitor.page("/daily/?before=2020-01-01")
    assert visitor.get("/daily/?before=x").status_code == 400


def test_todays_deals_are_on_the_front_page(visitor, time_stands):
    assert "There is none today yet." in visitor.page("/")
    time_stands(NOON)
    make_deals()
    assert re.findall(r'href="(/daily/2[^"]*)"', visitor.page("/")) == [
        "/daily/2031-05-14/camelot/",
        "/daily/2031-05-14/freecell/",
        "/daily/2031-05-14/las-pintas/",
    ]


def test_a_deal_goes_on_until_its_day_is_over_and_is_open_then(visitor, anna, bo, browser_of, time_stands):
    time_stands(NOON)
    make_deals(WON_DECK)
    win(anna, begun(anna, "freecell"))
    game = tried(bo, "freecell")
    boards_project()
    page = visitor.page("/daily/2031-05-14/freecell/")
    assert [row[:3] for row in rows(page)] == [["anna", "1", "✓"], ["bo", "2", "\N{EN DASH}"]]
    assert "curl -s -X POST http://testserver/api/v1/daily/2031-05-14/freecell/" in page
    assert "The cards, first dealt first" not in page
    assert f'href="/games/{game}/"' in browser_of(bo).page("/daily/2031-05-14/freecell/")
    assert [row[0] for row in rows(visitor.page("/daily/2031-05-14/freecell/?around=bo"))] == ["anna", "bo"]
    assert list(errors(visitor.page("/daily/2031-05-14/freecell/?around=nobody", 400))) == ["around"]
    time_stands(CLOSING)
    page = visitor.page("/daily/2031-05-14/freecell/")
    assert "The cards, first dealt first" in page
    assert " ".join(WON_DECK) in page
    assert "curl" not in page


def test_a_try_that_goes_on_is_one_of_none(visitor, anna, time_stands):
    time_stands(NOON)
    make_deals()
    game = begun(anna, "camelot")
    assert "No first try has ended yet." in visitor.page("/daily/2031-05-14/camelot/")
    assert resign(anna, game)["status"] == "abandoned"
