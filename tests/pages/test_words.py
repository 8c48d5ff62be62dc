"""The words of the pages in Swedish and Spanish."""

import re
from io import BytesIO

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.test_translations import ROOT

METHODS = [
    ("**.py", "python"),
    ("**.html", "cardsite.template_words:extract"),
    ("**.txt", "cardsite.template_words:extract"),
]
KEYWORDS = {"gettext": None, "gettext_lazy": None, "ngettext": (1, 2)}
WHERE = ("cardsite", "accounts", "games/pages", "games/templates")
PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>")

languages = pytest.mark.parametrize("language", ["sv", "es"])


def catalog_of(language):
    with (ROOT / "cardsite" / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language, domain="django")


def collected():
    return {
        message[2]
        for folder in WHERE
        for message in extract_from_dir(ROOT / folder, METHODS, keywords=KEYWORDS)
    }


def test_the_words_of_templates_and_of_code_are_collected():
    assert {"Find games", "Won", "The form has grown old", "Your profile is changed."} <= collected()
    assert ("%(moves)s move", "%(moves)s moves") in collected()


@languages
def test_everything_is_translated_and_nothing_else(language):
    messages = [message for message in catalog_of(language) if message.id]
    assert {message.id for message in messages} == collected()
    strings = {
        message.id: [message.string] if isinstance(message.string, str) else list(message.string)
        for message in messages
    }
    assert [words for words, of in strings.items() if not all(of)] == []
    assert [message.id for message in messages if message.fuzzy] == []


@languages
def test_a_translation_has_the_facts_and_the_tags_of_its_original(language):
    for message in catalog_of(language):
        if not message.id:
            continue
        ids, strings = ([one] if isinstance(one, str) else list(one) for one in (message.id, message.string))
        for original, translated in zip(ids, strings, strict=True):
            assert sorted(PLACES.findall(translated)) == sorted(PLACES.findall(original)), original


@languages
def test_what_is_compiled_is_what_is_written(language):
    compiled = BytesIO()
    write_mo(compiled, catalog_of(language))
    kept = ROOT / "cardsite" / "locale" / language / "LC_MESSAGES" / "django.mo"
    assert kept.read_bytes() == compiled.getvalue(), "make words"
