"""Clocks by the database's time: deadlines, moves that come too late, and what a sweep settles."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError

from cardsite.jsonbody import timestamp
from games.clock import DAY, BankClock, TurnClock
from games.models import Game, Move, Result
from games.selectors.newest import newest_positions
from games.services import leaving, playing, settling
from games.services.settling import games_settle
from tests.api.checks import CHANCE, TAKE, freecell, play, problem_of, refused
from tests.expect import faults, nothing_changes, problem

pytestmark = pytest.mark.usefixtures("games_hold_together")

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TURN, BANK = TurnClock(600), BankClock(600, 10)
HOUR = timedelta(hours=1)
MONTH = 30 * DAY
FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D QC 8D TC"
"""For two seats: two hands, of which seat 1's cannot follow 5H, and the top of the stock."""
THREE_HANDS = "5H 9C KD 6S 7D 8C JD QS KH 2C 3D"
"""For three seats: three hands, each of which can follow the one before it, and the top of the stock."""
READY = {"type": "ready"}


def at(seconds):
    """So many seconds after noon, when the games begin."""
    return NOON + timedelta(seconds=seconds)


def told_at(seconds):
    return timestamp(at(seconds))


@pytest.fixture(autouse=True)
def noon(time_stands):
    """It is noon, to the millisecond, until a test says otherwise."""
    time_stands(NOON)


@pytest.fixture
def two(anna, bo, make_sicksack):
    """The path of a game of two with a time for each turn."""
    return f"games/{make_sicksack([anna, bo], FIRST_CARDS, clock=TURN)}/"


@pytest.fixture
def three(anna, bo, cilla, make_sicksack):
    return f"games/{make_sicksack([anna, bo, cilla], THREE_HANDS, clock=TURN)}/"


def id_of(path):
    return path.split("/")[1]


def times(game):
    """By seat: the deadline and the time that is left."""
    return [(seat["deadline_at"], seat["time_left"]) for seat in game["seats"]]


def log_of(client, path):
    return client.get_json(f"{path}moves")["items"]


def kinds(client, path):
    return [(entry["kind"], entry["seat"]) for entry in log_of(client, path)]


# Making.


@pytest.mark.parametrize(
    ("clock", "kept"),
    [
        ({"type": "turn", "seconds": 60}, {"type": "turn", "seconds": 60}),
        ({"type": "turn", "seconds": 14 * DAY}, {"type": "turn", "seconds": 14 * DAY}),
        ({"type": "turn", "seconds": 90.0}, {"type": "turn", "seconds": 90}),
        ({"type": "bank", "seconds": 60}, {"type": "bank", "seconds": 60, "increment": 0}),
        (
            {"type": "bank", "seconds": 14 * DAY, "increment": DAY},
            {"type": "bank", "seconds": 14 * DAY, "increment": DAY},
        ),
        (None, None),
    ],
)
@pytest.mark.parametrize("slug", ["sicksack", "freecell"])
def test_a_game_is_made_with_a_clock_or_without(anna, slug, clock, kept):
    body = {"ruleset": slug, "seats": 2 if slug == "sicksack" else 1, "clock": clock}
    made = anna.client.post("games/", body)
    assert made.status_code == 201
    assert (made.json()["clock"], made.json()["abandon_after"]) == (kept, MONTH)
    assert set(times(made.json())) == {(None, None)}
    assert anna.client.get_json(f"games/{made.json()['id']}/")["clock"] == kept
    assert anna.client.get_json("games/")["items"][0]["clock"] == kept


