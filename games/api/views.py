"""The games API: making, joining, seeing and listing games."""

from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotModified
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer
from msgspec import Meta, Struct
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_id_of, player_of
from accounts.api.idempotent import respond_once
from cardsite.http import ApiView, body_of, cursor_id, next_page, read_query
from cardsite.openapi import Query, operation
from games.api import shapes
from games.api.bodies import read_game_body
from games.api.quick import JSON, detail, etag_of, freshness_of, names, quick_answer
from games.catalog import CURRENT
from games.selectors.access import table_seen
from games.selectors.rows import GameFilter, summary_rows
from games.services.gathering import game_create, game_join, game_leave
from games.services.leaving import game_resign
from games.services.starting import game_start
from games.words import said

Limit = Annotated[int, Meta(ge=1, le=100)]


class GamesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games; each condition that is given must hold. `mine`, `my_turn` and `joinable` need an account."""

    ruleset: Literal[tuple(CURRENT)] | None = None  # type: ignore[valid-type]
    status: Literal["open", "running", "finished", "cancelled", "abandoned"] | None = None
    mine: bool = False
    my_turn: bool = False
    joinable: bool = False
    cursor: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")] | None = None
    limit: Limit = 50


class GamesView(ApiView):
    """Games."""

    permission_classes = (IsAuthenticatedOrReadOnly,)

    @operation(
        "list_games",
        "List games, newest first: public ones and one's own",
        query=Query(GamesQuery),
        answers={200: shapes.GamePage},
        problems=("unauthenticated",),
        access="anyone",
    )
    def get(self, request: Request) -> Response:
        query = read_query(request, GamesQuery)
        player_id = player_id_of(request)
        if player_id is None and (query.mine or query.my_turn or query.joinable):
            raise NotAuthenticated
        wanted = GameFilter(query.ruleset, query.status, query.mine, query.my_turn, query.joinable)
        rows = summary_rows(
            player_id=player_id, wanted=wanted, before=cursor_id(query.cursor), limit=query.limit + 1
        )
        page = rows[: query.limit]
        cursor = page[-1].id.hex if len(rows) > query.limit else None
        items = [shapes.game_summary(row, player_id) for row in page]
        return Response(shapes.GamePage(items, next_page(request, cursor)))

    @operation(
        "create_game",
        "Make a game and sit in seat 0",
        request=PolymorphicProxySerializer(
            component_name="CreateGame",
            serializers=list(shapes.CREATE.values()),
            resource_type_field_name=None,
        ),
        answers={201: shapes.CreatedGame},
        problems=("illegal_options", "invalid", "muted"),
        creating=True,
    )
    def post(self, request: Request) -> Response:
        wanted = read_game_body(body_of(request), shapes.CreateGame)
        return respond_once(request, lambda: self._create(request, wanted))

    def _create(self, request: Request, wanted: Any) -> shapes.CreatedGame:
        rules = CURRENT[wanted.__struct_config__.tag]
        created = game_create(
            owner=player_of(request),
            rules=rules,
            options=wanted.options,
            seats=wanted.seats,
            private=wanted.visibility == "private",
            rated=wanted.rated,
            clock=wanted.clock,
            abandon_after=wanted.abandon_after * shapes.SECOND,
        )
        warnings = [
            shapes.OptionsWarning(clause, said(warning)) for clause, warning in rules.warnings(wanted.options)
        ]
        return shapes.created_game(seen(created.game_id, player_of(request).id), created.link, warnings)


class GameView(ApiView):
    """A game."""

    permission_classes = (AllowAny,)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return quick_answer(request, kwargs["game_id"]) or super().dispatch(request, *args, **kwargs)

    @operation(
        "game",
        "See a game as one may see it",
        answers={200: shapes.GameDetail, 304: None},
        problems=("not_found",),
        parameters=(OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER),),
        access="anyone",
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponseBase:
        player_id = player_id_of(request)
        table = table_seen(game_id=game_id, player_id=player_id)
        summary = shapes.game_summary(table.row, player_id)
        if request.accepted_renderer.format != JSON:
            # A page for people also shows who they are.
            return Response(detail(table, summary))
        etag = etag_of(game_id, freshness_of(table.row, player_id))
        if names(request.headers.get("If-None-Match", ""), etag):
            return HttpResponseNotModified(headers={"ETag": etag})
        return Response(detail(table, summary), headers={"ETag": etag})


class JoinView(ApiView):
    """Taking a seat."""

    @operation(
        "join_game",
        "Take the first free seat; who sits already stays",
        request=shapes.Join,
        answers={200: shapes.GameDetail},
        problems=("not_found", "muted", "revealed", "not_open", "game_full"),
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        wanted = read_game_body(body_of(request), shapes.Join)
        game_join(game_id=game_id, player=player_of(request), entropy=wanted.entropy, link=wanted.link)
        return Response(seen(game_id, player_of(request).id))


class LeaveView(ApiView):
    """Giving up a seat."""

    @operation(
        "leave_game",
        "Give up one's seat before the start; where the owner leaves, the game is cancelled",
        answers={204: None},
        problems=("not_found", "not_seated", "not_open", "csrf"),
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        game_leave(game_id=game_id, player=player_of(request))
        return Response(status=204)


class ResignView(ApiView):
    """Giving up a game under way."""

    @operation(
        "resign_game",
        "Leave a game under way; who has left stays so",
        answers={200: shapes.GameDetail},
        problems=("not_found", "not_seated", "not_started", "over", "csrf"),
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        game_resign(game_id=game_id, player=player_of(request))
        return Response(seen(game_id, player_of(request).id))


class StartView(ApiView):
    """Starting a game."""

    @operation(
        "start_game",
        "Shuffle and deal, once every seat is taken; a game that has started stays as it is",
        request=shapes.Start,
        answers={200: shapes.GameDetail},
        problems=("not_found", "not_seated", "not_owner", "not_open", "seats_open"),
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        wanted = read_game_body(body_of(request), shapes.Start)
        game_start(game_id=game_id, player=player_of(request), entropy=wanted.entropy)
        return Response(seen(game_id, player_of(request).id))


def seen(game_id: UUID, player_id: UUID) -> shapes.GameDetail:
    """A game as a player who sits there sees it."""
    table = table_seen(game_id=game_id, player_id=player_id)
    return detail(table, shapes.game_summary(table.row, player_id))
