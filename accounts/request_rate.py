"""How often somebody may ask, and where they ask from."""

import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.services.request_counts import MINUTE, counts

if TYPE_CHECKING:
    # It loads this module.
    from rest_framework.views import APIView


def client_address(request: HttpRequest | Request) -> str:
    """Where a request comes from: past the proxies that stand in front, and no further, for what comes before
    them anybody may write."""
    given = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if settings.PROXIES and given:
        return given[-min(int(settings.PROXIES), len(given))]
    return str(request.META.get("REMOTE_ADDR", ""))


def within_rate(who: str) -> bool:
    """Counts a request of a player or an address; whether they may ask as often in this minute."""
    return counts.count(who, time.time()) <= int(settings.REQUESTS_PER_MINUTE)


class RequestRate(BaseThrottle):
    """Requests in a minute, of a player or, without an account, from an address."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        return within_rate(str(request.user.pk or client_address(request)))

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return MINUTE - time.time() % MINUTE