@pytest.mark.parametrize(
    ("clock", "path"),
    [
        ({}, "$.clock"),
        ([], "$.clock"),
        (600, "$.clock"),
        ({"seconds": 60}, "$.clock"),
        ({"type": "sand", "seconds": 60}, "$.clock.type"),
        ({"type": "turn"}, "$.clock"),
        ({"type": "turn", "seconds": 59}, "$.clock.seconds"),
        ({"type": "turn", "seconds": 14 * DAY + 1}, "$.clock.seconds"),
        ({"type": "turn", "seconds": 60.5}, "$.clock.seconds"),
        ({"type": "turn", "seconds": "60"}, "$.clock.seconds"),
        ({"type": "turn", "seconds": 60, "increment": 1}, "$.clock"),
        ({"type": "bank", "seconds": 59}, "$.clock.seconds"),
        ({"type": "bank", "seconds": 60, "increment": -1}, "$.clock.increment"),
        ({"type": "bank", "seconds": 60, "increment": DAY + 1}, "$.clock.increment"),
    ],
)
def test_no_other_clock_can_be_had(anna, clock, path):
    with nothing_changes():
        answer = anna.client.post("games/", {"ruleset": "freecell", "clock": clock})
    assert faults(answer) == [path]


@pytest.mark.parametrize("seconds", [3600, 90 * DAY])
def test_the_abandonment_is_an_hour_to_ninety_days(anna, seconds):
    made = anna.client.post("games/", {"ruleset": "freecell", "abandon_after": seconds}).json()
    assert (made["abandon_after"], made["abandoned_at"]) == (seconds, told_at(seconds))
    started = anna.client.post(f"games/{made['id']}/start").json()
    assert started["abandoned_at"] == told_at(seconds)
    with nothing_changes():
        for other in (3599, 90 * DAY + 1, 3600.5, "3600", None, -3600):
            answer = anna.client.post("games/", {"ruleset": "freecell", "abandon_after": other})
            assert faults(answer) == ["$.abandon_after"]


# Deadlines.


def test_a_deadline_is_shown_to_all_to_the_second(two, anna, bo, stranger, anonymous, time_stands):
    viewers = [anna.client, bo.client, stranger.client, anonymous]

    def shown():
        games = [client.get_json(two) for client in viewers]
        games += [client.get_json("games/")["items"][0] for client in viewers]
        return {(game["abandoned_at"], *times(game)) for game in games}

    assert shown() == {(told_at(MONTH), ("2026-01-01T12:10:00.000Z", None), (None, 600))}
    time_stands(at(100))
    assert anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")}).status_code == 201
    assert shown() == {(None, (None, 600), ("2026-01-01T12:11:40.000Z", None))}
    time_stands(at(130.5))
    assert bo.client.post(f"{two}moves", {"ply": 1, "move": TAKE}).status_code == 201
    assert shown() == {(None, (None, 600), ("2026-01-01T12:12:10.500Z", None))}


def test_a_bank_is_shown_as_the_whole_seconds_that_are_left(anna, bo, make_sicksack, time_stands):
    game = f"games/{make_sicksack([anna, bo], FIRST_CARDS, clock=BANK)}/"
    time_stands(at(100.75))
    anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")})
    assert times(bo.client.get_json(game)) == [(None, 509), (told_at(700.75), None)]
    time_stands(at(150.75))
    bo.client.post(f"{game}moves", {"ply": 1, "move": TAKE})
    assert times(bo.client.get_json(game)) == [(None, 509), (told_at(710.75), None)]
    time_stands(at(160.75))
    bo.client.post(f"{game}moves", {"ply": 2, "move": play("4S")})
    assert times(bo.client.get_json(game)) == [(told_at(160.75 + 509.25), None), (None, 560)]


def test_in_an_open_phase_every_seat_that_may_act_has_a_deadline(anna, bo, make_game, time_stands):
    game = f"games/{make_game('vandtia-pyramid', [anna, bo], clock=TURN)}/"
    assert times(bo.client.get_json(game)) == [(told_at(600), None)] * 2
    time_stands(at(100))
    exchange = anna.client.get_json(f"{game}legal-moves")["items"][0]
    assert exchange["type"] == "exchange"
    anna.client.post(f"{game}moves", {"ply": 0, "move": exchange})
    assert times(bo.client.get_json(game)) == [(told_at(600), None)] * 2
    time_stands(at(200))
    anna.client.post(f"{game}moves", {"ply": 1, "move": READY})
    assert times(bo.client.get_json(game)) == [(None, 600), (told_at(600), None)]
    time_stands(at(300))
    bo.client.post(f"{game}moves", {"ply": 2, "move": READY})
    assert times(bo.client.get_json(game)) == [(told_at(900), None)] * 2


