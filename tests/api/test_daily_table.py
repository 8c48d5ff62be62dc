"""The table of a day's deal: how first tries that ended in time came out."""

from datetime import timedelta

import pytest

from games.services.agreement import board_disagreements
from games.services.boards import boards_project, boards_rebuild
from tests.api.checks import problem_of, records, whole_list
from tests.api.dailies import (
    CLOSING,
    NOON,
    SECOND,
    WON,
    WON_DECK,
    begun,
    first_moves,
    make_deals,
    path_of,
    resign,
    tried,
    win,
)
from tests.api.published import assert_documented
from tests.expect import faults, nothing_changes

FREECELL, LAS_PINTAS = f"{path_of('freecell')}table", f"{path_of('las-pintas')}table"
# To be won in several ways: by so many moves with such a score.
PINTAS_DECK = records("las-pintas")["choice-of-the-gap-48"]["deck"]
EMPTY = {"players": 0, "items": [], "you": None, "next": None}


@pytest.fixture
def freecell(time_stands):
    time_stands(NOON)
    make_deals(WON_DECK)


@pytest.fixture
def names(make_player):
    """Players by their names."""
    return {
        name: make_player(name) for name in ("anna", "bo", "cilla", "david", "eva", "filip", "gun", "hans")
    }


def play(player, words, at, seconds, moment):
    """A try at FreeCell that begins at `at`: such moves so many seconds later, before ` undo ` one that is taken
    back, and given up where they do not end it."""
    moment(at)
    game = begun(player, "freecell")
    moment(at + seconds * SECOND)
    taken_back, _, words = words.rpartition(" undo ")
    ply = 0
    if taken_back:
        first_moves(player, game)
        ply = player.client.post(f"games/{game}/undo", {"ply": 1}).json()["ply"]
    answer = player.client.post(f"games/{game}/moves", {"ply": ply, "notation": words})
    assert answer.status_code == 201, answer.content
    if answer.json()["status"] == "running":
        resign(player, game)


def flips(player, at, moves, moment):
    """A try at Las Pintas: a cell to flip or a row to place in, the last one at `at`."""
    moment(NOON)
    game = begun(player, "las-pintas")
    moment(at)
    for ply, where in enumerate(moves):
        move = {"type": "place", "row": where} if isinstance(where, int) else {"type": "flip", "at": where}
        answer = player.client.post(f"games/{game}/moves", {"ply": ply, "move": move})
        assert answer.status_code == 201, answer.content
    assert answer.json()["status"] == "finished"


def count():
    """Let all that has ended be counted."""
    while boards_project():
        pass


def shown(items):
    """Rank, name, wins, score, moves and seconds of each who stands there."""
    return [
        (
            item["rank"],
            item["username"],
            item["wins"],
            item["best_score"],
            item["fewest_moves"],
            None if item["best_time_ms"] is None else item["best_time_ms"] / 1000,
        )
        for item in items
    ]


TABLE = [
    (1, "cilla", 1, 52, 115, 60.9),
    (1, "bo", 1, 52, 115, 60.0),
    (3, "anna", 1, 52, 115, 61.0),
    (4, "david", 1, 52, 117, 10.0),
    (5, "eva", 0, 1, None, None),
    (6, "gun", 0, 0, None, None),
    (6, "filip", 0, 0, None, None),
]
"""Equals stand in the order in which they signed up, the last one first."""


@pytest.fixture
def table(freecell, names, time_stands):
    """Tries of seven; the eighth one's goes on."""
    for number, (name, words, seconds) in enumerate(
        (
            ("david", f"5a undo {WON}", 10),
            ("filip", "5a", 1),
            ("anna", WON, 61),
            ("eva", "5a 5b 5c 5d 5h", 9000),
            ("bo", WON, 60),
            ("gun", "5a 5b 5c", 7),
            ("cilla", WON, 60.9),
        )
    ):
        play(names[name], words, NOON - number * timedelta(hours=1), seconds, time_stands)
    begun(names["hans"], "freecell")
    count()


def test_the_table_goes_by_wins_then_score_then_among_wins_by_moves_and_seconds(table, anonymous):
    page = anonymous.get_json(FREECELL)
    assert shown(page["items"]) == TABLE
    assert (page["players"], page["you"], page["next"]) == (7, None, None)
    assert [page[name] for name in ("ruleset", "variant", "measure", "period")] == [
        "freecell",
        "default",
        "daily",
        "2031-05-14",
    ]
    assert all((item["games"], item["rating"]) == (1, None) for item in page["items"])
    seen = anonymous.get_json(path_of("freecell"))
    assert (seen["tries"], seen["wins"]) == (7, 4)
    assert board_disagreements() == []
    boards_rebuild()
    assert anonymous.get_json(FREECELL) == page


def test_pages_by_cursor_are_the_table_with_the_same_ranks(table, anonymous):
    for limit in (1, 2, 3, 5, 6):
        assert shown(whole_list(anonymous, f"{FREECELL}?limit={limit}")) == TABLE, limit
        page = anonymous.get_json(f"{FREECELL}?limit={limit}")
        assert (len(page["items"]), page["players"]) == (limit, 7)


