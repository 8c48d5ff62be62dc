"""Sanctions, tokens and sessions ended, roles, jobs done again: what may be done about whom, and that who did it,
when and why is written down."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.locks import database_time
from accounts.models import ApiToken, AuditEntry, Player, Sanction, Session
from accounts.selectors.ranks import ROLES
from accounts.selectors.sanctions import sanctions_in_force
from accounts.services.audit import audit_write
from accounts.services.players import bot_create
from accounts.services.roles import role_set
from accounts.services.sanctions import player_sanction, sanction_lift
from accounts.services.sessions import session_end, sessions_end_all
from accounts.services.tokens import token_end, tokens_revoke_all
from cardsite.jsonbody import timestamp
from cardsite.problems import Problem
from games.services.erasing import player_erase
from games.services.jobs import job_retry
from games.services.leaving import game_resign
from games.services.rating import game_void
from games.services.revealing import game_reveal
from games.tasks import settle_overdue
from tests.conftest import Client
from tests.expect import nothing_changes, problem

HOUR = timedelta(hours=1)


def refused(code, service, **given):
    with nothing_changes(), pytest.raises(Problem) as raised:
        service(**given)
    assert raised.value.code == code
    return raised.value


def audit():
    """Who did what about whom and why, first to last."""
    entries = AuditEntry.objects.order_by("id")
    return [
        (entry.by and entry.by.username, entry.act, entry.player and entry.player.username, entry.reason)
        for entry in entries
    ]


@pytest.fixture
def boss(staff):
    return staff


@pytest.fixture
def logged_in():
    """Logs a player in by browser: the browser."""

    def log_in(player):
        browser = Client()
        browser.force_login(player)
        return browser

    return log_in


# Sanctions.


@pytest.mark.parametrize("kind", ["mute", "suspension"])
def test_a_sanction_holds_until_its_time_or_until_it_is_lifted(anna, boss, kind):
    until = database_time() + HOUR
    timed = player_sanction(player=anna, by=boss, kind=kind, reason=" shouted ", until=until)
    for_ever = player_sanction(player=anna, by=boss, kind=kind, reason="again", until=None)
    assert (timed.kind, timed.reason, timed.until, timed.by, timed.lifted_at) == (
        *(kind, "shouted", until, boss),
        None,
    )
    assert [one.id for one in sanctions_in_force(player_id=anna.id)] == [for_ever.id, timed.id]
    lifted = sanction_lift(player=for_ever.player, sanction_id=for_ever.id, by=boss, reason=" heard ")
    assert (lifted.lifted_by, lifted.lift_reason) == (boss, "heard")
    assert timezone.now() - lifted.lifted_at < HOUR
    assert [one.id for one in sanctions_in_force(player_id=anna.id)] == [timed.id]
    Sanction.objects.create(
        player=anna,
        by=boss,
        kind=kind,
        reason="long ago",
        at=database_time() - 2 * HOUR,
        until=database_time() - HOUR,
    )
    assert [one.id for one in sanctions_in_force(player_id=anna.id)] == [timed.id]
    assert audit() == [
        ("boss", kind, "anna", "shouted"),
        ("boss", kind, "anna", "again"),
        ("boss", "lift", "anna", "heard"),
    ]
    assert list(AuditEntry.objects.order_by("id").values_list("details", flat=True)) == [
        {"sanction": str(timed.id), "until": timestamp(until)},
        {"sanction": str(for_ever.id), "until": None},
        {"sanction": str(for_ever.id), "kind": kind},
    ]


def test_a_sanction_is_lifted_once(anna, boss, bo):
    kept = player_sanction(player=anna, by=boss, kind="mute", reason="shouted", until=None)
    sanction_lift(player=kept.player, sanction_id=kept.id, by=boss, reason="heard")
    with nothing_changes():
        again = sanction_lift(player=kept.player, sanction_id=kept.id, by=bo, reason="again")
    assert again.lift_reason == "heard"


WRONG = {
    "another kind": ({"kind": "ban"}, "$.kind"),
    "no reason": ({"reason": " \n"}, "$.reason"),
    "a long reason": ({"reason": "x" * 201}, "$.reason"),
    "a reason that cannot be kept": ({"reason": "a\0b"}, "$.reason"),
    "a warning that ends": ({"kind": "warning", "until": "later"}, "$.until"),
    "a time that is past": ({"until": "past"}, "$.until"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_sanction_of_another_form_is_refused(anna, boss, case):
    times = {"later": database_time() + HOUR, "past": database_time() - HOUR}
    change, path = WRONG[case]
    given = {"player": anna, "by": boss, "kind": "mute", "reason": "shouted", "until": None, **change}
    given["until"] = times.get(given["until"])
    found = refused("invalid", player_sanction, **given)
    assert [fault["path"] for fault in found.facts["errors"]] == [path]


UNSEEN = {
    "zero width": "\u200b\u200d\ufeff",
    "separators": "\u200b\u2028\u00a0\u3000\u200b",
    "marks": "\u0301\ufe0f\u034f",
    "fillers": "\u3164\uffa0\u115f\u1160",
    "braille": "\u2800",
    "private": "\ue000\U000f0000",
    "tags": "\U000e0041\u00ad\u061c",
}


@pytest.mark.parametrize("reason", UNSEEN.values(), ids=UNSEEN)
def test_a_reason_in_which_there_is_nothing_to_see_is_none(anna, bo, boss, make_game, reason):
    game = make_game("sicksack", [anna, bo])
    for service, given in (
        (player_sanction, {"player": anna, "by": boss, "kind": "mute", "until": None}),
        (tokens_revoke_all, {"player": anna, "by": boss}),
        (sessions_end_all, {"player": anna, "by": boss}),
        (role_set, {"player": anna, "by": boss, "role": "viewer"}),
        (game_void, {"game_id": game, "by": boss}),
        (game_reveal, {"game_id": game, "by": boss}),
        (player_erase, {"player": anna, "by": boss}),
    ):
        found = refused("invalid", service, **given, reason=reason)
        assert found.facts["errors"] == [{"path": "$.reason", "message": "has something to read"}]


@pytest.mark.parametrize("reason", ["\u200dx", "\U0001f926\u200d\u2640\ufe0f", "\u05e9\u05c1", "."])
def test_a_reason_in_which_there_is_something_to_see_is_kept_as_it_is(anna, boss, reason):
    assert player_sanction(player=anna, by=boss, kind="mute", reason=reason, until=None).reason == reason


def test_nobody_judges_themselves_bots_staff_or_who_is_gone(anna, bo, boss, make_player):
    bot, _, _ = bot_create(owner=anna, username="robot", display_name=None)
    moderator = make_player("moderator1", is_staff=True)
    for player, by in ((anna, anna), (bot, boss), (moderator, boss), (boss, moderator)):
        refused("forbidden", player_sanction, player=player, by=by, kind="mute", reason="x", until=None)
    assert not Sanction.objects.exists()


def test_what_is_no_sanction_of_the_player_is_not_lifted(anna, bo, boss):
    refused("not_found", sanction_lift, player=anna, sanction_id=anna.id, by=boss, reason="x")
    kept = player_sanction(player=anna, by=boss, kind="mute", reason="shouted", until=None)
    refused("invalid", sanction_lift, player=anna, sanction_id=kept.id, by=boss, reason="")
    refused("not_found", sanction_lift, player=bo, sanction_id=kept.id, by=boss, reason="x")


# Tokens and sessions.


def test_all_tokens_of_a_player_are_ended_at_once(anna, bo, boss):
    assert anna.client.post("me/tokens/", {"name": "laptop"}).status_code == 201
    assert tokens_revoke_all(player=anna, by=boss, reason="leaked") == 2
    problem(anna.client.ask("GET", "me/"), "invalid_credentials")
    bo.client.get_json("me/")
    assert not ApiToken.objects.filter(player=anna, revoked_at=None).exists()
    assert audit() == [("boss", "revoke_tokens", "anna", "leaked")]
    assert AuditEntry.objects.get().details == {"tokens": 2}
    refused("invalid", tokens_revoke_all, player=bo, by=boss, reason="")


def test_a_session_is_known_by_its_player_and_ended_by_its_handle(anna, bo, boss, logged_in):
    first, second, other = logged_in(anna), logged_in(anna), logged_in(bo)
    sessions = Session.objects.filter(player=anna)
    assert len(sessions) == 2
    key = first.cookies["sessionid"].value
    handle = Session.objects.get(session_key=key).handle
    assert key not in handle
    refused("not_found", session_end, player=bo, handle=handle, by=boss, reason="x")
    refused("not_found", session_end, player=anna, handle=key, by=boss, reason="x")
    refused("invalid", session_end, player=anna, handle=handle, by=boss, reason="")
    session_end(player=anna, handle=handle, by=boss, reason="a stranger's")
    problem(first.ask("GET", "me/"), "unauthenticated")
    for browser in (second, other):
        browser.get_json("me/")
    assert audit() == [("boss", "end_session", "anna", "a stranger's")]
    assert key not in str(AuditEntry.objects.get().details)


def test_all_sessions_of_a_player_are_ended_at_once(anna, bo, boss, logged_in):
    browsers, other = [logged_in(anna), logged_in(anna)], logged_in(bo)
    assert sessions_end_all(player=anna, by=boss, reason="leaked") == 2
    for browser in browsers:
        problem(browser.ask("GET", "me/"), "unauthenticated")
    other.get_json("me/")
    assert audit() == [("boss", "end_sessions", "anna", "leaked")]
    refused("invalid", sessions_end_all, player=bo, by=boss, reason=" ")


def test_of_a_browser_that_nobody_is_logged_in_with_no_player_is_known(db):
    browser = Client()
    browser.session.save()
    assert list(Session.objects.values_list("player", flat=True)) == [None]


def test_who_logs_out_leaves_no_session(anna, logged_in):
    browser = logged_in(anna)
    browser.logout()
    assert not Session.objects.exists()


def of_access(player):
    """The acts that end what a player comes in by, as given for this player."""
    token = ApiToken.objects.filter(player=player).first()
    session = Session.objects.get(player=player)
    return [
        (session_end, {"handle": session.handle}),
        (sessions_end_all, {}),
        (token_end, {"token_id": token.id}),
        (tokens_revoke_all, {}),
    ]


@pytest.mark.parametrize("whose", ["the player's", "the owner's"])
def test_who_rises_meanwhile_is_judged_by_the_rank_that_counts(
    anna, boss, make_player, roles, logged_in, whose
):
    moderator = make_player("moderator1", is_staff=True)
    moderator.groups.add(Group.objects.get(name="moderator"))
    bot, _, _ = bot_create(owner=anna, username="robot", display_name=None)
    player = anna if whose == "the player's" else bot
    logged_in(player)
    # As it was read by a request that then waits.
    read = (
        Player.objects.select_related("bot_of").prefetch_related("groups", "bot_of__groups").get(id=player.id)
    )
    role_set(player=anna, by=boss, role="operator", reason="helps")
    for service, given in of_access(player):
        why = refused("forbidden", service, player=read, by=moderator, reason="leaked", **given)
        assert why.detail.startswith(f"{player.username} ranks as an operator")
    if player == bot:
        why = refused("forbidden", player_erase, player=read, by=moderator, reason="leaked")
        assert why.detail.startswith("robot ranks as an operator")


# Roles.

OF_ROLE = {
    "viewer": set(),
    "moderator": {
        *("accounts.sanction_player", "accounts.end_access", "games.void_game"),
        "games.reveal_game",
    },
    "operator": {
        *("accounts.sanction_player", "accounts.end_access", "games.void_game", "games.reveal_game"),
        *("accounts.erase_player", "accounts.set_role", "games.retry_job"),
    },
}


@pytest.mark.parametrize("role", OF_ROLE)
def test_a_role_gives_its_rights_and_looking_at_everything_but_what_is_hidden(anna, boss, roles, role):
    role_set(player=anna, by=boss, role=role, reason="helps")
    found = Player.objects.get(id=anna.id)
    assert found.is_staff
    assert not found.is_superuser
    rights = found.get_all_permissions()
    assert {right for right in rights if ".view_" not in right} == OF_ROLE[role]
    assert {"accounts.view_player", "games.view_game", "procrastinate.view_procrastinatejob"} <= rights
    assert {"games.view_deal", "games.view_dailydeal", "accounts.view_idempotentanswer"}.isdisjoint(rights)


def test_a_role_takes_the_place_of_the_one_before_and_is_taken_away(anna, boss, roles):
    clerks = Group.objects.create(name="clerks")
    anna.groups.add(clerks)
    for role in ("operator", "viewer", None):
        role_set(player=anna, by=boss, role=role, reason="helps")
    assert list(anna.groups.all()) == [clerks]
    assert not Player.objects.get(id=anna.id).is_staff
    assert audit() == [("boss", "set_role", "anna", "helps")] * 3
    assert [entry.details for entry in AuditEntry.objects.order_by("id")] == [
        {"role": "operator", "before": None},
        {"role": "viewer", "before": "operator"},
        {"role": None, "before": "viewer"},
    ]


def test_no_role_is_given_to_oneself_bots_those_with_all_rights_or_who_cannot_log_in(
    anna, bo, boss, make_player, roles
):
    bot, _, _ = bot_create(owner=anna, username="robot", display_name=None)
    gone = make_player("gone", is_active=False)
    for player, by in ((bo, bo), (bot, boss), (boss, bo), (gone, boss)):
        refused("forbidden", role_set, player=player, by=by, role="viewer", reason="x")
    refused("invalid", role_set, player=anna, by=boss, role="king", reason="x")
    refused("invalid", role_set, player=anna, by=boss, role="viewer", reason="")


def test_the_roles_are_those_that_a_migration_has_made(roles):
    assert set(ROLES) == set(Group.objects.values_list("name", flat=True)) == set(OF_ROLE)


# The audit trail.


def test_what_the_server_does_is_written_down_too(anna):
    audit_write(by=None, act="tidy", reason="it was time", player=anna, game=anna.id, details={"a": 1})
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.act, entry.reason, entry.player) == (None, "tidy", "it was time", anna)
    assert (entry.game, entry.details) == (anna.id, {"a": 1})
    refused("invalid", audit_write, by=None, act="tidy", reason="")


def test_voiding_and_revealing_are_written_down(anna, bo, boss, make_game):
    game = make_game("sicksack", [anna, bo])
    game_reveal(game_id=game, by=boss, reason=" a report ")
    with nothing_changes():
        game_reveal(game_id=game, by=boss, reason="again")
    game_resign(game_id=game, player=anna)
    game_void(game_id=game, by=boss, reason=" one person ")
    assert audit() == [("boss", "reveal", None, "a report"), ("boss", "void", None, "one person")]
    assert set(AuditEntry.objects.values_list("game", flat=True)) == {game}


# Jobs.


@pytest.fixture
def job(db):
    """A job that waits to be done: its id."""
    return settle_overdue.defer(timestamp=1_900_000_000)


def becomes(job, status, worker="NULL"):
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE procrastinate_jobs SET status = '{status}', worker_id = {worker} WHERE id = %s", (job,)
        )


def worker(heartbeat):
    """A worker that was heard of so long ago: its id."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) "
            "VALUES (statement_timestamp() - %s::interval) RETURNING id",
            (heartbeat,),
        )
        return cursor.fetchone()[0]


