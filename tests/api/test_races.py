"""Requests at the same time, each on a thread and a database connection of its own."""

from collections import Counter
from itertools import permutations

import pytest

from games.models import Game, Move, Seat
from tests.api.checks import CHANCE, play, records, whole_list
from tests.api.threads import at_once, verdicts

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_move_at_once_is_played_once(anna, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/moves"
    answers = at_once(*[(anna, path, {"ply": 0, "notation": "5a"})] * 50)
    assert verdicts(answers) == {(201, None): 1, (200, None): 49}
    contents = {answer.content.replace(b'"repeated":true', b'"repeated":false') for answer in answers}
    assert len(contents) == 1
    assert [answer.json()["repeated"] for answer in answers].count(False) == 1
    assert Move.objects.count() == 1
    assert Game.objects.get().ply == 1


def test_of_different_moves_at_once_one_is_played(anna, make_game):
    game = make_game("freecell", [anna], options={"deal": 1})
    path = f"games/{game}/moves"
    # Fifty pairs of moves, each legal.
    pairs = [f"{first}a {second}b" for first, second in permutations("12345678", 2)][:50]
    answers = at_once(*[(anna, path, {"ply": 0, "notation": pair}) for pair in pairs])
    assert verdicts(answers) == {(201, None): 1, (409, "stale"): 49}
    (played,) = (answer.json() for answer in answers if answer.status_code == 201)
    stale = [answer.json() for answer in answers if answer.status_code == 409]
    assert all(problem["missed"] == played["entries"] for problem in stale)
    assert anna.client.get_json(path)["items"] == played["entries"]


def test_seats_that_play_at_once_take_their_turns(anna, bo, make_sicksack):
    path = f"games/{make_sicksack([anna, bo], '5H 9C KD 4S 3C 2D 7S 6D')}/moves"
    mine = [(anna, path, {"ply": 0, "move": move}) for move in (play("5H"), play("9C"), play("KD"), CHANCE)]
    his = [(bo, path, {"ply": 0, "move": move}) for move in (play("4S"), play("3C"), play("2D"), CHANCE)]
    answers = at_once(*(mine + his) * 2)
    given = verdicts(answers)
    assert given[201, None] == 1
    assert given[200, None] == 1
    assert given[409, "stale"] + given[409, "turn"] == 14
    assert Move.objects.get().seat == 0


def test_a_batch_and_a_single_move_at_once_are_not_mixed(anna, make_game):
    games = [make_game("freecell", [anna], options={"deal": 1}) for _ in range(6)]
    batch, single = {"ply": 0, "notation": "5a 5b 5c"}, {"ply": 0, "notation": "5d"}
    requests = [(anna, f"games/{game}/moves", body) for game in games for body in (batch, single)]
    answers = at_once(*requests)
    for number, game in enumerate(games):
        pair = answers[2 * number : 2 * number + 2]
        assert verdicts(pair) == {(201, None): 1, (409, "stale"): 1}
        (played,) = (answer.json() for answer in pair if answer.status_code == 201)
        log = anna.client.get_json(f"games/{game}/moves")
        assert log["items"] == played["entries"]
        assert [entry["notation"] for entry in log["items"]] in (["5a", "5b", "5c"], ["5d"])
        assert Game.objects.get(id=game).ply == log["ply"] == len(log["items"])


def test_the_last_move_of_a_game_at_once_ends_it_once(anna, make_game):
    words = records("freecell")["deal-1"]["notation"]
    game = make_game("freecell", [anna], options={"deal": 1})
    path = f"games/{game}/moves"
    anna.client.post(path, {"ply": 0, "notation": " ".join(words[:-1])})
    answers = at_once(*[(anna, path, {"ply": 114, "notation": words[-1]})] * 8)
    assert verdicts(answers) == {(201, None): 1, (200, None): 7}
    assert {answer.json()["status"] for answer in answers} == {"finished"}
    assert Game.objects.get(id=game).results.count() == 1


def test_the_last_seat_is_taken_once(anna, make_player, make_game):
    game = make_game("sicksack", [anna], start=False)
    others = [make_player(f"player{number}") for number in range(8)]
    answers = at_once(*[(player, f"games/{game}/join", {}) for player in others])
    assert verdicts(answers) == {(200, None): 1, (409, "game_full"): 7}
    (joined,) = (player for player, answer in zip(others, answers, strict=True) if answer.status_code == 200)
    assert set(Seat.objects.values_list("number", "player_id")) == {(0, anna.id), (1, joined.id)}


def test_a_player_who_joins_twice_at_once_has_one_seat(anna, bo):
    game = anna.client.post("games/", {"ruleset": "sicksack", "seats": 3}).json()["id"]
    answers = at_once(*[(bo, f"games/{game}/join", {})] * 6)
    assert verdicts(answers) == {(200, None): 6}
    assert set(Seat.objects.values_list("number", "player_id")) == {(0, anna.id), (1, bo.id)}


def test_a_game_that_is_started_twice_at_once_is_dealt_once(anna, bo, make_game):
    game = make_game("sicksack", [anna, bo], start=False)
    answers = at_once(*[(anna, f"games/{game}/start", {"entropy": f"{number}"}) for number in range(6)])
    assert verdicts(answers) == {(200, None): 6}
    assert len({answer.content for answer in answers}) == 1
    assert anna.client.get_json(f"games/{game}/") == answers[0].json()


def test_leaving_and_starting_at_once_is_one_or_the_other(anna, bo, make_game):
    games = [make_game("sicksack", [anna, bo], start=False) for _ in range(5)]
    requests = [
        request
        for game in games
        for request in ((anna, f"games/{game}/start", {}), (bo, f"games/{game}/leave", None))
    ]
    answers = at_once(*requests)
    for number, game in enumerate(games):
        started, left = answers[2 * number : 2 * number + 2]
        seats, status = Seat.objects.filter(game=game).count(), Game.objects.get(id=game).status
        if started.status_code == 200:
            assert (left.status_code, left.json()["code"]) == (409, "not_open")
            assert (seats, status) == (2, "running")
        else:
            assert (started.status_code, started.json()["code"]) == (409, "seats_open")
            assert (left.status_code, seats, status) == (204, 1, "open")


def test_creating_with_one_key_at_once_makes_one_game(anna):
    wanted = {"ruleset": "sicksack", "seats": 2, "visibility": "private"}
    requests = [(anna, "games/", wanted, {"idempotency_key": "one"})] * 8
    answers = at_once(*requests)
    assert verdicts(answers) == {(201, None): 8}
    assert len({answer.content for answer in answers}) == 1
    assert [answer.get("Idempotent-Replayed") for answer in answers].count(None) == 1
    assert (Game.objects.count(), Seat.objects.count()) == (1, 1)


def test_creating_other_things_with_one_key_at_once_makes_one_of_them(anna):
    requests = [
        (anna, "games/", {"ruleset": "sicksack", "seats": seats}, {"idempotency_key": "one"})
        for seats in (2, 3, 4, 5, 6)
    ]
    assert verdicts(at_once(*requests)) == {(201, None): 1, (422, "idempotency_mismatch"): 4}
    assert Game.objects.count() == 1


class Lossy:
    """A client that never hears every second answer, and then asks the same again."""

    def __init__(self, client):
        self.client = client
        self.asked = 0

    def post(self, path, body):
        while True:
            answer = self.client.post(path, body)
            self.asked += 1
            if self.asked % 2:
                return answer


def test_a_client_that_loses_every_second_answer_plays_the_same_game(anna, bo, make_game_of):
    record = records("sicksack")["random-2-110"]
    undisturbed, disturbed = (
        f"games/{make_game_of(record['deck'], 'sicksack', [anna, bo])}/moves" for _ in range(2)
    )
    clients, statuses = [Lossy(anna.client), Lossy(bo.client)], Counter()
    for ply, step in enumerate(record["steps"]):
        body = {"ply": ply, "move": step["move"]}
        first = (anna, bo)[step["seat"]].client.post(undisturbed, body)
        heard = clients[step["seat"]].post(disturbed, body)
        assert heard.json()["position"] == first.json()["position"]
        statuses[heard.status_code] += 1
    assert statuses == {201: 2, 200: 54}
    for client in (anna.client, bo.client):
        logs = [whole_list(client, path) for path in (undisturbed, disturbed)]
        assert [{**entry, "at": None} for entry in logs[0]] == [{**entry, "at": None} for entry in logs[1]]
        assert len(logs[0]) == len(record["steps"])
    assert list(Game.objects.values_list("status", flat=True)) == ["finished", "finished"]
