"""Moves, resignations, moves taken back and sweeps at the same time, around a deadline: one of them is first, and
all others are answered by what it did."""

from datetime import UTC, datetime, timedelta

import pytest

from games.clock import TurnClock
from games.models import Event, Game, Result
from games.services.settling import game_settle, games_settle
from tests.api.checks import CHANCE, TAKE, play
from tests.api.consistency import assert_holds_together
from tests.api.threads import post, together, verdicts

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TURN = TurnClock(600)
BEFORE, AFTER = NOON + timedelta(seconds=599), NOON + timedelta(seconds=601)
FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D QC 8D TC"
THREE_HANDS = "5H 9C KD 6S 7D 8C JD QS KH 2C 3D 4D"
READY = {"type": "ready"}
REPEATED = (200, None)
PLAYED = (201, None)


@pytest.fixture(autouse=True)
def noon(time_stands):
    """It is noon, to the millisecond, until a test says otherwise."""
    time_stands(NOON)


@pytest.fixture
def two(anna, bo, make_sicksack):
    return make_sicksack([anna, bo], FIRST_CARDS, clock=TURN)


@pytest.fixture
def three(anna, bo, cilla, make_sicksack):
    return make_sicksack([anna, bo, cilla], THREE_HANDS, clock=TURN)


@pytest.fixture
def patience(anna, make_game):
    """One move has been made."""
    game = make_game("freecell", [anna], options={"deal": 1}, clock=TURN)
    assert anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": "5a"}).status_code == 201
    return game


def move(player, game, ply, what):
    return post(player, f"games/{game}/moves", {"ply": ply, **what})


def resign(player, game):
    return post(player, f"games/{game}/resign", None)


def undo(player, game, ply):
    return post(player, f"games/{game}/undo", {"ply": ply})


# A second before.


def test_before_the_deadline_no_sweep_takes_a_move_away(two, anna, bo, time_stands):
    time_stands(BEFORE)
    *answers, first, second, third = together(
        *[move(anna, two, 0, {"move": play("5H")})] * 4, *[games_settle] * 2, lambda: game_settle(game_id=two)
    )
    assert verdicts(answers) == {PLAYED: 1, REPEATED: 3}
    assert (first, second, third) == (0, 0, False)
    assert assert_holds_together(two, *answers) == [("play", 0)]


def test_of_a_move_and_resignations_at_once_each_is_in_the_log_or_refused(
    anna, bo, make_sicksack, time_stands
):
    games = [make_sicksack([anna, bo], FIRST_CARDS, clock=TURN) for _ in range(6)]
    time_stands(BEFORE)
    answers = together(
        *(
            call
            for game in games
            for call in (
                move(anna, game, 0, {"move": play("5H")}),
                resign(anna, game),
                resign(bo, game),
            )
        )
    )
    for number, game in enumerate(games):
        played, annas, bos = answers[3 * number : 3 * number + 3]
        log = assert_holds_together(game, played)
        resigned = [seat for kind, seat in log if kind == "resign"]
        assert [answer.status_code for answer in (annas, bos)] == (
            [200, 409] if resigned == [0] else [409, 200]
        )
        assert len(resigned) == 1
        assert (("play", 0) in log) == (played.status_code == 201)
        assert log[-1][0] == "resign"
        assert len(log) == 1 + (played.status_code == 201)
        for refused in (answer for answer in (played, annas, bos) if answer.status_code == 409):
            assert refused.json()["code"] == "over"


def test_of_three_who_all_resign_at_once_one_wins(three, anna, bo, cilla, time_stands):
    time_stands(BEFORE)
    players = [anna, bo, cilla]
    answers = together(*(resign(player, three) for player in players * 2), games_settle)[:-1]
    log = assert_holds_together(three)
    left = [seat for kind, seat in log if kind == "resign"]
    assert len(left) == len(set(left)) == 2
    (winner,) = set(range(3)) - set(left)
    for number, answer in enumerate(answers):
        assert answer.status_code == (409 if number % 3 == winner else 200)
    assert Result.objects.get(game=three, seat=winner).place == 1
    assert Result.objects.get(game=three, seat=left[0]).place == 3


def test_of_moves_and_moves_taken_back_at_once_one_is_first(patience, anna, time_stands):
    time_stands(BEFORE)
    answers = together(
        *[undo(anna, patience, 1)] * 4, *[move(anna, patience, 1, {"notation": "5b"})] * 4, games_settle
    )[:-1]
    log = assert_holds_together(patience, *answers)
    undone = log == [("play", 0), ("undo", 0)]
    assert undone or log == [("play", 0), ("play", 0)]
    first, others = (answers[:4], answers[4:]) if undone else (answers[4:], answers[:4])
    assert verdicts(first) == {PLAYED: 1, REPEATED: 3}
    assert verdicts(others) == {(409, "stale"): 4}
    assert Game.objects.get(id=patience).undos == undone


