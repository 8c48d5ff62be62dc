"""What is done beside the server for as long as it serves."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def beside(watch: Callable[[Event], None], name: str) -> Iterator[None]:
    """While the block runs, so does `watch`, in a thread of that name; it returns once its event is set."""
    ended = Event()
    thread = Thread(target=watch, args=(ended,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
