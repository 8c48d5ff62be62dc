"""What viewers are told: the events of a game and of all of one's games, by the page and as a stream begins."""

import json
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import UUID

import psycopg
import pytest
from django.core import signing
from django.db import IntegrityError, InternalError, transaction

from accounts import tickets
from accounts.models import ApiToken, Player
from accounts.selectors.accesses import Access
from games import hints, shuffle, table
from games.api import told as api_told
from games.api.hub import _parameters
from games.api.told import Following
from games.clock import TurnClock
from games.models import Event, Game
from games.rules.cards import FRENCH_DECK
from games.selectors.told import Cursor
from games.services.settling import games_settle
from tests.api.checks import CHANCE, play, problem_of, records, whole_list
from tests.conftest import Client
from tests.expect import faults, nothing_changes, problem

STREAM = "text/event-stream"
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
WORDS = records("freecell")["deal-1"]["notation"]
FIRST_CARDS = "5H 9C KD 4S 3C 2D 7S 6D"
DECK = [*FIRST_CARDS.split(), *(card for card in FRENCH_DECK if card not in FIRST_CARDS.split())]


def clock(seconds):
    """A time of that day as the API shows it, so many seconds after noon."""
    return (NOON + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def events(client, game, query=""):
    return client.get_json(f"games/{game}/events{query}")["items"]


def stream(client, path, **headers):
    """The beginning of a stream, as text."""
    answer = client.ask("GET", path, accept=STREAM, **headers)
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == f"{STREAM}; charset=utf-8"
    return answer.content.decode()


def followed(client, path, **headers):
    """An answer, and what it leaves for the server to go on with."""
    left = []
    given = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    answer = client.get(f"/api/v1/{path}", **given, **{"cardsite.follow": left})
    assert answer.status_code in (200, 204), answer.content
    return answer, left


def messages(items, ids):
    """Events as the messages of a stream."""
    return "".join(
        f"id: {number}\nevent: {item['type']}\ndata: {json.dumps(item, separators=(',', ':'))}\n\n"
        for number, item in zip(ids, items, strict=True)
    )


def move(player, game, ply, what):
    form = {"notation": what} if isinstance(what, str) else {"move": what}
    answer = player.client.post(f"games/{game}/moves", {"ply": ply, **form})
    assert answer.status_code == 201, answer.content
    return answer.json()


class Expected:
    """The events that are to be told of a game, numbered as they are written down."""

    def __init__(self, game, ruleset):
        self.game = str(game)
        self.ruleset = ruleset
        self.items = []

    def add(self, kind, at, **body):
        head = {"type": kind, "game": self.game, "seq": len(self.items) + 1, "at": clock(at)}
        self.items.append(head | body)

    def entry(self, ply, at, kind, text, *, seat, player, to_act, deadlines=(), move=None, **told):
        entry = {"ruleset": self.ruleset, "ply": ply, "kind": kind, "seat": seat, "player": player}
        entry |= {"at": clock(at), "move": move, "notation": None, "events": [], **told, "text": text}
        shown = [None if moment is None else clock(moment) for moment in deadlines]
        self.add("entry", at, ply=ply + 1, to_act=to_act, deadlines=shown, entry=entry)

    def ended(self, at, ending, outcome):
        self.add("ended", at, ending=ending, outcome=outcome)


@pytest.fixture
def patience(anna, make_game):
    return make_game("freecell", [anna], options={"deal": 1})


@pytest.fixture
def sicksack(anna, bo, make_sicksack):
    return make_sicksack([anna, bo], FIRST_CARDS)


# Every kind of event.


def test_every_viewer_is_told_a_game_for_several_as_it_was_for_that_viewer(
    anna, bo, cilla, stranger, anonymous, time_stands, monkeypatch
):
    monkeypatch.setattr(shuffle, "deck_order", lambda *_: DECK)
    time_stands(NOON)
    wanted = {"ruleset": "sicksack", "seats": 2, "clock": {"type": "turn", "seconds": 60}}
    game = anna.client.post("games/", wanted).json()["id"]
    time_stands(NOON + timedelta(seconds=1))
    stranger.client.post(f"games/{game}/join")
    stranger.client.post(f"games/{game}/leave")
    bo.client.post(f"games/{game}/join")
    time_stands(NOON + timedelta(seconds=2))
    anna.client.post(f"games/{game}/start")
    time_stands(NOON + timedelta(seconds=5))
    move(anna, game, 0, play("5H"))
    time_stands(NOON + timedelta(seconds=6))
    move(bo, game, 1, CHANCE)
    time_stands(NOON + timedelta(seconds=67))
    assert games_settle() == 1

    def expected(drew, words):
        told = Expected(game, "sicksack")
        told.add("created", 0)
        told.add("joined", 0, seat=0, player="anna")
        told.add("joined", 1, seat=1, player="stranger")
        told.add("left", 1, seat=1, player="stranger")
        told.add("joined", 1, seat=1, player="bo")
        told.add("started", 2, to_act=[0], deadlines=[clock(62), None])
        told.entry(
            0,
            5,
            "play",
            f"seat 0 plays 5H, draws {words}",
            seat=0,
            player="anna",
            to_act=[1],
            deadlines=[None, 65],
            move=play("5H"),
            events=[{"type": "drew", "card": drew}],
        )
        told.entry(
            1,
            6,
            "play",
            "seat 1 takes a chance, turns up 6D, which fits",
            seat=1,
            player="bo",
            to_act=[0],
            deadlines=[66, None],
            move=CHANCE,
            events=[{"type": "turned", "card": "6D", "fits": True}],
        )
        told.entry(
            2,
            67,
            "timeout",
            "seat 0 is out of time",
            seat=0,
            player=None,
            to_act=[],
            deadlines=[None, None],
        )
        told.ended(67, "timed_out", {"place": [2, 1], "result": ["loss", "win"], "score": [0, 0]})
        return told.items

    assert events(anna.client, game) == expected("7S", "7S")
    for client in (bo.client, cilla.client, stranger.client, anonymous):
        assert events(client, game) == expected(None, "a card")
    # The log is open now; what was told stays as it was.
    assert anonymous.get_json(f"games/{game}/moves")["items"][0]["events"] == [{"type": "drew", "card": "7S"}]


def test_who_gives_up_is_told_of_and_what_is_played_for_that_seat(
    anna, bo, cilla, anonymous, make_sicksack, time_stands
):
    time_stands(NOON)
    game = make_sicksack([anna, bo, cilla], "2H 3H 4H 5C 5S 5D 9H 9C 9D QH KS 2C")
    bo.client.post(f"games/{game}/resign")
    move(anna, game, 1, play("2H"))
    cilla.client.post(f"games/{game}/resign")

    told = Expected(game, "sicksack")
    told.add("created", 0)
    for seat, player in enumerate(["anna", "bo", "cilla"]):
        told.add("joined", 0, seat=seat, player=player)
    told.add("started", 0, to_act=[0], deadlines=[])
    told.entry(0, 0, "resign", "seat 1 gives up", seat=1, player="bo", to_act=[0])
    told.entry(
        1,
        0,
        "play",
        "seat 0 plays 2H, draws a card",
        seat=0,
        player="anna",
        to_act=[],
        move=play("2H"),
        events=[{"type": "drew", "card": None}],
    )
    told.entry(
        2,
        0,
        "auto",
        "seat 1 plays 5C, draws a card",
        seat=1,
        player=None,
        to_act=[2],
        move=play("5C"),
        events=[{"type": "drew", "card": None}],
    )
    told.entry(3, 0, "resign", "seat 2 gives up", seat=2, player="cilla", to_act=[])
    told.ended(0, "resigned", {"place": [1, 3, 2], "result": ["win", "loss", "loss"], "score": [0, 0, 0]})
    assert events(anonymous, game) == told.items
    for player, seq, card in ((anna, 7, "QH"), (bo, 8, "KS")):
        of_seat = events(player.client, game)
        assert of_seat[seq - 1]["entry"]["events"] == [{"type": "drew", "card": card}]
        assert of_seat[: seq - 1] + of_seat[seq:] == told.items[: seq - 1] + told.items[seq:]
    assert events(cilla.client, game) == told.items


def test_moves_of_a_patience_are_told_and_taken_back_and_won_one_by_one(
    anna, anonymous, make_game, time_stands
):
    time_stands(NOON)
    game = make_game("freecell", [anna], options={"deal": 1})
    move(anna, game, 0, WORDS[0])
    assert anna.client.post(f"games/{game}/undo", {"ply": 1}).status_code == 201
    time_stands(NOON + timedelta(seconds=1))
    move(anna, game, 2, " ".join(WORDS))

    told = Expected(game, "freecell")
    told.add("created", 0)
    told.add("joined", 0, seat=0, player="anna")
    told.add("started", 0, to_act=[0], deadlines=[])
    by_anna = {"seat": 0, "player": "anna"}
    told.entry(
        0,
        0,
        "play",
        "6C from column 5 to free cell a",
        **{**by_anna, "to_act": [0], "notation": "5a"},
        events=[{"type": "moved", "cards": ["6C"]}],
        move={"type": "move", "from": "5", "to": "a", "count": 1},
    )
    told.entry(1, 0, "undo", "takes the last move back", **by_anna, to_act=[0])
    every = whole_list_of_events(anonymous, game)
    assert every[:5] == told.items
    assert [event["seq"] for event in every] == list(range(1, 5 + len(WORDS) + 2))
    batch = every[5:-1]
    assert [event["entry"]["notation"] for event in batch] == WORDS
    assert [event["ply"] for event in batch] == list(range(3, 3 + len(WORDS)))
    assert {event["at"] for event in batch} == {clock(1)}
    assert [event["to_act"] for event in batch] == [[0]] * (len(WORDS) - 1) + [[]]
    log = whole_list(anonymous, f"games/{game}/moves?limit=100")
    assert [event["entry"] for event in every if event["type"] == "entry"] == log
    told.items = [None] * (len(every) - 1)
    told.ended(1, "played_out", {"place": [1], "result": ["win"], "score": [52]})
    assert every[-1] == told.items[-1]


def whole_list_of_events(client, game, limit=100):
    """All events of a game, page by page."""
    items, after = [], 0
    while True:
        page = client.get_json(f"games/{game}/events?after={after}&limit={limit}")
        if not page["items"]:
            assert page["last"] == after
            return items
        items += page["items"]
        after = page["last"]


@pytest.mark.parametrize("how", ["resigned", "left alone"])
def test_a_patience_without_a_move_is_closed_without_a_result(anna, make_game, time_stands, how):
    time_stands(NOON)
    game = make_game("freecell", [anna], options={"deal": 1}, abandon_after=timedelta(hours=1))
    told = Expected(game, "freecell")
    told.items = [None] * 3
    if how == "resigned":
        anna.client.post(f"games/{game}/resign")
    else:
        time_stands(NOON + timedelta(seconds=3601))
        assert games_settle() == 1
    at, by = (0, "anna") if how == "resigned" else (3601, None)
    told.entry(0, at, "void", "the game is closed without a result", seat=None, player=by, to_act=[])
    told.ended(at, "abandoned", None)
    assert events(anna.client, game, "?after=3") == told.items[3:]


@pytest.mark.parametrize("how", ["left", "left alone"])
def test_a_game_that_is_not_begun_is_cancelled(anna, bo, make_game, time_stands, how):
    time_stands(NOON)
    game = make_game("sicksack", [anna, bo], start=False, abandon_after=timedelta(hours=1))
    told = Expected(game, "sicksack")
    told.items = [None] * 3
    if how == "left":
        anna.client.post(f"games/{game}/leave")
        told.add("left", 0, seat=0, player="anna")
        told.add("cancelled", 0)
    else:
        time_stands(NOON + timedelta(seconds=3601))
        assert games_settle() == 1
        told.add("cancelled", 3601)
    for player in (anna, bo):
        assert events(player.client, game, "?after=3") == told.items[3:]


def test_a_seat_that_is_out_of_time_where_all_act_at_once_is_told_of_as_played_for(
    anna, bo, make_game, time_stands
):
    time_stands(NOON)
    game = make_game("vandtia-pyramid", [anna, bo], clock=TurnClock(60))
    time_stands(NOON + timedelta(seconds=61))
    assert games_settle() == 1
    first, second = events(anna.client, game, "?after=4")[:2]
    for seat, event in enumerate((first, second)):
        assert (event["type"], event["entry"]["kind"], event["entry"]["seat"]) == ("entry", "auto", seat)
        assert (event["entry"]["player"], event["entry"]["move"]) == (None, {"type": "ready"})
    assert (first["to_act"], first["deadlines"]) == ([1], [None, clock(60)])


def test_what_is_refused_is_told_to_nobody(anna, bo, sicksack):
    before = events(anna.client, sicksack)
    bo.client.post(f"games/{sicksack}/moves", {"ply": 0, "move": CHANCE})
    anna.client.post(f"games/{sicksack}/moves", {"ply": 0, "move": play("QH")})
    anna.client.post(f"games/{sicksack}/join")
    anna.client.post(f"games/{sicksack}/start")
    move(anna, sicksack, 0, play("5H"))
    assert anna.client.post(f"games/{sicksack}/moves", {"ply": 0, "move": play("5H")}).status_code == 200
    assert events(anna.client, sicksack)[: len(before)] == before
    assert len(events(anna.client, sicksack)) == len(before) + 1


# What was hidden stays so.


def test_events_stay_as_their_viewer_saw_them_after_the_end(anna, bo, anonymous, make_game_of):
    record = records("sicksack")["random-2-110"]
    game = make_game_of(record["deck"], "sicksack", [anna, bo])
    clients = (anna.client, bo.client, anonymous)
    for ply, step in enumerate(record["steps"][:-1]):
        move((anna, bo)[step["seat"]], game, ply, step["move"])
    before = [events(client, game) for client in clients]
    logs = [whole_list(client, f"games/{game}/moves") for client in clients]
    for log, told in zip(logs, before, strict=True):
        assert [event["entry"] for event in told if event["type"] == "entry"] == log
    assert before[0] != before[1] != before[2] != before[0]

    last = record["steps"][-1]
    move((anna, bo)[last["seat"]], game, len(record["steps"]) - 1, last["move"])
    after = [events(client, game) for client in clients]
    for told, then in zip(before, after, strict=True):
        assert then[: len(told)] == told
        assert [event["type"] for event in then[len(told) :]] == ["entry", "ended"]
    opened = [whole_list(client, f"games/{game}/moves") for client in clients]
    assert opened[0] == opened[1] == opened[2]
    assert opened[2][:-1] != logs[2]


def test_a_private_game_is_told_of_to_those_who_sit_there_alone(
    anna, bo, stranger, staff, anonymous, make_game
):
    game = make_game("sicksack", [anna, bo], private=True)
    assert [event["type"] for event in events(bo.client, game)] == ["created", "joined", "joined", "started"]
    missing = "00000000-0000-7000-8000-000000000000"
    for client in (stranger.client, staff.client, anonymous):
        for accept in ("application/json", STREAM):
            one, two = (
                client.ask("GET", f"games/{which}/events", accept=accept) for which in (game, missing)
            )
            problem(one, "not_found")
            assert one.content == two.content


def test_who_gave_up_the_seat_of_a_private_game_is_told_no_more(anna, bo, make_game):
    game = make_game("sicksack", [anna, bo], private=True, start=False)
    assert len(events(bo.client, game)) == 3
    bo.client.post(f"games/{game}/leave")
    problem(bo.client.ask("GET", f"games/{game}/events"), "not_found")
    problem(bo.client.ask("GET", f"games/{game}/events", accept=STREAM, last_event_id="3"), "not_found")


def test_who_looks_while_seats_change_hands_is_told_no_more_than_goes_with_the_seat(
    anna, bo, cilla, make_sicksack, monkeypatch
):
    game = make_sicksack([anna, bo], FIRST_CARDS, start=False)
    seen = api_told.table_seen

    def and_then_much_happens(**asked):
        table = seen(**asked)
        with monkeypatch.context() as patched:
            patched.setattr(shuffle, "deck_order", lambda *_: DECK)
            patched.setattr(api_told, "table_seen", seen)
            bo.client.post(f"games/{game}/leave")
            cilla.client.post(f"games/{game}/join")
            anna.client.post(f"games/{game}/start")
            move(anna, game, 0, CHANCE)
            move(cilla, game, 1, play("4S"))
        return table

    monkeypatch.setattr(api_told, "table_seen", and_then_much_happens)
    page = bo.client.get_json(f"games/{game}/events")
    assert ([event["type"] for event in page["items"]], page["last"]) == (["created", "joined", "joined"], 3)
    monkeypatch.undo()
    drawn = [event["entry"]["events"] for event in events(cilla.client, game)[-1:]]
    assert drawn == [[{"type": "drew", "card": "6D"}]]
    assert events(bo.client, game)[-1]["entry"]["events"] == [{"type": "drew", "card": None}]


# Pages.


def test_a_page_has_the_events_after_a_number(anna, patience):
    move(anna, patience, 0, " ".join(WORDS[:20]))
    every = events(anna.client, patience)
    assert [event["seq"] for event in every] == list(range(1, 24))
    for after, limit, seqs, last in [
        (0, 5, range(1, 6), 5),
        (5, 5, range(6, 11), 10),
        (20, 5, range(21, 24), 23),
        (22, 1, range(23, 24), 23),
        (23, 5, range(0), 23),
        (0, 100, range(1, 24), 23),
    ]:
        page = anna.client.get_json(f"games/{patience}/events?after={after}&limit={limit}")
        assert page == {"items": [every[seq - 1] for seq in seqs], "last": last}
    assert whole_list_of_events(anna.client, patience, limit=7) == every


def test_a_page_has_a_hundred_events_unless_fewer_are_asked_for(anna, patience):
    move(anna, patience, 0, " ".join(WORDS))
    page = anna.client.get_json(f"games/{patience}/events")
    assert (len(page["items"]), page["last"]) == (100, 100)
    assert len(anna.client.get_json(f"games/{patience}/events?after=100")["items"]) == len(WORDS) - 96


@pytest.mark.parametrize("accept", ["application/json", STREAM])
def test_nobody_is_told_what_has_not_happened(anna, patience, accept):
    for query, headers in (("?after=4", {}), ("", {"last_event_id": "4"}), ("?after=2147483647", {})):
        with nothing_changes():
            answer = anna.client.ask("GET", f"games/{patience}/events{query}", accept=accept, **headers)
        assert problem_of(answer, "ahead") == {"detail": "The game has come to event 3.", "seq": 3}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=", "after"),
        ("after=1.5", "after"),
        ("after=2147483648", "after"),
        ("after=null", "after"),
        ("after=1&after=2", "after"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("wait=-1", "wait"),
        ("wait=61", "wait"),
        ("wait=x", "wait"),
        ("cursor=1", "query"),
        ("x=1", "query"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", STREAM])
def test_a_question_of_another_form_is_refused(anna, patience, query, path, accept):
    of_player = {"after=1.5", "after=x", "after=-1", "after=", "after=null", "after=1&after=2"}
    for where in (f"games/{patience}/events", "me/events"):
        if where == "me/events" and query.startswith("after") and query not in of_player:
            continue
        with nothing_changes():
            answer = anna.client.ask("GET", f"{where}?{query}", accept=accept)
        assert faults(answer) == [path], where


@pytest.mark.parametrize("given", ["", "x", "-1", "+1", "1.5", "1 ", "1" * 10, "²", "٣", "1\t2", "0x1"])
@pytest.mark.parametrize("accept", ["application/json", STREAM])
def test_a_last_event_id_of_another_form_is_refused(anna, patience, given, accept):
    with nothing_changes():
        answer = anna.client.ask("GET", f"games/{patience}/events", accept=accept, last_event_id=given)
    assert faults(answer) == ["Last-Event-ID"]


def test_the_last_event_id_goes_before_what_the_address_says(anna, patience):
    every = events(anna.client, patience)
    path = f"games/{patience}/events?after=1"
    assert anna.client.get_json(path, last_event_id="2")["items"] == every[2:]
    assert stream(anna.client, path, last_event_id="2") == f"retry: 1000\n\n{messages(every[2:], [3])}"
    assert stream(anna.client, path) == f"retry: 1000\n\n{messages(every[1:], [2, 3])}"


def test_to_be_told_changes_nothing(anna, bo, anonymous, sicksack):
    for client in (anna.client, bo.client, anonymous):
        for path in (f"games/{sicksack}/events", f"games/{sicksack}/events?after=4&wait=60", "me/events"):
            for accept in ("application/json", STREAM):
                with nothing_changes():
                    client.ask("GET", path, accept=accept)


def test_events_are_never_changed(patience):
    for change in (
        lambda those: those.update(kind="left"),
        lambda those: those.update(body={}),
        lambda those: those.delete(),
    ):
        refused = pytest.raises((IntegrityError, InternalError), match="never changed or deleted")
        with refused, transaction.atomic():
            change(Event.objects.filter(game=patience))
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(id=patience).update(event_seq=2)


# The beginning of a stream.


def test_a_stream_begins_with_the_game_as_its_viewer_sees_it(anna, bo, anonymous, sicksack):
    move(anna, sicksack, 0, play("5H"))
    for client in (anna.client, bo.client, anonymous):
        game = client.ask("GET", f"games/{sicksack}/").content.decode()
        assert stream(client, f"games/{sicksack}/events") == (
            f"retry: 1000\n\nid: 5\nevent: game\ndata: {game}\n\n"
        )


def test_a_stream_is_neither_kept_nor_held_up_on_its_way(anna, sicksack):
    answer = anna.client.ask("GET", f"games/{sicksack}/events", accept=STREAM)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert {"Accept", "Authorization", "Cookie"} <= set(answer.headers["Vary"].split(", "))


def test_a_stream_is_resumed_after_any_event_without_gap_or_double(anna, bo, anonymous, sicksack):
    move(anna, sicksack, 0, play("5H"))
    move(bo, sicksack, 1, CHANCE)
    for client in (anna.client, bo.client, anonymous):
        every = events(client, sicksack)
        for last in range(len(every) + 1):
            rest = messages(every[last:], range(last + 1, len(every) + 1))
            path = f"games/{sicksack}/events"
            assert stream(client, path, last_event_id=str(last)) == f"retry: 1000\n\n{rest}"
            assert stream(client, f"{path}?after={last}") == f"retry: 1000\n\n{rest}"


@pytest.mark.parametrize("ending", ["ended", "cancelled"])
def test_a_stream_ends_with_the_last_event_and_is_not_begun_again_after_it(anna, make_game, ending):
    game = make_game("freecell", [anna], options={"deal": 1}, start=ending == "ended")
    anna.client.post(f"games/{game}/{'resign' if ending == 'ended' else 'leave'}")
    every = events(anna.client, game)
    last = len(every)
    assert every[-1]["type"] == ending
    answer, left = followed(anna.client, f"games/{game}/events", accept=STREAM, last_event_id=str(last))
    assert (answer.status_code, answer.content, left) == (204, b"", [])
    assert "Content-Type" not in answer.headers
    for resumed in range(last):
        answer, left = followed(
            anna.client, f"games/{game}/events", accept=STREAM, last_event_id=str(resumed)
        )
        rest = messages(every[resumed:], range(resumed + 1, last + 1))
        assert (answer.status_code, answer.content.decode()) == (200, f"retry: 1000\n\n{rest}")
        assert left == []
    answer, left = followed(anna.client, f"games/{game}/events", accept=STREAM)
    assert answer.content.startswith(f"retry: 1000\n\nid: {last}\nevent: game\ndata: {{".encode())
    assert left == []
    page = anna.client.get_json(f"games/{game}/events?after={last}&wait=60")
    assert page == {"items": [], "last": last}


def test_an_answer_without_a_body_has_no_length_of_one(anna, patience):
    anna.client.post(f"games/{patience}/resign")
    view = api_told.EventStream()
    assert view.render(None) == b""
    answer = anna.client.ask("GET", f"games/{patience}/events", accept=STREAM, last_event_id="5")
    assert (answer.status_code, answer.headers["Content-Length"]) == (204, "0")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("application/json, text/event-stream", "application/json"),
        ("text/event-stream, */*", STREAM),
        ("text/*", STREAM),
        ("text/event-stream; q=1", STREAM),
    ],
)
def test_what_is_followed_is_what_was_answered(anna, patience, accept, kind):
    answer, left = followed(anna.client, f"games/{patience}/events?after=3", accept=accept)
    assert answer.headers["Content-Type"].split(";")[0] == kind
    (following,) = left
    assert following.streams == (kind == STREAM)


@pytest.mark.parametrize("accept", ["text/html", "text/plain", "image/*"])
def test_events_come_in_no_other_form(anna, patience, accept):
    problem(anna.client.ask("GET", f"games/{patience}/events", accept=accept), "not_acceptable")


# What the server is left to go on with.


def test_the_server_is_left_what_a_game_s_stream_goes_on_with(anna, bo, anonymous, sicksack):
    path = f"games/{sicksack}/events"
    for client, seat, viewer, asker in (
        (anna.client, 0, anna.id, str(anna.id)),
        (bo.client, 1, bo.id, str(bo.id)),
        (anonymous, None, None, "127.0.0.1"),
    ):
        access = viewer and Access(viewer, token_id=ApiToken.objects.get(player=viewer).id)
        _, left = followed(client, path, accept=STREAM, accept_language="sv")
        assert left == [Following(True, ("game", sicksack), 4, seat, viewer, asker, "sv", access)]
        for last, limit, known in ((0, 2, 2), (1, 100, 4), (4, 100, 4)):
            _, left = followed(client, f"{path}?limit={limit}", accept=STREAM, last_event_id=str(last))
            assert left == [Following(True, ("game", sicksack), known, seat, viewer, asker, "en", access)]


def test_a_page_is_waited_for_only_where_it_is_empty_and_something_may_yet_come(anna, sicksack):
    path = f"games/{sicksack}/events"
    assert followed(anna.client, f"{path}?after=3&wait=60")[1] == []
    (following,) = followed(anna.client, f"{path}?after=4&wait=60")[1]
    access = Access(anna.id, token_id=anna.tokens.get().id)
    assert following == Following(False, ("game", sicksack), 4, 0, anna.id, str(anna.id), "en", access)
    anna.client.post(f"games/{sicksack}/resign")
    assert followed(anna.client, f"{path}?after=6&wait=60")[1] == []


def test_a_player_is_followed_from_a_place(anna, told_at_once, sicksack):
    page, left = followed(anna.client, "me/events?wait=60")
    assert left == []  # who has no place yet is given one at once
    last = page.json()["last"]
    assert last.endswith(f".{'f' * 32}.0")
    place = Cursor(int(last.split(".")[0]))
    answer, left = followed(anna.client, "me/events", accept=STREAM)
    access = Access(anna.id, token_id=anna.tokens.get().id)
    assert left == [Following(True, ("player", anna.id), place, None, anna.id, str(anna.id), "en", access)]
    answer, left = followed(anna.client, f"me/events?after={last}&wait=60")
    assert (len(answer.json()["items"]), left) == (3, [])
    at_the_end = answer.json()["last"]
    (following,) = followed(anna.client, f"me/events?after={at_the_end}&wait=60")[1]
    txid, game, seq = at_the_end.split(".")
    assert (following.streams, following.known) == (False, Cursor(int(txid), UUID(game), int(seq)))
    _, left = followed(anna.client, "me/events", accept=STREAM, last_event_id=last)
    assert left == [replaced(following, streams=True)]


def replaced(following, **fields):
    values = {name: getattr(following, name) for name in following.__struct_fields__}
    return Following(**values | fields)


# All of one's games.


def of_player(client, query="?after=0"):
    return client.get_json(f"me/events{query}")["items"]


def test_a_player_is_told_of_the_own_games_as_each_seat_saw_them(
    anna, bo, cilla, told_at_once, make_sicksack
):
    one = make_sicksack([anna, bo], FIRST_CARDS)
    two = make_sicksack([bo, anna], FIRST_CARDS)
    make_sicksack([bo, cilla], FIRST_CARDS)
    move(anna, one, 0, play("5H"))
    move(bo, two, 0, play("5H"))
    mine = of_player(anna.client)
    # From when each sat down: whoever makes a game sits at once.
    assert mine == events(anna.client, one)[1:] + events(anna.client, two)[2:]
    assert mine[3]["entry"]["events"] == [{"type": "drew", "card": "7S"}]
    assert mine[-1]["entry"]["events"] == [{"type": "drew", "card": None}]
    assert len(of_player(cilla.client)) == 2


def test_who_gives_up_a_seat_is_told_no_more_and_who_comes_back_what_happens_from_then_on(
    anna, bo, told_at_once, make_game
):
    game = make_game("sicksack", [anna, bo], start=False, seats=3)
    assert [event["seq"] for event in of_player(bo.client)] == [3]
    bo.client.post(f"games/{game}/leave")
    assert of_player(bo.client) == []
    assert [event["type"] for event in of_player(anna.client)] == ["joined", "joined", "left"]
    bo.client.post(f"games/{game}/join")
    assert of_player(bo.client) == events(anna.client, game)[4:]
    assert [(event["seq"], event["type"]) for event in of_player(bo.client)] == [(5, "joined")]


def test_pages_cross_games_without_gap_or_double(anna, bo, told_at_once, make_sicksack):
    games = [make_sicksack([anna, bo], FIRST_CARDS) for _ in range(3)]
    for game in games:
        move(anna, game, 0, play("5H"))
    every = [event for game in games for event in events(anna.client, game)[1:]]
    for limit in (1, 2, 3, 5, 100):
        items, after, pages = [], "0", 0
        while page := anna.client.get_json(f"me/events?after={after}&limit={limit}"):
            if not page["items"]:
                assert page["last"] == after
                break
            assert len(page["items"]) <= limit
            items, after, pages = items + page["items"], page["last"], pages + 1
        assert (items, pages) == (every, -(-len(every) // limit))
        assert anna.client.get_json("me/events", last_event_id=after)["items"] == []


def test_a_player_without_a_place_is_given_the_newest(anna, told_at_once, sicksack):
    page = anna.client.get_json("me/events")
    assert page["items"] == []
    assert of_player(anna.client, f"?after={page['last']}") == events(anna.client, sicksack)[1:]


def test_a_players_stream_begins_with_the_games_that_are_not_over(anna, bo, told_at_once, make_game):
    over = make_game("freecell", [anna], options={"deal": 1})
    anna.client.post(f"games/{over}/resign")
    gone = make_game("freecell", [anna], options={"deal": 1}, start=False)
    anna.client.post(f"games/{gone}/leave")
    make_game("sicksack", [bo], start=False)
    private = make_game("sicksack", [anna, bo], private=True)
    waiting = make_game("sicksack", [bo, anna], start=False)
    listed = anna.client.get_json("games/?mine=true")["items"]
    games = {"items": [game for game in listed if game["status"] in ("open", "running")], "next": None}
    assert [game["id"] for game in games["items"]] == [str(waiting), str(private)]
    last = anna.client.get_json("me/events")["last"]
    data = json.dumps(games, separators=(",", ":"))
    assert stream(anna.client, "me/events") == f"retry: 1000\n\nid: {last}\nevent: games\ndata: {data}\n\n"


def test_a_players_stream_is_resumed_after_any_event_without_gap_or_double(
    anna, bo, told_at_once, make_sicksack
):
    for _ in range(2):
        move(anna, make_sicksack([anna, bo], FIRST_CARDS), 0, play("5H"))
    every = of_player(anna.client)
    txid = of_player_last(anna.client).split(".")[0]
    ids = [f"{txid}.{UUID(event['game']).hex}.{event['seq']}" for event in every]
    assert stream(anna.client, "me/events?after=0") == f"retry: 1000\n\n{messages(every, ids)}"
    for count, place in enumerate(ids, 1):
        rest = messages(every[count:], ids[count:])
        assert stream(anna.client, "me/events", last_event_id=place) == f"retry: 1000\n\n{rest}"


def of_player_last(client):
    return client.get_json("me/events?after=0")["last"]


@pytest.mark.parametrize(
    "place",
    [
        *(
            "x",
            "-1",
            "1.2",
            "1.",
            ".",
            f"1.{'g' * 32}.1",
            f"1.{'f' * 31}.1",
            f"1.{'F' * 32}.1",
            f"1.{'f' * 32}",
        ),
        *(
            f"1.{'f' * 32}.",
            f"1.{'f' * 32}.x",
            f"1.{'f' * 32}.{'1' * 11}",
            "1" * 20,
            "1" * 19,
            "²",
        ),
        f"1.{'f' * 32}.1.1",
    ],
)
def test_a_place_of_another_form_is_refused(anna, place):
    for accept in ("application/json", STREAM):
        with nothing_changes():
            answer = anna.client.ask("GET", f"me/events?after={place}", accept=accept)
            assert faults(answer) == ["after"]
            answer = anna.client.ask("GET", "me/events", accept=accept, last_event_id=place)
            assert faults(answer) == ["Last-Event-ID"]


@pytest.mark.parametrize("place", ["0", "9" * 18, f"1.{'0' * 32}.0", f"7.{'f' * 32}.{'9' * 10}"])
def test_any_place_of_the_form_is_taken(anna, place):
    page = anna.client.get_json(f"me/events?after={place}")
    assert page == {"items": [], "last": place if "." in place else f"{place}.{'f' * 32}.0"}


def test_only_players_have_events_of_their_own(anonymous, make_player, staff):
    for accept in ("application/json", STREAM):
        problem(anonymous.ask("GET", "me/events", accept=accept), "unauthenticated")
        problem(Client("nonsense").ask("GET", "me/events", accept=accept), "invalid_credentials")
        problem(Client("nonsense").ask("GET", "games/x/events", accept=accept), "not_found")
    assert of_player(staff.client) == []


# Tickets.


@pytest.fixture
def game(anna, bo, make_sicksack):
    return make_sicksack([anna, bo], FIRST_CARDS, private=True)


def ticket_of(player):
    answer = player.client.post("me/stream-ticket")
    assert answer.status_code == 201
    assert answer.json() == {"ticket": answer.json()["ticket"], "good_for": 60}
    return answer.json()["ticket"]


def places_of_tickets(game):
    return [(path, accept) for path in (f"games/{game}/events", "me/events") for accept in ("*/*", STREAM)]


def test_a_ticket_stands_for_its_player_where_events_are_told(anna, bo, anonymous, told_at_once, game):
    move(anna, game, 0, play("5H"))
    for player in (anna, bo):
        ticket = ticket_of(player)
        for path, accept in places_of_tickets(game):
            mine = player.client.ask("GET", path, accept=accept)
            answer = anonymous.ask("GET", f"{path}?ticket={ticket}", accept=accept)
            assert (answer.status_code, answer.content) == (200, mine.content)


def test_a_ticket_is_good_for_a_minute(anna, anonymous, game, monkeypatch):
    ticket, now = ticket_of(anna), time.time()
    for path, accept in places_of_tickets(game):
        monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: now + 59))
        assert anonymous.ask("GET", f"{path}?ticket={ticket}", accept=accept).status_code == 200
        monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: now + 62))
        with nothing_changes():
            answer = anonymous.ask("GET", f"{path}?ticket={ticket}", accept=accept)
        assert problem_of(answer, "invalid_credentials") == {
            "detail": "The ticket is not valid, or is older than a minute."
        }
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


