"""What API views share: bodies, query strings, pages."""

from typing import Any, TypeVar
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils.cache import patch_vary_headers
from rest_framework.renderers import BrowsableAPIRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsite.formats import JSONRenderer
from cardsite.jsonbody import decode
from cardsite.problems import Problem, malformed

T = TypeVar("T")

VARIES_BY = ("Authorization", "Cookie", "Accept-Language")


class OnePage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The query string of a list that is always one page: nothing."""


class ApiView(APIView):
    """A view whose answers belong to who asked: caches ask again each time."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Streams, lines and pages of a view's own are what a GET asks for; what a path takes is told in JSON."""
        has_own = BrowsableAPIRenderer not in self.renderer_classes
        if request.method == "OPTIONS" and has_own:
            return JSONRenderer(), JSONRenderer.media_type
        return super().perform_content_negotiation(request, force)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        finished = super().finalize_response(request, response, *args, **kwargs)
        finished.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(finished, VARIES_BY)
        return finished


def body_of(request: Request) -> bytes:
    """The body of a request; none at all is an empty object.

    Raises `UnsupportedMediaType`, or `Problem` too_large where no server in front has said so.
    """
    body: object = request.data
    if not isinstance(body, bytes) or not body.strip():
        return b"{}"
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if len(body) > limit:
        raise Problem("too_large", f"The body is larger than {limit} bytes.", limit=limit)
    return body


def read_body(request: Request, kind: type[T]) -> T:
    """The body as a value of a type. Raises `Problem` malformed, `UnsupportedMediaType`."""
    return decode(body_of(request), kind)


def read_query(request: Request, kind: type[T]) -> T:
    """The query string as a Struct: unknown and repeated names are refused. Raises `Problem` malformed."""
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise malformed("given more than once", name)
    try:
        query = msgspec.convert(dict(request.query_params.items()), kind, strict=False)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        raise malformed(message, path.strip("`").removeprefix("$.") or "query") from None
    for name in request.query_params:
        if getattr(query, name) is None:  # msgspec reads `null` so; what is not wanted is left out
            raise malformed("not a value", name)
    return query


def cursor_id(cursor: str | None) -> UUID | None:
    """The id that a cursor stands for. Raises `Problem` malformed."""
    try:
        return None if cursor is None else UUID(hex=cursor)
    except ValueError:
        raise malformed("not a cursor of this list", "cursor") from None


def next_page(request: Request, cursor: str | int | None) -> str | None:
    """The path and query of the page that starts after a cursor, or None after the last."""
    if cursor is None:
        return None
    query = {**request.query_params.dict(), "cursor": str(cursor)}
    return f"{request.path}?{urlencode(query)}"
