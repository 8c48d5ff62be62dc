"""What holds a connection, without a server, a database or much time: what Django answers and what is read
are given."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.db import OperationalError
from msgspec.structs import replace

from games.api import hub, streams
from games.api.told import Following
from games.selectors.told import Cursor, EventRow

GAME, PLAYER = UUID(int=7), UUID(int=8)
AT = datetime(2030, 1, 1, 12, tzinfo=UTC)
BEGINNING = b"retry: 1000\n\nid: 4\nevent: game\ndata: {}\n\n"
HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"content-length", b"40")]
STILL_HERE = b": still here\n\n"
FOLLOWING = Following(
    streams=True, key=("game", GAME), known=4, seat=None, viewer=PLAYER, asker="anna", language="en"
)
EMPTY_PAGE = (200, [(b"content-type", b"application/json")], b'{"items":[],"last":4}')
FULL_PAGE = (200, [(b"content-type", b"application/json")], b'{"items":[5],"last":5}')
LAST_OF_ALL = UUID(int=2**128 - 1)


def event(seq, kind="entry", *, txid=100, **body):
    """An event as it is read; an entry is one that closes the game, whose words are the shortest."""
    if kind == "entry":
        body = {
            "ply": seq - 4,
            "kind": "void",
            "seat": None,
            "at": "x",
            "to_act": [],
            "deadlines": [],
            **body,
        }
        body |= {"move": None, "notation": None, "events": []}
    return EventRow(GAME, "sicksack", 1, seq, txid, kind, body, None, AT, None)


def told(content):
    """The ids and kinds of the messages in a part of a stream."""
    lines = [line.split(": ", 1) for line in content.decode().split("\n") if line]
    values = {name: [value for named, value in lines if named == name] for name in ("id", "event")}
    return list(zip(values["id"], values["event"], strict=True))


class Django:
    """In the bridge's place: answers in turn, each with what is to be followed, and notes what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, scope, receive, send):
        await send({"type": "passed on"})

    async def answer(self, scope, receive, *, follow):
        return await self.ask(scope, follow=follow) if (await receive())["type"] == "http.request" else None

    async def ask(self, scope, body=b"", *, follow):
        self.asked += 1
        answer, following = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if following is not None:
            follow.append(following)
        return answer


class Connection:
    """One client's request: what was sent to it, and its leaving."""

    def __init__(self, app, path, query=""):
        self.sent = []
        self.changed = asyncio.Event()
        self.left = asyncio.Event()
        self.requested = False
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
        self.task = asyncio.create_task(app(scope, self.receive, self.send))

    async def receive(self):
        if not self.requested:
            self.requested = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.sent.append(message)
        self.changed.set()

    @property
    def status(self):
        return self.sent[0]["status"]

    @property
    def parts(self):
        return [message["body"] for message in self.sent[1:]]

    @property
    def is_whole(self):
        return bool(self.sent) and not self.sent[-1].get("more_body", True)

    async def until(self, parts):
        """Wait for so many parts of the body."""
        async with asyncio.timeout(5):
            while len(self.parts) < parts:
                self.changed.clear()
                await self.changed.wait()

    async def end(self):
        async with asyncio.timeout(5):
            await self.task


def tuple_of(place):
    return place.txid, place.game, place.seq