@pytest.mark.parametrize(
    "forge",
    [
        lambda _ticket, _player: "",
        lambda ticket, _player: ticket[:-1],
        lambda ticket, _player: ticket + "x",
        lambda ticket, _player: ticket.swapcase(),
        lambda _ticket, player: player.secret,
        lambda _ticket, player: player.id.hex,
        lambda _ticket, player: signing.dumps(player.id.hex),
        lambda _ticket, player: signing.dumps(player.id.hex, salt="stream"),
        lambda _ticket, player: signing.dumps(player.id.hex, key="another", salt=tickets._SALT),
        lambda ticket, _player: ":".join([signing.dumps("x").split(":")[0], *ticket.split(":")[1:]]),
    ],
)
def test_what_is_no_ticket_is_refused(anna, anonymous, game, forge):
    ticket = forge(ticket_of(anna), anna)
    for path, accept in places_of_tickets(game):
        for client in (anonymous, Client()):
            with nothing_changes():
                answer = client.ask("GET", f"{path}?ticket={ticket}", accept=accept)
            problem(answer, "invalid_credentials")


def test_a_ticket_of_a_player_who_is_locked_out_is_refused(anna, anonymous, game):
    ticket = ticket_of(anna)
    Player.objects.filter(id=anna.id).update(is_active=False)
    for path, accept in places_of_tickets(game):
        problem(anonymous.ask("GET", f"{path}?ticket={ticket}", accept=accept), "invalid_credentials")


