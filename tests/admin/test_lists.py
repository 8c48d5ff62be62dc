"""Lists of the admin: what is found, page by page, and what it costs."""

import re
from datetime import timedelta
from secrets import token_bytes
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken, AuditEntry, Player
from accounts.services.sanctions import player_sanction, sanction_lift
from games.models import DailyDeal
from games.services.boards import boards_project
from games.services.daily import daily_deals_make
from games.services.rating import game_void
from tests.admin.conftest import AUDIT, BOARDS, DAILIES, GAMES, JOBS, PLAYERS, ROLES
from tests.api.finished import NOON, finish, of_several, patience
from tests.expect import nothing_changes

LISTS = (GAMES, PLAYERS, JOBS, AUDIT, DAILIES, ROLES)


def ids_in(page, path, ids):
    """Those of some ids that a list shows, in its order."""
    found = [(page.find(f'href="{path}{one}/change/'), one) for one in ids]
    return [one for place, one in sorted(found) if place >= 0]


@pytest.fixture
def games(anna, bo, cilla, boss):
    """Games that are over, by what is special of each, the oldest first."""
    made = {
        "won": patience(anna, length=30),
        "lost": patience(anna, "loss", length=300),
        "of_bo": patience(bo, ruleset="freecell", variant="deal=7"),
        "of_two": of_several([anna, bo], (1, 2)),
        "drawn": of_several([bo, cilla], (1, 1)),
        "early": patience(cilla),
        "private": patience(cilla, is_public=False, scope=None),
        "voided": of_several([anna, cilla], (2, 1)),
    }
    finish(*made.values())
    game_void(game_id=made["voided"].id, by=boss.player, reason="a fault")
    return {name: one.id for name, one in made.items()}


def named(games, names):
    return [games[name] for name in reversed(games) if name in names.split()]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "won lost of_bo of_two drawn early private voided"),
        ("ruleset=freecell", "of_bo"),
        ("ruleset=sicksack", "of_two drawn voided"),
        ("variant=deal%3D7", "of_bo"),
        ("status=finished&ruleset=freecell", "of_bo"),
        ("status=running", ""),
        ("player=anna", "won lost of_two voided"),
        ("player=ANNA&result=loss", "lost voided"),
        ("player=anna&result=win", "won of_two"),
        ("result=draw", "drawn"),
        ("player=anna&against=cilla", "voided"),
        ("player=cilla&against=Bo", "drawn"),
        ("against=bo", "of_bo of_two drawn"),
        ("player=anna&against=nobody", ""),
        ("player=nobody", ""),
        ("player=nobody&result=win", ""),
        ("ending=played_out&ruleset=freecell", "of_bo"),
        ("ending=resigned", ""),
        ("ended_from=2026-11-30&ended_to=2026-11-30", "won lost of_bo of_two drawn early private voided"),
        ("ended_from=2026-12-01", ""),
        ("ended_to=2026-11-29", ""),
        ("length_from=1", ""),
        ("length_to=0&player=cilla", "drawn early private voided"),
        ("overdue=yes", ""),
        ("rated=yes", "of_two drawn voided"),
        ("rated=no&player=anna", "won lost"),
        ("daily=yes", ""),
        ("daily=no&player=bo", "of_bo of_two drawn"),
        ("visibility=private", "private"),
        ("visibility=public&player=cilla", "drawn early voided"),
        ("voided=yes", "voided"),
        ("voided=no&player=anna", "won lost of_two"),
        ("q=anna", "won lost of_two voided"),
        ("q=nobody", ""),
        ("ruleset=chess", "won lost of_bo of_two drawn early private voided"),
    ],
)
def test_games_are_found(boss, games, query, names):
    assert ids_in(boss.page(f"{GAMES}?{query}"), GAMES, games.values()) == named(games, names)


@pytest.mark.parametrize(
    "asked",
    ["%s", " %s ", "https://cards.example.org/games/%s/?ply=5&seat=0", "/admin/games/game/%s/change/"],
)
def test_a_game_is_found_by_its_id_wherever_that_stands(boss, games, asked):
    query = urlencode({"q": asked % games["lost"]})
    assert ids_in(boss.page(f"{GAMES}?{query}"), GAMES, games.values()) == [games["lost"]]
    entry = AuditEntry.objects.get(act="void")
    for parameter in ("q", "game"):
        query = urlencode({parameter: asked % games["voided"]})
        assert ids_in(boss.page(f"{AUDIT}?{query}"), AUDIT, [entry.id]) == [entry.id]


