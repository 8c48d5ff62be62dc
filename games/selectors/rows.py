"""Games as they are stored: one row with its seats, and the entries of its log after a known ply, read in one
statement and so from one snapshot."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from msgspec import Struct

from accounts.selectors.sanctions import suspension_sql
from games.catalog import AnyRules, rules_for
from games.clock import MILLISECOND, Clock, Rate, Times
from games.rules.contract import Outcome
from games.table import Ending, Kind


class SeatRow(Struct, frozen=True):
    """Who sits where."""

    number: int
    player: UUID
    username: str
    display_name: str


class EntryRow(Struct, frozen=True):
    """An entry of the log as it is stored. Only what a player has asked for has `by`, and of that plays and undos
    `base` and `request_n`."""

    ply: int
    kind: Kind
    seat: int | None
    by: UUID | None
    base: int | None
    request_n: int | None
    body: Any
    at: datetime


class ResultRow(Struct, frozen=True):
    """What a seat came to."""

    place: int
    result: str
    score: int


class SummaryRow(Struct, frozen=True):
    """A game as of `now`, the database's time of reading; `sealed` says whether what it hides is hidden from all
    even when it is over, since others play the same deal."""

    id: UUID
    owner: UUID
    ruleset: str
    rules_version: int
    shuffle_version: int
    options: Any
    seat_count: int
    visibility: str
    commitment: str | None
    status: str
    ending: Ending | None
    ply: int
    to_act: tuple[int, ...]
    left: tuple[int, ...]
    undos: int
    variant: str | None
    rated: bool
    daily: UUID | None
    sealed_until: datetime | None
    sealed: bool
    voided: bool
    clock: Clock | None
    abandon_after: int
    deadlines: tuple[datetime | None, ...]
    remaining: tuple[int, ...]
    abandoned_at: datetime | None
    event_seq: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    seats: tuple[SeatRow, ...]
    results: tuple[ResultRow, ...]
    now: datetime

    @property
    def rules(self) -> AnyRules:
        """The rules that the game was begun with."""
        return rules_for(self.ruleset, self.rules_version)

    @property
    def has_ended(self) -> bool:
        """Whether it was begun and is over, with a result or without."""
        return self.status in ("finished", "abandoned")

    @property
    def is_done(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.has_ended or self.status == "cancelled"

    @property
    def rate(self) -> Rate:
        """What its times follow from."""
        return Rate(self.clock, timedelta(seconds=self.abandon_after))

    @property
    def times(self) -> Times:
        """Its times as they stand."""
        remaining = tuple(left * MILLISECOND for left in self.remaining)
        return Times(self.deadlines, remaining, self.abandoned_at)

    @property
    def is_due(self) -> bool:
        """Whether something must be settled before anything else is done."""
        due_at = self.times.due_at
        return due_at is not None and due_at < self.now

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, from its results."""
        if not self.results:
            return None
        return msgspec.convert(
            {
                "place": [result.place for result in self.results],
                "result": [result.result for result in self.results],
                "score": [result.score for result in self.results],
            },
            Outcome,
        )


class Freshness(Struct, frozen=True):
    """All that changes in a game's answer changes with these, for one viewer."""

    ply: int
    status: str
    visibility: str
    sealed: bool
    event_seq: int
    seats: tuple[SeatRow, ...]
    viewer: UUID | None


class GameRow(SummaryRow, frozen=True, kw_only=True):
    """A game with its log: `entries` start at the ply that was asked for, and `deck` is there only where that
    ply is 0."""

    entries: tuple[EntryRow, ...]
    deck: tuple[str, ...] | None

    def __repr__(self) -> str:
        return f"<GameRow {self.id} at ply {self.ply}>"


_SEATS = """ARRAY(
        SELECT json_build_object('number', s.number, 'player', s.player_id, 'username', p.username,
                                  'display_name', p.display_name)
        FROM games_seat s JOIN accounts_player p ON p.id = s.player_id
        WHERE s.game_id = g.id ORDER BY s.number)"""