class Database:
    """What has happened, and what was asked for it: each reading is after a number or a place. No look is made
    but the one for a new watch, unless a test asks for more."""

    def __init__(self, monkeypatch):
        self.events = []
        self.readings = []
        self.looks = []
        self.fails = 0
        monkeypatch.setattr(streams, "events_of_game", self.of_game)
        monkeypatch.setattr(streams, "events_of_player", self.of_player)
        monkeypatch.setattr(hub, "LOOKS_EVERY", 60)
        monkeypatch.setattr(hub, "games_with_events", self.games_with_events)
        monkeypatch.setattr(hub, "players_with_events", self.players_with_events)
        self.fallen = set()
        self.asked = []
        monkeypatch.setattr(hub, "ASKS_EVERY", 60)
        monkeypatch.setattr(hub, "accesses_standing", self.accesses_standing)

    def of_game(self, *, game_id, after, limit):
        self.readings.append(after)
        if self.fails:
            self.fails -= 1
            raise OperationalError
        return [event for event in self.events if event.seq > after][:limit]

    def of_player(self, *, player_id, after, limit):
        self.readings.append(after)
        return [event for event in self.events if (event.txid, event.game, event.seq) > tuple_of(after)][
            :limit
        ]

    def accesses_standing(self, *, accesses):
        self.asked.append(set(accesses))
        if self.fails:
            self.fails -= 1
            raise OperationalError
        return set(accesses) - self.fallen

    def players_with_events(self, *, known):
        return {
            (player, place)
            for player, place in known
            if any((event.txid, event.game, event.seq) > tuple_of(place) for event in self.events)
        }

    def games_with_events(self, *, known):
        self.looks.append(set(known))
        newest = max((event.seq for event in self.events), default=0)
        return {(game, seq) for game, seq in known if newest > seq}


@pytest.fixture
def database(monkeypatch):
    return Database(monkeypatch)


@asynccontextmanager
async def serving(django):
    """Streams whose hub looks but does not listen."""
    app = streams.Streams(django)
    looking = asyncio.create_task(app._hub._look_again_and_again())
    asking = asyncio.create_task(app._hub._ask_again_and_again())
    try:
        yield app
    finally:
        looking.cancel()
        asking.cancel()
        app._hub._threads.shutdown()


PATH = f"/api/v1/games/{GAME}/events"


def stream_of(**fields):
    return (200, HEADERS, BEGINNING), replace(FOLLOWING, **fields)


def wait_of(**fields):
    return EMPTY_PAGE, replace(FOLLOWING, streams=False, **fields)


def run(scenario, django):
    async def main():
        async with serving(django) as app:
            await scenario(app)

    asyncio.run(main())


async def watching():
    """Time enough for a watch to begin, and to be looked at once."""
    await asyncio.sleep(0.1)


def hint(app):
    app._hub._take(str(GAME))


# Streams.


def test_a_stream_goes_on_with_what_happens_after_its_beginning(database):
    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(1)
        await watching()
        assert client.sent[0] == {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", b"text/event-stream; charset=utf-8")],
            "trailers": False,
        }
        assert client.parts == [BEGINNING]
        database.events += [event(5), event(6)]
        hint(app)
        await client.until(2)
        assert told(client.parts[1]) == [("5", "entry"), ("6", "entry")]
        database.events += [event(7), event(8, "ended", ending="abandoned", outcome=None)]
        hint(app)
        await client.end()
        assert [told(part) for part in client.parts[2:]] == [[("7", "entry"), ("8", "ended")], []]
        assert client.is_whole
        assert app._hub._watches == {}
        assert app._open == {}

    run(scenario, Django(stream_of()))


def test_a_stream_is_told_within_a_look_what_no_hint_tells_of(database, monkeypatch):
    monkeypatch.setattr(hub, "LOOKS_EVERY", 0.05)

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(1)
        await asyncio.sleep(0.2)
        assert database.readings == []
        database.events.append(event(5))
        await client.until(2)
        assert told(client.parts[1]) == [("5", "entry")]
        await asyncio.sleep(0.2)
        assert database.readings == [4]
        assert database.looks[-1] == {(GAME, 5)}
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))


def test_what_happens_between_the_beginning_and_the_watch_is_told(database):
    database.events.append(event(5))

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(2)
        assert told(client.parts[1]) == [("5", "entry")]
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))


def test_more_than_one_reading_is_read_at_once(database, monkeypatch):
    monkeypatch.setattr(streams, "AT_ONCE", 3)
    database.events += [event(seq) for seq in range(5, 12)]

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(4)
        assert [len(told(part)) for part in client.parts[1:]] == [3, 3, 1]
        assert database.readings == [4, 7, 10]
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))


