"""The admin's search of everything."""

from django.contrib import admin
from django.core.paginator import InvalidPage
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsite.problems import Problem


def search(request: HttpRequest) -> HttpResponseBase:
    """What unfold finds. Raises `Problem` not_found for a page that there is not, which it makes an error of the
    server's."""
    try:
        found: HttpResponseBase = admin.site.admin_view(admin.site.search)(request)  # type: ignore[attr-defined]
    except InvalidPage:
        raise Problem("not_found", "There is no such page of what was found.") from None
    return found
