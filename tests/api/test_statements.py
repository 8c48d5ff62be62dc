"""What a request costs the database, and that it costs no more when games, logs and lists are long."""

from contextlib import contextmanager

import pytest
from django.db import connection

from games.clock import TurnClock
from games.rules.freecell import Freecell
from games.rules.sicksack import Sicksack
from games.selectors.newest import newest_positions
from tests.api.checks import records

AUTHENTICATION = "accounts_apitoken"
WORDS = records("freecell")["deal-1"]["notation"]


@contextmanager
def statements(*parts):
    """The statements that are executed are as many as these, and each holds its part."""
    executed = []

    def note(execute, sql, params, many, context):
        executed.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield
    shown = "\n\n".join(executed)
    assert len(executed) == len(parts), f"{len(executed)} statements, not {len(parts)}:\n\n{shown}"
    for sql, part in zip(executed, parts, strict=True):
        assert part in sql, f"{part!r} is not in:\n\n{sql}"


@pytest.fixture(autouse=True)
def tokens_in_use(anna, bo):
    """When a token was last used is noted hourly: not in these tests."""
    for player in (anna, bo):
        player.client.get_json("me/")


@pytest.fixture(params=["short", "long"])
def patience(request, anna, make_game):
    """A game with a short and with a long log: its path, and how many entries it has."""
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    plies = {"short": 2, "long": 110}[request.param]
    anna.client.post(f"{path}moves", {"ply": 0, "notation": " ".join(WORDS[:plies])})
    return path, plies


@pytest.fixture(params=["warm", "cold"])
def forget(request):
    """Makes a process that has met the games so far one that has not, in half of the tests."""
    return newest_positions._positions.clear if request.param == "cold" else lambda: None


def test_an_accepted_move_is_two_statements(anna, patience, forget):
    path, plies = patience
    for ply in range(plies, plies + 3):
        forget()
        with statements(AUTHENTICATION, "FROM games_game g WHERE g.id", "UPDATE games_game"):
            answer = anna.client.post(f"{path}moves", {"ply": ply, "notation": WORDS[ply]})
        assert answer.status_code == 201


def test_a_batch_and_the_end_of_a_game_are_two_statements(anna, patience):
    path, plies = patience
    with statements(AUTHENTICATION, "FROM games_game g WHERE g.id", "UPDATE games_game"):
        answer = anna.client.post(f"{path}moves", {"ply": plies, "notation": " ".join(WORDS[plies:])})
    assert answer.json()["status"] == "finished"


def test_a_move_that_is_taken_back_is_two_statements(anna, patience, forget):
    path, plies = patience
    for ply in (plies, plies + 1):
        forget()
        with statements(AUTHENTICATION, "FROM games_game g WHERE g.id", "UPDATE games_game"):
            answer = anna.client.post(f"{path}undo", {"ply": ply})
        assert answer.status_code == 201


def test_a_resignation_is_two_statements_and_a_look_at_the_game(anna, patience, forget):
    path, _ = patience
    forget()
    with statements(
        AUTHENTICATION, "FROM games_game g WHERE g.id", "UPDATE games_game", "FROM games_game g WHERE g.id"
    ):
        assert anna.client.post(f"{path}resign").json()["ending"] == "resigned"


def test_a_move_that_is_overdue_is_settled_by_two_statements(anna, make_game, forget, time_passes):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1}, clock=TurnClock(60))}/"
    time_passes(61)
    forget()
    with statements(AUTHENTICATION, "FROM games_game g WHERE g.id", "UPDATE games_game"):
        answer = anna.client.post(f"{path}moves", {"ply": 0, "notation": "5a"})
    assert answer.json()["code"] == "overdue"


@pytest.mark.parametrize("word", ["5a 5a", "h1"])
def test_a_refused_move_is_one_statement(anna, patience, word):
    path, plies = patience
    with statements(AUTHENTICATION, "FROM games_game g WHERE g.id"):
        answer = anna.client.post(f"{path}moves", {"ply": plies, "notation": word})
    assert answer.status_code == 422


def test_a_repeated_and_a_stale_request_read_the_whole_log_once_more(anna, patience):
    path, plies = patience
    for body, status in (
        ({"ply": 0, "notation": " ".join(WORDS[:plies])}, 200),
        ({"ply": 1, "notation": "5d"}, 409),
    ):
        with statements(AUTHENTICATION, "FROM games_game g WHERE g.id", "FROM games_game g WHERE g.id"):
            answer = anna.client.post(f"{path}moves", body)
        assert answer.status_code == status


