"""What the games of a rule set came to, and how a player has fared."""

import pytest

from cardsite.jsonbody import timestamp
from games.models import Rating, RatingChange
from games.services.boards import boards_project
from games.services.rating import game_void
from tests.api.checks import whole_list
from tests.api.finished import finish, of_several, patience
from tests.api.test_rated import ledger
from tests.expect import faults, nothing_changes, problem


def counted(*games):
    finish(*games)
    boards_project()


def statistics(client, slug, query=""):
    return client.get_json(f"rulesets/{slug}/statistics{query}")


def test_lengths_are_told_by_tenths(anna, anonymous):
    lengths = [3, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]
    counted(*(patience(anna, "win" if length < 10 else "loss", length=length) for length in lengths))
    assert statistics(anonymous, "camelot") == {
        "ruleset": "camelot",
        "variant": "default",
        "items": [
            {
                "seats": 1,
                "games": 11,
                "length": {
                    "shortest": 3,
                    "tenth": 3,
                    "median": 21,
                    "mean": 55.27,
                    "nine_tenths": 144,
                    "longest": 233,
                },
                "by_seat": [{"seat": 0, "games": 11, "wins": 4, "draws": 0, "win_share": 0.363636}],
                "first_seat_advantage": None,
            }
        ],
    }


@pytest.mark.parametrize(
    ("lengths", "of_tenths"),
    [
        ([7], (7, 7, 7)),
        ([1, 2], (1, 1, 2)),
        (list(range(1, 11)), (1, 5, 9)),
        (list(range(1, 12)), (2, 6, 10)),
        ([4] * 9 + [90], (4, 4, 4)),
    ],
)
def test_a_tenth_has_no_more_than_that(anna, anonymous, lengths, of_tenths):
    counted(*(patience(anna, length=length) for length in lengths))
    (of_one,) = statistics(anonymous, "camelot")["items"]
    assert tuple(of_one["length"][name] for name in ("tenth", "median", "nine_tenths")) == of_tenths


def test_seats_are_told_apart_and_so_are_numbers_of_seats(anna, bo, cilla, anonymous):
    counted(
        of_several([anna, bo], [1, 2], length=10),
        of_several([bo, anna], [1, 2], length=20, rated=False, scope=None),
        of_several([anna, bo], [2, 1], length=30),
        of_several([anna, bo], [1, 1], length=30),
        of_several([anna, bo, cilla], [3, 2, 1], length=5),
        of_several([anna, bo], [1, 2], rated=False, scope=None, is_public=False),
    )
    assert statistics(anonymous, "sicksack")["items"] == [
        {
            "seats": 2,
            "games": 4,
            "length": {
                "shortest": 10,
                "tenth": 10,
                "median": 20,
                "mean": 22.5,
                "nine_tenths": 30,
                "longest": 30,
            },
            "by_seat": [
                {"seat": 0, "games": 4, "wins": 2, "draws": 1, "win_share": 0.5},
                {"seat": 1, "games": 4, "wins": 1, "draws": 1, "win_share": 0.25},
            ],
            "first_seat_advantage": 0.125,
        },
        {
            "seats": 3,
            "games": 1,
            "length": dict.fromkeys(("shortest", "tenth", "median", "nine_tenths", "longest"), 5)
            | {"mean": 5.0},
            "by_seat": [
                {"seat": 0, "games": 1, "wins": 0, "draws": 0, "win_share": 0.0},
                {"seat": 1, "games": 1, "wins": 0, "draws": 0, "win_share": 0.0},
                {"seat": 2, "games": 1, "wins": 1, "draws": 0, "win_share": 1.0},
            ],
            "first_seat_advantage": -0.333333,
        },
    ]
    assert statistics(anonymous, "sicksack", "?variant=x")["items"] == []
    problem(anonymous.ask("GET", "rulesets/whist/statistics"), "not_found")


def test_a_voided_game_is_subtracted(anna, bo, staff, anonymous):
    games = [of_several([anna, bo], [1, 2], length=length) for length in (10, 20)]
    counted(*games)
    for game, expected in zip(games, [[1], []], strict=True):
        game_void(game_id=game.id, by=staff, reason="x")
        boards_project()
        assert [one["games"] for one in statistics(anonymous, "sicksack")["items"]] == expected


