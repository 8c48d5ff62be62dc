"""The quick answer that a game has not changed.

Clients ask again and again whether anything happened. Where one names the tag of what it has, this answers 304
from one statement, before DRF begins. Whatever is not plainly so (another tag, a bad token, a session, a page
for people) is left to the view.
"""

from hashlib import sha256
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponseNotModified
from django.utils.http import parse_etags

from accounts.tokens import digest
from games.selectors.access import may_see, seat_of
from games.selectors.rows import Freshness, SummaryRow, freshness_for_token

JSON = "json"


def unchanged(request: HttpRequest, game_id: UUID) -> HttpResponseNotModified | None:
    """304 for a token's player whose copy of the game is the newest, else None."""
    known = request.headers.get("If-None-Match")
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if request.method != "GET" or known is None or scheme.lower() != "bearer":
        return None
    if request.headers.get("Accept", "*/*") not in ("*/*", "application/json") or request.GET:
        return None
    found = freshness_for_token(game_id=game_id, token_digest=digest(secret.strip()))
    if found is None or not may_see(found, found.viewer):
        return None
    etag = etag_of(game_id, found)
    if not names(known, etag):
        return None
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Vary": "Accept, Authorization, Cookie"}
    return HttpResponseNotModified(headers=headers)


def freshness_of(row: SummaryRow, viewer: UUID | None) -> Freshness:
    """The same of a row that was read whole."""
    return Freshness(row.ply, row.status, row.visibility, row.seats, viewer)


def etag_of(game_id: UUID, freshness: Freshness) -> str:
    """The tag of a game's answer: the same for all who see it from the same place."""
    seat = seat_of(freshness, freshness.viewer)
    shown = msgspec.json.encode([game_id, freshness.ply, freshness.status, freshness.seats, seat])
    return f'"{sha256(shown).hexdigest()[:32]}"'


def names(if_none_match: str, etag: str) -> bool:
    """Whether the client says that it has this answer; tags are compared weakly (RFC 9110, 13.1.2)."""
    known = parse_etags(if_none_match)
    return known == ["*"] or any(tag.removeprefix("W/") == etag for tag in known)
