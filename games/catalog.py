"""The games that can be played, by slug and version; the only list of them."""

from typing import Any, TypeAlias

from games.rules.contract import RuleSet
from games.rules.freecell import Freecell
from games.rules.sicksack import Sicksack

AnyRules: TypeAlias = RuleSet[Any, Any, Any, Any, Any]

CURRENT: dict[str, AnyRules] = {rules.slug: rules for rules in (Sicksack(), Freecell())}
"""What new games are made with, in the order in which the API lists them."""

_ARCHIVE: tuple[AnyRules, ...] = ()
_BY_VERSION = {(rules.slug, rules.version): rules for rules in (*CURRENT.values(), *_ARCHIVE)}


def rules_for(slug: str, version: int) -> AnyRules:
    """The rules that a stored game was begun with. Raises `KeyError` for a version that was never released."""
    return _BY_VERSION[slug, version]
