import asyncio
import json
import logging
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from cardsite import bridge
from cardsite.bridge import WsgiBridge
from cardsite.problems import problem_body

SCOPE: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0", "spec_version": "2.3"},
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "path": "/api/v1/games/",
    "raw_path": b"/api/v1/games/",
    "query_string": b"limit=5&q=%C3%A9",
    "root_path": "",
    "headers": [],
    "client": ("127.0.0.2", "40001"),
    "server": ("127.0.0.1", "8000"),
}


def chunk(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def exchange(
    app: WSGIApplication, *messages: dict[str, Any], max_body: int = 100, **scope: Any
) -> list[dict[str, Any]]:
    """What the bridge sends for one request; it may receive the given messages and no more."""
    incoming = iter(messages or [chunk(b"")])
    sent: list[dict[str, Any]] = []

    async def receive() -> Any:
        return next(incoming)

    async def send(message: Any) -> None:
        sent.append(message)

    async def main() -> None:
        full_scope: Any = {**SCOPE, **scope}
        await WsgiBridge(app, executor, max_body)(full_scope, receive, send)

    with ThreadPoolExecutor(1) as executor:
        asyncio.run(main())
    return sent


class Recorder:
    """Answers 204 and keeps the environ and body of each call."""

    def __init__(self) -> None:
        self.environs: list[WSGIEnvironment] = []
        self.bodies: list[bytes] = []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.environs.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
        start_response("204 No Content", [])
        return []


def environ_of(**scope: Any) -> WSGIEnvironment:
    app = Recorder()
    exchange(app, **scope)
    (environ,) = app.environs
    return environ


def test_environ() -> None:
    environ = environ_of(headers=[(b"host", b"127.0.0.1:8000"), (b"content-type", b"application/json")])

    assert isinstance(environ.pop("wsgi.input"), BytesIO)
    assert environ.pop("wsgi.errors") is sys.stderr
    assert environ == {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/api/v1/games/",
        "QUERY_STRING": "limit=5&q=%C3%A9",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.2",
        "CONTENT_LENGTH": "0",
        "CONTENT_TYPE": "application/json",
        "HTTP_HOST": "127.0.0.1:8000",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def test_environ_over_a_unix_socket() -> None:
    environ = environ_of(client=None, server=("/run/cardsite.sock", None))

    assert (environ["REMOTE_ADDR"], environ["SERVER_NAME"], environ["SERVER_PORT"]) == (
        "",
        "/run/cardsite.sock",
        "",
    )


@pytest.mark.parametrize(
    ("raw_path", "root_path", "script_name", "path_info"),
    [
        (b"/caf%C3%A9", "", "", "/caf\xc3\xa9"),
        (b"/caf\xc3\xa9", "", "", "/caf\xc3\xa9"),
        (b"/%ff", "", "", "/\xff"),
        (b"/a%2Fb%20c", "", "", "/a/b c"),
        (b"//a/../b", "", "", "//a/../b"),
        (b"/cards/me/", "/cards", "/cards", "/me/"),
        (b"/caf%C3%A9/me/", "/café", "/caf\xc3\xa9", "/me/"),
    ],
)
def test_paths_are_bytes_in_latin_1(
    raw_path: bytes, root_path: str, script_name: str, path_info: str
) -> None:
    environ = environ_of(raw_path=raw_path, root_path=root_path)

    assert (environ["SCRIPT_NAME"], environ["PATH_INFO"]) == (script_name, path_info)


def headers_of(*headers: tuple[bytes, bytes]) -> dict[str, str]:
    environ = environ_of(headers=headers)
    return {key: value for key, value in environ.items() if key.startswith(("HTTP_", "CONTENT_T"))}


def test_headers_with_an_underscore_are_dropped() -> None:
    assert headers_of((b"x_forwarded_for", b"1"), (b"content_type", b"2"), (b"x-forwarded-for", b"3")) == {
        "HTTP_X_FORWARDED_FOR": "3"
    }


def test_framing_headers_are_dropped() -> None:
    assert headers_of(
        (b"transfer-encoding", b"chunked"), (b"content-length", b"7"), (b"te", b"trailers")
    ) == {"HTTP_TE": "trailers"}


def test_repeated_headers_are_joined() -> None:
    assert headers_of(
        (b"cookie", b"a=1"),
        (b"accept", b"text/html"),
        (b"cookie", b"b=2"),
        (b"accept", b"*/*"),
        (b"content-type", b"text/plain"),
        (b"content-type", b"application/json"),
        (b"x-name", b"\xe9"),
    ) == {
        "HTTP_COOKIE": "a=1; b=2",
        "HTTP_ACCEPT": "text/html,*/*",
        "CONTENT_TYPE": "text/plain,application/json",
        "HTTP_X_NAME": "\xe9",
    }


def test_a_body_in_parts_is_read_whole() -> None:
    app = Recorder()

    exchange(app, chunk(b"12345", more=True), chunk(b"", more=True), chunk(b"678"))

    assert app.bodies == [b"12345678"]
    assert app.environs[0]["CONTENT_LENGTH"] == "8"


def test_a_body_message_may_leave_out_its_defaults() -> None:
    app = Recorder()

    exchange(app, {"type": "http.request"})

    assert app.bodies == [b""]


def test_a_body_as_large_as_allowed() -> None:
    app = Recorder()

    exchange(app, chunk(b"x" * 60, more=True), chunk(b"x" * 40), max_body=100)

    assert app.bodies == [b"x" * 100]


def test_a_larger_body_is_refused_as_soon_as_it_is_known() -> None:
    app = Recorder()

    start, body = exchange(app, chunk(b"x" * 60, more=True), chunk(b"x" * 41, more=True), max_body=100)

    assert app.environs == []
    assert start == {
        "type": "http.response.start",
        "status": 413,
        "headers": [(b"content-type", b"application/problem+json"), (b"connection", b"close")],
        "trailers": False,
    }
    assert json.loads(body["body"]) == problem_body(
        "too_large", "The body is larger than 100 bytes.", {"limit": 100}
    )


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "BODY_WITHIN", 0.05)
    app, sent, parts = Recorder(), [], [chunk(b"1", more=True)]

    async def receive() -> Any:
        return parts.pop() if parts else await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    async def main() -> None:
        scope: Any = SCOPE
        await WsgiBridge(app, executor, 100)(scope, receive, send)

    with ThreadPoolExecutor(1) as executor:
        asyncio.run(main())

    assert app.environs == []
    start, body = sent
    assert start["status"] == 400
    assert (b"connection", b"close") in start["headers"]
    assert json.loads(body["body"])["detail"] == "The body did not come within 0.05 s."


@pytest.mark.parametrize("before", [[], [chunk(b"123", more=True)]])
def test_a_client_that_leaves_amid_its_body_reaches_nobody(before: list[dict[str, Any]]) -> None:
    app = Recorder()

    sent = exchange(app, *before, {"type": "http.disconnect"})

    assert sent == []
    assert app.environs == []


def test_answer() -> None:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        write = start_response(
            "201 Created", [("Location", "/\xe9"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
        )
        write(b"1")
        return iter([b"2", b"", b"3"])

    assert exchange(app) == [
        {
            "type": "http.response.start",
            "status": 201,
            "headers": [(b"location", b"/\xe9"), (b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")],
            "trailers": False,
        },
        {"type": "http.response.body", "body": b"123", "more_body": False},
    ]


def test_a_second_start_replaces_the_first() -> None:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("X-First", "1")])
        try:
            _ = 1 / 0
        except ZeroDivisionError:
            start_response("503 Service Unavailable", [("Retry-After", "1")], sys.exc_info())
        return [b"later"]

    start, body = exchange(app)

    assert (start["status"], start["headers"], body["body"]) == (503, [(b"retry-after", b"1")], b"later")


class Parts:
    """A WSGI answer that notes on which threads it was read and closed, and fails where it is told to."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.read_on: list[int] = []
        self.closed_on: list[int] = []

    def __call__(self, _: WSGIEnvironment, start_response: StartResponse) -> "Parts":
        start_response("200 OK", [])
        return self

    def __iter__(self) -> Iterator[bytes]:
        self.read_on.append(threading.get_ident())
        yield b"part"
        if self.fails:
            raise ValueError("a secret")

    def close(self) -> None:
        self.closed_on.append(threading.get_ident())


@pytest.mark.parametrize(("fails", "status"), [(False, 200), (True, 500)])
def test_the_answer_is_closed_once_on_the_thread_that_made_it(*, fails: bool, status: int) -> None:
    app = Parts(fails=fails)

    start, _ = exchange(app)

    assert start["status"] == status
    assert app.closed_on == app.read_on
    assert len(app.closed_on) == 1
    assert app.closed_on != [threading.get_ident()]


def raises_at_once(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    raise ValueError("a secret")


def never_starts(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    return [b"a secret"]


def sends_what_is_not_latin_1(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("200 OK", [("X-Secret", "\u2660")])
    return []


@pytest.mark.parametrize("app", [raises_at_once, never_starts, sends_what_is_not_latin_1, Parts(fails=True)])
def test_a_failure_is_logged_and_says_nothing(app: WSGIApplication, caplog: pytest.LogCaptureFixture) -> None:
    start, body = exchange(app, raw_path=b"/a%0Ab")

    assert start["status"] == 500
    assert start["headers"] == [(b"content-type", b"application/problem+json")]
    assert json.loads(body["body"]) == problem_body("internal", "The server failed; the failure was logged.")
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("cardsite.bridge", logging.ERROR)
    assert record.getMessage() == "POST b'/a%0Ab' failed"
    assert record.exc_info


def test_requests_run_beside_each_other_and_the_loop() -> None:
    all_in = threading.Barrier(3)

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        all_in.wait(timeout=5)
        start_response("200 OK", [])
        return [b"ok"]

    async def receive() -> Any:
        return chunk(b"")

    async def main() -> list[bytes]:
        bodies: list[bytes] = []

        async def send(message: Any) -> None:
            bodies.append(message.get("body", b""))

        bridge = WsgiBridge(app, executor, 100)
        scope: Any = SCOPE
        await asyncio.gather(
            bridge(scope, receive, send), bridge(scope, receive, send), asyncio.to_thread(all_in.wait, 5)
        )
        return bodies

    with ThreadPoolExecutor(2) as executor:
        assert sorted(asyncio.run(main())) == [b"", b"", b"ok", b"ok"]


def test_what_is_given_beside_a_request_is_found_by_its_name_each_time_it_is_asked() -> None:
    app, given = Recorder(), list[str]()

    async def receive() -> Any:
        return chunk(b"abc")

    async def main(executor: ThreadPoolExecutor) -> None:
        bridge = WsgiBridge(app, executor, 100)
        scope: Any = {**SCOPE, "headers": [(b"cardsite.follow", b"x"), (b"cardsite-follow", b"x")]}
        assert await bridge.answer(scope, receive, follow=given) == (204, [], b"")
        assert await bridge.ask(scope, follow=given) == (204, [], b"")
        assert await bridge.ask(scope) == (204, [], b"")

    with ThreadPoolExecutor(1) as executor:
        asyncio.run(main(executor))
    assert [environ.get("cardsite.follow") is given for environ in app.environs] == [True, True, False]
    assert "cardsite.follow" not in app.environs[2]
    assert app.bodies == [b"abc", b"", b""]
