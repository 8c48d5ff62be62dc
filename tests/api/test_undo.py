"""Taking moves of a patience back: what is answered, what is kept, and when a move stands."""

from datetime import UTC, datetime, timedelta

import pytest

from cardsite.jsonbody import timestamp
from games.clock import BankClock, TurnClock
from games.models import Game, Move, Result
from games.rules.cards import FRENCH_DECK
from games.selectors.newest import newest_positions
from games.services import playing
from games.services.gathering import game_leave
from games.services.settling import games_settle
from tests.api.checks import CHANCE, problem_of, records, refused, whole_list
from tests.expect import faults, nothing_changes, problem

pytestmark = pytest.mark.usefixtures("games_hold_together")

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
DEAL = {"type": "deal"}


@pytest.fixture
def patience(anna, make_game):
    return f"games/{make_game('freecell', [anna], options={'deal': 1})}/"


@pytest.fixture
def camelot(anna, make_game_of):
    """The stock is KS KH KD KC QS and so on."""
    return f"games/{make_game_of(FRENCH_DECK[::-1], 'camelot', [anna])}/"


def plays(player, path, ply, words):
    answer = player.client.post(f"{path}moves", {"ply": ply, "notation": words})
    assert answer.status_code == 201, answer.content
    return answer.json()


def undoes(player, path, ply):
    answer = player.client.post(f"{path}undo", {"ply": ply})
    assert answer.status_code == 201, answer.content
    return answer.json()


def log_of(client, path):
    return whole_list(client, f"{path}moves")


def view_at(client, path, ply):
    return client.get_json(f"{path}positions/{ply}")["view"]


def repeated(client, path, body, first):
    """The same request once more: the first answer again, with the one difference that it says so."""
    with nothing_changes():
        again = client.post(path, body)
    assert again.status_code == 200, again.content
    assert again.content == first.content.replace(b'"repeated":false', b'"repeated":true')


def test_a_move_that_is_taken_back_is_answered_by_its_entry_and_the_position_before_it(patience, anna):
    dealt = anna.client.get_json(patience)["position"]
    plays(anna, patience, 0, "5a")
    answer = anna.client.post(f"{patience}undo", {"ply": 1})
    assert (answer.status_code, answer["Content-Type"]) == (201, "application/json")
    entry = {
        "ruleset": "freecell",
        "ply": 1,
        "kind": "undo",
        "seat": 0,
        "player": "anna",
        "at": timestamp(Move.objects.get(ply=1).at),
        "move": None,
        "notation": None,
        "events": [],
        "text": "takes the last move back",
    }
    assert answer.json() == {
        "game": patience.split("/")[1],
        "ruleset": "freecell",
        "repeated": False,
        "ply": 2,
        "status": "running",
        "entries": [entry],
        "position": {**dealt, "ply": 2},
    }
    game = anna.client.get_json(patience)
    assert (game["ply"], game["undos"], game["to_act"], game["position"]) == (
        2,
        1,
        [0],
        {**dealt, "ply": 2},
    )
    assert log_of(anna.client, patience)[1] == entry


def test_it_is_kept_as_an_entry_of_its_own(patience, anna):
    plays(anna, patience, 0, "5a")
    undoes(anna, patience, 1)
    entry = Move.objects.filter(ply=1).values().get()
    assert entry == {
        "game_id": entry["game_id"],
        "ply": 1,
        "kind": "undo",
        "seat": 0,
        "by_id": anna.id,
        "base": 1,
        "request_n": 0,
        "body": None,
        "at": entry["at"],
    }
    assert Game.objects.values_list("ply", "undos", "left", "status").get() == (2, 1, [], "running")


def test_history_stays_as_it_was_made(patience, anna, anonymous):
    plays(anna, patience, 0, "5a 5b")
    before = [view_at(anna.client, patience, ply) for ply in range(3)]
    undoes(anna, patience, 2)
    undoes(anna, patience, 3)
    plays(anna, patience, 4, "6a")
    newest_positions.clear()
    for client in (anna.client, anonymous):
        assert [view_at(client, patience, ply) for ply in range(5)] == [*before, before[1], before[0]]
        assert view_at(client, patience, 5)["cells"]["a"] is not None
        log = log_of(client, patience)
        assert [(entry["kind"], entry["notation"]) for entry in log] == [
            ("play", "5a"),
            ("play", "5b"),
            ("undo", None),
            ("undo", None),
            ("play", "6a"),
        ]
    assert anna.client.get_json(patience)["undos"] == 2


