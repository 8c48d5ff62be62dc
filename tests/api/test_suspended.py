"""Players who are suspended are kept out, muted ones from public games with others; and it is said why."""

from datetime import timedelta

import pytest

from accounts.locks import database_time
from accounts.models import Player, Sanction, Session
from accounts.selectors.accesses import Access
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction, sanction_lift
from accounts.tickets import new_ticket
from cardsite.jsonbody import timestamp
from games.clock import TurnClock
from games.models import Game
from games.services.daily import daily_deals_make
from games.services.settling import games_settle
from tests.api.published import assert_documented
from tests.api.test_sessions import PASSWORD, Browser
from tests.conftest import Client, basic
from tests.expect import nothing_changes, problem

STREAM = "text/event-stream"
HOUR = timedelta(hours=1)


@pytest.fixture
def nils(make_player):
    return make_player("nils", password=PASSWORD)


@pytest.fixture
def sanction(staff):
    """Holds something against a player: the sanction."""

    def hold(player, kind="suspension", until=None, reason="sold seats"):
        return player_sanction(player=player, by=staff, kind=kind, reason=reason, until=until)

    return hold


def by_password(client, method, path, body=None, password=PASSWORD):
    return client.ask(method, path, body, authorization=basic(f"nils:{password}"))


PLACES = [
    ("GET", "me/", None),
    ("PATCH", "me/", {"display_name": "N"}),
    ("GET", "me/tokens/", None),
    ("POST", "games/", {"ruleset": "freecell"}),
    ("GET", "games/", None),
    ("GET", "players/nils/", None),
    ("GET", "me/events", None),
    ("GET", "games/{game}/", None),
    ("GET", "games/{game}/legal-moves", None),
    ("GET", "games/{game}/events", None),
    ("POST", "games/{game}/moves", {"ply": 0, "move": {"type": "chance"}}),
    ("POST", "games/{game}/resign", None),
    ("POST", "me/stream-ticket", None),
]


@pytest.mark.parametrize("until", [None, HOUR])
@pytest.mark.parametrize(("method", "path", "body"), PLACES)
def test_the_token_of_a_suspended_player_opens_nothing_and_is_told_until_when_and_why(
    nils, bo, sanction, make_game, method, path, body, until
):
    path = path.format(game=make_game("sicksack", [nils, bo]))
    nils.client.get_json("me/")  # a token in use is answered quickly
    ends = None if until is None else database_time() + until
    sanction(nils, until=ends)
    facts = {"until": ends and timestamp(ends), "reason": "sold seats"}
    with nothing_changes():
        answer = nils.client.ask(method, path, body)
    problem(answer, "suspended", **facts)
    assert_documented(f"/api/v1/{path}", method, answer)


def test_a_suspended_player_is_refused_however_a_game_is_asked_for(nils, bo, sanction, make_game):
    game = make_game("sicksack", [nils, bo])
    nils.client.get_json("me/")
    tag = nils.client.ask("GET", f"games/{game}/").headers["ETag"]
    assert nils.client.ask("GET", f"games/{game}/", if_none_match=tag).status_code == 304
    sanction(nils)
    for headers in ({}, {"if_none_match": tag}):
        problem(nils.client.ask("GET", f"games/{game}/", **headers), "suspended")
    problem(nils.client.ask("GET", f"games/{game}/events", accept=STREAM), "suspended")


def test_neither_ticket_nor_password_lets_a_suspended_player_in(nils, anonymous, sanction, make_game):
    game, ticket = make_game("freecell", [nils]), new_ticket(Access(nils.id))
    sanction(nils)
    with nothing_changes():
        for path in (f"games/{game}/events", "me/events"):
            for accept in ("application/json", STREAM):
                answer = anonymous.ask("GET", f"{path}?ticket={ticket}", accept=accept)
                problem(answer, "suspended", reason="sold seats")
        problem(by_password(anonymous, "POST", "me/tokens/", {"name": "x"}), "suspended", reason="sold seats")
        # Of a suspension nobody is told who does not know the password.
        answer = by_password(anonymous, "POST", "me/tokens/", {"name": "x"}, password="wrong-otter-47")
        problem(answer, "invalid_credentials")


