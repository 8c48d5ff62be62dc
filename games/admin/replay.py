"""A game step by step on its page of the admin: the board's data, and the log in words."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Meta, Struct

from accounts.admin.asking import asker
from cardsite.admin import moment
from cardsite.jsonbody import optional_timestamp
from cardsite.problems import Problem, problem_response
from games.admin.words import entry_words, has_french_deck, is_sealed
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
            player_id=asker(request).id,
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
    return _json({"ply": page.ply, "items": page.frames, "next": following})


def summary_view(game: Game) -> HttpResponse:
    """Of a game what the board asks the API of it, also where that gives it to its players alone."""
    if is_sealed(game):
        return problem_response("not_disclosed", HIDDEN["not_disclosed"])
    players = {seat.number: seat.player for seat in game.seats.all()}
    return _json(
        {
            "ruleset": game.ruleset,
            "options": game.options,
            "status": game.status,
            "ply": game.ply,
            "sealed_until": optional_timestamp(game.sealed_until),
            "your_seat": None,
            "seats": [
                {
                    "number": number,
                    "player": {
                        "username": players[number].username,
                        "display_name": players[number].display_name,
                    }
                    if number in players
                    else None,
                    "left": number in game.left,
                }
                for number in range(game.seat_count)
            ],
        }
    )


def log_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    """What the page of a game shows of its log and of its board: a hundred entries with that which led to `?ply=`.
    Entries are counted from 1 on, as the board does: after each the game has come to the ply of its number."""
    given = request.GET.get("ply", "")
    asked = given.isdecimal() and given.isascii() and len(given) < 11
    ply = min(int(given), LAST_PLY) if asked else None
    try:
        start, page = inspected_log(game_id=game.id, player_id=asker(request).id, ply=ply, limit=PER_PAGE)
    except Problem as problem:
        return {"log_hidden": HIDDEN.get(problem.code, problem.detail)}
    players = {seat.number: seat.player.username for seat in game.seats.all()}
    is_french = has_french_deck(game)
    names = [players.get(number, f"seat {number}") for number in range(game.seat_count)]
    return {
        "log": [
            {
                "number": entry.ply + 1,
                "player": None if entry.seat is None else names[entry.seat],
                "text": entry_words(entry.text, names, is_french=is_french),
                "notation": entry.notation,
                "is_automatic": entry.kind == "auto",
                "at": moment(datetime.fromisoformat(entry.at)),
            }
            for entry in page.entries
        ],
        "ply": ply,
        "eyes": _eyes(request),
        "log_length": page.ply,
        "log_first": start + 1,
        "log_last": start + len(page.entries),
        "log_earlier": start - PER_PAGE + 1 if start else None,
        "log_later": None if page.following is None else page.following + 1,
        "board": _board(game),
    }


def _eyes(request: HttpRequest) -> str:
    """What a link has after its ply, for the board to be seen with the eyes that it is seen with."""
    try:
        seat = msgspec.convert({"seat": request.GET.get("seat")}, ReplayQuery).seat
    except msgspec.ValidationError:
        return ""
    return "" if seat is None else f"&{urlencode({'seat': seat})}"


def _board(game: Game) -> dict[str, str]:
    """Where the board finds its data; what the API gives to nobody is not asked of it."""
    board = {
        "replay": reverse("admin:games_game_replay", args=(game.id,)),
        "game": reverse("admin:games_game_summary", args=(game.id,)),
    }
    if (
        game.visibility == Game.Visibility.PUBLIC
        and game.daily_id is None
        and game.status == Game.Status.RUNNING
    ):
        board["events"] = f"/api/v1/games/{game.id}/events"
    return board


def _json(body: object) -> HttpResponse:
    headers = {"Cache-Control": "private, no-store"}
    return HttpResponse(msgspec.json.encode(body), content_type="application/json", headers=headers)
