"""The replay board's own words: the same in all three languages, and none that it does not say."""

import re
from pathlib import Path

import pytest

BOARD = Path(__file__).resolve().parent.parent / "games/static/games/board"
WORDS = (BOARD / "words.js").read_text(encoding="utf-8")


def words_in(language):
    """The words of a language by their keys."""
    block = re.search(rf"const {language} = {{(.*?)\n}};", WORDS, re.DOTALL)
    return dict(re.findall(r'(\w+): "([^"]*)"', block[1]))


ENGLISH = words_in("EN")


@pytest.mark.parametrize("language", ["SV", "ES"])
def test_every_language_has_the_same_words_with_the_same_facts(language):
    words = words_in(language)
    assert list(words) == list(ENGLISH)
    for key, said in words.items():
        assert sorted(re.findall(r"{\w+}", said)) == sorted(re.findall(r"{\w+}", ENGLISH[key])), key
        assert said.strip(), key


def test_every_word_is_said_somewhere():
    modules = [path for path in BOARD.rglob("*.js") if path.name != "words.js"]
    # Speeds and directions are said by their own names.
    said = "".join(path.read_text(encoding="utf-8") for path in modules)
    unsaid = {key for key in ENGLISH if not re.search(rf'"{key}"|\b{key}:', said)}
    assert unsaid == set()
