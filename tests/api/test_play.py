"""Moves that are accepted, and accepted requests that are sent again."""

from datetime import timedelta

import pytest
from django.db import OperationalError

from cardsite.jsonbody import timestamp
from games.models import Game, Move, Result, Uncounted
from games.rules.sicksack import Sicksack
from games.services import playing
from tests.api.checks import CHANCE, TAKE, freecell, play, problem_of, records, refused
from tests.expect import nothing_changes

FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D QC 8D TC"
"""For two seats: two hands, of which seat 1's cannot follow 5H, and the top of the stock."""


@pytest.fixture
def sicksack(anna, bo, make_sicksack):
    return make_sicksack([anna, bo], FIRST_CARDS)


@pytest.fixture
def patience(anna, make_game):
    return make_game("freecell", [anna], options={"deal": 1})


def repeated(client, path, body, first):
    """The same request once more: the first answer again, with the one difference that it says so."""
    with nothing_changes():
        again = client.post(path, body)
    assert again.status_code == 200, again.content
    assert again.content == first.content.replace(b'"repeated":false', b'"repeated":true')
    assert again.content != first.content
    return again


def at_of(game, ply):
    return timestamp(Move.objects.get(game=game, ply=ply).at)


def test_a_move_is_answered_by_its_entry_and_the_position_after_it(sicksack, anna):
    answer = anna.client.post(f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")})
    assert (answer.status_code, answer["Content-Type"]) == (201, "application/json")
    assert answer.json() == {
        "game": str(sicksack),
        "ruleset": "sicksack",
        "repeated": False,
        "ply": 1,
        "status": "running",
        "entries": [
            {
                "ruleset": "sicksack",
                "ply": 0,
                "kind": "play",
                "seat": 0,
                "player": "anna",
                "at": at_of(sicksack, 0),
                "move": play("5H"),
                "notation": None,
                "events": [{"type": "drew", "card": "7S"}],
                "text": "seat 0 plays 5H, draws 7S",
            }
        ],
        "position": {
            "ruleset": "sicksack",
            "ply": 1,
            "to_act": [1],
            "view": {
                "hands": [{"size": 3, "cards": ["7S", "9C", "KD"]}, {"size": 3, "cards": None}],
                "stock": {"size": 45, "cards": None},
                "pile": ["5H"],
                "score_piles": [[], []],
            },
            "outcome": None,
        },
    }


def test_a_move_is_kept_as_one_entry_and_the_game_follows(sicksack, anna):
    anna.client.post(f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")})
    (entry,) = Move.objects.filter(game=sicksack).values()
    assert entry == {
        "game_id": sicksack,
        "ply": 0,
        "kind": "play",
        "seat": 0,
        "by_id": anna.id,
        "base": 0,
        "request_n": 0,
        "body": play("5H"),
        "at": entry["at"],
    }
    game = Game.objects.get(id=sicksack)
    assert (game.ply, game.to_act, game.status, game.ended_at) == (1, [1], "running", None)
    assert entry["at"] >= game.started_at


@pytest.mark.parametrize(
    "body",
    [
        {"ply": 0, "moves": [freecell("5", "a"), freecell("5", "b")]},
        {"ply": 0, "notation": "5a 5b"},
        {"ply": 0, "notation": "\n5av1\t\u00a05bv1 "},
        {"ply": 0.0, "moves": [freecell("5", "a", 1.0), freecell("5", "b", 1.0)]},
    ],
)
def test_a_batch_is_answered_by_all_its_entries_in_canonical_form(patience, anna, body):
    answer = anna.client.post(f"games/{patience}/moves", body)
    assert answer.status_code == 201
    played = answer.json()
    assert (played["ply"], played["position"]["ply"], played["repeated"]) == (2, 2, False)
    assert played["entries"] == [
        {
            "ruleset": "freecell",
            "ply": ply,
            "kind": "play",
            "seat": 0,
            "player": "anna",
            "at": at_of(patience, 0),
            "move": freecell("5", cell, 1),
            "notation": f"5{cell}",
            "events": [{"type": "moved", "cards": [card]}],
            "text": f"{card} from column 5 to free cell {cell}",
        }
        for ply, (cell, card) in enumerate({"a": "6C", "b": "8H"}.items())
    ]
    assert played["position"]["view"]["cells"] == {"a": "6C", "b": "8H", "c": None, "d": None}
    kept = Move.objects.filter(game=patience).order_by("ply").values_list("ply", "base", "request_n", "body")
    assert list(kept) == [(0, 0, 0, freecell("5", "a", 1)), (1, 0, 1, freecell("5", "b", 1))]


def test_a_ply_may_be_written_as_an_integral_float(patience, anna):
    anna.client.post(f"games/{patience}/moves", {"ply": 0, "notation": "5a 5b 5c 5d 5h b2"})
    answer = anna.client.post(f"games/{patience}/moves", b'{"ply": 6.0, "notation": "8b"}')
    assert (answer.status_code, answer.json()["ply"]) == (201, 7)


def test_the_move_that_ends_a_game_opens_it_and_writes_its_result(anna, make_game):
    record = records("freecell")["no-move-left-microsoft"]
    game = make_game("freecell", [anna], options=record["options"])
    path, moves = f"games/{game}/moves", [step["move"] for step in record["steps"]]
    anna.client.post(path, {"ply": 0, "moves": moves[:-1]})
    last = {"ply": len(moves) - 1, "move": moves[-1]}
    answer = anna.client.post(path, last)
    ended = Game.objects.get(id=game)
    assert (answer.status_code, answer.json()["status"]) == (201, "finished")
    assert answer.json()["position"]["to_act"] == []
    assert answer.json()["position"]["outcome"] == {"place": [1], "result": ["loss"], "score": [0]}
    assert (ended.status, ended.ply, ended.to_act) == ("finished", len(moves), [])
    assert timestamp(ended.ended_at) == answer.json()["entries"][0]["at"]
    (result,) = Result.objects.filter(game=game).values()
    assert result == {
        "game_id": game,
        "seat": 0,
        "player_id": anna.id,
        "place": 1,
        "result": "loss",
        "score": 0,
        "undos": 0,
        "length": len(moves),
        "duration": (ended.ended_at - ended.started_at) // timedelta(milliseconds=1),
        "ending": "played_out",
        "ruleset": "freecell",
        "variant": ended.variant,
        "seats": 1,
        "is_public": True,
        "is_shuffled": False,  # which the options' deal is not
        "scope": None,
        "at": ended.ended_at,
    }
    assert Uncounted.objects.values_list("game_id", "change").get() == (game, 1)
    repeated(anna.client, path, last, answer)


def test_the_same_request_gets_the_first_answer_again(sicksack, anna):
    path, body = f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")}
    first = anna.client.post(path, body)
    repeated(anna.client, path, body, first)
    repeated(anna.client, path, {"ply": 0.0, "moves": [play("5H")]}, first)


def test_the_first_answer_tells_of_then_when_the_game_has_gone_on(sicksack, anna, bo):
    path, body = f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")}
    first = anna.client.post(path, body)
    taken = {"ply": 1, "moves": [TAKE, play("4S")]}
    second = bo.client.post(path, taken)
    third = anna.client.post(path, {"ply": 3, "move": CHANCE})
    assert [answer.status_code for answer in (first, second, third)] == [201, 201, 201]
    repeated(anna.client, path, body, first)
    repeated(bo.client, path, taken, second)
    repeated(anna.client, path, {"ply": 3, "move": CHANCE}, third)


def test_the_first_answer_tells_of_then_when_the_game_is_over(anna, bo, make_game_of):
    record = records("sicksack")["random-2-85"]
    game = make_game_of(record["deck"], "sicksack", [anna, bo])
    path, answers = f"games/{game}/moves", []
    for ply, step in enumerate(record["steps"]):
        client = (anna, bo)[step["seat"]].client
        body = {"ply": ply, "move": step["move"]}
        answers.append((client, body, client.post(path, body)))
    statuses = [answer.json()["status"] for _, _, answer in answers]
    assert statuses == ["running"] * 52 + ["finished"]
    for ply in (0, 1, 26, 51, 52):
        repeated(answers[ply][0], path, answers[ply][1], answers[ply][2])
    hidden = answers[0][2].json()["position"]["view"]["stock"]["cards"]
    opened = answers[-1][2].json()["position"]["view"]["stock"]["cards"]
    assert (hidden, opened) == (None, [])


def test_a_move_sent_again_in_canonical_form_is_the_same(patience, anna):
    path = f"games/{patience}/moves"
    words = records("freecell")["deal-1"]["notation"]
    anna.client.post(path, {"ply": 0, "notation": " ".join(words[:12])})
    first = anna.client.post(path, {"ply": 12, "move": freecell("8", "5")})
    assert first.json()["entries"][0]["move"] == freecell("8", "5", 3)
    repeated(anna.client, path, {"ply": 12, "move": freecell("8", "5", 3)}, first)
    repeated(anna.client, path, {"ply": 12, "notation": "85"}, first)
    repeated(anna.client, path, {"ply": 12, "notation": "85v3"}, first)
    refused(anna.client, path, {"ply": 12, "move": freecell("8", "5", 2)}, "stale")


def test_a_move_of_the_canonical_form_sent_again_without_the_count_is_the_same(patience, anna):
    path = f"games/{patience}/moves"
    first = anna.client.post(path, {"ply": 0, "move": freecell("5", "a", 1)})
    repeated(anna.client, path, {"ply": 0, "move": freecell("5", "a")}, first)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"move": freecell("5", "b")}, id="another-target"),
        pytest.param({"move": freecell("6", "a")}, id="another-source"),
        pytest.param({"move": freecell("a", "b")}, id="from-an-empty-cell"),
        pytest.param({"move": freecell("b", "1")}, id="from-an-empty-cell-with-the-count-left-out"),
        pytest.param({"move": freecell("h", "1")}, id="from-a-foundation"),
        pytest.param({"move": freecell("5", "a", 2)}, id="another-count"),
        pytest.param({"moves": [freecell("5", "a"), freecell("5", "b")]}, id="a-longer-batch"),
        pytest.param({"notation": "5b 5a"}, id="another-order"),
        pytest.param({"move": play("6S")}, id="a-move-of-another-game"),
    ],
)
def test_another_request_for_a_used_ply_is_stale(patience, anna, other):
    path = f"games/{patience}/moves"
    played = anna.client.post(path, {"ply": 0, "move": freecell("5", "a")}).json()
    assert refused(anna.client, path, {"ply": 0, **other}, "stale") == {
        "detail": "The game has moved on from ply 0 to ply 1.",
        "ply": 1,
        "missed": played["entries"],
        "more": None,
    }