def test_around_a_player_are_those_next_to_it(table, names, anonymous):
    for name, limit, expected in (
        ("anna", 1, TABLE[2:3]),
        ("anna", 3, TABLE[1:4]),
        ("anna", 5, TABLE[0:5]),
        ("cilla", 3, TABLE[0:3]),
        ("filip", 3, TABLE[5:7]),
        ("DAVID", 3, TABLE[2:5]),
        ("hans", 3, []),
    ):
        page = anonymous.get_json(f"{FREECELL}?around={name}&limit={limit}")
        assert (shown(page["items"]), page["players"]) == (expected, 7), name
    mine = names["david"].client.get_json(f"{FREECELL}?around=me&limit=3")
    assert shown(mine["items"]) == TABLE[2:5]
    assert shown([mine["you"]]) == TABLE[3:4]
    following = names["david"].client.get_json(mine["next"])
    assert shown(following["items"]) == TABLE[5:7]
    none = names["hans"].client.get_json(f"{FREECELL}?around=me")
    assert (none["items"], none["you"], none["next"]) == ([], None, None)


def test_one_sees_oneself_wherever_one_stands(table, names):
    for place in TABLE:
        client = names[place[1]].client
        assert shown([client.get_json(f"{FREECELL}?limit=1")["you"]]) == [place]
        assert shown([client.get_json(f"{FREECELL}?around=filip&limit=1")["you"]]) == [place]
        assert client.get_json(path_of("freecell"))["your_try"] is not None
    assert names["hans"].client.get_json(FREECELL)["you"] is None


def test_a_try_comes_to_the_table_when_it_has_been_counted(freecell, anna, anonymous):
    game = begun(anna, "freecell")
    win(anna, game)
    assert anonymous.get_json(FREECELL)["items"] == []
    assert anonymous.get_json(path_of("freecell"))["tries"] == 0
    count()
    assert shown(anonymous.get_json(FREECELL)["items"]) == [(1, "anna", 1, 52, 115, 0)]


def test_a_higher_score_comes_before_fewer_seconds_and_moves_before_these(names, anonymous, time_stands):
    time_stands(NOON)
    make_deals(PINTAS_DECK)
    for name, minutes, moves in (
        ("bo", 2, ((2, 5), 2, 1, 0, (0, 3))),
        ("cilla", 9, ((0, 0), (3, 9), 3, 2)),
        ("david", 1, ((1, 2), (0, 0), (3, 2), 3, (1, 6))),
        ("eva", 1, ((2, 7), 2, 1, 3, (3, 3), (2, 8), (1, 6), (1, 8), (3, 0))),
        ("filip", 1, ((0, 4), (1, 2), (0, 10), 3, (3, 3), (1, 5), (1, 8))),
    ):
        flips(names[name], NOON + minutes * 60 * SECOND, moves, time_stands)
    count()
    assert shown(anonymous.get_json(LAS_PINTAS)["items"]) == [
        (1, "cilla", 1, 88, 4, 540),
        (2, "bo", 1, 88, 5, 120),
        (3, "david", 1, 68, 5, 60),
        (4, "eva", 0, 46, None, None),
        (5, "filip", 0, 43, None, None),
    ]


def test_each_deal_of_a_day_has_a_table_of_its_own(anna, bo, anonymous, time_stands):
    time_stands(NOON)
    make_deals()
    tried(anna, "camelot")
    tried(bo, "las-pintas")
    time_stands(CLOSING)
    tomorrow = CLOSING.date()
    game = begun(bo, "camelot", tomorrow)
    first_moves(bo, game)
    resign(bo, game)
    count()
    for path, players in (
        (path_of("camelot"), ["anna"]),
        (path_of("las-pintas"), ["bo"]),
        (path_of("freecell"), []),
        (path_of("camelot", tomorrow), ["bo"]),
        (path_of("las-pintas", tomorrow), []),
    ):
        page = anonymous.get_json(f"{path}table")
        assert [item["username"] for item in page["items"]] == players
        assert page["players"] == anonymous.get_json(path)["tries"] == len(players)
        assert_documented(f"/api/v1/{path}table", "GET", anonymous.ask("GET", f"{path}table"))


def test_a_table_that_nobody_stands_on_is_empty(freecell, anna, anonymous):
    head = {"ruleset": "freecell", "variant": "default", "measure": "daily", "period": "2031-05-14"}
    for client, query in ((anonymous, ""), (anna.client, "?around=me"), (anonymous, "?around=anna")):
        assert client.get_json(FREECELL + query) == head | EMPTY


def test_a_table_refuses_what_it_does_not_know(freecell, anna, anonymous):
    with nothing_changes():
        problem_of(anonymous.ask("GET", f"{FREECELL}?around=me"), "unauthenticated")
        assert problem_of(anna.client.ask("GET", f"{FREECELL}?around=nobody"), "not_found") == {
            "detail": "There is no such player."
        }
        for query, at in (
            ("around=me&cursor=1.0123456789abcdef0123456789abcdef", "around"),
            ("cursor=1", "cursor"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("period=day", "query"),
        ):
            assert faults(anna.client.ask("GET", f"{FREECELL}?{query}")) == [at], query
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            problem_of(anna.client.ask(method, FREECELL, {}), "method_not_allowed")
