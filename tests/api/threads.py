"""Requests at the same time, each on a thread and a database connection of its own."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection, connections

from tests.conftest import Client


def together(*calls):
    """What functions return that are called as nearly at the same time as threads can."""
    ready = Barrier(len(calls), timeout=20)

    def called(call):
        try:
            ready.wait()
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(called, calls))


def post(player, path, body, headers=None):
    """A request that is sent when it is called."""
    client = Client(player.secret)
    return lambda: client.post(path, body, **(headers or {}))


def at_once(*requests):
    """The answers to requests that are sent at the same time."""
    return together(*(post(*request) for request in requests))


def verdicts(answers):
    """How often each verdict was given: by status, and by code where there is one."""
    return Counter((answer.status_code, answer.json().get("code")) for answer in answers)


def until_waiting(number):
    """Until so many wait for a lock; ten seconds at most, in which the first of them would give up."""
    end = time.monotonic() + 10
    while (found := waiting_count()) != number:
        assert time.monotonic() < end, f"{found} wait, not {number}"
        time.sleep(0.01)


def waiting_count():
    """How many wait for a lock in this database; others of the server belong to other tests."""
    with connection.cursor() as cursor:
        # In a transaction who is connected stays as it was first seen.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        return cursor.fetchone()[0]
