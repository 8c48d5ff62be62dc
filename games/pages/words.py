"""Words of the pages for what the rules and the services name by a code."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from games.clock import BankClock, Clock, TurnClock
from games.variants import DEFAULT

RESULTS: dict[str, Promise] = {
    "win": gettext_lazy("Won"),
    "draw": gettext_lazy("Drew"),
    "loss": gettext_lazy("Lost"),
}
STATES: dict[str, Promise] = {
    "over": gettext_lazy("Over"),
    "running": gettext_lazy("Being played"),
    "open": gettext_lazy("Waiting for players"),
}
STATUSES: dict[str, Promise] = {
    "open": gettext_lazy("Waiting for players"),
    "running": gettext_lazy("Being played"),
    "finished": gettext_lazy("Finished"),
    "cancelled": gettext_lazy("Cancelled"),
    "abandoned": gettext_lazy("Closed without a result"),
}
ENDINGS: dict[str, Promise] = {
    "played_out": gettext_lazy("Played to its end"),
    "resigned": gettext_lazy("Ended by giving up"),
    "timed_out": gettext_lazy("Ended by running out of time"),
    "abandoned": gettext_lazy("Closed without a result"),
}
MEASURES: dict[str, Promise] = {
    "rating": gettext_lazy("Rating"),
    "win_share": gettext_lazy("Share of wins"),
    "wins": gettext_lazy("Wins"),
    "best_score": gettext_lazy("Best score"),
    "fewest_moves": gettext_lazy("Fewest moves"),
    "best_time": gettext_lazy("Best time"),
    "streak": gettext_lazy("Longest streak"),
}
PERIODS: dict[str, Promise] = {
    "all": gettext_lazy("All time"),
    "season": gettext_lazy("This month"),
    "week": gettext_lazy("This week"),
    "day": gettext_lazy("Today"),
}
DEAL_STATES: dict[str, Promise] = {
    "ahead": gettext_lazy("Sealed, and committed to"),
    "open": gettext_lazy("Being played"),
    "over": gettext_lazy("Over"),
}
USUAL_RULES = gettext_lazy("Usual rules")
OPTIONS: dict[str, Promise] = {
    "cooperative": gettext_lazy("Played together"),
    "deal": gettext_lazy("Microsoft deal"),
    "deck": gettext_lazy("Cards"),
    "exchange": gettext_lazy("Exchange before the first round"),
    "penalty": gettext_lazy("A point is lost for a card"),
    "play_on": gettext_lazy("Playing on to the last place"),
    "power_card": gettext_lazy("Power card"),
    "variant": gettext_lazy("Variant"),
}
CHOICES: dict[object, Promise] = {
    True: gettext_lazy("Yes"),
    False: gettext_lazy("No"),
    "adjacent": gettext_lazy("after a higher one next to it"),
    "any-earlier": gettext_lazy("after any higher one before it"),
    "base": gettext_lazy("Base game"),
    "lost-kings": gettext_lazy("Lost kings"),
    "revealed-exchange": gettext_lazy("Revealed exchange"),
}


def option_words(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """The options of a game, each with what was chosen; what has no words stands as the API has it."""
    return [(_option(name), _choice(value)) for name, value in options.items() if value is not None]


def variant_words(variant: str) -> str:
    """A variant: what differs from the usual rules."""
    if variant == DEFAULT:
        return str(USUAL_RULES)
    parts = (part.partition("=") for part in variant.split(","))
    return ", ".join(f"{_option(name)}: {_choice(_value(text))}" for name, _, text in parts)


def _option(name: str) -> str:
    return str(OPTIONS.get(name, name))


def _choice(value: object) -> str:
    # A number is no truth, though it equals one.
    if isinstance(value, bool | str) and value in CHOICES:
        return str(CHOICES[value])
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _value(text: str) -> object:
    """A value in the name of a variant, where words stand without quotes."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def span_words(span: timedelta) -> str:
    """A time in its two largest units, as in `2 days 3 hours`; less than a second is none."""
    return " ".join(list(_units(span // timedelta(seconds=1)))[:2]) or _seconds(0)


def _units(seconds: int) -> Iterator[str]:
    """The units that there are any of, the largest first."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        yield ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    if hours:
        yield ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    if minutes:
        yield ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    if seconds:
        yield _seconds(seconds)


def _seconds(count: int) -> str:
    return ngettext("%(count)d second", "%(count)d seconds", count) % {"count": count}


def clock_words(clock: Clock) -> str:
    """How much time there is."""
    time = span_words(timedelta(seconds=clock.seconds))
    match clock:
        case TurnClock():
            return gettext("%(time)s for each turn") % {"time": time}
        case BankClock(increment=0):
            return gettext("%(time)s for all turns") % {"time": time}
        case BankClock(increment=increment):
            more = span_words(timedelta(seconds=increment))
            return gettext("%(time)s for all turns, and %(more)s more with each") % {
                "time": time,
                "more": more,
            }
