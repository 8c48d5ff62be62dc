"""The rule books, as data and as pages, and the words of the rules in the language that is asked for."""

import re

import pytest

from cardsite.schema import _document
from games.api import shapes
from games.api.rule_books import RuleBookPage
from games.catalog import CURRENT
from games.clauses import clause_text
from tests.conftest import Client
from tests.expect import problem

LANGUAGES = ["en", "sv", "es"]
HIDDEN = {"en": "What is hidden", "sv": "Vad som är dolt", "es": "Qué está oculto"}


def book(slug, **headers):
    return Client().get_json(f"rulesets/{slug}/rules", **headers)


@pytest.mark.parametrize("language", ["sv", "es"])
@pytest.mark.parametrize("slug", CURRENT)
def test_every_book_is_had_in_every_language(db, slug, language):
    english, other = book(slug), book(slug, accept_language=language)
    assert (english["language"], other["language"]) == ("en", language)
    assert english["languages"] == other["languages"] == LANGUAGES
    for name in ("ruleset", "version"):
        assert english[name] == other[name]
    for name in ("summary", "hidden"):
        assert english[name] != other[name]
    for one, another in zip(english["clauses"], other["clauses"], strict=True):
        assert (one["id"], one["ruling"]) == (another["id"], another["ruling"])
        assert one["text"] != another["text"]
    for given, headers in ((english, {}), (other, {"accept_language": language})):
        rules = Client().get_json(f"rulesets/{slug}/", **headers)
        assert [rules[name] for name in ("summary", "hidden", "clauses")] == [
            given[name] for name in ("summary", "hidden", "clauses")
        ]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("sv", "sv"),
        ("sv-FI, en;q=0.5", "sv"),
        ("de, fr;q=0.9, sv;q=0.8", "sv"),
        ("es, sv;q=0.5", "es"),
        ("es-MX, sv;q=0.5", "es"),
        ("sv;q=0.5, es;q=0.9", "es"),
        ("en, sv;q=0.9", "en"),
        ("SV", "sv"),
        ("de", "en"),
        ("*", "en"),
        (";;q=x,", "en"),
        ("sv;q=0, en;q=0.1", "en"),
        ("x" * 5000, "en"),
    ],
)
def test_the_first_language_that_the_server_speaks_is_given(db, accepted, language):
    answer = Client().ask("GET", "rulesets/sicksack/rules", accept_language=accepted)
    assert answer.json()["language"] == answer.headers["Content-Language"] == language
    assert "accept-language" in answer.headers["Vary"].lower()


def test_the_query_comes_before_the_header(db):
    client = Client()
    path = "rulesets/sicksack/rules?language="
    assert client.get_json(f"{path}en", accept_language="sv")["language"] == "en"
    assert client.get_json(f"{path}sv")["language"] == "sv"
    assert client.get_json(f"{path}es", accept_language="sv")["language"] == "es"
    problem(client.ask("GET", f"{path}de"), "malformed")
    problem(client.ask("GET", "rulesets/sicksack/rules?lang=sv"), "malformed")
    problem(client.ask("GET", "rulesets/chess/rules"), "not_found")
    problem(client.ask("GET", "rulesets/chess/rules", accept="text/html"), "not_found")


@pytest.mark.parametrize("slug", CURRENT)
def test_a_page_has_each_clause_under_its_anchor_and_its_words_in_one_language(db, slug):
    for language in LANGUAGES:
        path = f"rulesets/{slug}/rules?language={language}"
        answer = Client().ask("GET", path, accept="text/html")
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        page = answer.content.decode()
        assert f'<html lang="{language}"' in page
        given = Client().get_json(path)
        assert re.findall(r'<section id="([^"]*)">', page) == [clause["id"] for clause in given["clauses"]]
        assert page.count('class="example"') == sum(
            clause["example"] is not None for clause in given["clauses"]
        )
        assert page.count('class="ruling"') == sum(clause["ruling"] for clause in given["clauses"])
        assert [words for words in HIDDEN.values() if words in page] == [HIDDEN[language]]
        assert re.findall(r'<a href="\?language=(..)"', page) == LANGUAGES
        assert "`" not in page
        assert "&amp;amp;" not in page


