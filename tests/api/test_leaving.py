"""Giving up a game under way: who wins, how the game goes on, and what is told of it."""

import pytest

from cardsite.jsonbody import timestamp
from games.models import Game, Move, Result
from games.services import leaving
from games.services.gathering import game_leave
from tests.api.checks import CHANCE, TAKE, freecell, play, problem_of, refused, whole_list
from tests.expect import nothing_changes, problem

pytestmark = pytest.mark.usefixtures("games_hold_together")

FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D QC 8D TC"
"""For two seats: two hands, of which seat 1's cannot follow 5H, and the top of the stock."""
THREE_HANDS = "5H 9C KD 6S 7D 8C JD QS KH 2C 3D 4D"
"""For three seats: three hands, each of which can follow the one before it, and the top of the stock."""
READY = {"type": "ready"}


@pytest.fixture
def two(anna, bo, make_sicksack):
    return f"games/{make_sicksack([anna, bo], FIRST_CARDS)}/"


@pytest.fixture
def three(anna, bo, cilla, make_sicksack):
    return f"games/{make_sicksack([anna, bo, cilla], THREE_HANDS)}/"


@pytest.fixture
def patience(anna, make_game):
    return f"games/{make_game('freecell', [anna], options={'deal': 1})}/"


def log_of(client, path):
    return whole_list(client, f"{path}moves")


def results():
    return list(Result.objects.order_by("seat").values_list("seat", "place", "result", "score", "undos"))


def resigns(player, path):
    answer = player.client.post(f"{path}resign")
    assert answer.status_code == 200, answer.content
    return answer.json()


def repeated(client, path, body, first):
    """The same request once more: the first answer again, with the one difference that it says so."""
    with nothing_changes():
        again = client.post(path, body)
    assert again.status_code == 200, again.content
    assert again.content == first.content.replace(b'"repeated":false', b'"repeated":true')


# Of two.


@pytest.mark.parametrize("who", ["anna", "bo"])
def test_of_two_the_one_who_stays_wins_whoevers_turn_it_is(two, request, anna, bo, anonymous, who):
    leaver = request.getfixturevalue(who)
    anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")})
    seen = resigns(leaver, two)
    seat = {"anna": 0, "bo": 1}[who]
    assert seen["your_seat"] == seat
    for client in (anna.client, bo.client, anonymous):
        game = client.get_json(two)
        assert {**game, "your_seat": seat} == seen
        assert (game["status"], game["ending"], game["ply"], game["to_act"]) == (
            "finished",
            "resigned",
            2,
            [],
        )
        place = [2, 1] if who == "anna" else [1, 2]
        result = ["loss", "win"] if who == "anna" else ["win", "loss"]
        assert game["outcome"] == {"place": place, "result": result, "score": [0, 0]}
        assert game["position"]["outcome"] == game["outcome"]
        assert [one["left"] for one in game["seats"]] == [who == "anna", who == "bo"]
    assert results() == [(0, place[0], result[0], 0, 0), (1, place[1], result[1], 0, 0)]


def test_a_resignation_is_an_entry_of_the_log(two, anna, bo, anonymous):
    ended_at = resigns(bo, two)["ended_at"]
    (entry,) = Move.objects.values()
    assert timestamp(entry.pop("at")) == ended_at
    assert entry == {
        "game_id": entry["game_id"],
        "ply": 0,
        "kind": "resign",
        "seat": 1,
        "by_id": bo.id,
        "base": None,
        "request_n": None,
        "body": None,
    }
    for client in (anna.client, bo.client, anonymous):
        assert log_of(client, two) == [
            {
                "ruleset": "sicksack",
                "ply": 0,
                "kind": "resign",
                "seat": 1,
                "player": "bo",
                "at": ended_at,
                "move": None,
                "notation": None,
                "events": [],
                "text": "seat 1 gives up",
            }
        ]


def test_what_was_hidden_is_opened_by_the_end(two, anna, bo, anonymous):
    before = anonymous.get_json(two)["position"]["view"]
    assert (before["hands"][0]["cards"], before["stock"]["cards"]) == (None, None)
    resigns(bo, two)
    for client in (anna.client, anonymous):
        for ply in (0, 1):
            view = client.get_json(f"{two}positions/{ply}")["view"]
            assert [hand["cards"] for hand in view["hands"]] == [["5H", "9C", "KD"], ["2D", "3C", "4S"]]
            assert view["stock"]["cards"][:5] == ["7S", "6D", "QC", "8D", "TC"]
    assert anonymous.get_json(f"{two}positions/0")["outcome"] is None
    assert anonymous.get_json(f"{two}positions/1")["outcome"]["place"] == [1, 2]


