"""Leaderboards: who stands where by each measure, in each period, and which games count."""

from datetime import UTC, datetime, timedelta

import pytest

from games.services.boards import boards_project
from tests.api.finished import NOON, finish, of_several, patience
from tests.expect import faults, nothing_changes, problem

DAY = timedelta(days=1)
CAMELOT = "leaderboards/camelot/"


def board(client, query="", path=CAMELOT):
    return client.get_json(f"{path}{query}")


def standing(client, query, *facts, path=CAMELOT):
    """The rank, name and these facts of everybody on a board."""
    return [
        (one["rank"], one["username"], *(one[fact] for fact in facts))
        for one in board(client, query, path)["items"]
    ]


def counted(*games):
    finish(*games)
    boards_project()


def test_each_measure_has_its_order(anna, bo, cilla, anonymous):
    counted(
        patience(anna, score=40, length=30, duration=90_000),
        patience(anna, "loss", score=44, length=5, duration=1000, at=NOON + DAY),
        patience(anna, score=12, length=40, duration=80_000, at=NOON + 2 * DAY),
        patience(bo, score=44, length=30, duration=80_001),
        patience(bo, score=0, length=29, duration=70_000, at=NOON + DAY),
        patience(cilla, "loss", score=45, length=3, duration=10),
    )
    assert standing(anonymous, "?measure=wins", "wins", "games") == [(1, "bo", 2, 2), (1, "anna", 2, 3)]
    assert standing(anonymous, "?measure=best_score", "best_score") == [
        (1, "cilla", 45),
        (2, "bo", 44),
        (2, "anna", 44),
    ]
    # Of games that were won: cilla, who has won none, has neither.
    assert standing(anonymous, "?measure=fewest_moves", "fewest_moves") == [(1, "bo", 29), (2, "anna", 30)]
    assert standing(anonymous, "?measure=best_time", "best_time_ms") == [
        (1, "bo", 70_000),
        (2, "anna", 80_000),
    ]
    assert standing(anonymous, "?measure=streak", "streak") == [(1, "bo", 2), (2, "anna", 1)]
    assert standing(anonymous, "?measure=win_share") == []
    assert board(anonymous, "?measure=best_score&limit=1") == {
        "ruleset": "camelot",
        "variant": "default",
        "measure": "best_score",
        "period": "all",
        "players": 3,
        "items": [
            {
                "rank": 1,
                "username": "cilla",
                "display_name": "cilla",
                "is_bot": False,
                "games": 1,
                "wins": 0,
                "win_share": 0.0,
                "best_score": 45,
                "fewest_moves": None,
                "best_time_ms": None,
                "streak": 0,
                "rating": None,
                "deviation": None,
            }
        ],
        "you": None,
        "next": f"/api/v1/leaderboards/camelot/?measure=best_score&limit=1&cursor={32768 + 45}.{cilla.id.hex}",
    }


def test_shares_of_games_won_are_compared_from_twenty_games_on(anna, bo, cilla, anonymous):
    for player, games, wins in ((anna, 20, 10), (bo, 19, 19), (cilla, 30, 10)):
        counted(*(patience(player, "win" if number < wins else "loss") for number in range(games)))
    expected = [(1, "anna", 0.5, 20), (2, "cilla", 0.333333, 30)]
    assert standing(anonymous, "", "win_share", "games") == expected
    counted(patience(bo, "loss"))
    assert standing(anonymous, "", "win_share", "games") == [
        (1, "bo", 0.95, 20),
        (2, *expected[0][1:]),
        (3, *expected[1][1:]),
    ]


def test_a_run_of_wins_goes_on_from_count_to_count(anna, anonymous):
    streaks = []
    for number, result in enumerate(["loss", "win", "win", "draw", "win", "win", "win", "loss", "win"]):
        counted(patience(anna, result, at=NOON + number * DAY))
        streaks.append([row[2] for row in standing(anonymous, "?measure=streak", "streak")])
    assert streaks == [[], [1], [2], [2], [2], [2], [3], [3], [3]]


def test_ratings_stand_by_what_they_are_hardly_below(anna, bo, cilla, anonymous):
    counted(of_several([anna, bo, cilla], [1, 2, 3]), *(of_several([bo, cilla], [1, 2]) for _ in range(12)))
    path = "leaderboards/sicksack/"
    shown = board(anonymous, path=path)
    assert (shown["measure"], shown["players"]) == ("rating", 3)
    items = shown["items"]
    assert [(one["rank"], one["username"], one["games"], one["wins"]) for one in items] == [
        (1, "bo", 13, 12),
        (2, "anna", 1, 1),
        (3, "cilla", 13, 0),
    ]
    worth = {one["username"]: one["rating"] - 3 * one["deviation"] for one in items}
    assert worth["bo"] > worth["anna"] > worth["cilla"]
    # Higher by itself, and less sure.
    (anna_s,) = anna.client.get_json("players/anna/ratings")["items"]
    assert (anna_s["rating"], anna_s["deviation"]) == (items[1]["rating"], items[1]["deviation"])