def test_a_ticket_opens_nothing_else(anna, anonymous, game):
    ticket = ticket_of(anna)
    with nothing_changes():
        for path in ("me/", "me/tokens/", f"games/{game}/legal-moves"):
            problem(anonymous.ask("GET", f"{path}?ticket={ticket}"), "unauthenticated")
        for path in ("", "moves", "positions/0"):
            answer = anonymous.ask("GET", f"games/{game}/{path}?ticket={ticket}")
            assert answer.status_code in (400, 404)
        for path, body in (
            ("games/", {"ruleset": "freecell"}),
            (f"games/{game}/moves", {"ply": 0, "move": CHANCE}),
            (f"games/{game}/resign", None),
            ("me/stream-ticket", None),
        ):
            problem(anonymous.post(f"{path}?ticket={ticket}", body), "unauthenticated")
        problem(Client(ticket).ask("GET", "me/events"), "invalid_credentials")
        problem(Client(ticket).ask("GET", "me/"), "invalid_credentials")


def test_a_token_goes_before_a_ticket_and_a_ticket_before_a_session(anna, bo, game):
    move(anna, game, 0, play("5H"))
    mine, theirs = events(anna.client, game), events(bo.client, game)
    assert mine != theirs
    assert events(bo.client, game, f"?ticket={ticket_of(anna)}") == theirs
    problem(
        Client("nonsense").ask("GET", f"games/{game}/events?ticket={ticket_of(anna)}"), "invalid_credentials"
    )
    browser = Client()
    browser.force_login(anna)
    assert events(browser, game) == mine
    assert events(browser, game, f"?ticket={ticket_of(bo)}") == theirs
    problem(browser.ask("GET", f"games/{game}/events?ticket=x"), "invalid_credentials")


