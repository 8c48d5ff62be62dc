"""Looking at a game as it is played: one's legal moves, the log, positions."""

import pytest

from tests.api.checks import CHANCE, TAKE, freecell, play, problem_of, records, whole_list
from tests.expect import faults


@pytest.fixture
def game(anna, bo, make_sicksack):
    return f"games/{make_sicksack([anna, bo], '5H 9C KD 4S 3C 2D 7S 6D')}/"


@pytest.fixture
def patience(anna, make_game):
    return f"games/{make_game('freecell', [anna], options={'deal': 1})}/"


def test_ones_legal_moves_are_in_canonical_form_and_in_the_order_of_the_rules(game, anna, bo):
    legal = anna.client.get_json(f"{game}legal-moves")
    assert legal == {
        "ruleset": "sicksack",
        "ply": 0,
        "seat": 0,
        "total": 4,
        "items": [play("5H"), play("9C"), play("KD"), CHANCE],
        "next": None,
    }
    anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")})
    assert bo.client.get_json(f"{game}legal-moves")["items"] == [CHANCE, TAKE]


def test_a_seat_that_may_not_act_has_no_legal_moves(game, bo):
    legal = bo.client.get_json(f"{game}legal-moves")
    assert legal == {"ruleset": "sicksack", "ply": 0, "seat": 1, "total": 0, "items": [], "next": None}


def test_there_are_no_legal_moves_after_the_end(anna, make_game):
    record = records("freecell")["no-move-left-microsoft"]
    path = f"games/{make_game('freecell', [anna], options=record['options'])}/"
    anna.client.post(f"{path}moves", {"ply": 0, "moves": [step["move"] for step in record["steps"]]})
    legal = anna.client.get_json(f"{path}legal-moves")
    assert (legal["ply"], legal["total"], legal["items"]) == (8, 0, [])


def test_legal_moves_come_in_pages_of_one_ply(patience, anna):
    every = anna.client.get_json(f"{patience}legal-moves")
    page = anna.client.get_json(f"{patience}legal-moves?limit=7")
    assert (page["total"], len(page["items"])) == (every["total"], 7)
    assert page["next"] == f"/api/v1/{patience}legal-moves?limit=7&cursor=0.7"
    assert whole_list(anna.client, f"{patience}legal-moves?limit=7") == every["items"]
    assert freecell("5", "a", 1) in every["items"]
    anna.client.post(f"{patience}moves", {"ply": 0, "notation": "5a"})
    answer = anna.client.ask("GET", page["next"])
    assert problem_of(answer, "ply_changed") == {"detail": "The game has come to ply 1.", "ply": 1}


def test_a_page_after_the_last_legal_move_is_empty(game, anna):
    legal = anna.client.get_json(f"{game}legal-moves?cursor=0.999999999")
    assert (legal["total"], legal["items"], legal["next"]) == (4, [], None)


@pytest.mark.parametrize("limit", [1, 2, 4, 5, 100])
def test_the_pages_of_the_log_have_no_gap_and_nothing_twice(patience, anna, anonymous, limit):
    anna.client.post(f"{patience}moves", {"ply": 0, "notation": "5a 5b 5c 5d 5h"})
    log = whole_list(anonymous, f"{patience}moves?limit={limit}")
    assert [(entry["ply"], entry["notation"]) for entry in log] == list(
        enumerate(["5a", "5b", "5c", "5d", "5h"])
    )
    assert anonymous.get_json(f"{patience}moves?cursor=3")["items"] == log[3:]
    beyond = anonymous.get_json(f"{patience}moves?cursor=2147483647")
    assert beyond == {"ply": 5, "items": [], "next": None}


def test_the_log_that_has_not_begun_is_an_empty_page(patience, anonymous):
    assert anonymous.get_json(f"{patience}moves") == {"ply": 0, "items": [], "next": None}


def test_every_position_up_to_the_newest_may_be_seen(game, anna, bo):
    dealt = bo.client.get_json(f"{game}positions/0")
    anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")})
    assert bo.client.get_json(f"{game}positions/0") == dealt
    assert bo.client.get_json(f"{game}positions/1") == bo.client.get_json(game)["position"]
    answer = bo.client.ask("GET", f"{game}positions/2")
    assert problem_of(answer, "not_found") == {"detail": "The game has come to ply 1.", "ply": 1}


@pytest.mark.parametrize("ply", ["-1", "1.0", "x", "", "9" * 20, "9" * 5000, "%00", "0/", "٣"])
def test_what_is_no_ply_of_the_game_is_not_found(game, anna, ply):
    assert "detail" in problem_of(anna.client.ask("GET", f"{game}positions/{ply}"), "not_found")


@pytest.mark.parametrize("what", ["legal-moves", "moves", "positions/0"])
def test_a_game_that_has_not_started_has_nothing_to_look_at(anna, make_game, what):
    path = f"games/{make_game('sicksack', [anna], start=False)}/"
    assert problem_of(anna.client.ask("GET", path + what), "not_started") == {
        "detail": "The game has not started.",
        "game_status": "open",
    }


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("legal-moves?cursor=7", "cursor"),
        ("legal-moves?cursor=0.-1", "cursor"),
        ("legal-moves?cursor=0.0000000001", "cursor"),
        ("legal-moves?limit=0", "limit"),
        ("legal-moves?limit=101", "limit"),
        ("legal-moves?ply=0", "query"),
        ("moves?cursor=-1", "cursor"),
        ("moves?cursor=2147483648", "cursor"),
        ("moves?cursor=x", "cursor"),
        ("moves?limit=0", "limit"),
        ("moves?limit=1&limit=2", "limit"),
        ("moves?since=0", "query"),
    ],
)
def test_a_query_of_another_form_is_told_its_fault(game, anna, query, fault):
    assert faults(anna.client.ask("GET", game + query)) == [fault]
