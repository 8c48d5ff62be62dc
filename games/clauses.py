"""The rule books: each clause's words, from `seeds/rulebooks/`, in every language that the server speaks."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec
from django.conf import settings
from msgspec import Struct, field

FOLDER = Path(__file__).resolve().parent.parent / "seeds" / "rulebooks"
ENGLISH = "en"


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
def rule_books(slug: str) -> dict[str, RuleBook]:
    """The rule books of a game in the catalog by language, English first."""
    return {language: _read(FOLDER / f"{slug}.{language}.toml") for language, _ in settings.LANGUAGES}


def _read(path: Path) -> RuleBook:
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), RuleBook)


def rule_book(slug: str, language: str) -> RuleBook:
    """The rule book of a game in a language that the server speaks."""
    return rule_books(slug)[language]


def rule_link(slug: str, clause: str, language: str) -> str:
    """Where a clause can be read in a language."""
    query = "" if language == ENGLISH else f"?language={language}"
    return f"/api/v1/rulesets/{slug}/rules{query}#{clause}"


def clause_text(slug: str, clause: str, language: str) -> str:
    """The words of a clause that a refusal names."""
    return next(one.text for one in rule_book(slug, language).clauses if one.id == clause)
