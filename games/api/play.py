"""The games API: playing, and looking up what was played."""

from typing import Annotated
from uuid import UUID

from drf_spectacular.utils import PolymorphicProxySerializer
from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_id_of, player_of
from cardsite.http import ApiView, body_of, next_page, read_query
from cardsite.openapi import Query, operation
from games.api import shapes
from games.api.bodies import read_game_body
from games.api.views import Limit
from games.proofs import Proof
from games.selectors.lookup import Viewer, legal_moves_page, log_page, position_lookup
from games.selectors.proofs import proof_lookup
from games.services.playing import move_undo, moves_play

LAST_INDEX = 2**31 - 1


class LegalMovesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page; a cursor is of one ply."""

    cursor: Annotated[str, Meta(pattern=r"^[0-9]{1,9}\.[0-9]{1,9}$")] | None = None
    limit: Limit = 100


class LogQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page; `cursor` is the ply of its first entry."""

    cursor: Annotated[int, Meta(ge=0, le=LAST_INDEX)] = 0
    limit: Limit = 100


class PositionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With whose eyes, `seat`."""

    seat: Viewer | None = None


class LegalMovesView(ApiView):
    """One's own legal moves."""

    @operation(
        "legal_moves",
        "List the legal moves of one's own seat",
        query=Query(LegalMovesQuery),
        answers={
            200: PolymorphicProxySerializer(
                component_name="LegalMoves",
                serializers=list(shapes.LEGAL_MOVES.values()),
                resource_type_field_name=None,
            )
        },
        problems=("not_found", "not_seated", "not_started", "ply_changed"),
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        query = read_query(request, LegalMovesQuery)
        ply, index = map(int, query.cursor.split(".")) if query.cursor else (None, 0)
        page = legal_moves_page(
            game_id=game_id, player_id=player_of(request).id, ply=ply, index=index, limit=query.limit
        )
        cursor = None if page.following is None else f"{page.ply}.{page.following}"
        shown = shapes.LegalMovesPage(
            page.ruleset, page.ply, page.seat, page.total, page.moves, next_page(request, cursor)
        )
        return Response(shown)


class MovesView(ApiView):
    """The log: what was played, and what is played now."""

    permission_classes = (IsAuthenticatedOrReadOnly,)

    @operation(
        "log",
        "Read the log as one may see it",
        query=Query(LogQuery),
        answers={200: shapes.EntryPage},
        problems=("not_found", "not_started"),
        access="anyone",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        query = read_query(request, LogQuery)
        page = log_page(
            game_id=game_id, player_id=player_id_of(request), first=query.cursor, limit=query.limit
        )
        return Response(shapes.EntryPage(page.ply, page.entries, next_page(request, page.following)))

    @operation(
        "play",
        "Play a move, or several of one's own at once, all or none",
        request=shapes.MoveRequest,
        answers={201: shapes.PlayedShape, 200: shapes.PlayedShape},
        problems=(
            "not_found",
            "not_seated",
            "batch_reveals",
            "not_started",
            "ahead",
            "over",
            "overdue",
            "left",
            "stale",
            "turn",
            "form",
            "illegal",
        ),
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        played = moves_play(game_id=game_id, player=player_of(request), body=body_of(request))
        return Response(played, status=200 if played.repeated else 201)


class UndoView(ApiView):
    """Taking a move back."""

    @operation(
        "undo",
        "Take back the last move of a patience, where it showed nothing",
        request=shapes.Undo,
        answers={201: shapes.PlayedShape, 200: shapes.PlayedShape},
        problems=(
            "not_found",
            "not_seated",
            "not_started",
            "ahead",
            "over",
            "overdue",
            "stale",
            "no_undo",
        ),
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        wanted = read_game_body(body_of(request), shapes.Undo)
        undone = move_undo(game_id=game_id, player=player_of(request), base=wanted.ply)
        return Response(undone, status=200 if undone.repeated else 201)


class ProofView(ApiView):
    """The proof of a game."""

    permission_classes = (AllowAny,)

    @operation(
        "proof",
        "Get all that a game that is over was dealt from and all that was done in it, to verify it",
        answers={200: Proof},
        problems=("not_found", "not_started", "not_disclosed"),
        access="anyone",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        return Response(proof_lookup(game_id=game_id, player_id=player_id_of(request)))


class PositionView(ApiView):
    """A position of the game."""

    permission_classes = (AllowAny,)

    @operation(
        "position",
        "See the position after a number of entries of the log, as one may see it, or as a seat saw it",
        query=Query(PositionQuery),
        answers={
            200: PolymorphicProxySerializer(
                component_name="Position",
                serializers=list(shapes.POSITIONS.values()),
                resource_type_field_name=None,
            )
        },
        problems=("not_found", "not_started", "not_disclosed"),
        access="anyone",
    )
    def get(self, request: Request, game_id: UUID, ply: int) -> Response:
        viewer = read_query(request, PositionQuery).seat
        return Response(
            position_lookup(game_id=game_id, player_id=player_id_of(request), ply=ply, viewer=viewer)
        )
