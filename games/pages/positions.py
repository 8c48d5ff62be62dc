"""A position in words, for who sees no board: built up from the view that the API gives to the same viewer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext
from msgspec import Struct

from games.selectors.seen import SeenPosition

PARTS: dict[str, Promise] = {
    "aside": gettext_lazy("Set aside"),
    "away": gettext_lazy("Turned away"),
    "board": gettext_lazy("Row"),
    "cells": gettext_lazy("Free cells"),
    "columns": gettext_lazy("Column"),
    "direction": gettext_lazy("Direction"),
    "exchanges": gettext_lazy("Exchanges made"),
    "exchanging": gettext_lazy("Exchange"),
    "foundations": gettext_lazy("Foundations"),
    "hand": gettext_lazy("Hand"),
    "hands": gettext_lazy("Hand"),
    "kings": gettext_lazy("Kings"),
    "moves": gettext_lazy("Moves made"),
    "out": gettext_lazy("Out, in this order"),
    "passed": gettext_lazy("Passed"),
    "phase": gettext_lazy("Phase"),
    "pile": gettext_lazy("Pile, the top card last"),
    "played": gettext_lazy("Played before"),
    "power_card": gettext_lazy("Power card"),
    "pyramids": gettext_lazy("Pyramid"),
    "quiet_turns": gettext_lazy("Turns in a row without a card"),
    "removed": gettext_lazy("Removed"),
    "removing": gettext_lazy("Removing"),
    "round": gettext_lazy("This round"),
    "score_piles": gettext_lazy("Score pile"),
    "start": gettext_lazy("Start cards"),
    "stock": gettext_lazy("Stock"),
    "suits": gettext_lazy("Suits of the rows"),
    "swapped": gettext_lazy("Swapped in this turn"),
    "table": gettext_lazy("Row"),
    "thrown": gettext_lazy("Exchanged away"),
    "tokens": gettext_lazy("Tokens"),
    "turn": gettext_lazy("Whose turn"),
    "unbroken": gettext_lazy("A card in every turn of the first seat"),
    "waste": gettext_lazy("Turned up"),
}
"""What the parts of the views are called. One that is not here stands under its name in the API."""
VALUES: dict[object, Promise] = {
    True: gettext_lazy("yes"),
    False: gettext_lazy("no"),
    "first_exchange": gettext_lazy("first exchange"),
    "second_exchange": gettext_lazy("second exchange"),
    "play": gettext_lazy("play"),
    "up": gettext_lazy("goes up"),
    "down": gettext_lazy("goes down"),
}
BY_SEAT = frozenset({"exchanges", "hands", "pyramids", "score_piles", "thrown"})
SEATS = frozenset({"out", "passed"})
LINES: dict[str, int] = {"board": 0, "columns": 1, "table": 0}
"""Parts that are lines of places, and the number of the first, as moves write it."""


def position_words(position: SeenPosition, names: Sequence[str]) -> list[tuple[str, str]]:
    """What lies where: parts of the table by name, each with what is there. `names` are those of the seats."""
    return list(_parts(position.view, names))


def _parts(view: Struct, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for field in view.__struct_fields__:
        value, called = getattr(view, field), str(PARTS.get(field, field))
        if value is None:
            continue
        if field in BY_SEAT:
            for name, own in zip(names, value, strict=True):
                yield f"{called}, {name}", _words(own, names)
        elif field in LINES:
            for number, line in enumerate(value, LINES[field]):
                yield f"{called} {number}", _words(line, names)
        elif field in SEATS:
            yield called, ", ".join(names[seat] for seat in value) or "\N{EN DASH}"
        elif field == "turn":
            yield called, names[value]
        else:
            yield called, _words(value, names)


def _words(value: Any, names: Sequence[str]) -> str:
    """A part of a view: a card, cards that may be hidden, places, or a number."""
    match value:
        case None:
            return gettext("empty")
        case bool() | str() if value in VALUES:
            return str(VALUES[value])
        case str() | int():
            return str(value)
        case Mapping():
            return ", ".join(f"{place}: {_words(card, names)}" for place, card in value.items())
        case Struct():
            return _struct(value, names)
        case _:
            return ", ".join(_words(each, names) for each in value) or "\N{EN DASH}"


def _struct(value: Any, names: Sequence[str]) -> str:
    """Cards of which the number is known at least, a place of a table, or a play."""
    fields = value.__struct_fields__
    if "size" in fields:
        return _words(value.cards, names) if value.cards is not None else _hidden(value.size)
    if "at" in fields:
        row, place = value.at
        return f"[{row},{place}] {_words(value.card, names) if value.card else gettext('face down')}"
    if "face_up" in fields:
        if value.card is None:
            return gettext("face down")
        return str(value.card) if value.face_up else gettext("%(card)s face down") % {"card": value.card}
    return f"{names[value.seat]}: {_words(value.cards, names)}{_counted(value)}"


def _hidden(count: int) -> str:
    return ngettext("%(count)d card face down", "%(count)d cards face down", count) % {"count": count}


def _counted(play: Any) -> str:
    """For how many cards a play counts, where that is another number than there are."""
    if play.counts == len(play.cards):
        return ""
    return " " + gettext("as %(count)d") % {"count": play.counts}