def test_only_public_games_with_a_deck_that_the_server_has_shuffled_count(anna, anonymous):
    """What else ends is written with the scope that leaves it out; see `test_results`."""
    counted(
        patience(anna, scope=None, is_shuffled=False),
        patience(anna, scope=None, is_public=False),
        patience(anna, scope="daily"),
    )
    assert board(anonymous, "?measure=wins")["players"] == 0
    assert anonymous.get_json(CAMELOT + "?measure=wins&period=2026-11-30")["items"] == []


@pytest.mark.parametrize(
    ("at", "periods"),
    [
        ((2026, 11, 30, 0, 0), ["all", "2026-11", "2026-W49", "2026-11-30"]),
        ((2026, 12, 31, 23, 59), ["all", "2026-12", "2026-W53", "2026-12-31"]),
        ((2027, 1, 3, 23, 59), ["all", "2027-01", "2026-W53", "2027-01-03"]),
        ((2027, 1, 4, 0, 0), ["all", "2027-01", "2027-W01", "2027-01-04"]),
        ((2024, 12, 30, 12, 0), ["all", "2024-12", "2025-W01", "2024-12-30"]),
    ],
)
def test_a_game_counts_in_the_periods_in_which_it_ended(anna, anonymous, time_stands, at, periods):
    at = datetime(*at, tzinfo=UTC)
    counted(patience(anna, at=at))
    every = ["all", "2024-12", "2025-W01", "2024-12-30", "2024-W53", "2026-11", "2026-W49", "2026-11-30"]
    every += [
        "2026-12",
        "2026-W53",
        "2026-12-31",
        "2027-01",
        "2027-01-03",
        "2027-W01",
        "2027-01-04",
        "2027-W53",
    ]
    there = [period for period in every if standing(anonymous, f"?measure=wins&period={period}")]
    assert sorted(there) == sorted(periods)
    time_stands(at)
    present = [
        (found["period"], found["players"])
        for name in ("all", "season", "month", "week", "day")
        for found in [board(anonymous, f"?measure=wins&period={name}")]
    ]
    assert present == [(period, 1) for period in (periods[0], periods[1], *periods[1:])]


def test_the_boards_that_there_are_are_listed(anna, bo, anonymous):
    counted(patience(anna), patience(bo, variant="x=1"), of_several([anna, bo], [1, 2]))
    listed = {one["ruleset"]: one for one in board(anonymous, path="leaderboards/")["items"]}
    assert len(listed) == 7
    of_patiences = ["win_share", "wins", "best_score", "fewest_moves", "best_time", "streak"]
    assert listed["camelot"] == {
        "ruleset": "camelot",
        "measures": of_patiences,
        "variants": ["default", "x=1"],
    }
    assert listed["sicksack"] == {"ruleset": "sicksack", "measures": ["rating"], "variants": ["default"]}
    assert listed["freecell"]["variants"] == []


def test_a_board_of_another_variant_is_another(anna, bo, anonymous):
    counted(patience(anna), patience(bo, variant="x=1"))
    assert standing(anonymous, "?measure=wins") == [(1, "anna")]
    assert standing(anonymous, "?measure=wins&variant=x%3D1") == [(1, "bo")]
    assert standing(anonymous, "?measure=wins&variant=y") == []


@pytest.mark.parametrize(
    ("path", "at_fault"),
    [
        (f"{CAMELOT}?measure=rating", "measure"),
        ("leaderboards/sicksack/?measure=wins", "measure"),
        (f"{CAMELOT}?measure=daily", "measure"),
        *(
            (f"{CAMELOT}?period={period}", "period")
            for period in ("2026", "2026-13", "2026-W54", "2026-1-1", "ever")
        ),
        (f"{CAMELOT}?limit=0", "limit"),
        (f"{CAMELOT}?limit=101", "limit"),
        (f"{CAMELOT}?cursor=1", "cursor"),
        (f"{CAMELOT}?around=anna&cursor=1.{'0' * 32}", "around"),
        (f"{CAMELOT}?of=x", "query"),
    ],
)
def test_what_there_cannot_be_is_malformed(anna, path, at_fault):
    with nothing_changes():
        answer = anna.client.ask("GET", path)
    assert faults(answer) == [at_fault]


def test_around_whom_there_is_nobody_and_me_who_is_nobody(anna, anonymous):
    problem(anonymous.ask("GET", f"{CAMELOT}?around=nobody"), "not_found")
    problem(anonymous.ask("GET", f"{CAMELOT}?around=me"), "unauthenticated")
    problem(anonymous.ask("GET", "leaderboards/whist/"), "not_found")
    assert board(anna.client, "?around=me")["items"] == []