def test_a_move_that_is_taken_back_often_at_once_is_taken_back_once(patience, anna):
    anna.client.post(f"games/{patience}/moves", {"ply": 1, "notation": "5b"})
    answers = together(*[undo(anna, patience, 2)] * 12)
    assert verdicts(answers) == {PLAYED: 1, REPEATED: 11}
    assert assert_holds_together(patience, *answers) == [("play", 0), ("play", 0), ("undo", 0)]
    contents = {answer.content.replace(b'"repeated":true', b'"repeated":false') for answer in answers}
    assert len(contents) == 1


def test_who_takes_back_and_gives_up_at_once_has_lost(anna, make_game, time_stands):
    games = [make_game("freecell", [anna], options={"deal": 1}, clock=TURN) for _ in range(6)]
    for game in games:
        anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": "5a"})
    time_stands(BEFORE)
    answers = together(*(call for game in games for call in (undo(anna, game, 1), resign(anna, game))))
    for number, game in enumerate(games):
        undone, resigned = answers[2 * number : 2 * number + 2]
        log = assert_holds_together(game, undone)
        assert resigned.status_code == 200
        if undone.status_code == 201:
            assert log == [("play", 0), ("undo", 0), ("resign", 0)]
        else:
            assert undone.json()["code"] == "over"
            assert log == [("play", 0), ("resign", 0)]
        assert Result.objects.get(game=game).undos == (undone.status_code == 201)


def test_a_patience_that_is_begun_and_given_up_at_once_is_lost_or_closed(anna, make_game, time_stands):
    games = [make_game("freecell", [anna], options={"deal": 1}) for _ in range(6)]
    answers = together(
        *(
            call
            for game in games
            for call in (move(anna, game, 0, {"notation": "5a"}), resign(anna, game), resign(anna, game))
        )
    )
    for number, game in enumerate(games):
        played, *resigned = answers[3 * number : 3 * number + 3]
        assert [answer.status_code for answer in resigned] == [200, 200]
        log = assert_holds_together(game, played)
        begun = played.status_code == 201
        assert log == ([("play", 0), ("resign", 0)] if begun else [("void", None)])
        assert Game.objects.get(id=game).status == ("finished" if begun else "abandoned")


def test_in_an_open_phase_all_who_are_ready_at_once_are_ready(anna, bo, cilla, make_game, time_stands):
    players = [anna, bo, cilla]
    game = make_game("vandtia-pyramid", players, clock=TURN)
    time_stands(BEFORE)
    answers = together(*(move(player, game, 0, {"move": READY}) for player in players * 2), games_settle)[:-1]
    assert verdicts(answers) == {PLAYED: 3, REPEATED: 3}
    log = assert_holds_together(game, *answers)
    assert sorted(log) == [("play", 0), ("play", 1), ("play", 2)]
    assert Game.objects.get(id=game).to_act == [0, 1, 2]


# A second after.


def test_after_the_deadline_one_settles_it_and_no_move_is_made(two, anna, bo, time_stands):
    time_stands(AFTER)
    *answers, one, other, third = together(
        *[move(anna, two, 0, {"move": play("5H")})] * 4,
        *[games_settle] * 2,
        lambda: game_settle(game_id=two),
    )
    assert sum((one, other, third)) <= 1
    assert verdicts(answers) == {(409, "overdue"): 4}
    assert assert_holds_together(two, *answers) == [("timeout", 0)]
    assert anna.client.get_json(f"games/{two}/")["ending"] == "timed_out"


def test_after_the_deadline_a_resignation_is_a_time_out(anna, bo, make_sicksack, time_stands):
    games = [make_sicksack([anna, bo], FIRST_CARDS, clock=TURN) for _ in range(5)]
    time_stands(AFTER)
    answers = together(
        *(
            call
            for game in games
            for call in (
                resign(anna, game),
                resign(bo, game),
                move(anna, game, 0, {"move": CHANCE}),
                lambda game=game: game_settle(game_id=game),
            )
        )
    )
    for number, game in enumerate(games):
        annas, bos, late, _ = answers[4 * number : 4 * number + 4]
        assert assert_holds_together(game, late) == [("timeout", 0)]
        assert (annas.status_code, bos.status_code) == (200, 409)
        assert bos.json()["code"] == "over"
        assert late.json()["code"] == "overdue"
        assert Result.objects.get(game=game, seat=1).result == "win"


