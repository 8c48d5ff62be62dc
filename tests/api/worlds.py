"""Two worlds that a viewer cannot tell apart, of any game.

The second is dealt from a deck order in which cards that are hidden from the viewer have changed places, so that
the same moves are legal and the viewer sees the same.
"""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from games import table
from games.rules.contract import IllegalMove
from games.table import Entry, Setup, Step

SWAPS = 150
VARIES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"  # ids
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"  # times
    r'|(?<="commitment":")[0-9a-f]{64}'
    r'|(?:(?<=\nid: )|(?<="last":"))\d+\.[0-9a-f]{32}(?=\.\d)'  # places but for the number
    r'|(?<="csrfToken": ")\w{64}|(?<=name="csrfmiddlewaretoken" value=")\w{64}'
    r"|(?<=commitment&quot;: &quot;)[0-9a-f]{64}|(?<=<b>ETag:</b> <span class=\"lit\">&quot;)[0-9a-f]{32}"
)


def steps_of(setup: Setup, entries: Sequence[Entry]) -> Iterator[Step]:
    """The steps that the entries take, as long as they are legal."""
    position = table.lay_out(setup)
    for entry in entries:
        if entry.seat not in position.to_act:
            return
        try:
            table.legal_form(position, entry.seat, entry.move)
        except IllegalMove:
            return
        step = table.advance(position, entry)
        yield step
        position = step.after


def seen_in(setup: Setup, entries: Sequence[Entry], seat: int | None) -> Iterator[Any]:
    """All that a viewer sees of a game up to now; it ends early where the deck order does not allow a move."""
    rules, position = setup.rules, table.lay_out(setup)
    yield position.to_act, rules.view(position.state, seat)
    for step in steps_of(setup, entries):
        yield rules.redact(step.before.state, seat, step.entry.seat, step.entry.move, step.events)
        yield step.after.to_act, rules.view(step.after.state, seat)


def other_world(setup: Setup, entries: Sequence[Entry], seat: int | None, rng: Random) -> Setup:
    """The same game dealt from another deck order, where there is one in which the viewer sees the same."""
    if not setup.rules.hides:
        return setup
    seen = list(seen_in(setup, entries, seat))
    for _ in range(SWAPS):
        deck = list(setup.deck)
        one, two = rng.sample(range(len(deck)), 2)
        deck[one], deck[two] = deck[two], deck[one]
        other = replace(setup, deck=tuple(deck))
        views = seen_in(other, entries, seat)
        if all(mine == next(views, None) for mine in seen):
            setup = other
    return setup


def told(answer: Any) -> tuple[int, dict[str, str], str]:
    """Status, headers and body without ids, times, places and commitment (the ETag is made from these too) and
    without the browsable pages' tokens."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("ETag", "X-Request-ID")}
    return answer.status_code, headers, VARIES.sub("*", answer.content.decode())
