"""Fixtures of the API's tests: games with a deck order that the test chose."""

import pytest

from games import shuffle
from games.rules.cards import FRENCH_DECK


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