def test_deals_are_told_by_how_often_they_were_played(anna, anonymous):
    played = {1: "ww", 17: "wl", 2: "lll", 617: "w", 3: "l", 9: "w"}
    counted(
        *(
            patience(
                anna,
                {"w": "win", "l": "loss"}[result],
                ruleset="freecell",
                variant=f"deal={deal}",
                scope=None,
                is_shuffled=False,
            )
            for deal, results in played.items()
            for result in results
        ),
        patience(anna, ruleset="freecell"),
    )
    expected = [
        {"variant": "deal=2", "games": 3, "wins": 0, "win_share": 0.0},
        {"variant": "deal=1", "games": 2, "wins": 2, "win_share": 1.0},
        {"variant": "deal=17", "games": 2, "wins": 1, "win_share": 0.5},
        {"variant": "deal=3", "games": 1, "wins": 0, "win_share": 0.0},
        {"variant": "deal=617", "games": 1, "wins": 1, "win_share": 1.0},
        {"variant": "deal=9", "games": 1, "wins": 1, "win_share": 1.0},
    ]
    for limit in (1, 2, 3, 5, 6, 7):
        assert whole_list(anonymous, f"rulesets/freecell/deals?limit={limit}") == expected
    assert anonymous.get_json("rulesets/camelot/deals") == {"items": [], "next": None}
    assert faults(anonymous.ask("GET", "rulesets/freecell/deals?cursor=x")) == ["cursor"]


def test_a_record_is_by_rule_set_and_may_be_against_one_opponent(anna, bo, cilla, anonymous):
    finish(
        of_several([anna, bo], [1, 2]),
        of_several([bo, anna, cilla], [1, 1, 3]),
        of_several([cilla, anna], [1, 2], rated=False, scope=None),
        of_several([anna, bo], [1, 2], rated=False, scope=None, is_public=False),
        patience(anna, "loss"),
    )

    def record(query=""):
        return [tuple(one.values()) for one in anonymous.get_json(f"players/anna/record{query}")["items"]]

    assert record() == [("camelot", 1, 0, 0, 1), ("sicksack", 3, 1, 1, 1)]
    assert record("?opponent=bo") == [("sicksack", 2, 1, 1, 0)]
    assert record("?opponent=CILLA") == [("sicksack", 2, 0, 1, 1)]
    assert anonymous.get_json("players/bo/record")["items"] == [
        {"ruleset": "sicksack", "games": 2, "wins": 0, "draws": 1, "losses": 1}
    ]
    problem(anonymous.ask("GET", "players/nobody/record"), "not_found")
    problem(anonymous.ask("GET", "players/anna/record?opponent=nobody"), "not_found")


def test_changes_of_a_rating_are_told_newest_first(anna, bo, staff, anonymous):
    games = [of_several([anna, bo], [1, 2]) for _ in range(4)]
    finish(*games, of_several([anna, bo], [1, 2], ruleset="kraftkort", variant="x=1"))
    game_void(game_id=games[1].id, by=staff, reason="x")
    path = "players/anna/rating-changes?ruleset=sicksack"
    items = whole_list(anonymous, f"{path}&limit=2")
    assert items == whole_list(anonymous, path)
    of_sicksack = [row for row in ledger(anna) if row[2] in {game.id for game in games}]
    at = dict(RatingChange.objects.filter(player=anna, ruleset="sicksack").values_list("number", "at"))
    assert items == [
        {
            "number": number,
            "kind": kind,
            "game": str(game),
            "rating_before": round(before.mean),
            "rating_after": round(after.mean),
            "deviation_after": round(after.deviation),
            "at": timestamp(at[number]),
        }
        for number, kind, game, before, after in reversed(of_sicksack)
    ]
    assert [(one["number"], one["kind"]) for one in items] == [
        (5, "reversal"),
        *((number, "game") for number in (4, 3, 2, 1)),
    ]
    of_other = anonymous.get_json("players/anna/rating-changes?ruleset=kraftkort&variant=x%3D1")["items"]
    assert [(one["number"], one["rating_before"], one["rating_after"]) for one in of_other] == [
        (1, 1500, 1611)
    ]
    kept = anonymous.get_json("players/anna/ratings")["items"]
    assert [(one["ruleset"], one["variant"], one["games"]) for one in kept] == [
        ("kraftkort", "x=1", 1),
        ("sicksack", "default", 3),
    ]
    assert faults(anonymous.ask("GET", "players/anna/rating-changes")) == ["query"]
    problem(anonymous.ask("GET", "players/nobody/ratings"), "not_found")


def test_a_rating_is_provisional_until_it_is_sure_enough(anna, anonymous):
    for number, deviation in enumerate((110, 109.99)):
        Rating.objects.create(
            player=anna, ruleset="sicksack", variant=f"x={number}", mean=1500, deviation=deviation
        )
    items = anonymous.get_json("players/anna/ratings")["items"]
    assert [(one["variant"], one["provisional"]) for one in items] == [("x=0", True), ("x=1", False)]


def test_nobody_is_an_opponent_of_their_own(anna):
    with nothing_changes():
        assert faults(anna.client.ask("GET", "players/anna/record?opponent=Anna")) == ["opponent"]
