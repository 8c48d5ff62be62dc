"""What the tests of the deals of the day share: a day, deals of it, and tries."""

import secrets
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from random import Random
from unittest.mock import patch

from games import shuffle
from games.services.daily import daily_deals_make
from tests.api.checks import records

DAY = date(2031, 5, 14)
OPENING = datetime(2031, 5, 14, tzinfo=UTC)
NOON = OPENING + timedelta(hours=12)
CLOSING = OPENING + timedelta(days=1)
MILLISECOND = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
PATIENCES = ("camelot", "las-pintas", "freecell")
WON_DECK = records("freecell")["deal-1"]["deck"]
WON = " ".join(records("freecell")["deal-1"]["notation"])


def make_deals(deck=None):
    """Make the deals of the day and the days ahead, the same in every run of a test; with `deck` all from that
    deck order."""
    with ExitStack() as patches:
        patches.enter_context(patch.object(secrets, "token_bytes", Random(1).randbytes))
        if deck is not None:
            patches.enter_context(patch.object(shuffle, "deck_order", lambda *_: list(deck)))
        return daily_deals_make(today=DAY)


def path_of(slug, day=DAY):
    return f"daily/{day}/{slug}/"


def begin(player, slug, day=DAY):
    """Begin a try: the game."""
    answer = player.client.post(path_of(slug, day), {})
    assert answer.status_code == 201, answer.content
    return answer.json()


def begun(player, slug, day=DAY):
    """Begin a try: its id."""
    return begin(player, slug, day)["id"]


def resign(player, game):
    answer = player.client.post(f"games/{game}/resign")
    assert answer.status_code == 200, answer.content
    return answer.json()


def first_moves(player, game, count=1):
    """Make so many first legal moves."""
    for _ in range(count):
        page = player.client.get_json(f"games/{game}/legal-moves?limit=1")
        answer = player.client.post(f"games/{game}/moves", {"ply": page["ply"], "move": page["items"][0]})
        assert answer.status_code == 201, answer.content


def tried(player, slug, moves=1):
    """Begin a try, make so many moves and give it up: its id."""
    game = begun(player, slug)
    first_moves(player, game, moves)
    resign(player, game)
    return game


def win(player, game):
    """Win a game of FreeCell that was dealt from the deck order of deal 1."""
    answer = player.client.post(f"games/{game}/moves", {"ply": 0, "notation": WON})
    assert (answer.status_code, answer.json().get("status")) == (201, "finished"), answer.content
