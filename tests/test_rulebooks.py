"""The rule books that players read, against the clause ids that the rule modules cite."""

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from games.catalog import CURRENT
from games.rules.contract import read_move

ROOT = Path(__file__).resolve().parent.parent

# By game: the prefix of its clauses, how many they are, and the language of its source.
BOOKS = {
    "vagrat-lodrat": ("VL", 16, "sv"),
    "sicksack": ("SS", 11, "sv"),
    "vandtia-pyramid": ("VP", 19, "sv"),
    "kraftkort": ("KK", 15, "sv"),
    "camelot": ("CA", 8, "sv"),
    "las-pintas": ("LP", 13, "es"),
    "freecell": ("FC", 10, "sv"),
}
BOOK_KEYS = {"title", "language", "summary", "hidden", "clause"}
CLAUSE_KEYS = {"id", "title", "text"}
OPTIONAL_CLAUSE_KEYS = {"example", "ruling"}

FOLDER = ROOT / "seeds" / "rulebooks"

games = pytest.mark.parametrize("slug", BOOKS)
books = pytest.mark.parametrize(
    ("slug", "language"), [(slug, code) for slug, (_, _, source) in BOOKS.items() for code in ("en", source)]
)


def path_of(slug: str, language: str) -> Path:
    return FOLDER / f"{slug}.{language}.toml"


def read_book(slug: str, language: str) -> dict[str, Any]:
    return tomllib.loads(path_of(slug, language).read_text(encoding="utf-8"))


def read_both(slug: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The book in English and in the language of the source."""
    return read_book(slug, "en"), read_book(slug, BOOKS[slug][2])


def test_there_is_no_other_book() -> None:
    assert set(BOOKS) == set(CURRENT)
    expected = {path_of(slug, code) for slug, (_, _, source) in BOOKS.items() for code in ("en", source)}
    assert set(FOLDER.iterdir()) == expected


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
    prefix, count, _ = BOOKS[slug]
    expected = [f"{prefix}-{number}" for number in range(1, count + 1)]
    assert [clause["id"] for clause in read_book(slug, language)["clause"]] == expected


@games
def test_both_books_have_examples_and_rulings_at_the_same_clauses(slug: str) -> None:
    english, source = (
        [("example" in clause, clause.get("ruling", False)) for clause in book["clause"]]
        for book in read_both(slug)
    )
    assert english == source


@games
@pytest.mark.parametrize("what", ["`[^`, ]*`", r"\b[A-Z]{2}-\d+\b"])
def test_both_books_name_the_same_moves_and_clauses(slug: str, what: str) -> None:
    english, source = (
        {
            clause["id"]: set(re.findall(what, f"{clause['text']} {clause.get('example')}"))
            for clause in book["clause"]
        }
        for book in read_both(slug)
    )
    assert english == source


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