@pytest.mark.parametrize("how", ["failed", "its worker died", "its worker is not known"])
def test_a_job_that_failed_is_done_again(job, boss, how):
    if how == "failed":
        becomes(job, "failed")
    else:
        becomes(job, "doing", worker("1 minute") if how == "its worker died" else "NULL")
    job_retry(job_id=job, by=boss, reason="the disk was full")
    found = ProcrastinateJob.objects.get(id=job)
    assert (found.status, found.attempts) == ("todo", 1)
    assert audit() == [("boss", "retry_job", None, "the disk was full")]
    assert AuditEntry.objects.get().details == {"job": job, "task": "games.tasks.settle_overdue"}


def test_no_job_is_done_twice(job, boss):
    refused("forbidden", job_retry, job_id=job, by=boss, reason="x")
    for status in ("succeeded", "cancelled", "aborted"):
        becomes(job, status)
        refused("forbidden", job_retry, job_id=job, by=boss, reason="x")
    becomes(job, "doing", worker("1 second"))
    refused("forbidden", job_retry, job_id=job, by=boss, reason="x")
    becomes(job, "failed")
    settle_overdue.defer(timestamp=1_900_000_010)  # does the same
    refused("forbidden", job_retry, job_id=job, by=boss, reason="x")
    refused("not_found", job_retry, job_id=job + 1000, by=boss, reason="x")
    refused("invalid", job_retry, job_id=job, by=boss, reason="")
