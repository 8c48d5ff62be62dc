"""A game step by step on its page of the admin: the board's data, and the log in words."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Meta, Struct

from cardsite.admin import moment
from cardsite.problems import Problem, problem_response
from games.models import Game
from games.selectors.inspection import inspected_log, inspected_replay

PER_PAGE = 100
LAST_PLY = 2**31 - 1
HIDDEN = {
    "not_started": "The game has not started.",
    "not_disclosed": "Others still play this deal. What happened in the game is shown when its day is over.",
}


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page, and seen from where."""

    cursor: Annotated[int, Meta(ge=0, le=LAST_PLY)] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    seat: Annotated[str, Meta(pattern=r"^(spectator|[0-9]{1,2})(?!\n)$")] | None = None


def replay_view(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The positions of a game as the API's replay gives them, as who asks may see them."""
    try:
        query = msgspec.convert(request.GET.dict(), ReplayQuery, strict=False)
        page = inspected_replay(
            game_id=game_id,
            player_id=_asker(request),
            first=query.cursor,
            limit=query.limit,
            seat=query.seat,
        )
    except msgspec.ValidationError as error:
        return problem_response("malformed", str(error), errors=[{"path": "query", "message": str(error)}])
    except Problem as problem:
        return problem_response(problem.code, problem.detail, **problem.facts)
    following = None
    if page.following is not None:
        asked = {name: str(value) for name, value in request.GET.dict().items()}
        following = f"{request.path}?{urlencode(asked | {'cursor': str(page.following)})}"
    body = msgspec.json.encode({"ply": page.ply, "items": page.frames, "next": following})
    return HttpResponse(body, content_type="application/json", headers={"Cache-Control": "private, no-store"})


def log_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    """What the page of a game shows of its log and of its board: a hundred entries, the last unless others are
    asked for by `?log=`, the ply of the first."""
    try:
        asked = request.GET.get("log", "")
        first = (
            min(int(asked), LAST_PLY) if asked.isdecimal() and asked.isascii() and len(asked) < 11 else None
        )
        start, page = inspected_log(game_id=game.id, player_id=_asker(request), first=first, limit=PER_PAGE)
    except Problem as problem:
        return {"log_hidden": HIDDEN.get(problem.code, problem.detail)}
    return {
        "log": [
            {
                "ply": entry.ply,
                "seat": entry.seat,
                "player": entry.player,
                "text": entry.text,
                "notation": entry.notation,
                "at": _line(entry.at),
            }
            for entry in page.entries
        ],
        "log_length": page.ply,
        "log_first": start,
        "log_last": start + len(page.entries) - 1,
        "log_earlier": max(start - PER_PAGE, 0) if start else None,
        "log_later": page.following,
        "board": _board(game),
    }


def _board(game: Game) -> dict[str, str]:
    """Where the board finds its data; what the API gives to nobody is not asked of it."""
    board = {"replay": reverse("admin:games_game_replay", args=(game.id,))}
    if game.visibility == Game.Visibility.PUBLIC and game.daily_id is None:
        board["game"] = f"/api/v1/games/{game.id}/"
        if game.status == Game.Status.RUNNING:
            board["events"] = f"/api/v1/games/{game.id}/events"
    return board


def _line(at: str) -> str:
    """A time as the API writes it, as the admin does."""
    return moment(datetime.fromisoformat(at))


def _asker(request: HttpRequest) -> UUID:
    assert request.user.pk is not None, "the admin lets nobody in who is not known"
    return request.user.pk
