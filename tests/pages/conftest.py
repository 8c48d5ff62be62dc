"""Fixtures of the tests of pages: browsers in which somebody is logged in, and what a page is made of."""

import pytest
from django.test import Client

from accounts.models import Player
from tests.api.conftest import make_game_of
from tests.api.test_leaks import clients, world

__all__ = ["clients", "make_game_of", "world"]
PASSWORD = "brown-otter-47"


class Browser(Client):
    """Keeps cookies, is checked for CSRF as a browser is, and sends with each form what the page gave it."""

    def __init__(self, **headers):
        super().__init__(
            enforce_csrf_checks=True,
            headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", **headers},
        )
        self.raise_request_exception = False

    def page(self, path, status=200, **headers):
        answer = self.get(path, headers=headers)
        assert answer.status_code == status, (path, answer.status_code, answer.content[:2000])
        return answer.content.decode()

    def send(self, path, **fields):
        """Fill in and send the form of a page."""
        self.get(path)
        return self.post(path, {"csrfmiddlewaretoken": self.csrf, **fields})

    @property
    def csrf(self):
        return self.cookies["csrftoken"].value if "csrftoken" in self.cookies else ""


@pytest.fixture
def visitor(db):
    """Somebody who is not logged in."""
    return Browser()


@pytest.fixture
def browser_of(db):
    """A browser in which a player is logged in."""

    def make(player):
        browser = Browser()
        browser.force_login(player)
        return browser

    return make


@pytest.fixture
def nils(db):
    return Player.objects.create_user(
        username="nils", display_name="Nils H.", password=PASSWORD, email="nils@example.org"
    )


@pytest.fixture
def at_home(nils, browser_of):
    """The browser of nils."""
    return browser_of(nils)
