"""What pages may load and run, and that they keep to it."""

import re

import pytest

from games.locks import database_time
from games.services.daily import daily_deals_make
from games.services.leaving import game_resign

STRICT = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
INLINE = re.compile(
    r"<style|<script(?![^>]*\bsrc=)|\sstyle\s*=|\son[a-z]+\s*=|javascript:|(?:src|href)=\"(?:https?:)?//",
    re.IGNORECASE,
)


def policy(answer):
    parts = (part.strip().partition(" ") for part in answer.headers["Content-Security-Policy"].split(";"))
    return {name: value for name, _, value in parts}


@pytest.fixture
def paths(anna, bo, make_game):
    daily_deals_make(today=database_time().date())
    over = make_game("sicksack", [anna, bo])
    game_resign(game_id=over, player=bo)
    running = make_game("camelot", [anna])
    return [
        "/",
        "/games/",
        "/games/?player=bo&result=loss",
        "/games/?player=nobody",
        f"/games/{over}/",
        f"/games/{running}/",
        "/leaderboards/",
        "/leaderboards/sicksack/",
        "/daily/",
        f"/daily/{database_time().date()}/freecell/",
        "/players/anna/",
        "/rules/",
        "/rules/las-pintas/?language=es",
        "/nothing",
    ]


def test_no_page_has_a_script_or_a_style_in_it(visitor, at_home, paths):
    for browser, more in (
        (
            visitor,
            ["/sign-up", "/log-in", "/password-reset/", "/password-reset/sent", "/password-reset/x/y/"],
        ),
        (at_home, ["/account/", "/account/password", "/tokens/", "/your-games/"]),
    ):
        for path in [*paths, *more]:
            answer = browser.get(path)
            assert policy(answer) == STRICT, path
            assert INLINE.findall(answer.content.decode().replace('href="http://testserver/', "")) == [], path


def test_a_refused_form_keeps_to_it_as_well(visitor):
    answer = visitor.post("/log-in", {"username": "x", "password": "y"})
    assert answer.status_code == 403
    assert "The form has grown old" in answer.content.decode()
    assert policy(answer) == STRICT


def test_what_others_made_has_what_it_needs(visitor, staff, browser_of):
    styles = STRICT | {"style-src": "'self' 'unsafe-inline'"}
    boss = browser_of(staff)
    for path in ("/api/v1/docs", "/api/v1/games/", "/api/login/"):
        assert policy(boss.get(path)) == styles, path
    scripts = styles | {"script-src": "'self' 'unsafe-inline' 'unsafe-eval'"}
    assert policy(boss.get("/admin/")) == scripts


def test_json_is_no_page(anonymous):
    assert "Content-Security-Policy" not in anonymous.ask("GET", "games/").headers


def test_swagger_has_its_script_apart(visitor):
    page = visitor.page("/api/v1/docs")
    assert '<script src="/api/v1/docs?script=">' in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    script = visitor.get("/api/v1/docs?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert "SwaggerUIBundle(" in script.content.decode()