def test_without_a_clock_there_are_no_deadlines(anna, bo, make_sicksack):
    game = f"games/{make_sicksack([anna, bo], FIRST_CARDS)}/"
    assert times(anna.client.get_json(game)) == [(None, None)] * 2
    assert Game.objects.get().deadlines == []


def test_looking_on_settles_nothing(two, anna, bo, anonymous, time_stands):
    time_stands(at(10_000))
    with nothing_changes():
        for client in (anna.client, bo.client, anonymous):
            game = client.get_json(two)
            assert (game["status"], game["ply"], times(game)[0]) == ("running", 0, (told_at(600), None))
            assert log_of(client, two) == []
        assert anna.client.get_json(f"{two}legal-moves")["total"] > 0


# Moves that come too late.


@pytest.mark.parametrize("seconds", [599, 599.999, 600])
def test_a_move_until_the_deadline_is_in_time(two, anna, time_stands, seconds):
    time_stands(at(seconds))
    assert anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")}).status_code == 201
    assert Game.objects.get().status == "running"


@pytest.mark.parametrize("seconds", [600.000001, 600.001, 601, 10**7])
def test_a_move_after_the_deadline_is_overdue_and_settles_it_without_a_sweep(
    two, anna, bo, anonymous, time_stands, seconds
):
    time_stands(at(seconds))
    answer = anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")})
    assert problem_of(answer, "overdue") == {
        "detail": "Your time was out.",
        "ply": 1,
        "deadline_at": "2026-01-01T12:10:00.000Z",
    }
    game = anonymous.get_json(two)
    assert (game["status"], game["ending"], game["ply"], game["to_act"]) == ("finished", "timed_out", 1, [])
    assert game["outcome"] == {"place": [2, 1], "result": ["loss", "win"], "score": [0, 0]}
    assert [seat["left"] for seat in game["seats"]] == [True, False]
    assert times(game) == [(None, 600), (None, 600)]
    assert game["ended_at"] == log_of(anonymous, two)[0]["at"]
    assert game["position"]["view"]["hands"][1]["cards"] == ["2D", "3C", "4S"]
    with nothing_changes():
        problem(anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")}), "overdue", ply=1)
        problem(anna.client.post(f"{two}moves", {"ply": 1, "move": play("5H")}), "over", ply=1)
        problem(bo.client.post(f"{two}moves", {"ply": 0, "move": play("5H")}), "over", ply=1)


def test_while_time_goes_on_a_second_makes_the_difference(anna, bo, make_sicksack, time_passes):
    time_passes(0)
    for seconds, status in ((599, 201), (601, 409), (599, 201)):
        game = f"games/{make_sicksack([anna, bo], FIRST_CARDS, clock=TURN)}/"
        time_passes(seconds)
        assert anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")}).status_code == status


def passes_before_writing(monkeypatch, service, time_stands, moment):
    """The time passes once, after a request was looked at and before it is written."""
    append, moments = service.append, [moment]

    def late(*given):
        if moments:
            time_stands(moments.pop())
        return append(*given)

    monkeypatch.setattr(service, "append", late)


def test_a_move_that_is_looked_at_in_time_and_written_too_late_is_overdue(
    two, anna, time_stands, monkeypatch
):
    time_stands(at(600))
    passes_before_writing(monkeypatch, playing, time_stands, at(600.001))
    problem(anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")}), "overdue", ply=1)
    assert kinds(anna.client, two) == [("timeout", 0)]


def test_a_move_that_is_looked_at_in_time_and_written_in_time_is_made_when_it_was_looked_at(
    two, anna, time_stands, monkeypatch
):
    time_stands(at(500))
    passes_before_writing(monkeypatch, playing, time_stands, at(600))
    assert anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")}).status_code == 201
    assert Move.objects.get().at == at(500)
    assert times(anna.client.get_json(two))[1] == (told_at(1100), None)


def test_a_resignation_that_is_looked_at_in_time_and_written_too_late_is_a_time_out(
    two, anna, time_stands, monkeypatch
):
    time_stands(at(600))
    passes_before_writing(monkeypatch, leaving, time_stands, at(600.001))
    answer = anna.client.post(f"{two}resign")
    assert (answer.status_code, answer.json()["ending"]) == (200, "timed_out")
    assert kinds(anna.client, two) == [("timeout", 0)]


def test_who_was_out_of_time_is_told_in_the_log(two, anna, bo, anonymous, time_stands):
    time_stands(at(601.25))
    anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")})
    (entry,) = Move.objects.values()
    assert entry == {
        "game_id": entry["game_id"],
        "ply": 0,
        "kind": "timeout",
        "seat": 0,
        "by_id": None,
        "base": None,
        "request_n": None,
        "body": None,
        "at": at(601.25),
    }
    for client in (anna.client, bo.client, anonymous):
        assert log_of(client, two) == [
            {
                "ruleset": "sicksack",
                "ply": 0,
                "kind": "timeout",
                "seat": 0,
                "player": None,
                "at": told_at(601.25),
                "move": None,
                "notation": None,
                "events": [],
                "text": "seat 0 is out of time",
            }
        ]
    assert list(Result.objects.order_by("seat").values_list("seat", "place", "result", "score", "undos")) == [
        (0, 2, "loss", 0, 0),
        (1, 1, "win", 0, 0),
    ]


def test_of_three_the_game_goes_on_and_the_automatic_player_with_it(three, anna, bo, cilla, time_stands):
    time_stands(at(601))
    facts = problem_of(anna.client.post(f"{three}moves", {"ply": 0, "move": play("9C")}), "overdue")
    assert (facts["ply"], facts["deadline_at"]) == (2, told_at(600))
    game = bo.client.get_json(three)
    assert (game["status"], game["ending"], game["ply"], game["to_act"]) == ("running", None, 2, [1])
    assert [seat["left"] for seat in game["seats"]] == [True, False, False]
    assert times(game) == [(None, 600), (told_at(1201), None), (None, 600)]
    timeout, automatic = log_of(bo.client, three)
    assert (timeout["kind"], timeout["seat"]) == ("timeout", 0)
    assert (automatic["kind"], automatic["seat"], automatic["player"]) == ("auto", 0, None)
    assert (automatic["move"], automatic["events"]) == (play("5H"), [{"type": "drew", "card": None}])
    left = {"detail": "You have left this game.", "ply": 2}
    assert refused(anna.client, f"{three}moves", {"ply": 2, "move": CHANCE}, "left") == left
    assert bo.client.post(f"{three}moves", {"ply": 2, "move": play("6S")}).status_code == 201


def test_a_move_of_another_settles_what_is_due_and_is_then_looked_at(three, anna, bo, time_stands):
    time_stands(at(601))
    problem(bo.client.post(f"{three}moves", {"ply": 3, "move": play("6S")}), "ahead", ply=0)
    facts = problem_of(bo.client.post(f"{three}moves", {"ply": 0, "move": play("6S")}), "stale")
    assert [entry["kind"] for entry in facts["missed"]] == ["timeout", "auto"]
    assert bo.client.post(f"{three}moves", {"ply": 2, "move": play("6S")}).status_code == 201
    assert kinds(anna.client, three) == [("timeout", 0), ("auto", 0), ("play", 1)]


def test_of_two_a_move_of_the_other_ends_the_game(two, bo, time_stands):
    time_stands(at(601))
    problem(bo.client.post(f"{two}moves", {"ply": 0, "move": play("4S")}), "over", ply=1)
    assert kinds(bo.client, two) == [("timeout", 0)]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"ply": 0}, "malformed"),
        ({"ply": 2, "move": CHANCE}, "ahead"),
        ({"ply": 1, "move": play("QH")}, "overdue"),
        ({"ply": 1, "move": freecell("1", "a")}, "overdue"),
        ({"ply": 1, "moves": [CHANCE, CHANCE]}, "overdue"),
        ({"ply": 0, "move": play("4S")}, "overdue"),
    ],
)
def test_overdue_comes_after_ahead_and_before_everything_that_is_looked_at_in_time(
    two, anna, bo, time_stands, body, code
):
    anna.client.post(f"{two}moves", {"ply": 0, "move": play("5H")})
    time_stands(at(601))
    problem(bo.client.post(f"{two}moves", body), code)
    assert kinds(bo.client, two) == [("play", 0), *([("timeout", 1)] if code == "overdue" else [])]


