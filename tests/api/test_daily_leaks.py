"""Until the day is over a try at its deal is its player's alone; when the day is over it is as any game that has
ended."""

import json
from datetime import timedelta

import msgspec
import pytest

from games import table
from games.catalog import CURRENT
from games.models import Game
from games.table import Setup
from tests.api.checks import whole_list
from tests.api.dailies import (
    CLOSING,
    MILLISECOND,
    NOON,
    PATIENCES,
    SECOND,
    begun,
    first_moves,
    make_deals,
    resign,
    tried,
)
from tests.api.published import operations
from tests.expect import nothing_changes, problem

STREAM = "text/event-stream"
NOT_SEEN = "There is no game here that you may see."
LAST_MOMENT = CLOSING - MILLISECOND
each_patience = pytest.mark.parametrize("slug", PATIENCES)


@pytest.fixture
def deals(time_stands):
    time_stands(NOON)
    make_deals()


@pytest.fixture
def game(anna, deals):
    """A first try that goes on."""
    game = begun(anna, "camelot")
    first_moves(anna, game, 3)
    return game


# Others.

OF_A_GAME = {
    ("", "GET"): None,
    ("legal-moves", "GET"): None,
    ("moves", "GET"): None,
    ("events", "GET"): None,
    ("replay", "GET"): None,
    ("proof", "GET"): None,
    ("export", "GET"): None,
    ("positions/0", "GET"): None,
    ("join", "POST"): {},
    ("start", "POST"): {},
    ("leave", "POST"): {},
    ("resign", "POST"): None,
    ("undo", "POST"): {"ply": 3},
    ("moves", "POST"): {"ply": 3, "move": {"type": "deal"}},
}
"""Every endpoint that takes a game's id."""
OTHER_FORMS = [
    *((path, "text/html") for path in ("", "moves", "replay", "positions/0")),
    ("export", "text/plain"),
    ("events", STREAM),
]


def test_every_endpoint_that_takes_a_game_is_among_those_that_are_tried():
    start = "/api/v1/games/{game_id}/"
    paths = {(path, method) for path, method in operations() if path.startswith(start)}
    assert paths == {(start + path.replace("/0", "/{ply}"), method) for path, method in OF_A_GAME}
    assert not [path for path, _ in operations() if "game_id" in path and not path.startswith(start)]


@pytest.mark.parametrize("ends", [False, True])
def test_a_try_is_not_there_for_anybody_else_until_the_day_is_over(
    ends, game, anna, bo, stranger, staff, anonymous, time_stands
):
    if ends:
        resign(anna, game)
    begun(bo, "camelot")  # who plays the same deal sees no more
    for player in (anna, bo, stranger, staff):
        player.client.get_json("me/")  # notes that the token is in use, after which answers are quick
    time_stands(LAST_MOMENT)
    with nothing_changes():
        for client in (bo.client, stranger.client, staff.client, anonymous):
            for (path, method), body in OF_A_GAME.items():
                answer = client.ask(method, f"games/{game}/{path}", body)
                if client is anonymous and (method == "POST" or path == "legal-moves"):
                    problem(answer, "unauthenticated")
                else:
                    assert problem(answer, "not_found")["detail"] == NOT_SEEN, (path, method)
            for path, accept in OTHER_FORMS:
                assert client.ask("GET", f"games/{game}/{path}", accept=accept).status_code == 404, (
                    path,
                    accept,
                )
    assert anna.client.ask("GET", f"games/{game}/").status_code == 200


def test_a_quick_answer_is_for_the_player_alone(game, anna, stranger, time_stands):
    for player in (anna, stranger):
        player.client.get_json("me/")
    etag = anna.client.ask("GET", f"games/{game}/").headers["ETag"]
    assert anna.client.ask("GET", f"games/{game}/", if_none_match=etag).status_code == 304
    for tag in (etag, "*", '"x"'):
        problem(stranger.client.ask("GET", f"games/{game}/", if_none_match=tag), "not_found")
    time_stands(CLOSING)
    assert stranger.client.ask("GET", f"games/{game}/", if_none_match=etag).status_code == 200


@pytest.mark.parametrize("ends", [False, True])
def test_a_try_is_in_no_list_and_dump_until_the_day_is_over(
    ends, game, anna, bo, stranger, staff, anonymous, told_at_once, time_stands
):
    if ends:
        resign(anna, game)
    time_stands(LAST_MOMENT)
    status = "finished" if ends else "running"
    lists = ["games/", "games/?ruleset=camelot", f"games/?status={status}"]
    for client in (bo.client, stranger.client, staff.client, anonymous):
        assert [client.get_json(path)["items"] for path in lists] == [[], [], []]
    for client in (bo.client, stranger.client, staff.client):
        for path in ("games/?mine=true", "games/?my_turn=true", "games/?joinable=true", "me/events?after=0"):
            assert client.get_json(path)["items"] == [], path
        text = client.ask("GET", "me/events", accept=STREAM, last_event_id="0").content.decode()
        assert game not in text
    for path in (*lists, "games/?mine=true"):
        assert [item["id"] for item in anna.client.get_json(path)["items"]] == [game]
    assert anonymous.ask("GET", "exports/").content == b""
    time_stands(CLOSING)
    for path in lists:
        assert [item["id"] for item in anonymous.get_json(path)["items"]] == [game]


