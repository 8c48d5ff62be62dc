"""The games API: being told what happens, by pages that wait or by a stream."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, cast
from uuid import UUID

import msgspec
from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_id_of, player_of
from accounts.authentication import (
    SessionAuthentication,
    TicketAuthentication,
    TokenAuthentication,
    access_of,
)
from accounts.request_rate import client_address
from accounts.selectors.accesses import Access
from cardsite.formats import JSONRenderer
from cardsite.http import ApiView, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import Problem, malformed
from games.api import shapes
from games.api.hub import Key
from games.api.quick import detail
from games.api.views import Limit
from games.selectors.access import seat_of, table_seen
from games.selectors.rows import GameFilter, summary_rows
from games.selectors.told import (
    Cursor,
    EventRow,
    event_told,
    events_of_game,
    events_of_player,
    newest_cursor,
)
from games.words import asked_language

FOLLOW = "cardsite.follow"
LAST = ("ended", "cancelled", "voided")
LONGEST_WAIT = 60
RETRY = b"retry: 1000\n\n"  # milliseconds after which a browser comes back

Wait = Annotated[
    int, Meta(ge=0, le=LONGEST_WAIT, description="Seconds to wait for an event if there is none.")
]
Ticket = Annotated[str, Meta(max_length=200, description="A stream ticket in place of a token.")]
_NUMBER = re.compile("[0-9]{1,9}")
_CURSOR = re.compile(r"([0-9]{1,18})(?:\.([0-9a-f]{32})\.([0-9]{1,10}))?")


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page: of the events after the number `after`."""

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    limit: Limit = 100
    wait: Wait = 0
    ticket: Ticket | None = None


class MyEventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page: of the events after the place `after`, which is `last` of a page before; from now on
    without it."""

    after: Annotated[str, Meta(pattern=f"^{_CURSOR.pattern}$", max_length=64)] | None = None
    limit: Limit = 100
    wait: Wait = 0
    ticket: Ticket | None = None


class Following(Struct, frozen=True):
    """What is gone on with after the view's answer: whose events, from where on, as whom they are told, and for as
    long as `access` stands, where it is needed; as a stream, or as a page that is waited for."""

    streams: bool
    key: Key
    known: int | Cursor
    seat: int | None
    viewer: UUID | None
    asker: str
    language: str
    access: Access | None = None


class EventStream(BaseRenderer):
    """Server-Sent Events. The view gives the messages as bytes."""

    media_type = "text/event-stream"
    format = "events"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return cast(bytes, data or b"")


class _ToldView(ApiView):
    authentication_classes = (TokenAuthentication, TicketAuthentication, SessionAuthentication)
    renderer_classes = (JSONRenderer, EventStream)


class EventsView(_ToldView):
    """What has happened at a game."""

    permission_classes = (AllowAny,)

    @operation(
        "events",
        "Read a game's events as one was told them, or follow them",
        query=Query(EventsQuery),
        answers={200: shapes.EventPage, 204: None},
        problems=("not_found", "ahead"),
        access="anyone",
        stream=f"^{_NUMBER.pattern}$",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        query = read_query(request, EventsQuery)
        after = _last_number(request, query.after)
        player_id = player_id_of(request)
        table = table_seen(game_id=game_id, player_id=player_id)
        seat = seat_of(table.row, player_id)
        if after is not None and after > table.row.event_seq:
            raise Problem(
                "ahead", f"The game has come to event {table.row.event_seq}.", seq=table.row.event_seq
            )
        if _streams(request) and after is None:
            known, over = table.row.event_seq, table.row.is_done
            shown = detail(table, shapes.game_summary(table.row, player_id))
            content = RETRY + message("game", known, shown)
        else:
            rows = events_of_game(game_id=game_id, after=after or 0, limit=query.limit)
            # What came after the table was read may be of another seating.
            rows = [row for row in rows if row.seq <= table.row.event_seq]
            known = rows[-1].seq if rows else after or 0
            over = rows[-1].kind in LAST if rows else table.row.is_done
            if _streams(request):
                if over and not rows:
                    return Response(status=204)
                content = RETRY + messages_of_game(rows, seat)
            else:
                items = [event_told(row, seat) for row in rows]
                if not items and not over:
                    _follow(request, ("game", game_id), known, seat)
                return Response(shapes.EventPage(items, known))
        if not over:
            _follow(request, ("game", game_id), known, seat)
        return Response(content, headers={"X-Accel-Buffering": "no"})


class MyEventsView(_ToldView):
    """What has happened at one's own games."""

    permission_classes = (IsAuthenticated,)

    @operation(
        "my_events",
        "Read the events of all of one's games as one was told them, or follow them",
        query=Query(MyEventsQuery),
        answers={200: shapes.MyEventPage},
        stream=f"^{_CURSOR.pattern}$",
    )
    def get(self, request: Request) -> Response:
        query, player_id = read_query(request, MyEventsQuery), player_of(request).id
        after = _last_cursor(request, query.after)
        key: Key = ("player", player_id)
        if after is None:
            known, rows = newest_cursor(), list[EventRow]()
        else:
            rows = events_of_player(player_id=player_id, after=after, limit=query.limit)
            known = rows[-1].cursor if rows else after
        if not _streams(request):
            # Who has no place to wait from is given one at once.
            if not rows and after is not None:
                _follow(request, key, known, None)
            return Response(shapes.MyEventPage([event_told(row, row.seat) for row in rows], str(known)))
        content = RETRY + messages_of_player(rows)
        if after is None:
            wanted = GameFilter(mine=True, unfinished=True)
            games = summary_rows(player_id=player_id, wanted=wanted, before=None, limit=100)
            page = shapes.GamePage([shapes.game_summary(row, player_id) for row in games], next=None)
            content += message("games", known, page)
        _follow(request, key, known, None)
        return Response(content, headers={"X-Accel-Buffering": "no"})


