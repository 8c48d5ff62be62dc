"""Words and marks for games in lists and on pages."""

from datetime import timedelta
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from cardsite.admin import player_link
from games.catalog import CURRENT
from games.clauses import ENGLISH, rule_book
from games.models import Game

STATUS_LABELS = {
    "open": "info",
    "running": "primary",
    "finished": "success",
    "cancelled": "warning",
    "abandoned": "warning",
}
ENDINGS = {value: str(label).lower() for value, label in Game.Ending.choices}
CAME_TO = {"win": "won", "draw": "drawn", "loss": "lost"}


def title_of(slug: str) -> str:
    """The name of a rule set."""
    return rule_book(slug, ENGLISH).title.partition(":")[0] if slug in CURRENT else slug


def place_word(place: int) -> str:
    """1st, 2nd, 3rd and so on; nobody has eleven seats."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def result_words(result: Any, seats: int) -> str:
    """What a seat came to: its place among several, won or lost alone; and its score."""
    came_to = CAME_TO[result.result] if seats == 1 else place_word(result.place)
    return f"{came_to}, {result.score}" if result.score else came_to


def seats_at_a_glance(game: Game) -> SafeString:
    """Who sits at a game, and what each came to; from what was read with it."""
    results = {result.seat: result for result in game.results.all()}
    parts = []
    for seat in sorted(game.seats.all(), key=lambda one: one.number):
        result = results.get(seat.number)
        came_to = result_words(result, game.seat_count) if result else ""
        if seat.number in game.to_act:
            came_to = "to act"
        name = player_link(seat.player_id, seat.player.username)
        parts.append(format_html("{} ({})", name, came_to) if came_to else name)
    # One element, since a cell may be laid out by its children.
    return format_html("<span>{}</span>", format_html_join(" · ", "{}", ((part,) for part in parts)))


def duration_words(duration: timedelta | None) -> str:
    """A duration to the second, or its days and hours."""
    if duration is None:
        return ""
    hours, rest = divmod(int(duration.total_seconds()), 3600)
    minutes, seconds = divmod(rest, 60)
    if hours >= 48:
        return f"{hours // 24} days {hours % 24} h"
    return f"{hours}:{minutes:02}:{seconds:02}"
