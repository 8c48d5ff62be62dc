"""An account that is erased while something else is done about its player, each on a thread of its own."""

import threading

import pytest
from django.contrib.auth.forms import AuthenticationForm
from django.test import Client as DjangoClient

from accounts.models import AuditEntry, Player
from accounts.services import sanctions, sessions, tokens
from accounts.services.audit import audit_write
from accounts.services.sanctions import player_sanction
from games.services.erasing import player_erase
from tests.api.test_erasing import PASSWORD, left_over, zebedee
from tests.api.threads import together, until_waiting
from tests.conftest import Client

__all__ = ["zebedee"]

MEANWHILE = {
    "lift": lambda player, by: sanctions.sanction_lift(
        player=player, sanction_id=player.sanctions.get().id, by=by, reason="heard"
    ),
    "revoke_token": lambda player, by: tokens.token_end(
        player=player, token_id=player.tokens.first().id, by=by, reason="leaked"
    ),
    "revoke_tokens": lambda player, by: tokens.tokens_revoke_all(player=player, by=by, reason="leaked"),
    "end_session": lambda player, by: sessions.session_end(
        player=player, handle=player.sessions.get().handle, by=by, reason="leaked"
    ),
    "end_sessions": lambda player, by: sessions.sessions_end_all(player=player, by=by, reason="leaked"),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", MEANWHILE)
def test_an_erasure_waits_for_what_is_being_done_about_the_player(zebedee, staff, monkeypatch, act):
    player_sanction(player=zebedee, by=staff, kind="mute", reason="Zebedee shouted", until=None)
    assert Client().login(username="Zebedee", password=PASSWORD)
    begun = threading.Event()

    def writes(**given):
        begun.set()
        until_waiting(1)
        audit_write(**given)

    for module in (sanctions, tokens, sessions):
        monkeypatch.setattr(module, "audit_write", writes)

    def erases():
        assert begun.wait(10)
        player_erase(player=zebedee, by=zebedee, reason="a test")

    together(lambda: MEANWHILE[act](Player.objects.get(id=zebedee.id), staff), erases)
    assert Player.objects.get(id=zebedee.id).erased_at is not None
    assert AuditEntry.objects.filter(act=act, player=zebedee).count() == 1
    assert left_over() == {}


@pytest.mark.django_db
@pytest.mark.parametrize("door", ["/log-in", "/admin/login/", "/api/login/"])
def test_a_log_in_while_the_account_is_erased_opens_nothing(make_player, monkeypatch, door):
    # A superuser enters by all three doors. The password is looked at before the erasure; the session comes after.
    player = make_player("Zebedee", password=PASSWORD)
    Player.objects.filter(id=player.id).update(is_staff=True, is_superuser=True)

    def get_user(form):
        Player.objects.filter(id=player.id).update(is_staff=False, is_superuser=False)
        player_erase(player=Player.objects.get(id=player.id), by=player, reason="a test")
        return form.user_cache

    monkeypatch.setattr(AuthenticationForm, "get_user", get_user)
    browser = DjangoClient(raise_request_exception=False)
    answer = browser.post(door, {"username": "Zebedee", "password": PASSWORD})
    assert answer.status_code == 302
    player.refresh_from_db()
    assert (player.last_login, player.erased_at is None) == (None, False)
    assert browser.get("/account/").status_code == 302
