"""Events as viewers are told them: of one game by their numbers, of all games of a player by transaction.

The events of many games have no common number. They are read in the order of their transactions, and only
below the oldest transaction that is still open, so that one which commits late is not passed over."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

import msgspec
from django.db import connection
from msgspec import Struct

from cardsite.jsonbody import Timestamp, timestamp
from games.catalog import rules_for
from games.rules.contract import Outcome
from games.selectors.seen import SeenEntry, entry_text
from games.table import MOVES, Ending
from games.words import told


class Cursor(Struct, frozen=True):
    """A place among the events of all games: those after it are of a later transaction, or of this one and then of
    a later game or number. Without these it is after all of the transaction."""

    txid: int
    game: UUID = UUID(int=2**128 - 1)
    seq: int = 0

    def __str__(self) -> str:
        return f"{self.txid}.{self.game.hex}.{self.seq}"


class EventRow(Struct, frozen=True):
    """An event as it is stored, with what is needed to tell of it; `player` is the name of who did it, `seat` that
    of the player whose events were asked for."""

    game: UUID
    ruleset: str
    rules_version: int
    seq: int
    txid: int
    kind: str
    body: dict[str, Any]
    seen: dict[str, dict[str, Any]] | None
    at: datetime
    player: str | None
    seat: int | None = None

    def __repr__(self) -> str:
        return f"<EventRow {self.seq} of {self.game}>"

    @property
    def cursor(self) -> Cursor:
        """Its place among the events of all games."""
        return Cursor(self.txid, self.game, self.seq)


class _Told(Struct, frozen=True, kw_only=True, tag_field="type"):
    game: str
    seq: int
    at: Timestamp


class CreatedEvent(_Told, frozen=True, kw_only=True, tag="created"):
    """The game was made."""


class JoinedEvent(_Told, frozen=True, kw_only=True, tag="joined"):
    """A seat was taken."""

    seat: int
    player: str | None


class LeftEvent(_Told, frozen=True, kw_only=True, tag="left"):
    """A seat was given up before the start."""

    seat: int
    player: str | None


class StartedEvent(_Told, frozen=True, kw_only=True, tag="started"):
    """The cards were dealt. `deadlines` are by seat, where there is a clock: until when it must act."""

    to_act: tuple[int, ...]
    deadlines: tuple[Timestamp | None, ...]


class EntryEvent(_Told, frozen=True, kw_only=True, tag="entry"):
    """The log has grown: the entry as the viewer saw it, and what then holds. `ply` is how many entries there
    are."""

    ply: int
    to_act: tuple[int, ...]
    deadlines: tuple[Timestamp | None, ...]
    entry: SeenEntry


class EndedEvent(_Told, frozen=True, kw_only=True, tag="ended"):
    """The game is over; `outcome` is null where it was closed without a result."""

    ending: Ending
    outcome: Outcome | None


class CancelledEvent(_Told, frozen=True, kw_only=True, tag="cancelled"):
    """The game will not be started."""


class VoidedEvent(_Told, frozen=True, kw_only=True, tag="voided"):
    """The game, which was over, counts for nothing any more."""


ToldEvent: TypeAlias = (
    CreatedEvent
    | JoinedEvent
    | LeftEvent
    | StartedEvent
    | EntryEvent
    | EndedEvent
    | CancelledEvent
    | VoidedEvent
)
PLAIN: dict[str, Any] = {
    "created": CreatedEvent,
    "joined": JoinedEvent,
    "left": LeftEvent,
    "started": StartedEvent,
    "ended": EndedEvent,
    "cancelled": CancelledEvent,
    "voided": VoidedEvent,
}


_ROW = """
    'game', e.game_id, 'ruleset', g.ruleset, 'rules_version', g.rules_version, 'seq', e.seq,
    'txid', e.txid::text::bigint,
    'kind', e.kind, 'body', e.body, 'seen', e.seen, 'at', e.at, 'player', p.username
"""
_WHO = "LEFT JOIN accounts_player p ON p.id = (e.body->>'player')::uuid"
_OF_GAME = f"""
SELECT json_build_object({_ROW})::text FROM games_event e JOIN games_game g ON g.id = e.game_id {_WHO}
WHERE e.game_id = %(game_id)s AND e.seq > %(after)s ORDER BY e.seq LIMIT %(limit)s
"""  # noqa: S608 - of constants
# By the player's games: it costs as much as there are of these, not as much as has happened elsewhere.
_OF_PLAYER = f"""
SELECT json_build_object({_ROW}, 'seat', s.number)::text
FROM games_seat s JOIN games_game g ON g.id = s.game_id AND g.event_txid >= %(txid)s::text::xid8
JOIN games_event e ON e.game_id = g.id AND e.seq >= s.since_seq {_WHO}
WHERE s.player_id = %(player_id)s AND (e.txid, e.game_id, e.seq) > (%(txid)s::text::xid8, %(game)s::uuid, %(seq)s)
  AND e.txid < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY e.txid, e.game_id, e.seq LIMIT %(limit)s