def test_what_stands_in_a_book_is_text_and_no_markup(db, monkeypatch):
    clause = {"id": "SS-1", "title": "<b>", "text": 'a < b & `{"x": "<i>"}` c', "example": "<script>"}
    page = RuleBookPage().render(
        shapes.RuleBookDetail(
            "sicksack", 1, "<T>", "en", ["en"], "<s>", "<h>", [shapes.RuleClause(**clause, ruling=False)]
        )
    )
    assert "a &lt; b &amp; <code>{&quot;x&quot;: &quot;&lt;i&gt;&quot;}</code> c" in page
    for markup in ("<b>", "<script>", "<T>", "<s>", "<h>", "<i>"):
        assert markup not in page


# Words of moves and refusals.

SICKSACK = ["5H", "9C", "KD", "4S", "2S", "AS"]


@pytest.fixture
def game(anna, bo, make_game_of):
    deck = list(CURRENT["sicksack"].deck(None))
    first = [card for card in SICKSACK if card in deck]
    deck = first + [card for card in deck if card not in first]
    return f"games/{make_game_of(deck, 'sicksack', [anna, bo])}/"


REFUSALS = {
    "en": "you can follow with 5H 9C KD",
    "sv": "du kan lägga 5H 9C KD",
    "es": "puedes seguir con 5H 9C KD",
}
CLAUSES = {
    "en": "If no card in your hand fits, you may take the pile",
    "sv": "Om inget kort på din hand passar får du ta högen",
    "es": "Si no encaja ninguna carta de tu mano, puedes llevarte la pila",
}
MOVES = {
    "en": "seat 0 plays 5H, draws AC",
    "sv": "plats 0 spelar 5H, drar AC",
    "es": "el asiento 0 juega 5H, roba AC",
}


@pytest.mark.parametrize("language", REFUSALS)
def test_a_refusal_is_in_the_asked_language(anna, game, language):
    answer = anna.client.post(
        f"{game}moves", {"ply": 0, "move": {"type": "take"}}, accept_language=f"{language}, en;q=0.1"
    )
    told = answer.json()
    assert told["why"] == REFUSALS[language]
    assert told["detail"] == f"SS-8: {REFUSALS[language]}."
    assert told["clause_text"] == clause_text("sicksack", "SS-8", language)
    assert told["clause_text"].startswith(CLAUSES[language])
    assert told["facts"] == {"cards": ["5H", "9C", "KD"]}
    page, _, anchor = told["rules"].removeprefix("/api/v1/").partition("#")
    assert anchor == "SS-8"
    book = anna.client.get_json(page)
    assert book["language"] == language
    assert {clause["id"]: clause["text"] for clause in book["clauses"]}["SS-8"] == told["clause_text"]


@pytest.mark.parametrize("language", MOVES)
def test_the_words_of_a_move_are_in_the_asked_language(anna, game, language):
    answer = anna.client.post(
        f"{game}moves", {"ply": 0, "move": {"type": "play", "card": "5H"}}, accept_language=language
    )
    assert [entry["text"] for entry in answer.json()["entries"]] == [MOVES[language]]
    for other, words in MOVES.items():
        log = anna.client.get_json(f"{game}moves", accept_language=other)
        assert [entry["text"] for entry in log["items"]] == [words]


def test_one_language_does_not_linger_for_the_next_request(anna, game):
    def why(**headers):
        return anna.client.post(f"{game}moves", {"ply": 0, "move": {"type": "take"}}, **headers).json()["why"]

    assert [why(accept_language="sv"), why(), why(accept_language="es"), why(accept_language="xx")] == [
        REFUSALS["sv"],
        REFUSALS["en"],
        REFUSALS["es"],
        REFUSALS["en"],
    ]


def test_each_language_has_a_tag_of_its_own(anna, game):
    tags = {
        language: anna.client.ask("GET", game, accept_language=language).headers["ETag"] for language in MOVES
    }
    assert len(set(tags.values())) == len(MOVES)
    for language, tag in tags.items():
        answer = anna.client.ask("GET", game, accept_language=language, if_none_match=tag)
        assert answer.status_code == 304
        assert "accept-language" in answer.headers["Vary"].lower()
    assert anna.client.ask("GET", game, accept_language="sv", if_none_match=tags["es"]).status_code == 200


def test_the_published_schema_is_in_english_whoever_asks_first(db):
    _document.cache_clear()
    first = Client().ask("GET", "schema", accept_language="sv").content
    _document.cache_clear()
    assert Client().ask("GET", "schema").content == first