def test_a_stream_without_news_says_that_it_lives(database, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE", 0.1)

    async def scenario(app):
        loop = asyncio.get_running_loop()
        client, begun = Connection(app, PATH), loop.time()
        await client.until(3)
        assert client.parts[1:] == [STILL_HERE] * 2
        assert loop.time() - begun > 0.15
        database.events.append(event(5))
        hint(app)
        await client.until(4)
        assert told(client.parts[3]) == [("5", "entry")]
        heard = loop.time()
        await client.until(5)
        assert client.parts[4] == STILL_HERE
        assert loop.time() - heard > 0.08
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))


def test_the_signs_of_life_come_every_fifteen_seconds_and_a_stream_lasts_ten_minutes():
    assert (streams.KEEP_ALIVE, streams.LONGEST) == (15, 600)


def test_a_stream_ends_after_its_time_so_that_it_is_asked_again_who_follows(database, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE", 0.05)
    monkeypatch.setattr(streams, "LONGEST", 0.12)

    async def scenario(app):
        client = Connection(app, PATH)
        await client.end()
        assert (client.parts[0], set(client.parts[1:-1]), client.parts[-1]) == (BEGINNING, {STILL_HERE}, b"")
        assert client.is_whole

    run(scenario, Django(stream_of()))


def test_a_client_that_leaves_is_forgotten(database):
    async def scenario(app):
        clients = [Connection(app, PATH) for _ in range(3)]
        for client in clients:
            await client.until(1)
        await watching()
        assert (len(app._hub._watches["game", GAME]), dict(app._open)) == (3, {"anna": 3})
        for client in clients:
            client.left.set()
            await client.end()
        assert (app._hub._watches, app._open) == ({}, {})
        assert [client.parts for client in clients] == [[BEGINNING]] * 3

    run(scenario, Django(stream_of()))


def test_streams_that_want_the_same_share_a_reading(database):
    async def scenario(app):
        clients = [Connection(app, PATH) for _ in range(20)]
        for client in clients:
            await client.until(1)
        await watching()
        database.events.append(event(5))
        hint(app)
        for client in clients:
            await client.until(2)
        assert {client.parts[1] for client in clients} == {clients[0].parts[1]}
        assert database.readings == [4]
        for client in clients:
            client.left.set()
            await client.end()

    run(scenario, Django(stream_of()))


def test_a_stream_lives_on_through_a_reading_that_fails(database, monkeypatch, caplog):
    monkeypatch.setattr(hub, "LOOKS_EVERY", 0.05)
    database.events.append(event(5))
    database.fails = 2

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(2)
        assert told(client.parts[1]) == [("5", "entry")]
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))
    assert [record.getMessage() for record in caplog.records] == [
        "a stream cannot read: OperationalError",
        "a stream cannot read: OperationalError",
    ]


def test_looks_go_on_after_one_that_fails(database, monkeypatch, caplog):
    monkeypatch.setattr(hub, "LOOKS_EVERY", 0.05)
    answers = [OperationalError, None]
    look = database.games_with_events

    def failing(*, known):
        if answers.pop(0) if answers else None:
            raise OperationalError
        return look(known=known)

    monkeypatch.setattr(hub, "games_with_events", failing)
    database.events.append(event(5))

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(2)
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))
    assert [record.getMessage() for record in caplog.records] == ["streams cannot look: OperationalError"]


def test_a_hint_of_another_form_wakes_nobody_and_breaks_nothing(database, caplog):
    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(1)
        await watching()
        for payload in ("", "x", f"{GAME},", "1" * 40):
            app._hub._take(payload)
        await watching()
        assert database.readings == []
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of()))
    assert [record.getMessage() for record in caplog.records] == ["a hint of another form"] * 4


def test_every_stream_ends_when_the_server_does(database):
    async def scenario(app):
        clients = [Connection(app, PATH), Connection(app, "/api/v1/me/events")]
        for client in clients:
            await client.until(1)
        await watching()
        app.close()
        late = Connection(app, PATH)
        for client in (*clients, late):
            await client.end()
            assert client.parts == [BEGINNING, b""]
            assert client.is_whole

    run(scenario, Django(stream_of()))


