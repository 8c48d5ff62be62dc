"""What the pages for people share: how they are answered, how they look and in which language."""

import time
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_info
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.request_rate import client_address, within_rate
from accounts.services.request_counts import MINUTE
from cardsite.problems import Problem, retry_after

THEME_COOKIE = "theme"
THEMES = ("light", "dark")
AS_THE_SYSTEM = "auto"
VARIES_BY = ("Cookie", "Accept-Language")


class Answering(View):
    """How every page is answered: within the rate of requests, to who asked alone, and not again where nothing has
    changed. A page that shows a secret, or refuses something, is kept nowhere."""

    shows_a_secret = False

    @method_decorator(sensitive_post_parameters())
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Raises `Problem` throttled, and whatever the page raises."""
        if not within_rate(str(request.user.pk or client_address(request))):
            wait = int(MINUTE - time.time() % MINUTE) + 1
            raise Problem("throttled", f"Too many requests; try again in {wait} s.", retry_after=wait)
        answer = super().dispatch(request, *args, **kwargs)
        if isinstance(answer, TemplateResponse):
            answer.render()
        patch_vary_headers(answer, VARIES_BY)
        refuses = answer.status_code >= HTTPStatus.BAD_REQUEST
        if self.shows_a_secret or request.method == "POST" or refuses:
            answer.headers["Cache-Control"] = "no-store"
            return answer
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        has_etag = request.method in ("GET", "HEAD") and answer.status_code == HTTPStatus.OK
        if not has_etag or not isinstance(answer, HttpResponse):
            return answer
        etag = set_response_etag(answer).headers["ETag"]
        return get_conditional_response(request, etag, None, answer) or answer


class Page(Answering):
    """A page of a template."""

    template_name = ""

    def page(self, context: Mapping[str, Any], status: int = 200) -> TemplateResponse:
        """The page, filled in."""
        return TemplateResponse(self.request, self.template_name, dict(context), status=status)

    def refused(self, context: Mapping[str, Any], problem: Problem) -> TemplateResponse:
        """The page, filled in, with the status of what was refused."""
        headers = retry_after(problem)
        return TemplateResponse(
            self.request, self.template_name, dict(context), status=problem.status, headers=headers
        )


def player_asking(request: HttpRequest) -> Player:
    """The player who asks, where nobody else is let through."""
    assert isinstance(request.user, Player)
    return request.user


def preferred(request: HttpRequest) -> dict[str, Any]:
    """How the pages look and where they lead back to, for every template: also of a request whose host is none of
    ours."""
    theme = request.COOKIES.get(THEME_COOKIE)
    return {
        "theme": theme if theme in THEMES else AS_THE_SYSTEM,
        "site_languages": [get_language_info(code) for code, _ in settings.LANGUAGES],
        "here": request.get_full_path(),
        "here_section": request.path.split("/")[1],
    }


@method_decorator(csrf_exempt, name="dispatch")
class PreferencesView(Answering):
    """The language and the colours of the pages, kept in cookies of the browser.

    No account is touched and nothing is stored, so that there is nothing to forge, and visitors need no cookie of
    ours before they have chosen something.
    """

    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Raises `Problem` malformed."""
        language, theme = request.POST.get("language"), request.POST.get("theme")
        if language not in (None, *dict(settings.LANGUAGES)):
            raise Problem("malformed", "There are no pages in this language.")
        if theme not in (None, AS_THE_SYSTEM, *THEMES):
            raise Problem("malformed", "There are no such colours.")
        answer = HttpResponseRedirect(_own(request, request.POST.get("next", "/")))
        for name, chosen in ((settings.LANGUAGE_COOKIE_NAME, language), (THEME_COOKIE, theme)):
            if chosen is not None:
                answer.set_cookie(
                    name,
                    chosen,
                    max_age=settings.LANGUAGE_COOKIE_AGE,
                    secure=settings.LANGUAGE_COOKIE_SECURE,
                    httponly=True,
                    samesite="Lax",
                )
        return answer


def nowhere(request: HttpRequest, **parts: str) -> HttpResponse:
    """A path that a library would serve and that leads nowhere here. Raises `Http404`."""
    raise Http404


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon, where browsers and others look for it that read no page."""
    return HttpResponse(
        _icon(), content_type="image/x-icon", headers={"Cache-Control": "public, max-age=86400"}
    )


@cache
def _icon() -> bytes:
    return Path(settings.BASE_DIR, "cardsite", "static", "cardsite", "favicon.ico").read_bytes()


def _own(request: HttpRequest, target: str) -> str:
    """Where a form leads: only to this host."""
    is_own = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if is_own else "/"