SEALED_GAME = "coalesce({0}.sealed_until > games_now(), false)"
SEALED = SEALED_GAME.format("g")

SUMMARY = f"""
    'id', g.id, 'owner', g.owner_id, 'ruleset', g.ruleset, 'rules_version', g.rules_version,
    'shuffle_version', g.shuffle_version,
    'options', g.options, 'seat_count', g.seat_count, 'visibility', g.visibility,
    'commitment', g.commitment, 'status', g.status, 'ply', g.ply, 'to_act', g.to_act, 'left', g."left",
    'ending', CASE WHEN g.status = 'finished' THEN coalesce(g.ending, 'played_out') ELSE g.ending END,
    'undos', g.undos, 'variant', g.variant, 'rated', g.rated, 'daily', g.daily_id,
    'sealed_until', g.sealed_until, 'sealed', {SEALED},
    'voided', g.status = 'finished' AND EXISTS (SELECT FROM games_voiding v WHERE v.game_id = g.id),
    'clock', g.clock,
    'abandon_after', extract(epoch FROM g.abandon_after)::bigint,
    'deadlines', g.deadlines, 'remaining', g.remaining, 'abandoned_at', g.abandoned_at, 'event_seq', g.event_seq,
    'created_at', g.created_at, 'started_at', g.started_at, 'ended_at', g.ended_at,
    'seats', {_SEATS},
    'results', ARRAY(
        SELECT json_build_object('place', r.place, 'result', r.result, 'score', r.score)
        FROM games_result r WHERE r.game_id = g.id AND g.status = 'finished' ORDER BY r.seat),
    'now', games_now()
"""  # noqa: S608 - of constants
"""A game row without its log, as the arguments of `json_build_object`."""

_WHOLE = f"""json_build_object({SUMMARY},
    'entries', ARRAY(
        SELECT json_build_object('ply', m.ply, 'kind', m.kind, 'seat', m.seat, 'by', m.by_id, 'base', m.base,
                                  'request_n', m.request_n, 'body', m.body, 'at', m.at)
        FROM games_move m WHERE m.game_id = g.id AND m.ply >= %(known)s ORDER BY m.ply),
    'deck', CASE WHEN %(known)s = 0 THEN (SELECT d.deck FROM games_deal d WHERE d.game_id = g.id) END
)::text"""  # noqa: S608 - of constants

_GAME = f"SELECT {_WHOLE} FROM games_game g WHERE g.id = %(game_id)s"  # noqa: S608 - of constants

_GAMES = f"SELECT {_WHOLE} FROM games_game g WHERE g.id = ANY(%(game_ids)s)"  # noqa: S608 - of constants

_SUMMARIES = f"SELECT json_build_object({SUMMARY})::text"

# A token whose use is to be noted is left to the full authentication, and so is that of a suspended player.
_OF_VIEWER = f"""
FROM accounts_apitoken t JOIN accounts_player a ON a.id = t.player_id, games_game g
WHERE t.digest = %(token_digest)s AND t.revoked_at IS NULL AND a.is_active
  AND t.last_used_at > now() - interval '1 hour' AND g.id = %(game_id)s
  AND NOT EXISTS ({suspension_sql("a")})
"""

_GAME_FOR_VIEWER = f"SELECT {_WHOLE}, t.player_id {_OF_VIEWER}"

# Little is read, since this is asked again and again.
_FRESHNESS = f"""
SELECT json_build_object('ply', g.ply, 'status', g.status, 'visibility', g.visibility,
                         'sealed', {SEALED}, 'event_seq', g.event_seq,
                         'seats', {_SEATS}, 'viewer', t.player_id)::text {_OF_VIEWER}
"""

_decoder = msgspec.json.Decoder(GameRow)
_summary_decoder = msgspec.json.Decoder(SummaryRow)
_freshness_decoder = msgspec.json.Decoder(Freshness)