def _streams(request: Request) -> bool:
    return request.accepted_renderer.format == EventStream.format


def _follow(request: Request, key: Key, known: int | Cursor, seat: int | None) -> None:
    """Leave word for the server, where it can follow, of how the stream goes on."""
    viewer = player_id_of(request)
    asker = str(viewer or client_address(request))
    followed = request.META.get(FOLLOW)
    if followed is not None:
        streams, language = _streams(request), asked_language()
        followed.append(
            Following(streams, key, known, seat, viewer, asker, language, access=access_of(request))
        )


def _last_number(request: Request, after: int | None) -> int | None:
    given = request.headers.get("Last-Event-ID")
    if given is None:
        return after
    if not _NUMBER.fullmatch(given):
        raise malformed("not the number of an event", "Last-Event-ID")
    return int(given)


def _last_cursor(request: Request, after: str | None) -> Cursor | None:
    given = request.headers.get("Last-Event-ID", after)
    if given is None:
        return None
    found = _CURSOR.fullmatch(given)
    if not found:
        raise malformed("not a place among one's events", "after" if given is after else "Last-Event-ID")
    return Cursor(int(found[1]), UUID(found[2]), int(found[3])) if found[2] else Cursor(int(found[1]))


def messages_of_game(rows: Iterable[EventRow], seat: int | None) -> bytes:
    """Events of a game as a seat, or a spectator, was told them, as messages of a stream."""
    return b"".join(message(row.kind, row.seq, event_told(row, seat)) for row in rows)


def messages_of_player(rows: Iterable[EventRow]) -> bytes:
    """Events of a player's games, each as that player's seat was told it."""
    return b"".join(message(row.kind, row.cursor, event_told(row, row.seat)) for row in rows)


def message(kind: str, number: int | Cursor, data: object) -> bytes:
    """One message of a stream."""
    return f"id: {number}\nevent: {kind}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"
