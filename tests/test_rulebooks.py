"""The rule books that players read, against the clause ids that the rule modules cite."""

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent

CLAUSES = {
    "freecell": ["FC-1", "FC-2", "FC-3", "FC-4", "FC-5", "FC-6", "FC-7", "FC-8", "FC-9", "FC-10"],
    "sicksack": ["SS-1", "SS-2", "SS-3", "SS-4", "SS-5", "SS-6", "SS-7", "SS-8", "SS-9", "SS-10", "SS-11"],
}
BOOK_KEYS = {"title", "language", "summary", "hidden", "clause"}
CLAUSE_KEYS = {"id", "title", "text"}
OPTIONAL_CLAUSE_KEYS = {"example", "ruling"}

games = pytest.mark.parametrize("slug", CLAUSES)


def path_of(slug: str) -> Path:
    return ROOT / "seeds" / "rulebooks" / f"{slug}.en.toml"


def read_book(slug: str) -> dict[str, Any]:
    return tomllib.loads(path_of(slug).read_text(encoding="utf-8"))


def cited(slug: str) -> set[str]:
    """The codes of every `IllegalMove` that the game's module raises."""
    module = ast.parse((ROOT / "games" / "rules" / f"{slug}.py").read_text(encoding="utf-8"))
    codes = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalMove":
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


@games
def test_the_book_has_the_expected_keys(slug: str) -> None:
    book = read_book(slug)
    assert book.keys() == BOOK_KEYS
    assert book["language"] == "en"
    for clause in book["clause"]:
        assert CLAUSE_KEYS <= clause.keys() <= CLAUSE_KEYS | OPTIONAL_CLAUSE_KEYS, clause["id"]
        assert clause.get("ruling", True) is True, clause["id"]


@games
def test_every_clause_stands_once_and_in_order(slug: str) -> None:
    assert [clause["id"] for clause in read_book(slug)["clause"]] == CLAUSES[slug]


@games
def test_every_clause_that_refuses_a_move_is_in_the_book(slug: str) -> None:
    codes = cited(slug)
    assert codes
    assert codes <= {clause["id"] for clause in read_book(slug)["clause"]}


@games
def test_the_prose_is_single_paragraphs(slug: str) -> None:
    for where, text in prose(read_book(slug)).items():
        assert text, where
        assert text == text.strip(), where
        assert text.splitlines() == [text], where
        assert "\t" not in text, where
        assert "  " not in text, where


@games
def test_the_file_has_no_tabs_or_trailing_spaces(slug: str) -> None:
    for number, line in enumerate(path_of(slug).read_text(encoding="utf-8").splitlines(), start=1):
        assert "\t" not in line, number
        assert line == line.rstrip(), number
