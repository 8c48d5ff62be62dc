"""Where the site is reached, for links in mail: as the settings say, and never as a request says of itself."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004 - Django's name

REQUIRED = Error(
    "SITE_URL is required where HTTPS is on.",
    hint="Set it to the site's address, such as https://cards.example.org: links in mail begin with it.",
    id="cardsite.E001",
)
MISSING = Warning(
    "SITE_URL is not set: links in mail lead to where this machine serves.",
    hint="Set it to the site's address, such as https://cards.example.org.",
    id="cardsite.W001",
)


def site_url() -> str:
    """What a link begins with, without a slash at its end."""
    return settings.SITE_URL or served_url(port=8000)


def served_url(*, port: int) -> str:
    """Where the server is reached that listens on a port of this machine: by the first name it answers to."""
    host = next(name for name in settings.ALLOWED_HOSTS if not name.startswith(("*", ".")))
    return f"http://{host}:{port}"


@register()
def site_url_is_fit(**_: Any) -> Iterable[CheckMessage]:
    """Errors where the setting is missing though it is needed, or is no address of a site."""
    if not settings.SITE_URL:
        return [REQUIRED] if settings.HTTPS else []
    schemes = ("https",) if settings.HTTPS else ("http", "https")
    if _is_address(settings.SITE_URL, schemes):
        return []
    wanted = f"SITE_URL is {' or '.join(f'{scheme}://' for scheme in schemes)} and a host, and no more."
    return [Error(wanted, id="cardsite.E002")]


@register(deploy=True)
def site_url_is_set(**_: Any) -> Iterable[CheckMessage]:
    """A warning where the setting is missing."""
    return [] if settings.SITE_URL or settings.HTTPS else [MISSING]


def _is_address(url: str, schemes: Iterable[str]) -> bool:
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return (
        is_whole and parts.scheme in schemes and url == f"{parts.scheme}://{parts.netloc}" and "@" not in url
    )