def test_who_has_left_has_left(two, three, anna):
    for path in (two, three):
        first = anna.client.post(f"{path}resign")
        with nothing_changes():
            for body in (None, {}, {"anything": 1}):
                again = anna.client.post(f"{path}resign", body)
                assert (again.status_code, again.content) == (200, first.content)


def test_a_resignation_whose_answer_was_lost_may_be_sent_again_when_the_game_has_gone_on(three, anna, bo):
    resigns(anna, three)
    bo.client.post(f"{three}moves", {"ply": 2, "move": play("6S")})
    with nothing_changes():
        assert resigns(anna, three) == anna.client.get_json(three)


def test_after_the_end_nobody_resigns(two, anna, bo):
    resigns(anna, two)
    assert refused(bo.client, f"{two}resign", None, "over") == {"detail": "The game is over.", "ply": 1}


def test_who_has_no_seat_or_sees_no_game_does_not_resign(two, anna, bo, stranger, anonymous, make_game):
    private = f"games/{make_game('sicksack', [anna, bo], private=True)}/"
    refused(anonymous, f"{two}resign", None, "unauthenticated")
    refused(stranger.client, f"{two}resign", None, "not_seated")
    refused(stranger.client, f"{private}resign", None, "not_found")
    refused(anna.client, "games/00000000-0000-7000-8000-000000000000/resign", None, "not_found")


def test_before_the_start_nobody_resigns(anna, bo, make_game):
    game = make_game("sicksack", [anna, bo], start=False)
    for status in ("open", "cancelled"):
        facts = refused(bo.client, f"games/{game}/resign", None, "not_started")
        assert facts == {"detail": "The game has not started.", "game_status": status}
        if status == "open":
            game_leave(game_id=game, player=anna)


def test_leaving_a_seat_is_not_giving_up(two, anna):
    refused(anna.client, f"{two}leave", None, "not_open")


def test_a_resignation_in_a_game_that_is_written_to_again_and_again_is_unavailable(two, anna, monkeypatch):
    asked = []
    monkeypatch.setattr(leaving, "append", lambda row, _entries: asked.append(row.ply))
    with nothing_changes():
        answer = anna.client.post(f"{two}resign")
    assert problem_of(answer, "unavailable") == {
        "detail": "Others were first again and again; a retry is safe."
    }
    assert asked == [0] * 5


def test_the_tag_is_another_once_somebody_has_left(three, anna, bo):
    tag = anna.client.ask("GET", three)["ETag"]
    resigns(bo, three)
    answer = anna.client.ask("GET", three, if_none_match=tag)
    assert (answer.status_code, answer.json()["seats"][1]["left"]) == (200, True)


# Of three.


def test_who_leaves_in_turn_is_played_for_at_once(three, anna, bo, cilla):
    seen = resigns(anna, three)
    assert (seen["status"], seen["ending"], seen["ply"], seen["to_act"]) == ("running", None, 2, [1])
    assert [seat["left"] for seat in seen["seats"]] == [True, False, False]
    assert seen["outcome"] is None
    assert list(
        Move.objects.order_by("ply").values_list("ply", "kind", "seat", "by", "base", "request_n")
    ) == [
        (0, "resign", 0, anna.id, None, None),
        (1, "auto", 0, None, None, None),
    ]
    assert len(set(Move.objects.values_list("at", flat=True))) == 1
    automatic = log_of(bo.client, three)[1]
    assert (automatic["player"], automatic["move"]) == (None, play("5H"))
    assert automatic["text"] == "seat 0 plays 5H, draws a card"


def test_what_an_automatic_move_draws_is_seen_by_the_one_who_has_left_alone(three, anna, bo, anonymous):
    resigns(anna, three)
    assert log_of(anna.client, three)[1]["events"] == [{"type": "drew", "card": "2C"}]
    for client in (bo.client, anonymous):
        assert log_of(client, three)[1]["events"] == [{"type": "drew", "card": None}]
        assert client.get_json(three)["position"]["view"]["hands"][0]["cards"] is None


def test_who_leaves_out_of_turn_is_played_for_within_the_move_before(three, anna, bo, cilla):
    resigns(bo, three)
    assert anna.client.get_json(three)["to_act"] == [0]
    path, body = f"{three}moves", {"ply": 1, "move": play("5H")}
    answer = anna.client.post(path, body)
    assert answer.status_code == 201
    played = answer.json()
    assert [(entry["ply"], entry["kind"], entry["seat"]) for entry in played["entries"]] == [
        (1, "play", 0),
        (2, "auto", 1),
    ]
    assert [entry["text"] for entry in played["entries"]] == [
        "seat 0 plays 5H, draws 2C",
        "seat 1 plays 6S, draws a card",
    ]
    assert (played["ply"], played["status"], played["position"]["to_act"]) == (3, "running", [2])
    repeated(anna.client, path, body, answer)
    assert cilla.client.post(path, {"ply": 3, "move": CHANCE}).status_code == 201
    repeated(anna.client, path, body, answer)


