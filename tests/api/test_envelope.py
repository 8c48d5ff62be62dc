"""Errors: problem documents, whatever fails and wherever."""

import asyncio
import json
import threading
from pathlib import Path

import pytest
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections, transaction
from django.db.backends.utils import CursorWrapper
from psycopg_pool import ConnectionPool, PoolTimeout

import accounts
import cardsite
import games
from cardsite.asgi import application
from cardsite.problems import CONTENT_TYPE, KINDS
from games.api import views
from tests.conftest import Client
from tests.expect import everything, nothing_changes, problem

# Paths that lead nowhere, and accepted formats that there are none of.


@pytest.mark.parametrize(
    "path",
    [
        "/api/",
        "/api/v1/nothing",
        "/api/v2/games/",
        "/api/v1/games/x/",
        "/api/v1/games/01920000-0000-7000-8000-00000000000/",
        "/api/v1/games/01920000-0000-7000-8000-000000000000/unknown",
        "/api/v1/games/01920000-0000-7000-8000-000000000000/positions/-1",
        "/api/v1/games/01920000-0000-7000-8000-000000000000/positions/x",
        "/api/v1/games/01920000-0000-7000-8000-000000000000/positions/" + "9" * 5000,
        "/api/v1/games/01920000-0000-7000-8000-000000000000/",
        "/api/v1/games/01920000-0000-7000-8000-000000000000/moves",
        "/api/v1/rulesets/chess/",
        "/api/v1/players/nobody/",
        "/api/v1/%ff%00",
        "/api/v1/games//",
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/json, text/plain;q=0.5"])
def test_there_is_nothing_at_an_unknown_path(anonymous, path, accept):
    problem(anonymous.ask("GET", path, accept=accept), "not_found")


def test_outside_the_api_an_unknown_path_is_a_page(anonymous):
    answer = anonymous.ask("GET", "/nothing")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


class Broken:
    """A database that does not answer, or code that fails."""

    def __init__(self, error):
        self.error = error

    def __call__(self, **_):
        raise self.error


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/games/01920000-0000-7000-8000-000000000000/", 404),
        ("GET", "/players/nobody/", 404),
        ("GET", "/games/?player=nobody", 400),
        ("GET", "/tokens/?cursor=x", 400),
        ("GET", "/games/?" + "&".join(f"x{number}" for number in range(1500)), 400),
        ("POST", "/log-in", 403),
        ("GET", "/log-out", 405),
        ("GET", "/static/nothing.css", 404),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/admin/nothing/", 404),
    ],
)
def test_no_refusal_outside_the_views_of_the_api_is_kept(staff, method, path, status):
    browser = Client()
    browser.force_login(staff)
    browser.handler.enforce_csrf_checks = True
    answer = browser.ask(method, path, accept="text/html")
    assert answer.status_code == status
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(("error", "status"), [(OperationalError(), 503), (RuntimeError(), 500)])
def test_no_page_of_a_failure_is_kept(anonymous, monkeypatch, error, status):
    monkeypatch.setattr("games.pages.finding.games_found", Broken(error))
    answer = anonymous.ask("GET", "/games/", accept="text/html")
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-store"


def test_no_page_for_an_unknown_host_is_kept(anonymous):
    answer = anonymous.ask("GET", "/", host="evil.example", accept="text/html")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (400, "no-store")


@pytest.mark.parametrize(
    "accept", ["text/plain", "application/xml", "image/*", "application/yaml", "x" * 20_000]
)
@pytest.mark.parametrize("path", ["me/", "games/", "players/anna/", "schema", "docs"])
def test_what_is_asked_for_in_another_format_is_refused_in_json(anna, path, accept):
    if (path, accept) == ("schema", "application/yaml"):
        assert anna.client.ask("GET", path, accept=accept).status_code == 200
    else:
        problem(anna.client.ask("GET", path, accept=accept), "not_acceptable")


