"""Every error is an RFC 9457 problem: one registry of codes, one exception, one handler.

A problem is `type`, `title`, `status`, `detail` and `code`, and beside them the facts that belong to it.
"""

import logging
import sys
from collections.abc import Callable, ItemsView, Mapping
from http import HTTPStatus
from types import FrameType
from typing import Any

import msgspec
from django.core.exceptions import DisallowedHost
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.template import loader
from django.views.debug import SafeExceptionReporterFilter
from django.views.defaults import bad_request, page_not_found, server_error
from rest_framework import exceptions
from rest_framework.renderers import BrowsableAPIRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from cardsite.formats import JSONRenderer
from cardsite.paths import meant_path

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 2


class Kind(msgspec.Struct, frozen=True):
    """One code of the registry: its HTTP status and what it means."""

    status: int
    title: str


KINDS: dict[str, Kind] = {
    "malformed": Kind(400, "The request is not of the published form"),
    "batch_reveals": Kind(400, "A move that may reveal something can only be the last of a batch"),
    "unauthenticated": Kind(401, "Log in or send a token"),
    "invalid_credentials": Kind(401, "The token or password is not valid"),
    "forbidden": Kind(403, "Not allowed"),
    "suspended": Kind(403, "The account is suspended"),
    "muted": Kind(403, "You may neither make nor join public games for several"),
    "revealed": Kind(403, "You have had shown what this game hides"),
    "csrf": Kind(403, "A session needs a CSRF token"),
    "not_seated": Kind(403, "You have no seat in this game"),
    "not_owner": Kind(403, "Only the owner of the game may do this"),
    "not_found": Kind(404, "There is nothing here that you may see"),
    "method_not_allowed": Kind(405, "The method is not allowed here"),
    "not_acceptable": Kind(406, "No answer in an accepted format"),
    "ahead": Kind(409, "The game has not come that far"),
    "over": Kind(409, "The game is over"),
    "overdue": Kind(409, "Your time was out"),
    "left": Kind(409, "You have left this game"),
    "stale": Kind(409, "The game has moved on"),
    "turn": Kind(409, "It is not your turn"),
    "no_undo": Kind(409, "The last move cannot be taken back"),
    "not_over": Kind(409, "The game has not come to its end"),
    "not_disclosed": Kind(409, "The game is not over, and what is hidden in it stays hidden"),
    "not_started": Kind(409, "The game has not started"),
    "not_open": Kind(409, "The game is no longer open"),
    "not_today": Kind(409, "The deal of the day is played on its day"),
    "try_running": Kind(409, "Your first try goes on"),
    "game_full": Kind(409, "Every seat is taken"),
    "seats_open": Kind(409, "Not every seat is taken"),
    "ply_changed": Kind(409, "The game has moved on since the first page"),
    "username_taken": Kind(409, "The user name is taken, or was once"),
    "too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The body is not application/json"),
    "invalid": Kind(422, "A value cannot be used"),
    "form": Kind(422, "A move of another game"),
    "illegal": Kind(422, "The rules forbid the move"),
    "illegal_options": Kind(422, "The rules forbid these options"),
    "idempotency_mismatch": Kind(422, "The Idempotency-Key was used for another request"),
    "throttled": Kind(429, "Too many requests"),
    "internal": Kind(500, "The server failed"),
    "unavailable": Kind(503, "The outcome is unknown; a retry is safe"),
}


class Problem(Exception):
    """An error to be told to the client. `code` is one of `KINDS`; facts hold only what the client may know."""

    def __init__(self, code: str, detail: str, **facts: object) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.facts: Mapping[str, object] = facts

    @property
    def status(self) -> int:
        """The HTTP status of the code."""
        return KINDS[self.code].status

    def as_body(self) -> dict[str, object]:
        """The problem document."""
        return problem_body(self.code, self.detail, self.facts)


class TurnedAway(exceptions.APIException):
    """A problem of who asks, found before the request is looked at: raised where DRF asks who it is, which then
    takes the asker for nobody."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def malformed(message: str, path: str = "$") -> Problem:
    """A fault of form at a JSON path of the body, or at the name of a query parameter or header."""
    return Problem("malformed", f"{message} at {path}", errors=[{"path": path, "message": message}])


def problem_body(code: str, detail: str, facts: Mapping[str, object] = {}) -> dict[str, object]:
    """A problem document of a code of the registry."""
    kind = KINDS[code]
    return {
        "type": f"/api/v1/problems#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        **facts,
    }


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler: every error that a view raises becomes a problem."""
    problem = _as_problem(error)
    if problem is None:
        return None
    headers = dict(_headers(error))
    headers |= retry_after(problem)
    if problem.status == 503:
        logger.warning("database unavailable: %s", type(error.__cause__ or error).__name__)
    response = Response(problem.as_body(), status=problem.status, headers=headers)
    request: Request = context["request"]
    # People who browse get a page; to all others a problem is JSON, whatever else the view can write.
    if getattr(getattr(request, "accepted_renderer", None), "format", None) != BrowsableAPIRenderer.format:
        request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        response.content_type = CONTENT_TYPE
    return response