def test_what_follows_a_batch_belongs_to_it(anna, bo, cilla, make_sicksack):
    game = f"games/{make_sicksack([anna, bo, cilla], '5H 9C KD 4S 3C 2D AC QS KH')}/"
    resigns(cilla, game)
    anna.client.post(f"{game}moves", {"ply": 1, "move": play("5H")})
    path, body = f"{game}moves", {"ply": 2, "moves": [TAKE, play("4S")]}
    answer = bo.client.post(path, body)
    entries = [(entry["kind"], entry["seat"], entry["move"]) for entry in answer.json()["entries"]]
    assert entries == [("play", 1, TAKE), ("play", 1, play("4S")), ("auto", 2, play("AC"))]
    repeated(bo.client, path, body, answer)
    refused(bo.client, path, {"ply": 2, "moves": [TAKE]}, "stale")
    refused(bo.client, path, {"ply": 2, "moves": [TAKE, play("4S"), play("AC")]}, "stale")


def test_only_what_followed_at_once_belongs_to_a_move(three, anna, bo, cilla):
    path, body = f"{three}moves", {"ply": 0, "move": play("5H")}
    first = anna.client.post(path, body)
    resigns(bo, three)  # whose turn it is, and who is played for
    assert [entry["kind"] for entry in log_of(anna.client, three)] == ["play", "resign", "auto"]
    assert len(first.json()["entries"]) == 1
    repeated(anna.client, path, body, first)


def test_a_move_that_was_decided_before_another_left_is_still_fresh(three, anna, bo):
    resigns(bo, three)
    assert anna.client.post(f"{three}moves", {"ply": 0, "move": play("5H")}).status_code == 201


def test_who_has_left_plays_no_more(three, anna, bo):
    resigns(anna, three)
    left = {"detail": "You have left this game.", "ply": 2}
    for body in (
        {"ply": 2, "move": play("9C")},
        {"ply": 0, "move": play("5H")},
        {"ply": 1, "notation": "5a"},
        {"ply": 2, "moves": [TAKE, freecell("1", "a")]},
    ):
        assert refused(anna.client, f"{three}moves", body, "left") == left
    refused(anna.client, f"{three}moves", {"ply": 3, "move": CHANCE}, "ahead")
    refused(anna.client, f"{three}moves", {"ply": 0}, "malformed")
    assert anna.client.get_json(f"{three}legal-moves")["items"] == []
    assert anna.client.get_json("games/?my_turn=true")["items"] == []
    assert [game["ply"] for game in bo.client.get_json("games/?my_turn=true")["items"]] == [2]


def test_what_was_accepted_before_is_answered_again_to_one_who_has_left(three, anna):
    path, body = f"{three}moves", {"ply": 0, "move": play("5H")}
    first = anna.client.post(path, body)
    resigns(anna, three)
    repeated(anna.client, path, body, first)


def test_the_last_who_stays_wins_and_the_earliest_leaver_is_last(three, anna, bo, cilla):
    resigns(cilla, three)
    resigns(anna, three)
    game = bo.client.get_json(three)
    assert (game["status"], game["ending"], game["ply"]) == ("finished", "resigned", 2)
    assert game["outcome"] == {
        "place": [2, 1, 3],
        "result": ["loss", "win", "loss"],
        "score": [0, 0, 0],
    }
    assert results() == [(0, 2, "loss", 0, 0), (1, 1, "win", 0, 0), (2, 3, "loss", 0, 0)]
    assert [(entry["kind"], entry["seat"]) for entry in log_of(bo.client, three)] == [
        ("resign", 2),
        ("resign", 0),
    ]


def test_a_game_that_one_has_left_is_played_to_its_end_by_the_others(three, anna, bo, cilla):
    resigns(bo, three)
    clients, path, entries = {0: anna.client, 2: cilla.client}, f"{three}moves", []
    while (game := anna.client.get_json(three))["status"] == "running":
        (seat,) = game["to_act"]
        move = clients[seat].get_json(f"{three}legal-moves")["items"][0]
        answer = clients[seat].post(path, {"ply": game["ply"], "move": move})
        assert answer.status_code == 201, answer.content
        entries += answer.json()["entries"]
    assert game["ending"] == "played_out"
    log = log_of(anna.client, three)
    assert [entry["ply"] for entry in log] == list(range(len(log)))
    assert [(entry["ply"], entry["kind"], entry["move"]) for entry in log[1:]] == [
        (entry["ply"], entry["kind"], entry["move"]) for entry in entries
    ]
    assert {(entry["seat"], entry["kind"]) for entry in log[1:]} == {(0, "play"), (1, "auto"), (2, "play")}
    piles = [len(pile) for pile in game["position"]["view"]["score_piles"]]
    assert game["outcome"]["score"] == piles
    first, last = (0, 2) if piles[0] < piles[2] else (2, 0)
    assert piles[0] != piles[2]
    assert [game["outcome"]["place"][seat] for seat in (first, last, 1)] == [1, 2, 3]
    assert game["outcome"]["result"][first] == "win"
    assert set(Result.objects.values_list("seat", "place")) == set(enumerate(game["outcome"]["place"]))


