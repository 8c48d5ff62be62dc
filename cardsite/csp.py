"""What pages may load and run: nothing but what is served here, and no script or style that stands in a page.

Django's admin theme and the pages of the API framework are others' work, and are given what they need.
"""

from typing import Any

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

STRICT: dict[str, list[str]] = {
    "default-src": [SELF],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "object-src": [NONE],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}
# Swagger UI and the browsable API write styles into their pages.
BROWSABLE = STRICT | {"style-src": [SELF, UNSAFE_INLINE]}
# The theme's Alpine.js makes functions of the attributes that it finds.
ADMIN = BROWSABLE | {"script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL]}


class PoliciesByPath(CSPMiddleware):
    """The policy of the settings, but in the admin and below `/api/` their own; a view's own goes before. JSON is
    no page, and is left as it is."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        return super().process_response(request, response) if is_page else response

    def get_policy_parts(
        self,
        request: HttpRequest,
        response: HttpResponseBase,
        report_only: bool = False,  # noqa: FBT001, FBT002 - as django-csp has it
    ) -> PolicyParts:
        parts = super().get_policy_parts(request=request, response=response, report_only=report_only)
        if parts.config is None and not report_only:
            parts.config = _of_path(request.path_info)
        return parts


def _of_path(path: str) -> dict[str, Any] | None:
    if path.startswith("/admin/"):
        return ADMIN
    return BROWSABLE if path.startswith("/api/") else None
