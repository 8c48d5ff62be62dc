"""Two worlds that a viewer cannot tell apart: the API answers everything the same in both.

The second world is dealt from a deck order in which cards that are hidden from the viewer have changed places,
so that the same moves are legal and the viewer sees the same.
"""

import re
from itertools import product

import pytest

from games import table
from games.catalog import CURRENT
from games.rules.cards import FRENCH_DECK
from games.rules.contract import IllegalMove, read_move, read_options
from games.table import Entry, Setup
from tests.api.checks import CHANCE, TAKE, freecell, play
from tests.expect import everything

RULES = CURRENT["sicksack"]
SEATS = 3
VARIES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"  # ids
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"  # times
    r'|(?<="commitment":")[0-9a-f]{64}'
    r'|(?<="csrfToken": ")\w{64}|(?<=name="csrfmiddlewaretoken" value=")\w{64}'
    r"|(?<=commitment&quot;: &quot;)[0-9a-f]{64}|(?<=<b>ETag:</b> <span class=\"lit\">&quot;)[0-9a-f]{32}"
)


ANOTHER_GAMES = freecell("1", "a")


def dealt(deck):
    return table.lay_out(Setup(RULES, read_options(RULES, {}), SEATS, tuple(deck)))


def position_after(deck, moves):
    position = dealt(deck)
    for given in moves:
        position = table.advance(position, Entry(position.to_act[0], read_move(RULES, given))).after
    return position


def seen_in(deck, moves, viewer):
    """All that a viewer sees of a game up to now; None, where the deck order does not allow its moves."""
    seat = viewer if viewer in range(SEATS) else None
    position = dealt(deck)
    yield position.to_act, RULES.view(position.state, seat)
    for given in moves:
        (mover,) = position.to_act
        try:
            move = table.legal_form(position, mover, read_move(RULES, given))
        except IllegalMove:
            yield None
            return
        step = table.advance(position, Entry(mover, move))
        yield RULES.redact(position.state, seat, mover, move, step.events)
        position = step.after
        yield position.to_act, RULES.view(position.state, seat)


def other_world(deck, moves, viewer, rng):
    """A deck order with hidden cards in other places, in which all that the viewer sees is the same."""
    seen, deck = list(seen_in(deck, moves, viewer)), list(deck)
    for _ in range(200):
        other = list(deck)
        one, two = rng.sample(range(len(deck)), 2)
        other[one], other[two] = other[two], other[one]
        if all(mine == theirs for mine, theirs in zip(seen, seen_in(other, moves, viewer), strict=False)):
            deck = other
    return deck


def two_worlds(plies, viewer, rng):
    """Two deck orders and the moves of both, after which no hand that is hidden from the viewer is the same."""
    for _ in range(20):
        deck = rng.sample(FRENCH_DECK, len(FRENCH_DECK))
        moves = played(deck, plies, viewer, rng)
        other_deck = other_world(deck, moves, viewer, rng)
        hands, others = (position_after(order, moves).state.hands for order in (deck, other_deck))
        if all(hands[seat] != others[seat] for seat in range(SEATS) if seat != viewer):
            return deck, other_deck, moves
    pytest.fail("no second world was found")


def played(deck, plies, viewer, rng):
    """Legal moves that a game begins with, to where a seat that looks on is to act; chances and takings are
    rare among them."""
    position, moves = dealt(deck), []
    while len(moves) < plies or (plies and viewer in range(SEATS) and viewer not in position.to_act):
        (seat,) = position.to_act
        legal = list(RULES.legal_moves(position.state, seat))
        move = rng.choice([*legal[:-1], *legal[:-1], legal[-1]])
        moves.append(table.stored_move(move))
        position = table.advance(position, Entry(seat, move)).after
    return moves


def told(answer):
    """Status, headers and body without ids, times and commitment (the ETag is made from these too) and without
    the browsable pages' tokens."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("ETag", "X-Request-ID")}
    return answer.status_code, headers, VARIES.sub("*", answer.content.decode())


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

    def make(deck, moves):
        game = make_game_of(deck, "sicksack", [anna, bo, cilla])
        seat = 0
        for ply, move in enumerate(moves):
            answer = clients[seat].post(f"games/{game}/moves", {"ply": ply, "move": move})
            assert answer.status_code == 201, answer.content
            (seat,) = answer.json()["position"]["to_act"]
        return game

    return make


# Before the first move; with a stock; and without, where all that is hidden are hands.
@pytest.mark.parametrize(
    ("viewer", "plies"),
    [*product([0, 1, 2], [0, 13, 46]), ("stranger", 13), ("anonymous", 13), ("anonymous", 46)],
)
def test_what_is_hidden_from_a_viewer_changes_no_answer(plies, viewer, clients, world, rng):
    client = clients[viewer]
    deck, other_deck, moves = two_worlds(plies, viewer, rng)
    plies = len(moves)
    mine, theirs = (position_after(order, moves) for order in (deck, other_deck))
    games = world(deck, moves), world(other_deck, moves)
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
