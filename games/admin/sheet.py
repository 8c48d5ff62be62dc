"""Parts of a game's page: who sits there, and that it counts for nothing any more."""

from collections.abc import Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from accounts.admin.asking import asker
from cardsite.admin import day_words, moment, player_link
from cardsite.tables import table
from games.admin.words import is_sealed, results_by_seat
from games.models import Game, RatingChange, Seat
from games.selectors.revealing import revealed_at


def seats_table(game: Game) -> dict[str, Any]:
    """Who sits where, what each came to, and what it did to ratings."""
    results = results_by_seat(game)
    changes: dict[UUID, list[str]] = {}
    for change in RatingChange.objects.filter(game=game).order_by("at"):
        changes.setdefault(change.player_id, []).append(
            f"{change.mean_before:.0f} → {change.mean_before + change.mean_change:.0f}"
            f"{' (given back)' if change.kind == RatingChange.Kind.REVERSAL else ''}"
        )
    rows: list[Sequence[object]] = []
    for seat in sorted(game.seats.all(), key=lambda one: one.number):
        rating = "; ".join(changes.get(seat.player_id, []))
        rows.append((seat.number, _player(seat), _state(game, seat.number, results), rating))
    return table(("Seat", "Player", "State", "Rating"), rows)


def _player(seat: Seat) -> str:
    """The user name, with what others see in its place on the pages outside."""
    player = seat.player
    shown = "" if player.display_name == player.username else f"“{player.display_name}”"
    bot = "(bot)" if player.bot_of_id else ""
    return format_html("<span>{} {} {}</span>", player_link(player.id, player.username), shown, bot)


def _state(game: Game, number: int, results: dict[int, str]) -> str:
    if number in game.to_act:
        deadline = game.deadlines[number] if game.deadlines else None
        return format_html("<span>to act until {}</span>", moment(deadline)) if deadline else "to act"
    result = results.get(number, "")
    if number not in game.left or is_sealed(game):
        return result
    return f"{result} (left)" if result else "left"


def voiding_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Who voided a game, when and why, with where it stands in the audit trail for those who may see that."""
    if not hasattr(game, "voiding"):
        return {}
    voiding = game.voiding
    trail = None
    if request.user.has_perm("accounts.view_auditentry"):
        query = urlencode({"game": str(game.id), "act": "void"})
        trail = f"{reverse('admin:accounts_auditentry_changelist')}?{query}"
    return {
        "voided_by": player_link(voiding.by_id, voiding.by.username),
        "voided_at": moment(voiding.at),
        "voided_why": voiding.reason,
        "voided_trail": trail,
    }


def revealed_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Since when who asks knows what a game hides that still runs, and so may not play in it."""
    if game.status != Game.Status.RUNNING:
        return {}
    at = revealed_at(game_id=game.id, player_id=asker(request).id)
    return {} if at is None else {"revealed_on": day_words(at.astimezone(UTC).date())}