"""  # noqa: S608 - of constants

_decoder = msgspec.json.Decoder(EventRow)


def events_of_game(*, game_id: UUID, after: int, limit: int) -> list[EventRow]:
    """The events of a game after a number, in order."""
    return _read(_OF_GAME, {"game_id": game_id, "after": after, "limit": limit})


def events_of_player(*, player_id: UUID, after: Cursor, limit: int) -> list[EventRow]:
    """The events of the games in which a player sits, each game's from when the player sat down, in order."""
    where = {"txid": str(after.txid), "game": after.game, "seq": after.seq}
    return _read(_OF_PLAYER, {"player_id": player_id, **where, "limit": limit})


def newest_cursor() -> Cursor:
    """The place before which everything has been told that can be."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1")
        return Cursor(cursor.fetchone()[0])


def games_with_events(*, known: Collection[tuple[UUID, int]]) -> set[tuple[UUID, int]]:
    """Of games and numbers those where the game has an event after the number."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT k.id, k.seq FROM unnest(%s::uuid[], %s::int[]) AS k (id, seq) JOIN games_game g USING (id) "
            "WHERE g.event_seq > k.seq",
            ([game_id for game_id, _ in known], [seq for _, seq in known]),
        )
        return set(cursor.fetchall())


# A game's last event says whether there is anything new, and spares a look at the others.
_WITH_EVENTS = """
SELECT DISTINCT k.id, k.txid::bigint, k.game, k.seq
FROM unnest(%s::uuid[], %s::text[], %s::uuid[], %s::bigint[]) AS k (id, txid, game, seq)
JOIN games_seat s ON s.player_id = k.id JOIN games_game g ON g.id = s.game_id
WHERE (g.event_txid, g.id, g.event_seq) > (k.txid::xid8, k.game, k.seq) AND EXISTS (
    SELECT FROM games_event e
    WHERE e.game_id = g.id AND e.seq >= s.since_seq
      AND (e.txid, e.game_id, e.seq) > (k.txid::xid8, k.game, k.seq)
      AND e.txid < pg_snapshot_xmin(pg_current_snapshot()))
"""


def players_with_events(*, known: Collection[tuple[UUID, Cursor]]) -> set[tuple[UUID, Cursor]]:
    """Of players and places those where the player can be told an event after the place."""
    places = [place for _, place in known]
    with connection.cursor() as cursor:
        cursor.execute(
            _WITH_EVENTS,
            (
                [player_id for player_id, _ in known],
                [str(place.txid) for place in places],
                [place.game for place in places],
                [place.seq for place in places],
            ),
        )
        return {(player_id, Cursor(*place)) for player_id, *place in cursor.fetchall()}


def _read(sql: str, given: dict[str, Any]) -> list[EventRow]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return [_decoder.decode(row[0]) for row in cursor.fetchall()]


def event_told(row: EventRow, seat: int | None) -> ToldEvent:
    """An event as a seat, or a spectator, was told it; its words in the asked language."""
    head: dict[str, Any] = {"game": str(row.game), "seq": row.seq, "at": timestamp(row.at)}
    if row.kind != "entry":
        body = {"type": row.kind, **head, **row.body}
        if "player" in body:
            body["player"] = row.player
        event: ToldEvent = msgspec.convert(body, PLAIN[row.kind])
        return event
    body = row.body | (row.seen or {}).get(str(seat), {})
    return EntryEvent(
        **head,
        ply=body["ply"] + 1,
        to_act=tuple(body["to_act"]),
        deadlines=tuple(body["deadlines"]),
        entry=SeenEntry(
            ruleset=row.ruleset,
            ply=body["ply"],
            kind=body["kind"],
            seat=body["seat"],
            player=row.player,
            at=body["at"],
            move=body["move"],
            notation=body["notation"],
            events=body["events"],
            text=_text(row, body),
        ),
    )


def _text(row: EventRow, body: dict[str, Any]) -> str:
    if body["kind"] not in MOVES:
        return entry_text(body["kind"], body["seat"])
    rules = rules_for(row.ruleset, row.rules_version)
    move = msgspec.convert(body["move"], rules.Seen or rules.Move)
    return told(rules.describe(body["seat"], move, msgspec.convert(body["events"], rules.Events)))
