"""The site on granian, from start to a clean end."""

import errno
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from typing import Any

from django.utils.module_loading import import_string
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings

# Seconds that requests in progress get to finish once the server must stop; an open stream would never end.
GRACE = 3

# Granian counts open connections, idle and streaming ones too; with the database's and its own files a worker
# then stays below the usual limit of 1024 open files. What comes beyond waits in the kernel.
CONNECTIONS_PER_WORKER = 900

MAX_HEADER_BYTES = 16_384

# Seconds after which workers have shown that they can serve: granian gives up where one dies within seconds of
# being replaced, whether it cannot start or was killed twice after months.
STEADY = 60

logger = logging.getLogger(__name__)


class PortInUse(Exception):
    """Somebody already listens on the address; the message is one line that names it."""


class WorkersFailed(Exception):
    """Workers end as soon as they are started, and the server gave up; its log says why."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int | None = None,
    *,
    access_log: bool = False,
    target: str = "cardsite.asgi.application",
) -> None:
    """Serve the ASGI application at dotted path `target` until SIGINT, SIGTERM or SIGHUP, then return.

    To be called on the main thread. `host` is a name (its first address counts) or an address; there are
    `workers` processes, one a core by default. They start afresh, inherit only the environment, are replaced
    when they die and stop when this process does. Where one dies again within seconds, after `STEADY` seconds of
    service, all are started anew, and for a moment nobody is answered. All have ended, by force after `GRACE`
    seconds, before this returns or raises.

    Raises `PortInUse`; `WorkersFailed`; `OSError` for an address that is unknown, not ours or not permitted.
    """
    # Forked workers would share the sockets of whatever database connections this process had opened.
    multiprocessing.set_start_method("spawn", force=True)
    while True:
        begun = time.monotonic()
        server = Granian(
            target,
            _free_address(host, port),
            port,
            interface=Interfaces.ASGI,
            workers=workers or os.cpu_count() or 1,
            loop=Loops.asyncio,
            runtime_threads=1,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(max_buffer_size=MAX_HEADER_BYTES),
            websockets=False,
            backpressure=CONNECTIONS_PER_WORKER,
            log_access=access_log,
            respawn_failed_workers=True,
            workers_kill_timeout=GRACE,
        )
        if _has_served(server):
            return
        if time.monotonic() - begun < STEADY:
            raise WorkersFailed("the workers keep failing: see the log above")
        logger.error("a worker died again within seconds: all are started anew")


def _has_served(server: Any) -> bool:
    """Serve until a signal ends it; not so where the workers fail."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    # Granian reloads on a hang-up: it would go on unseen after its terminal was closed. `nohup` still holds.
    ignored = handlers[signal.SIGHUP] is signal.SIG_IGN
    hang_up = signal.SIG_IGN if ignored else server.signal_handler_interrupt
    server.on_startup(lambda: signal.signal(signal.SIGHUP, hang_up))
    try:
        server.serve(target_loader=import_string)
    except SystemExit:
        # A Ctrl-C reaches the workers too. One that ends before it is told to counts as failed: not here.
        return bool(server.interrupt_signal)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return True


def _free_address(host: str, port: int) -> str:
    # Granian's sockets share their port with any other of the same user, so with workers that an earlier
    # server left behind, and nobody would see why every other request goes to old code. A plain one does not.
    family, _, _, _, (address, *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    try:
        socket.create_server((str(address), port), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(f"{host}:{port} is already in use") from None
        raise
    return str(address)


def end_with_parent() -> None:
    """Have this process end within a second and `GRACE` of the death of the one that started it.

    Does nothing in a process that is not a worker: a server started alone may well outlive its shell.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with_process(parent.pid)


def end_with_process(parent: int | None) -> None:
    """The same for a process that was started by the one with that id."""
    threading.Thread(target=_watch, args=(parent,), name="parent-watch", daemon=True).start()


def _watch(parent: int | None) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)
