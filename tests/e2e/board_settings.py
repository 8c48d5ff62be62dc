"""The tests' settings, with a page that holds nothing but a replay board."""

from tests.settings import *  # noqa: F403

ROOT_URLCONF = "tests.e2e.board_urls"
