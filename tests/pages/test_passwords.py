"""A new password, by mail or in place of the old one."""

import re
from types import SimpleNamespace

import pytest
from django.core import mail
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import ApiToken, Player, Session
from accounts.pages import passwords
from accounts.services.erasing import account_erase
from accounts.services.passwords import password_set
from accounts.services.sanctions import player_sanction
from accounts.services.tokens import token_create
from accounts.tasks import send_password_reset
from tests.conftest import Client
from tests.expect import everything, is_wait, nothing_changes
from tests.pages.conftest import PASSWORD, Browser
from tests.pages.test_entering import errors, seconds_told

NEW = "green-heron-92"


def jobs():
    return list(
        ProcrastinateJob.objects.filter(task_name="accounts.tasks.send_password_reset").values_list(
            "args", flat=True
        )
    )


def links(message):
    """The paths by which new passwords are chosen, by the name of the account."""
    return dict(
        re.findall(r"^(\w+)\nhttp://localhost:8000(/password-reset/\S+)$", message.body, re.MULTILINE)
    )


@pytest.fixture
def work(monkeypatch):
    """Does what a worker would do; the connection, on which the test goes on, stays open."""
    monkeypatch.setattr("accounts.tasks.connection", SimpleNamespace(close=lambda: None))

    def done():
        for args in jobs():
            send_password_reset.func(**args)

    return done


@pytest.mark.parametrize("address", ["nils@example.org", "NILS@example.org"])
def test_a_link_is_sent_by_which_a_password_is_chosen_once(visitor, nils, address, work):
    answer = visitor.send("/password-reset/", email=address)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/password-reset/sent")
    work()
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["nils@example.org"], "A new password for Cardsite")
    assert "asked for a new password for the account that has this address." in message.body
    link = links(message)["nils"]

    answer = visitor.get(link)
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith("/set-password/")
    where = answer.headers["Location"]
    page = visitor.page(where)
    assert "Set the password" in page
    with nothing_changes():
        refused = visitor.send(where, new_password1="short", new_password2="short")
    assert refused.status_code == 422
    assert "This password is too short." in str(errors(refused.content.decode())["new_password2"])
    assert visitor.send(where, new_password1="x" * 129, new_password2="x" * 129).status_code == 422
    answer = visitor.send(where, new_password1=NEW, new_password2=NEW)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/password-reset/done")
    assert "Your new password is in place" in visitor.page("/password-reset/done")

    assert "This link was used, or is older than a day." in Browser().page(link)
    assert Browser().send("/log-in", username="nils", password=PASSWORD).status_code == 422
    assert Browser().send("/log-in", username="nils", password=NEW).status_code == 302


def test_nobody_is_told_whether_an_address_is_known(visitor, nils, work):
    Player.objects.create_user(username="bot", display_name="B", email="bot@example.org")
    Player.objects.create_user(
        username="closed", display_name="C", password=PASSWORD, email="closed@example.org", is_active=False
    )
    answers = [
        visitor.send("/password-reset/", email=f"{name}@example.org")
        for name in ("nils", "nobody", "bot", "closed")
    ]
    told = {(answer.status_code, answer.headers["Location"], answer.content) for answer in answers}
    assert told == {(302, "/password-reset/sent", b"")}
    assert [len(args["players"]) for args in jobs()] == [1, 0, 1, 0]
    assert "example.org" not in str(jobs())
    work()
    assert [message.to for message in mail.outbox] == [["nils@example.org"]]


def test_players_of_one_address_get_one_message_with_a_link_each(visitor, nils, work):
    Player.objects.create_user(username="nora", display_name="N", password=PASSWORD, email="nils@example.org")
    visitor.send("/password-reset/", email="nils@example.org")
    assert len(jobs()) == 1
    work()
    (message,) = mail.outbox
    assert "asked for a new password for the accounts that have this address." in message.body
    assert list(links(message)) == ["nils", "nora"]
    where = visitor.get(links(message)["nora"]).headers["Location"]
    assert visitor.send(where, new_password1=NEW, new_password2=NEW).status_code == 302
    assert Browser().send("/log-in", username="nora", password=NEW).status_code == 302
    assert Browser().send("/log-in", username="nils", password=PASSWORD).status_code == 302


