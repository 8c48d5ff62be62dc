"""Fixtures of the API's tests: games with a deck order that the test chose."""

import pytest

from games import shuffle
from games.api import told as api_told
from games.models import Game
from games.rules.cards import FRENCH_DECK
from games.selectors import told
from tests.api.consistency import assert_holds_together


@pytest.fixture
def make_game_of(make_game, monkeypatch):
    """`make_game`, dealt from a deck order instead of a shuffled one."""

    def make(deck, slug, players, **fields):
        with monkeypatch.context() as patched:
            patched.setattr(shuffle, "deck_order", lambda _pack, _seed, _entropies: list(deck))
            return make_game(slug, players, **fields)

    return make


@pytest.fixture
def make_sicksack(make_game_of):
    """A game of Sicksack whose deck order begins with these cards; the others follow in the pack's order."""

    def make(players, first_cards, **fields):
        cards = first_cards.split()
        deck = [*cards, *(card for card in FRENCH_DECK if card not in cards)]
        return make_game_of(deck, "sicksack", players, **fields)

    return make


@pytest.fixture
def told_at_once(db, monkeypatch):
    """Lets players be told of what has happened in the transaction that a test runs in, which never ends, whatever
    the transactions of other tests do."""
    place = told.newest_cursor()
    monkeypatch.setattr(api_told, "newest_cursor", lambda: place)
    ended = "e.txid < pg_snapshot_xmin(pg_current_snapshot())"
    assert ended in told._OF_PLAYER
    monkeypatch.setattr(told, "_OF_PLAYER", told._OF_PLAYER.replace(ended, "true"))


@pytest.fixture
def games_hold_together(db):
    """Looks at every game after the test."""
    yield
    for game in Game.objects.exclude(started_at=None):
        assert_holds_together(game.id)
