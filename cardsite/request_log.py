"""One log line a request, and its id."""

import logging
import re
import secrets
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from cardsite.logs import request_id

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")

logger = logging.getLogger("cardsite.requests")


class RequestLog:
    """Names each request by the `X-Request-ID` that it brings, if that is one, or else by a new one, and sends
    it back. The line has no query string, no body, no header and no address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        name = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)
        # Not taken back at the end: Django still logs a refused request after this. The thread's next one
        # has a name of its own.
        request_id.set(name)
        started = time.perf_counter()
        response = self.get_response(request)
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        logger.info(
            "%s %s %d",
            request.method,
            # A line break in a path would make a line of its own.
            request.path.encode("unicode_escape").decode(),
            response.status_code,
            extra={
                "method": request.method,
                "path": request.path,
                "status": response.status_code,
                "milliseconds": milliseconds,
            },
        )
        response[HEADER] = name
        return response
