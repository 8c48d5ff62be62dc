"""One's own account by browser: what is changed by its password, and what is said where it is not."""

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password

from accounts.models import Player, Session
from accounts.pages import account
from accounts.services.erasing import account_erase
from accounts.services.passwords import password_set
from accounts.services.players import player_update
from accounts.services.sanctions import player_sanction
from tests.expect import everything, is_wait, nothing_changes
from tests.pages.conftest import PASSWORD, Browser
from tests.pages.test_entering import errors

NEW = "green-heron-92"
PROFILE = {"display_name": "Nils H.", "email": "nils@elsewhere.example"}


@pytest.fixture
def old_hash(nils, settings):
    """The hash of nils' password is one that the right password renews."""
    settings.PASSWORD_HASHERS = [
        *settings.PASSWORD_HASHERS,
        f"{PBKDF2PasswordHasher.__module__}.{PBKDF2PasswordHasher.__qualname__}",
    ]
    nils.password = make_password(PASSWORD, hasher="pbkdf2_sha256")
    nils.save()
    return nils.password


def test_a_display_name_is_changed_without_it(at_home, nils):
    answer = at_home.send("/account/", display_name="Nils the Second", email=nils.email)
    assert answer.status_code == 302
    assert Player.objects.get(id=nils.id).display_name == "Nils the Second"


# A right password renews a hash of before.


def test_an_address_is_changed_where_the_hash_is_renewed(old_hash, nils, browser_of):
    browser = browser_of(nils)
    answer = browser.send("/account/", **PROFILE, password=PASSWORD)
    assert answer.status_code == 302
    kept = Player.objects.get(id=nils.id)
    assert (kept.email, kept.password == old_hash) == ("nils@elsewhere.example", False)
    assert "Your profile is changed." in browser.page("/account/")


def test_an_account_is_erased_where_the_hash_is_renewed(old_hash, nils, browser_of):
    answer = browser_of(nils).send("/account/erase", username="nils", password=PASSWORD)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert Player.objects.get(id=nils.id).erased_at is not None


def test_who_is_refused_after_the_hash_is_renewed_stays_logged_in(old_hash, staff, nils, browser_of):
    browser = browser_of(nils)
    answer = browser.send(
        "/account/password", old_password=PASSWORD, new_password1="short", new_password2="short"
    )
    assert answer.status_code == 422
    kept = Player.objects.get(id=nils.id)
    assert (kept.check_password(PASSWORD), kept.password == old_hash) == (True, False)
    assert "Nils H." in browser.page("/account/")
    assert Session.objects.filter(player=nils).count() == 1
    answer = browser.send("/account/password", old_password=PASSWORD, new_password1=NEW, new_password2=NEW)
    assert answer.status_code == 302
    browser.page("/account/")


def test_a_session_is_kept_by_who_knows_the_password_alone(old_hash, nils, browser_of):
    browser = browser_of(nils)
    key = browser.cookies["sessionid"].value
    assert browser.send("/account/", **PROFILE, password="wrong").status_code == 422
    assert browser.cookies["sessionid"].value == key
    assert Player.objects.get(id=nils.id).password == old_hash


# What is refused is said by its status, in the language of the page.

TOO_MANY = {
    "en": "Too many attempts; try again in {} s.",
    "sv": "För många försök; försök igen om {} s.",
    "es": "Demasiados intentos; prueba de nuevo dentro de {} s.",
}


@pytest.mark.parametrize("language", TOO_MANY)
def test_passwords_are_tried_here_no_more_often_than_at_a_log_in(nils, settings, language):
    settings.LOG_IN_ATTEMPTS = 1
    browser = Browser(**{"Accept-Language": language})
    browser.force_login(nils)
    with nothing_changes():
        answers = [browser.send("/account/", **PROFILE, password=given) for given in ("wrong", PASSWORD)]
    assert [answer.status_code for answer in answers] == [422, 429]
    seconds = answers[1].headers["Retry-After"]
    assert is_wait(seconds, 60)
    assert errors(answers[1].content.decode()) == {"": [TOO_MANY[language].format(seconds)]}


def test_who_was_suspended_meanwhile_changes_no_address(at_home, nils, staff, monkeypatch):
    at_home.get("/account/")
    monkeypatch.setattr("accounts.throttling.PasswordBackend.get_user", lambda _, __: nils)
    player_sanction(player=nils, by=staff, kind="suspension", reason="sold seats", until=None)
    with nothing_changes():
        answer = at_home.send("/account/", **PROFILE, password=PASSWORD)
    assert answer.status_code == 403
    assert errors(answer.content.decode()) == {
        "": ["This account is suspended until further notice: sold seats"]
    }


def erases(player):
    account_erase(player=player, by=player, reason="a test")


def changes_the_password(player):
    password_set(player=Player.objects.get(id=player.id), password=NEW, revokes_tokens=False)


LOST = {
    (erases, "en"): "The account was erased.",
    (erases, "sv"): "Kontot är raderat.",
    (erases, "es"): "Esta cuenta está borrada.",
    (changes_the_password, "en"): "The password was changed meanwhile.",
    (changes_the_password, "sv"): "Lösenordet ändrades under tiden.",
    (changes_the_password, "es"): "La contraseña se cambió mientras tanto.",
}


@pytest.mark.parametrize(("lose", "language"), LOST)
def test_an_account_that_is_lost_meanwhile_is_not_changed(nils, monkeypatch, lose, language):
    browser = Browser(**{"Accept-Language": language})
    browser.force_login(nils)
    afterwards = {}

    def updates(**given):
        # By what the request has read.
        lose(Player.objects.get(id=nils.id))
        afterwards.update(everything())
        player_update(**given)

    monkeypatch.setattr(account, "player_update", updates)
    answer = browser.send("/account/", **PROFILE, password=PASSWORD)
    assert answer.status_code == 403
    assert errors(answer.content.decode()) == {"": [LOST[lose, language]]}
    assert everything() == afterwards


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("sv", "Den som har en roll lämnar den först: någon med högre rang tar den."),
        ("es", "Quien tiene un rol lo deja primero: se lo quita alguien de mayor rango."),
    ],
)
def test_whoever_has_a_role_is_told_so_in_the_language_of_the_page(staff, language, words):
    staff.set_password(PASSWORD)
    staff.save()
    browser = Browser(**{"Accept-Language": language})
    browser.force_login(staff)
    with nothing_changes():
        answer = browser.send("/account/erase", username="boss", password=PASSWORD)
    assert answer.status_code == 403
    assert errors(answer.content.decode()) == {"": [words]}