# Who takes a seat or gives it up is another viewer from then on.


@pytest.mark.parametrize("kind", ["joined", "left"])
def test_a_stream_ends_with_the_event_by_which_its_viewer_comes_or_goes(database, kind):
    others = event(5, "joined", seat=1, player=str(UUID(int=9)))
    own = event(6, kind, seat=1, player=str(PLAYER))
    database.events += [others, own, event(7, "started", to_act=[0], deadlines=[]), event(8)]

    async def scenario(app):
        client = Connection(app, PATH)
        await client.end()
        assert [told(part) for part in client.parts[1:]] == [[("5", "joined"), ("6", kind)], []]

    run(scenario, Django(stream_of(seat=1)))


def test_others_come_and_go_without_end(database):
    who = {"seat": 1, "player": str(UUID(int=9))}
    database.events += [event(5, "joined", **who), event(6, "left", **who), event(7, "joined", **who)]

    async def scenario(app):
        for _ in range(2):
            client = Connection(app, PATH)
            await client.until(2)
            assert len(told(client.parts[1])) == 3
            client.left.set()
            await client.end()

    run(scenario, Django(stream_of(), stream_of(viewer=None)))


def test_a_players_stream_goes_on_through_ends_and_seats(database):
    place = Cursor(99)
    database.events += [
        event(5, "joined", txid=100, seat=1, player=str(PLAYER)),
        event(8, "ended", txid=101, ending="abandoned", outcome=None),
    ]

    async def scenario(app):
        client = Connection(app, "/api/v1/me/events")
        await client.until(2)
        assert told(client.parts[1]) == [(f"100.{GAME.hex}.5", "joined"), (f"101.{GAME.hex}.8", "ended")]
        assert database.readings == [place]
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of(key=("player", PLAYER), known=place)))


# How many.


def test_a_player_holds_only_so_many_connections(database, settings):
    settings.STREAMS_PER_PLAYER = 2

    async def scenario(app):
        held = [Connection(app, PATH), Connection(app, PATH, "wait=60")]
        await held[0].until(1)
        assert app._open["anna"] == 2
        for query in ("", "wait=60"):
            refused = Connection(app, PATH, query)
            await refused.end()
            assert refused.status == 429
            assert json.loads(refused.parts[0])["code"] == "throttled"
            assert dict(refused.sent[0]["headers"]) == {
                b"content-type": b"application/problem+json",
                b"retry-after": b"60",
            }
        another = Connection(app, PATH)
        await another.until(1)
        assert another.parts == [BEGINNING]
        held[0].left.set()
        await held[0].end()
        next_one = Connection(app, PATH)
        await next_one.until(1)
        assert next_one.parts == [BEGINNING]
        for client in (held[1], another, next_one):
            client.left.set()
            await client.end()
        assert app._open == {}

    answers = [stream_of(), wait_of(), stream_of(), wait_of(), stream_of(asker="bo"), stream_of()]
    run(scenario, Django(*answers))


# Pages.


def test_a_page_that_has_events_or_waits_for_none_is_answered_at_once(database):
    async def scenario(app):
        for query in ("wait=60", ""):
            client = Connection(app, PATH, query)
            await client.end()
            assert client.is_whole
        assert app._bridge.asked == 2

    run(scenario, Django((FULL_PAGE, None), wait_of()))


def test_an_empty_page_waits_for_news(database):
    async def scenario(app):
        client = Connection(app, PATH, "wait=60")
        await watching()
        assert client.sent == []
        database.events.append(event(5))
        hint(app)
        await client.end()
        assert (client.status, client.parts) == (200, [FULL_PAGE[2]])
        assert app._bridge.asked == 2
        assert (app._hub._watches, app._open) == ({}, {})

    run(scenario, Django(wait_of(), (FULL_PAGE, None)))