def test_who_knew_not_of_the_time_out_is_overdue_and_who_did_has_left_until_the_game_is_over(
    three, anna, bo, cilla, time_stands
):
    time_stands(at(601))
    for _ in range(2):
        problem(anna.client.post(f"{three}moves", {"ply": 0, "move": CHANCE}), "overdue", ply=2)
    problem(anna.client.post(f"{three}moves", {"ply": 2, "move": freecell("1", "a")}), "left")
    time_stands(at(1202))
    for _ in range(2):
        problem(bo.client.post(f"{three}moves", {"ply": 2, "move": CHANCE}), "overdue", ply=3)
    for player in (anna, cilla):
        problem(player.client.post(f"{three}moves", {"ply": 2, "move": CHANCE}), "over")
    problem(bo.client.post(f"{three}moves", {"ply": 3, "move": CHANCE}), "over")


def test_a_request_that_was_accepted_in_time_gets_its_answer_again_at_any_time(two, anna, time_stands):
    body = {"ply": 0, "move": play("5H")}
    first = anna.client.post(f"{two}moves", body)
    time_stands(at(10_000))
    repeated = first.content.replace(b'"repeated":false', b'"repeated":true')
    with nothing_changes():
        assert anna.client.post(f"{two}moves", body).content == repeated
    games_settle()
    with nothing_changes():
        assert anna.client.post(f"{two}moves", body).content == repeated


