"""Log lines: structured where machines read them, each with the id of the request it belongs to, and without
values that belong to nobody's log."""

import logging
import traceback
from contextvars import ContextVar
from types import TracebackType

from django.core.exceptions import PermissionDenied
from django.db import Error as DjangoDatabaseError
from psycopg import Error as PsycopgError
from pythonjsonlogger.json import JsonFormatter

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

ExcInfo = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]


class RequestIdFilter(logging.Filter):
    """Gives every record the `request_id` of the request that is answered, or None."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class RefusalFilter(logging.Filter):
    """Leaves a line of a refusal, which is no failure that one would trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], PermissionDenied):
            record.exc_info = None
        return True


class LineFormatter(logging.Formatter):
    """A line for people."""

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        return quiet_traceback(ei[1])


class StructuredFormatter(JsonFormatter):
    """A JSON object a line."""

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        return quiet_traceback(ei[1])


def quiet_traceback(error: BaseException | None) -> str:
    """A traceback without what the database says in detail: that quotes whole rows, a seed or an address among
    them."""
    parts = []
    while error is not None:
        if isinstance(error, PsycopgError | DjangoDatabaseError):
            message = str(error).partition("\n")[0]
            shown = f"{type(error).__module__}.{type(error).__qualname__}: {message}\n"
        else:
            shown = "".join(traceback.format_exception_only(error))
        frames = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"Traceback (most recent call last):\n{frames}{shown}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nThe above was raised while handling:\n".join(parts).rstrip("\n")
