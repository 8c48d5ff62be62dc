"""Two worlds that a viewer cannot tell apart: the API answers everything the same in both, here of Sicksack on
every path that there is; `test_every_game.py` looks on while each game is played."""

from itertools import product

import pytest

from games import table
from games.catalog import CURRENT
from games.rules.cards import FRENCH_DECK
from games.rules.contract import read_move, read_options
from games.table import Entry, Setup
from tests.api.checks import CHANCE, TAKE, freecell, play
from tests.api.worlds import VARIES, other_world, told
from tests.expect import everything

RULES = CURRENT["sicksack"]
SEATS = 3
ANOTHER_GAMES = freecell("1", "a")


def setup_of(deck):
    return Setup(RULES, read_options(RULES, {}), SEATS, tuple(deck))


def position_after(setup, entries):
    return table.position_after(table.lay_out(setup), entries)


def two_worlds(plies, viewer, rng):
    """Two deals and the entries of both, after which no hand that is hidden from the viewer is the same."""
    seat = viewer if viewer in range(SEATS) else None
    for _ in range(20):
        setup = setup_of(rng.sample(FRENCH_DECK, len(FRENCH_DECK)))
        entries = played(setup, plies, viewer, rng)
        other = other_world(setup, entries, seat, rng)
        hands, others = (position_after(world, entries).state.hands for world in (setup, other))
        if all(hands[number] != others[number] for number in range(SEATS) if number != seat):
            return setup, other, entries
    pytest.fail("no second world was found")


def played(setup, plies, viewer, rng):
    """Legal moves that a game begins with, to where a seat that looks on is to act; chances and takings are
    rare among them."""
    position, entries = table.lay_out(setup), []
    while len(entries) < plies or (plies and viewer in range(SEATS) and viewer not in position.to_act):
        (seat,) = position.to_act
        legal = list(RULES.legal_moves(position.state, seat))
        entries.append(Entry(seat, rng.choice([*legal[:-1], *legal[:-1], legal[-1]])))
        position = table.advance(position, entries[-1]).after
    return entries


def looks(plies):
    """What may be asked of a game, as path, query and headers."""
    for path in (
        "",
        "legal-moves",
        "legal-moves?limit=1",
        "legal-moves?cursor=0.1",
        "moves",
        "moves?limit=3",
    ):
        yield path, {}
    yield f"moves?cursor={max(plies - 1, 0)}", {}
    for ply in sorted({*range(0, plies, 9), plies, plies + 1}):
        yield f"positions/{ply}", {}
    for path in ("", "moves", f"positions/{plies}"):
        yield path, {"accept": "text/html"}


def attempts(plies, cards):
    """What changes nothing in any world, as path and body."""
    yield "join", {"entropy": "x"}
    yield "start", {"entropy": "x"}
    yield "leave", None
    for move in (TAKE, CHANCE, play("QH"), ANOTHER_GAMES):
        yield "moves", {"ply": plies + 1, "move": move}
        yield "moves", {"ply": max(plies - 1, 0), "moves": [move, ANOTHER_GAMES]}
    yield "moves", {"ply": plies, "notation": "5a"}
    yield "undo", {"ply": plies}
    yield "undo", {"ply": plies + 1}
    yield "moves", {"ply": plies, "move": {"type": "play", "card": "QH", "count": 1}}
    for move in (TAKE, CHANCE, *map(play, cards)):
        yield "moves", {"ply": plies, "moves": [move, ANOTHER_GAMES]}
        yield "moves", {"ply": plies, "moves": [TAKE, move, ANOTHER_GAMES]}


def is_illegal(position, seat, move):
    return read_move(RULES, move) not in list(RULES.legal_moves(position.state, seat))


@pytest.fixture
def clients(anna, bo, cilla, stranger, anonymous):
    """By viewer: a seat, or somebody without one."""
    for player in (anna, bo, cilla, stranger):
        player.client.get_json("me/")  # notes that the token is in use, after which answers are quick
    return {
        0: anna.client,
        1: bo.client,
        2: cilla.client,
        "stranger": stranger.client,
        "anonymous": anonymous,
    }


@pytest.fixture
def world(clients, anna, bo, cilla, make_game_of):
    """Plays moves in a game dealt from a deck order: its id."""

    def make(setup, entries):
        game = make_game_of(setup.deck, "sicksack", [anna, bo, cilla])
        for ply, entry in enumerate(entries):
            body = {"ply": ply, "move": table.stored_move(entry.move)}
            answer = clients[entry.seat].post(f"games/{game}/moves", body)
            assert answer.status_code == 201, answer.content
        return game

    return make


# Before the first move; with a stock; and without, where all that is hidden are hands.
@pytest.mark.parametrize(
    ("viewer", "plies"),
    [*product([0, 1, 2], [0, 13, 46]), ("stranger", 13), ("anonymous", 13), ("anonymous", 46)],
)
def test_what_is_hidden_from_a_viewer_changes_no_answer(plies, viewer, clients, world, rng):
    client = clients[viewer]
    setup, other, entries = two_worlds(plies, viewer, rng)
    plies = len(entries)
    mine, theirs = (position_after(dealt, entries) for dealt in (setup, other))
    games = world(setup, entries), world(other, entries)
    before = everything()

    for path, headers in looks(plies):
        one, two = (client.ask("GET", f"games/{game}/{path}", **headers) for game in games)
        assert told(one) == told(two), path
    listed = {game["id"]: game for game in client.get_json("games/")["items"]}
    one, two = (VARIES.sub("*", str({**listed[str(game)], "commitment": None})) for game in games)
    assert one == two

    cards = {card for position in (mine, theirs) for hand in position.state.hands for card in hand}
    cards |= {card for position in (mine, theirs) for card in position.state.stock[:1]}
    for path, body in attempts(plies, rng.sample(sorted(cards), 5)):
        one, two = (client.post(f"games/{game}/{path}", body) for game in games)
        assert told(one) == told(two), (path, body)
    for move in (TAKE, CHANCE, *map(play, sorted(cards))):
        if viewer in range(SEATS) and is_illegal(mine, viewer, move):
            one, two = (client.post(f"games/{game}/moves", {"ply": plies, "move": move}) for game in games)
            assert told(one) == told(two), move
    assert everything() == before