def _as_problem(error: Exception) -> Problem | None:  # noqa: C901, PLR0911, PLR0912 - a table in the form of a match
    match error:
        case Problem():
            return error
        case TurnedAway():
            return error.problem
        case OperationalError() | InterfaceError():
            return Problem("unavailable", "The database did not answer.")
        case Http404() | exceptions.NotFound():
            return Problem("not_found", "There is nothing here that you may see.")
        case exceptions.NotAuthenticated() if error.detail != error.default_detail:
            return Problem("unauthenticated", str(error.detail))
        case exceptions.NotAuthenticated():
            return Problem("unauthenticated", "Send a token (Authorization: Bearer card_…), or log in.")
        case exceptions.AuthenticationFailed():
            return Problem("invalid_credentials", str(error.detail))
        case exceptions.PermissionDenied() if str(error.detail).startswith("CSRF Failed"):
            return Problem("csrf", f"{error.detail} Send the cookie's token as X-CSRFToken.")
        case exceptions.PermissionDenied():
            return Problem("forbidden", "You may not do this.")
        case exceptions.MethodNotAllowed():
            return Problem("method_not_allowed", str(error.detail))
        case exceptions.NotAcceptable():
            kinds = dict.fromkeys(one.media_type for one in error.available_renderers or ())
            return Problem("not_acceptable", f"Ask for {' or '.join(kinds) or JSONRenderer.media_type}.")
        case exceptions.UnsupportedMediaType():
            return Problem("unsupported_media_type", "Send the body as application/json.")
        case exceptions.Throttled():
            return Problem("throttled", str(error.detail))
        case exceptions.ParseError():
            return malformed(str(error.detail))
    return None


def _headers(error: Exception) -> dict[str, str]:
    headers = {}
    if isinstance(error, exceptions.APIException):
        if challenge := getattr(error, "auth_header", None):
            headers["WWW-Authenticate"] = challenge
        if wait := getattr(error, "wait", None):
            headers["Retry-After"] = str(int(wait + 0.999))
    return headers


def retry_after(problem: Problem) -> dict[str, str]:
    """The header that says when to try again, of a problem that passes."""
    if problem.status == 503:
        return {"Retry-After": str(RETRY_AFTER_SECONDS)}
    return {"Retry-After": str(problem.facts["retry_after"])} if "retry_after" in problem.facts else {}


def problem_response(code: str, detail: str, **facts: object) -> HttpResponse:
    """A problem outside DRF."""
    problem = Problem(code, detail, **facts)
    body = msgspec.json.encode(problem.as_body())
    return HttpResponse(body, status=problem.status, content_type=CONTENT_TYPE, headers=retry_after(problem))


def problem_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    """A problem, for people: in the language of the page where there are words for it."""
    if problem.code == "not_found":
        return page_not_found(request, Http404())
    body = loader.render_to_string("site/problem.html", {"problem": problem.as_body()}, request)
    return HttpResponse(body, status=problem.status, headers=retry_after(problem))


def is_page(request: HttpRequest) -> bool:
    """Whether a path is of the pages for people: neither of the API nor of the admin."""
    return not request.path_info.startswith(("/api/", "/admin/"))


class ProblemsOutsideApi:
    """A `Problem` that a page raises is told as a page, and where it is none of ours as a problem document. No
    refusal is kept anywhere, but where its view says otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if answer.status_code >= HTTPStatus.BAD_REQUEST:
            answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Problem):
            return None
        if is_page(request):
            return problem_page(request, error)
        return problem_response(error.code, error.detail, **error.facts)


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that Django refuses before a view reads it: too many parameters, an unknown host."""
    if request.path.startswith("/api/"):
        unknown_host = isinstance(exception, DisallowedHost)
        why = "The server does not answer to this host name." if unknown_host else "The request is not taken."
        return problem_response("malformed", why, errors=[{"path": "request", "message": why}])
    return bad_request(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A path that leads nowhere."""
    if request.path.startswith("/api/"):
        meant = meant_path(request.path_info)
        hint = f" Did you mean {meant}?" if meant else ""
        return problem_response("not_found", f"There is nothing here that you may see.{hint}")
    return page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """A failure that no view answered for; what failed is in the log alone. Called while it is handled."""
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        # The page of an error reads nothing from the database, nor whose session it is.
        if is_page(request):
            unavailable = Problem("unavailable", "The database did not answer.")
            page = loader.render_to_string("503.html")
            return HttpResponse(page, status=unavailable.status, headers=retry_after(unavailable))
        return problem_response("unavailable", "The database did not answer.")
    if request.path.startswith("/api/"):
        return problem_response("internal", "The server failed; the failure was logged.")
    return server_error(request)


class NoLocals(SafeExceptionReporterFilter):
    """Local variables may be a seed, a deck or a token: reports of errors carry none."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        return dict[str, Any]().items()
