"""Proofs: our verifier and a second one, written from `docs/proof.md`, find the same in every game, and in every
game that was tampered with the same place."""

import ast
import json
import os
import re
import subprocess
import sys
from copy import deepcopy
from io import StringIO
from itertools import combinations
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest
from django.core.management import CommandError, call_command
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import shuffle, table
from games.catalog import CURRENT
from games.proofs import FORMAT, Proof, ProvenEntry, position_digest, position_text
from games.table import Ending, Entry, Kind
from tests import second_verifier
from tests.proofs import FOLDER, KEPT, MONTH, Played, both, ours, path_of, theirs, written
from tests.rules.variants import VARIANTS, random_playout

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = (ROOT / "docs" / "proof.md").read_text("utf-8")
PLAYED = {"sicksack", "freecell"}
"""What the second verifier plays."""

KEPT_DOCUMENTS = {name: json.loads(path_of(name).read_bytes()) for name in KEPT}
TWO, BANK, TURN, CELL = (
    KEPT_DOCUMENTS[name]
    for name in ("sicksack-2", "sicksack-3-resigned", "sicksack-3-timed-out", "freecell-undo")
)
TURN_CLOCK = {"type": "turn", "seconds": 60}
BANK_CLOCK = {"type": "bank", "seconds": 90, "increment": 5}
SLOW_CLOCK = {"type": "turn", "seconds": 86_400}

each_kept = pytest.mark.parametrize("name", KEPT)
each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


@each_kept
def test_a_kept_proof_is_verified_by_both(name):
    assert both(path_of(name).read_bytes()) is None
    assert second_verifier.verify(path_of(name).read_bytes())


@each_kept
def test_a_kept_proof_is_what_is_made_today(name):
    assert written(KEPT[name]().document) == path_of(name).read_text("utf-8")


def test_no_other_proof_is_kept():
    assert set(FOLDER.iterdir()) == {path_of(name) for name in KEPT}


def test_the_kept_proofs_show_what_the_document_says():
    kinds = {name: [entry["kind"] for entry in kept["log"]] for name, kept in KEPT_DOCUMENTS.items()}
    assert set(kinds["sicksack-2"]) == {"play"}
    assert set(kinds["sicksack-3-resigned"]) == {"play", "resign", "auto"}
    assert kinds["sicksack-3-timed-out"].count("timeout") == 2
    assert kinds["sicksack-3-timed-out"].count("auto") > 2
    assert (kinds["freecell-undo"].count("undo"), kinds["freecell-undo"][-1]) == (2, "resign")
    assert [kept["ending"] for kept in KEPT_DOCUMENTS.values()] == [
        "played_out",
        "played_out",
        "timed_out",
        "resigned",
    ]
    at = kinds["sicksack-3-resigned"].index("resign")
    resigned, following = BANK["log"][at : at + 2]
    assert (resigned["seat"], following["kind"]) == (1, "play"), "out of turn"
    assert BANK["outcome"]["place"][1] == 3


