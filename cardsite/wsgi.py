"""The Django application; also for a server of one's own choice, then without the event streams."""

import os
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

_django_application = get_wsgi_application()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Django's own, but that a Content-Type which cannot be read is as none: Django would fail."""
    try:
        parse_header_parameters(environ.get("CONTENT_TYPE", ""))
    except ValueError:
        environ["CONTENT_TYPE"] = ""
    return _django_application(environ, start_response)
