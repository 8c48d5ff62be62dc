"""Bodies of the games API, where a number such as 6.0 is an integer as it is to JSON Schema."""

from typing import Any

from cardsite.jsonbody import decode
from cardsite.problems import malformed
from games.rules.contract import WrongForm, convert


def read_game_body(body: bytes, kind: Any) -> Any:
    """A body as a value of a type. Raises `Problem` malformed."""
    try:
        return convert(decode(body, object), kind)
    except WrongForm as fault:
        raise malformed(fault.explanation, fault.path) from None
