"""How often somebody may ask, and where they ask from."""

import time
from ipaddress import IPv4Address, ip_address, ip_network
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.services.request_counts import MINUTE, counts

if TYPE_CHECKING:
    # It loads this module.
    from rest_framework.views import APIView

NETWORK = 64  # bits of an IPv6 address


def client_address(request: HttpRequest | Request) -> str:
    """Where a request comes from: past the proxies that stand in front, and no further, for what comes before
    them anybody may write. Of IPv6 the network, since whoever has one has all its addresses."""
    given = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if settings.PROXIES and given:
        return _place(given[-min(int(settings.PROXIES), len(given))])
    return _place(str(request.META.get("REMOTE_ADDR", "")))


def _place(written: str) -> str:
    bare = written.rpartition(":")[0] if written.count(":") == 1 or "]:" in written else written
    try:
        address = ip_address(bare.strip("[]"))
    except ValueError:
        return written
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, NETWORK), strict=False))


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
