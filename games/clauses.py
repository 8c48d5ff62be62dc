"""The rule books: each clause's words, from `seeds/rulebooks/`."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct, field

FOLDER = Path(__file__).resolve().parent.parent / "seeds" / "rulebooks"


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """A clause in our own words; `ruling` where the source leaves open what it settles."""

    id: str
    title: str
    text: str
    example: str | None = None
    ruling: bool = False


class RuleBook(Struct, frozen=True, forbid_unknown_fields=True):
    """A game's rule book; `hidden` says what is hidden from whom."""

    title: str
    language: str
    summary: str
    hidden: str
    clauses: tuple[Clause, ...] = field(name="clause")


@cache
def rule_book(slug: str) -> RuleBook:
    """The rule book of a game in the catalog."""
    return msgspec.convert(tomllib.loads((FOLDER / f"{slug}.en.toml").read_text()), RuleBook)


def clause_text(slug: str, clause: str) -> str:
    """The words of a clause that a refusal names."""
    return next(one.text for one in rule_book(slug).clauses if one.id == clause)