def test_the_beginning_of_an_accepted_batch_is_another_request(patience, anna):
    path = f"games/{patience}/moves"
    anna.client.post(path, {"ply": 0, "notation": "5a 5b"})
    assert refused(anna.client, path, {"ply": 0, "move": freecell("5", "a")}, "stale")["ply"] == 2
    assert refused(anna.client, path, {"ply": 1, "move": freecell("5", "b")}, "stale")["ply"] == 2


def test_another_seat_is_not_given_the_first_answer(sicksack, anna, bo):
    path, body = f"games/{sicksack}/moves", {"ply": 0, "move": CHANCE}
    first = anna.client.post(path, body)
    assert first.json()["entries"][0]["events"] == [{"type": "turned", "card": "7S", "fits": True}]
    assert refused(bo.client, path, body, "stale")["missed"] == first.json()["entries"]


def test_somebody_without_a_seat_is_not_given_the_first_answer(sicksack, anna, stranger, anonymous):
    path, body = f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")}
    anna.client.post(path, body)
    assert refused(stranger.client, path, body, "not_seated") == {"detail": "You have no seat in this game."}
    assert refused(anonymous, path, body, "unauthenticated") == {
        "detail": "Send a token (Authorization: Bearer card_…), or log in."
    }


class TestWhereSeveralMayAct:
    """No game of the catalog has such a phase; Sicksack is made one here."""

    @pytest.fixture
    def path(self, anna, bo, make_sicksack, monkeypatch):
        monkeypatch.setattr(
            Sicksack,
            "to_act",
            lambda _rules, state: tuple(range(len(state.hands))) if any(state.hands) else (),
        )
        return f"games/{make_sicksack([anna, bo], FIRST_CARDS)}/moves"

    def test_a_move_decided_before_another_seats_is_still_fresh(self, path, anna, bo):
        assert anna.client.post(path, {"ply": 0, "move": play("5H")}).status_code == 201
        late = bo.client.post(path, {"ply": 0, "move": TAKE})
        assert late.status_code == 201
        assert [(entry["ply"], entry["seat"]) for entry in late.json()["entries"]] == [(1, 1)]
        assert late.json()["entries"][0]["events"] == [{"type": "took", "cards": ["5H"]}]
        assert Move.objects.get(ply=1).base == 0
        repeated(bo.client, path, {"ply": 0, "move": TAKE}, late)

    def test_a_ply_is_used_once_by_each_seat(self, path, anna, bo):
        first = anna.client.post(path, {"ply": 0, "move": play("5H")}).json()
        second = bo.client.post(path, {"ply": 0, "move": TAKE}).json()
        stale = refused(bo.client, path, {"ply": 0, "move": CHANCE}, "stale")
        seen_by_bo = {**first["entries"][0], "events": [{"type": "drew", "card": None}]}
        seen_by_bo["text"] = "seat 0 plays 5H, draws a card"
        assert stale["missed"] == [seen_by_bo, *second["entries"]]
        assert refused(bo.client, path, {"ply": 1, "move": CHANCE}, "stale")["missed"] == second["entries"]

    def test_ones_own_entry_in_between_makes_a_request_stale(self, path, anna, bo):
        anna.client.post(path, {"ply": 0, "move": play("5H")})
        anna.client.post(path, {"ply": 1, "move": CHANCE})
        bo.client.post(path, {"ply": 2, "move": CHANCE})
        assert refused(anna.client, path, {"ply": 1, "move": play("7S")}, "stale")["ply"] == 3
        assert anna.client.post(path, {"ply": 2, "move": CHANCE}).status_code == 201

    def test_a_late_move_is_judged_at_the_newest_position(self, path, anna, bo):
        anna.client.post(path, {"ply": 0, "move": play("5H")})
        facts = refused(bo.client, path, {"ply": 0, "move": play("4S")}, "illegal")
        assert (facts["clause"], facts["facts"]) == ("SS-4", {"top": "5H", "card": "4S"})