def test_a_process_that_does_not_know_the_game_settles_it_the_same(three, anna, time_stands):
    time_stands(at(601))
    newest_positions.clear()
    problem(anna.client.post(f"{three}moves", {"ply": 0, "move": CHANCE}), "overdue", ply=2)
    newest_positions.clear()
    assert kinds(anna.client, three) == [("timeout", 0), ("auto", 0)]


def test_the_tag_is_another_once_somebody_was_out_of_time_and_not_before(two, anna, bo, time_stands):
    tag = anna.client.ask("GET", two)["ETag"]
    time_stands(at(601))
    assert anna.client.ask("GET", two, if_none_match=tag).status_code == 304
    games_settle()
    answer = anna.client.ask("GET", two, if_none_match=tag)
    assert (answer.status_code, answer.json()["status"]) == (200, "finished")
    assert answer["ETag"] != tag


def test_a_game_that_waits_for_one_waits_no_more_once_that_seat_was_out_of_time(three, anna, bo, time_stands):
    def waiting(player):
        return [game["id"] for game in player.client.get_json("games/?my_turn=true")["items"]]

    assert (waiting(anna), waiting(bo)) == ([id_of(three)], [])
    time_stands(at(601))
    games_settle()
    assert (waiting(anna), waiting(bo)) == ([], [id_of(three)])


# Open phases.


@pytest.fixture
def exchanging(anna, bo, make_game):
    return f"games/{make_game('vandtia-pyramid', [anna, bo], clock=TURN)}/"


def test_a_waiting_seat_in_an_open_phase_is_made_ready_and_stays(exchanging, anna, bo, time_stands):
    time_stands(at(100))
    bo.client.post(f"{exchanging}moves", {"ply": 0, "move": READY})
    time_stands(at(601))
    exchange = anna.client.get_json(f"{exchanging}legal-moves")["items"][0]
    facts = problem_of(anna.client.post(f"{exchanging}moves", {"ply": 0, "move": exchange}), "overdue")
    assert (facts["ply"], facts["deadline_at"]) == (2, told_at(600))
    game = anna.client.get_json(exchanging)
    assert (game["status"], game["position"]["view"]["phase"]) == ("running", "second_exchange")
    assert [seat["left"] for seat in game["seats"]] == [False, False]
    assert times(game) == [(told_at(1201), None)] * 2
    ready = log_of(anna.client, exchanging)[1]
    assert (ready["kind"], ready["seat"], ready["player"], ready["move"]) == ("auto", 0, None, READY)
    assert anna.client.post(f"{exchanging}moves", {"ply": 2, "move": READY}).status_code == 201