def test_accounts_of_another_spelling_of_the_address_share_no_message(visitor, nils, work):
    for name, spelt in (("nora", "Nils@example.org"), ("nisse", "n\u0131ls@example.org")):
        Player.objects.create_user(username=name, display_name="N", password=PASSWORD, email=spelt)
    visitor.send("/password-reset/", email="nils@example.org")
    assert len(jobs()) == 3
    work()
    assert {message.to[0]: list(links(message)) for message in mail.outbox} == {
        "nils@example.org": ["nils"],
        "Nils@example.org": ["nora"],
        "n\u0131ls@example.org": ["nisse"],
    }


def test_the_oldest_accounts_of_an_address_are_sent_a_link_however_many_there_are(visitor, nils, work):
    for number in range(12):
        spelt = "nils@example.org" if number % 2 else "NILS@example.org"
        Player.objects.create_user(
            username=f"later{number:02}", display_name="L", password=PASSWORD, email=spelt
        )
    visitor.send("/password-reset/", email="nils@example.org")
    work()
    assert sorted(name for message in mail.outbox for name in links(message)) == [
        *(f"later{number:02}" for number in range(9)),
        "nils",
    ]
    assert [len(links(message)) for message in mail.outbox] == [5, 5]


def test_who_has_changed_the_address_meanwhile_shares_no_message(visitor, nils, work):
    nora = Player.objects.create_user(
        username="nora", display_name="N", password=PASSWORD, email="nils@example.org"
    )
    visitor.send("/password-reset/", email="nils@example.org")
    Player.objects.filter(id=nora.id).update(email="nora@example.org")
    work()
    assert [(message.to, list(links(message))) for message in mail.outbox] == [
        (["nils@example.org"], ["nils"])
    ]


@pytest.mark.parametrize("host", ["127.0.0.1:9999", "localhost:1", "[::1]:8000"])
def test_a_link_leads_to_the_site_whatever_host_was_asked_for(nils, work, settings, host):
    settings.SITE_URL = "https://cards.example.org"
    browser = Browser()
    browser.get("/password-reset/")
    fields = {"email": "nils@example.org", "csrfmiddlewaretoken": browser.csrf}
    assert browser.post("/password-reset/", fields, headers={"Host": host}).status_code == 302
    work()
    assert re.findall(r"\S+://\S+?/", mail.outbox[0].body) == ["https://cards.example.org/"]
    assert host not in mail.outbox[0].body


@pytest.mark.parametrize("address", ["nobody@example.org", "nils@example.org"])
def test_asking_is_counted_by_address_whether_anybody_has_it_or_not(nils, settings, address):
    settings.PASSWORD_RESETS_PER_HOUR = 2
    answers = []
    for number in range(3):
        browser = Browser()
        browser.get("/password-reset/")
        fields = {"email": address, "csrfmiddlewaretoken": browser.csrf}
        answers.append(browser.post("/password-reset/", fields, REMOTE_ADDR=f"192.0.2.{number}"))
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert is_wait(seconds_told(answers[2].content.decode()), 1800)
    assert answers[2].headers["Retry-After"] == seconds_told(answers[2].content.decode())
    assert len(jobs()) == 2


def test_no_other_spelling_of_an_address_gets_more(nils, settings):
    settings.PASSWORD_RESETS_PER_HOUR = 2
    nissk = Player.objects.create_user(username="nissk", display_name="N", email="nissk@example.org")
    spellings = ("nissk", "NISSK", "n\u0131ssk", "ni\u017fsk", "niss\u212a")
    answers = {}
    for number, name in enumerate(spellings):
        browser = Browser()
        browser.get("/password-reset/")
        fields = {"email": f"{name}@example.org", "csrfmiddlewaretoken": browser.csrf}
        answer = browser.post("/password-reset/", fields, REMOTE_ADDR=f"192.0.2.{number}")
        answers[name] = answer.status_code
    found = [args["players"] for args in jobs()].count([str(nissk.id)])
    assert found == 2, answers
    assert (answers["nissk"], answers["NISSK"]) == (302, 302)


def test_asking_is_counted_by_where_it_comes_from(visitor, settings):
    settings.PASSWORD_RESETS_PER_HOUR = 2
    answers = [visitor.send("/password-reset/", email=f"a{number}@example.org") for number in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]