def test_a_game_that_is_written_to_again_and_again_is_unavailable(sicksack, anna, monkeypatch):
    asked = []
    monkeypatch.setattr(playing, "append", lambda row, _entries: asked.append(row.ply))
    with nothing_changes():
        answer = anna.client.post(f"games/{sicksack}/moves", {"ply": 0, "move": CHANCE})
    assert problem_of(answer, "unavailable") == {
        "detail": "Others were first again and again; a retry is safe."
    }
    assert (answer["Retry-After"], asked) == ("2", [0] * 5)


def test_a_move_whose_outcome_the_server_does_not_know_may_be_sent_again(sicksack, anna, monkeypatch):
    path, body = f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")}

    append = playing.append

    def append_and_lose_the_connection(row, entries):
        append(row, entries)
        raise OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as patched:
        patched.setattr(playing, "append", append_and_lose_the_connection)
        answer = anna.client.post(path, body)
    assert problem_of(answer, "unavailable") == {"detail": "The database did not answer."}
    assert answer["Retry-After"] == "2"
    with nothing_changes():
        again = anna.client.post(path, body)
    assert (again.status_code, again.json()["repeated"]) == (200, True)
    assert again.json()["entries"][0]["events"] == [{"type": "drew", "card": "7S"}]
    assert anna.client.get_json(path)["items"] == again.json()["entries"]