def test_a_seat_that_is_made_ready_later_is_no_part_of_the_answer_before(exchanging, anna, bo, time_stands):
    path, body = f"{exchanging}moves", {"ply": 0, "move": READY}
    first = bo.client.post(path, body)
    time_stands(at(601))
    assert games_settle() == 1
    assert kinds(bo.client, exchanging) == [("play", 1), ("auto", 0)]
    with nothing_changes():
        again = bo.client.post(path, body)
    assert again.content == first.content.replace(b'"repeated":false', b'"repeated":true')


def test_a_request_that_was_late_in_an_open_phase_is_overdue_whoever_has_settled_it(
    exchanging, anna, bo, time_stands
):
    time_stands(at(601))
    problem(anna.client.post(f"{exchanging}moves", {"ply": 0, "move": READY}), "overdue", ply=2)
    assert kinds(bo.client, exchanging) == [("auto", 0), ("auto", 1)]
    for player in (anna, bo):
        facts = refused(player.client, f"{exchanging}moves", {"ply": 0, "move": READY}, "overdue")
        assert facts["deadline_at"] == told_at(600)


def test_in_the_play_a_seat_that_was_made_ready_is_out_of_time_like_any_other(
    exchanging, anna, bo, time_stands
):
    for moment in (601, 1202, 1803):
        time_stands(at(moment))
        assert games_settle() == 1
    *ready, last = kinds(anna.client, exchanging)
    assert ready == [("auto", 0), ("auto", 1)] * 2
    game = anna.client.get_json(exchanging)
    assert last == ("timeout", game["outcome"]["place"].index(2))
    assert (game["status"], game["ending"]) == ("finished", "timed_out")


# The sweep.


def test_a_sweep_settles_what_is_due_and_nothing_else(two, anna, bo, make_sicksack, time_stands):
    later = make_sicksack([anna, bo], FIRST_CARDS, clock=TurnClock(700))
    without = make_sicksack([anna, bo], FIRST_CARDS)
    time_stands(at(600))
    with nothing_changes():
        assert games_settle() == 0
    time_stands(at(601))
    assert games_settle() == 1
    assert dict(Game.objects.values_list("id", "status")) == {
        Game.objects.get(status="finished").id: "finished",
        later: "running",
        without: "running",
    }
    assert kinds(anna.client, two) == [("timeout", 0)]
    with nothing_changes():
        assert games_settle() == 0


def test_after_a_sweep_a_late_move_is_overdue_as_without_one(two, three, anna, time_stands):
    time_stands(at(601))
    assert games_settle() == 2
    for game, ply in ((two, 1), (three, 2)):
        facts = refused(anna.client, f"{game}moves", {"ply": 0, "move": play("5H")}, "overdue")
        assert (facts["ply"], facts["deadline_at"]) == (ply, told_at(600))


def test_one_sweep_after_the_other_settles_one_turn_after_the_other(three, anna, time_stands):
    for number, moment in enumerate((601, 1202), start=1):
        time_stands(at(moment))
        assert games_settle() == 1
        assert len(anna.client.get_json(three)["seats"]) == 3
        assert sum(seat["left"] for seat in anna.client.get_json(three)["seats"]) == number
    assert kinds(anna.client, three) == [("timeout", 0), ("auto", 0), ("timeout", 1)]
    assert anna.client.get_json(three)["outcome"]["place"] == [3, 2, 1]