@pytest.mark.parametrize("address", ["", "nowhere", "a@b\0.org", "x" * 250 + "@example.org"])
def test_what_is_no_address_is_told_by_the_field(visitor, address):
    with nothing_changes():
        answer = visitor.send("/password-reset/", email=address)
    assert answer.status_code == 422
    assert errors(answer.content.decode())["email"]


@pytest.mark.parametrize("link", ["x/y", "MTIz/set-password", "%00/y", "x/y-z"])
def test_a_link_of_nonsense_opens_nothing(visitor, nils, link):
    page = visitor.page(f"/password-reset/{link}/")
    assert "This link was used, or is older than a day." in page
    assert 'type="password"' not in page


def test_a_message_is_in_the_language_it_was_asked_for_in(nils, work):
    browser = Browser(**{"Accept-Language": "sv"})
    browser.send("/password-reset/", email="nils@example.org")
    work()
    assert mail.outbox[0].subject == "Nytt lösenord till Cardsite"


def test_a_password_is_changed_by_who_knows_the_old_one(at_home, nils):
    with nothing_changes():
        wrong = at_home.send("/account/password", old_password="x", new_password1=NEW, new_password2=NEW)
    assert wrong.status_code == 422
    assert "old_password" in errors(wrong.content.decode())
    elsewhere = Browser()
    elsewhere.send("/log-in", username="nils", password=PASSWORD)
    answer = at_home.send("/account/password", old_password=PASSWORD, new_password1=NEW, new_password2=NEW)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/")
    assert "Your password is changed, and you are logged out everywhere else." in at_home.page("/account/")
    assert elsewhere.get("/account/").status_code == 302
    assert Browser().send("/log-in", username="nils", password=NEW).status_code == 302


def test_the_old_password_is_tried_no_more_often_than_at_a_log_in(at_home, nils, settings):
    settings.LOG_IN_ATTEMPTS = 3
    new = {"new_password1": NEW, "new_password2": NEW}
    with nothing_changes():
        answers = [
            at_home.send("/account/password", old_password=given, **new)
            for given in ("wrong-1", "wrong-2", "wrong-3", PASSWORD)
        ]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 429]
    assert errors(answers[0].content.decode()) == {"old_password": ["This is not your password."]}
    assert answers[3].headers["Retry-After"] == seconds_told(answers[3].content.decode())
    assert is_wait(answers[3].headers["Retry-After"], 60)
    # The attempts are those of the log-in page.
    assert Browser().send("/log-in", username="nils", password=PASSWORD).status_code == 429


def test_the_admin_takes_the_old_password_on_the_same_page(browser_of, staff):
    browser = browser_of(staff)
    browser.get("/account/password")
    csrf = {"csrfmiddlewaretoken": browser.csrf}
    with nothing_changes():
        for answer in (browser.get("/admin/password_change/"), browser.post("/admin/password_change/", csrf)):
            assert (answer.status_code, answer.headers["Location"]) == (302, "/account/password")


def closes(player):
    Player.objects.filter(id=player.id).update(is_active=False)


def erases(player):
    account_erase(player=player, by=player, reason="a test")


def changes_the_password(player):
    Player.objects.filter(id=player.id).update(password="another")


