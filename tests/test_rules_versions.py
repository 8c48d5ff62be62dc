"""Rule sets that have changed: a game goes on, and is verified, by the rules with which it was begun."""

from functools import partial

import pytest

from games import catalog
from games.models import Game
from games.rules.contract import IllegalMove
from games.rules.sicksack import Sicksack, SicksackChance
from games.selectors.newest import newest_positions
from tests.api.checks import CHANCE, refused
from tests.stored_games import without_guards
from tests.verifying import first_moves, verified


class Sicksack2(Sicksack):
    """There are no chances any more."""

    version = 2

    def legal_moves(self, state, seat):
        return (move for move in super().legal_moves(state, seat) if not isinstance(move, SicksackChance))

    def check(self, state, seat, move):
        if isinstance(move, SicksackChance):
            raise IllegalMove("SS-6", "there are no chances")
        super().check(state, seat, move)


@pytest.fixture
def verify(db, capsys):
    return partial(verified, capsys)


@pytest.fixture
def release(monkeypatch):
    """Makes the second version the current one; the first is kept for the games that were begun with it."""

    def changed():
        rules = Sicksack2()
        monkeypatch.setitem(catalog.CURRENT, "sicksack", rules)
        monkeypatch.setitem(catalog._BY_VERSION, ("sicksack", 2), rules)
        newest_positions.clear()

    yield changed
    newest_positions.clear()


def test_a_game_goes_on_by_the_rules_with_which_it_was_begun(verify, release, anna, bo, make_game):
    old = str(make_game("sicksack", [anna, bo]))
    assert anna.client.post(f"games/{old}/moves", {"ply": 0, "move": CHANCE}).status_code == 201
    release()
    new = anna.client.post("games/", {"ruleset": "sicksack", "seats": 2}).json()["id"]
    bo.client.post(f"games/{new}/join")
    assert anna.client.post(f"games/{new}/start").status_code == 200
    versions = {game: anna.client.get_json(f"games/{game}/")["rules_version"] for game in (old, new)}
    assert versions == {old: 1, new: 2}
    assert anna.client.get_json("rulesets/sicksack/")["version"] == 2

    seen = anna.client.get_json(f"games/{old}/")
    mover = [anna, bo][seen["to_act"][0]]
    assert CHANCE in mover.client.get_json(f"games/{old}/legal-moves")["items"]
    assert mover.client.post(f"games/{old}/moves", {"ply": 1, "move": CHANCE}).status_code == 201
    assert CHANCE not in anna.client.get_json(f"games/{new}/legal-moves")["items"]
    illegal = refused(anna.client, f"games/{new}/moves", {"ply": 0, "move": CHANCE}, "illegal")
    assert (illegal["clause"], illegal["why"]) == ("SS-6", "there are no chances")
    first_moves(new, [anna, bo], 1)

    assert verify() == (None, ["2 games verified"])
    for game in (old, new):
        assert bo.client.post(f"games/{game}/resign").status_code == 200
    assert verify() == (None, ["2 games verified"])
    proofs = [anna.client.get_json(f"games/{game}/proof") for game in (old, new)]
    assert {proof["game"]: proof["rules_version"] for proof in proofs} == versions
    replayed = anna.client.get_json(f"games/{old}/replay")["items"]
    assert [frame["entry"]["move"] for frame in replayed[1:3]] == [CHANCE, CHANCE]


def test_a_game_is_not_verified_by_the_rules_of_another_version(verify, release, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    anna.client.post(f"games/{game}/moves", {"ply": 0, "move": CHANCE})
    bo.client.post(f"games/{game}/resign")
    release()
    assert verify() == (None, ["1 games verified"])
    with without_guards():
        Game.objects.update(rules_version=2)
    why = "expected an entry that can be made, got SS-6: there are no chances"
    assert verify() == ("1 of 1 games diverge", [f"{game} diverges at entry 0: {why}", "0 games verified"])


def test_a_game_of_a_version_that_was_never_released_cannot_be_played_again(verify, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    bo.client.post(f"games/{game}/resign")
    with without_guards():
        Game.objects.update(rules_version=9)
    status, (diverges, whole) = verify()
    assert (status, whole) == ("1 of 1 games diverge", "0 games verified")
    assert diverges.startswith(f"{game} diverges at its replay: ")
    assert "KeyError: ('sicksack', 9)" in diverges
