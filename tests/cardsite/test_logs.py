import json
import logging
import sys

import pytest
from django.db import IntegrityError

from accounts.models import Player
from cardsite.logs import LineFormatter, RequestIdFilter, StructuredFormatter, quiet_traceback, request_id

REQUESTS = "cardsite.requests"


@pytest.fixture
def seen(caplog):
    """The lines of the request log."""
    caplog.set_level(logging.INFO, logger=REQUESTS)
    caplog.handler.addFilter(RequestIdFilter())
    return lambda: [record for record in caplog.records if record.name == REQUESTS]


def test_a_request_is_named_in_its_answer_and_in_its_line(client, seen, db):
    answer = client.get("/healthz?token=secret", headers={"X-Request-ID": "trace-1.a"})
    assert answer["X-Request-ID"] == "trace-1.a"
    (record,) = seen()
    assert record.getMessage() == "GET /healthz 200"
    assert (record.method, record.path, record.status) == ("GET", "/healthz", 200)
    assert record.request_id == "trace-1.a"


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "å", "a\tb"])
def test_a_request_that_brings_no_proper_name_gets_a_new_one(client, given, db):
    named = client.get("/healthz", headers={"X-Request-ID": given} if given else {})["X-Request-ID"]
    assert len(named) == 16
    assert named != given


def test_a_structured_line_is_an_object_with_the_request_in_it():
    record = logging.makeLogRecord(
        {"name": "n", "levelname": "INFO", "msg": "hej %s", "args": ("du",), "status": 201}
    )
    token = request_id.set("r1")
    RequestIdFilter().filter(record)
    request_id.reset(token)
    line = StructuredFormatter("%(levelname)s %(message)s %(request_id)s").format(record)
    assert json.loads(line) == {"levelname": "INFO", "message": "hej du", "request_id": "r1", "status": 201}


def test_a_traceback_has_no_detail_of_the_database(db):
    hidden = "hidden@example.org"
    try:
        Player.objects.create_user(username="anna", display_name="", email=hidden)
    except IntegrityError:
        text = LineFormatter().formatException(sys.exc_info())
    assert "player_display_name_given" in text
    assert hidden not in text
    assert "DETAIL" not in text
    assert "test_logs.py" in text


def test_a_traceback_shows_what_was_raised_while_handling_what():
    outer = ValueError("outer")
    outer.__cause__ = KeyError("inner")
    text = quiet_traceback(outer)
    assert text.splitlines() == [
        "Traceback (most recent call last):",
        "ValueError: outer",
        "",
        "The above was raised while handling:",
        "Traceback (most recent call last):",
        "KeyError: 'inner'",
    ]
