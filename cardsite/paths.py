"""Paths, with and without their last slash, and queries."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.urls import is_valid_path


class CommonRequests(CommonMiddleware):
    """Django's, but no query holds a NUL and no path of the API is redirected: many clients repeat a redirected
    POST as a GET, and would believe that they had done something."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Raises `BadRequest` for a NUL in the query, which PostgreSQL's text cannot hold."""
        if "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("a NUL in the query string")
        return super().process_request(request)

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not request.path_info.startswith("/api/") and super().should_redirect_with_slash(request)


def meant_path(path: str) -> str | None:
    """The path that differs by its last slash, if that leads somewhere."""
    other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
    return other if is_valid_path(other) else None
