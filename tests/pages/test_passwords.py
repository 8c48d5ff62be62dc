"""A new password, by mail or in place of the old one."""

import re
from types import SimpleNamespace

import pytest
from django.core import mail
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import Player
from accounts.tasks import send_password_reset
from tests.expect import nothing_changes
from tests.pages.conftest import PASSWORD, Browser
from tests.pages.test_entering import errors

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
    assert errors(answers[2].content.decode())[""] == ["Too many attempts; try again in 1800 s."]
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
