"""JSON in and out: bodies to Structs, times to RFC 3339."""

from datetime import UTC, datetime
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from cardsite.problems import malformed

T = TypeVar("T")

Timestamp: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""RFC 3339, UTC, with milliseconds."""


def timestamp(moment: datetime) -> str:
    """A time as the API writes it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def decode(body: bytes, kind: type[T]) -> T:
    """A JSON body as a value of a type. Raises `Problem` malformed with the path of the fault."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        raise malformed(message, path.strip("`") or "$") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise malformed(f"not JSON: {error}") from None