def test_a_ticket_is_given_to_players_alone_and_to_pages_with_their_csrf_token(anna, anonymous):
    problem(anonymous.post("me/stream-ticket"), "unauthenticated")
    browser = Client()
    browser.handler.enforce_csrf_checks = True
    browser.force_login(anna)
    problem(browser.post("me/stream-ticket"), "csrf")
    assert ticket_of(anna) != ""


def test_a_ticket_says_who_but_no_secret(anna):
    ticket = ticket_of(anna)
    said = json.loads(signing.b64_decode(ticket.split(":")[0].encode()))
    assert said == f"{anna.id.hex}.{anna.tokens.get().id.hex}."
    assert anna.secret not in ticket


@pytest.mark.parametrize("how", ["revoked", "inactive"])
@pytest.mark.parametrize("path", ["games/{game}/events", "me/events"])
def test_nobody_resumes_with_a_token_that_was_taken_away(anna, game, how, path):
    if how == "revoked":
        ApiToken.objects.filter(player=anna).update(revoked_at=NOON)
    else:
        Player.objects.filter(id=anna.id).update(is_active=False)
    for accept in ("application/json", STREAM):
        answer = anna.client.ask("GET", path.format(game=game), accept=accept, last_event_id="1")
        problem(answer, "invalid_credentials")


