"""The proof of a game by API: after its end, to whoever may see the game, and verified by both verifiers."""

import json
import uuid

import pytest

from games import shuffle
from games.clock import BankClock, TurnClock
from games.models import Deal
from games.proofs import Proof
from games.selectors.tables import history_read
from games.services.settling import games_settle
from tests import second_verifier
from tests.api.checks import CHANCE, freecell, problem_of, records
from tests.expect import everything, nothing_changes
from tests.proofs import both

DAY = 86_400


def play_out(game, players, plies=1000):
    """So many first legal moves at most, by API."""
    for _ in range(plies):
        seen = players[0].client.get_json(f"games/{game}/")
        if seen["status"] != "running":
            return
        player = players[seen["to_act"][0]]
        move = player.client.get_json(f"games/{game}/legal-moves?limit=1")["items"][0]
        answer = player.client.post(f"games/{game}/moves", {"ply": seen["ply"], "move": move})
        assert answer.status_code == 201, answer.content


def proof_of(client, game, ending):
    """The proof of a game that is over, which both verifiers hold to be true."""
    answer = client.ask("GET", f"games/{game}/proof")
    assert answer.status_code == 200, answer.content
    proof = answer.json()
    assert tuple(proof) == tuple(name for name in Proof.__struct_fields__ if name != "daily")
    assert both(answer.content) is None
    assert second_verifier.verify(answer.content) == (proof["ruleset"] in second_verifier.GAMES)
    assert (proof["game"], proof["ending"]) == (str(game), ending)
    seen = client.get_json(f"games/{game}/")
    assert (seen["ply"], seen["outcome"]) == (len(proof["log"]), proof["outcome"])
    return proof


def kinds(proof):
    return [entry["kind"] for entry in proof["log"]]


