"""The published schema: made from the code, and so the same until the next start."""

from functools import cache

from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.translation import override
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from msgspec import Struct
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from cardsite.http import ApiView, read_query


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The document takes no parameters."""


class SchemaView(ApiView):
    """The OpenAPI document, as YAML or JSON."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = SpectacularAPIView.renderer_classes

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        read_query(request, NoQuery)
        media_type = request.accepted_renderer.media_type
        return HttpResponse(_document(media_type), content_type=media_type)


@cache
def _document(media_type: str) -> bytes:
    """Making it takes a quarter of a second, so nothing that a client sends has it made again."""
    asked = RequestFactory().get("/", headers={"Accept": media_type, "Host": "localhost"})
    with override("en"):
        answer = SpectacularAPIView.as_view()(asked)
        answer.render()
    return bytes(answer.content)
