"""Moves that are refused: what each verdict says, and which one is given where several hold."""

import pytest

from games.services.gathering import game_leave
from tests.api.checks import CHANCE, TAKE, freecell, play, problem_of, records, refused, whole_list
from tests.expect import nothing_changes

FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D QC 8D TC"
"""For two seats: two hands, of which seat 1's cannot follow 5H, and the top of the stock."""


@pytest.fixture
def game(anna, bo, make_sicksack):
    return make_sicksack([anna, bo], FIRST_CARDS)


@pytest.fixture
def path(game):
    return f"games/{game}/moves"


@pytest.fixture
def played_path(path, anna, bo):
    """Of a game of which four entries were played, and whose fifth is seat 0's."""
    assert anna.client.post(path, {"ply": 0, "move": play("5H")}).status_code == 201
    assert bo.client.post(path, {"ply": 1, "moves": [TAKE, play("4S")]}).status_code == 201
    assert anna.client.post(path, {"ply": 3, "move": CHANCE}).status_code == 201
    return path


@pytest.fixture
def finished_path(anna, bo, make_game_of):
    record = records("sicksack")["random-2-85"]
    path = f"games/{make_game_of(record['deck'], 'sicksack', [anna, bo])}/moves"
    for ply, step in enumerate(record["steps"]):
        (anna, bo)[step["seat"]].client.post(path, {"ply": ply, "move": step["move"]})
    return path


def test_a_stale_request_is_told_what_it_missed_as_that_seat_may_see_it(played_path, anna, bo):
    log = bo.client.get_json(played_path)["items"]
    assert refused(bo.client, played_path, {"ply": 0, "move": CHANCE}, "stale") == {
        "detail": "The game has moved on from ply 0 to ply 4.",
        "ply": 4,
        "missed": log,
        "more": None,
    }
    assert [entry["events"] for entry in log] == [
        [{"type": "drew", "card": None}],
        [{"type": "took", "cards": ["5H"]}],
        [{"type": "drew", "card": "6D"}],
        [{"type": "turned", "card": "QC", "fits": False}, {"type": "took", "cards": ["4S", "QC"]}],
    ]
    missed = refused(anna.client, played_path, {"ply": 0, "move": CHANCE}, "stale")["missed"]
    assert [missed[0]["events"], missed[2]["events"]] == [
        [{"type": "drew", "card": "7S"}],
        [{"type": "drew", "card": None}],
    ]
    missed = refused(anna.client, played_path, {"ply": 2, "move": CHANCE}, "stale")["missed"]
    assert [entry["ply"] for entry in missed] == [2, 3]


