"""What tests of refusals say again and again: which problem it is, and that nothing was written."""

import json
from contextlib import contextmanager

from django.db import connection

from cardsite.problems import CONTENT_TYPE, KINDS

# Also what is counted of attempts: a refused one counts.
NOT_DATA = {
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "accounts_allowance",
    "accounts_requestcount",
}


def everything():
    """Every row of every table as JSON text, by table. When a token was last used is left out: being asked
    changes it, and that alone."""
    tables = sorted(set(connection.introspection.table_names()) - NOT_DATA)
    parts = [
        f"SELECT '{table}', coalesce(jsonb_agg(to_jsonb(t) - 'last_used_at' ORDER BY to_jsonb(t)), '[]')::text "
        f"FROM {table} t"
        for table in tables
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        return dict(cursor.fetchall())


@contextmanager
def nothing_changes():
    before = everything()
    yield
    after = everything()
    changed = {table for table in before if before[table] != after[table]}
    assert not changed, f"written to: {changed}"


def problem(answer, code, **facts):
    """Assert that an answer is the problem of this code, with these facts among its members: its body."""
    body = json.loads(answer.content)
    assert (answer.status_code, body.get("code")) == (KINDS[code].status, code), answer.content
    assert answer.headers["Content-Type"] == CONTENT_TYPE
    assert body["type"] == f"/api/v1/problems#{code}"
    assert body["title"] == KINDS[code].title
    assert body["status"] == KINDS[code].status
    assert isinstance(body["detail"], str)
    assert body["detail"]
    assert {name: body.get(name) for name in facts} == facts
    return body


def is_wait(seconds, most):
    """Whether somebody is told to wait for so many seconds, less what has passed since the first attempt: on a
    loaded machine that is some."""
    return most - 20 <= int(seconds) <= most


def faults(answer, code="malformed"):
    """The paths at which a request that was refused was at fault."""
    return [fault["path"] for fault in problem(answer, code)["errors"]]
