"""What is over is forgotten from time to time: answers that were kept for a retry, and sessions."""

import logging
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from procrastinate.contrib.django import app

from accounts import tasks
from accounts.models import IdempotentAnswer, Session
from accounts.services import sweeping
from accounts.services.idempotency import answer_once
from accounts.services.sweeping import answers_sweep, sessions_sweep
from tests.api.threads import together
from tests.conftest import Client

HOUR = timedelta(hours=1)


def ages(hours, **which):
    IdempotentAnswer.objects.filter(**which).update(created_at=F("created_at") - hours * HOUR)


def logs_in(player, number):
    """So many sessions of a player, each ending an hour after the one before."""
    now = timezone.now()
    Session.objects.bulk_create(
        Session(
            session_key=f"{player.username}-{one:04}",
            session_data="",
            expire_date=now + (one + 1) * HOUR,
            player=player,
        )
        for one in range(number)
    )


@pytest.fixture
def answers(anna, bo):
    for player in (anna, bo):
        for number in range(3):
            answer_once(player=player, key=f"k{number}", request=b"", work=lambda: b"{}")


def test_answers_are_forgotten_after_a_day_whoever_they_were_for(answers, bo, monkeypatch):
    monkeypatch.setattr(sweeping, "AT_ONCE", 2)
    ages(23)
    assert answers_sweep() == 0
    ages(2, player=bo)
    assert answers_sweep() == 3
    assert set(IdempotentAnswer.objects.values_list("player__username", flat=True)) == {"anna"}
    ages(2)
    assert answers_sweep() == 3


def test_sessions_are_forgotten_when_their_time_is_out(anna, bo, monkeypatch):
    monkeypatch.setattr(sweeping, "AT_ONCE", 2)
    logs_in(anna, 3)
    logs_in(bo, 2)
    Client().force_login(anna)
    assert sessions_sweep() == 0
    Session.objects.filter(session_key__startswith="anna-").update(expire_date=timezone.now())
    Session.objects.filter(session_key="bo-0001").update(expire_date=timezone.now())
    assert sessions_sweep() == 4
    assert Session.objects.filter(player=anna).count() == 1
    assert Session.objects.get(player=bo).session_key == "bo-0000"


def test_of_very_many_sessions_of_a_player_the_newest_stay(anna, bo, monkeypatch):
    monkeypatch.setattr(sweeping, "AT_ONCE", 2)
    monkeypatch.setattr(sweeping, "MOST_SESSIONS", 3)
    logs_in(anna, 8)
    logs_in(bo, 3)
    Session.objects.create(session_key="nobody", session_data="", expire_date=timezone.now() + HOUR)
    assert sessions_sweep() == 5
    kept = Session.objects.order_by("session_key").values_list("session_key", flat=True)
    assert list(kept) == [
        *(f"anna-{one:04}" for one in (5, 6, 7)),
        *(f"bo-{one:04}" for one in range(3)),
        "nobody",
    ]


def test_there_is_room_for_a_hundred_sessions_of_a_player(anna):
    logs_in(anna, 101)
    assert sessions_sweep() == 1
    assert not Session.objects.filter(session_key="anna-0000").exists()


@pytest.mark.django_db(transaction=True)
def test_what_others_are_at_is_left_for_the_next_time(anna, answers):
    ages(25)

    def sweeps():
        return answers_sweep()

    with transaction.atomic():
        IdempotentAnswer.objects.select_for_update().get(player=anna, key_digest=_first_key(anna))
        (swept,) = together(sweeps)
    assert swept == 5
    assert answers_sweep() == 1


@pytest.mark.django_db(transaction=True)
def test_sessions_that_others_are_at_are_left_for_the_next_time(anna, monkeypatch):
    monkeypatch.setattr(sweeping, "MOST_SESSIONS", 3)
    logs_in(anna, 8)

    def sweeps():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        return sessions_sweep()

    with transaction.atomic():
        Session.objects.filter(session_key="anna-0002").delete()
        (swept,) = together(sweeps)
        transaction.set_rollback(True)
    assert swept == 4
    assert sessions_sweep() == 1


def _first_key(player):
    return IdempotentAnswer.objects.filter(player=player).order_by("id").first().key_digest


def test_it_is_done_each_hour_and_each_night():
    periodic = {
        one.task.name: (one.cron, one.task.queueing_lock)
        for one in app.periodic_registry.periodic_tasks.values()
        if one.task.name.startswith("accounts.")
    }
    assert periodic == {
        "accounts.tasks.sweep_answers": ("23 * * * *", "sweep_answers"),
        "accounts.tasks.sweep_sessions": ("41 3 * * *", "sweep_sessions"),
    }


@pytest.mark.django_db(transaction=True)
def test_a_worker_forgets_and_says_how_much(anna, answers, caplog):
    caplog.set_level(logging.INFO, logger="accounts")
    logs_in(anna, 2)
    for number in (1, 2):
        tasks.sweep_answers(timestamp=number)
        tasks.sweep_sessions(timestamp=number)
        ages(25)
        Session.objects.update(expire_date=timezone.now())
    said = [record.getMessage() for record in caplog.records if record.name == "accounts.tasks"]
    assert said == ["forgot 6 kept answers", "forgot 2 sessions"]
