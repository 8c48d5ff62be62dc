"""Where one is logged in, and the end of it."""

import re
from datetime import UTC, datetime

import pytest
from django.utils.formats import date_format

from accounts.models import BEGAN, Session
from tests.expect import nothing_changes
from tests.pages.conftest import Browser


def rows(page):
    """Which browsers there are, and what is said of since when."""
    return re.findall(
        r'<th scope="row" role="rowheader">(.*?)</th>\s*<td [^>]*data-label="Since">(.*?)</td>',
        page,
        re.DOTALL,
    )


@pytest.fixture
def elsewhere(nils):
    browser = Browser()
    browser.force_login(nils)
    return browser


def test_one_sees_where_one_is_logged_in_and_which_is_this_browser(at_home, nils, elsewhere, make_player):
    Browser().force_login(make_player("nora"))
    assert 'href="/account/sessions"' in at_home.page("/account/")
    with nothing_changes():
        page = at_home.page("/account/sessions")
    assert sorted(which for which, _ in rows(page)) == ["Another", "This one"]
    mine = Session.objects.get(session_key=at_home.cookies["sessionid"].value)
    assert abs((mine.began_at - datetime.now(UTC)).total_seconds()) < 60
    assert date_format(mine.began_at, "j M Y, H:i") in dict(rows(page))["This one"]
    # Whoever has a key has the session.
    assert not any(one.session_key in page for one in Session.objects.all())


def test_one_logs_out_everywhere_else(at_home, nils, elsewhere, make_player):
    other = Browser()
    other.force_login(make_player("nora"))
    answer = at_home.send("/account/sessions")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/sessions")
    page = at_home.page("/account/sessions")
    assert "You are logged out everywhere else." in page
    assert [which for which, _ in rows(page)] == ["This one"]
    assert [one.get("/account/").status_code for one in (at_home, elsewhere, other)] == [200, 302, 200]


def test_a_form_of_another_site_logs_nobody_out(at_home, elsewhere):
    with nothing_changes():
        assert at_home.post("/account/sessions").status_code == 403


def test_since_when_is_kept_through_a_new_password(at_home, nils):
    session = at_home.session
    session[BEGAN] = 1_700_000_000
    session.save()
    new = {"new_password1": "green-heron-92", "new_password2": "green-heron-92"}
    assert at_home.send("/account/password", old_password="brown-otter-47", **new).status_code == 302
    assert "14 Nov 2023, 22:13" in dict(rows(at_home.page("/account/sessions")))["This one"]


def test_of_a_session_from_before_it_is_not_known_since_when(at_home, elsewhere):
    theirs = elsewhere.session
    del theirs[BEGAN]
    Session.objects.filter(session_key=theirs.session_key).update(
        session_data=theirs.encode(dict(theirs.items()))
    )
    assert dict(rows(at_home.page("/account/sessions")))["Another"] == "not known"
