"""JSON in and out: bodies to Structs, times to RFC 3339."""

import json
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


def optional_timestamp(moment: datetime | None) -> str | None:
    """A time as the API writes it, if there is one."""
    return None if moment is None else timestamp(moment)


def decode(body: bytes, kind: type[T]) -> T:
    """A JSON body as a value of a type; a name that is given twice has no one value, and is refused.

    Raises `Problem` malformed with the path of the fault.
    """
    try:
        decoded = msgspec.json.decode(body, type=kind)
        json.loads(body, object_pairs_hook=_given_once)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        raise malformed(message, path.strip("`") or "$") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise malformed(f"not JSON: {error}") from None
    except ValueError:
        # Python's own decoder takes no number of thousands of digits.
        raise malformed("a number is too long") from None
    return decoded


def _given_once(pairs: list[tuple[str, object]]) -> None:
    names = {name for name, _ in pairs}
    for name, _ in pairs:
        if name not in names:
            raise malformed("given more than once", name)
        names.remove(name)