def test_an_empty_page_comes_at_the_end_of_the_time(database):
    async def scenario(app):
        loop = asyncio.get_running_loop()
        begun = loop.time()
        client = Connection(app, PATH, "after=4&wait=1")
        await client.end()
        assert 0.95 < loop.time() - begun < 5
        assert client.parts == [EMPTY_PAGE[2]]

    run(scenario, Django(wait_of()))


def test_who_is_refused_while_a_page_waits_is_told_so(database):
    refusal = (401, [(b"content-type", b"application/problem+json")], b"{}")

    async def scenario(app):
        client = Connection(app, PATH, "wait=60")
        await watching()
        hint(app)
        await client.end()
        assert (client.status, client.parts) == (401, [b"{}"])

    run(scenario, Django(wait_of(), (refusal, None)))


def test_a_page_is_not_asked_for_again_and_again_because_another_stream_lags(database, monkeypatch):
    monkeypatch.setattr(hub, "LOOKS_EVERY", 0.02)
    database.events.append(event(5))

    async def scenario(app):
        with app._hub.watch(("game", GAME), 4, None) as lagging:
            client = Connection(app, PATH, "wait=60")
            await asyncio.sleep(0.3)
            assert lagging.woken.is_set()
            assert app._bridge.asked == 1
            client.left.set()
            await client.end()

    run(scenario, Django(wait_of(known=5)))


def test_a_client_that_leaves_a_page_is_forgotten(database):
    async def scenario(app):
        client = Connection(app, PATH, "wait=60")
        await watching()
        assert dict(app._open) == {"anna": 1}
        client.left.set()
        await client.end()
        assert (client.sent, app._hub._watches, app._open) == ([], {}, {})
        assert app._bridge.asked == 1

    run(scenario, Django(wait_of()))


def test_a_page_that_waits_is_answered_when_the_server_ends(database):
    async def scenario(app):
        client = Connection(app, PATH, "wait=60")
        await watching()
        app.close()
        await client.end()
        assert client.parts == [EMPTY_PAGE[2]]

    run(scenario, Django(wait_of()))


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        ("wait=0", 0),
        ("", 0),
        ("wait=7", 7),
        ("wait=60", 60),
        ("wait=61", 60),
        ("wait=x", 0),
        ("wait=-1", 0),
        ("wait=1e1", 0),
        ("wait=%D9%A3", 0),
        ("wait=\xff", 0),
    ],
)
def test_how_long_a_page_waits_is_read_without_trust(query, seconds):
    assert streams._wait({"query_string": query.encode("latin-1")}) == seconds


# What is no business of streams.


@pytest.mark.parametrize("answer", [EMPTY_PAGE, (404, HEADERS, b"{}"), (204, [], b"")])
def test_what_is_not_to_be_followed_is_answered_as_it_is(database, answer):
    async def scenario(app):
        client = Connection(app, PATH, "wait=60")
        await client.end()
        assert client.sent == [
            {"type": "http.response.start", "status": answer[0], "headers": answer[1], "trailers": False},
            {"type": "http.response.body", "body": answer[2], "more_body": False},
        ]

    run(scenario, Django((answer, None)))


def test_a_page_is_no_stream_whatever_the_client_would_accept_besides(database):
    async def scenario(app):
        client = Connection(app, PATH)
        await client.end()
        assert (client.parts, client.is_whole) == ([EMPTY_PAGE[2]], True)

    run(scenario, Django(wait_of()))


@pytest.mark.parametrize(
    "scope",
    [
        {"type": "http", "method": "GET", "path": "/api/v1/games/"},
        {"type": "http", "method": "GET", "path": "/admin/events"},
        {"type": "http", "method": "GET", "path": "/api/v1/me/events/"},
        {"type": "http", "method": "HEAD", "path": PATH},
        {"type": "http", "method": "POST", "path": PATH},
        {"type": "websocket", "path": PATH},
    ],
)
def test_all_else_is_the_bridges(scope):
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(streams.Streams(Django())(scope, None, send))
    assert sent == [{"type": "passed on"}]
