"""The schema of a request to play: moves of every rule set, in each of three forms."""

from typing import Any

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema

from cardsite.openapi import REF, register, tidy
from games.api.shapes import MoveRequest, camel
from games.catalog import CURRENT
from games.services.requests import LONGEST_BATCH

LAST_PLY = 2**31 - 1


class MoveRequestExtension(OpenApiSerializerExtension):
    """`MoveRequest`: each rule set's move is a component, told apart by `type`; a request's is any of them."""

    target_class = "games.api.shapes.MoveRequest"

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        return "MoveRequest"

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        moves = []
        for slug, rules in CURRENT.items():
            (union,), components = msgspec.json.schema_components([rules.Move], ref_template=REF)
            for name, schema in components.items():
                register(auto_schema, name, tidy(schema))
            if "$ref" not in union:
                name = f"{camel(slug)}Move"
                register(auto_schema, name, tidy(union))
                union = {"$ref": REF.format(name=name)}
            moves.append(union)
        move = {"anyOf": moves}
        word = "|".join(rules.notation_word for rules in CURRENT.values() if rules.has_notation)
        forms = {
            "move": move,
            "moves": {"type": "array", "items": move, "minItems": 1, "maxItems": LONGEST_BATCH},
            "notation": {
                "type": "string",
                "pattern": f"^ *({word})( +({word})){{0,{LONGEST_BATCH - 1}}} *$",
                "maxLength": 10 * LONGEST_BATCH,
                "description": "Moves in the game's notation, parted by white space; a batch.",
            },
        }
        ply = {
            "type": "integer",
            "minimum": 0,
            "maximum": LAST_PLY,
            "description": "The ply that the client had seen.",
        }
        return {
            "description": MoveRequest.__doc__,
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"ply": ply, form: schema},
                    "required": ["ply", form],
                    "additionalProperties": False,
                }
                for form, schema in forms.items()
            ],
        }