def test_one_move_is_taken_back_at_a_time_until_there_is_none(patience, anna):
    plays(anna, patience, 0, "5a 5b 5c")
    for ply in (3, 4, 5):
        undoes(anna, patience, ply)
    assert refused(anna.client, f"{patience}undo", {"ply": 6}, "no_undo") == {
        "detail": "There is no move to take back.",
        "ply": 6,
        "reason": "nothing",
    }
    assert anna.client.get_json(patience)["undos"] == 3


def test_fc_07_the_moves_in_the_position_are_counted(patience, anna):
    for ply in range(0, 6, 2):
        assert plays(anna, patience, ply, "5a")["position"]["view"]["moves"] == 1
        assert undoes(anna, patience, ply + 1)["position"]["view"]["moves"] == 0


def test_a_process_that_does_not_know_the_game_takes_back_the_same(patience, anna):
    plays(anna, patience, 0, "5a 5b")
    for ply in (2, 3):
        newest_positions.clear()
        undone = undoes(anna, patience, ply)
        assert undone["position"]["view"] == view_at(anna.client, patience, 3 - ply)
    newest_positions.clear()
    refused(anna.client, f"{patience}undo", {"ply": 4}, "no_undo")


def test_the_tag_is_another_once_a_move_was_taken_back(patience, anna):
    tags = [anna.client.ask("GET", patience)["ETag"]]
    plays(anna, patience, 0, "5a")
    tags.append(anna.client.ask("GET", patience)["ETag"])
    undoes(anna, patience, 1)
    answer = anna.client.ask("GET", patience, if_none_match=", ".join(tags))
    assert (answer.status_code, answer.json()["ply"]) == (200, 2)


# Requests that come again, and requests that come too late.


def test_the_same_request_gets_the_first_answer_again(patience, anna):
    plays(anna, patience, 0, "5a 5b")
    path, body = f"{patience}undo", {"ply": 2}
    first = anna.client.post(path, body)
    repeated(anna.client, path, body, first)
    repeated(anna.client, path, {"ply": 2.0}, first)
    undoes(anna, patience, 3)
    plays(anna, patience, 4, "6a")
    repeated(anna.client, path, body, first)
    anna.client.post(f"{patience}resign")
    repeated(anna.client, path, body, first)


def test_a_move_that_was_taken_back_is_answered_again_and_not_played_again(patience, anna):
    path, body = f"{patience}moves", {"ply": 0, "notation": "5a"}
    first = anna.client.post(path, body)
    undoes(anna, patience, 1)
    repeated(anna.client, path, body, first)
    assert len(log_of(anna.client, patience)) == 2


def test_a_move_after_one_that_was_taken_back_needs_the_new_ply(patience, anna):
    plays(anna, patience, 0, "5a")
    undone = undoes(anna, patience, 1)
    for ply, missed in ((0, log_of(anna.client, patience)), (1, undone["entries"])):
        facts = refused(anna.client, f"{patience}moves", {"ply": ply, "notation": "5b"}, "stale")
        assert facts == {
            "detail": f"The game has moved on from ply {ply} to ply 2.",
            "ply": 2,
            "missed": missed,
            "more": None,
        }
    assert plays(anna, patience, 2, "5b")["ply"] == 3


def test_of_a_move_and_an_undo_for_one_ply_the_first_stands(patience, anna):
    plays(anna, patience, 0, "5a")
    plays(anna, patience, 1, "5b")
    facts = refused(anna.client, f"{patience}undo", {"ply": 1}, "stale")
    assert [entry["notation"] for entry in facts["missed"]] == ["5b"]
    undoes(anna, patience, 2)
    refused(anna.client, f"{patience}moves", {"ply": 2, "notation": "5c"}, "stale")


def test_an_undo_is_not_repeated_by_the_end_of_a_batch(patience, anna):
    plays(anna, patience, 0, "5a 5b 5c")
    refused(anna.client, f"{patience}undo", {"ply": 0}, "stale")
    refused(anna.client, f"{patience}undo", {"ply": 2}, "stale")


def test_a_ply_that_the_game_has_not_come_to_is_ahead(patience, anna):
    plays(anna, patience, 0, "5a")
    ahead = {"detail": "The game has come to ply 1.", "ply": 1}
    assert refused(anna.client, f"{patience}undo", {"ply": 2}, "ahead") == ahead
    assert refused(anna.client, f"{patience}undo", {"ply": 2**31 - 1}, "ahead") == ahead