def test_a_sweep_settles_more_games_than_it_reads_at_once(anna, bo, make_game, time_stands, monkeypatch):
    monkeypatch.setattr(settling, "AT_ONCE", 2)
    for number in range(5):
        make_game("sicksack", [anna, bo], clock=TurnClock(60 + number % 2))
    time_stands(at(62))
    assert games_settle() == 5
    assert set(Game.objects.values_list("status", flat=True)) == {"finished"}


@pytest.mark.parametrize("error", [RuntimeError, IntegrityError])
def test_a_game_that_cannot_be_settled_keeps_no_other_waiting(
    anna, bo, make_game, time_stands, monkeypatch, caplog, error
):
    games = [make_game("sicksack", [anna, bo], clock=TurnClock(60 + number)) for number in range(3)]
    settle, broken = settling.game_settle, games[0]

    def fails_once(*, game_id):
        if game_id == broken:
            raise error("on purpose")
        return settle(game_id=game_id)

    monkeypatch.setattr(settling, "game_settle", fails_once)
    time_stands(at(90))
    assert games_settle() == 2
    assert str(broken) in caplog.text
    assert list(Game.objects.filter(status="running").values_list("id", flat=True)) == [broken]


# Games that are left alone.


def test_a_game_that_was_not_started_in_its_time_is_cancelled(anna, bo, make_game, time_stands):
    game = make_game("sicksack", [anna, bo], start=False, abandon_after=HOUR)
    time_stands(at(3600))
    with nothing_changes():
        assert games_settle() == 0
        assert settling.game_settle(game_id=game) is False
    assert anna.client.get_json(f"games/{game}/")["abandoned_at"] == told_at(3600)
    time_stands(at(3601))
    assert games_settle() == 1
    cancelled = anna.client.get_json(f"games/{game}/")
    assert (cancelled["status"], cancelled["ending"]) == ("cancelled", None)
    assert (cancelled["abandoned_at"], cancelled["ended_at"]) == (None, told_at(3601))
    with nothing_changes():
        assert games_settle() == 0


@pytest.mark.parametrize("clock", [None, TurnClock(14 * DAY)])
@pytest.mark.parametrize("late", ["sweep", "move"])
def test_a_game_in_which_nobody_has_moved_is_closed_without_a_result(
    anna, bo, anonymous, make_sicksack, time_stands, clock, late
):
    game = f"games/{make_sicksack([anna, bo], FIRST_CARDS, clock=clock, abandon_after=HOUR)}/"
    assert anna.client.get_json(game)["abandoned_at"] == told_at(3600)
    time_stands(at(3601))
    if late == "sweep":
        assert games_settle() == 1
    else:
        answer = anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")})
        assert problem_of(answer, "overdue") == {
            "detail": "Your time was out.",
            "ply": 1,
            "deadline_at": told_at(3600),
        }
    seen = anonymous.get_json(game)
    assert (seen["status"], seen["ending"], seen["outcome"]) == ("abandoned", "abandoned", None)
    assert (seen["to_act"], seen["abandoned_at"], seen["ended_at"]) == ([], None, told_at(3601))
    assert seen["position"]["outcome"] is None
    assert seen["position"]["view"]["hands"][0]["cards"] == ["5H", "9C", "KD"]
    assert Result.objects.count() == 0
    (entry,) = log_of(anonymous, game)
    assert (entry["kind"], entry["seat"], entry["player"], entry["text"]) == (
        "void",
        None,
        None,
        "the game is closed without a result",
    )
    for player in (anna, bo):
        refused(player.client, f"{game}moves", {"ply": 1, "move": CHANCE}, "over")
        refused(player.client, f"{game}resign", None, "over")
    assert [one["id"] for one in anonymous.get_json("games/?status=abandoned")["items"]] == [seen["id"]]


def test_who_was_not_to_move_in_a_game_that_is_closed_is_told_that_it_is_over(
    anna, bo, make_sicksack, time_stands
):
    game = f"games/{make_sicksack([anna, bo], FIRST_CARDS, abandon_after=HOUR)}/"
    time_stands(at(3601))
    problem(bo.client.post(f"{game}moves", {"ply": 0, "move": play("4S")}), "over", ply=1)
    assert kinds(bo.client, game) == [("void", None)]