def test_the_first_hundred_missed_entries_are_told_and_then_a_link(anna, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/moves"
    words = records("freecell")["deal-1"]["notation"][:105]
    anna.client.post(path, {"ply": 0, "notation": " ".join(words)})
    log = whole_list(anna.client, path)
    facts = refused(anna.client, path, {"ply": 0, "notation": "5b"}, "stale")
    assert (facts["ply"], facts["missed"]) == (105, log[:100])
    assert facts["missed"] + anna.client.get_json(facts["more"])["items"] == log
    facts = refused(anna.client, path, {"ply": 4, "notation": "5b"}, "stale")
    assert facts["missed"] + anna.client.get_json(facts["more"])["items"] == log[4:]
    facts = refused(anna.client, path, {"ply": 5, "notation": "5b"}, "stale")
    assert (facts["missed"], facts["more"]) == (log[5:], None)


def test_a_ply_that_the_game_has_not_come_to_is_ahead(played_path, anna):
    ahead = {"detail": "The game has come to ply 4.", "ply": 4}
    assert refused(anna.client, played_path, {"ply": 5, "move": CHANCE}, "ahead") == ahead
    assert refused(anna.client, played_path, {"ply": 2**31 - 1, "move": CHANCE}, "ahead") == ahead


def test_a_finished_game_is_over(finished_path, anna, bo):
    over = {"detail": "The game is over.", "ply": 53}
    for player in (anna, bo):
        for ply in (0, 52, 53):
            assert refused(player.client, finished_path, {"ply": ply, "move": TAKE}, "over") == over


def test_a_seat_that_may_not_act_is_told_who_may(played_path, bo):
    assert refused(bo.client, played_path, {"ply": 4, "move": CHANCE}, "turn") == {
        "detail": "It is not your turn.",
        "ply": 4,
        "to_act": [0],
        "index": 0,
    }


@pytest.mark.parametrize("status", ["open", "cancelled"])
def test_a_game_that_has_not_started_says_so(anna, make_game, status):
    game = make_game("freecell", [anna], start=False)
    if status == "cancelled":
        game_leave(game_id=game, player=anna)
    assert refused(anna.client, f"games/{game}/moves", {"ply": 0, "notation": "5a"}, "not_started") == {
        "detail": "The game has not started.",
        "game_status": status,
    }


def test_a_move_of_another_game_is_of_the_wrong_form(path, anna, make_game):
    assert refused(anna.client, path, {"ply": 0, "move": freecell("1", "a")}, "form") == {
        "detail": "this is a move of freecell, the game is sicksack.",
        "clause": "FORM",
        "index": 0,
    }
    assert refused(anna.client, path, {"ply": 0, "notation": "5a 5b"}, "form") == {
        "detail": "sicksack has no notation of its own.",
        "clause": "FORM",
        "index": 0,
    }
    patience = f"games/{make_game('freecell', [anna])}/moves"
    for move in (play("QH"), CHANCE, TAKE):
        assert refused(anna.client, patience, {"ply": 0, "move": move}, "form") == {
            "detail": "this is a move of sicksack, the game is freecell.",
            "clause": "FORM",
            "index": 0,
        }


@pytest.mark.parametrize(
    ("ply", "move", "clause", "why", "facts"),
    [
        (0, play("QH"), "SS-5", "QH is not in your hand", {"card": "QH"}),
        (0, play("4S"), "SS-5", "4S is not in your hand", {"card": "4S"}),
        (0, play("7S"), "SS-5", "7S is not in your hand", {"card": "7S"}),
        (0, TAKE, "SS-8", "you can follow with 5H 9C KD", {"cards": ["5H", "9C", "KD"]}),
        (1, play("4S"), "SS-4", "the pile shows 5H, a red card; 4S is lower", {"top": "5H", "card": "4S"}),
        (3, play("9C"), "SS-4", "the pile shows 4S, a black card; 9C is higher", {"top": "4S", "card": "9C"}),
    ],
)
def test_an_illegal_move_is_told_its_clause(path, anna, bo, ply, move, clause, why, facts):
    if ply:
        anna.client.post(path, {"ply": 0, "move": play("5H")})
    if ply == 3:
        bo.client.post(path, {"ply": 1, "moves": [TAKE, play("4S")]})
    player = bo if ply == 1 else anna
    (text,) = (
        one["text"] for one in player.client.get_json("rulesets/sicksack/")["clauses"] if one["id"] == clause
    )
    assert refused(player.client, path, {"ply": ply, "move": move}, "illegal") == {
        "detail": f"{clause}: {why}.",
        "clause": clause,
        "clause_text": text,
        "why": why,
        "facts": facts,
        "index": 0,
        "rules": f"/api/v1/rulesets/sicksack/rules#{clause}",
    }


@pytest.mark.parametrize("name", ["deal-1", "no-move-left"])
def test_every_recorded_refusal_is_an_answer_that_names_its_clause(anna, make_game_of, name):
    record = records("freecell")[name]
    game = make_game_of(record["deck"], "freecell", [anna], options=record["options"])
    path, ply = f"games/{game}/moves", 0
    refusals = [one for one in record["refused"] if one["clause"] not in ("FORM", "TURN", "OVER")]
    assert len(refusals) >= 3
    for refusal in sorted(refusals, key=lambda one: one["at"]):
        if refusal["at"] > ply:
            moves = [step["move"] for step in record["steps"][ply : refusal["at"]]]
            assert anna.client.post(path, {"ply": ply, "moves": moves}).status_code == 201
            ply = refusal["at"]
        facts = refused(anna.client, path, {"ply": ply, "move": refusal["move"]}, "illegal")
        assert (facts["clause"], facts["index"]) == (refusal["clause"], 0)


UNKNOWN = "games/01920000-0000-7000-8000-000000000000/moves"
FAULTY = b'{"ply": 0, "move": {"type": "chance", "card": "QH"}}'
BOTH = b'{"ply": 99, "move": {"type": "chance"}, "notation": "5a"}'


def test_401_comes_before_404(anonymous, make_player):
    assert "detail" in refused(anonymous, UNKNOWN, FAULTY, "unauthenticated")
    bearer = {"authorization": "Bearer card_of-nobody"}
    assert "detail" in refused(anonymous, UNKNOWN, FAULTY, "invalid_credentials", **bearer)


def test_404_comes_before_403_and_400(stranger, anna, make_game):
    private = make_game("freecell", [anna], private=True)
    unseen = {"detail": "There is no game here that you may see."}
    for where in (UNKNOWN, f"games/{private}/moves"):
        for body in (FAULTY, {"ply": 0, "notation": "5a"}):
            assert refused(stranger.client, where, body, "not_found") == unseen


def test_403_comes_before_400(path, stranger, make_game, anna):
    still_open = make_game("freecell", [anna], start=False)
    for where in (path, f"games/{still_open}/moves"):
        for body in (FAULTY, b"", b"{", {"ply": 99, "move": CHANCE}):
            assert refused(stranger.client, where, body, "not_seated") == {
                "detail": "You have no seat in this game."
            }


def test_400_comes_before_everything_that_depends_on_the_game(
    played_path, finished_path, anna, bo, make_game, anonymous
):
    still_open = make_game("sicksack", [anna, bo], start=False)
    for where in (played_path, finished_path, f"games/{still_open}/moves"):
        for player in (anna, bo):
            for body in (FAULTY, BOTH, {"ply": 4, "moves": [CHANCE, freecell("9", "a")]}):
                assert "errors" in refused(player.client, where, body, "malformed")


def test_not_started_comes_before_ahead_and_form(anna, make_game):
    path = f"games/{make_game('freecell', [anna], start=False)}/moves"
    refused(anna.client, path, {"ply": 7, "notation": "5a"}, "not_started")
    refused(anna.client, path, {"ply": 0, "move": CHANCE}, "not_started")


def test_200_comes_before_over_stale_and_turn(played_path, finished_path, anna, bo):
    first = {"ply": 0, "move": records("sicksack")["random-2-85"]["steps"][0]["move"]}
    for client, where, body in (
        (anna.client, finished_path, first),
        (anna.client, played_path, {"ply": 0, "move": play("5H")}),
        (bo.client, played_path, {"ply": 1, "moves": [TAKE, play("4S")]}),
    ):
        with nothing_changes():
            answer = client.post(where, body)
        assert (answer.status_code, answer.json()["repeated"]) == (200, True)


def test_ahead_comes_before_over_turn_form_and_illegal(played_path, finished_path, anna, bo):
    refused(anna.client, finished_path, {"ply": 54, "move": TAKE}, "ahead")
    refused(bo.client, played_path, {"ply": 5, "move": CHANCE}, "ahead")
    refused(anna.client, played_path, {"ply": 5, "move": freecell("1", "a")}, "ahead")
    refused(anna.client, played_path, {"ply": 5, "move": TAKE}, "ahead")
    refused(anna.client, played_path, {"ply": 5, "moves": [CHANCE, CHANCE]}, "ahead")


def test_over_comes_before_stale_turn_form_and_illegal(finished_path, anna, bo):
    for client in (anna.client, bo.client):
        for ply in (0, 53):
            for part in ({"move": TAKE}, {"move": freecell("1", "a")}, {"moves": [CHANCE, play("QH")]}):
                refused(client, finished_path, {"ply": ply, **part}, "over")


def test_stale_comes_before_turn_batch_reveals_form_and_illegal(played_path, anna, bo):
    for client in (anna.client, bo.client):
        for part in (
            {"move": play("QH")},
            {"move": freecell("1", "a")},
            {"notation": "5a"},
            {"moves": [CHANCE, CHANCE]},
        ):
            refused(client, played_path, {"ply": 2, **part}, "stale")


def test_turn_comes_before_batch_reveals_form_and_illegal(played_path, bo):
    for part in ({"moves": [CHANCE, CHANCE]}, {"move": freecell("1", "a")}, {"move": play("QH")}):
        refused(bo.client, played_path, {"ply": 4, **part}, "turn")


def test_the_first_move_of_a_batch_that_has_a_fault_is_the_one_told_of(path, anna, bo):
    form, illegal = freecell("1", "a"), TAKE
    assert refused(anna.client, path, {"ply": 0, "moves": [form, illegal]}, "form")["index"] == 0
    assert refused(anna.client, path, {"ply": 0, "moves": [illegal, form]}, "illegal")["index"] == 0
    assert refused(anna.client, path, {"ply": 0, "moves": [CHANCE, form]}, "batch_reveals")["index"] == 0


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_no_other_method_is_allowed(path, anna, method):
    with nothing_changes():
        answer = anna.client.ask(method, path, {"ply": 0, "move": CHANCE})
    assert problem_of(answer, "method_not_allowed") == {"detail": f'Method "{method}" not allowed.'}
