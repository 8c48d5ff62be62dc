"""`manage.py verify_games` on rows that were tampered with: which game diverges, and in what."""

from functools import partial

import pytest
from django.db import connection

from games.clock import BankClock
from games.services import gathering
from tests.stored_games import without_guards
from tests.verifying import first_moves, verified


@pytest.fixture
def verify(db, capsys):
    return partial(verified, capsys)


@pytest.fixture
def tamper(anna, bo, cilla, make_game, monkeypatch):
    """Makes a game that runs, one that is over or a patience with a move taken back, and changes a row of it: its
    id."""
    monkeypatch.setattr(gathering.secrets, "token_bytes", bytes)  # so that they are dealt the same each time
    made, players = {}, [anna, bo, cilla]

    def make(name):
        if name == "patience":
            patience = make_game("freecell", [anna], options={"deal": 1})
            anna.client.post(f"games/{patience}/moves", {"ply": 0, "notation": "5a 5b"})
            assert anna.client.post(f"games/{patience}/undo", {"ply": 2}).status_code == 201
            return patience
        several = make_game("sicksack", players, clock=BankClock(600, 5))
        first_moves(several, players, 3)  # 4S, 3C and 2H
        for player in (bo, anna) if name == "over" else ():
            assert player.client.post(f"games/{several}/resign").status_code == 200
        return several

    def change(name, statement=None):
        if name not in made:
            made[name] = make(name)
        if statement is not None:
            with without_guards(), connection.cursor() as cursor:
                cursor.execute(statement.replace("GAME", f"'{made[name]}'"))
                assert cursor.rowcount == 1
        return made[name]

    return change


def game(change):
    return f"UPDATE games_game SET {change} WHERE id = GAME"


def move(change, ply=1):
    return f"UPDATE games_move SET {change} WHERE game_id = GAME AND ply = {ply}"


def event(change):
    return f"UPDATE games_event SET {change} WHERE {TOLD}"


def result(change):
    return f"UPDATE games_result SET {change} WHERE game_id = GAME AND seat = 2"


def deal(change):
    return f"UPDATE games_deal SET {change} WHERE game_id = GAME"


TOLD = "game_id = GAME AND kind = 'entry' AND body->>'ply' = '1'"
OTHER_PLAYER = "by_id = (SELECT owner_id FROM games_game WHERE id = GAME)"
OVER = "status = 'finished', ending = 'resigned', to_act = '{}', ended_at = started_at"

