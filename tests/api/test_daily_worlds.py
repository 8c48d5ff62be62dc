"""Two worlds that differ only in what a try has not turned up: until the day is over its player gets the same
answers in both, also when the try has ended."""

import json
import re
from contextlib import contextmanager
from random import Random
from uuid import UUID

import pytest
from django.db import transaction

from games import table
from games.catalog import CURRENT
from games.models import Game
from games.rules.contract import Refused
from games.selectors.newest import newest_positions
from games.table import Entry, Setup
from tests.api.dailies import (
    NOON,
    make_deals,
    path_of,
)
from tests.api.worlds import told
from tests.rules.universe import moves_to_try
from tests.rules.variants import cards_within

STREAM = "text/event-stream"
ONE_ID = UUID("01936d3f-5b7c-7a10-9f4e-da11da11da11")
HIDING = ("camelot", "las-pintas")


def played(deck, slug, rng, plies):
    """Legal moves from the deal on, at most so many, and the position after them."""
    rules = CURRENT[slug]
    setup = Setup(rules, rules.resolve(rules.Options(), 1), 1, tuple(deck))
    position, entries = table.lay_out(setup), []
    while position.to_act and position.ply < plies:
        entries.append(Entry(0, rng.choice(list(rules.legal_moves(position.state, 0)))))
        position = table.advance(position, entries[-1]).after
    return entries, position


def hidden_in(position):
    """The cards that lie hidden."""
    rules, state = position.setup.rules, position.state
    return set(cards_within(rules.open_view(state))) - set(cards_within(rules.sealed_view(state)))


def with_others_hidden(deck, hidden):
    """The deck order with the hidden cards in one another's places."""
    cards = iter(
        [*(card for card in deck if card in hidden)][1:] + [card for card in deck if card in hidden][:1]
    )
    return [next(cards) if card in hidden else card for card in deck]


@contextmanager
def undone():
    """A world that is as if it had never been."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    newest_positions.clear()


def looks(game, slug, plies):
    """What the player of a try may ask, and with which headers."""
    for path in (
        "",
        "moves?limit=100",
        "legal-moves?limit=100",
        "replay?limit=100",
        "proof",
        "export",
        "events",
    ):
        yield f"games/{game}/{path}", {}
    for ply in {*range(0, plies, 9), plies - 1, plies, plies + 1}:
        yield f"games/{game}/positions/{ply}", {}
        yield f"games/{game}/replay?cursor={ply}&limit=1", {}
    for path in ("", "replay", "moves"):
        yield f"games/{game}/{path}", {"accept": "text/html"}
    yield f"games/{game}/export", {"accept": "text/plain"}
    for last in ("0", "3", str(plies + 2)):
        yield f"games/{game}/events", {"accept": STREAM, "last_event_id": last}
    yield f"games/{game}/events", {"accept": STREAM}
    yield "me/events?after=0", {}
    yield "me/events", {"accept": STREAM, "last_event_id": "0"}
    for path in ("games/", "games/?mine=true", path_of(slug), f"{path_of(slug)}table", "daily/", "exports/"):
        yield path, {}


@pytest.mark.parametrize("ends", ["goes on", "resigned", "played out"])
@pytest.mark.parametrize("slug", HIDING)
def test_the_player_of_a_try_cannot_tell_what_it_has_not_turned_up(
    slug, ends, anna, told_at_once, time_stands, monkeypatch
):
    time_stands(NOON)
    anna.client.get_json("me/")
    # Ids are the same in both worlds, so that tags are.
    monkeypatch.setattr(Game._meta.get_field("id"), "_get_default", lambda: ONE_ID)
    rng = Random(f"{slug} {ends}")
    deck = rng.sample(pack := list(CURRENT[slug].deck(CURRENT[slug].Options())), len(pack))
    entries, position = played(deck, slug, rng, 1000 if ends == "played out" else 4)
    assert bool(position.to_act) == (ends != "played out")
    hidden = hidden_in(position)
    assert len(hidden) > 3
    other = with_others_hidden(deck, hidden)
    assert sum(one != two for one, two in zip(deck, other, strict=True)) == len(hidden)
    refused = refused_moves(position, rng)
    assert len(refused) > 5
    one, two = (answers(anna, slug, dealt, entries, ends, refused) for dealt in (deck, other))
    assert list(one) == list(two)
    for asked in one:
        assert one[asked] == two[asked], asked
    assert {status for status, *_ in one.values()} >= {200, 201, 404, 409}
    names = re.compile(rf"\b(?:{'|'.join(hidden)})\b")
    for asked, (status, _, body, _) in one.items():
        # A refusal names what was tried, and the examples of its clause.
        assert status >= 400 or not names.search(body), asked


def refused_moves(position, rng):
    """Moves that are refused there, whatever lies hidden."""
    rules, state = position.setup.rules, position.state
    legal = list(rules.legal_moves(state, 0)) if position.to_act else []
    tried = moves_to_try(rules.Move, legal, rng)
    return [table.stored_move(move) for move in rng.sample(tried, 12) if not is_legal(position, move)]


def is_legal(position, move):
    try:
        table.judge(position, 0, move)
    except Refused:
        return False
    return True


def answers(anna, slug, deck, entries, ends, refused):
    """All answers that the player gets in the world of a deck order, with their tags: by path and headers."""
    found = {}

    def ask(method, path, body=None, **headers):
        answer = anna.client.ask(method, path, body, **headers)
        asked = (method, path, json.dumps(body), str(headers), len(found))
        found[asked] = (*told(answer), answer.headers.get("ETag", "") if "accept" not in headers else "")
        return answer

    with undone():
        make_deals(deck)
        assert ask("POST", path_of(slug), {}).status_code == 201
        game = str(ONE_ID)
        for ply, entry in enumerate(entries):
            body = {"ply": ply, "move": table.stored_move(entry.move)}
            assert ask("POST", f"games/{game}/moves", body).status_code == 201
            ask("GET", f"games/{game}/")
            ask("POST", f"games/{game}/moves", body)
        if ends == "resigned":
            assert ask("POST", f"games/{game}/resign").status_code == 200
        plies = anna.client.get_json(f"games/{game}/")["ply"]
        for path, headers in looks(game, slug, plies):
            ask("GET", path, **headers)
        for move in refused:
            assert ask("POST", f"games/{game}/moves", {"ply": plies, "move": move}).status_code in (409, 422)
        for path, ply in (("undo", plies), ("undo", plies + 1), ("start", None), ("leave", None)):
            ask("POST", f"games/{game}/{path}", {} if ply is None else {"ply": ply})
    return found
