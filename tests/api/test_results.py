"""What is written of each seat with the move that ends a game, beside the facts by which it is counted."""

from datetime import UTC, datetime, timedelta

import pytest

from games.clock import TurnClock
from games.models import Game, Result, Uncounted
from games.services.daily import daily_deals_make
from games.services.settling import games_settle
from tests.api.checks import records

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SLOW = TurnClock(3600)


def after(seconds):
    return NOON + timedelta(seconds=seconds)


def results(game):
    """What is kept of each seat but its player, by name; the players; and what is to be counted of the game."""
    rows = list(Result.objects.filter(game=game).order_by("seat").values())
    for row in rows:
        assert row.pop("game_id") == game
    assert [row.pop("seat") for row in rows] == list(range(len(rows)))
    uncounted = list(Uncounted.objects.filter(game=game).values_list("change", flat=True))
    return [row.pop("player_id") for row in rows], rows, uncounted


def a_result(place, result, score, **facts):
    of_several = {
        "length": 0,
        "duration": 0,
        "ending": "played_out",
        "undos": 0,
        "ruleset": "freecell",
        "variant": "default",
        "seats": 1,
        "is_public": True,
        "is_shuffled": True,
        "scope": "open",
        "at": NOON,
    }
    return {"place": place, "result": result, "score": score, **of_several, **facts}


def moves(player, game, ply, **what):
    answer = player.client.post(f"games/{game}/moves", {"ply": ply, **what})
    assert answer.status_code == 201, answer.content


def plays_out(players, game, record):
    """Plays a recorded game to its end."""
    for ply, step in enumerate(record["steps"]):
        moves(players[step["seat"]], game, ply, move=step["move"])


def posts(player, path, body=None):
    answer = player.client.post(path, body)
    assert answer.status_code == 200, answer.content


def test_a_deal_of_microsoft_that_is_won_is_not_shuffled_and_on_no_board(anna, make_game, time_stands):
    words = records("freecell")["deal-3"]["notation"]
    time_stands(NOON)
    game = make_game("freecell", [anna], options={"deal": 3})
    moves(anna, game, 0, notation=words[0])
    time_stands(after(90.0625))
    moves(anna, game, 1, notation=" ".join(words[1:]))
    facts = {"variant": "deal=3", "length": 82, "duration": 90_062, "is_shuffled": False, "scope": None}
    at = after(90.062)
    assert results(game) == ([anna.id], [a_result(1, "win", 52, at=at, **facts)], [1])


def test_a_patience_that_is_given_up_is_lost_and_keeps_how_often_a_move_was_taken_back(
    anna, make_game_of, time_stands
):
    time_stands(NOON)
    record = records("freecell")["random"]
    game = make_game_of(record["deck"], "freecell", [anna])
    moves(anna, game, 0, move=record["steps"][0]["move"])
    assert anna.client.post(f"games/{game}/undo", {"ply": 1}).status_code == 201
    moves(anna, game, 2, move=record["steps"][0]["move"])
    assert results(game) == ([], [], [])
    time_stands(after(7))
    posts(anna, f"games/{game}/resign")
    facts = {"length": 4, "duration": 7000, "ending": "resigned", "undos": 1, "at": after(7)}
    assert results(game) == ([anna.id], [a_result(1, "loss", 0, **facts)], [1])


def test_a_patience_in_which_nothing_was_done_comes_to_nothing(anna, make_game):
    game = make_game("freecell", [anna])
    posts(anna, f"games/{game}/resign")
    assert Game.objects.get(id=game).status == "abandoned"
    assert results(game) == ([], [], [])


def test_a_game_that_is_over_as_it_is_dealt_has_its_result_at_once(anna, make_game_of, time_stands):
    record = records("las-pintas")["four-kings-in-hand-at-the-deal-48"]
    time_stands(NOON)
    game = make_game_of(record["deck"], "las-pintas", [anna], options=record["options"])
    facts = {"ruleset": "las-pintas", "variant": "variant=revealed-exchange"}
    assert results(game) == ([anna.id], [a_result(1, "loss", 0, **facts)], [1])