def test_the_document_names_each_kept_proof_and_each_member():
    for name in (*(f"`{name}.json`" for name in KEPT), "(../seeds/proofs/)", "(shuffle.md)"):
        assert name in DOCUMENT
    rows = re.findall(r"^\| (`.+?`) \|", DOCUMENT, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {*Proof.__struct_fields__, *ProvenEntry.__struct_fields__} <= named
    for value in (*Kind.__args__, *Ending.__args__, FORMAT):
        assert f'"{value}"' in DOCUMENT


def test_the_document_shows_a_position_as_it_is_digested():
    (block,) = re.findall(r"^```text\n(.+?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    dealt = KEPT["sicksack-2"]().dealt
    assert block.replace("\n", "") == position_text(dealt)
    assert f"`{position_digest(dealt)}`" in DOCUMENT
    assert position_digest(dealt) == TWO["positions"][0]


def test_the_second_verifier_uses_the_standard_library_alone():
    tree = ast.parse(Path(second_verifier.__file__).read_text("utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


# Games of every variant.


def game_of(variant, **fields):
    seed = Random(variant.name).randbytes(32)
    entropies = tuple(f"{variant.name} {seat}" for seat in range(variant.seats))
    return Played(
        variant.slug, variant.seats, options=variant.options, seed=seed, entropies=entropies, **fields
    )


def assert_verified(game):
    assert game.is_over
    assert both(game.content) is None
    assert second_verifier.verify(game.content) == (game.rules.slug in PLAYED)


@each_variant
def test_a_game_that_is_played_out_is_verified(variant):
    game = game_of(variant).play_on(Random(variant.name), seconds=5)
    assert game.position.ending == "played_out"
    assert_verified(game)


@each_variant
def test_a_game_in_which_seats_resign_is_verified(variant):
    rng = Random(variant.name)
    game = game_of(variant).play_on(rng, 7)
    for seat in rng.sample(range(variant.seats), variant.seats):
        if not game.is_over:
            game.resign(seat)
            game.play_on(rng, 5)
    assert game.position.ending in ("resigned", "played_out")
    assert_verified(game)


@each_variant
@pytest.mark.parametrize("clock", [TURN_CLOCK, BANK_CLOCK, None], ids=["turn", "bank", "no clock"])
def test_a_game_in_which_anything_happens_is_verified(variant, clock):
    rng = Random(f"{variant.name} {clock}")
    for _ in range(2):
        game = game_of(variant, clock=clock, abandon_after=3600)
        play_wildly(game, rng)
        assert_verified(game)


def play_wildly(game, rng):
    """Moves and undos, seats that resign, and turns that end at the last millisecond, just after it or long
    after it; after some plies nobody does anything more."""
    while not game.is_over:
        left = (game.times.due_at - game.now).total_seconds()
        near = [left, left + 0.0003, left + 0.001, left + 1000]
        game.passes(max(rng.choice([*[0] * 20, *[0.0007, 1.5, 20] * 3, *near]), 0))
        chance = rng.random()
        if game.is_due:
            game.settle()
        elif game.position.ply > 150:
            game.passes(max((game.times.due_at - game.now).total_seconds(), 0) + rng.random()).settle()
        elif chance < 0.05:
            seats = range(game.position.setup.seats)
            game.resign(rng.choice([seat for seat in seats if seat not in game.position.leavers]))
        elif chance < 0.25 and table.why_no_undo(game.position) is None:
            game.undo()
        else:
            game.play_on(rng, 1)


@pytest.mark.parametrize("seats", range(2, 7))
def test_many_games_of_sicksack_are_found_the_same_by_both(seats):
    rng = Random(seats)
    endings = set()
    for _ in range(12):
        clock = rng.choice([TURN_CLOCK, BANK_CLOCK, {"type": "bank", "seconds": 3600}])
        game = Played("sicksack", seats, clock=clock, seed=rng.randbytes(32))
        play_wildly(game, rng)
        endings.add(game.position.ending)
        assert_verified(game)
    assert len(endings) > 1


@pytest.mark.parametrize("options", [{}, {"deal": 1}, {"deal": 11982}, {"deal": 1_000_000}])
def test_many_games_of_freecell_are_found_the_same_by_both(options):
    rng = Random(str(options))
    for _ in range(4):
        game = Played("freecell", options=options, seed=rng.randbytes(32)).play_on(rng, 300)
        if not game.is_over:
            game.resign()
        assert_verified(game)


def test_a_patience_that_is_won_is_verified():
    (variant,) = (variant for variant in VARIANTS if variant.options == {"deal": 3})
    game = Played("freecell", options={"deal": 3})
    game.words(variant.golden)
    assert game.position.outcome.result == ("win",)
    assert_verified(game)


@pytest.mark.parametrize("slug", ["freecell", "camelot", "las-pintas"])
@pytest.mark.parametrize(
    ("clock", "plies", "kind", "ending"),
    [
        (None, 0, "void", "abandoned"),
        (None, 1, "timeout", "timed_out"),
        (TURN_CLOCK, 0, "timeout", "timed_out"),
        (BANK_CLOCK, 1, "timeout", "timed_out"),
    ],
)
def test_a_patience_in_which_nobody_moves_is_verified(slug, clock, plies, kind, ending):
    game = Played(slug, clock=clock).play_on(Random(0), plies)
    game.passes(2 * MONTH).settle()
    assert ([entry.kind for entry, _ in game.log[plies:]], game.position.ending) == ([kind], ending)
    assert_verified(game)


@pytest.mark.parametrize("slug", ["freecell", "camelot", "las-pintas"])
def test_a_patience_that_is_closed_before_its_first_move_is_verified(slug):
    game = Played(slug)
    game.resign()
    assert [entry.kind for entry, _ in game.log] == ["void"]
    assert_verified(game)


@pytest.mark.parametrize(
    ("clock", "plies", "kind"),
    [
        (None, 0, "void"),
        (None, 5, "void"),
        (TURN_CLOCK, 5, "timeout"),
        (SLOW_CLOCK, 0, "void"),
        (SLOW_CLOCK, 1, "timeout"),
    ],
)
def test_a_game_for_several_in_which_nobody_moves_is_verified(clock, plies, kind):
    game = Played("sicksack", 3, clock=clock, abandon_after=3600).play_on(Random(0), plies)
    while not game.is_over:
        game.passes(2 * MONTH).settle()
    assert game.log[plies][0].kind == kind
    assert_verified(game)


def test_seats_that_are_out_of_time_in_an_open_phase_are_ready_and_stay():
    game = Played("vandtia-pyramid", 3, clock=TURN_CLOCK)
    game.passes(10)
    game.play({"type": "ready"}, 1)
    game.passes(51).settle()
    assert [(entry.kind, entry.seat) for entry, _ in game.log[1:]] == [("auto", 0), ("auto", 2)]
    game.passes(100).settle()
    game.passes(100).settle()
    game.passes(100).settle()
    assert game.position.ending == "timed_out"
    assert_verified(game)
    document = game.document
    for number, change in ((1, {"seat": 2}), (2, {"kind": "play"}), (3, {"kind": "timeout", "move": None})):
        changed = deepcopy(document)
        changed["log"][number].update(change)
        assert ours(json.dumps(changed).encode()) == f"entry {number}"


# The automatic player, by the words of the document.

HIGH = "23456789TJQKA"


def by_high_rank(card):
    return HIGH.index(card[0]), "CDHS".index(card[1])


def sicksack_move(view, seat):
    hand, pile = view["hands"][seat]["cards"], view["pile"]
    for card in sorted(hand, key=lambda card: ("A23456789TJQK".index(card[0]), "CDHS".index(card[1]))):
        rank, top = ("A23456789TJQK".index(one[0]) for one in (card, pile[-1] if pile else card))
        if rank == top or (rank > top) == (pile[-1][1] in "DH"):
            return {"type": "play", "card": card}
    return {"type": "chance"} if view["stock"]["size"] else {"type": "take"}


def pyramid_move(view, seat):
    if view["phase"] != "play":
        return {"type": "ready"}
    hand, pile = view["hands"][seat]["cards"], view["pile"]
    lying = {tuple(place["at"]): place["card"] for place in view["pyramids"][seat]}
    free = [(row, at) for row, at in sorted(lying) if not {(row - 1, at - 1), (row - 1, at)} & {*lying}]
    held = hand or [lying[row, at] for row, at in free if row in (0, 2)]
    fitting = [
        one for one in held if not pile or one[0] in "2T" or by_high_rank(one)[0] >= HIGH.index(pile[-1][0])
    ]
    if view["moves"] == 0:
        counting = [card for cards in view["hands"] for card in cards["cards"] if card[0] not in "2T"]
        lowest = min(counting, key=lambda card: (HIGH.index(card[0]), "HSDC".index(card[1])), default=None)
        fitting = [lowest] if lowest else fitting
    if fitting:
        return {"type": "play", "cards": [min(fitting, key=by_high_rank)]}
    face_down = [list(at) for at in free if at[0] in (1, 3)]
    if not hand and face_down:
        return {"type": "flip", "at": face_down[0]}
    return {"type": "chance"} if hand and view["stock"]["size"] else {"type": "take"}


def kraftkort_move(view, seat):
    if view["exchanging"]:
        return {"type": "exchange", "cards": []}
    hand, played, power = view["hands"][seat]["cards"], view["round"], view["power_card"] or "--"
    if not played:
        return {"type": "play", "cards": [min(hand, key=by_high_rank)], "as": 1}
    counts, last = played[0]["as"], HIGH.index(played[-1]["cards"][0][0])
    for rank, name in enumerate(HIGH):
        held = sorted((card for card in hand if card[0] == name), key=by_high_rank)
        if (rank < last and view["direction"] == "up") or (rank > last and view["direction"] == "down"):
            continue
        for cards in (cards for size in range(1, 5) for cards in combinations(held, size)):
            most = len(cards) + sum(card[0] == power[0] or card[1] == power[1] for card in cards)
            if len(cards) <= counts <= most:
                return {"type": "play", "cards": list(cards), "as": counts}
    return {"type": "pass"}


AUTOMATIC = {"sicksack": sicksack_move, "vandtia-pyramid": pyramid_move, "kraftkort": kraftkort_move}


@pytest.mark.parametrize(
    "variant",
    [variant for variant in VARIANTS if variant.slug in AUTOMATIC],
    ids=lambda variant: variant.name,
)
def test_the_automatic_player_moves_as_the_document_says(variant):
    types = set()
    for seed in range(6):
        # Of others' moves enough to come to many positions, but not so many that nobody comes to the end.
        automatic = range(seed % 2, variant.seats)
        for step in random_playout(variant.setup(seed), seed, 1000, automatic):
            rules, state = step.before.setup.rules, step.before.state
            view = msgspec.json.decode(msgspec.json.encode(rules.open_view(state)))
            for seat in step.before.to_act:
                move = table.stored_move(rules.automatic(state, seat))
                assert msgspec.json.decode(msgspec.json.encode(move)) == AUTOMATIC[variant.slug](view, seat)
                types.add(move["type"])
    assert len(types) >= {"sicksack": 3, "vandtia-pyramid": 4, "kraftkort": 2}[variant.slug], types


def test_no_other_game_goes_on_when_a_seat_has_left():
    several = {variant.slug for variant in VARIANTS if CURRENT[variant.slug].seats[-1] > 2}
    assert several == set(AUTOMATIC)
    for slug in several:
        assert f"**{CURRENT[slug].name.partition(' (')[0]}**" in DOCUMENT


# What was tampered with.


def put(*path_and_value):
    """Puts a value where the keys before it lead."""
    *path, key, value = path_and_value

    def change(document):
        inner = document
        for step in path:
            inner = inner[step]
        inner[key] = value

    return change


def swap(*path):
    """Exchanges an item and the one after it."""
    *path, number = path

    def change(document):
        inner = document
        for step in path:
            inner = inner[step]
        inner[number], inner[number + 1] = inner[number + 1], inner[number]

    return change


def entry(number, **members):
    """Changes members of an entry."""
    return lambda document: document["log"][number].update(members)


def moved(number, **members):
    """Changes members of the move of an entry, or takes away those that are Ellipsis."""

    def change(document):
        move = {**document["log"][number]["move"], **members}
        document["log"][number]["move"] = {name: one for name, one in move.items() if one is not ...}

    return change


def without(number):
    """Takes an entry out, and the position after it."""

    def change(document):
        del document["log"][number], document["positions"][number + 1]

    return change


def with_(number, **members):
    """Puts an entry in before another, with the position before it once more."""

    def change(document):
        document["log"].insert(number, members)
        document["positions"].insert(number + 1, document["positions"][number])

    return change


def seconds_later(text, seconds):
    assert text[17:19] != "59"
    return f"{text[:17]}{int(text[17:19]) + seconds:02}{text[19:]}"


def first(document, **members):
    """The number of the first entry that has these members."""
    return next(
        number
        for number, one in enumerate(document["log"])
        if all(one[name] == value for name, value in members.items())
    )


GAME = TWO["game"]
RESIGNED, AUTO = first(BANK, kind="resign"), first(BANK, kind="auto")
TIMED_OUT, END = first(TURN, kind="timeout"), len(TURN["log"]) - 1
PLAYED_CARD = first(TWO, move={"type": "play", "card": "AH"})
HUGE = 10**30
ACE = {"type": "play", "card": "AC"}

TAMPERED = [
    ("another format", TWO, put("format", "cardsite proof 2"), "form"),
    ("another game", TWO, put("game", GAME[:-1] + "4"), "commitment"),
    ("the game in upper case", TWO, put("game", GAME.upper()), "game"),
    ("the game without hyphens", TWO, put("game", GAME.replace("-", "")), "game"),
    ("a game that is no UUID", TWO, put("game", "game"), "game"),
    ("a game that is no UUID, of a fixed deal", CELL, put("game", GAME[1:]), "game"),
    ("a rule set for one", TWO, put("ruleset", "freecell"), "seats"),
    ("an unknown rule set", TWO, put("ruleset", "whist"), "ruleset"),
    ("another version of the rules", TWO, put("rules_version", 2), "ruleset"),
    ("a huge version of the rules", TWO, put("rules_version", HUGE), "ruleset"),
    ("another version of the shuffle", TWO, put("shuffle_version", 2), "shuffle_version"),
    ("another version of the shuffle, of a fixed deal", CELL, put("shuffle_version", 0), "shuffle_version"),
    ("an option that there is not", TWO, put("options", {"deal": 1}), "options"),
    ("another deal", CELL, put("options", "deal", 2), "deck"),
    ("no deal", CELL, put("options", "deal", None), "seed"),
    ("a deal that there is not", CELL, put("options", "deal", 0), "options"),
    ("a huge deal", CELL, put("options", "deal", HUGE), "options"),
    ("a deal of another type", CELL, put("options", "deal", "1"), "options"),
    ("a deal that is true", CELL, put("options", "deal", True), "options"),
    ("another number of seats", TWO, put("seats", 3), "players"),
    ("too many seats", TWO, put("seats", 7), "seats"),
    ("a huge number of seats", TWO, put("seats", HUGE), "seats"),
    ("fewer seats than none", TWO, put("seats", -1), "seats"),
    ("a player more", TWO, put("players", ["anna", "bo", "cilla"]), "players"),
    ("no players", CELL, put("players", []), "players"),
    ("another commitment", TWO, put("commitment", "0" * 64), "commitment"),
    ("no commitment", TWO, put("commitment", None), "commitment"),
    ("the commitment in upper case", TWO, put("commitment", TWO["commitment"].upper()), "commitment"),
    ("a commitment of a fixed deal", CELL, put("commitment", "0" * 64), "commitment"),
    ("another seed", TWO, put("seed", "ff" * 32), "commitment"),
    ("a short seed", TWO, put("seed", "00" * 31), "seed"),
    ("a long seed", TWO, put("seed", TWO["seed"] + "00"), "seed"),
    ("the seed with white space", TWO, put("seed", TWO["seed"] + " "), "seed"),
    ("the seed in upper case", TURN, put("seed", TURN["seed"].upper()), "seed"),
    ("a seed of something else", TWO, put("seed", "x" * 64), "seed"),
    ("no seed", TWO, put("seed", None), "seed"),
    ("a seed of a fixed deal", CELL, put("seed", "00" * 32), "seed"),
    ("another entropy", TWO, put("entropies", 1, "18"), "deck"),
    ("an entropy more", TWO, put("entropies", ["a", "b", "c"]), "entropies"),
    ("an entropy less", CELL, put("entropies", []), "entropies"),
    ("entropies exchanged", TWO, swap("entropies", 0), "deck"),
    ("the pack in another order", TWO, swap("pack", 7), "pack"),
    ("a short pack", TWO, put("pack", TWO["pack"][1:]), "pack"),
    ("another card in the pack", CELL, put("pack", 5, "AC"), "pack"),
    ("the deck in another order", TWO, swap("deck", 50), "deck"),
    ("a short deck", TWO, put("deck", TWO["deck"][:-1]), "deck"),
    ("another card in the deck", TWO, put("deck", 0, "1X"), "deck"),
    ("another order of a fixed deal", CELL, swap("deck", 0), "deck"),
    ("no clock where a time was out", TURN, put("clock", None), f"entry {TIMED_OUT}"),
    ("more time than there was", TURN, put("clock", "seconds", 301), f"entry {TIMED_OUT}"),
    ("less time than was taken", TURN, put("clock", "seconds", 100), "entry 1"),
    ("less in the bank than was taken", BANK, put("clock", "seconds", 60), "entry 42"),
    (
        "a bank where a time was out",
        TURN,
        put("clock", {"type": "bank", "seconds": 3600}),
        f"entry {TIMED_OUT}",
    ),
    ("too little time", TURN, put("clock", "seconds", 59), "form"),
    ("too much time", TURN, put("clock", "seconds", 14 * 86_400 + 1), "form"),
    ("an increment by the turn", TURN, put("clock", "increment", 1), "form"),
    ("too much of an increment", BANK, put("clock", "increment", 86_401), "form"),
    ("another clock", BANK, put("clock", "type", "sand"), "form"),
    ("a clock without a type", BANK, put("clock", {"seconds": 600}), "form"),
    ("no time at all", TWO, put("abandon_after", 0), "entry 0"),
    ("less time than nobody moved", CELL, put("abandon_after", 59), "entry 9"),
    ("less time than none", CELL, put("abandon_after", -1), "form"),
    ("a huge time", CELL, put("abandon_after", 2**31), "form"),
    ("a start after the first entry", TWO, put("started_at", "2026-01-31T13:00:00.000Z"), "entry 0"),
    ("a start long before the first entry", TURN, put("started_at", "2026-01-31T11:00:00.000Z"), "entry 0"),
    ("a start without a zone", TWO, put("started_at", "2026-01-31T12:00:00.000"), "started_at"),
    ("a start in another zone", TWO, put("started_at", "2026-01-31T13:00:00.000+01:00"), "started_at"),
    ("a start in microseconds", TWO, put("started_at", "2026-01-31T12:00:00.000000Z"), "started_at"),
    ("a start in seconds", TWO, put("started_at", "2026-01-31T12:00:00Z"), "started_at"),
    ("a start on a day that is not", TWO, put("started_at", "2026-02-31T12:00:00.000Z"), "started_at"),
    ("a start in the year nought", TWO, put("started_at", "0000-01-31T12:00:00.000Z"), "started_at"),
    ("a start that is no time", TWO, put("started_at", "noon"), "started_at"),
    ("an entry too early", TWO, entry(3, at=TWO["started_at"]), "entry 3"),
    ("an entry too late for the next", TWO, entry(3, at=TWO["log"][9]["at"]), "entry 4"),
    ("an entry without a zone", TWO, entry(3, at=TWO["log"][3]["at"][:-1]), "entry 3"),
    ("an entry at no time", TWO, entry(3, at=""), "entry 3"),
    (
        "a time-out before its time",
        TURN,
        entry(TIMED_OUT, at=TURN["log"][TIMED_OUT - 1]["at"]),
        f"entry {TIMED_OUT}",
    ),
    (
        "an automatic move later",
        BANK,
        entry(AUTO, at=seconds_later(BANK["log"][AUTO]["at"], 1)),
        f"entry {AUTO}",
    ),
    ("an automatic move by a player", BANK, entry(AUTO, kind="play"), f"entry {AUTO}"),
    ("an automatic move of another seat", BANK, entry(AUTO, seat=0), f"entry {AUTO}"),
    ("another automatic move", BANK, entry(AUTO, move={"type": "take"}), f"entry {AUTO}"),
    ("no automatic move", BANK, without(AUTO), f"entry {AUTO}"),
    ("a move by the automatic player", TWO, entry(0, kind="auto"), "entry 0"),
    ("another seat", TWO, entry(0, seat=1), "entry 0"),
    ("no seat", TWO, entry(0, seat=None), "entry 0"),
    ("a seat that there is not", TWO, entry(0, seat=2), "entry 0"),
    ("a seat below the first", TWO, entry(0, seat=-1), "entry 0"),
    ("a huge seat", TWO, entry(0, seat=HUGE), "entry 0"),
    ("a card that was not held", TWO, entry(0, move=ACE), "entry 0"),
    ("another card that was held", TWO, entry(0, move={"type": "play", "card": "AH"}), "position 1"),
    ("a chance instead", TWO, entry(PLAYED_CARD, move={"type": "chance"}), f"position {PLAYED_CARD + 1}"),
    ("a card that is none", TWO, entry(0, move={"type": "play", "card": "1X"}), "entry 0"),
    ("a move of another game", TWO, entry(0, move={"type": "move", "from": "1", "to": "a"}), "entry 0"),
    ("a move with something more", TWO, moved(0, count=1), "entry 0"),
    ("a move without a type", CELL, moved(0, type=...), "entry 0"),
    ("a move without its count", CELL, moved(0, count=...), "entry 0"),
    ("a move of too many cards", CELL, moved(0, count=2), "entry 0"),
    ("a move of a huge number of cards", CELL, moved(0, count=HUGE), "entry 0"),
    ("a move of true cards", CELL, moved(0, count=True), "entry 0"),
    ("a move from another column", CELL, moved(0, **{"from": "6"}), "position 1"),
    ("no move", TWO, entry(0, move=None), "entry 0"),
    ("a move that is a text", TWO, entry(0, move="chance"), "entry 0"),
    ("a move that is a number", TWO, entry(0, move=1), "entry 0"),
    ("a move that is an array", TWO, entry(0, move=[{"type": "chance"}]), "entry 0"),
    ("a move that is nested", TWO, entry(0, move={"type": {"type": {"type": "chance"}}}), "entry 0"),
    ("a resignation with a move", BANK, entry(RESIGNED, move={"type": "chance"}), f"entry {RESIGNED}"),
    ("a resignation with nothing in it", BANK, entry(RESIGNED, move={}), f"entry {RESIGNED}"),
    ("a resignation of another seat", BANK, entry(RESIGNED, seat=0), f"position {RESIGNED + 1}"),
    ("a resignation of no seat", BANK, entry(RESIGNED, seat=None), f"entry {RESIGNED}"),
    ("a resignation of a seat too many", BANK, entry(RESIGNED, seat=3), f"entry {RESIGNED}"),
    ("a time-out instead of a resignation", BANK, entry(RESIGNED, kind="timeout"), f"entry {RESIGNED}"),
    ("a resignation instead of a time-out", TURN, entry(END, kind="resign"), f"entry {END}"),
    (
        "a closing instead of a resignation",
        BANK,
        entry(RESIGNED, kind="void", seat=None),
        f"entry {RESIGNED}",
    ),
    ("no resignation", BANK, without(RESIGNED), f"position {RESIGNED + 1}"),
    ("no time-out", TURN, without(TIMED_OUT), f"entry {TIMED_OUT}"),
    ("an undo instead of a move", CELL, entry(1, kind="undo", move=None), "position 2"),
    ("an undo with a move", CELL, entry(3, move=CELL["log"][2]["move"]), "entry 3"),
    ("an undo of another seat", CELL, entry(3, seat=1), "entry 3"),
    ("no undo", CELL, without(3), "position 4"),
    (
        "an undo before any move",
        CELL,
        with_(0, kind="undo", seat=0, move=None, at=CELL["started_at"]),
        "entry 0",
    ),
    ("an undo among several", TWO, entry(4, kind="undo", move=None), "entry 4"),
    ("an entry of another kind", TWO, entry(4, kind="pass"), "form"),
    ("an entry less", TWO, lambda document: document["log"].pop(), "positions"),
    ("an entry more", TWO, lambda document: document["log"].append(TWO["log"][-1]), "positions"),
    ("an entry after the end", TWO, with_(len(TWO["log"]), **TWO["log"][-1]), f"entry {len(TWO['log'])}"),
    (
        "a resignation after the end",
        CELL,
        with_(len(CELL["log"]), **CELL["log"][-1]),
        f"entry {len(CELL['log'])}",
    ),
    ("an entry twice", TWO, with_(5, **TWO["log"][5]), "position 6"),
    ("entries exchanged", TWO, swap("log", 5), "entry 5"),
    ("the last entry left out", TWO, without(len(TWO["log"]) - 1), "ending"),
    ("no entries", TWO, lambda document: document.update(log=[], positions=TWO["positions"][:1]), "ending"),
    ("a position more", TWO, lambda document: document["positions"].append("0" * 64), "positions"),
    ("no positions", TWO, put("positions", []), "positions"),
    ("a position in upper case", TWO, put("positions", 7, TWO["positions"][7].upper()), "position 7"),
    ("a position that is no digest", TWO, put("positions", 0, ""), "position 0"),
    ("positions exchanged", TWO, swap("positions", 3), "position 3"),
    ("another ending", TWO, put("ending", "resigned"), "ending"),
    ("an ending that is none", TWO, put("ending", "won"), "form"),
    ("an ending by resigning", TURN, put("ending", "resigned"), "ending"),
    ("an abandoned game", CELL, put("ending", "abandoned"), "ending"),
    ("no outcome", TWO, put("outcome", None), "outcome"),
    ("the places exchanged", TWO, swap("outcome", "place", 0), "outcome"),
    ("the results exchanged", TWO, swap("outcome", "result", 0), "outcome"),
    ("another score", TWO, put("outcome", "score", 0, 40), "outcome"),
    ("a huge score", TWO, put("outcome", "score", 0, HUGE), "outcome"),
    ("a result that is none", TWO, put("outcome", "result", 0, "lost"), "form"),
    ("an outcome of too few", BANK, put("outcome", "place", [1, 2]), "outcome"),
    ("an outcome with something more", TWO, put("outcome", "note", ""), "form"),
    ("something more", TWO, put("note", "verified"), "form"),
    ("an entry with something more", TWO, entry(0, note="verified"), "form"),
]


@pytest.mark.parametrize(
    ("document", "change", "where"), [case[1:] for case in TAMPERED], ids=[case[0] for case in TAMPERED]
)
def test_what_was_tampered_with_is_found_by_both(document, change, where):
    changed = deepcopy(document)
    change(changed)
    assert json.dumps(changed) != json.dumps(document)
    assert both(changed) == where


@pytest.mark.parametrize("name", Proof.__struct_fields__)
def test_a_member_that_is_missing_or_of_another_type_is_found_by_both(name):
    for document in (TWO, CELL):
        if name != "daily":
            assert both({key: value for key, value in document.items() if key != name}) == "form"
        for value in ({"type": 1}, [None], 1.5, True):
            assert both({**document, name: value}) in {"form", "options"}


@pytest.mark.parametrize("name", ProvenEntry.__struct_fields__)
def test_a_member_of_an_entry_that_is_missing_or_of_another_type_is_found_by_both(name):
    changed = deepcopy(TWO)
    del changed["log"][4][name]
    assert both(changed) == "form"
    for value in ({}, [], 1.5, True):
        changed["log"][4][name] = value
        assert both(changed) == ("entry 4" if name == "move" and value != 1.5 else "form")


@pytest.mark.parametrize("name", ["sicksack-2", "freecell-undo"])
def test_each_position_is_looked_at_by_both(name):
    document = KEPT_DOCUMENTS[name]
    for number, digest in enumerate(document["positions"]):
        changed = {**document, "positions": [*document["positions"]]}
        changed["positions"][number] = ("1" if digest[0] == "0" else "0") + digest[1:]
        assert both(changed) == f"position {number}"


CLAIMS = {"players", "clock", "abandon_after", "started_at"}
"""What a file alone cannot tell everything of."""


def leaves(value, path=()):
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    else:
        yield path, value


def other_values(value):
    if isinstance(value, str):
        last = "1" if value[-1:] == "0" else "0"
        return [value[:-1] + last, value + "0", None, 0]
    if isinstance(value, int):
        return [value + 1, value - 1, None, str(value)]
    return [0, "", "x", [value]]


@pytest.mark.parametrize("name", ["sicksack-3-timed-out", "freecell-undo"])
def test_no_value_can_be_changed_but_what_is_claimed(name):
    document = KEPT_DOCUMENTS[name]
    unnoticed = set()
    for path, value in leaves(document):
        for other in other_values(value):
            changed = deepcopy(document)
            put(*path, other)(changed)
            if both(changed) is None:
                unnoticed.add(path)
    claims = CLAIMS if document["seed"] else CLAIMS | {"game", "entropies"}
    assert {path[0] for path in unnoticed} - {"log"} <= claims
    assert {path[2] for path in unnoticed if path[0] == "log"} <= {"at"}


@pytest.mark.parametrize("name", ["sicksack-3-timed-out", "freecell-undo"])
def test_no_entry_can_be_dropped_doubled_or_exchanged(name):
    document = KEPT_DOCUMENTS[name]
    end = len(document["log"])
    changes = [without(number) for number in range(end)]
    changes += [with_(number, **document["log"][number]) for number in range(end)]
    changes += [swap("log", number) for number in range(end - 1)]
    for change in changes:
        changed = deepcopy(document)
        change(changed)
        assert both(changed) is not None


@pytest.mark.parametrize(
    "slug", [slug for slug in CURRENT if 2 in CURRENT[slug].seats and slug != "sicksack"]
)
def test_a_game_of_one_rule_set_is_none_of_another(slug):
    document = {**TWO, "ruleset": slug}
    assert ours(json.dumps(document).encode()) == "position 0"


def test_the_names_of_players_prove_nothing():
    assert both({**TWO, "players": ["", "bo\n\u2660"]}) is None


def test_the_entropy_of_a_fixed_deal_proves_nothing():
    assert both({**CELL, "entropies": ["anything"], "game": "0" * 8 + CELL["game"][8:]}) is None


def test_a_proof_may_be_written_in_any_order_and_with_any_white_space():
    assert both(json.dumps(dict(reversed(TWO.items())), indent=3, ensure_ascii=False).encode()) is None


# Games that could not be played, with digests of just those positions.


class Cheating(Played):
    """A game in which anything goes."""

    def enter(self, kind, seat, move=None):
        move = msgspec.convert(move, self.rules.Move) if move else None
        self._append([table.advance(self.position, Entry(seat, move, kind))])
        return self

    def given_up(self):
        """The game, which all leave without a word of the automatic player."""
        while not self.is_over:
            self.enter("resign", next(seat for seat in range(6) if seat not in self.position.leavers))
        return self


def sicksack_for(seats, **fields):
    return Cheating("sicksack", seats, **fields)


def a_card_that_does_not_fit():
    game = sicksack_for(2, entropies=("correct horse battery staple", "17"))
    game.play({"type": "play", "card": "8D"})
    return game.enter("play", 1, {"type": "play", "card": "7D"})


def another_automatic_move():
    game = sicksack_for(3)
    game.enter("resign", 0)
    return game.enter("auto", 0, {"type": "chance"})


def a_move_by_who_has_left():
    game = sicksack_for(3)
    game.enter("resign", 0)
    (step,) = table.automatic_steps(game.position)
    return game.enter("play", 0, table.stored_move(step.entry.move))


def a_late_automatic_move():
    game = sicksack_for(3)
    game.enter("resign", 0)
    (step,) = table.automatic_steps(game.position)
    return game.passes(1).enter("auto", 0, table.stored_move(step.entry.move))


def a_second_leaving():
    return sicksack_for(4).enter("resign", 2).enter("resign", 2)


def a_time_out_without_a_clock():
    return sicksack_for(3).enter("timeout", 0)


def a_time_out_of_another_seat():
    return sicksack_for(3, clock=TURN_CLOCK).passes(61).enter("timeout", 1)


def a_move_after_the_deadline():
    return sicksack_for(3, clock=TURN_CLOCK).passes(60.001).enter("play", 0, {"type": "chance"})


def a_resignation_after_the_deadline():
    return sicksack_for(3, clock=TURN_CLOCK).passes(60.001).enter("resign", 1)


def a_time_out_before_the_deadline():
    return sicksack_for(3, clock=TURN_CLOCK).passes(59.9999).enter("timeout", 0)


def a_game_that_is_closed_too_early():
    return sicksack_for(2, abandon_after=3600).passes(3599.9999).enter("void", None)


def a_game_that_is_closed_under_a_clock():
    game = sicksack_for(2, clock=SLOW_CLOCK, abandon_after=3600)
    game.play({"type": "chance"})
    return game.passes(3601).enter("void", None)


def a_seat_that_closes():
    return Cheating("freecell", options={"deal": 1}).enter("void", 0)


def a_patience_that_is_closed_after_a_move():
    game = Cheating("freecell", options={"deal": 1})
    game.words("5a")
    return game.enter("void", None)


def a_patience_that_is_left_before_a_move():
    return Cheating("freecell", options={"deal": 1}).enter("resign", 0)


def a_card_that_is_not_next():
    return Cheating("freecell", options={"deal": 1}).enter(
        "play", 0, {"type": "move", "from": "1", "to": "h", "count": 1}
    )


def a_run_that_could_not_be_carried():
    game = Cheating("freecell", options={"deal": 1})
    game.words("5a 5b 5c 5d 5h")
    return game.enter("play", 0, {"type": "move", "from": "a", "to": "b", "count": 1})


@pytest.mark.parametrize(
    ("play", "number"),
    [
        (a_card_that_does_not_fit, 1),
        (another_automatic_move, 1),
        (a_move_by_who_has_left, 1),
        (a_late_automatic_move, 1),
        (a_second_leaving, 1),
        (a_time_out_without_a_clock, 0),
        (a_time_out_of_another_seat, 0),
        (a_move_after_the_deadline, 0),
        (a_resignation_after_the_deadline, 0),
        (a_time_out_before_the_deadline, 0),
        (a_game_that_is_closed_too_early, 0),
        (a_game_that_is_closed_under_a_clock, 1),
        (a_seat_that_closes, 0),
        (a_patience_that_is_closed_after_a_move, 1),
        (a_patience_that_is_left_before_a_move, 0),
        (a_card_that_is_not_next, 0),
        (a_run_that_could_not_be_carried, 5),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_game_that_could_not_be_played_is_found_by_both(play, number):
    assert both(play().given_up().content) == f"entry {number}"


# The deals of the day.

DAILY = UUID("01936d3f-0000-7a10-9f4e-2b6c8d0e1f23")


def daily_game(slug, **fields):
    game = Played(slug, daily=DAILY, **fields).play_on(Random(slug), 2)
    game.resign()
    return game


@pytest.mark.parametrize("slug", ["camelot", "las-pintas", "freecell"])
def test_a_game_with_the_deal_of_a_day_is_verified(slug):
    game = daily_game(slug)
    assert_verified(game)
    assert game.document["daily"] == str(DAILY)
    assert game.document["commitment"] == shuffle.commitment(DAILY, game.seed)


def test_all_who_play_the_deal_of_a_day_have_its_commitment_and_deck():
    one, other = (daily_game("camelot", game=UUID(int=7 << 76 | number)).document for number in (1, 2))
    assert one["game"] != other["game"]
    assert all(one[name] == other[name] for name in ("daily", "commitment", "seed", "entropies", "deck"))


@pytest.mark.parametrize(
    ("slug", "change", "where"),
    [
        ("camelot", put("daily", str(GAME)), "commitment"),
        ("camelot", put("daily", str(DAILY)[:-1] + "4"), "commitment"),
        ("camelot", put("daily", None), "commitment"),
        ("camelot", lambda document: document.pop("daily"), "commitment"),
        ("freecell", put("daily", str(DAILY)[:-1] + "4"), "commitment"),
        ("camelot", put("daily", ""), "daily"),
        ("camelot", put("daily", str(DAILY).upper()), "daily"),
        ("camelot", put("daily", DAILY.hex), "daily"),
        ("camelot", put("daily", "2026-11-30"), "daily"),
        ("camelot", lambda document: document.update(game="x", daily="x"), "game"),
        ("camelot", lambda document: document.update(daily="x", shuffle_version=2), "daily"),
        ("camelot", lambda document: document.update(daily="x", pack=[]), "pack"),
        ("camelot", put("daily", 7), "form"),
        ("camelot", put("entropies", 0, "mine"), "deck"),
        ("camelot", put("game", "x"), "game"),
    ],
)
def test_another_deal_of_the_day_is_found_by_both(slug, change, where):
    document = daily_game(slug).document
    change(document)
    assert both(document) == where


def test_a_game_that_is_not_of_the_day_is_verified_with_null_for_its_deal_and_with_no_other():
    assert "daily" not in TWO
    assert both({**TWO, "daily": None}) is None
    assert both({**TWO, "daily": GAME}) is None, "the same id in two places"
    assert both({**TWO, "daily": str(DAILY)}) == "commitment"


def test_a_card_cannot_be_played_twice_at_once():
    game = Cheating("vandtia-pyramid", 2)
    for _ in range(2):
        for seat in (0, 1):
            game.play({"type": "ready"}, seat)
    seat = game.position.to_act[0]
    legal = table.stored_move(next(game.rules.legal_moves(game.position.state, seat)))
    game.enter("play", seat, {"type": "play", "cards": legal["cards"] * 2})
    assert len(game.position.state.pile) == 2 * len(legal["cards"])
    assert ours(game.given_up().content) == "entry 4"


def test_what_showed_something_is_not_taken_back():
    game = Cheating("camelot")
    game.play({"type": "deal"})
    assert ours(game.enter("undo", 0).given_up().content) == "entry 1"


@pytest.mark.parametrize(("seconds", "late"), [(60, False), (60.0004, True)])
def test_in_the_last_millisecond_of_a_turn_both_a_move_and_a_time_out_are_verified(seconds, late):
    game = Played("sicksack", 2, clock=TURN_CLOCK).passes(seconds)
    assert game.is_due == late
    if late:
        game.settle()
    else:
        game.play({"type": "chance"})
        game.resign(0)
    assert game.log[0][1].isoformat(timespec="milliseconds") == "2026-01-31T12:01:00.000+00:00"
    assert_verified(game)


# Files that hold no proof.

NAUGHT = {
    "nothing": b"",
    "white space": b" \n",
    "no JSON": b"proof",
    "half of a proof": json.dumps(TWO).encode()[:3000],
    "more than a proof": json.dumps(TWO).encode() + b"{}",
    "a proof twice": json.dumps([TWO, TWO]).encode(),
    "null": b"null",
    "a number": b"1",
    "a huge number": b"9" * 5000,
    "a text": b'"proof"',
    "an array": b"[]",
    "an empty object": b"{}",
    "NaN": b"NaN",
    "bytes": bytes(range(256)),
    "not UTF-8": b'{"format": "\xff"}',
    "UTF-16": json.dumps(TWO).encode("utf-16"),
    "a mark at the beginning": b"\xef\xbb\xbf" + json.dumps(TWO).encode(),
    "half a surrogate": json.dumps({**TWO, "players": ["\ud800", "bo"]}).encode(),
    "nested arrays": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a nested option": json.dumps({**TWO, "options": "@"})
    .encode()
    .replace(b'"@"', b"[" * 5000 + b"]" * 5000),
    "a member twice": json.dumps(TWO).encode().replace(b'"seats"', b'"seats": 2, "seats"', 1),
    "a member of a move twice": json.dumps(TWO).encode().replace(b'"card"', b'"card": "AC", "card"', 1),
    "a huge number of seats": json.dumps({**TWO, "seats": "@"}).encode().replace(b'"@"', b"9" * 5000),
    "a number with an exponent": json.dumps({**TWO, "seats": "@"}).encode().replace(b'"@"', b"2e0"),
    "an option that is a fraction": json.dumps({**CELL, "options": {"deal": 1.0}}).encode(),
    "a count that is a fraction": json.dumps(CELL).encode().replace(b'"count": 1', b'"count": 1.0', 1),
    "a number out of range": json.dumps({**TWO, "options": {"deal": 1}}).encode().replace(b"1}", b"1e999}"),
}


@pytest.mark.parametrize("name", NAUGHT)
def test_what_is_no_proof_is_said_to_be_none_by_both(name):
    assert both(NAUGHT[name]) == "form"


NESTED = json.dumps({**TWO, "options": "@"}).encode().replace(b'"@"', b'{"a":' * 400 + b"1" + b"}" * 400)


def test_options_and_moves_may_be_nested_as_deep_as_json_is_read():
    assert both(NESTED) == "options"
    document = json.dumps(entry_changed(move="@")).encode()
    assert both(document.replace(b'"@"', b"[" * 400 + b"]" * 400)) == "entry 0"


def entry_changed(**members):
    changed = deepcopy(TWO)
    changed["log"][0].update(members)
    return changed


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PATHS = [path for document in (TURN, CELL) for path, _ in leaves(document)]


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([TURN, CELL]), st.sampled_from(sorted({*PATHS}, key=str)), json_values)
@example(TURN, ("seats",), 10**4000)
@example(TURN, ("log", 0, "seat"), 10**4000)
@example(TURN, ("started_at",), "9999-12-31T23:59:59.999Z")
@example(TURN, ("log", 0, "at"), "9999-12-31T23:59:59.999Z")
@example(TURN, ("started_at",), "0001-01-01T00:00:00.000Z")
def test_no_value_makes_a_verifier_fail(document, path, value):
    changed = deepcopy(document)
    try:
        put(*path, value)(changed)
    except (KeyError, IndexError, TypeError):
        return
    content = json.dumps(changed).encode()
    ours(content)
    theirs(content)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_no_bytes_make_a_verifier_fail(data):
    content = bytearray(path_of("sicksack-3-timed-out").read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    ours(bytes(content))
    theirs(bytes(content))


# The command.


@pytest.fixture
def verify(tmp_path):
    """Runs the command over files made of these documents: whether it succeeds and the lines that it writes."""

    def run(*contents):
        files = []
        for number, content in enumerate(contents):
            files.append(tmp_path / f"{number}.json")
            files[-1].write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        out = StringIO()
        try:
            call_command("verify_game", *files, stdout=out)
        except CommandError as error:
            return str(error), out.getvalue().replace(f"{tmp_path}/", "").splitlines()
        return None, out.getvalue().replace(f"{tmp_path}/", "").splitlines()

    return run


def test_the_command_says_that_games_are_verified(verify):
    assert verify(TWO, BANK, TURN, CELL) == (
        None,
        [
            "0.json: verified: sicksack, 58 entries, played_out",
            "1.json: verified: sicksack, 63 entries, played_out",
            "2.json: verified: sicksack, 16 entries, timed_out",
            "3.json: verified: freecell, 10 entries, resigned",
        ],
    )


def test_the_command_says_of_each_file_where_it_diverges(verify):
    said, lines = verify(
        b"",
        TWO,
        {**TWO, "outcome": None},
        {**TWO, "seats": 9},
        entry_changed(move=ACE),
        {**TWO, "positions": ["0" * 64, *TWO["positions"][1:]]},
    )
    assert said == "5 of 6 not verified"
    assert lines == [
        "0.json: diverges at form: expected a proof, got not JSON: Input data was truncated at $",
        "1.json: verified: sicksack, 58 entries, played_out",
        '2.json: diverges at outcome: expected {"place":[2,1],"result":["loss","win"],"score":[41,10]}, got null',
        "3.json: diverges at seats: expected [2,3,4,5,6], got 9",
        "4.json: diverges at entry 0: expected an entry that can be made, got SS-5: AC is not in your hand",
        f"5.json: diverges at position 0: expected {TWO['positions'][0]}, got {'0' * 64}",
    ]


@pytest.mark.parametrize(
    "document",
    [
        {**TWO, "ruleset": "x\n1.json: verified\x1b[2J\u2660"},
        {**TWO, "game": "\r\n\u2028"},
        {**TWO, "deck": ["\n" * 10_000]},
        {**TWO, "started_at": "\n2026"},
        {**TWO, "outcome": {**TWO["outcome"], "result": ["\n", "win"]}},
        {**TWO, "\n": 1},
        {**TWO, "options": {"\n": 1}},
        entry_changed(kind="\n"),
        entry_changed(at="\n"),
        entry_changed(move={"type": "\n"}),
        entry_changed(move={"type": "play", "card": "A\n"}),
        {**TWO, "seats": 10**4000},
        {**TWO, "rules_version": 10**4000},
        entry_changed(seat=10**4000),
    ],
    ids=range(14),
)
def test_whatever_stands_in_a_file_the_command_writes_one_short_line(verify, document):
    said, (line,) = verify(document)
    assert said == "1 of 1 not verified"
    assert line.startswith("0.json: diverges at ")
    assert line.isascii()
    assert line.isprintable()
    assert len(line) < 1000


def test_the_command_says_that_a_file_cannot_be_read_and_looks_at_the_others(tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    kept = path_of("sicksack-2")
    with pytest.raises(CommandError, match=r"^2 of 3 not verified$"):
        call_command("verify_game", tmp_path / "nowhere.json", tmp_path / "folder", kept)
    nowhere, folder, verified = capsys.readouterr().out.splitlines()
    assert nowhere == f"{tmp_path}/nowhere.json: cannot be read: No such file or directory"
    assert folder == f"{tmp_path}/folder: cannot be read: Is a directory"
    assert verified.startswith(f"{kept}: verified: ")


def run(*files, **environment):
    """The command as one runs it: its exit status, and what it writes and complains of."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_game", *map(str, files)],
        cwd=ROOT,
        env={**kept, "PYTHONIOENCODING": "ascii", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing", "SECRET_KEY": "only-for-tests"}


def test_the_command_needs_no_database():
    files = [path_of(name) for name in KEPT]
    status, out, complaints = run(*files, **NOWHERE)
    assert (status, complaints) == (0, "")
    assert [line.split(": ")[1] for line in out.splitlines()] == ["verified"] * len(files)


def test_the_command_starts_no_database(tmp_path):
    status, _, complaints = run(path_of("sicksack-2"), DATA_DIR=str(tmp_path))
    assert (status, complaints) == (0, "")
    assert not (tmp_path / "postgres").exists()


def test_the_command_fails_plainly_where_files_hold_no_proof(tmp_path):
    files = [tmp_path / f"{number}.json" for number in range(len(NAUGHT))]
    for file, content in zip(files, NAUGHT.values(), strict=True):
        file.write_bytes(content)
    status, out, complaints = run(*files, path_of("freecell-undo"), **NOWHERE)
    assert status == 1
    assert complaints == f"CommandError: {len(files)} of {len(files) + 1} not verified\n"
    lines = out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [*map(str, files), str(path_of("freecell-undo"))]
    assert all(": diverges at form: expected a proof, got " in line for line in lines[:-1])


@pytest.mark.parametrize("missing", ["nowhere.json", "."])
def test_the_command_fails_plainly_where_there_is_no_file(tmp_path, missing):
    status, _, complaints = run(tmp_path / missing, **NOWHERE)
    assert status == 1
    assert re.fullmatch(r"CommandError: .+\n", complaints)


def test_the_second_verifier_can_be_run_by_itself(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"{}")
    script = ROOT / "tests" / "second_verifier.py"
    done = subprocess.run(
        [sys.executable, "-I", script, path_of("sicksack-2"), broken],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == f"{path_of('sicksack-2')}: verified"
    assert done.stdout.splitlines()[1].startswith(f"{broken}: diverges at form: ")
