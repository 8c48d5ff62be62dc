"""The games that can be played, by slug and version; the only list of them."""

from typing import Any, TypeAlias

from games.rules.camelot import Camelot
from games.rules.contract import RuleSet
from games.rules.freecell import Freecell
from games.rules.kraftkort import Kraftkort
from games.rules.las_pintas import LasPintas
from games.rules.sicksack import Sicksack
from games.rules.vagrat_lodrat import VagratLodrat
from games.rules.vandtia_pyramid import VandtiaPyramid

AnyRules: TypeAlias = RuleSet[Any, Any, Any, Any, Any]

CURRENT: dict[str, AnyRules] = {
    rules.slug: rules
    for rules in (
        VagratLodrat(),
        Sicksack(),
        VandtiaPyramid(),
        Kraftkort(),
        Camelot(),
        LasPintas(),
        Freecell(),
    )
}
"""What new games are made with, in the order in which the API lists them."""

_ARCHIVE: tuple[AnyRules, ...] = ()
_BY_VERSION = {(rules.slug, rules.version): rules for rules in (*CURRENT.values(), *_ARCHIVE)}


def rules_for(slug: str, version: int) -> AnyRules:
    """The rules that a stored game was begun with. Raises `KeyError` for a version that was never released."""
    return _BY_VERSION[slug, version]