def test_a_batch_that_passes_the_turn_to_one_who_has_left_is_no_end_of_the_game(anna, bo, cilla, make_game):
    options = {"exchange": False, "power_card": False}
    game = f"games/{make_game('kraftkort', [anna, bo, cilla], options=options)}/"
    resigns(bo, game)
    moves = anna.client.get_json(f"{game}legal-moves")["items"]
    facts = refused(anna.client, f"{game}moves", {"ply": 1, "moves": [moves[0], moves[-1]]}, "turn")
    assert facts == {
        "detail": "It would not be your turn at move 1 of the batch.",
        "ply": 1,
        "to_act": [],
        "index": 1,
    }


# All at once, together, alone.


def test_in_an_open_phase_a_seat_that_leaves_keeps_nobody_waiting(anna, bo, cilla, make_game):
    game = f"games/{make_game('vandtia-pyramid', [anna, bo, cilla])}/"
    seen = resigns(bo, game)
    assert (seen["ply"], seen["to_act"]) == (2, [0, 2])
    anna.client.post(f"{game}moves", {"ply": 2, "move": READY})
    answer = cilla.client.post(f"{game}moves", {"ply": 3, "move": READY}).json()
    assert [(entry["kind"], entry["seat"]) for entry in answer["entries"]] == [("play", 2), ("auto", 1)]
    assert (answer["position"]["view"]["phase"], answer["position"]["to_act"]) == ("second_exchange", [0, 2])


@pytest.mark.parametrize("who", ["anna", "bo"])
def test_in_the_cooperative_game_both_lose(request, anna, bo, make_game, who):
    game = f"games/{make_game('vagrat-lodrat', [anna, bo], options={'cooperative': True})}/"
    seen = resigns(request.getfixturevalue(who), game)
    assert (seen["status"], seen["ending"]) == ("finished", "resigned")
    assert (seen["outcome"]["place"], seen["outcome"]["result"]) == ([1, 1], ["loss", "loss"])
    assert [(place, result) for _, place, result, _, _ in results()] == [(1, "loss")] * 2


def test_a_patience_that_is_given_up_after_its_first_move_is_lost(patience, anna):
    anna.client.post(f"{patience}moves", {"ply": 0, "notation": "5a 5b 5c 5d 5h"})
    seen = resigns(anna, patience)
    assert (seen["status"], seen["ending"], seen["ply"]) == ("finished", "resigned", 6)
    assert seen["outcome"] == {"place": [1], "result": ["loss"], "score": [1]}
    assert results() == [(0, 1, "loss", 1, 0)]
    with nothing_changes():
        assert resigns(anna, patience) == seen
    refused(anna.client, f"{patience}moves", {"ply": 6, "notation": "b2"}, "over")


def test_a_patience_that_is_given_up_before_its_first_move_is_closed_without_a_result(
    patience, anna, anonymous
):
    seen = resigns(anna, patience)
    assert (seen["status"], seen["ending"], seen["ply"], seen["to_act"]) == (
        "abandoned",
        "abandoned",
        1,
        [],
    )
    assert (seen["outcome"], seen["position"]["outcome"], results()) == (None, None, [])
    assert [seat["left"] for seat in seen["seats"]] == [False]
    (entry,) = log_of(anonymous, patience)
    assert entry == {
        "ruleset": "freecell",
        "ply": 0,
        "kind": "void",
        "seat": None,
        "player": "anna",
        "at": seen["ended_at"],
        "move": None,
        "notation": None,
        "events": [],
        "text": "the game is closed without a result",
    }
    assert Game.objects.get().ended_at is not None
    with nothing_changes():
        assert resigns(anna, patience) == seen
    problem(anna.client.post(f"{patience}moves", {"ply": 1, "notation": "5a"}), "over")
    for ply in (0, 1):
        position = anonymous.get_json(f"{patience}positions/{ply}")
        assert (position["ply"], position["outcome"]) == (ply, None)


def test_of_several_a_resignation_before_the_first_move_is_one(two, anna):
    assert resigns(anna, two)["outcome"]["result"] == ["loss", "win"]
