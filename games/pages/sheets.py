"""A game."""

from typing import Annotated
from uuid import UUID

import msgspec
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from msgspec import Meta, Struct

from cardsite.pages import Page
from cardsite.problems import Problem
from games.pages.shapes import GameShown, game_shown
from games.selectors.sheets import game_sheet
from games.words import asked_language

LIMIT = 50
SPECTATOR = "spectator"


class Asked(Struct, frozen=True):
    """Where to look at, and with whose eyes."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None


class GameView(Page):
    """A game with its board, and its moves in words."""

    template_name = "games/pages/game.html"

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """Raises `Problem` malformed or not_found."""
        asked, viewer = _asked(request), request.user.pk
        row, log, first = game_sheet(game_id=game_id, player_id=viewer, ply=asked.ply, limit=LIMIT)
        game = game_shown(row, viewer)
        seat = _seat(game, asked.seat)
        where = f"/api/v1/games/{game.id}/"
        return self.page(
            {
                "game": game,
                "entries": [
                    (entry, None if entry.seat is None else game.seats[entry.seat].username)
                    for entry in log.entries
                ],
                "ply": asked.ply,
                "seat": SPECTATOR if request.GET.get("seat") == SPECTATOR else seat,
                "seat_refused": asked.seat is not None and seat is None,
                "before": first - LIMIT + 1 if first else None,
                "after": log.following + 1 if log.following is not None else None,
                "first": first,
                "language": asked_language(),
                "api": where,
                "has_started": game.started_at is not None,
                "is_running": game.status == "running",
                "page_url": request.build_absolute_uri(f"/games/{game.id}/"),
            }
        )


def _asked(request: HttpRequest) -> Asked:
    given = request.GET.dict()
    if given.get("seat") == SPECTATOR:
        del given["seat"]
    try:
        return msgspec.convert(given, Asked, strict=False)
    except msgspec.ValidationError:
        raise Problem("malformed", "The ply is a number from 0, and so is the seat.") from None


def _seat(game: GameShown, seat: int | None) -> int | None:
    """The seat that is looked from, where that may be: one's own, and any of a game that is open to all."""
    if seat is None or seat >= len(game.seats):
        return None
    return seat if game.is_open_to_all or game.seats[seat].is_viewer else None
