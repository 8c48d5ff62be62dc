"""The language and the colours of the pages."""

import pytest

from tests.expect import nothing_changes
from tests.pages.conftest import Browser

HOME = {
    "en": "Seven card games, played by API",
    "sv": "Sju kortspel, spelade över API",
    "es": "Siete juegos de cartas por API",
}


@pytest.mark.parametrize(("language", "words"), HOME.items())
def test_pages_are_in_the_language_that_the_browser_asks_for(db, language, words):
    browser = Browser(**{"Accept-Language": f"{language}-XX, de;q=0.5"})
    answer = browser.get("/")
    page = answer.content.decode()
    assert f"<h1>{words}</h1>" in page
    assert f'<html lang="{language}"' in page
    assert answer.headers["Content-Language"] == language


def test_a_language_that_is_chosen_stays(visitor):
    answer = visitor.post("/preferences", {"language": "sv", "next": "/rules/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/")
    cookie = visitor.cookies["django_language"]
    assert (cookie.value, cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (
        "sv",
        True,
        "Lax",
        31_536_000,
    )
    page = visitor.page("/", accept_language="es")
    assert HOME["sv"] in page
    assert 'name="language" value="sv" lang="sv" aria-pressed="true">Svenska<' in page
    visitor.post("/preferences", {"language": "en"})
    assert HOME["en"] in visitor.page("/", accept_language="es")


@pytest.mark.parametrize(("theme", "scheme"), [("light", "light"), ("dark", "dark"), ("auto", "light dark")])
def test_colours_that_are_chosen_stay(visitor, theme, scheme):
    assert 'data-theme="auto"' in visitor.page("/")
    assert visitor.post("/preferences", {"theme": theme, "next": "/"}).status_code == 302
    page = visitor.page("/")
    assert f'data-theme="{theme}"' in page
    assert f'<meta name="color-scheme" content="{scheme}">' in page
    assert f'name="theme" value="{theme}" aria-pressed="true"' in page


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil", ""]
)
def test_a_choice_leads_to_this_host_alone(visitor, target):
    answer = visitor.post("/preferences", {"theme": "dark", "next": target})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize(
    "fields", [{"language": "de"}, {"theme": "pink"}, {"language": ""}, {"theme": "dark\0"}]
)
def test_what_there_is_not_is_refused(visitor, fields):
    with nothing_changes():
        answer = visitor.post("/preferences", fields)
    assert answer.status_code == 400
    assert dict(visitor.cookies) == {}


@pytest.mark.parametrize("cookie", ["pink", "", "<b>", '"\\000"'])
def test_a_cookie_of_nonsense_is_as_none(db, cookie):
    page = Browser().page("/", cookie=f"theme={cookie}; django_language={cookie}")
    assert 'data-theme="auto"' in page
    assert HOME["en"] in page
