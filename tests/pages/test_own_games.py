"""One's own games by browser: those that wait for one, those that go on, and those that are over."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.selectors.finding import Place, place_of, unfinished_games_found
from games.services.leaving import game_resign
from games.services.playing import moves_play
from tests.expect import nothing_changes
from tests.pages.test_finding import links


@pytest.fixture
def games(anna, bo, cilla, make_game):
    """Games by a name each, made in this order."""
    made = {
        "bo's turn": make_game("sicksack", [bo, anna]),
        "anna's turn": make_game("sicksack", [anna, bo]),
        "open": make_game("kraftkort", [anna], start=False, seats=3),
        "lost": make_game("sicksack", [anna, bo]),
        "private": make_game("sicksack", [anna, cilla], private=True),
        "of others": make_game("sicksack", [bo, cilla]),
    }
    game_resign(game_id=made["lost"], player=anna)
    return made


def names_of(games, rows):
    names = {game_id: name for name, game_id in games.items()}
    return [names[row.id] for row in rows]


def test_those_that_wait_for_one_come_first(games, anna, bo, stranger):
    def going(player):
        return names_of(games, unfinished_games_found(player=player.id, after=None, limit=9))

    assert going(anna) == ["private", "anna's turn", "bo's turn", "open"]
    assert going(bo) == ["of others", "bo's turn", "anna's turn"]
    assert going(stranger) == []
    moves_play(game_id=games["anna's turn"], player=anna, body=b'{"ply": 0, "move": {"type": "chance"}}')
    assert going(bo)[0] == "of others"
    assert set(going(bo)) == {"of others", "bo's turn", "anna's turn"}


def test_pages_are_the_list_without_gap_or_double(games, anna):
    whole = unfinished_games_found(player=anna.id, after=None, limit=9)
    paged, after = [], None
    while page := unfinished_games_found(player=anna.id, after=after, limit=1):
        paged += page
        after = place_of(page[-1], player=anna.id)
    assert [row.id for row in paged] == [row.id for row in whole]


def test_what_is_played_between_two_pages_leaves_nothing_out(games, anna):
    first = unfinished_games_found(player=anna.id, after=None, limit=1)
    assert names_of(games, first) == ["private"]
    after = place_of(first[0], player=anna.id)
    moves_play(game_id=games["private"], player=anna, body=b'{"ply": 0, "move": {"type": "chance"}}')
    following = unfinished_games_found(player=anna.id, after=after, limit=9)
    assert [name for name in names_of(games, following) if name != "private"] == [
        "anna's turn",
        "bo's turn",
        "open",
    ]


@pytest.mark.parametrize("paged", [False, True])
def test_there_is_an_index_for_it(games, anna, paged):
    with CaptureQueriesContext(connection) as queries:
        after = Place(1, games["open"]) if paged else None
        unfinished_games_found(player=anna.id, after=after, limit=30)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN " + queries[-1]["sql"])
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan" not in plan, plan
    # Any index that has the player somewhere would do without a scan of the table.
    assert re.search(r"Index Cond: \(+player_id = ", plan), plan


def test_the_page_is_led_to_and_says_whose_turn_it_is(games, anna, browser_of):
    browser = browser_of(anna)
    assert 'href="/your-games/"' in browser.page("/account/")
    with nothing_changes():
        page = browser.page("/your-games/")
    assert links(page) == [
        *(f"/games/{games[name]}/" for name in ("private", "anna's turn", "bo's turn", "open")),
        f"/games/{games['lost']}/?ply=1&amp;seat=0",
    ]
    going, _, over = page.partition('id="over"')
    assert going.count("<strong>Your turn</strong>") == 2
    assert '<a href="/players/bo/">bo</a> <span class="badge">to move</span>' in going
    assert "Waiting for players (2 seats free)" in going
    assert '<span class="badge lost">Lost</span>' in over


def test_who_has_none_is_led_to_games_that_wait_for_players(stranger, browser_of):
    page = browser_of(stranger).page("/your-games/")
    assert "None of your games goes on." in page
    assert 'href="/games/?state=open"' in page
    assert "No game of yours has ended yet." in page


def test_a_cursor_of_nonsense_is_refused(stranger, browser_of):
    browser = browser_of(stranger)
    for cursor in ("x", "", f"3.{'0' * 32}", f"1.{'g' * 32}", f"-1.{'0' * 32}", "0" * 32):
        assert "This address is not understood" in browser.page(f"/your-games/?cursor={cursor}", 400)


def test_many_games_are_pages_that_cost_the_same(anna, bo, make_game, browser_of):
    browser, costs = browser_of(anna), []
    for count in (3, 29):
        for _ in range(count):
            make_game("sicksack", [anna, bo])
        with CaptureQueriesContext(connection) as queries:
            page = browser.page("/your-games/")
        costs.append((len(queries), len(links(page))))
    assert costs == [(4, 3), (4, 30)]
    following = re.search(r'rel="next" href="(\?cursor=2\.[0-9a-f]{32})"', page)[1]
    page = browser.page(f"/your-games/{following}")
    assert len(links(page)) == 2
    assert 'id="over"' not in page