def test_a_game_that_is_written_to_again_and_again_is_unavailable(patience, anna, monkeypatch):
    plays(anna, patience, 0, "5a")
    monkeypatch.setattr(playing, "append", lambda _row, _entries: None)
    with nothing_changes():
        answer = anna.client.post(f"{patience}undo", {"ply": 1})
    assert problem_of(answer, "unavailable") == {
        "detail": "Others were first again and again; a retry is safe."
    }


# Whom it is refused, and why.


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"", "$"),
        (b"{", "$"),
        ([], "$"),
        ({}, "$"),
        ({"ply": None}, "$.ply"),
        ({"ply": "1"}, "$.ply"),
        ({"ply": 0.5}, "$.ply"),
        ({"ply": -1}, "$.ply"),
        ({"ply": 2**31}, "$.ply"),
        ({"ply": 1, "moves": 2}, "$"),
    ],
)
def test_a_request_of_another_form_is_malformed(patience, anna, body, path):
    plays(anna, patience, 0, "5a")
    with nothing_changes():
        assert faults(anna.client.post(f"{patience}undo", body)) == [path]


def test_only_who_plays_takes_back(patience, anna, stranger, anonymous, make_game):
    plays(anna, patience, 0, "5a")
    private = f"games/{make_game('freecell', [anna], private=True)}/"
    refused(anonymous, f"{patience}undo", {"ply": 1}, "unauthenticated")
    refused(stranger.client, f"{patience}undo", {"ply": 1}, "not_seated")
    refused(stranger.client, f"{private}undo", {"ply": 0}, "not_found")


def test_before_the_start_nothing_is_taken_back(anna, make_game):
    game = make_game("freecell", [anna], start=False)
    refused(anna.client, f"games/{game}/undo", {"ply": 0}, "not_started")
    game_leave(game_id=game, player=anna)
    refused(anna.client, f"games/{game}/undo", {"ply": 7}, "not_started")


def test_before_the_first_move_there_is_nothing_to_take_back(patience, anna):
    facts = refused(anna.client, f"{patience}undo", {"ply": 0}, "no_undo")
    assert (facts["reason"], facts["ply"]) == ("nothing", 0)


def test_after_the_end_nothing_is_taken_back(anna, make_game):
    record = records("freecell")["no-move-left-microsoft"]
    game = f"games/{make_game('freecell', [anna], options=record['options'])}/"
    moves = [step["move"] for step in record["steps"]]
    assert anna.client.post(f"{game}moves", {"ply": 0, "moves": moves}).json()["status"] == "finished"
    over = {"detail": "The game is over.", "ply": len(moves)}
    for ply in (0, len(moves)):
        assert refused(anna.client, f"{game}undo", {"ply": ply}, "over") == over


def test_after_giving_up_nothing_is_taken_back(patience, anna):
    plays(anna, patience, 0, "5a")
    anna.client.post(f"{patience}resign")
    refused(anna.client, f"{patience}undo", {"ply": 1}, "over")
    refused(anna.client, f"{patience}undo", {"ply": 2}, "over")


def test_in_a_game_for_several_nothing_is_taken_back(anna, bo, make_game):
    game = f"games/{make_game('sicksack', [anna, bo])}/"
    assert anna.client.post(f"{game}moves", {"ply": 0, "move": CHANCE}).status_code == 201
    for player in (anna, bo):
        assert refused(player.client, f"{game}undo", {"ply": 1}, "no_undo") == {
            "detail": "Moves are taken back in patiences only.",
            "ply": 1,
            "reason": "several",
        }


# Moves that showed something.


def test_a_card_that_was_shown_stands_and_what_followed_is_taken_back(camelot, anna):
    path = f"{camelot}moves"
    anna.client.post(path, {"ply": 0, "move": DEAL})
    shown = {"detail": "The last move showed a card, and stands.", "ply": 1, "reason": "shown"}
    assert refused(anna.client, f"{camelot}undo", {"ply": 1}, "no_undo") == shown
    anna.client.post(path, {"ply": 1, "move": {"type": "place", "at": [0, 0]}})
    undone = undoes(anna, camelot, 2)
    assert (undone["position"]["view"]["waste"], undone["position"]["view"]["board"][0][0]) == ("KS", None)
    assert refused(anna.client, f"{camelot}undo", {"ply": 3}, "no_undo") == {**shown, "ply": 3}
    placed = anna.client.post(path, {"ply": 3, "move": {"type": "place", "at": [3, 3]}}).json()
    assert placed["position"]["view"]["board"][3][3] == "KS"