# Words.


@pytest.mark.parametrize(
    ("asked", "language", "text"),
    [
        ("sv", "sv", "plats 0 spelar 5H, drar 7S"),
        ("es;q=0.9, sv;q=0.2", "es", "el asiento 0 juega 5H, roba 7S"),
        ("de", "en", "seat 0 plays 5H, draws 7S"),
    ],
)
def test_events_speak_the_asked_language(anna, told_at_once, sicksack, asked, language, text):
    move(anna, sicksack, 0, play("5H"))
    for path in (f"games/{sicksack}/events?after=4", "me/events?after=0"):
        answer = anna.client.ask("GET", path, accept_language=asked)
        assert answer.headers["Content-Language"] == language
        assert answer.json()["items"][-1]["entry"]["text"] == text
        begun = stream(anna.client, path, accept_language=asked)
        assert json.loads(begun.split("data: ")[-1])["entry"]["text"] == text


# What it costs.


@pytest.mark.parametrize("size", [1, 12])
def test_events_cost_as_many_statements_however_many_they_are(
    anna, anonymous, told_at_once, make_game, django_assert_num_queries, size
):
    games = [make_game("freecell", [anna], options={"deal": 1}) for _ in range(size)]
    move(anna, games[0], 0, " ".join(WORDS[: 5 * size]))
    path = f"games/{games[0]}/events"
    for accept in ("application/json", STREAM):
        with django_assert_num_queries(3):  # who asks, the game, its events
            anna.client.ask("GET", f"{path}?after=0", accept=accept)
        with django_assert_num_queries(2):
            anonymous.ask("GET", f"{path}?after=0", accept=accept)
        with django_assert_num_queries(2):
            assert len(of_player(anna.client)) == min(100, 2 * size + 5 * size)
    with django_assert_num_queries(2):
        stream(anna.client, path)


