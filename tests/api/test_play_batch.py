"""Several moves at once: all or none, and never a look at what is hidden."""

import pytest

from games.models import Game, Move
from tests.api.checks import CHANCE, TAKE, freecell, play, records, refused

FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D QC 8D TC"
"""For two seats: two hands, of which seat 1's cannot follow 5H, and the top of the stock."""

REVEALS = {
    "detail": "Move 0 of the batch may reveal something and is not the last.",
    "index": 0,
}


@pytest.fixture
def game(anna, bo, make_sicksack):
    return make_sicksack([anna, bo], FIRST_CARDS)


@pytest.fixture
def path(game):
    return f"games/{game}/moves"


@pytest.fixture
def patience(anna, make_game):
    return f"games/{make_game('freecell', [anna], options={'deal': 1})}/moves"


@pytest.mark.parametrize("following", [CHANCE, play("9C"), play("QH"), TAKE, freecell("1", "a")])
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(CHANCE, id="chance"),
        pytest.param(play("5H"), id="play"),
        pytest.param(play("QH"), id="play-of-a-card-that-is-not-held"),
    ],
)
def test_a_move_that_may_reveal_something_is_the_last_of_its_batch(path, anna, first, following):
    assert refused(anna.client, path, {"ply": 0, "moves": [first, following]}, "batch_reveals") == REVEALS


def test_a_move_that_may_reveal_something_is_refused_in_a_batch_also_where_it_does_not_fit(path, anna, bo):
    anna.client.post(path, {"ply": 0, "move": play("5H")})
    for first in (play("4S"), play("9C"), CHANCE):
        body = {"ply": 1, "moves": [first, TAKE]}
        assert refused(bo.client, path, body, "batch_reveals") == REVEALS


def test_a_batch_of_one_may_reveal(path, anna):
    answer = anna.client.post(path, {"ply": 0, "moves": [CHANCE]})
    assert (answer.status_code, answer.json()["position"]["view"]["pile"]) == (201, ["7S"])


def test_what_follows_must_still_be_of_a_published_form(path, anna):
    body = {"ply": 0, "moves": [CHANCE, {"type": "chance", "card": "QH"}]}
    assert refused(anna.client, path, body, "malformed")["errors"] == [
        {"path": "$.moves[1]", "message": "Object contains unknown field `card`"}
    ]


@pytest.mark.parametrize(("last", "pile"), [(play("4S"), ["4S"]), (CHANCE, ["6D"])])
def test_taking_and_starting_the_new_pile_may_be_one_batch(path, anna, bo, game, last, pile):
    anna.client.post(path, {"ply": 0, "move": play("5H")})
    answer = bo.client.post(path, {"ply": 1, "moves": [TAKE, last]})
    assert answer.status_code == 201
    view = answer.json()["position"]["view"]
    assert (view["pile"], view["score_piles"], answer.json()["position"]["to_act"]) == (
        pile,
        [[], ["5H"]],
        [0],
    )
    kept = (
        Move.objects.filter(game=game).order_by("ply").values_list("ply", "seat", "base", "request_n", "body")
    )
    assert list(kept) == [(0, 0, 0, 0, play("5H")), (1, 1, 1, 0, TAKE), (2, 1, 1, 1, last)]


@pytest.mark.parametrize(
    ("last", "clause"),
    [(play("QH"), "SS-5"), (play("6D"), "SS-5"), (TAKE, "SS-8"), (freecell("1", "a"), "FORM")],
)
def test_nothing_of_a_batch_is_kept_where_its_last_move_is_refused(path, anna, bo, last, clause):
    anna.client.post(path, {"ply": 0, "move": play("5H")})
    code = "form" if clause == "FORM" else "illegal"
    facts = refused(bo.client, path, {"ply": 1, "moves": [TAKE, last]}, code)
    assert (facts["clause"], facts["index"]) == (clause, 1)
    assert bo.client.post(path, {"ply": 1, "moves": [TAKE, play("4S")]}).status_code == 201


def test_a_batch_that_reveals_in_the_middle_is_refused_whole(path, anna, bo):
    anna.client.post(path, {"ply": 0, "move": play("5H")})
    facts = refused(bo.client, path, {"ply": 1, "moves": [TAKE, CHANCE, play("4S")]}, "batch_reveals")
    assert facts == {"detail": "Move 1 of the batch may reveal something and is not the last.", "index": 1}


def test_without_a_stock_nothing_is_revealed_and_the_turn_passes_within_the_batch(anna, bo, make_game_of):
    record = records("sicksack")["random-2-85"]
    game = make_game_of(record["deck"], "sicksack", [anna, bo])
    path = f"games/{game}/moves"
    for ply, step in enumerate(record["steps"]):
        seat, player = step["seat"], (anna, bo)[step["seat"]]
        stock = (
            player.client.get_json(f"games/{game}/")["position"]["view"]["stock"]["size"] if ply > 40 else 1
        )
        if stock == 0 and step["move"]["type"] == "play":
            body = {"ply": ply, "moves": [step["move"], TAKE]}
            assert refused(player.client, path, body, "turn") == {
                "detail": "It would not be your turn at move 1 of the batch.",
                "ply": ply,
                "to_act": [1 - seat],
                "index": 1,
            }
            break
        player.client.post(path, {"ply": ply, "move": step["move"]})
    else:
        pytest.fail("the stock never ran out")


@pytest.mark.parametrize(
    ("words", "index", "clause"),
    [
        ("5a 5a", 1, "FC-4"),
        ("5a 5b 5c 5d 5h 1a", 5, "FC-4"),
        ("5a 5b 5c c2", 3, "FC-4"),
        ("5a b1 5b", 1, "FC-3"),
        ("5a h1 5b", 1, "FC-3"),
        ("12 5a", 0, "FC-5"),
    ],
)
def test_the_index_tells_which_move_of_a_batch_is_illegal(patience, anna, words, index, clause):
    facts = refused(anna.client, patience, {"ply": 0, "notation": words}, "illegal")
    assert (facts["index"], facts["clause"]) == (index, clause)


def test_a_batch_that_goes_on_after_the_end_is_refused_whole(anna, make_game):
    record = records("freecell")["no-move-left-microsoft"]
    path = f"games/{make_game('freecell', [anna], options=record['options'])}/moves"
    moves = [step["move"] for step in record["steps"]]
    facts = refused(anna.client, path, {"ply": 0, "moves": [*moves, moves[0]]}, "over")
    assert facts == {"detail": "The game would be over before move 8 of the batch.", "ply": 0, "index": 8}
    assert anna.client.post(path, {"ply": 0, "moves": moves}).json()["status"] == "finished"


def test_a_batch_may_have_two_thousand_moves(anna, make_game):
    record = records("freecell")["two-thousand-moves"]
    game = make_game("freecell", [anna], options=record["options"])
    path, moves = f"games/{game}/moves", [step["move"] for step in record["steps"]]
    assert refused(anna.client, path, {"ply": 0, "moves": [*moves, moves[0]]}, "malformed")["errors"] == [
        {"path": "$.moves", "message": "Expected `array` of length <= 2000"}
    ]
    answer = anna.client.post(path, {"ply": 0, "moves": moves})
    assert (answer.status_code, answer.json()["status"], len(answer.json()["entries"])) == (
        201,
        "finished",
        2000,
    )
    assert answer.json()["position"]["outcome"] == {"place": [1], "result": ["loss"], "score": [0]}
    assert (Game.objects.get(id=game).ply, Move.objects.filter(game=game).count()) == (2000, 2000)