@pytest.mark.parametrize(
    "accept",
    [
        "application/json",
        "application/json; indent=4",
        "application/json;charset=utf-8",
        "application/*",
        "*/*",
    ],
)
def test_a_problem_is_a_problem_document_however_json_is_asked_for(anna, accept):
    problem(anna.client.ask("GET", "players/nobody/", accept=accept), "not_found")
    problem(anna.client.ask("GET", "games/?limit=0", accept=accept), "malformed")
    problem(Client().ask("GET", "me/", accept=accept), "unauthenticated")
    problem(anna.client.ask("PUT", "me/", accept=accept), "method_not_allowed")


# Bodies.


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "text/json", "x", ""]
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "accounts/"),
        ("PATCH", "me/"),
        ("POST", "me/tokens/"),
        ("POST", "games/"),
        ("POST", "games/{game}/join"),
        ("POST", "games/{game}/start"),
        ("POST", "games/{game}/moves"),
    ],
)
def test_a_body_that_is_not_said_to_be_json_is_refused(anna, make_game, method, path, content_type):
    where = "/api/v1/" + path.format(game=make_game("freecell", [anna], start=path.endswith("moves")))
    with nothing_changes():
        answer = anna.client.generic(method, where, b'{"name": "x"}', content_type=content_type)
        problem(answer, "unsupported_media_type", detail="Send the body as application/json.")


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json"]
)
def test_json_may_be_called_so_in_full(anna, content_type):
    answer = anna.client.generic("POST", "/api/v1/me/tokens/", b'{"name": "x"}', content_type=content_type)
    assert answer.status_code == 201


def asgi(method, path, body, content_type="application/json"):
    """Status, headers and body of a request to the whole application."""
    sent = []
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", content_type.encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


@pytest.mark.parametrize(("extra", "code"), [(0, "not_found"), (1, "too_large")])
def test_a_body_has_a_largest_size(extra, code):
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    status, headers, body = asgi("POST", "/api/v1/nothing", b" " * (limit + extra))
    told = json.loads(body)
    assert (status, told["status"], told["code"]) == (KINDS[code].status, KINDS[code].status, code)
    assert headers[b"content-type"].decode() == CONTENT_TYPE
    assert told.get("limit") == (limit if code == "too_large" else None)


@pytest.mark.parametrize(
    "path", ["accounts/", "me/tokens/", "games/", "games/{game}/join", "games/{game}/moves"]
)
def test_a_body_has_a_largest_size_behind_any_server(anna, make_game, path):
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    where = path.format(game=make_game("freecell", [anna]))
    with nothing_changes():
        problem(anna.client.post(where, b"{" + b" " * limit), "too_large", limit=limit)
        problem(anna.client.post(where, b"{" + b" " * (limit - 1)), "malformed")


@pytest.mark.parametrize("content_type", ["application/json; a*=none''%41", "application/json; a*1*=none''z"])
def test_a_content_type_that_cannot_be_read_is_no_failure(content_type):
    status, _, body = asgi("POST", "/api/v1/nothing", b"{}", content_type)
    assert (status, json.loads(body)["code"]) == (404, "not_found")


@pytest.mark.parametrize("host", ["evil.example", "a b", "localhost:x", "[::1"])
def test_a_host_that_is_not_ours_is_refused(anna, host):
    problem(anna.client.ask("GET", "me/", host=host), "malformed")
    assert anna.client.ask("GET", "/admin/", host=host).status_code == 400


# Failures.


@pytest.mark.parametrize("accept", ["application/json", "text/html", "*/*"])
def test_a_failure_tells_nothing_of_what_failed(anna, monkeypatch, accept):
    def fail(**_):
        raise RuntimeError("the next card is QS")

    monkeypatch.setattr(views, "summary_rows", fail)
    answer = anna.client.ask("GET", "games/", accept=accept)
    body = problem(answer, "internal", detail="The server failed; the failure was logged.")
    assert set(body) == {"type", "title", "status", "detail", "code"}


def failing(error, at):
    """A cursor whose statement number `at` fails, and those after it work again."""
    execute, calls = CursorWrapper.execute, iter(range(1, 10_000))

    def maybe(cursor, sql, params=None):
        if next(calls) == at:
            raise error
        return execute(cursor, sql, params)

    return maybe


