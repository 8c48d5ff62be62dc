"""Every variant of every game by way of the API, to its end, by as many tokens as it has seats.

The moves are those of the golden playthroughs. A viewer looks on in two worlds that differ only in what is
hidden from it, and gets the same answers in both, byte by byte.
"""

import json
from random import Random

import pytest

from games import table
from games.rules.contract import Refused
from tests.api.checks import whole_list
from tests.api.worlds import other_world, steps_of, told
from tests.rules.checks import Scene
from tests.rules.golden import path_of
from tests.rules.variants import VARIANTS

LONGEST = 60
"""So many moves of a long game are made in two worlds; the rest in one."""
TRIED = 4


def pytest_generate_tests(metafunc):
    """Each variant with one of its viewers, another in the next one, or with `--every-viewer` with all of them: a
    seat, or None for a stranger."""
    everyone = metafunc.config.getoption("every_viewer")
    cases = [
        pytest.param(
            variant, viewer, id=f"{variant.name}-seen-by-{'a-stranger' if viewer is None else viewer}"
        )
        for number, variant in enumerate(VARIANTS)
        for viewer in viewers(variant, None if everyone else number)
    ]
    metafunc.parametrize(("variant", "viewer"), cases)


def viewers(variant, number):
    """The viewers of a variant, or the one whose turn it is."""
    everyone = [*range(variant.seats), None]
    return everyone if number is None else [everyone[number % len(everyone)]]


@pytest.fixture
def players(make_player):
    seated = [make_player(name) for name in ("anna", "bo", "cilla", "david", "eva", "filip")]
    for player in seated:
        player.client.get_json("me/")  # notes that the token is in use, after which answers are quick
    return seated


def golden(variant):
    """The setup, the entries and the outcome of a golden playthrough."""
    kept = json.loads(path_of(variant).read_text(encoding="utf-8"))
    rules = variant.setup(0).rules
    setup = table.lay_out(variant.setup(0)).setup
    deck = rules.fixed_deck(setup.options) or tuple(kept["deck"].split())
    setup = type(setup)(rules, setup.options, setup.seats, deck)
    steps = [position["step"] for position in kept["positions"][1:]]
    return setup, [table.entry_from(setup, step["seat"], step["move"]) for step in steps], kept["outcome"]


def shared_part(setup, entries, viewer, rng, *, late):
    """The entries that are made in two worlds, and the second world; with `late` as many as there is a second
    world for: near the end of a game a viewer may know every card."""
    ends = [min(len(entries) * 2 // 3, LONGEST)]
    if late:
        ends = [len(entries) - 1, len(entries) * 9 // 10, *ends]
    for end in ends:
        other = other_world(setup, entries[:end], viewer, rng)
        if other.deck != setup.deck:
            break
    return entries[:end], other


def test_it_is_played_to_its_end_and_shows_a_viewer_no_more_than_it_may_know(
    variant, viewer, players, stranger, anonymous, make_game_of, request
):
    setup, entries, outcome = golden(variant)
    seated, rng = players[: variant.seats], Random(variant.name)
    looking = stranger.client if viewer is None else seated[viewer].client
    stranger.client.get_json("me/")
    late = request.config.getoption("every_viewer")
    both, other = shared_part(setup, entries, viewer, rng, late=late)
    assert (other.deck != setup.deck) == setup.rules.hides
    mine, theirs = (
        make_game_of(dealt.deck, variant.slug, seated, options=variant.options, seats=variant.seats)
        for dealt in (setup, other)
    )

    def same(method, path, body=None):
        one, two = (looking.ask(method, f"games/{game}/{path}", body) for game in (mine, theirs))
        assert told(one) == told(two), (method, path, body)
        return one

    def post(game, ply, entry):
        body = {"ply": ply, "move": table.stored_move(entry.move)}
        answer = seated[entry.seat].client.post(f"games/{game}/moves", body)
        assert answer.status_code == 201, answer.content
        return answer

    for step in steps_of(setup, both):
        ply, entry = step.before.ply, step.entry
        seen = same("GET", "").json()
        assert (seen["ply"], seen["to_act"]) == (ply, list(step.before.to_act))
        if viewer is not None:
            same("GET", "legal-moves?limit=100")
            if ply % 5 == 0:
                for move in tried(variant, step.before, viewer, rng):
                    assert same("POST", "moves", {"ply": ply, "move": move}).status_code in (409, 422)
        one, two = (post(game, ply, entry) for game in (mine, theirs))
        if entry.seat == viewer:
            assert told(one) == told(two)
    same("GET", "")
    same("GET", "moves?limit=100")
    for ply in (0, len(both) // 2, len(both)):
        same("GET", f"positions/{ply}")

    for ply, entry in list(enumerate(entries))[len(both) :]:
        post(mine, ply, entry)
    games = [
        client.get_json(f"games/{mine}/") for client in (anonymous, *(player.client for player in seated))
    ]
    assert {json.dumps({**game, "your_seat": None}, sort_keys=True) for game in games} == {
        json.dumps(games[0], sort_keys=True)
    }
    assert (games[0]["status"], games[0]["ply"], games[0]["outcome"]) == ("finished", len(entries), outcome)
    log = whole_list(anonymous, f"games/{mine}/moves?limit=100")
    moves = json.dumps([table.stored_move(entry.move) for entry in entries])
    assert json.dumps([entry["move"] for entry in log]) == moves
    assert all(entry["text"] for entry in log)


def tried(variant, position, seat, rng):
    """Moves that the rules refuse of a seat here."""
    moves = Scene(variant, position, 0).tried(seat)
    chosen = rng.sample(moves, min(len(moves), 10 * TRIED))
    return [table.stored_move(move) for move in chosen if refuses(position, seat, move)][:TRIED]


def refuses(position, seat, move):
    try:
        table.judge(position, seat, move)
    except Refused:
        return True
    return False