def test_of_several_without_a_clock_the_game_is_closed_when_nobody_has_moved_for_so_long(
    anna, bo, make_sicksack, time_stands
):
    game = f"games/{make_sicksack([anna, bo], FIRST_CARDS, abandon_after=HOUR)}/"
    time_stands(at(3600))
    anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")})
    assert anna.client.get_json(game)["abandoned_at"] == told_at(7200)
    time_stands(at(7200))
    assert games_settle() == 0
    time_stands(at(7201))
    problem(bo.client.post(f"{game}moves", {"ply": 1, "move": TAKE}), "overdue", deadline_at=told_at(7200))
    assert kinds(anna.client, game) == [("play", 0), ("void", None)]


def test_of_several_with_a_clock_who_has_begun_is_bound_by_it_alone(anna, bo, make_sicksack, time_stands):
    clock = TurnClock(2 * 3600)
    game = f"games/{make_sicksack([anna, bo], FIRST_CARDS, clock=clock, abandon_after=HOUR)}/"
    anna.client.post(f"{game}moves", {"ply": 0, "move": play("5H")})
    assert anna.client.get_json(game)["abandoned_at"] is None
    time_stands(at(7200))
    assert games_settle() == 0
    time_stands(at(7201))
    assert games_settle() == 1
    assert kinds(anna.client, game) == [("play", 0), ("timeout", 1)]


@pytest.mark.parametrize("clock", [None, TurnClock(14 * DAY)])
@pytest.mark.parametrize("late", ["sweep", "move"])
def test_a_patience_that_is_left_alone_after_its_first_move_is_lost(
    anna, make_game, time_stands, clock, late
):
    game = f"games/{make_game('freecell', [anna], options={'deal': 1}, clock=clock, abandon_after=HOUR)}/"
    anna.client.post(f"{game}moves", {"ply": 0, "notation": "5a"})
    time_stands(at(3601))
    if late == "sweep":
        assert games_settle() == 1
    else:
        answer = anna.client.post(f"{game}moves", {"ply": 1, "notation": "5b"})
        problem(answer, "overdue", ply=2, deadline_at=told_at(3600))
    seen = anna.client.get_json(game)
    assert (seen["status"], seen["ending"]) == ("finished", "timed_out")
    assert seen["outcome"] == {"place": [1], "result": ["loss"], "score": [0]}
    assert kinds(anna.client, game) == [("play", 0), ("timeout", 0)]


@pytest.mark.parametrize("late", ["sweep", "move", "undo"])
def test_a_patience_that_was_not_begun_is_closed_without_a_result(anna, make_game, time_stands, late):
    game = f"games/{make_game('freecell', [anna], options={'deal': 1}, abandon_after=HOUR)}/"
    time_stands(at(3601))
    if late == "sweep":
        assert games_settle() == 1
    else:
        body = {"move": {"ply": 0, "notation": "5a"}, "undo": {"ply": 0}}[late]
        path = {"move": "moves", "undo": "undo"}[late]
        problem(anna.client.post(f"{game}{path}", body), "overdue", ply=1, deadline_at=told_at(3600))
    assert (anna.client.get_json(game)["status"], Result.objects.count()) == ("abandoned", 0)


def test_a_patience_ends_by_its_clock_where_that_comes_first(anna, make_game, time_stands):
    game = f"games/{make_game('freecell', [anna], options={'deal': 1}, clock=TURN)}/"
    time_stands(at(601))
    problem(
        anna.client.post(f"{game}moves", {"ply": 0, "notation": "5a"}), "overdue", deadline_at=told_at(600)
    )
    assert anna.client.get_json(game)["ending"] == "timed_out"


def test_of_a_clock_and_an_abandonment_the_one_that_has_passed_is_told(anna, make_game, time_stands):
    clock = TurnClock(14 * DAY)
    game = make_game("freecell", [anna], options={"deal": 1}, clock=clock, abandon_after=HOUR)
    time_stands(at(3601))
    answer = anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": "5a"})
    problem(answer, "overdue", deadline_at=told_at(3600))