def test_a_session_of_a_suspended_player_is_nobodys_and_a_new_one_is_refused(nils, sanction):
    browser = Browser()
    assert browser.log_in().status_code == 302
    kept = sanction(nils)
    problem(browser.ask("GET", "me/"), "suspended", reason="sold seats")
    problem(browser.ask("GET", "games/"), "suspended")
    assert browser.ask("GET", "/admin/").status_code == 302
    other = Browser()
    problem(other.log_in(), "suspended", until=None, reason="sold seats")
    assert "sessionid" not in other.cookies
    assert other.log_in(password="wrong-otter-47").status_code == 200
    assert Session.objects.count() == 1
    sanction_lift(
        player=kept.player, sanction_id=kept.id, by=Player.objects.get(username="boss"), reason="heard"
    )
    assert browser.get_json("me/")["username"] == "nils"
    assert other.log_in().status_code == 302


def test_a_browsing_suspended_player_gets_a_page_that_says_so(nils, sanction):
    browser = Client()
    browser.force_login(nils)
    sanction(nils)
    answer = browser.ask("GET", "me/", accept="text/html")
    assert answer.status_code == 403
    assert "sold seats" in answer.content.decode()


def test_a_suspended_player_takes_away_what_is_known_by_name_and_password(
    nils, bo, anonymous, sanction, make_game
):
    make_game("sicksack", [nils, bo])
    sanction(nils)
    answer = by_password(anonymous, "GET", "me/export")
    assert answer.status_code == 200
    assert_documented("/api/v1/me/export", "GET", answer)
    items = answer.json()["items"]
    assert [item["username"] for item in items if item["type"] == "account"] == ["nils"]
    assert [item["reason"] for item in items if item["type"] == "sanction"] == ["sold seats"]
    following = by_password(anonymous, "GET", "me/export?limit=1").json()["next"]
    assert by_password(anonymous, "GET", following).json()["items"][0] == items[1]


def test_a_suspended_player_erases_the_account_by_name_and_password(nils, anonymous, sanction):
    bot_create(owner=nils, username="robot", display_name=None)
    sanction(nils)
    with nothing_changes():
        problem(by_password(anonymous, "DELETE", "me/bots/robot/"), "suspended")
        problem(by_password(anonymous, "DELETE", "me/", password="wrong-otter-47"), "invalid_credentials")
    assert by_password(anonymous, "DELETE", "me/").status_code == 204
    assert Player.objects.filter(erased_at=None).get().username == "boss"


def test_nothing_but_the_password_gives_a_suspended_player_these_rights_and_no_others(
    nils, anonymous, sanction
):
    browser = Browser()
    browser.log_in()
    sanction(nils)
    with nothing_changes():
        problem(nils.client.ask("GET", "me/export"), "suspended")
        problem(browser.ask("GET", "me/export"), "suspended")
        problem(anonymous.ask("GET", "me/export"), "unauthenticated")
        for method, path, body in (("GET", "me/", None), ("PATCH", "me/", {"email": "n@example.org"})):
            problem(by_password(anonymous, method, path, body), "suspended")


def test_the_password_is_tried_no_more_often_for_these_rights(nils, anonymous, sanction, settings):
    settings.LOG_IN_ATTEMPTS = 2
    sanction(nils)
    with nothing_changes():
        for method, path in (("GET", "me/export"), ("PATCH", "me/")):
            answer = by_password(anonymous, method, path, password="wrong-otter-47")
            problem(answer, "invalid_credentials")
        problem(by_password(anonymous, "DELETE", "me/"), "throttled")
        problem(by_password(anonymous, "GET", "me/export"), "throttled")


def test_what_was_suspended_is_let_in_again_when_it_is_lifted_or_over(nils, staff, sanction):
    first, second = sanction(nils), sanction(nils, until=database_time() + HOUR, reason="again")
    problem(nils.client.ask("GET", "me/"), "suspended", until=None, reason="sold seats")
    sanction_lift(player=first.player, sanction_id=first.id, by=staff, reason="heard")
    problem(nils.client.ask("GET", "me/"), "suspended", until=timestamp(second.until), reason="again")
    sanction_lift(player=second.player, sanction_id=second.id, by=staff, reason="heard")
    assert nils.client.get_json("me/")["sanctions"] == []
    Sanction.objects.create(
        player=nils,
        by=staff,
        kind="suspension",
        reason="long ago",
        at=database_time() - 2 * HOUR,
        until=database_time() - HOUR / 3600,
    )
    assert nils.client.get_json("me/")["sanctions"] == []


