"""Streams and waiting pages whose client would be let in no longer, without a server or a database."""

import asyncio
from uuid import UUID

from accounts.selectors.accesses import Access
from games.api import hub
from tests.api.test_streams_asgi import (
    BEGINNING,
    PATH,
    PLAYER,
    Connection,
    Django,
    database,
    event,
    hint,
    run,
    stream_of,
    told,
    wait_of,
)

__all__ = ["database"]

ANNA, BO = Access(PLAYER, token_id=UUID(int=1)), Access(UUID(int=9), session="5e551011")


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what it waits for happens on a thread
            await asyncio.sleep(0.01)


def test_a_stream_ends_when_what_it_was_asked_by_has_ended(database, monkeypatch):
    monkeypatch.setattr(hub, "ASKS_EVERY", 0.05)

    async def scenario(app):
        hers, his, anybodys = (Connection(app, PATH) for _ in range(3))
        for client in (hers, his, anybodys):
            await client.until(1)
        # All of them are asked for at once, again and again.
        await until(lambda: database.asked[-2:] == [{ANNA, BO}] * 2)
        database.fallen.add(ANNA)
        await hers.end()
        assert (hers.parts, hers.is_whole) == ([BEGINNING, b""], True)
        database.events.append(event(5))
        hint(app)
        for client in (his, anybodys):
            await client.until(2)
            assert told(client.parts[1]) == [("5", "entry")]
            assert not client.is_whole
            client.left.set()
            await client.end()
        assert hers.parts == [BEGINNING, b""]

    run(scenario, Django(stream_of(access=ANNA), stream_of(access=BO), stream_of()))


def test_what_happens_after_a_stream_is_turned_away_is_not_told_by_it(database, monkeypatch):
    monkeypatch.setattr(hub, "ASKS_EVERY", 0.05)
    database.fallen.add(ANNA)

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(1)
        await asyncio.sleep(0)
        for watch in app._hub._all_watches():
            watch.turn_away()
        database.events.append(event(5))
        await client.end()
        assert client.parts == [BEGINNING, b""]
        assert database.readings == []

    run(scenario, Django(stream_of(access=ANNA)))


def test_a_page_that_waits_is_asked_for_again_when_what_it_was_asked_by_has_ended(database, monkeypatch):
    monkeypatch.setattr(hub, "ASKS_EVERY", 0.05)
    database.fallen.add(ANNA)
    refused = (403, [(b"content-type", b"application/problem+json")], b"{}")

    async def scenario(app):
        client = Connection(app, PATH, "after=4&wait=60")
        await client.end()
        assert (client.status, client.parts) == (403, [b"{}"])

    run(scenario, Django(wait_of(access=ANNA), (refused, None)))


def test_streams_go_on_where_it_cannot_be_asked(database, monkeypatch, caplog):
    monkeypatch.setattr(hub, "ASKS_EVERY", 0.05)
    database.fails = 1

    async def scenario(app):
        client = Connection(app, PATH)
        await client.until(1)
        await until(lambda: len(database.asked) > 1)
        assert not client.is_whole
        client.left.set()
        await client.end()

    run(scenario, Django(stream_of(access=ANNA)))
    assert [record.getMessage() for record in caplog.records] == ["streams cannot ask: OperationalError"]


def test_it_is_asked_every_two_seconds():
    assert hub.ASKS_EVERY == 2
