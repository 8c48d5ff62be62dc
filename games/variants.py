"""Variants: the options that a game is played with, by a short name of their own.

Boards, ratings and statistics are kept by rule set and variant. The name says what differs from a game in which
nothing was chosen, as in `deck=40,variant=lost-kings`; where nothing does it is `default`.
"""

import msgspec

from games.catalog import AnyRules
from games.rules.contract import read_options

DEFAULT = "default"
LONGEST = 100
"""Characters of a name; the names of all variants of the seven are shorter."""
PATTERN = r"^[a-z0-9_=,.-]{1,100}(?!\n)$"


def variant_of(rules: AnyRules, options: object, seats: int) -> str:
    """The name of the variant that resolved options make with so many seats."""
    usual = msgspec.to_builtins(rules.resolve(read_options(rules, {}), seats))
    chosen = msgspec.to_builtins(options)
    differing = [f"{name}={_word(value)}" for name, value in chosen.items() if value != usual.get(name)]
    return ",".join(differing) or DEFAULT


def _word(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
