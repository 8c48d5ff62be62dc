"""Replays: every position with the entry that led to it, as the log and the positions have them, page by page."""

import json

import pytest

from games.catalog import CURRENT
from tests.api.checks import problem_of, whole_list
from tests.api.published import assert_documented
from tests.expect import faults, nothing_changes
from tests.stored_games import WAYS, some_game, store

NUMBERS = range(14)
PLAYED_OUT = [number for number in range(28) if WAYS[number // 7] == "played_out"]


def stored(number):
    """The path of a game that is over, and the number of entries of its log."""
    game = some_game(number)
    store([game])
    return f"games/{game.game}/", len(game.log)


def frame_at(client, path, ply):
    """What moves and positions say of a ply."""
    entry = client.get_json(f"{path}moves?cursor={ply - 1}&limit=1")["items"][0] if ply else None
    return {"entry": entry, "position": client.get_json(f"{path}positions/{ply}")}


@pytest.mark.parametrize("number", NUMBERS)
def test_it_has_what_the_log_and_the_positions_have_on_pages_of_any_size(anonymous, number):
    path, plies = stored(number)
    log = whole_list(anonymous, f"{path}moves?limit=100")
    positions = [anonymous.get_json(f"{path}positions/{ply}") for ply in range(plies + 1)]
    frames = [
        {"entry": entry, "position": position}
        for entry, position in zip([None, *log], positions, strict=True)
    ]
    with nothing_changes():
        for limit in (1, 2, 50):
            assert whole_list(anonymous, f"{path}replay?limit={limit}") == frames
    assert_documented(f"/api/v1/{path}replay", "GET", anonymous.ask("GET", f"{path}replay"))


def test_games_of_every_rule_set_and_of_every_entry_were_looked_at():
    games = [some_game(number) for number in [*NUMBERS, *PLAYED_OUT]]
    assert {game.rules.slug for game in games} == set(CURRENT)
    kinds = {entry.kind for game in games for entry, _ in game.log}
    assert kinds == {"play", "auto", "resign", "timeout", "void"}


@pytest.mark.parametrize("number", PLAYED_OUT)
def test_a_long_game_comes_fifty_positions_at_a_time(anonymous, number):
    path, plies = stored(number)
    first = anonymous.get_json(f"{path}replay")
    pages = plies // 50 + 1
    assert (first["ply"], len(first["items"])) == (plies, min(plies + 1, 50))
    assert first["next"] == (f"/api/v1/{path}replay?cursor=50" if pages > 1 else None)
    frames = whole_list(anonymous, f"{path}replay")
    assert [frame["position"]["ply"] for frame in frames] == list(range(plies + 1))
    assert frames[0]["entry"] is None
    assert [frame["entry"]["ply"] for frame in frames[1:]] == list(range(plies))
    for ply in {*range(0, plies, 25), min(plies, 49), min(plies, 50), plies}:
        assert frames[ply] == frame_at(anonymous, path, ply)
    assert frames[-1]["position"] == anonymous.get_json(path)["position"]


def test_a_move_that_was_taken_back_is_stepped_through_as_well(anna, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    anna.client.post(f"{path}moves", {"ply": 0, "notation": "5a 5b"})
    assert anna.client.post(f"{path}undo", {"ply": 2}).status_code == 201
    frames = anna.client.get_json(f"{path}replay")["items"]
    assert [frame["entry"] and frame["entry"]["kind"] for frame in frames] == [None, "play", "play", "undo"]
    assert frames[3]["position"]["view"] == frames[1]["position"]["view"] != frames[2]["position"]["view"]
    assert frames == [frame_at(anna.client, path, ply) for ply in range(4)]


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_a_replay_that_has_not_begun_is_the_deal(anna, make_game, limit):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    assert anna.client.get_json(f"{path}replay?limit={limit}") == {
        "ply": 0,
        "items": [{"entry": None, "position": anna.client.get_json(f"{path}positions/0")}],
        "next": None,
    }


def test_a_page_begins_at_its_cursor(anonymous):
    path, plies = stored(1)
    frames = anonymous.get_json(f"{path}replay")["items"]
    for cursor in range(plies + 1):
        page = anonymous.get_json(f"{path}replay?cursor={cursor}&limit=2")
        assert page["items"] == frames[cursor : cursor + 2]
        following = f"/api/v1/{path}replay?cursor={cursor + 2}&limit=2"
        assert page["next"] == (following if cursor + 2 <= plies else None)
    for beyond in (plies + 1, 2**31 - 1):
        assert anonymous.get_json(f"{path}replay?cursor={beyond}") == {
            "ply": plies,
            "items": [],
            "next": None,
        }


def test_one_may_go_on_where_a_running_game_had_come_to(anna, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    anna.client.post(f"{path}moves", {"ply": 0, "notation": "5a 5b 5c"})
    page = anna.client.get_json(f"{path}replay?limit=2")
    anna.client.post(f"{path}moves", {"ply": 3, "notation": "5d 5h"})
    rest = whole_list(anna.client, page["next"])
    assert page["items"] + rest == [frame_at(anna.client, path, ply) for ply in range(6)]


WORDS = [
    (
        0,
        4,
        "seat 1 plays JD at [0,1]",
        "plats 1 spelar JD på [0,1]",
        "el asiento 1 juega JD en [0,1]",
    ),
    (
        1,
        4,
        "seat 2 takes a chance, turns up 2D, which fits",
        "plats 2 chansar, vänder upp 2D, som passar",
        "el asiento 2 prueba suerte, descubre 2D, que encaja",
    ),
    (
        2,
        1,
        "seat 0 lays TH on [2,1], takes up TC",
        "plats 0 lägger TH på [2,1], tar upp TC",
        "el asiento 0 pone TH en [2,1], toma TC",
    ),
    (
        3,
        1,
        "seat 1 throws away 6S 8D QS AD, draws 6D TD JC AC",
        "plats 1 kastar 6S 8D QS AD, drar 6D TD JC AC",
        "el asiento 1 descarta 6S 8D QS AD, roba 6D TD JC AC",
    ),
    (18, 1, "deals 4D", "vänder upp 4D från talongen", "descubre 4D del mazo"),
    (
        6,
        5,
        "QS from column 3 to column 4",
        "QS från kolumn 3 till kolumn 4",
        "QS de la columna 3 a la columna 4",
    ),
    (
        4,
        1,
        "the game is closed without a result",
        "spelet avslutas utan resultat",
        "la partida se cierra sin resultado",
    ),
    (8, 3, "seat 2 is out of time", "plats 2 har ingen tid kvar", "el asiento 2 se queda sin tiempo"),
    (1, 8, "seat 0 gives up", "plats 0 ger upp", "el asiento 0 abandona"),
]


@pytest.mark.parametrize(("number", "ply", "en", "sv", "es"), WORDS)
def test_an_entry_is_told_in_the_language_that_is_asked_for(anonymous, number, ply, en, sv, es):
    path, _ = stored(number)
    for language, words in (("en", en), ("sv", sv), ("es", es), ("fi", en), ("es-MX, sv;q=0.5", es)):
        answer = anonymous.ask("GET", f"{path}replay?limit=100", accept_language=language)
        assert answer.json()["items"][ply]["entry"]["text"] == words
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("number", [*NUMBERS, *PLAYED_OUT])
def test_every_entry_is_told_in_every_language_as_in_the_log(anonymous, number):
    path, _ = stored(number)
    texts = []
    for language in ("en", "sv", "es"):
        asked = {"accept_language": language}
        frames = anonymous.get_json(f"{path}replay?limit=100", **asked)["items"]
        log = anonymous.get_json(f"{path}moves?limit=99", **asked)["items"]
        assert [frame["entry"] for frame in frames[1:]] == log
        texts.append([entry["text"] for entry in log])
    assert all(all(told) and len(set(told)) == 3 for told in zip(*texts, strict=True))


def test_each_sees_its_own_hand_while_the_game_goes_on_and_all_see_all_after_it(
    anna, bo, anonymous, make_sicksack
):
    path = f"games/{make_sicksack([anna, bo], '5H 9C KD 4S 3C 2D 7S 6D')}/"
    anna.client.post(f"{path}moves", {"ply": 0, "move": {"type": "play", "card": "5H"}})
    clients = [anna.client, bo.client, anonymous]
    replays = [client.get_json(f"{path}replay")["items"] for client in clients]
    for client, frames in zip(clients, replays, strict=True):
        assert frames == [frame_at(client, path, ply) for ply in range(2)]
    drawn = "7S"
    assert [drawn in json.dumps(frames) for frames in replays] == [True, False, False]
    assert ["4S" in json.dumps(frames) for frames in replays] == [False, True, False]
    bo.client.post(f"{path}resign")
    ended = {json.dumps(client.get_json(f"{path}replay")) for client in clients}
    (one,) = ended
    assert drawn in one
    assert "4S" in one


@pytest.mark.parametrize("query", ["", "?limit=1", "?cursor=5"])
def test_a_game_that_has_not_started_has_nothing_to_step_through(anna, anonymous, make_game, query):
    path = f"games/{make_game('sicksack', [anna], start=False)}/"
    for status in ("open", "cancelled"):
        for client in (anna.client, anonymous):
            with nothing_changes():
                answer = client.ask("GET", f"{path}replay{query}")
            assert problem_of(answer, "not_started") == {
                "detail": "The game has not started.",
                "game_status": status,
            }
        anna.client.post(f"{path}leave")


def test_a_private_game_is_stepped_through_by_those_who_sit_there(
    anna, bo, stranger, staff, anonymous, make_game
):
    path = f"games/{make_game('sicksack', [anna, bo], private=True)}/"
    for _ in range(2):
        for client in (stranger.client, staff.client, anonymous):
            answer = client.ask("GET", f"{path}replay")
            assert problem_of(answer, "not_found") == {"detail": "There is no game here that you may see."}
        assert anna.client.get_json(f"{path}replay")["items"][0] == frame_at(anna.client, path, 0)
        bo.client.post(f"{path}resign")


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("cursor=-1", "cursor"),
        ("cursor=2147483648", "cursor"),
        ("cursor=x", "cursor"),
        ("cursor=", "cursor"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=1&limit=2", "limit"),
        ("ply=1", "query"),
    ],
)
def test_a_query_of_another_form_is_told_its_fault(anna, make_game, query, fault):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    with nothing_changes():
        assert faults(anna.client.ask("GET", f"{path}replay?{query}")) == [fault]


def test_a_replay_can_only_be_got(anna, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        problem_of(anna.client.ask(method, f"{path}replay", {}), "method_not_allowed")
