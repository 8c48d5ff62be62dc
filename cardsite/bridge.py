"""A WSGI application behind an ASGI server, at one thread hop a request."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Mapping
from concurrent.futures import Executor
from functools import partial
from io import BytesIO
from typing import Any, cast
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from cardsite.problems import CONTENT_TYPE, KINDS, problem_body

logger = logging.getLogger(__name__)

_NOT_IN_A_HEADER = re.compile(rb"[^\t\x20-\x7e\x80-\xff]")

BODY_WITHIN = 30  # seconds

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


class WsgiBridge:
    """An ASGI application (HTTP scopes only) that runs a WSGI application on the threads of an executor.

    Request and answer are held in memory whole. A body of more than `max_body` bytes is answered 413
    (problem `too_large`, with `limit` in bytes), one that is not there in time 400 (`malformed`); whatever the
    application raises is logged and answered 500 (problem `internal`). A client that leaves before its body is
    complete never reaches it; one that leaves later does not stop it.
    """

    def __init__(self, app: WSGIApplication, executor: Executor, max_body: int) -> None:
        self._app = app
        self._executor = executor
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        answer = await self.answer(scope, receive)
        if answer is not None:
            status, headers, content = answer
            await send(
                {"type": "http.response.start", "status": status, "headers": headers, "trailers": False}
            )
            await send({"type": "http.response.body", "body": content, "more_body": False})

    async def answer(self, scope: Scope, receive: ASGIReceiveCallable, **environ: object) -> Answer | None:
        """The answer to a request, or None where the client has left. `environ` is for the application to find
        beside what came over the wire, under names that begin with `cardsite.`."""
        chunks: list[bytes] = []
        room = self._max_body
        more = True
        try:
            async with asyncio.timeout(BODY_WITHIN):
                while more and room >= 0:
                    message = await receive()
                    if message["type"] != "http.request":
                        return None
                    chunks.append(message.get("body", b""))
                    room -= len(chunks[-1])
                    more = message.get("more_body", False)
        except TimeoutError:
            status, headers, content = _problem("malformed", f"The body did not come within {BODY_WITHIN} s.")
            headers.append((b"connection", b"close"))
            return status, headers, content
        if room < 0:
            detail = f"The body is larger than {self._max_body} bytes."
            status, headers, content = _problem("too_large", detail, limit=self._max_body)
            # With the rest of the body still to come, the server closes; a client must not ask again on it.
            headers.append((b"connection", b"close"))
            return status, headers, content
        return await self.ask(scope, b"".join(chunks), **environ)

    async def ask(self, scope: Scope, body: bytes = b"", **environ: object) -> Answer:
        """The answer to a request whose body has been received."""
        call = partial(_call, self._app, cast(HTTPScope, scope), body, environ)
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)


def _call(app: WSGIApplication, scope: HTTPScope, body: bytes, beside: Mapping[str, object]) -> Answer:
    heads: list[tuple[str, list[tuple[str, str]]]] = []
    chunks: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], _exc_info: object = None, /) -> Any:
        heads.append((status, headers))
        return chunks.append

    try:
        environ = _environ(scope, body) | {f"cardsite.{name}": value for name, value in beside.items()}
        parts = app(environ, start_response)
        try:
            chunks.extend(parts)
        finally:
            # On this thread, for Django's `request_finished` gives back the connection of the one it is on.
            close = getattr(parts, "close", None)
            if close is not None:
                close()
        status, headers = heads[-1]
        return int(status[:3]), _headers(headers), b"".join(chunks)
    except Exception:
        logger.exception("%s %r failed", scope["method"], scope["raw_path"])
        return _problem("internal", "The server failed; the failure was logged.")


def _headers(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    if any(_NOT_IN_A_HEADER.search(value) for _, value in raw):
        raise ValueError("a control character in a header of the answer")
    return raw


def _environ(scope: HTTPScope, body: bytes) -> WSGIEnvironment:
    # PEP 3333 text is bytes in latin-1. Only raw_path still has the bytes of a path that is not UTF-8.
    script_name = scope["root_path"].encode().decode("latin-1")
    path = unquote_to_bytes(scope["raw_path"]).decode("latin-1")
    server_name, server_port = scope["server"] or ("", None)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": script_name,
        "PATH_INFO": path.removeprefix(script_name),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server_name,
        "SERVER_PORT": str(server_port or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        # `X_Forwarded_For` would pass for `X-Forwarded-For`, which a proxy in front of us had set or removed.
        # The framing headers described the body on the wire, not the one decoded here.
        if b"_" in raw_name or raw_name in (b"content-length", b"transfer-encoding"):
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        if key in environ:
            # A header that may come only once becomes invalid so, and is refused instead of picked from.
            value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
        environ[key] = value
    return environ


def _problem(code: str, detail: str, **facts: object) -> Answer:
    content = json.dumps(problem_body(code, detail, facts)).encode()
    return KINDS[code].status, [(b"content-type", CONTENT_TYPE.encode())], content
