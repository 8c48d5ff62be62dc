"""Creating requests that may be sent twice."""

from collections.abc import Callable

import msgspec
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.asking import player_of
from accounts.services.idempotency import answer_once
from cardsite.http import body_of

HEADER = "Idempotency-Key"


def respond_once(request: Request, create: Callable[[], Struct]) -> Response:
    """201 with what `create` makes; where the request carries an Idempotency-Key, made once.

    Raises what `answer_once` and `create` raise.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return Response(create(), status=201)
    what = b"\0".join([(request.method or "").encode(), request.path.encode(), body_of(request)])
    answer, again = answer_once(
        player=player_of(request), key=key, request=what, work=lambda: msgspec.json.encode(create())
    )
    headers = {"Idempotent-Replayed": "true"} if again else {}
    return Response(msgspec.Raw(answer), status=201, headers=headers)