def test_games_are_seen_at_a_glance(boss, games):
    page = boss.page(f"{GAMES}?player=anna")
    assert "(won)" in page
    assert "(lost)" in page
    assert "(1st)" in page
    assert "played out, voided" in page


def test_what_a_player_came_to_is_looked_at_with_that_players_eyes(boss, games):
    page = boss.page(f"{GAMES}?player=anna&result=loss")
    assert f'href="{GAMES}{games["voided"]}/change/?ply=0&amp;seat=0"' in page
    page = boss.page(f"{GAMES}?player=CILLA&result=win")
    assert f'href="{GAMES}{games["voided"]}/change/?ply=0&amp;seat=1"' in page
    for query in ("player=anna", "result=loss", "player=nobody&result=loss"):
        assert "/change/?ply=" not in boss.page(f"{GAMES}?{query}")


@pytest.mark.parametrize("query", ["ended_from=soon", "ended_to=2026-13-01", "length_from=many"])
def test_what_is_no_day_or_number_is_said_so(boss, games, query):
    page = boss.page(f"{GAMES}?{query}")
    assert "Enter a " in page
    assert len(ids_in(page, GAMES, games.values())) == len(games)


def test_pages_follow_on_each_other(boss, anna):
    made = [patience(anna) for _ in range(120)]
    finish(*made)
    ids = [one.id for one in reversed(made)]
    path, found = f"{GAMES}?player=anna", []
    sizes = []
    while path is not None:
        page = boss.page(path)
        shown = ids_in(page, GAMES, ids)
        found += shown
        sizes.append(len(shown))
        start = page.find('rel="next"')
        link = page[:start].rpartition('<a href="')[2].partition('"')[0] if start >= 0 else None
        path = link and GAMES + link.replace("&amp;", "&")
    assert found == ids
    assert sizes == [25, 25, 25, 25, 20]


def test_a_filter_begins_with_the_first_page(boss, anna):
    made = [patience(anna) for _ in range(60)]
    finish(*made)
    page = boss.page(f"{GAMES}?before={made[5].id}")
    assert len(ids_in(page, GAMES, [one.id for one in made])) == 5
    assert 'name="before"' not in page


@pytest.mark.parametrize("path", [GAMES, JOBS, AUDIT])
def test_of_an_empty_list_is_said_what_is_true(boss, path):
    page = boss.page(path)
    assert "Nothing here, or nothing that the filters let through." in page
    assert "Create a new item" not in page


def test_the_trail_says_what_was_lifted(boss, anna):
    mute = player_sanction(player=anna, by=boss.player, kind="mute", reason="rude", until=None)
    sanction_lift(player=mute.player, sanction_id=mute.id, by=boss.player, reason="enough")
    for page in (AUDIT, f"{AUDIT}{AuditEntry.objects.get(act='lift').id}/change/"):
        assert "lift (mute)" in boss.page(page)
    assert "lift (mute)" in boss.page(f"{PLAYERS}{anna.id}/change/")


def test_deals_of_the_day_follow_by_day_whenever_they_were_made(boss):
    for days in (3, 0, -7, 14):
        daily_deals_make(today=NOON.date() + timedelta(days=days))
    ordered = DailyDeal.objects.order_by("-date", "ruleset").values_list("id", flat=True)
    path, found = DAILIES, []
    while path is not None:
        page = boss.page(path)
        found += ids_in(page, DAILIES, ordered)
        link = re.search(r'<a href="([^"]*)"[^>]*rel="next"', page)
        path = link and DAILIES + link[1].replace("&amp;", "&")
    assert len(found) > 25
    assert found == list(ordered)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "anna bo boss cilla gone robot"),
        ("q=an", "anna"),
        ("q=AN", "anna"),
        ("q=b", "bo boss"),
        ("q=the+best", "cilla"),
        ("q=https%3A%2F%2Fcards.example.org%2Fplayers%2FAnna%2F%3Fx%3D1", "anna"),
        ("q=%2Fplayers%2Fan%2F", ""),
        ("q=best", ""),
        ("q=bo%40example.org", "bo"),
        ("q=nobody%40example.org", ""),
        ("q=%25", ""),
        ("kind=bot", "robot"),
        ("kind=staff", "boss"),
        ("kind=erased", "gone"),
        ("kind=person&q=r", ""),
        ("sanction=mute", "bo"),
        ("sanction=suspension", ""),
    ],
)
def test_players_are_found(boss, anna, bo, cilla, make_player, query, names):
    robot = make_player("robot", bot_of=anna)
    gone = Player.objects.create(
        username="deleted-1", display_name="deleted player", is_active=False, erased_at=NOON
    )
    Player.objects.filter(id=bo.id).update(email="Bo@example.org")
    Player.objects.filter(id=cilla.id).update(display_name="The best of all")
    player_sanction(player=bo, by=boss.player, kind="mute", reason="rude", until=None)
    ids = {
        one.id: name
        for name, one in {
            "anna": anna,
            "bo": bo,
            "boss": boss.player,
            "cilla": cilla,
            "robot": robot,
            "gone": gone,
        }.items()
    }
    found = ids_in(boss.page(f"{PLAYERS}?{query}"), PLAYERS, ids)
    assert sorted(ids[one] for one in found) == names.split()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "mute warning"),
        ("act=mute", "mute"),
        ("act=erase", ""),
        ("by=boss", "mute warning"),
        ("by=anna", ""),
        ("player=bo", "warning"),
        ("q=anna", "mute"),
        ("at_from=2001-01-01", "mute warning"),
        ("at_from=0001-01-01&at_to=9999-12-31", "mute warning"),
        ("at_to=2001-01-01", ""),
        ("game=00000000-0000-7000-8000-000000000000", ""),
        ("game=x", ""),
    ],
)
def test_the_trail_is_searched(boss, anna, bo, query, found):
    player_sanction(player=anna, by=boss.player, kind="mute", reason="rude", until=None)
    player_sanction(player=bo, by=boss.player, kind="warning", reason="rude", until=None)
    acts = {entry.id: entry.act for entry in AuditEntry.objects.all()}
    shown = ids_in(boss.page(f"{AUDIT}?{query}"), AUDIT, acts)
    assert sorted(acts[one] for one in shown) == found.split()


