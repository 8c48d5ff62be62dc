"""The games API: games step by step, and games to take away."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_id_of
from cardsite.formats import JSONRenderer
from cardsite.http import ApiView, next_page, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import Problem
from games.api import shapes
from games.api.play import LAST_INDEX
from games.api.views import Limit
from games.proofs import Proof
from games.selectors.lookup import Viewer, replay_page
from games.selectors.proofs import notation_lookup, proof_lookup


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page; `cursor` is the ply of its first position. With whose eyes, `seat`."""

    cursor: Annotated[int, Meta(ge=0, le=LAST_INDEX)] = 0
    limit: Limit = 50
    seat: Viewer | None = None


class Notation(BaseRenderer):
    """A game's moves in the notation of its rule set. The view gives the text."""

    media_type = "text/plain"
    format = "notation"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return str(data).encode()


class ExportView(ApiView):
    """A game to take away."""

    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer, Notation)

    @operation(
        "export",
        "Take a game that is over away: as the record that its proof is, or as text/plain in its notation",
        answers={200: Proof},
        problems=("not_found", "not_started", "not_disclosed"),
        access="anyone",
        text=True,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        player_id = player_id_of(request)
        if request.accepted_renderer.format == Notation.format:
            text = notation_lookup(game_id=game_id, player_id=player_id)
            if text is None:
                raise Problem("not_acceptable", "The rule set has no notation; ask for application/json.")
            named = f'attachment; filename="{game_id}.txt"'
            return Response(text, headers={"Content-Disposition": named})
        proof = proof_lookup(game_id=game_id, player_id=player_id)
        name = f"{proof.ruleset}-{proof.game}.json"
        return Response(proof, headers={"Content-Disposition": f'attachment; filename="{name}"'})


class ReplayView(ApiView):
    """A game step by step."""

    permission_classes = (AllowAny,)

    @operation(
        "replay",
        "Step through a game: every position with the entry that led to it and words for it, as one may see them, "
        "or as a seat saw them",
        query=Query(ReplayQuery),
        answers={200: shapes.Replay},
        problems=("not_found", "not_started", "not_disclosed"),
        access="anyone",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        query = read_query(request, ReplayQuery)
        page = replay_page(
            game_id=game_id,
            player_id=player_id_of(request),
            viewer=query.seat,
            first=query.cursor,
            limit=query.limit,
        )
        frames = [shapes.ReplayFrame(frame.entry, frame.position) for frame in page.frames]
        return Response(shapes.Replay(page.ply, frames, next_page(request, page.following)))