def test_of_three_the_next_one_plays_on_while_the_time_out_is_settled(three, anna, bo, cilla, time_stands):
    time_stands(AFTER)
    answers = together(
        *[move(anna, three, 0, {"move": play("5H")})] * 2,
        *[move(bo, three, 2, {"move": play("6S")})] * 4,
        *[move(cilla, three, 0, {"move": CHANCE})] * 2,
        games_settle,
        games_settle,
    )
    late, plays, others, sweeps = answers[:2], answers[2:6], answers[6:8], answers[8:]
    log = assert_holds_together(three, *late, *plays, *others)
    assert sum(sweeps) <= 1
    assert verdicts(late) == {(409, "overdue"): 2}
    assert set(verdicts(plays)) <= {PLAYED, REPEATED, (409, "ahead")}
    assert set(verdicts(others)) <= {(409, "stale")}
    played = verdicts(plays)[PLAYED]
    assert played <= 1
    assert log == [("timeout", 0), ("auto", 0), *[("play", 1)] * played]
    again = bo.client.post(f"games/{three}/moves", {"ply": 2, "move": play("6S")})
    assert again.status_code == (200 if played else 201)


def test_after_the_deadline_no_move_is_taken_back(patience, anna, time_stands):
    time_stands(AFTER)
    *answers, sweep = together(
        *[undo(anna, patience, 1)] * 3, *[move(anna, patience, 1, {"notation": "5b"})] * 3, games_settle
    )
    assert sweep <= 1
    assert verdicts(answers) == {(409, "overdue"): 6}
    assert assert_holds_together(patience, *answers) == [("play", 0), ("timeout", 0)]


def test_in_an_open_phase_nobody_is_both_made_ready_and_ready(anna, bo, cilla, make_game, time_stands):
    players = [anna, bo, cilla]
    game = make_game("vandtia-pyramid", players, clock=TURN)
    assert anna.client.post(f"games/{game}/moves", {"ply": 0, "move": READY}).status_code == 201
    time_stands(AFTER)
    *answers, one, other = together(
        *(move(player, game, 0, {"move": READY}) for player in (bo, cilla) * 2), games_settle, games_settle
    )
    assert assert_holds_together(game, *answers) == [("play", 0), ("auto", 1), ("auto", 2)]
    assert one + other <= 1
    assert verdicts(answers) == {(409, "overdue"): 4}


def test_games_that_are_swept_by_many_are_settled_once(anna, bo, make_game, time_stands):
    games = [make_game("sicksack", [anna, bo], clock=TURN) for _ in range(8)]
    waiting = make_game("sicksack", [anna, bo], start=False, abandon_after=timedelta(hours=1))
    time_stands(NOON + timedelta(hours=2))
    assert sum(together(*[games_settle] * 6)) == len(games) + 1
    for game in games:
        assert assert_holds_together(game) == [("timeout", 0)]
    assert Game.objects.get(id=waiting).status == "cancelled"
    assert Event.objects.filter(game=waiting, kind="cancelled").count() == 1


def test_a_game_that_was_not_started_in_its_time_is_cancelled_and_not_started(
    anna, bo, make_game, time_stands
):
    games = [
        make_game("sicksack", [anna, bo], start=False, abandon_after=timedelta(hours=1)) for _ in range(6)
    ]
    time_stands(NOON + timedelta(hours=2))
    answers = together(
        *(
            call
            for game in games
            for call in (
                post(anna, f"games/{game}/start", {}),
                lambda game=game: game_settle(game_id=game),
            )
        )
    )
    for number, game in enumerate(games):
        started, settled = answers[2 * number : 2 * number + 2]
        status = Game.objects.get(id=game).status
        assert (started.status_code, started.json()["code"]) == (409, "not_open")
        assert (settled, status) == (True, "cancelled")


# While it passes.


def test_while_the_deadline_passes_every_game_is_played_on_or_timed_out(anna, bo, make_sicksack, time_passes):
    time_passes(0)
    for attempt in range(8):
        games = [make_sicksack([anna, bo], FIRST_CARDS, clock=TURN) for _ in range(3)]
        deadline = min(Game.objects.filter(id__in=games).values_list("due_at", flat=True))
        time_passes((deadline - now()).total_seconds() - 0.005 * attempt)
        answers = together(
            *(
                call
                for game in games
                for call in (
                    move(anna, game, 0, {"move": play("5H")}),
                    move(anna, game, 0, {"move": play("5H")}),
                    move(bo, game, 1, {"move": TAKE}),
                    lambda game=game: game_settle(game_id=game),
                )
            )
        )
        for number, game in enumerate(games):
            *moves, settled = answers[4 * number : 4 * number + 4]
            log = assert_holds_together(game, *moves)
            mine, his = verdicts(moves[:2]), moves[2]
            if log[0] == ("timeout", 0):
                assert log == [("timeout", 0)]
                assert mine == {(409, "overdue"): 2}
                assert his.json()["code"] in ("ahead", "over")
            else:
                assert mine == {PLAYED: 1, REPEATED: 1}
                assert not settled
                assert "overdue" not in [answer.json().get("code") for answer in moves]
                assert log == [("play", 0), *[("play", 1)] * (his.status_code == 201)]


def now():
    """What time the database tells games."""
    return Game.objects.raw("SELECT id, games_now() AS told FROM games_game LIMIT 1")[0].told