@pytest.fixture
def running(anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    play_out(game, [anna, bo], 5)
    return game


@pytest.fixture
def over(anna, bo, running):
    bo.client.post(f"games/{running}/resign")
    return running


def test_a_game_under_way_is_not_disclosed_to_anybody(running, anna, stranger, staff, anonymous):
    for client in (anna.client, stranger.client, staff.client, anonymous):
        with nothing_changes():
            answer = client.ask("GET", f"games/{running}/proof")
        assert problem_of(answer, "not_disclosed") == {
            "detail": "The game is not over yet.",
            "game_status": "running",
        }


def test_a_game_in_which_something_is_due_is_not_disclosed(anna, bo, make_game, time_passes):
    game = make_game("sicksack", [anna, bo], clock=TurnClock(60))
    time_passes(61)
    assert problem_of(anna.client.ask("GET", f"games/{game}/proof"), "not_disclosed")
    games_settle()
    proof_of(anna.client, game, "timed_out")


def test_a_game_for_which_a_seat_has_left_but_which_goes_on_is_not_disclosed(anna, bo, cilla, make_game):
    game = make_game("sicksack", [anna, bo, cilla])
    assert bo.client.post(f"games/{game}/resign").status_code == 200
    for player in (anna, bo):
        assert problem_of(player.client.ask("GET", f"games/{game}/proof"), "not_disclosed")


def test_a_game_that_has_not_started_has_no_proof(anna, anonymous, make_game):
    game = make_game("sicksack", [anna], start=False)
    for status in ("open", "cancelled"):
        answer = anonymous.ask("GET", f"games/{game}/proof")
        assert problem_of(answer, "not_started") == {
            "detail": "The game has not started.",
            "game_status": status,
        }
        anna.client.post(f"games/{game}/leave")


def test_the_proof_of_a_private_game_is_for_those_who_sat_there(
    anna, bo, stranger, staff, anonymous, make_game
):
    game = make_game("sicksack", [anna, bo], private=True)
    for _ in range(2):
        for client in (stranger.client, staff.client, anonymous):
            answer = client.ask("GET", f"games/{game}/proof")
            assert problem_of(answer, "not_found") == {"detail": "There is no game here that you may see."}
        anna.client.post(f"games/{game}/resign")
    assert proof_of(anna.client, game, "resigned") == proof_of(bo.client, game, "resigned")


@pytest.mark.parametrize("game", [uuid.UUID(int=0), "x", "%00"])
def test_there_is_no_proof_of_a_game_that_there_is_not(anonymous, game):
    problem_of(anonymous.ask("GET", f"games/{game}/proof"), "not_found")


def test_nothing_but_getting_is_allowed(anna, over):
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        problem_of(anna.client.ask(method, f"games/{over}/proof", {}), "method_not_allowed")


def test_everybody_gets_the_same_proof_of_a_public_game(over, anna, bo, stranger, anonymous):
    with nothing_changes():
        answers = {
            client.ask("GET", f"games/{over}/proof").content
            for client in (anonymous, anna.client, bo.client, stranger.client)
        }
    assert len(answers) == 1


def test_a_proof_holds_what_was_published_and_what_was_added(anna, bo, anonymous):
    made = anna.client.post("games/", {"ruleset": "sicksack", "seats": 2}).json()
    game = made["id"]
    bo.client.post(f"games/{game}/join", {"entropy": "17"})
    anna.client.post(f"games/{game}/start", {"entropy": "correct horse"})
    log = [anna.client.post(f"games/{game}/moves", {"ply": 0, "move": CHANCE}).json()["entries"][0]]
    anna.client.post(f"games/{game}/resign")
    log.append(anna.client.get_json(f"games/{game}/moves?cursor=1")["items"][0])
    proof = proof_of(anonymous, game, "resigned")
    assert proof["commitment"] == made["commitment"]
    assert proof["entropies"] == ["correct horse", "17"]
    assert proof["players"] == ["anna", "bo"]
    assert (proof["clock"], proof["abandon_after"]) == (None, 30 * DAY)
    assert proof["started_at"] == anna.client.get_json(f"games/{game}/")["started_at"]
    assert proof["log"] == [{name: entry[name] for name in ("kind", "seat", "move", "at")} for entry in log]
    assert proof["seed"] == bytes(Deal.objects.get(game=game).seed).hex()
    assert proof["shuffle_version"] == shuffle.VERSION


@pytest.mark.parametrize("clock", [None, TurnClock(60), BankClock(60, 5)])
def test_a_game_that_is_played_out_is_proven(anna, bo, cilla, anonymous, make_game, clock):
    game = make_game("sicksack", [anna, bo, cilla], clock=clock)
    play_out(game, [anna, bo, cilla])
    proof = proof_of(anonymous, game, "played_out")
    assert set(kinds(proof)) == {"play"}


def test_a_game_that_others_play_out_is_proven(anna, bo, cilla, anonymous, make_game):
    game = make_game("sicksack", [anna, bo, cilla], clock=BankClock(600))
    play_out(game, [anna, bo, cilla], 8)
    bo.client.post(f"games/{game}/resign")
    play_out(game, [anna, bo, cilla])
    proof = proof_of(anonymous, game, "played_out")
    assert {"resign", "auto"} < set(kinds(proof))
    assert proof["outcome"]["place"][1] == 3


@pytest.mark.parametrize("slug", ["vagrat-lodrat", "vandtia-pyramid", "kraftkort"])
def test_a_game_that_is_given_up_is_proven(slug, anna, bo, anonymous, make_game):
    game = make_game(slug, [anna, bo])
    play_out(game, [anna, bo], 6)
    bo.client.post(f"games/{game}/resign")
    assert kinds(proof_of(anonymous, game, "resigned"))[-1] == "resign"


def test_a_game_in_which_all_run_out_of_time_is_proven(anna, bo, cilla, anonymous, make_game, time_passes):
    game = make_game("vandtia-pyramid", [anna, bo, cilla], clock=TurnClock(60))
    for _ in range(4):
        time_passes(100.0004)
        games_settle()
    proof = proof_of(anonymous, game, "timed_out")
    assert kinds(proof)[:6] == ["auto"] * 6
    assert kinds(proof).count("timeout") == 2


@pytest.mark.parametrize("plies", [0, 3])
def test_a_game_that_is_abandoned_is_proven(anna, bo, anonymous, make_game, time_passes, plies):
    game = make_game("sicksack", [anna, bo])
    play_out(game, [anna, bo], plies)
    time_passes(30 * DAY + 1)
    games_settle()
    proof = proof_of(anonymous, game, "abandoned")
    assert (kinds(proof)[plies:], proof["outcome"]) == (["void"], None)


@pytest.mark.parametrize(("plies", "kind", "ending"), [(0, "void", "abandoned"), (1, "resign", "resigned")])
@pytest.mark.parametrize("slug", ["freecell", "camelot", "las-pintas"])
def test_a_patience_that_is_given_up_is_proven(anna, anonymous, make_game, slug, plies, kind, ending):
    game = make_game(slug, [anna])
    play_out(game, [anna], plies)
    anna.client.post(f"games/{game}/resign")
    assert kinds(proof_of(anonymous, game, ending))[plies:] == [kind]


def test_a_fixed_deal_is_proven_without_a_seed(anna, anonymous, make_game):
    record = records("freecell")["deal-3"]
    game = make_game("freecell", [anna], options={"deal": 3})
    client, path = anna.client, f"games/{game}/"
    client.post(f"{path}moves", {"ply": 0, "move": freecell("5", "a", 1)})
    assert client.post(f"{path}undo", {"ply": 1}).status_code == 201
    moves = [step["move"] for step in record["steps"]]
    assert client.post(f"{path}moves", {"ply": 2, "moves": moves}).status_code == 201
    proof = proof_of(anonymous, game, "played_out")
    assert (proof["seed"], proof["commitment"], proof["options"]) == (None, None, {"deal": 3})
    assert proof["deck"] == record["deck"]
    assert kinds(proof)[:3] == ["play", "undo", "play"]
    assert proof["outcome"]["result"] == ["win"]


def answers_of(client, game, plies):
    """Everything else that is said of a game."""
    for path in ("", "moves", "legal-moves", *(f"positions/{ply}" for ply in range(plies + 1))):
        answer = client.ask("GET", f"games/{game}/{path}")
        assert answer.status_code in (200, 401, 403)
        yield answer.content.decode()
    yield client.ask("GET", "games/").content.decode()


def names_within(value):
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from names_within(inner)


def test_seed_and_deck_order_stand_in_no_other_answer(running, anna, bo, stranger, anonymous):
    seed = bytes(Deal.objects.get(game=running).seed)
    deck = json.dumps(list(history_read(game_id=running).row.deck))[1:-1]
    clients = [anna.client, bo.client, stranger.client, anonymous]
    for ending in (None, "resigned"):
        for client in clients:
            for text in answers_of(client, running, 5):
                assert seed.hex() not in text.lower()
                assert str(list(seed))[1:-1] not in text
                assert deck not in text.replace(",", ", ").replace("  ", " ")
                assert {"seed", "deck"}.isdisjoint(names_within(json.loads(text)))
        if ending is None:
            bo.client.post(f"games/{running}/resign")
    assert proof_of(anonymous, running, "resigned")["seed"] == seed.hex()


def test_the_seed_is_kept_in_one_place(over):
    seed = bytes(Deal.objects.get(game=over).seed).hex()
    assert [table for table, rows in everything().items() if seed in rows] == ["games_deal"]
