"""What a player who is suspended is told by pages, and who else is not."""

import re
from datetime import UTC, datetime

import pytest

from accounts.services.passwords import password_set
from accounts.services.sanctions import player_sanction
from tests.expect import nothing_changes
from tests.pages.conftest import PASSWORD, Browser
from tests.pages.test_entering import errors

UNTIL = datetime(2099, 5, 17, 8, 30, tzinfo=UTC)
RIGHTS = ("http://testserver/api/v1/me/export", "-X DELETE http://testserver/api/v1/me/")
WORDS = "This account is suspended until 17 May 2099, 08:30 (UTC): sold seats"


@pytest.fixture
def suspend(nils, staff):
    def hold(until=UNTIL):
        return player_sanction(player=nils, by=staff, kind="suspension", reason="sold seats", until=until)

    return hold


@pytest.mark.parametrize(
    ("language", "until", "words"),
    [
        ("en", UNTIL, WORDS),
        ("en", None, "This account is suspended until further notice: sold seats"),
        ("sv", UNTIL, "Kontot är avstängt till den 17 Maj 2099, 08:30 (UTC): sold seats"),
        ("es", None, "Esta cuenta está suspendida hasta nuevo aviso: sold seats"),
    ],
)
def test_who_knows_the_password_is_told_until_when_why_and_what_is_still_theirs(
    suspend, language, until, words
):
    suspend(until)
    browser = Browser(**{"Accept-Language": language})
    with nothing_changes():
        answer = browser.send("/log-in", username="nils", password=PASSWORD)
    assert answer.status_code == 403
    page = answer.content.decode()
    assert errors(page) == {"": [words]}
    assert all(right in page for right in RIGHTS)
    assert "sessionid" not in browser.cookies


def test_who_does_not_know_the_password_is_told_nothing(suspend, visitor):
    suspend()
    answer = visitor.send("/log-in", username="nils", password="wrong")
    assert answer.status_code == 422
    assert "suspended" not in answer.content.decode()
    assert RIGHTS[0] not in visitor.page("/log-in")


def test_a_browser_whose_session_is_kept_out_is_told_why(suspend, at_home, visitor):
    suspend()
    answer = at_home.get("/account/")
    assert answer.headers["Location"] == "/log-in?next=/account/"
    with nothing_changes():
        page = at_home.page(answer.headers["Location"])
    assert re.search(r'<p class="warning">(.*?)</p>', page)[1] == WORDS
    assert all(right in page for right in RIGHTS)
    assert "suspended" not in visitor.page("/log-in")


def test_a_session_that_a_new_password_has_ended_is_told_nothing(suspend, at_home, nils):
    session = at_home.cookies["sessionid"].value
    password_set(player=nils, password="green-heron-92", revokes_tokens=False, keep_session=session)
    suspend()
    assert "suspended" not in at_home.page("/log-in")
