"""All that is known of a player by browser, the end of an account, and what a player is told of sanctions."""

import json

import pytest

from accounts.models import Player
from accounts.services.sanctions import player_sanction
from games.pages import personal
from games.services.playing import moves_play
from tests.expect import is_wait, nothing_changes
from tests.pages.conftest import PASSWORD, Browser
from tests.pages.test_entering import errors


def test_all_that_is_known_of_one_is_a_single_file(at_home, nils, bo, make_game, monkeypatch):
    monkeypatch.setattr(personal, "FACTS_AT_ONCE", 3)
    for _ in range(4):
        game = make_game("sicksack", [nils, bo])
        moves_play(game_id=game, player=nils, body=b'{"ply": 0, "move": {"type": "chance"}}')
    assert 'href="/account/export" download' in at_home.page("/account/")
    with nothing_changes():
        answer = at_home.get("/account/export")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="nils.json"'
    assert answer.headers["Cache-Control"] == "no-store"
    whole = json.loads(answer.getvalue())
    path, by_api = "/api/v1/me/export?limit=2", []
    while path is not None:
        page = at_home.get(path, headers={"Accept": "application/json"}).json()
        by_api += page["items"]
        path = page["next"]
    assert whole == {"items": by_api, "next": None}
    kinds = [fact["type"] for fact in by_api]
    assert {kind: kinds.count(kind) for kind in ("account", "game", "move")} == {
        "account": 1,
        "game": 4,
        "move": 4,
    }


def test_where_there_is_very_much_a_file_leads_to_one_that_goes_on(at_home, nils, bo, make_game, monkeypatch):
    for _ in range(3):
        make_game("sicksack", [nils, bo])
    everything = json.loads(at_home.get("/account/export").getvalue())
    monkeypatch.setattr(personal, "FACTS_AT_ONCE", 2)
    monkeypatch.setattr(personal, "MOST_FACTS", 4)
    path, files = "/account/export", []
    while path is not None:
        files.append(json.loads(at_home.get(path).getvalue()))
        path = files[-1]["next"]
    assert [len(file["items"]) for file in files[:-1]] == [4] * (len(files) - 1)
    assert len(files) > 1
    assert [fact for file in files for fact in file["items"]] == everything["items"]


@pytest.mark.parametrize("cursor", ["x", "games.x", "\0", "changes.\0 0 x", "moves.\x7f"])
def test_what_is_no_place_in_it_is_refused(at_home, cursor):
    with nothing_changes():
        answer = at_home.get("/account/export", {"cursor": cursor})
    assert answer.status_code == 400


def test_it_is_not_asked_for_again_and_again(at_home, settings):
    settings.EXPORT_PAGES_PER_MINUTE = 1
    assert [at_home.get("/account/export").status_code for _ in range(2)] == [200, 429]


def test_an_account_is_erased_by_its_name_and_password(at_home, nils, visitor):
    assert 'href="/account/erase"' in at_home.page("/account/")
    answer = at_home.send("/account/erase", username="nils", password=PASSWORD)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    page = at_home.page("/")
    assert "Your account is erased." in page
    assert 'href="/log-in"' in page
    erased = Player.objects.get(id=nils.id)
    assert (erased.display_name, erased.email) == ("deleted player", "")
    visitor.page("/players/nils/", 404)
    assert Browser().send("/log-in", username="nils", password=PASSWORD).status_code == 422
    again = visitor.send("/sign-up", username="nils", password="green-heron-92")
    assert again.status_code == 409


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"password": "wrong"}, "password"),
        ({"password": ""}, "password"),
        ({"username": "Nils"}, "username"),
        ({"username": "anna"}, "username"),
        ({"username": ""}, "username"),
    ],
)
def test_it_is_not_erased_by_less(at_home, nils, anna, fields, field):
    with nothing_changes():
        answer = at_home.send("/account/erase", **{"username": "nils", "password": PASSWORD, **fields})
    assert answer.status_code == 422
    assert list(errors(answer.content.decode())) == [field]


def test_passwords_are_counted_here_too(at_home, settings):
    settings.LOG_IN_ATTEMPTS = 1
    answers = [
        at_home.send("/account/erase", username="nils", password=given) for given in ("wrong", PASSWORD)
    ]
    assert [answer.status_code for answer in answers] == [422, 429]
    assert is_wait(answers[1].headers["Retry-After"], 60)
    assert Player.objects.filter(username="nils").exists()


def test_whoever_has_a_role_is_not_erased(staff, browser_of):
    staff.set_password(PASSWORD)
    staff.save()
    browser = browser_of(staff)
    with nothing_changes():
        answer = browser.send("/account/erase", username="boss", password=PASSWORD)
    assert answer.status_code == 403
    assert errors(answer.content.decode())[""]


def test_a_warning_is_shown_to_the_player_alone(at_home, nils, staff, visitor):
    player_sanction(player=nils, by=staff, kind="warning", reason="no such words", until=None)
    assert "no such words" in at_home.page("/account/")
    assert "no such words" not in visitor.page("/players/nils/")


def test_who_is_suspended_is_told_why_at_the_door_alone(at_home, nils, staff, visitor):
    player_sanction(player=nils, by=staff, kind="suspension", reason="a week's rest", until=None)
    assert at_home.get("/account/").status_code == 302
    assert "suspended" not in visitor.page("/players/nils/")
    answer = visitor.send("/log-in", username="nils", password=PASSWORD)
    assert answer.status_code == 403
    assert "a week&#x27;s rest" in answer.content.decode()
    assert visitor.send("/log-in", username="nils", password="wrong").status_code == 422
