"""JSON in and out of API views."""

from collections.abc import Mapping
from typing import IO, Any

import msgspec
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer


class JSONParser(BaseParser):
    """Hands a JSON body on as bytes: what it is decoded to is the business of the endpoint."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body: bytes = stream.read()
        return body


class JSONRenderer(BaseRenderer):
    """Structs, and anything else that msgspec encodes."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if data is None:
            return b""
        encoded = msgspec.json.encode(data)
        # The browsable API shows the answer to people.
        indent = (renderer_context or {}).get("indent")
        return msgspec.json.format(encoded, indent=indent) if indent else encoded
