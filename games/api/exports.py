"""The games API: dumps of games that are over."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Literal
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.http import HttpResponse
from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.throttling import may_export
from cardsite.http import ApiView, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import malformed
from games.api.views import Limit
from games.catalog import CURRENT
from games.selectors.exports import EndedGame, ExportFilter, ended_games
from games.selectors.proofs import proofs_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = re.compile(r"([0-9]{1,17})\.([0-9a-f]{32})")


class ExportsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games: of a rule set, that were opened to all (ended, or the day of their deal was over) from
    `since` on and before `until`; and which page."""

    ruleset: Literal[tuple(CURRENT)] | None = None  # type: ignore[valid-type]
    since: Annotated[datetime, Meta(tz=True, description="As in 2026-11-01T00:00:00Z.")] | None = None
    until: Annotated[datetime, Meta(tz=True, description="Likewise.")] | None = None
    cursor: Annotated[str, Meta(pattern=f"^{_CURSOR.pattern}$")] | None = None
    limit: Limit = 100


class Ndjson(BaseRenderer):
    """One JSON value a line."""

    media_type = "application/x-ndjson"
    format = "ndjson"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        lines: Iterable[object] = data
        return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


class ExportsView(ApiView):
    """A dump, page by page: the last has no line, and the link before it leads on to what is over later."""

    permission_classes = (AllowAny,)
    renderer_classes = (Ndjson,)

    @operation(
        "exports",
        "Take public games that are over away, a proof a line, until a page has none",
        query=Query(ExportsQuery),
        answers={200: str},
        access="anyone",
        content_type=Ndjson.media_type,
    )
    def get(self, request: Request) -> HttpResponse:
        query = read_query(request, ExportsQuery)
        may_export(request)
        wanted = ExportFilter(query.ruleset, query.since, query.until)
        games = ended_games(wanted=wanted, after=_after(query.cursor), limit=query.limit)
        lines = Ndjson().render(proofs_of([game.id for game in games]))
        headers = {"Content-Digest": f"sha-256=:{b64encode(sha256(lines).digest()).decode()}:"}  # RFC 9530
        if games:
            # Also of a page that is not full: there it goes on when more games are over.
            last = games[-1]
            cursor = f"{(last.opened_at - EPOCH) // timedelta(microseconds=1)}.{last.id.hex}"
            following = urlencode({**request.query_params.dict(), "cursor": cursor})
            headers["Link"] = f'<{request.path}?{following}>; rel="next"'
        # Not left to the framework, which gives an empty page no type.
        return HttpResponse(lines, content_type=Ndjson.media_type, headers=headers)


def _after(cursor: str | None) -> EndedGame | None:
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)  # which, unlike `$`, lets no newline follow
    if found is None:
        raise malformed("not a cursor of this list", "cursor")
    return EndedGame(EPOCH + timedelta(microseconds=int(found[1])), UUID(hex=found[2]))
