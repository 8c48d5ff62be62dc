"""A throw-away PostgreSQL for the whole run, unless DATABASE_URL names one.

It starts before Django's settings are read. The workers of a parallel run find its address in their
environment; each has a database of its own there.
"""

import os
from contextlib import ExitStack

import pytest

from cardsite import embedded

pytest.register_assert_rewrite(
    "tests.rules.checks", "tests.rules.golden", "tests.rules.whole_games", "tests.api.consistency"
)

_cluster = ExitStack()


def pytest_addoption(parser):
    parser.addoption(
        "--every-viewer",
        action="store_true",
        help="play every variant by API for each of its viewers, in two worlds to the last move but one",
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests():
    os.environ.setdefault("SECRET_KEY", "only-for-tests")
    if "DATABASE_URL" not in os.environ:
        os.environ["DATABASE_URL"] = _cluster.enter_context(embedded.throwaway()).dsn
    return (yield)


def pytest_unconfigure():
    _cluster.close()