def test_a_card_that_has_not_been_shown_is_in_no_answer_to_an_undo(camelot, anna):
    path = f"{camelot}moves"
    anna.client.post(path, {"ply": 0, "move": DEAL})
    anna.client.post(path, {"ply": 1, "move": {"type": "place", "at": [0, 0]}})
    answers = [anna.client.post(f"{camelot}undo", {"ply": ply}) for ply in (2, 3, 0, 9)]
    assert [answer.status_code for answer in answers] == [201, 409, 409, 409]
    for answer in answers:
        assert not any(f'"{card}"' in answer.content.decode() for card in FRENCH_DECK[:-1])


def test_of_las_pintas_a_flip_stands(anna, make_game):
    game = f"games/{make_game('las-pintas', [anna])}/"
    move = anna.client.get_json(f"{game}legal-moves")["items"][0]
    assert anna.client.post(f"{game}moves", {"ply": 0, "move": move}).status_code == 201
    assert refused(anna.client, f"{game}undo", {"ply": 1}, "no_undo")["reason"] == "shown"


# Results.


def test_how_often_moves_were_taken_back_is_counted_in_the_result(patience, anna):
    words = records("freecell")["deal-1"]["notation"]
    plays(anna, patience, 0, "5a 5b")
    undoes(anna, patience, 2)
    undoes(anna, patience, 3)
    played = plays(anna, patience, 4, " ".join(words))
    assert (played["status"], played["position"]["outcome"]["result"]) == ("finished", ["win"])
    assert Result.objects.values_list("seat", "result", "score", "undos").get() == (0, "win", 52, 2)
    game = anna.client.get_json(patience)
    assert (game["undos"], game["ending"]) == (2, "played_out")
    assert anna.client.get_json("games/")["items"][0]["undos"] == 2


def test_how_often_moves_were_taken_back_is_counted_where_it_is_given_up(patience, anna):
    plays(anna, patience, 0, "5a")
    undoes(anna, patience, 1)
    seen = anna.client.post(f"{patience}resign").json()
    assert (seen["ending"], seen["undos"]) == ("resigned", 1)
    assert Result.objects.values_list("result", "undos").get() == ("loss", 1)


# By the clock.


def test_a_move_that_is_taken_back_gives_no_time(anna, make_game, time_stands):
    time_stands(NOON)
    for clock, deadline in ((TurnClock(600), 700), (BankClock(600, 10), 610)):
        game = f"games/{make_game('freecell', [anna], options={'deal': 1}, clock=clock)}/"
        time_stands(NOON + timedelta(seconds=100))
        plays(anna, game, 0, "5a")
        time_stands(NOON + timedelta(seconds=200))
        undoes(anna, game, 1)
        seen = anna.client.get_json(game)
        assert seen["seats"][0]["deadline_at"] == timestamp(NOON + timedelta(seconds=deadline))
        assert seen["abandoned_at"] == timestamp(NOON + timedelta(days=30, seconds=200))
        time_stands(NOON)


@pytest.mark.parametrize("sweep", [False, True])
def test_an_undo_after_the_deadline_is_overdue(anna, make_game, time_stands, sweep):
    time_stands(NOON)
    game = f"games/{make_game('freecell', [anna], options={'deal': 1}, clock=TurnClock(600))}/"
    plays(anna, game, 0, "5a")
    time_stands(NOON + timedelta(seconds=600))
    undoes(anna, game, 1)
    plays(anna, game, 2, "5a")
    time_stands(NOON + timedelta(seconds=1201))
    if sweep:
        assert games_settle() == 1
    undone = anna.client.post(f"{game}undo", {"ply": 3})
    problem(undone, "overdue", ply=4, deadline_at="2026-01-01T12:20:00.000Z")
    assert [entry["kind"] for entry in log_of(anna.client, game)] == ["play", "undo", "play", "timeout"]
    assert anna.client.get_json(game)["ending"] == "timed_out"


def test_an_undo_keeps_a_patience_from_being_abandoned(anna, make_game, time_stands):
    time_stands(NOON)
    hour = timedelta(hours=1)
    game = f"games/{make_game('freecell', [anna], options={'deal': 1}, abandon_after=hour)}/"
    plays(anna, game, 0, "5a")
    time_stands(NOON + hour)
    undoes(anna, game, 1)
    time_stands(NOON + 2 * hour)
    assert games_settle() == 0
    time_stands(NOON + 2 * hour + timedelta(seconds=1))
    assert games_settle() == 1
    assert anna.client.get_json(game)["ending"] == "timed_out"
