"""The one address: what is served asynchronously, and Django behind a bridge for all else."""

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.conf import settings
from django.utils.module_loading import import_string

from accounts.services.request_counts import keep_synchronised
from cardsite.bridge import WsgiBridge
from cardsite.serving import end_with_parent
from cardsite.wsgi import application as django_application

threads = ThreadPoolExecutor(getattr(settings, "SERVER_THREADS", 8), thread_name_prefix="request")
django_bridge = WsgiBridge(django_application, threads, max_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
# What must not hold a thread is served around the bridge, where the settings name it.
streams = import_string(settings.STREAMS)(django_bridge) if hasattr(settings, "STREAMS") else None


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """The ASGI application: lifespan and HTTP.

    Django answers on one of `SERVER_THREADS` threads (8 unless set) and takes bodies of at most
    `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes.
    """
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        await (streams or django_bridge)(scope, receive, send)


async def _lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    end_with_parent()
    keep_synchronised()
    if streams is not None:
        streams.start()
        _before_the_end(streams.close)
    await send({"type": "lifespan.startup.complete"})
    await receive()
    # Requests whose clients have left may still be running: the loop stays free while they end.
    await asyncio.to_thread(threads.shutdown, cancel_futures=True)
    await send({"type": "lifespan.shutdown.complete"})


def _before_the_end(close_streams: Callable[[], None]) -> None:
    """Have open streams end before the server waits for them, which it would do to the end of its patience."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        handler = signal.getsignal(number)

        def close(given: int, frame: FrameType | None, then: Any = handler) -> None:
            loop.call_soon_threadsafe(close_streams)
            if callable(then):
                then(given, frame)

        signal.signal(number, close)
