"""The Django application; also for a server of one's own choice, then without the event streams."""

import os
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

LONGEST_COOKIE = 4096

_django_application = get_wsgi_application()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Django's own, without what it would choke on.

    A cookie with backslashes is unquoted in quadratic time by Pythons before 3.12.6: none of ours is quoted, and
    all together are short. A charset in the Content-Type would become the encoding of everything, `hex` and the
    like included; whatever is sent here is UTF-8.
    """
    cookie = environ.get("HTTP_COOKIE", "")
    if len(cookie) > LONGEST_COOKIE or "\\" in cookie:
        del environ["HTTP_COOKIE"]
    media_type, *parameters = environ.get("CONTENT_TYPE", "").split(";")
    kept = [each for each in parameters if each.strip().lower().startswith("boundary=")]
    environ["CONTENT_TYPE"] = ";".join([media_type, *kept])
    return _django_application(environ, start_response)