NOBODY, CHANGED = "Nobody can log in with this account.", "The password was changed meanwhile."
LOST = [(closes, NOBODY), (erases, NOBODY), (changes_the_password, CHANGED)]


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets something happen just before a password is set: what the database is like afterwards."""

    def happens(what):
        afterwards = {}

        def sets(**given):
            what()
            afterwards.update(everything())
            password_set(**given)

        monkeypatch.setattr(passwords, "password_set", sets)
        return afterwards

    return happens


@pytest.mark.parametrize(("lose", "words"), LOST)
@pytest.mark.parametrize("page", ["change", "reset"])
def test_an_account_that_is_lost_meanwhile_gets_nothing_back(
    visitor, at_home, nils, work, meanwhile, lose, words, page
):
    browser, where, old = at_home, "/account/password", {"old_password": PASSWORD}
    if page == "reset":
        visitor.send("/password-reset/", email="nils@example.org")
        work()
        browser, old = visitor, {}
        where = visitor.get(links(mail.outbox[0])["nils"]).headers["Location"]
    token_create(player=nils, name="bot")
    afterwards = meanwhile(lambda: lose(nils))
    answer = browser.send(where, **old, new_password1=NEW, new_password2=NEW, revokes_tokens="on")
    assert answer.status_code == 403
    assert errors(answer.content.decode())[""] == [words]
    assert everything() == afterwards


def test_what_was_changed_of_the_account_meanwhile_stays(at_home, nils, meanwhile):
    changes = {"display_name": "Nils the Second", "is_staff": True}
    meanwhile(lambda: Player.objects.filter(id=nils.id).update(**changes))
    answer = at_home.send("/account/password", old_password=PASSWORD, new_password1=NEW, new_password2=NEW)
    assert answer.status_code == 302
    kept = Player.objects.get(id=nils.id)
    assert (kept.display_name, kept.is_staff, kept.check_password(NEW)) == ("Nils the Second", True, True)


def test_who_was_suspended_meanwhile_changes_no_password(at_home, nils, staff, monkeypatch):
    at_home.get("/account/password")
    monkeypatch.setattr("accounts.throttling.PasswordBackend.get_user", lambda _, __: nils)
    player_sanction(player=nils, by=staff, kind="suspension", reason="sold seats", until=None)
    with nothing_changes():
        answer = at_home.send(
            "/account/password", old_password=PASSWORD, new_password1=NEW, new_password2=NEW
        )
    assert answer.status_code == 403
    assert "sold seats" in str(errors(answer.content.decode())[""])


@pytest.mark.parametrize(("wanted", "left"), [({}, 1), ({"revokes_tokens": "on"}, 0)])
@pytest.mark.parametrize("page", ["change", "reset"])
def test_a_new_password_ends_sessions_and_tokens_where_it_is_wanted(
    visitor, at_home, nils, work, make_player, wanted, left, page
):
    other = make_player("nora")
    _, secret = token_create(player=nils, name="bot")
    Browser().force_login(nils)
    Browser().force_login(other)
    browser, where, given = at_home, "/account/password", {"old_password": PASSWORD}
    if page == "reset":
        visitor.send("/password-reset/", email="nils@example.org")
        work()
        browser, given = visitor, {}
        where = visitor.get(links(mail.outbox[0])["nils"]).headers["Location"]
        assert "Revoke all tokens too" in visitor.page(where)
    assert Session.objects.filter(player=nils).count() == 2
    answer = browser.send(where, **given, **wanted, new_password1=NEW, new_password2=NEW)
    assert answer.status_code == 302
    assert Session.objects.filter(player=nils).count() == (1 if page == "change" else 0)
    assert Session.objects.filter(player=other).count() == 1
    assert ApiToken.objects.filter(player=nils, revoked_at=None).count() == left
    assert ApiToken.objects.filter(player=other, revoked_at=None).count() == 1
    found = Client(secret).ask("GET", "me/")
    assert found.status_code == (200 if left else 401)
    told = browser.page(answer.headers["Location"])
    assert ("All your tokens are revoked." in told) == (page == "change" and not left)


def test_a_browser_that_resets_its_own_password_is_logged_out(at_home, nils, make_player, browser_of, work):
    theirs = browser_of(make_player("nora"))
    for browser, status in ((at_home, 302), (theirs, 200)):
        mail.outbox.clear()
        ProcrastinateJob.objects.all().delete()
        browser.send("/password-reset/", email="nils@example.org")
        work()
        where = browser.get(links(mail.outbox[0])["nils"]).headers["Location"]
        assert browser.send(where, new_password1=NEW, new_password2=NEW).status_code == 302
        assert browser.get("/account/").status_code == status


def test_the_browser_of_a_player_who_is_suspended_resets_a_password_like_another(at_home, nils, staff, work):
    player_sanction(player=nils, by=staff, kind="suspension", reason="sold seats", until=None)
    at_home.send("/password-reset/", email="nils@example.org")
    work()
    where = at_home.get(links(mail.outbox[0])["nils"]).headers["Location"]
    answer = at_home.send(where, new_password1=NEW, new_password2=NEW)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/password-reset/done")
    assert not Session.objects.filter(player=nils).exists()
    assert Player.objects.get(id=nils.id).check_password(NEW)
    assert "Your new password is in place" in at_home.page("/password-reset/done")