TAMPERED = [
    ("running", move("""body = '{"type": "chance"}'"""), "event of entry 1"),
    ("running", move("""body = '{"type": "fold"}'"""), "its replay"),
    ("running", move(OTHER_PLAYER), "event of entry 1"),
    ("running", move("at = at + interval '1 second'"), "event of entry 1"),
    ("running", "DELETE FROM games_move WHERE game_id = GAME AND ply = 2", "ply"),
    ("running", event("""body = jsonb_set(body, '{move}', '{"type": "take"}')"""), "event of entry 1"),
    ("running", event("body = jsonb_set(body, '{to_act}', '[0]')"), "event of entry 1"),
    ("running", event("""seen = '{"1": {"move": null}}'"""), "event of entry 1"),
    ("running", event("seen = NULL"), "event of entry 1"),
    ("running", f"DELETE FROM games_event WHERE {TOLD}", "event of entry 1"),
    ("running", game("to_act = '{1}'"), "to_act"),
    ("running", game("ply = 4"), "ply"),
    ("running", game("undos = 1"), "undos"),
    ("running", game(""""left" = '{1}'"""), "left"),
    ("running", game("deadlines[1] = deadlines[1] + interval '1 second'"), "times"),
    ("running", game("deadlines = array_fill(NULL::timestamptz, ARRAY[3])"), "times"),
    ("running", game("remaining[2] = remaining[2] + 1"), "times"),
    ("patience", game("abandoned_at = abandoned_at - interval '1 second'"), "times"),
    ("patience", game("undos = 0"), "undos"),
    ("patience", move("kind = 'resign', base = NULL, request_n = NULL", 2), "event of entry 2"),
    ("patience", move("""body = jsonb_set(body, '{to}', '"c"')"""), "event of entry 1"),
    ("over", move("""body = '{"type": "chance"}'"""), "entry 2"),
    ("over", move("""body = '{"type": "play", "card": "4S"}'"""), "entry 1"),
    ("over", move("at = at - interval '1 day'"), "entry 1"),
    ("over", move("seat = 2"), "entry 1"),
    ("over", event("""body = jsonb_set(body, '{move}', '{"type": "take"}')"""), "event of entry 1"),
    ("over", result("result = 'loss'"), "outcome"),
    ("over", result("place = 2"), "outcome"),
    ("over", result("score = score + 1"), "outcome"),
    ("over", result("length = length + 1"), "result of seat 2"),
    ("over", result("undos = 1"), "result of seat 2"),
    ("over", result("duration = duration + 1"), "result of seat 2"),
    ("over", game("ended_at = ended_at + interval '1 hour'"), "ended_at"),
    ("over", "DELETE FROM games_event WHERE game_id = GAME AND kind = 'started'", "events"),
    ("over", "DELETE FROM games_event WHERE game_id = GAME AND kind = 'ended'", "events"),
    ("over", game("ending = 'timed_out'"), "ending"),
    ("over", game("status = 'abandoned', ending = 'abandoned'"), "status"),
    ("over", game(""""left" = '{0,1}'"""), "left"),
    ("over", game("deadlines[1] = now()"), "times"),
    ("over", game("commitment = repeat('0', 64)"), "commitment"),
    ("over", deal("seed = decode(repeat('01', 32), 'hex')"), "commitment"),
    ("over", deal("deck = deck[2:52] || deck[1:1]"), "deck"),
    ("over", "UPDATE games_seat SET entropy = 'other' WHERE game_id = GAME AND number = 0", "deck"),
]


@pytest.mark.parametrize(("name", "statement", "where"), TAMPERED)
def test_it_is_said_in_what_a_game_does_not_follow_from_its_log(verify, tamper, name, statement, where):
    tamper(name)
    assert verify() == (None, ["1 games verified"])
    diverging = tamper(name, statement)
    status, (said, whole) = verify()
    assert said.partition(": ")[0] == f"{diverging} diverges at {where}"
    assert (status, whole) == ("1 of 1 games diverge", "0 games verified")


def test_what_was_expected_and_what_is_there_is_said_of_games_that_are_over(verify, tamper):
    over = tamper("over", game(""""left" = '{0,1}'"""))
    assert verify(ruleset="sicksack") == (
        "1 of 1 games diverge",
        [f"{over} diverges at left: expected [1,0], got [0,1]", "0 games verified"],
    )


@pytest.mark.parametrize(
    "statement",
    [move("""body = '{"type": "chance"}'"""), event("seen = NULL"), move("""body = '{"type": "play"}'""")],
)
def test_no_card_of_a_game_that_goes_on_is_shown(verify, tamper, statement):
    running = tamper("running", statement)
    _, (said, _) = verify()
    where, _, why = said.partition(": ")
    assert where.startswith(f"{running} diverges at ")
    assert why == "expected what follows from its log, got something else, of a game that hides cards"


def test_the_other_games_are_verified_whatever_is_tampered_with(verify, tamper):
    for name in ("running", "over", "patience"):
        tamper(name)
    assert verify() == (None, ["3 games verified"])
    running, over = tamper("running", game("to_act = '{1}'")), tamper("over", result("score = score + 1"))
    assert verify(ruleset="freecell") == (None, ["1 games verified"])
    status, (*diverging, whole) = verify()
    assert (status, whole) == ("2 of 3 games diverge", "1 games verified")
    assert [line.partition(": ")[0] for line in diverging] == [
        f"{running} diverges at to_act",
        f"{over} diverges at outcome",
    ]
