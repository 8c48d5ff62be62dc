"""Two worlds that a viewer cannot tell apart, of each game in which seats see differently: while it goes on, both
are stepped through with the same answers, byte by byte."""

from itertools import islice
from random import Random

import pytest

from games import table
from games.catalog import CURRENT
from games.rules.contract import read_options
from games.table import Entry, Setup
from tests.api.worlds import other_world, told
from tests.expect import everything

PLIES = 12
HIDING = {"vagrat-lodrat": 2, "sicksack": 3, "vandtia-pyramid": 2, "kraftkort": 2}
CASES = [(slug, viewer) for slug, seats in HIDING.items() for viewer in (*range(seats), None)]


def test_every_game_in_which_seats_see_differently_is_tried():
    assert set(HIDING) == {
        slug for slug, rules in CURRENT.items() if rules.hides and rules.seats != range(1, 2)
    }


def played(setup, rng):
    """Some moves that a game begins with."""
    position, entries = table.lay_out(setup), []
    while position.to_act and len(entries) < PLIES:
        seat = rng.choice(position.to_act)
        legal = list(islice(setup.rules.legal_moves(position.state, seat), 200))
        entries.append(Entry(seat, rng.choice(legal)))
        position = table.advance(position, entries[-1]).after
    return entries


def two_worlds(slug, viewer):
    """Two deals and the entries of both, of which the viewer sees the same, and all together do not."""
    rules, rng = CURRENT[slug], Random(f"{slug} {viewer}")
    options = rules.resolve(read_options(rules, {}), HIDING[slug])
    deck = rng.sample(rules.deck(options), len(rules.deck(options)))
    setup = Setup(rules, options, HIDING[slug], tuple(deck))
    entries = played(setup, rng)
    other = other_world(setup, entries, viewer, rng)
    one, two = (
        rules.open_view(table.position_after(table.lay_out(world), entries).state) for world in (setup, other)
    )
    assert one != two
    return setup, other, entries


@pytest.mark.parametrize(("slug", "viewer"), CASES)
def test_what_is_hidden_from_a_viewer_changes_nothing_in_a_replay(
    slug, viewer, anna, bo, cilla, anonymous, make_game_of
):
    setup, other, entries = two_worlds(slug, viewer)
    seated = [anna, bo, cilla][: setup.seats]
    for player in seated:
        player.client.get_json("me/")  # notes that the token is in use
    games = [make_game_of(world.deck, slug, seated) for world in (setup, other)]
    for game in games:
        for ply, entry in enumerate(entries):
            body = {"ply": ply, "move": table.stored_move(entry.move)}
            answer = seated[entry.seat].client.post(f"games/{game}/moves", body)
            assert answer.status_code == 201, answer.content
    client = anonymous if viewer is None else seated[viewer].client
    plies, others = len(entries), [seat for seat in range(setup.seats) if seat != viewer]
    hidden = [f"{path}?seat={seat}" for path in ("replay", f"positions/{plies}") for seat in others]
    before = everything()
    for path in (
        "replay",
        "replay?limit=1",
        *(f"replay?limit=5&cursor={first}" for first in range(0, plies + 2, 5)),
        f"replay?cursor={plies}",
        *(f"replay?seat={eyes}" for eyes in (*range(setup.seats), "spectator")),
        *(f"positions/{plies}?seat={eyes}" for eyes in (*range(setup.seats), "spectator")),
        "export",
        "proof",
    ):
        one, two = (client.ask("GET", f"games/{game}/{path}", accept_language="sv") for game in games)
        assert told(one) == told(two), path
        assert one.status_code == (409 if path in ("export", "proof", *hidden) else 200)
    one, two = (client.ask("GET", f"games/{game}/export", accept="text/plain") for game in games)
    assert told(one) == told(two)
    assert everything() == before