def game_row(*, game_id: UUID, known: int) -> GameRow | None:
    """The game with its log from ply `known` on, or None."""
    with connection.cursor() as cursor:
        cursor.execute(_GAME, {"game_id": game_id, "known": known})
        found = cursor.fetchone()
    return _decoder.decode(found[0]) if found else None


def game_rows(*, game_ids: Sequence[UUID]) -> dict[UUID, GameRow]:
    """Games with their whole logs, by id."""
    with connection.cursor() as cursor:
        cursor.execute(_GAMES, {"game_ids": list(game_ids), "known": 0})
        rows = [_decoder.decode(row[0]) for row in cursor.fetchall()]
    return {row.id: row for row in rows}


def game_row_for_token(*, game_id: UUID, token_digest: bytes, known: int) -> tuple[GameRow, UUID] | None:
    """The same with the player of a live token, in one statement. None where there is no such game or token, and
    for a token whose last use is an hour ago."""
    with connection.cursor() as cursor:
        cursor.execute(_GAME_FOR_VIEWER, {"game_id": game_id, "token_digest": token_digest, "known": known})
        found = cursor.fetchone()
    return (_decoder.decode(found[0]), found[1]) if found else None


def freshness_for_token(*, game_id: UUID, token_digest: bytes) -> Freshness | None:
    """What a game's answer to a live token's player depends on; None likewise."""
    with connection.cursor() as cursor:
        cursor.execute(_FRESHNESS, {"game_id": game_id, "token_digest": token_digest})
        found = cursor.fetchone()
    return _freshness_decoder.decode(found[0]) if found else None


class GameFilter(Struct, frozen=True):
    """Which games: each condition that is given must hold. `joinable` are public games with a free seat for
    the player, `my_turn` those that wait for the player, `unfinished` those that are open or running."""

    ruleset: str | None = None
    status: str | None = None
    mine: bool = False
    my_turn: bool = False
    joinable: bool = False
    unfinished: bool = False


def summary_rows(
    *, player_id: UUID | None, wanted: GameFilter, before: UUID | None, limit: int
) -> list[SummaryRow]:
    """The games that the player may see and that are wanted, newest first, from below the id `before` on."""
    seated = "EXISTS (SELECT FROM games_seat me WHERE me.game_id = g.id AND me.player_id = %(player_id)s)"
    if wanted.mine or wanted.my_turn:
        # From the seats, so that it costs as much as the player has games, not as much as there are.
        source = "games_seat me JOIN games_game g ON g.id = me.game_id"
        key, conditions = "me.game_id", ["me.player_id = %(player_id)s"]
    else:
        source, key = "games_game g", "g.id"
        conditions = [f"(g.visibility = 'public' AND NOT {SEALED} OR {seated})"]
    if wanted.my_turn:
        conditions.append("g.status = 'running' AND me.number = ANY (g.to_act)")
    if wanted.joinable:
        free = "(SELECT count(*) FROM games_seat s WHERE s.game_id = g.id) < g.seat_count"
        conditions.append(f"g.status = 'open' AND g.visibility = 'public' AND {free} AND NOT {seated}")
    if wanted.unfinished:
        conditions.append("g.status IN ('open', 'running')")
    if wanted.ruleset is not None:
        conditions.append("g.ruleset = %(ruleset)s")
    if wanted.status is not None:
        conditions.append("g.status = %(status)s")
    if before is not None:
        conditions.append(f"{key} < %(before)s")
    sql = f"{_SUMMARIES} FROM {source} WHERE {' AND '.join(conditions)} ORDER BY {key} DESC LIMIT %(limit)s"
    with connection.cursor() as cursor:
        cursor.execute(
            sql,
            {
                "player_id": player_id,
                "ruleset": wanted.ruleset,
                "status": wanted.status,
                "before": before,
                "limit": limit,
            },
        )
        return [_summary_decoder.decode(row[0]) for row in cursor.fetchall()]
