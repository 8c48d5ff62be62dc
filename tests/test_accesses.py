"""By what somebody has come in: whether it still lets them in, asked for many at once."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Session
from accounts.selectors.accesses import Access, accesses_standing
from accounts.services.erasing import account_erase
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction, sanction_lift
from accounts.services.sessions import sessions_end_all
from accounts.services.tokens import token_create, token_revoke
from accounts.tickets import new_ticket
from tests.conftest import Client
from tests.expect import nothing_changes, problem


@pytest.fixture
def accesses(anna):
    """All ways by which anna has come in."""
    Client().force_login(anna)
    token, _ = token_create(player=anna, name="laptop")
    return {
        "token": Access(anna.id, token_id=token.id),
        "session": Access(anna.id, session=anna.sessions.get().handle),
        "player": Access(anna.id),
    }


def standing(accesses):
    found = accesses_standing(accesses=accesses.values())
    return {name for name, access in accesses.items() if access in found}


def test_all_are_asked_for_in_one_query(anna, bo, accesses):
    accesses |= {"bo": Access(bo.id), "theirs": Access(bo.id, token_id=accesses["token"].token_id)}
    with CaptureQueriesContext(connection) as queries:
        assert standing(accesses) == {"token", "session", "player", "bo"}
    assert len(queries) == 1
    assert accesses_standing(accesses=[]) == set()


def test_a_token_stands_until_it_is_revoked(anna, accesses):
    token_revoke(player=anna, token_id=accesses["token"].token_id)
    assert standing(accesses) == {"session", "player"}


def test_a_session_stands_until_it_ends_or_its_time_is_out(anna, staff, accesses):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert standing(accesses) == {"token", "player"}
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    assert standing(accesses) == {"token", "session", "player"}
    sessions_end_all(player=anna, by=staff, reason="leaked")
    assert standing(accesses) == {"token", "player"}


def test_nothing_stands_of_a_suspended_player_nor_of_the_bots(anna, staff, accesses):
    bot, _, _ = bot_create(owner=anna, username="robot", display_name=None)
    accesses["bot"] = Access(bot.id, token_id=bot.tokens.get().id)
    kept = player_sanction(player=anna, by=staff, kind="suspension", reason="sold seats", until=None)
    assert standing(accesses) == set()
    sanction_lift(player=kept.player, sanction_id=kept.id, by=staff, reason="heard")
    assert standing(accesses) == set(accesses)


def test_nothing_stands_of_a_player_who_is_gone(anna, accesses):
    account_erase(player=anna, by=anna, reason="a test")
    assert standing(accesses) == set()


@pytest.mark.parametrize("how", ["token", "session"])
def test_a_ticket_is_no_better_than_what_it_was_got_by(anna, anonymous, accesses, how):
    ticket = new_ticket(accesses[how])
    assert anonymous.ask("GET", f"me/events?ticket={ticket}").status_code == 200
    if how == "token":
        token_revoke(player=anna, token_id=accesses["token"].token_id)
    else:
        Session.objects.all().delete()
    with nothing_changes():
        problem(anonymous.ask("GET", f"me/events?ticket={ticket}"), "invalid_credentials")
    assert anonymous.ask("GET", f"me/events?ticket={new_ticket(accesses['player'])}").status_code == 200


def test_a_ticket_that_is_got_by_session_ends_with_it(anna, anonymous):
    browser = Client()
    browser.force_login(anna)
    ticket = browser.post("me/stream-ticket").json()["ticket"]
    assert anonymous.ask("GET", f"me/events?ticket={ticket}").status_code == 200
    browser.logout()
    problem(anonymous.ask("GET", f"me/events?ticket={ticket}"), "invalid_credentials")
