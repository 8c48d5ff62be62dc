"""A site without a database, for the serving tests: settings, views and, run as a program, the server.

`tiny_site.py PORT WORKERS` serves until a signal, then prints `stopped`. The file TINY_SITE_BEGUN gets a dot for
each request to sleep that has begun.
"""

import os
import sys
import time
from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from cardsite import serving

# Shorter than in earnest, for the tests wait for its end.
serving.GRACE = serving.STEADY = 1

SECRET_KEY = "tiny"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "tiny_site"
DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000
SERVER_THREADS = 2


def pid(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"pid": os.getpid()})


def echo(request: HttpRequest) -> HttpResponse:
    headers = {key: value for key, value in request.META.items() if key.startswith("HTTP_X")}
    return JsonResponse(
        {"method": request.method, "path": request.path, "size": len(request.body), **headers}
    )


def sleep(request: HttpRequest, milliseconds: int) -> HttpResponse:
    with Path(os.environ["TINY_SITE_BEGUN"]).open("ab") as begun:
        begun.write(b".")
    time.sleep(milliseconds / 1000)
    return HttpResponse("slept")


urlpatterns = [path("pid", pid), path("echo", echo), path("sleep/<int:milliseconds>", sleep)]

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tiny_site"
    serving.serve(port=int(sys.argv[1]), workers=int(sys.argv[2]))
    sys.stdout.write("stopped\n")