WRITES = [
    ("POST", "accounts/", {"username": "nils", "password": "brown-otter-47"}, {}),
    ("PATCH", "me/", {"display_name": "A"}, {}),
    ("POST", "me/tokens/", {"name": "x"}, {"idempotency_key": "k"}),
    ("POST", "games/", {"ruleset": "freecell"}, {"idempotency_key": "k"}),
    ("POST", "games/{others}/join", {}, {}),
    ("POST", "games/{game}/leave", None, {}),
    ("POST", "games/{game}/start", {}, {}),
    ("POST", "games/{running}/moves", {"ply": 0, "notation": "5a 5b"}, {}),
]


@pytest.mark.parametrize(("method", "path", "body", "headers"), WRITES)
def test_where_the_database_is_lost_on_the_way_nothing_is_written(
    anna, bo, make_game, monkeypatch, method, path, body, headers
):
    made = {
        "game": make_game("freecell", [anna], start=False),
        "running": make_game("freecell", [anna], options={"deal": 1}),
        "others": make_game("sicksack", [bo], start=False, seats=2),
    }
    where = path.format(**made)
    anna.client.get_json("me/")  # notes the use of the token
    before, unwritten = everything(), 0
    for at in range(1, 30):
        with transaction.atomic(), monkeypatch.context() as patched:
            patched.setattr(CursorWrapper, "execute", failing(OperationalError("at 10.0.0.5"), at))
            answer = anna.client.ask(method, where, body, **headers)
        if answer.status_code < 400:
            break
        told = problem(answer, "unavailable", detail="The database did not answer.")
        assert "10.0.0.5" not in str(told)
        assert answer.headers["Retry-After"] == "2"
        if everything() != before:  # only the answer could not be read any more
            assert path.endswith(("join", "start"))
            break
        unwritten += 1
    assert unwritten >= 2


@pytest.mark.parametrize("error", [OperationalError("at 10.0.0.5"), InterfaceError("closed")])
@pytest.mark.parametrize("path", ["me/", "games/", "players/anna/", "games/{game}/", "games/{game}/moves"])
def test_a_lost_database_is_told_to_readers_too(anna, make_game, monkeypatch, path, error):
    where = path.format(game=make_game("freecell", [anna]))
    monkeypatch.setattr(CursorWrapper, "execute", failing(error, 1))
    answer = anna.client.ask("GET", where)
    problem(answer, "unavailable")
    assert answer.headers["Retry-After"] == "2"


@pytest.mark.django_db(transaction=True)
def test_where_no_connection_is_free_in_time_a_retry_is_asked_for(anna, monkeypatch):
    def none_free(*_args, **_kwargs):
        raise PoolTimeout("couldn't get a connection after 5.00 sec")

    answers = []

    def ask():
        try:
            answers.append(anna.client.ask("GET", "me/"))
        finally:
            connections.close_all()

    monkeypatch.setattr(ConnectionPool, "getconn", none_free)
    asking = threading.Thread(target=ask)
    asking.start()
    asking.join()
    problem(answers[0], "unavailable")
    assert answers[0].headers["Retry-After"] == "2"


def test_a_session_that_cannot_be_read_is_a_lost_database_too(anna, monkeypatch):
    browser = Client()
    browser.force_login(anna)
    monkeypatch.setattr(CursorWrapper, "execute", failing(OperationalError("gone"), 1))
    problem(browser.ask("GET", "me/"), "unavailable")


# The registry.


def test_every_code_of_the_registry_is_used_and_has_a_status_of_an_error():
    sources = "".join(
        file.read_text()
        for package in (accounts, cardsite, games)
        for file in sorted(Path(package.__path__[0]).rglob("*.py"))
    )
    once = [code for code in KINDS if sources.count(f'"{code}"') < 2]
    assert once == []
    assert all(400 <= kind.status < 600 for kind in KINDS.values())
