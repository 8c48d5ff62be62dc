"""A rule book as a page: what the template needs, wherever the page stands."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_info, gettext, override


class Clause(Protocol):
    """What is shown of a clause."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def example(self) -> str | None: ...
    @property
    def ruling(self) -> bool: ...


class Book(Protocol):
    """What is shown of a rule book."""

    @property
    def title(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def hidden(self) -> str: ...
    @property
    def clauses(self) -> Sequence[Clause]: ...


def book_page(book: Book, languages: Iterable[str]) -> dict[str, Any]:
    """A book and the languages that it can be had in; the words around its own are in its language."""
    with override(book.language):
        words = {
            "hidden": gettext("What is hidden"),
            "example": gettext("Example"),
            "ruling": gettext("a ruling: the source leaves this open"),
        }
    return {
        "book": book,
        "clauses": [
            {
                "id": clause.id,
                "title": clause.title,
                "text": _with_code(clause.text),
                "example": _with_code(clause.example or ""),
                "ruling": clause.ruling,
            }
            for clause in book.clauses
        ],
        "hidden": _with_code(book.hidden),
        "languages": [get_language_info(code) for code in languages],
        "words": words,
    }


def _with_code(text: str) -> SafeString:
    """Text in which what stands between backticks is code."""
    parts = [
        format_html("<code>{}</code>", part) if number % 2 else conditional_escape(part)
        for number, part in enumerate(text.split("`"))
    ]
    return mark_safe("".join(parts))  # noqa: S308 - each part was escaped
