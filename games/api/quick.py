"""Quick answers to clients that ask again and again how a game stands.

Where a token's player asks in the plainest way, one statement finds both the player and the game, and the answer
is given before DRF begins: 304 if the client names the tag of what it has, else the game. Whatever is not plainly
so (a bad token, a session, a game that is not to be seen, a page for people, too many requests) is left to the
view.
"""

from hashlib import sha256
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags

from accounts.request_rate import within_rate
from accounts.tokens import digest
from cardsite.http import VARIES_BY
from games.api.shapes import GameDetail, GameSummary, game_detail, game_summary
from games.selectors.access import may_see, seat_of
from games.selectors.rows import Freshness, SummaryRow, freshness_for_token
from games.selectors.seen import position_seen
from games.selectors.tables import Table, table_read_for_token
from games.words import asked_language

JSON = "json"
VARY = ", ".join(("Accept", *VARIES_BY))


def quick_answer(request: HttpRequest, game_id: UUID) -> HttpResponse | None:
    """The game as the token's player sees it, 304 where the client has the newest, or None for the view."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if request.method != "GET" or scheme.lower() != "bearer":
        return None
    if request.headers.get("Accept", "*/*") not in ("*/*", "application/json") or request.GET:
        return None
    token, known = digest(secret.strip()), request.headers.get("If-None-Match")
    if known is None:
        return _game(game_id, token)
    found = freshness_for_token(game_id=game_id, token_digest=token)
    if found is None or not may_see(found, found.viewer):
        return None
    etag = etag_of(game_id, found)
    if not names(known, etag):
        return _game(game_id, token)
    return HttpResponseNotModified(headers=_headers(etag)) if within_rate(str(found.viewer)) else None


def _game(game_id: UUID, token: bytes) -> HttpResponse | None:
    table, viewer = table_read_for_token(game_id=game_id, token_digest=token)
    if table is None or not may_see(table.row, viewer) or not within_rate(str(viewer)):
        return None
    body = msgspec.json.encode(detail(table, game_summary(table.row, viewer)))
    etag = etag_of(game_id, freshness_of(table.row, viewer))
    return HttpResponse(body, content_type="application/json", headers=_headers(etag))


def _headers(etag: str) -> dict[str, str]:
    return {
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "Vary": VARY,
    }


def detail(table: Table, summary: GameSummary) -> GameDetail:
    """A game with its position, if it has one, for the viewer of the summary."""
    row = table.row
    started = row.started_at is not None
    return game_detail(summary, position_seen(row, table.position, summary.your_seat) if started else None)


def freshness_of(row: SummaryRow, viewer: UUID | None) -> Freshness:
    """What a game's answer depends on, of a row that was read whole."""
    return Freshness(row.ply, row.status, row.visibility, row.sealed, row.event_seq, row.seats, viewer)


def etag_of(game_id: UUID, freshness: Freshness) -> str:
    """The tag of a game's answer: the same for all who see it from the same place, in the same language."""
    seat = seat_of(freshness, freshness.viewer)
    shown = msgspec.json.encode(
        [
            game_id,
            freshness.ply,
            freshness.status,
            freshness.sealed,
            freshness.event_seq,
            freshness.seats,
            seat,
            asked_language(),
        ]
    )
    return f'"{sha256(shown).hexdigest()[:32]}"'


def names(if_none_match: str, etag: str) -> bool:
    """Whether the client says that it has this answer; tags are compared weakly (RFC 9110, 13.1.2)."""
    known = parse_etags(if_none_match)
    return known == ["*"] or any(tag.removeprefix("W/") == etag for tag in known)