@pytest.mark.parametrize("size", [1, 12])
def test_a_player_without_a_place_costs_as_many_statements_however_many_the_games(
    anna, make_game, django_assert_num_queries, size
):
    for _ in range(size):
        make_game("freecell", [anna], options={"deal": 1})
    anna.client.get_json("me/")
    with django_assert_num_queries(3):  # who asks, the place, the games
        stream(anna.client, "me/events")
    with django_assert_num_queries(2):
        anna.client.get_json("me/events")


# Hints.


@contextmanager
def hinted(monkeypatch, capture):
    """The games that are hinted at once the transaction has committed."""
    put = []
    monkeypatch.setattr(hints.hints, "put", put.append)
    with capture(execute=True):
        yield put


def test_everything_that_is_told_is_hinted_at_once_it_is_there(
    anna, bo, cilla, monkeypatch, django_capture_on_commit_callbacks, make_game, time_passes
):
    def does(call, *expected):
        with hinted(monkeypatch, django_capture_on_commit_callbacks) as put:
            answer = call()
            assert put == []
        assert put == [UUID(str(game)) for game in expected]
        return answer

    made = []
    with hinted(monkeypatch, django_capture_on_commit_callbacks) as put:
        made.append(anna.client.post("games/", {"ruleset": "sicksack", "seats": 3}).json()["id"])
    assert put == [UUID(made[0])]
    (game,) = made
    path = f"games/{game}"
    does(lambda: bo.client.post(f"{path}/join"), game)
    does(lambda: bo.client.post(f"{path}/join"))
    does(lambda: bo.client.post(f"{path}/leave"), game)
    does(lambda: anna.client.post(f"{path}/start"))
    for player in (bo, cilla):
        player.client.post(f"{path}/join")
    does(lambda: anna.client.post(f"{path}/start"), game)
    does(lambda: move(anna, game, 0, CHANCE), game)
    does(lambda: anna.client.post(f"{path}/moves", {"ply": 0, "move": CHANCE}))
    does(lambda: anna.client.post(f"{path}/moves", {"ply": 9, "move": CHANCE}))
    does(lambda: cilla.client.post(f"{path}/resign"), game)
    patience = make_game("freecell", [anna], options={"deal": 1})
    does(lambda: move(anna, patience, 0, "5a 5b"), patience)
    does(lambda: anna.client.post(f"games/{patience}/undo", {"ply": 2}), patience)
    waiting = anna.client.post("games/", {"ruleset": "sicksack", "seats": 3, "abandon_after": 3600}).json()[
        "id"
    ]
    time_passes(3700)
    does(games_settle, waiting)


