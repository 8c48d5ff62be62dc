"""The end of an account by browser, and what a player is told of sanctions."""

import pytest

from accounts.models import Player
from accounts.services.sanctions import player_sanction
from tests.expect import nothing_changes
from tests.pages.conftest import PASSWORD, Browser
from tests.pages.test_entering import errors


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
