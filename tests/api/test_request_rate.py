"""How many requests a minute takes, over all processes."""

import time

import pytest
from django.db import DatabaseError, connection

from accounts import request_rate
from accounts.models import RequestCount
from accounts.services.request_counts import RequestCounts
from tests.conftest import Client
from tests.expect import problem

NOON = 1_800_000_000.0  # the beginning of a minute


@pytest.fixture
def counts(monkeypatch):
    fresh = RequestCounts()
    monkeypatch.setattr(request_rate, "counts", fresh)
    monkeypatch.setattr(time, "time", lambda: NOON + 15)
    return fresh


def test_so_many_are_answered_and_the_next_is_told_when_to_ask_again(counts, anna, settings):
    settings.REQUESTS_PER_MINUTE = 3
    answers = [anna.client.ask("GET", "me/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    problem(answers[3], "throttled")
    assert answers[3]["Retry-After"] == "45"


def test_the_next_minute_begins_anew(counts, anna, settings, monkeypatch):
    settings.REQUESTS_PER_MINUTE = 1
    assert [anna.client.ask("GET", "me/").status_code for _ in range(2)] == [200, 429]
    monkeypatch.setattr(time, "time", lambda: NOON + 60)
    assert anna.client.ask("GET", "me/").status_code == 200


def test_players_are_counted_apart_and_strangers_by_address(counts, anna, bo, settings):
    settings.REQUESTS_PER_MINUTE = 1
    assert anna.client.ask("GET", "me/").status_code == 200
    assert bo.client.ask("GET", "me/").status_code == 200
    assert [Client().ask("GET", "rulesets/").status_code for _ in range(2)] == [200, 429]
    elsewhere = Client().generic("GET", "/api/v1/rulesets/", REMOTE_ADDR="192.0.2.9")
    assert elsewhere.status_code == 200


def test_a_refused_move_is_not_played(counts, anna, make_game, settings):
    settings.REQUESTS_PER_MINUTE = 1
    game = make_game("freecell", [anna])
    assert anna.client.ask("GET", "me/").status_code == 200
    problem(anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": "1a"}), "throttled")
    settings.REQUESTS_PER_MINUTE = 10
    assert anna.client.get_json(f"games/{game}/")["ply"] == 0


def test_a_game_that_is_asked_for_counts_as_well(counts, anna, make_game, settings):
    settings.REQUESTS_PER_MINUTE = 3
    path = f"games/{make_game('freecell', [anna])}/"
    anna.client.get_json("me/")  # notes that the token is in use
    answers = [anna.client.ask("GET", path) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


@pytest.mark.parametrize("accept", ["*/*", "application/json;q=1"])
@pytest.mark.parametrize("condition", ["tag", "*"])
def test_a_game_that_has_not_changed_counts_as_well(counts, anna, make_game, settings, condition, accept):
    settings.REQUESTS_PER_MINUTE = 4
    path = f"games/{make_game('freecell', [anna])}/"
    anna.client.get_json("me/")  # notes that the token is in use
    tag = anna.client.ask("GET", path).headers["ETag"] if condition == "tag" else "*"
    asked = [anna.client.ask("GET", path, if_none_match=tag, accept=accept) for _ in range(4)]
    allowed = 2 if condition == "tag" else 3
    assert [answer.status_code for answer in asked] == [304] * allowed + [429] * (4 - allowed)


def test_counting_costs_no_statement(db, counts, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert [counts.count("somebody", NOON) for _ in range(3)] == [1, 2, 3]


def test_processes_learn_of_each_other_and_nothing_is_counted_twice(db):
    here, there = RequestCounts(), RequestCounts()
    for _ in range(5):
        here.count("somebody", NOON)
    for _ in range(2):
        there.count("somebody", NOON)
    here.synchronise(NOON)
    there.synchronise(NOON)
    assert there.count("somebody", NOON) == 5 + 2 + 1
    assert here.count("somebody", NOON) == 5 + 1
    here.synchronise(NOON)
    there.synchronise(NOON)
    there.synchronise(NOON)
    assert (here.count("somebody", NOON), there.count("somebody", NOON)) == (8 + 1, 9 + 1)
    assert [row.requests for row in RequestCount.objects.all()] == [9]


def test_what_is_over_is_forgotten(db):
    counts = RequestCounts()
    counts.count("somebody", NOON)
    counts.synchronise(NOON)
    counts.count("somebody", NOON + 120)
    counts.synchronise(NOON + 120)
    assert [row.minute for row in RequestCount.objects.all()] == [int(NOON // 60) + 2]
    assert counts._known.keys() == {next(iter(counts._known))}


def test_a_lost_database_loses_no_count_here(db, monkeypatch):
    counts = RequestCounts()
    counts.count("somebody", NOON)

    def lost():
        raise DatabaseError

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", lost)
        with pytest.raises(DatabaseError):
            counts.synchronise(NOON)
    assert counts.count("somebody", NOON) == 2
    counts.synchronise(NOON)
    assert [row.requests for row in RequestCount.objects.all()] == [2]


def test_nobody_is_named_in_what_is_kept(db):
    counts = RequestCounts()
    counts.count("192.0.2.9", NOON)
    counts.synchronise(NOON)
    kept = RequestCount.objects.get()
    assert len(bytes(kept.key)) == 32
    assert b"192" not in bytes(kept.key)
