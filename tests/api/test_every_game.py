"""Every variant of every game by way of the API, to its end, by as many tokens as it has seats.

The moves are those of the golden playthroughs. A viewer looks on in two worlds that differ only in what is
hidden from it, and gets the same answers in both, byte by byte; and is told the same events by every channel.
"""

import json
from collections import Counter
from random import Random
from uuid import UUID

import pytest

from games import table
from games.rules.contract import Refused
from tests.api.checks import whole_list
from tests.api.worlds import VARIES, other_world, steps_of, told
from tests.rules.checks import Scene
from tests.rules.golden import path_of
from tests.rules.variants import VARIANTS

STREAM = "text/event-stream"
LONGEST = 60
"""So many moves of a long game are made in two worlds; the rest in one."""
TRIED = 4


def pytest_generate_tests(metafunc):
    """Each variant with one of its viewers, another in the next one, or with `--every-viewer` with all of them: a
    seat, or None for a stranger."""
    if "patience" in metafunc.fixturenames:
        return
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
    variant, viewer, players, stranger, anonymous, make_game_of, told_at_once, request
):
    setup, entries, outcome = golden(variant)
    seated, rng = players[: variant.seats], Random(variant.name)
    looking = stranger.client if viewer is None else seated[viewer].client
    stranger.client.get_json("me/")
    late = request.config.getoption("every_viewer")
    both, other = shared_part(setup, entries, viewer, rng, late=late)
    assert (other.deck != setup.deck) == setup.rules.hides
    mine, _ = games = [
        make_game_of(dealt.deck, variant.slug, seated, options=variant.options, seats=variant.seats)
        for dealt in (setup, other)
    ]
    same = same_of(games, looking)

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
        one, two = (post(game, ply, entry) for game in games)
        if entry.seat == viewer:
            assert told(one) == told(two)
    same("GET", "")
    same("GET", "moves?limit=100")
    for ply in (0, len(both) // 2, len(both)):
        same("GET", f"positions/{ply}")
    events = same_events(games, looking, viewer)
    assert len(events) == variant.seats + 2 + len(both)

    for ply, entry in list(enumerate(entries))[len(both) :]:
        post(mine, ply, entry)
    ends = [
        client.get_json(f"games/{mine}/") for client in (anonymous, *(player.client for player in seated))
    ]
    assert {json.dumps({**game, "your_seat": None}, sort_keys=True) for game in ends} == {
        json.dumps(ends[0], sort_keys=True)
    }
    assert (ends[0]["status"], ends[0]["ply"], ends[0]["outcome"]) == ("finished", len(entries), outcome)
    log = whole_list(anonymous, f"games/{mine}/moves?limit=100")
    moves = json.dumps([table.stored_move(entry.move) for entry in entries])
    assert json.dumps([entry["move"] for entry in log]) == moves
    assert all(entry["text"] for entry in log)
    stayed, others = split(whole_events(looking, f"games/{mine}/events?after={{}}", 0), len(events))
    assert stayed == events
    assert [event["type"] for event in others] == ["entry"] * (len(entries) - len(both)) + ["ended"]


def split(items, count):
    return items[:count], items[count:]


def same_of(games, client):
    """Asks a client of both worlds, which answer the same: the answer."""

    def same(method, path, body=None, **headers):
        one, two = (client.ask(method, f"games/{game}/{path}", body, **headers) for game in games)
        assert told(one) == told(two), (method, path, body)
        return one

    return same


def same_events(games, looking, viewer):
    """The events of the first of two worlds, which are those of the second by every channel."""
    same = same_of(games, looking)
    events = whole_events(looking, f"games/{games[0]}/events?after={{}}", 0)
    for path in ["events", *(f"events?limit=50&after={after}" for after in range(0, len(events) + 1, 50))]:
        for accept in ("application/json", STREAM):
            same("GET", path, accept=accept)
    if viewer is not None:
        own = told_of_both(looking, *map(str, games))
        assert own == [event for event in events if event["seq"] >= own[0]["seq"]]
    return events


def whole_events(client, path, after):
    """Every event after a place, page by page."""
    items, page = [], client.get_json(path.format(after))
    while page["items"]:
        items += page["items"]
        page = client.get_json(path.format(page["last"]))
    return items


def told_of_both(client, mine, theirs):
    """What a player is told of two worlds in which it sits, by pages and as a stream: the same of both."""
    events = whole_events(client, "me/events?after={}", "0")
    one, two = ([event for event in events if event["game"] == game] for game in (mine, theirs))
    assert len(one) + len(two) == len(events)
    assert VARIES.sub("*", json.dumps(one)) == VARIES.sub("*", json.dumps(two))

    begun = client.ask("GET", "me/events", accept=STREAM).content.decode()
    games = json.loads(begun.split("data: ")[1])["items"]
    assert [game["id"] for game in games] == [theirs, mine]
    shown = [VARIES.sub("*", json.dumps(game, separators=(",", ":"))) for game in games]
    assert shown[0] == shown[1]
    last, messages = "0", []
    while "id: " in (
        part := client.ask("GET", "me/events", accept=STREAM, last_event_id=last).content.decode()
    ):
        messages += part.split("\n\n")[1:-1]
        last = messages[-1].split("\n")[0].removeprefix("id: ")
    one, two = (
        [VARIES.sub("*", f"\n{message}") for message in messages if UUID(game).hex in message.split("\n")[0]]
        for game in (mine, theirs)
    )
    assert one == two
    assert len(one) + len(two) == len(events)
    return [event for event in events if event["game"] == mine]


PATIENCES = [variant for variant in VARIANTS if variant.seats == 1]
TAKEN_BACK = 12
"""So many moves of a patience are made, and taken back where they can be."""


@pytest.mark.parametrize("viewer", [0, None], ids=["seen-by-0", "seen-by-a-stranger"])
@pytest.mark.parametrize("patience", PATIENCES, ids=[variant.name for variant in PATIENCES])
def test_what_is_taken_back_or_stands_shows_a_viewer_no_more_than_it_may_know(
    patience, viewer, anna, stranger, make_game_of, told_at_once
):
    setup, entries, _ = golden(patience)
    for player in (anna, stranger):
        player.client.get_json("me/")
    looking = anna.client if viewer == 0 else stranger.client
    both = entries[: min(TAKEN_BACK, len(entries) * 2 // 3)]
    other = other_world(setup, both, viewer, Random(patience.name))
    assert (other.deck != setup.deck) == setup.rules.hides
    games = [
        make_game_of(dealt.deck, patience.slug, [anna], options=patience.options) for dealt in (setup, other)
    ]
    same, act = same_of(games, looking), same_of(games, anna.client)

    ply, verdicts = 0, Counter()
    for entry in both:
        body = {"move": table.stored_move(entry.move)}
        assert act("POST", "moves", {"ply": ply, **body}).status_code == 201
        undone = act("POST", "undo", {"ply": ply + 1})
        verdicts[undone.json().get("reason", "undone")] += 1
        ply += 1
        if undone.status_code == 201:
            ply += 1
            before, made, back = (same("GET", f"positions/{seen}").json() for seen in (ply - 2, ply - 1, ply))
            assert back == {**before, "ply": ply}
            assert made["view"] != back["view"]
            act("GET", "legal-moves?limit=100")
            assert act("POST", "moves", {"ply": ply, **body}).status_code == 201
            ply += 1
        same("GET", f"positions/{ply}")
    for path in ("", "moves?limit=100"):
        same("GET", path)
    assert len(same_events(games, looking, viewer)) == 3 + ply
    assert set(verdicts) <= {"undone", "shown"}
    assert setup.rules.hides or set(verdicts) == {"undone"}


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
