"""The words of the rules in Swedish and Spanish: all of them, with the same facts, and compiled."""

from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "phrase": None,
    "phrases": (1, 2),
    "words": None,
    "IllegalMove": (2,),
    "IllegalOptions": (2,),
}

languages = pytest.mark.parametrize("language", ["sv", "es"])


def catalog_of(language: str) -> Catalog:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language, domain="django")


def collected() -> set[Any]:
    # The words of pages stand in a catalog of their own.
    found = extract_from_dir(
        ROOT / "games",
        [("**.py", "python")],
        keywords=KEYWORDS,
        directory_filter=lambda folder: Path(folder).name not in ("pages", "__pycache__"),
    )
    return {message[2] for message in found}


def test_the_words_of_every_game_are_collected() -> None:
    single = {message for message in collected() if isinstance(message, str)}
    assert {"the game is over", "you can follow with {cards}", "draws a card"} <= single
    assert ("takes {count} card", "takes {count} cards") in collected()


@languages
def test_everything_is_translated_and_nothing_else(language: str) -> None:
    catalog = catalog_of(language)
    assert {message.id for message in catalog if message.id} == collected()
    untranslated = [
        message.id
        for message in catalog
        if message.id and not all([message.string] if isinstance(message.string, str) else message.string)
    ]
    assert untranslated == []
    assert [message.id for message in catalog if message.id and message.fuzzy] == []


@languages
def test_a_translation_has_the_facts_of_its_original(language: str) -> None:
    for message in catalog_of(language):
        if isinstance(message.id, str):
            assert facts(message.string) == facts(message.id), message.id
        else:
            one, many = message.id
            assert [facts(string) - {"count"} for string in message.string] == [
                facts(one) - {"count"},
                facts(many) - {"count"},
            ], message.id
            assert "count" in facts(message.string[1]), message.id


def facts(text: Any) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@languages
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalog_of(language))
    kept = ROOT / "locale" / language / "LC_MESSAGES" / "django.mo"
    assert kept.read_bytes() == compiled.getvalue(), "make words"
