"""How often somebody may try: counted exactly, across all processes, by the database.

An allowance of N in a period lets N through at once and gives one back every period / N. What is kept is the time
at which everything taken will have been given back, so one row and one statement do (the generic cell rate
algorithm).
"""

import hashlib
import math
from datetime import timedelta

from django.db import connection
from msgspec import Struct

from cardsite.problems import Problem

SWEPT_AT_ONCE = 20


class Allowance(Struct, frozen=True):
    """`most` at once, all given back after `period`."""

    most: int
    period: timedelta


_TAKE = """
INSERT INTO accounts_allowance AS kept (key, spent_until)
VALUES (%(key)s, statement_timestamp() + make_interval(secs => %(each)s))
ON CONFLICT (key) DO UPDATE
    SET spent_until = excluded.spent_until + greatest(kept.spent_until - statement_timestamp(), '0 s')
    WHERE excluded.spent_until + greatest(kept.spent_until - statement_timestamp(), '0 s')
          <= statement_timestamp() + make_interval(secs => %(period)s)
RETURNING true
"""
_WAIT = """
SELECT extract(epoch FROM spent_until - statement_timestamp()) + %(each)s - %(period)s
FROM accounts_allowance WHERE key = %(key)s
"""
_GIVE_BACK = """
UPDATE accounts_allowance SET spent_until = spent_until - make_interval(secs => %(each)s) WHERE key = %(key)s
"""
_SWEEP = """
DELETE FROM accounts_allowance WHERE key IN (
    SELECT key FROM accounts_allowance WHERE spent_until < statement_timestamp() LIMIT %s FOR UPDATE SKIP LOCKED
)
"""


def allowance_take(*, of: Allowance, what: str, who: str) -> None:
    """Take one of somebody's allowance of something. Raises `Problem` throttled, with the seconds to wait."""
    period = of.period.total_seconds()
    given: dict[str, bytes | float] = {"key": _key(what, who), "each": period / of.most, "period": period}
    with connection.cursor() as cursor:
        cursor.execute(_SWEEP, (SWEPT_AT_ONCE,))
        cursor.execute(_TAKE, given)
        if cursor.fetchone():
            return
        cursor.execute(_WAIT, given)
        found = cursor.fetchone()
    wait = max(1, math.ceil(found[0])) if found else 1
    raise Problem("throttled", f"Too many attempts; try again in {wait} s.", retry_after=wait)


def allowance_give_back(*, of: Allowance, what: str, who: str) -> None:
    """Give one back that was taken."""
    each = of.period.total_seconds() / of.most
    with connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, {"key": _key(what, who), "each": each})


def allowance_restore(*, what: str, who: str) -> None:
    """Give everything back."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance WHERE key = %s", (_key(what, who),))


def _key(what: str, who: str) -> bytes:
    return hashlib.sha256(f"{what}\0{who}".encode(errors="replace")).digest()
