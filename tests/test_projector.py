"""The thread of a worker that counts games as they end."""

import logging
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, OperationalError

from games import projector
from games.models import Tally, Uncounted
from games.services.boards import AT_ONCE
from tests.api.finished import finish, patience
from tests.conftest import database_url

ROOT = Path(__file__).resolve().parent.parent


class Ended(Exception):
    """Thrown into the projector, which goes on for ever."""


@pytest.fixture
def paused(monkeypatch):
    """How long the projector has paused each time; its third pause ends it."""
    pauses = []

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            raise Ended

    monkeypatch.setattr(projector, "time", SimpleNamespace(sleep=pause))
    return pauses


def counts(monkeypatch, *answers):
    """Lets the projector count so many games each time, or fail: how often it was asked."""
    left, asked = list(answers), []

    def project():
        asked.append(True)
        answer = left.pop(0) if left else 0
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(projector, "boards_project", project)
    with pytest.raises(Ended):
        projector._project()
    return len(asked)


def test_it_pauses_once_nothing_is_left_to_be_counted(monkeypatch, paused):
    assert counts(monkeypatch, AT_ONCE, AT_ONCE, 7, 0, AT_ONCE, 0) == 6
    assert paused == [projector.PAUSE] * 3
    assert projector.PAUSE <= 0.5


def test_it_goes_on_after_an_error_of_the_database_on_a_new_connection(monkeypatch, paused, caplog):
    closed = []
    monkeypatch.setattr(
        projector, "connection", type("Connection", (), {"close": lambda: closed.append(True)})
    )
    caplog.set_level(logging.WARNING, logger="games.projector")
    assert counts(monkeypatch, OperationalError("secret"), 3, DatabaseError("secret")) == 3
    assert len(closed) == 2
    said = [record.getMessage() for record in caplog.records]
    assert said == ["boards not counted: OperationalError", "boards not counted: DatabaseError"]


def test_its_thread_does_not_keep_a_worker_from_ending(monkeypatch):
    made = []
    monkeypatch.setattr(projector, "_project", lambda: None)
    monkeypatch.setattr(projector, "Thread", lambda **given: made.append(Thread(**given)) or made[0])
    projector.keep_projecting()
    made[0].join(5)
    assert (made[0].daemon, made[0].name) == (True, "projector")


@pytest.mark.django_db(transaction=True)
def test_a_worker_counts_a_game_within_a_second(anna):
    environment = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    worker = subprocess.Popen(
        [sys.executable, "manage.py", "worker", "--end-with-parent"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        finish(patience(anna))
        assert until_counted(60) is not None, "the worker does not start"
        # The best of three, since a machine may be busy.
        took = []
        for _ in range(3):
            finish(patience(anna))
            took.append(until_counted(60))
        assert min(took) < 1, took
    finally:
        worker.terminate()
        worker.wait(20)
    assert Tally.objects.get(board__period="all").wins == 4


def until_counted(most):
    """Seconds until nothing is left to be counted, or None."""
    began = time.monotonic()
    while time.monotonic() < began + most:
        if not Uncounted.objects.exists():
            return time.monotonic() - began
        time.sleep(0.02)
    return None


def test_it_goes_on_whatever_goes_wrong_and_says_so(monkeypatch, paused, caplog):
    assert counts(monkeypatch, ValueError("oh"), 7) == 3
    (record,) = (record for record in caplog.records if record.name == "games.projector")
    assert (record.levelno, record.message, str(record.exc_info[1])) == (
        logging.ERROR,
        "boards not counted",
        "oh",
    )