def test_a_game_is_one_statement_that_also_finds_the_tokens_player(anna, bo, anonymous, patience, forget):
    path, plies = patience
    for client, part in (
        (anna.client, "t.player_id"),
        (bo.client, "t.player_id"),
        (anonymous, "FROM games_game g WHERE g.id"),
    ):
        forget()
        with statements(part):
            assert client.get_json(path)["ply"] == plies


@pytest.mark.parametrize(
    "what",
    [
        *("moves", "moves?cursor=1&limit=100", "positions/0", "positions/2"),
        *("replay", "replay?cursor=1&limit=100", "replay?limit=100"),
    ],
)
def test_a_look_at_a_game_is_one_statement(anna, bo, anonymous, patience, forget, what):
    path, _ = patience
    for client, authentication in (
        (anna.client, [AUTHENTICATION]),
        (bo.client, [AUTHENTICATION]),
        (anonymous, []),
    ):
        forget()
        with statements(*authentication, "FROM games_game g WHERE g.id"):
            answer = client.ask("GET", path + what)
        assert answer.status_code == 200


@pytest.mark.parametrize("what", ["proof", "export"])
def test_what_a_game_was_dealt_from_is_a_second_statement(anna, anonymous, patience, forget, what):
    path, _ = patience
    anna.client.post(f"{path}resign")
    forget()
    with statements("FROM games_game g WHERE g.id", "FROM games_deal d"):
        assert anonymous.get_json(path + what)["ending"] == "resigned"


def test_ones_legal_moves_are_one_statement(anna, patience, forget):
    path, _ = patience
    forget()
    with statements(AUTHENTICATION, "FROM games_game g WHERE g.id"):
        assert anna.client.get_json(f"{path}legal-moves")["total"] > 0


def test_what_has_not_changed_is_answered_without_any_rules_work(anna, bo, make_game, monkeypatch, forget):
    path = f"games/{make_game('sicksack', [anna, bo])}/"
    anna.client.post(f"{path}moves", {"ply": 0, "move": {"type": "chance"}})
    tag = anna.client.ask("GET", path)["ETag"]
    for name in ("deal", "apply", "to_act", "view", "open_view", "outcome", "redact", "legal_moves", "check"):
        monkeypatch.setattr(Sicksack, name, None)
    forget()
    with statements("FROM accounts_apitoken t"):
        answer = anna.client.ask("GET", path, if_none_match=tag)
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    assert answer["Cache-Control"] == "private, no-cache"
    assert anna.client.ask("GET", path).status_code == 500


@pytest.mark.parametrize("games", [1, 12])
@pytest.mark.parametrize(
    "query", ["", "?mine=true", "?my_turn=true", "?limit=1", "?ruleset=freecell&status=running"]
)
def test_a_list_of_games_is_one_statement(anna, bo, make_game, games, query):
    for _ in range(games):
        make_game("freecell", [anna])
    make_game("sicksack", [anna, bo], start=False)
    with statements(AUTHENTICATION, "FROM games_"):
        items = anna.client.get_json(f"games/{query}")["items"]
    assert len(items) == (1 if "limit" in query else games + (query in ("", "?mine=true")))


def test_a_list_of_games_that_may_be_joined_is_one_statement(anna, bo, make_game):
    waiting = [make_game("sicksack", [anna], start=False) for _ in range(3)]
    with statements(AUTHENTICATION, "FROM games_game g"):
        items = bo.client.get_json("games/?joinable=true")["items"]
    assert [game["id"] for game in items] == [str(game) for game in reversed(waiting)]


def test_a_process_that_knows_an_older_position_reads_and_replays_only_what_followed(
    anna, make_game, monkeypatch
):
    game = make_game("freecell", [anna], options={"deal": 1})
    path = f"games/{game}/"
    anna.client.post(f"{path}moves", {"ply": 0, "notation": " ".join(WORDS[:50])})
    older = newest_positions.get(game)
    anna.client.post(f"{path}moves", {"ply": 50, "notation": " ".join(WORDS[50:53])})
    newest = anna.client.get_json(path)
    newest_positions.clear()
    newest_positions.put(game, older)
    applied, apply = [], Freecell.apply
    monkeypatch.setattr(Freecell, "apply", lambda *given: applied.append(given[3]) or apply(*given))
    assert anna.client.get_json(path) == newest
    assert len(applied) == 3
    assert anna.client.post(f"{path}moves", {"ply": 53, "notation": WORDS[53]}).status_code == 201
    assert len(applied) == 4