@pytest.mark.parametrize("private", [False, True])
def test_a_game_of_several_that_is_not_rated_is_on_no_board_and_a_private_one_is_not_counted(
    anna, bo, cilla, make_game_of, time_stands, private
):
    record = records("sicksack")["random-3-81"]
    time_stands(NOON)
    players = [anna, bo, cilla]
    game = make_game_of(record["deck"], "sicksack", players, private=private)
    time_stands(after(30))
    plays_out(players, game, record)
    facts = {"ruleset": "sicksack", "seats": 3, "length": 55, "duration": 30_000, "scope": None}
    facts |= {"at": after(30), "is_public": not private}
    of_each = [(1, "draw", 12), (1, "draw", 12), (3, "loss", 26)]
    rows = [a_result(*came_to, **facts) for came_to in of_each]
    assert results(game) == ([player.id for player in players], rows, [] if private else [1])


def test_of_a_private_patience_nothing_is_counted(anna, make_game):
    game = make_game("freecell", [anna], private=True)
    move = anna.client.get_json(f"games/{game}/legal-moves?limit=1")["items"][0]
    moves(anna, game, 0, move=move)
    posts(anna, f"games/{game}/resign")
    players, (row,), uncounted = results(game)
    assert (players, uncounted) == ([anna.id], [])
    assert (row["is_public"], row["is_shuffled"], row["scope"], row["result"]) == (False, True, None, "loss")


def test_who_leaves_has_lost_to_who_stays(anna, bo, make_game, time_stands):
    time_stands(NOON)
    game = make_game("sicksack", [anna, bo], clock=SLOW)
    time_stands(after(1))
    posts(anna, f"games/{game}/resign")
    facts = {"ruleset": "sicksack", "seats": 2, "length": 1, "duration": 1000, "ending": "resigned"}
    facts |= {"scope": None, "at": after(1)}
    assert results(game) == (
        [anna.id, bo.id],
        [a_result(2, "loss", 0, **facts), a_result(1, "win", 0, **facts)],
        [1],
    )


def test_a_time_that_is_out_ends_a_game_when_it_is_settled(anna, bo, make_game, time_stands):
    time_stands(NOON)
    game = make_game("sicksack", [anna, bo], clock=SLOW)
    time_stands(after(3700))
    assert games_settle() == 1
    facts = {"ruleset": "sicksack", "seats": 2, "length": 1, "duration": 3_700_000, "ending": "timed_out"}
    facts |= {"scope": None, "at": after(3700)}
    assert results(game) == (
        [anna.id, bo.id],
        [a_result(2, "loss", 0, **facts), a_result(1, "win", 0, **facts)],
        [1],
    )


def test_of_the_deal_of_the_day_the_first_try_that_ends_in_time_is_on_its_board(anna, bo, time_stands):
    time_stands(NOON)
    daily_deals_make(today=NOON.date())
    path = f"daily/{NOON.date()}/freecell/"

    def begins(player):
        game = player.client.post(path, {}).json()
        move = player.client.get_json(f"games/{game['id']}/legal-moves?limit=1")["items"][0]
        moves(player, game["id"], 0, move=move)
        return Game.objects.get(id=game["id"]).id

    games = [begins(anna)]
    posts(anna, f"games/{games[0]}/resign")
    games += [begins(anna), begins(bo)]
    posts(anna, f"games/{games[1]}/resign")
    time_stands(after(12 * 3600))
    posts(bo, f"games/{games[2]}/resign")
    scopes = [(row["scope"], row["is_shuffled"]) for game in games for row in results(game)[1]]
    assert scopes == [("daily", True), (None, True), (None, True)]
    assert [results(game)[2] for game in games] == [[1], [1], [1]]