@pytest.mark.parametrize("path", [PLAYERS, GAMES, JOBS])
def test_a_history_leads_to_the_trail(boss, things, path):
    one = {PLAYERS: things.player, GAMES: things.game, JOBS: things.job}[path]
    where = {PLAYERS: "player=anna", GAMES: f"game={things.game}", JOBS: "act=retry_job"}[path]
    assert boss.ask("GET", f"{path}{one}/history/").headers["Location"] == f"{AUDIT}?{where}"


@pytest.mark.parametrize("path", [*LISTS, BOARDS])
@pytest.mark.parametrize(
    "query",
    [
        "q=%27%22%25",
        "q=%00",
        "q=" + "x" * 3000,
        "e=1",
        "o=1.-2",
        "p=999",
        "all=",
        "before=nonsense",
        "before=2026-11-30.%00",
    ],
)
def test_no_search_breaks_a_list(boss, things, path, query):
    with nothing_changes():
        assert boss.ask("GET", f"{path}?{query}").status_code in (200, 302, 400)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (GAMES, "link_digest__gt=x"),
        (GAMES, "deal__seed__startswith=x"),
        (GAMES, "seats__entropy__startswith=x"),
        (GAMES, "owner__password__startswith=x"),
        (PLAYERS, "password__startswith=md5"),
        (PLAYERS, "tokens__digest__gt=x"),
        (DAILIES, "deck__0=AS"),
        (DAILIES, "seed__gt=x"),
        (JOBS, "args__timestamp=1"),
        (AUDIT, "reason__startswith=r"),
    ],
)
def test_what_is_not_shown_cannot_be_asked_for(boss, things, path, query):
    assert boss.ask("GET", f"{path}?{query}").status_code == 400


# What they cost.

COSTS = {
    GAMES: 6,
    f"{GAMES}?player=anna&result=win": 9,
    f"{GAMES}?_facets=True": 6,
    PLAYERS: 5,
    JOBS: 4,
    AUDIT: 3,
    DAILIES: 3,
    BOARDS: 5,
    f"{BOARDS}?ruleset=sicksack": 6,
}


@pytest.fixture(params=[3, 30])
def many(request, anna, boss, job):
    """So many of everything."""
    count = request.param
    others = Player.objects.bulk_create(
        [Player(username=f"other{number}", display_name="X") for number in range(count)]
    )
    finish(*(patience(other) for other in others), *(of_several([anna, other], (1, 2)) for other in others))
    boards_project()
    ApiToken.objects.bulk_create(
        [ApiToken(player=anna, name="x", digest=token_bytes(32), hint="card_") for _ in range(count)]
    )
    for other in others:
        player_sanction(player=anna, by=boss.player, kind="warning", reason="rude", until=None)
        player_sanction(player=other, by=boss.player, kind="mute", reason="rude", until=None)
    daily_deals_make(today=NOON.date())
    return count


