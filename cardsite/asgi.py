"""The one address: what is served asynchronously, and Django behind a bridge for all else."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.conf import settings

from accounts.services.request_counts import keep_synchronised
from cardsite.bridge import wsgi_bridge
from cardsite.serving import end_with_parent
from cardsite.wsgi import application as django_application

threads = ThreadPoolExecutor(getattr(settings, "SERVER_THREADS", 8), thread_name_prefix="request")
django_bridge = wsgi_bridge(django_application, threads, max_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """The ASGI application: lifespan and HTTP.

    Django answers on one of `SERVER_THREADS` threads (8 unless set) and takes bodies of at most
    `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes. A path that must not hold a thread, an event stream say, is one more
    branch on `scope["path"]` before the bridge's.
    """
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        await django_bridge(scope, receive, send)


async def _lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    end_with_parent()
    keep_synchronised()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    # Requests whose clients have left may still be running: the loop stays free while they end.
    await asyncio.to_thread(threads.shutdown, cancel_futures=True)
    await send({"type": "lifespan.shutdown.complete"})
