"""Finding games: by player, rule set, result and day."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.selectors.finding import Wanted, games_found
from games.services.daily import daily_deals_make, daily_start
from games.services.leaving import game_resign
from games.services.playing import moves_play
from games.services.rating import game_void
from tests.expect import nothing_changes
from tests.pages.conftest import Browser
from tests.pages.test_entering import errors

MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def games(anna, bo, cilla, make_game, time_stands):
    """Games by a name each, made in this order, a day apart from Monday to Sunday."""
    made = {}

    def end(name, slug, players, who, **fields):
        time_stands(MONDAY + len(made) * DAY)
        made[name] = make_game(slug, players, **fields)
        if who is not None:
            game_resign(game_id=made[name], player=who)

    end("bo lost", "sicksack", [anna, bo], bo)
    end("anna lost", "sicksack", [anna, bo], anna)
    end("anna's patience", "freecell", [anna], None, options={"deal": 1})
    moves_play(game_id=made["anna's patience"], player=anna, body=b'{"ply": 0, "notation": "5a"}')
    game_resign(game_id=made["anna's patience"], player=anna)
    end("private", "sicksack", [anna, cilla], anna, private=True)
    end("running", "sicksack", [anna, bo], None)
    end("open", "kraftkort", [anna], None, start=False, seats=2)
    end("cilla lost", "sicksack", [bo, cilla], cilla)
    time_stands(MONDAY + 14 * DAY)
    return made


def found(games, viewer=None, **wanted):
    names = {game_id: name for name, game_id in games.items()}
    viewer_id = viewer.id if viewer is not None else None
    rows = games_found(wanted=Wanted(**wanted), viewer=viewer_id, before=None, limit=100)
    return [names[row.id] for row in rows]


def test_games_of_anybody(games, anna, cilla, stranger):
    over = ["cilla lost", "anna's patience", "anna lost", "bo lost"]
    for viewer in (None, stranger, anna, cilla):
        assert found(games, viewer) == over
    assert found(games, ruleset="sicksack") == ["cilla lost", "anna lost", "bo lost"]
    assert found(games, ruleset="camelot") == []
    assert found(games, state="running") == ["running"]
    assert found(games, state="open") == ["open"]
    assert found(games, state="open", ruleset="sicksack") == []


def test_a_cursor_tells_nothing_of_a_game_that_one_may_not_see(games, cilla):
    def after(name, viewer=None):
        wanted, before = Wanted(), games[name]
        return games_found(wanted=wanted, viewer=viewer and viewer.id, before=before, limit=9)

    assert [row.id for row in after("anna's patience")] == [games["anna lost"], games["bo lost"]]
    for name in ("private", "running"):
        assert after(name) == after(name, cilla) == []


def test_games_of_a_player(games, anna, bo, cilla):
    assert found(games, player=bo.id) == ["cilla lost", "anna lost", "bo lost"]
    assert found(games, player=cilla.id) == ["cilla lost"]
    assert found(games, anna, player=cilla.id) == ["cilla lost", "private"]
    assert found(games, player=anna.id, ruleset="freecell") == ["anna's patience"]
    assert found(games, player=bo.id, state="running") == ["running"]
    assert found(games, player=bo.id, state="open") == []
    assert found(games, player=anna.id, state="open") == ["open"]


def test_games_by_how_they_came_out(games, anna, bo, cilla):
    assert found(games, player=anna.id, result="loss") == ["anna's patience", "anna lost"]
    assert found(games, anna, player=anna.id, result="loss") == ["private", "anna's patience", "anna lost"]
    assert found(games, player=bo.id, result="win") == ["cilla lost", "anna lost"]
    assert found(games, player=bo.id, result="loss", ruleset="sicksack") == ["bo lost"]
    assert found(games, player=bo.id, result="draw") == []


@pytest.mark.parametrize("of_player", [True, False])
def test_games_by_the_day_they_ended_on(games, anna, of_player):
    whose = {"player": anna.id} if of_player else {}
    tuesday, wednesday = date(2026, 11, 24), date(2026, 11, 25)
    last = [] if of_player else ["cilla lost"]
    assert found(games, first_day=tuesday, **whose) == [*last, "anna's patience", "anna lost"]
    assert found(games, first_day=tuesday, last_day=tuesday, **whose) == ["anna lost"]
    assert found(games, last_day=tuesday, **whose) == ["anna lost", "bo lost"]
    assert found(games, last_day=wednesday, ruleset="sicksack", **whose) == ["anna lost", "bo lost"]
    assert found(games, first_day=date(2026, 12, 1), **whose) == []


def test_a_day_is_from_midnight_to_midnight(anna, make_game, time_stands):
    ended = []
    for moment in (
        "2026-11-23T23:59:59.999Z",
        "2026-11-24T00:00:00Z",
        "2026-11-24T23:59:59.999Z",
        "2026-11-25T00:00Z",
    ):
        time_stands(datetime.fromisoformat(moment))
        ended.append(make_game("freecell", [anna], options={"deal": 1}))
        moves_play(game_id=ended[-1], player=anna, body=b'{"ply": 0, "notation": "5a"}')
        game_resign(game_id=ended[-1], player=anna)
    day = date(2026, 11, 24)
    for whose in ({}, {"player": anna.id}, {"player": anna.id, "result": "loss"}):
        rows = games_found(
            wanted=Wanted(first_day=day, last_day=day, **whose), viewer=None, before=None, limit=9
        )
        assert [row.id for row in rows] == [ended[2], ended[1]]


@pytest.mark.parametrize(
    "wanted", [{}, {"first_day": date(2026, 1, 1)}, {"of": "bo"}, {"of": "bo", "result": "win"}]
)
def test_pages_are_the_list_without_gap_or_double(games, bo, wanted):
    asked = dict(wanted)
    if asked.pop("of", None):
        asked["player"] = bo.id
    whole = games_found(wanted=Wanted(**asked), viewer=None, before=None, limit=100)
    assert len(whole) >= 2
    paged, before = [], None
    while page := games_found(wanted=Wanted(**asked), viewer=None, before=before, limit=1):
        paged += page
        before = page[-1].id
    assert paged == whole


def test_a_try_at_the_deal_of_the_day_is_found_when_the_day_is_over(anna, bo, time_stands):
    time_stands(MONDAY)
    daily_deals_make(today=MONDAY.date())
    game = daily_start(player=anna, day=MONDAY.date(), ruleset="camelot")
    moves_play(game_id=game, player=anna, body=b'{"ply": 0, "move": {"type": "deal"}}')
    game_resign(game_id=game, player=anna)
    names = {"a try": game}
    days = {"first_day": MONDAY.date()}
    assert found(names, anna, player=anna.id, result="loss") == ["a try"]
    for viewer in (None, bo):
        assert (
            found(names, viewer) == found(names, viewer, player=anna.id) == found(names, viewer, **days) == []
        )
    time_stands(MONDAY + DAY)
    for viewer in (None, bo, anna):
        assert found(names, viewer) == found(names, viewer, player=anna.id, **days) == ["a try"]
    assert found(names, last_day=MONDAY.date()) == ["a try"]
    assert found(names, first_day=MONDAY.date() + DAY) == []


def test_what_ended_last_comes_first(anna, bo, make_game, time_stands, visitor):
    time_stands(MONDAY)
    slow, quick = (make_game("sicksack", [anna, bo]) for _ in range(2))
    for day, game in ((1, quick), (2, slow)):
        time_stands(MONDAY + day * DAY)
        game_resign(game_id=game, player=bo)
    names = {"slow": slow, "quick": quick}
    assert found(names) == found(names, ruleset="sicksack") == ["slow", "quick"]
    assert found(names, first_day=MONDAY.date()) == ["slow", "quick"]
    for path in ("/", "/games/"):
        page = visitor.page(path)
        assert [f"/games/{game}/" for game in (slow, quick)] == links(page)
        assert "Games, those that ended last first" in page


def test_a_players_games_stand_in_the_order_that_is_shown(anna, bo, make_game, time_stands, visitor):
    time_stands(MONDAY)
    slow = make_game("sicksack", [anna, bo])
    time_stands(MONDAY + DAY)
    quick = make_game("sicksack", [anna, bo])
    for day, game in ((2, quick), (3, slow)):
        time_stands(MONDAY + day * DAY)
        game_resign(game_id=game, player=bo)
    for path in ("/games/?player=bo", "/games/?player=bo&result=loss", "/players/bo/"):
        page = visitor.page(path)
        assert [link.partition("?")[0] for link in links(page)] == [f"/games/{quick}/", f"/games/{slow}/"]
        made = re.findall(r'data-label="Made"><time datetime="([^"]*)"', page)
        ended = re.findall(r'data-label="Ended"><time datetime="([^"]*)"', page)
        assert made == ["2026-11-24T12:00:00Z", "2026-11-23T12:00:00Z"]
        assert ended == ["2026-11-25T12:00:00Z", "2026-11-26T12:00:00Z"]


def test_games_that_go_on_say_whose_turn_it_is(games, visitor, anna, bo, browser_of):
    page = visitor.page("/games/?state=running&player=anna")
    assert '<a href="/players/anna/">anna</a></strong> <span class="badge">to move</span>' in page
    assert "Ended" not in page.partition("<table")[2]
    assert "<strong>Your turn</strong>" in browser_of(anna).page("/games/?state=running")
    assert "<strong>Your turn</strong>" not in browser_of(bo).page("/games/?state=running")
    assert "Waiting for players (1 seat free)" in visitor.page("/games/?state=open")


# The page.


def links(page):
    return re.findall(r'<th scope="row" role="rowheader"><a href="([^"]*)">', page)


def test_a_lost_game_of_last_week_is_found_from_the_front_page(games, visitor, bo):
    assert 'href="/games/"' in visitor.page("/")
    path = "/games/?player=Bo&result=loss&ruleset=sicksack&ended_from=2026-11-23&ended_to=2026-11-29"
    page = visitor.page(path)
    (link,) = links(page)
    assert link == f"/games/{games['bo lost']}/?ply=1&amp;seat=1"
    assert '<strong><a href="/players/bo/">bo</a></strong> <span class="badge lost">Lost</span>' in page
    game = visitor.page(link.replace("&amp;", "&"))
    assert re.search(r'<li aria-current="true" id="now">.*?seat 1 gives up', game, re.DOTALL)
    assert f'game-board replay="/api/v1/games/{games["bo lost"]}/replay"' in game
    assert ' ply="1" seat="1"' in game


def test_the_page_has_what_it_was_asked_for(games, visitor):
    page = visitor.page("/games/?player=bo&result=win&ended_from=2026-11-24&state=over")
    assert 'name="player" value="bo"' in page
    assert '<option value="win" selected>' in page
    assert 'name="ended_from" value="2026-11-24"' in page
    assert "<caption>Games, those made last first</caption>" in page
    assert "<caption>Games, those that ended last first</caption>" in visitor.page("/games/")
    assert "There are no such games." in visitor.page("/games/?ruleset=camelot")


def test_a_voided_game_says_so(games, visitor, staff):
    game_void(game_id=games["bo lost"], by=staff, reason="a test")
    assert '<span class="badge">voided</span>' in visitor.page("/games/?player=bo&result=loss")
    assert "voided: it counts for nothing" in visitor.page(f"/games/{games['bo lost']}/")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("player=nobody", "player"),
        ("player=" + "x" * 21, "player"),
        ("player=%C3%85", "player"),
        ("result=win", "player"),
        ("result=best&player=bo", "result"),
        ("ruleset=chess", "ruleset"),
        ("state=gone", "state"),
        ("ended_from=tomorrow", "ended_from"),
        ("ended_to=2026-02-30", "ended_to"),
        ("ended_to=9999-12-31", "ended_to"),
        ("ended_from=0001-01-01", "ended_from"),
        ("ended_from=2026-11-25&ended_to=2026-11-24", "ended_to"),
        ("state=running&ended_from=2026-11-24", "ended_from"),
        ("state=open&player=bo&result=loss", "result"),
    ],
)
def test_what_cannot_be_is_told_by_the_field(games, visitor, query, field):
    with nothing_changes():
        page = visitor.page(f"/games/?{query}", 400)
    assert list(errors(page)) == [field]
    assert links(page) == []


@pytest.mark.parametrize("query", ["cursor=x", "cursor=0", "player=%00"])
def test_a_query_of_nonsense_is_refused(visitor, query):
    assert visitor.get(f"/games/?{query}").status_code == 400


def test_pages_lead_on_with_what_was_asked_for(anna, bo, make_game, visitor):
    for _ in range(31):
        game_resign(game_id=make_game("sicksack", [anna, bo]), player=bo)
    page = visitor.page("/games/?player=bo&result=loss")
    assert len(links(page)) == 30
    following = re.search(r'rel="next" href="([^"]*)"', page)[1].replace("&amp;", "&")
    assert following.startswith("?player=bo&result=loss&cursor=")
    assert len(links(visitor.page(f"/games/{following}"))) == 1
    assert 'href="?player=bo&amp;result=loss"' in visitor.page(f"/games/{following}")


@pytest.mark.parametrize(
    ("query", "statements"),
    [
        ("", 1),
        ("?state=running", 1),
        ("?ended_from=2020-01-01", 1),
        ("?player=anna", 2),
        ("?player=bo&result=loss", 2),
    ],
)
def test_three_games_and_thirty_cost_the_same(anna, bo, make_game, query, statements):
    costs = []
    for count in (3, 27):
        for _ in range(count):
            make_game("sicksack", [anna, bo])
            game_resign(game_id=make_game("sicksack", [anna, bo]), player=bo)
        with CaptureQueriesContext(connection) as queries:
            page = Browser().page(f"/games/{query}")
        costs.append((len(queries), len(links(page))))
    assert costs == [(statements, 3), (statements, 30)]


EXPLAINED = [
    {},
    {"ruleset": "sicksack"},
    {"state": "running"},
    {"state": "open", "ruleset": "camelot"},
    {"first_day": date(2026, 11, 1)},
    {"first_day": date(2026, 11, 1), "last_day": date(2026, 11, 8), "ruleset": "camelot"},
    {"of": True},
    {"of": True, "result": "loss"},
    {"of": True, "result": "loss", "ruleset": "sicksack", "first_day": date(2026, 11, 1)},
]


@pytest.mark.parametrize("paged", [False, True])
@pytest.mark.parametrize("asked", EXPLAINED)
def test_there_is_an_index_for_whatever_is_asked(anna, bo, make_game, asked, paged):
    wanted = {name: value for name, value in asked.items() if name != "of"}
    if "of" in asked:
        wanted["player"] = bo.id
    before = make_game("sicksack", [anna, bo])
    with CaptureQueriesContext(connection) as queries:
        games_found(wanted=Wanted(**wanted), viewer=anna.id, before=before if paged else None, limit=30)
    with connection.cursor() as cursor:
        # In so small a table every plan costs as good as nothing: what cannot go by an index scans all the same.
        cursor.execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off"
        )
        cursor.execute("EXPLAIN " + queries[-1]["sql"])
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan" not in plan, plan
    assert not re.search(r"^\s*->  (Incremental )?Sort", plan.partition("SubPlan")[0], re.MULTILINE), plan