# What is found among many by an index: by which.
EXPLAINED = {
    (GAMES, "status=running"): ["game_status"],
    (GAMES, "status=finished&ruleset=sicksack"): ["game_ruleset_status"],
    (GAMES, "variant=deal%3D7"): ["game_variant"],
    (GAMES, "player=anna"): ["seat_games_of_player"],
    (GAMES, "q=anna"): ["seat_games_of_player"],
    (GAMES, "ending=resigned"): ["game_ending"],
    (GAMES, "result=win&player=anna"): ["seat_games_of_player"],
    (GAMES, "ended_from=2026-11-01&ended_to=2026-12-31"): ["game_ended"],
    (GAMES, "length_from=1000"): ["game_length"],
    (GAMES, "overdue=yes"): ["game_due"],
    (GAMES, "rated=yes"): ["game_rated"],
    (GAMES, "daily=yes"): ["game_daily"],
    (GAMES, "visibility=private"): ["game_private"],
    (PLAYERS, "q=an"): ["player_username_begins", "player_display_name_begins"],
    (PLAYERS, "q=anna%40example.org"): ["player_email"],
    (PLAYERS, "kind=staff"): ["player_staff"],
    (PLAYERS, "kind=bot"): ["accounts_player_bot_of_id_7d428bbf"],
    (PLAYERS, "kind=erased"): ["player_erased"],
    (AUDIT, "act=mute"): ["audit_entry_of_act"],
    (AUDIT, "by=boss"): ["audit_entry_by"],
    (AUDIT, "player=anna"): ["audit_entry_of_player"],
    (AUDIT, "q=anna"): ["audit_entry_by", "audit_entry_of_player"],
    (AUDIT, "at_from=2026-11-01&at_to=2026-11-08"): ["accounts_auditentry_pkey"],
}
TABLES = {GAMES: "games_game", PLAYERS: "accounts_player", AUDIT: "accounts_auditentry"}


def statement_of(boss, path, query):
    """What asks for the rows of a list, and the table that it lists."""
    table = TABLES[path]
    with CaptureQueriesContext(connection) as queries:
        boss.page(f"{path}?{query}")
    listed = [one["sql"] for one in queries if f'FROM "{table}"' in one["sql"]]
    (sql,) = [one for one in listed if one.endswith(f'ORDER BY "{table}"."id" DESC LIMIT 26')]
    return sql, table


def plan_of(sql, table):
    """How the database finds it. In so small a table every plan costs as good as nothing: what cannot go by an
    index scans all the same."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off")
        cursor.execute("EXPLAIN (COSTS OFF) " + sql)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert not re.search(rf"Seq Scan on {table}\b", plan), plan
    return plan


def leave_indexes(names):
    """Drop the indexes of what is listed but some, and the keys: which of several that would do is taken is chance
    where there are few rows."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "WHERE i.indrelid::regclass::text = ANY (%s) AND c.relname <> ALL (%s) "
            "AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)",
            [[*TABLES.values(), "games_seat"], names],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP INDEX "{name}"')


@pytest.mark.parametrize(("path", "query"), EXPLAINED)
def test_there_is_an_index_for_whatever_is_asked(boss, games, path, query):
    names = EXPLAINED[path, query]
    sql, table = statement_of(boss, path, query)
    leave_indexes(names)
    # In the order of the list it could go through all by the key.
    plan = plan_of(sql[: sql.rindex("ORDER BY")], table)
    found = re.findall(r"(?:using|Bitmap Index Scan on) (\w+)", plan)
    assert set(names) <= set(found), plan


@pytest.mark.parametrize("path", TABLES)
def test_a_list_of_everything_goes_by_the_key(boss, games, path):
    sql, table = statement_of(boss, path, "")
    plan = plan_of(sql, table)
    assert f"Index Scan Backward using {table}_pkey on {table}" in plan
    assert "Sort" not in plan


def statements(boss, path):
    with CaptureQueriesContext(connection) as queries:
        boss.page(path)
    return len(queries)


@pytest.fixture
def warm(boss, many):
    """What is read once in a process is read."""
    for path in ("/admin/", *COSTS):
        boss.page(path)


def test_lists_of_three_and_of_thirty_cost_the_same(boss, many, warm):
    assert {path: statements(boss, path) for path in COSTS} == COSTS


def test_pages_of_little_and_of_much_cost_the_same(boss, many, warm, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    costs = {
        f"{PLAYERS}{anna.id}/change/": 18,
        f"{GAMES}{game}/change/": 12,
        "/admin/": 2,
    }
    for path in costs:
        boss.page(path)  # what is read once in a process is read
    assert {path: statements(boss, path) for path in costs} == costs
