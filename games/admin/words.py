"""Words and marks for games in lists and on pages. Of a game whose deal others still play, none of them tells how
it went."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from cardsite.admin import player_link
from games.catalog import CURRENT, rules_for
from games.clauses import ENGLISH, rule_book
from games.clock import BankClock, Clock
from games.models import Game
from games.rules.cards import FRENCH_CARDS
from games.rules.contract import read_options

STATUS_LABELS = {
    "open": "info",
    "running": "primary",
    "finished": "success",
    "cancelled": "warning",
    "abandoned": "warning",
    "over": "",
}
ENDINGS = {value: str(label).lower() for value, label in Game.Ending.choices}
CAME_TO = {"win": "won", "draw": "drawn", "loss": "lost"}
OVER = ("finished", "abandoned")
SEALED = "hidden until the day is over"

_SEAT = re.compile(r"\bseat (\d)\b")
_FRENCH = re.compile(r"\b([A2-9TJQK])([CDHS])\b")
_SPANISH = re.compile(r"\b(1[0-2]|[1-9])([OCEB])\b")
_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_NUMBERS = {"1": "as", "10": "sota", "11": "caballo", "12": "rey"}
_PALOS = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}


def title_of(slug: str) -> str:
    """The name of a rule set."""
    return rule_book(slug, ENGLISH).title.partition(":")[0] if slug in CURRENT else slug


def name_of(game: Game) -> str:
    """Rule set and variant; the ids of games of an hour begin alike."""
    name = title_of(game.ruleset)
    return name if game.variant in (None, "default") else f"{name}, {game.variant}"


def is_sealed(game: Game) -> bool:
    """Whether it is hidden from the asker how a game went; of games that were read with their seats."""
    return bool(game.is_sealed)  # type: ignore[attr-defined]  # annotated


def status_word(game: Game) -> str:
    """The status; whether a game that is hidden had a result is not said."""
    return "over" if is_sealed(game) and game.status in OVER else game.status


def ending_words(game: Game) -> str:
    """How a game ended, and whether it was voided."""
    if is_sealed(game):
        ending = SEALED
    else:
        ending = ENDINGS.get(game.ending or "", "played out" if game.status == "finished" else "")
    return f"{ending}, voided" if hasattr(game, "voiding") else ending


def length_words(game: Game) -> str:
    """How many entries the log has."""
    return "" if is_sealed(game) else str(game.ply)


def place_word(place: int) -> str:
    """1st, 2nd, 3rd and so on; nobody has eleven seats."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def result_words(result: Any, seats: int) -> str:
    """What a seat came to: its place among several, won or lost alone; and its score."""
    came_to = CAME_TO[result.result] if seats == 1 else place_word(result.place)
    return f"{came_to}, {result.score}" if result.score else came_to


def results_by_seat(game: Game) -> dict[int, str]:
    """What each seat came to."""
    if is_sealed(game):
        return {}
    return {result.seat: result_words(result, game.seat_count) for result in game.results.all()}


def seats_at_a_glance(game: Game) -> SafeString:
    """Who sits at a game, and what each came to; from what was read with it."""
    results = results_by_seat(game)
    parts = []
    for seat in sorted(game.seats.all(), key=lambda one: one.number):
        came_to = "to act" if seat.number in game.to_act else results.get(seat.number, "")
        name = player_link(seat.player_id, seat.player.username)
        parts.append(format_html("{} ({})", name, came_to) if came_to else name)
    # One element, since a cell may be laid out by its children.
    return format_html("<span>{}</span>", format_html_join(" · ", "{}", ((part,) for part in parts)))


def took(game: Game) -> timedelta | None:
    """From the start to the end, where that is known."""
    if is_sealed(game) or game.started_at is None or game.ended_at is None:
        return None
    return game.ended_at - game.started_at


def duration_words(duration: timedelta | None) -> str:
    """A duration to the second, or its days and hours."""
    if duration is None:
        return ""
    hours, rest = divmod(int(duration.total_seconds()), 3600)
    minutes, seconds = divmod(rest, 60)
    if hours >= 48:
        return f"{hours // 24} days {hours % 24} h" if hours % 24 else f"{hours // 24} days"
    return f"{hours}:{minutes:02}:{seconds:02}"


def clock_words(game: Game) -> str:
    """What time the seats of a game have."""
    if game.clock is None:
        return "none"
    clock: Clock = msgspec.convert(game.clock, Clock)
    time = duration_words(timedelta(seconds=clock.seconds))
    if not isinstance(clock, BankClock):
        return f"{time} for each turn"
    if not clock.increment:
        return f"{time} for all turns"
    return f"{time} for all turns, and {duration_words(timedelta(seconds=clock.increment))} more with each"


def has_french_deck(game: Game) -> bool:
    """Whether a game is played with French cards; otherwise they are Spanish."""
    rules: Any = rules_for(game.ruleset, game.rules_version)
    return FRENCH_CARDS.issuperset(rules.deck(read_options(rules, game.options)))


def entry_words(text: str, names: Sequence[str], *, is_french: bool) -> str:
    """The words for an entry of a log with the names of players, which are given by seat, and of cards in place of
    numbers and codes."""
    if is_french:
        told = _FRENCH.sub(lambda found: f"{_RANKS.get(found[1], found[1])} of {_SUITS[found[2]]}", text)
    else:
        told = _SPANISH.sub(lambda found: f"{_NUMBERS.get(found[1], found[1])} of {_PALOS[found[2]]}", text)
    # Names last: one may look like a card.
    return _SEAT.sub(lambda found: names[int(found[1])], told)
