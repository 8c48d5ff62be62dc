"""What a worker does from time to time."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from itertools import product
from types import SimpleNamespace

import pytest
from procrastinate.contrib.django import app
from procrastinate.jobs import Job
from procrastinate.testing import InMemoryConnector

from games import tasks
from games.clock import TurnClock
from games.models import DailyDeal, Game

MIDNIGHT = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def worker():
    """The application with its jobs in memory instead of the database."""
    with app.replace_connector(InMemoryConnector()) as worker:
        yield worker


class Jobs:
    """In the job manager's place; notes what is asked of it."""

    def __init__(self, *stalled):
        self.stalled = stalled
        self.done = []

    async def get_stalled_jobs(self):
        return self.stalled

    async def retry_job(self, job):
        self.done.append(job)

    async def delete_old_jobs(self, **given):
        self.done.append(given)


def said_by_tasks(caplog):
    return [record.getMessage() for record in caplog.records if record.name == "games.tasks"]


def in_context(task, jobs):
    asyncio.run(task.func(SimpleNamespace(app=SimpleNamespace(job_manager=jobs)), timestamp=1))


def test_overdue_turns_are_looked_for_every_ten_seconds_and_jobs_looked_after():
    periodic = {task.name: [] for task in app.tasks.values() if task.name.startswith("games.")}
    for one in app.periodic_registry.periodic_tasks.values():
        if one.task.name in periodic:
            periodic[one.task.name].append(one.cron)
    assert periodic == {
        "games.tasks.finish_erasing": [],
        "games.tasks.settle_overdue": ["* * * * * */10"],
        "games.tasks.make_daily_deals": ["* * * * * 15"],
        "games.tasks.retry_stalled": ["* * * * * 5,35"],
        "games.tasks.remove_failed": ["17 3 * * *"],
    }


def test_a_job_that_waits_is_not_put_beside_another_of_its_kind():
    periodic = (tasks.settle_overdue, tasks.make_daily_deals, tasks.retry_stalled, tasks.remove_failed)
    locks = [task.queueing_lock for task in periodic]
    assert locks == ["settle_overdue", "make_daily_deals", "retry_stalled", "remove_failed"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_settles_what_is_overdue_and_says_how_much(worker, anna, bo, make_game, time_passes, caplog):
    games = [make_game("sicksack", [anna, bo], clock=TurnClock(seconds)) for seconds in (60, 60, 3600)]
    time_passes(61)
    caplog.set_level(logging.INFO, logger="games")
    tasks.settle_overdue.defer(timestamp=1)
    worker.run_worker(wait=False)
    tasks.settle_overdue(timestamp=2)
    assert [Game.objects.get(id=game).ending for game in games] == ["timed_out", "timed_out", None]
    # A worker may find at its start that other things are due as well.
    assert [message for message in said_by_tasks(caplog) if "settled" in message] == ["settled 2 games"]


@pytest.mark.django_db(transaction=True)
def test_deals_are_made_for_today_and_a_week_ahead_once(time_stands, caplog):
    caplog.set_level(logging.INFO, logger="games")
    day, second = timedelta(days=1), timedelta(seconds=1)
    for number, moment in enumerate((MIDNIGHT, MIDNIGHT, MIDNIGHT + day - second, MIDNIGHT + day)):
        time_stands(moment)
        tasks.make_daily_deals(timestamp=number)
    slugs = {"camelot", "freecell", "las-pintas"}
    days = [MIDNIGHT.date() + number * day for number in range(9)]
    assert sorted(DailyDeal.objects.values_list("date", "ruleset")) == sorted(product(days, slugs))
    assert said_by_tasks(caplog) == ["made 24 deals of the day", "made 3 deals of the day"]


def test_jobs_of_workers_that_died_are_tried_again(caplog):
    stalled = [
        Job(id=number, queue="default", lock=None, queueing_lock=None, task_name="games.tasks.settle_overdue")
        for number in (3, 4)
    ]
    jobs = Jobs(*stalled)
    in_context(tasks.retry_stalled, jobs)
    assert jobs.done == stalled
    assert [record.getMessage() for record in caplog.records] == [
        f"job {number} (games.tasks.settle_overdue) is tried again: its worker died" for number in (3, 4)
    ]


def test_failed_jobs_are_forgotten_after_thirty_days():
    jobs = Jobs()
    in_context(tasks.remove_failed, jobs)
    assert jobs.done == [{"nb_hours": 720, "include_failed": True}]
