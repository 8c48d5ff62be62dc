"""The rule books that players read, against the clause ids that the rule modules cite."""

import ast
import json
import re
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games.catalog import CURRENT
from games.rules.contract import read_move

ROOT = Path(__file__).resolve().parent.parent

# By game: the prefix of its clauses, and how many they are.
BOOKS = {
    "vagrat-lodrat": ("VL", 16),
    "sicksack": ("SS", 11),
    "vandtia-pyramid": ("VP", 19),
    "kraftkort": ("KK", 15),
    "camelot": ("CA", 8),
    "las-pintas": ("LP", 13),
    "freecell": ("FC", 10),
}
TRANSLATIONS = ("sv", "es")
LANGUAGES = ("en", *TRANSLATIONS)
BOOK_KEYS = {"title", "language", "summary", "hidden", "clause"}
CLAUSE_KEYS = {"id", "title", "text"}
OPTIONAL_CLAUSE_KEYS = {"example", "ruling"}

FOLDER = ROOT / "seeds" / "rulebooks"

games = pytest.mark.parametrize("slug", BOOKS)
books = pytest.mark.parametrize(("slug", "language"), list(product(BOOKS, LANGUAGES)))
translations = pytest.mark.parametrize(("slug", "language"), list(product(BOOKS, TRANSLATIONS)))


def path_of(slug: str, language: str) -> Path:
    return FOLDER / f"{slug}.{language}.toml"


def read_book(slug: str, language: str) -> dict[str, Any]:
    return tomllib.loads(path_of(slug, language).read_text(encoding="utf-8"))


def read_both(slug: str, language: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The book in English and in another language."""
    return read_book(slug, "en"), read_book(slug, language)


def test_every_game_has_a_book_in_every_language_and_there_is_no_other_book() -> None:
    assert set(BOOKS) == set(CURRENT)
    assert [code for code, _ in settings.LANGUAGES] == list(LANGUAGES)
    assert set(FOLDER.iterdir()) == {path_of(slug, code) for slug, code in product(BOOKS, LANGUAGES)}


RAISED = ("IllegalMove", "IllegalOptions")


def cited(slug: str) -> set[str]:
    """The codes of every refusal that the game's module raises."""
    module = ast.parse(
        (ROOT / "games" / "rules" / f"{slug.replace('-', '_')}.py").read_text(encoding="utf-8")
    )
    codes = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
            code = node.args[0]
            assert isinstance(code, ast.Constant), f"line {node.lineno}: no literal code"
            assert isinstance(code.value, str), f"line {node.lineno}: no literal code"
            codes.add(code.value)
    return codes


def prose(book: dict[str, Any]) -> dict[str, str]:
    """Everything in a book that is meant to be read, by where it stands."""
    found = {key: book[key] for key in ("title", "summary", "hidden")}
    for clause in book["clause"]:
        found |= {
            f"{clause['id']} {key}": clause[key] for key in ("title", "text", "example") if key in clause
        }
    return found


@books
def test_the_book_has_the_expected_keys(slug: str, language: str) -> None:
    book = read_book(slug, language)
    assert book.keys() == BOOK_KEYS
    assert book["language"] == language
    for clause in book["clause"]:
        assert CLAUSE_KEYS <= clause.keys() <= CLAUSE_KEYS | OPTIONAL_CLAUSE_KEYS, clause["id"]
        assert clause.get("ruling", True) is True, clause["id"]


@books
def test_every_clause_stands_once_and_in_order(slug: str, language: str) -> None:
    prefix, count = BOOKS[slug]
    expected = [f"{prefix}-{number}" for number in range(1, count + 1)]
    assert [clause["id"] for clause in read_book(slug, language)["clause"]] == expected


@translations
def test_a_translation_has_examples_and_rulings_at_the_same_clauses(slug: str, language: str) -> None:
    english, translated = (
        [("example" in clause, clause.get("ruling", False)) for clause in book["clause"]]
        for book in read_both(slug, language)
    )
    assert english == translated


NAMED = {
    "fields and values": r"`[^`, ]*`",
    "moves": r"`\{[^`]*\}`",
    "clauses": r"\b[A-Z]{2}-\d+\b",
    "cards": r"\b(?:1?\d|[TJQKA])[CDHSOEB]\b",
    "places": r"\[\d,\d+\]",
}


@translations
@pytest.mark.parametrize("what", NAMED.values(), ids=NAMED)
def test_a_translation_names_the_same_things_in_every_clause(slug: str, language: str, what: str) -> None:
    english, translated = (
        {
            clause["id"]: set(re.findall(what, f"{clause['text']} {clause.get('example')}"))
            for clause in book["clause"]
        }
        for book in read_both(slug, language)
    )
    assert english == translated


@translations
def test_a_translation_leaves_no_prose_as_it_was(slug: str, language: str) -> None:
    english, translated = (prose(book) for book in read_both(slug, language))
    same = {where for where, text in translated.items() if text == english[where]}
    assert {where for where in same if not where.endswith("title")} == set()


@games
def test_every_clause_that_refuses_a_move_is_in_the_book(slug: str) -> None:
    codes = cited(slug)
    assert codes
    assert codes <= {clause["id"] for clause in read_book(slug, "en")["clause"]}


@books
def test_every_move_in_the_book_can_be_read(slug: str, language: str) -> None:
    moves = [
        move
        for text in prose(read_book(slug, language)).values()
        for move in re.findall(r"`(\{[^`]*\})`", text)
    ]
    assert moves
    for move in moves:
        read_move(CURRENT[slug], json.loads(move))


@books
def test_the_prose_is_single_paragraphs(slug: str, language: str) -> None:
    for where, text in prose(read_book(slug, language)).items():
        assert text, where
        assert text == text.strip(), where
        assert text.splitlines() == [text], where
        assert "\t" not in text, where
        assert "  " not in text, where


@books
def test_the_file_has_no_tabs_or_trailing_spaces(slug: str, language: str) -> None:
    lines = path_of(slug, language).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        assert "\t" not in line, number
        assert line == line.rstrip(), number