def test_a_ticket_lets_nobody_else_see_a_try(game, anna, stranger, anonymous, told_at_once):
    own, other = (player.client.post("me/stream-ticket").json()["ticket"] for player in (anna, stranger))
    for accept in ("application/json", STREAM):
        path = f"games/{game}/events"
        mine = anna.client.ask("GET", path, accept=accept)
        assert anonymous.ask("GET", f"{path}?ticket={own}", accept=accept).content == mine.content
        problem(anonymous.ask("GET", f"{path}?ticket={other}", accept=accept), "not_found")
        answer = anonymous.ask("GET", f"me/events?ticket={other}&after=0", accept=accept)
        assert (answer.status_code, game in answer.content.decode()) == (200, False)


# The moment at which the day is over.


@each_patience
def test_when_the_day_is_over_a_try_that_has_ended_shows_all_and_its_tag_is_another(
    slug, anna, stranger, deals, time_stands
):
    game = tried(anna, slug, 2)
    deck = Game.objects.get(id=game).deal.deck
    anna.client.get_json("me/")
    path = f"games/{game}/"
    time_stands(LAST_MOMENT)
    before = anna.client.ask("GET", path)
    tag, shown = before.headers["ETag"], before.json()
    # What is asked with a query is answered the long way.
    assert anna.client.ask("GET", f"{path}?slowly=yes").headers["ETag"] == tag
    assert anna.client.ask("GET", path, if_none_match=tag).status_code == 304
    time_stands(CLOSING)
    after = anna.client.ask("GET", path, if_none_match=tag)
    assert after.status_code == 200
    assert after.headers["ETag"] != tag
    assert anna.client.ask("GET", f"{path}?slowly=yes").headers["ETag"] == after.headers["ETag"]
    whole = Setup(CURRENT[slug], CURRENT[slug].Options(), 1, tuple(deck))
    assert anna.client.get_json(f"{path}positions/0")["view"] == as_json(
        CURRENT[slug].open_view(table.lay_out(whole).state)
    )
    assert (after.json()["position"]["view"] != shown["position"]["view"]) == CURRENT[slug].hides
    assert {**after.json(), "position": None} == {**shown, "position": None}
    others = stranger.client.get_json(path)
    assert {**others, "your_seat": 0} == after.json()


def as_json(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def dumped(client, query=""):
    """The games of a page of the dump, and the path of the next one."""
    answer = client.ask("GET", f"exports/{query}")
    assert answer.status_code == 200, answer.content
    link = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    return [json.loads(line)["game"] for line in answer.content.splitlines()], link or None


def test_a_try_comes_into_the_dump_a_minute_after_its_day_in_the_order_of_opening(
    anna, bo, anonymous, make_game, deals, time_stands
):
    early = tried(anna, "camelot")
    others = []
    for hours in range(1, 4):
        time_stands(NOON + timedelta(hours=hours))
        others.append(str(make_game("camelot", [bo])))
        first_moves(bo, others[-1])
        resign(bo, others[-1])
    time_stands(LAST_MOMENT)
    # Pages of a dump that was begun while the try was sealed, and is gone on with after.
    first, following = dumped(anonymous, "?limit=2")
    assert first == others[:2]
    second, after = dumped(anonymous, f"?{following.partition('?')[2]}".replace("limit=2", "limit=1"))
    assert second == others[2:]
    place = f"?{after.partition('?')[2]}"
    assert dumped(anonymous, place) == ([], None)
    for time, games in (
        (CLOSING, []),
        (CLOSING + 60 * SECOND, []),
        (CLOSING + 60 * SECOND + MILLISECOND, [early]),
    ):
        time_stands(time)
        assert dumped(anonymous, place)[0] == games
    assert dumped(anonymous)[0] == [*others, early]
    assert dumped(anonymous, "?until=2031-05-15T00:00:00Z")[0] == others
    assert dumped(anonymous, "?since=2031-05-15T00:00:00Z")[0] == [early]
    assert dumped(anonymous, "?since=2031-05-15T00:00:00.001Z")[0] == []


def test_a_try_that_ends_after_its_day_comes_into_the_dump_a_minute_after_its_end(
    anna, anonymous, game, time_stands
):
    time_stands(CLOSING + timedelta(hours=1))
    assert dumped(anonymous)[0] == []
    resign(anna, game)
    time_stands(CLOSING + timedelta(hours=1) + 60 * SECOND)
    assert dumped(anonymous)[0] == []
    time_stands(CLOSING + timedelta(hours=1) + 60 * SECOND + MILLISECOND)
    assert dumped(anonymous)[0] == [game]


def test_a_later_try_is_sealed_like_the_first(anna, stranger, anonymous, deals, time_stands):
    tried(anna, "camelot")
    later = tried(anna, "camelot")
    time_stands(LAST_MOMENT)
    for client in (stranger.client, anonymous):
        problem(client.ask("GET", f"games/{later}/"), "not_found")
    problem(anna.client.ask("GET", f"games/{later}/proof"), "not_disclosed")
    assert whole_list(anonymous, "games/") == []
    time_stands(CLOSING)
    assert len(whole_list(anonymous, "games/")) == 2


def test_an_ordinary_patience_is_open_to_all_when_it_ends(anna, anonymous, make_game, deals):
    game = str(make_game("camelot", [anna]))
    first_moves(anna, game)
    resign(anna, game)
    shown = anonymous.get_json(f"games/{game}/")
    assert (shown["daily"], shown["sealed_until"]) == (None, None)
    assert len(shown["position"]["view"]["stock"]["cards"]) == 51