def test_a_bot_is_kept_out_with_its_owner(nils, bo, sanction):
    _, _, secret = bot_create(owner=nils, username="robot", display_name=None)
    Client(secret).get_json("me/")
    sanction(nils)
    problem(Client(secret).ask("GET", "me/"), "suspended", reason="sold seats")
    bo.client.get_json("me/")


def test_others_see_a_suspended_player_as_before_and_clocks_go_on(nils, bo, sanction, make_game, time_passes):
    clock = TurnClock(seconds=60)
    game = make_game("sicksack", [nils, bo], clock=clock)
    sanction(nils)
    assert bo.client.get_json("players/nils/")["username"] == "nils"
    time_passes(61)
    assert games_settle() == 1
    found = bo.client.get_json(f"games/{game}/")
    assert (found["status"], found["ending"]) == ("finished", "timed_out")
    assert found["outcome"]["result"] == ["loss", "win"]


# Muted.


def test_a_muted_player_neither_makes_nor_joins_a_public_game_for_several(nils, bo, sanction, make_game):
    opened = make_game("sicksack", [bo], start=False, seats=3)
    until = database_time() + HOUR
    sanction(nils, "mute", until, "shouted")
    with nothing_changes():
        for path, body in (("games/", {"ruleset": "sicksack", "seats": 2}), (f"games/{opened}/join", {})):
            answer = nils.client.post(path, body)
            problem(answer, "muted", until=timestamp(until), reason="shouted")
            assert_documented(f"/api/v1/{path}", "POST", answer)


def test_a_muted_player_plays_patiences_private_games_and_what_has_begun(nils, bo, sanction, make_game):
    running = make_game("sicksack", [nils, bo])
    waiting = make_game("sicksack", [bo, nils], start=False)
    sanction(nils, "mute")
    assert nils.client.post("games/", {"ruleset": "freecell"}).status_code == 201
    private = nils.client.post("games/", {"ruleset": "sicksack", "seats": 2, "visibility": "private"})
    assert private.status_code == 201
    theirs = bo.client.post("games/", {"ruleset": "sicksack", "seats": 2, "visibility": "private"}).json()
    joined = nils.client.post(f"games/{theirs['id']}/join", {"link": theirs["link"]})
    assert joined.status_code == 200
    assert nils.client.post(f"games/{waiting}/join", {}).status_code == 200  # sits there already
    assert bo.client.post(f"games/{waiting}/start", {}).status_code == 200
    move = {"ply": 0, "move": {"type": "chance"}}
    assert nils.client.post(f"games/{running}/moves", move).status_code == 201
    today = database_time().date()
    daily_deals_make(today=today)
    assert nils.client.post(f"daily/{today}/freecell/", {}).status_code == 201


def test_a_bot_is_muted_with_its_owner_until_it_is_lifted(nils, staff, sanction):
    _, _, secret = bot_create(owner=nils, username="robot", display_name=None)
    wanted = {"ruleset": "sicksack", "seats": 2}
    kept = sanction(nils, "mute")
    problem(Client(secret).post("games/", wanted), "muted", until=None)
    sanction_lift(player=kept.player, sanction_id=kept.id, by=staff, reason="heard")
    assert Client(secret).post("games/", wanted).status_code == 201
    assert Game.objects.count() == 1


# Told.


def test_one_sees_what_is_held_against_one_newest_first_but_not_by_whom(nils, bo, sanction):
    until = database_time() + HOUR
    warning, mute = sanction(nils, "warning", None, "be kind"), sanction(nils, "mute", until, "shouted")
    assert nils.client.get_json("me/")["sanctions"] == [
        {"kind": "mute", "reason": "shouted", "at": timestamp(mute.at), "until": timestamp(until)},
        {"kind": "warning", "reason": "be kind", "at": timestamp(warning.at), "until": None},
    ]
    assert nils.client.ask("PATCH", "me/", {}).json() == nils.client.get_json("me/")
    assert bo.client.get_json("me/")["sanctions"] == []
    assert "sanctions" not in bo.client.get_json("players/nils/")


def test_a_warning_keeps_nobody_from_anything(nils, sanction):
    sanction(nils, "warning")
    assert nils.client.post("games/", {"ruleset": "sicksack", "seats": 2}).status_code == 201
    assert Browser().log_in().status_code == 302
