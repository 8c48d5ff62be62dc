"""A game."""

from typing import Annotated
from uuid import UUID

import msgspec
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from msgspec import Meta, Struct

from cardsite.pages import Page
from cardsite.problems import Problem
from games.pages.positions import position_words
from games.pages.shapes import game_shown
from games.selectors.lookup import Viewer
from games.selectors.sheets import game_sheet
from games.words import asked_language

LIMIT = 50
SPECTATOR = "spectator"


class Asked(Struct, frozen=True):
    """Where to look at, and with whose eyes."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    seat: Viewer | None = None


class GameView(Page):
    """A game with its board, and its moves in words."""

    template_name = "games/pages/game.html"

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """Raises `Problem` malformed or not_found."""
        asked, player = _asked(request), request.user.pk
        sheet = game_sheet(game_id=game_id, player_id=player, ply=asked.ply, viewer=asked.seat, limit=LIMIT)
        game, log, first = game_shown(sheet.row, player), sheet.log, sheet.first
        names = [str(seat.name or seat.number) for seat in game.seats]
        where = f"/api/v1/games/{game.id}/"
        is_missing = asked.seat not in (None, SPECTATOR) and int(asked.seat) >= len(names)
        return self.page(
            {
                "game": game,
                "entries": [
                    (entry, None if entry.seat is None else game.seats[entry.seat].name)
                    for entry in log.entries
                ],
                "ply": None if asked.ply is None else sheet.ply,
                "is_beyond": sheet.position is not None and asked.ply is not None and asked.ply > sheet.ply,
                "shown": sheet.ply,
                "position": position_words(sheet.position, names) if sheet.position else None,
                "steps": _steps(sheet.ply, game.ply),
                "viewers": _viewers(names) if game.is_open_to_all else [],
                "seat": sheet.viewer,
                "seat_missing": is_missing,
                "seat_refused": asked.seat is not None
                and not is_missing
                and sheet.viewer is None
                and game.started_at is not None,
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


def _steps(ply: int, plies: int) -> list[tuple[str, int]]:
    """Where one may go from a position, each with its ply."""
    back = [(gettext("The deal"), 0), (gettext("Back"), ply - 1)] if ply else []
    on = [(gettext("On"), ply + 1), (gettext("The last move"), plies)] if ply < plies else []
    return [*back, *on]


def _viewers(names: list[str]) -> list[tuple[str | None, str]]:
    """With whose eyes one may look at a game that is open to all."""
    seats = [(str(number), name) for number, name in enumerate(names)] if len(names) > 1 else []
    return [(None, gettext("all cards open")), *seats, (SPECTATOR, gettext("a spectator"))]


def _asked(request: HttpRequest) -> Asked:
    try:
        return msgspec.convert(request.GET.dict(), Asked, strict=False)
    except msgspec.ValidationError:
        raise Problem("malformed", "The ply is a number from 0, and so is the seat.") from None