def test_what_is_taken_back_is_hinted_at_to_nobody(
    anna, bo, monkeypatch, django_capture_on_commit_callbacks, make_game
):
    game = make_game("sicksack", [anna], start=False)
    with hinted(monkeypatch, django_capture_on_commit_callbacks) as put, transaction.atomic():
        bo.client.post(f"games/{game}/join")
        transaction.set_rollback(True)
    assert put == []


def test_without_a_sender_no_hint_is_kept():
    kept = hints.Hints()
    kept.put(UUID(int=1))
    assert kept._games == set()


@pytest.mark.django_db(transaction=True)
def test_hints_come_to_those_who_listen_as_many_as_go_into_a_notification():
    games = [str(UUID(int=number)) for number in range(450)]
    with psycopg.connect(**_parameters(), autocommit=True) as listening:
        listening.execute(f"LISTEN {hints.CHANNEL}")
        hints._notify(games)
        told = [note.payload for note in listening.notifies(timeout=10, stop_after=3)]
    assert [len(payload.split(",")) for payload in told] == [200, 200, 50]
    assert ",".join(told).split(",") == games
    assert max(map(len, told)) < 8000


def test_no_representation_of_an_event_shows_what_is_hidden(anna, sicksack):
    move(anna, sicksack, 0, play("5H"))
    rows = api_told.events_of_game(game_id=sicksack, after=4, limit=10)
    assert "7S" in str(rows[0].seen)
    for text in (repr(rows), str(rows[0]), repr(Event.objects.all())):
        assert "7S" not in text


def test_who_may_be_told_is_asked_before_anything_is_read(anna, bo, make_game, monkeypatch):
    game = make_game("sicksack", [anna], private=True, start=False)
    monkeypatch.setattr(api_told, "events_of_game", None)
    for query in ("", "?after=1", "?after=99"):
        problem(bo.client.ask("GET", f"games/{game}/events{query}"), "not_found")


def test_the_table_of_kinds_is_the_databases():
    assert {*api_told.LAST, "created", "joined", "left", "started", "entry"} == set(Event.Kind.values)
    assert set(table.MOVES) <= {"play", "auto"}
