"""Writes that the database refuses."""

import pytest
from django.db import IntegrityError, connection, transaction

NEVER, CHECK, UNIQUE, FOREIGN, NULL = "23001", "23514", "23505", "23503", "23502"


def refused(write, state, constraint=None):
    """Assert that a write is refused with this SQLSTATE, by the constraint of this name."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        write()
    cause = caught.value.__cause__
    assert cause.sqlstate == state
    if constraint is not None:
        assert cause.diag.constraint_name == constraint
