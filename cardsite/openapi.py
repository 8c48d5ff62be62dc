"""The published schema: msgspec Structs as components, and what every operation says alike."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from msgspec import Meta, Struct

from cardsite.problems import CONTENT_TYPE, KINDS, problem_body

View = TypeVar("View", bound=Callable[..., Any])
JsonSchema = dict[str, Any]
REF = "#/components/schemas/{name}"

Access = Literal["player", "password", "only password", "anyone", "nobody"]
ACCESS: dict[Access, tuple[list[Any], set[str]]] = {
    "player": (
        [{"token": []}, {"cookieAuth": []}],
        {"unauthenticated", "invalid_credentials", "suspended"},
    ),
    "password": (
        [{"token": []}, {"password": []}, {"cookieAuth": []}],
        {"unauthenticated", "invalid_credentials", "suspended", "throttled"},
    ),
    "only password": (
        [{"password": []}],
        {"unauthenticated", "invalid_credentials", "suspended", "throttled"},
    ),
    "anyone": ([{"token": []}, {"cookieAuth": []}, {}], {"invalid_credentials", "suspended"}),
    "nobody": ([{}], set()),
}
"""Who may come in (a player, also by password or by it alone, anyone, or anyone without being looked at), by
which of the security schemes in the settings, and which problems that brings."""


class Fault(Struct, frozen=True):
    """Where a request is at fault: a JSON path of its body, or a parameter's or header's name."""

    path: str
    message: str


class ProblemDocument(Struct, frozen=True, omit_defaults=True):
    """An RFC 9457 problem. Beside these members there are the facts that belong to its `code`."""

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[
        str,
        Meta(
            description="; ".join(f"`{code}` ({kind.status}): {kind.title}" for code, kind in KINDS.items())
        ),
    ]
    errors: list[Fault] | None = None


class Schema(AutoSchema):
    """drf-spectacular's, for views that decode and encode Structs."""

    def get_filter_backends(self) -> list[Any]:
        return []

    def _get_request_for_media_type(self, serializer: Any, direction: str = "request") -> tuple[Any, bool]:
        schema, required = super()._get_request_for_media_type(serializer, direction)
        if schema is None:
            return None, False
        # A union requires one of its kinds, which drf-spectacular does not see.
        name = schema["$ref"].removeprefix(REF.format(name=""))
        return schema, required or "oneOf" in self.registry[name, ResolvedComponent.SCHEMA].schema


class Query(Struct, frozen=True):
    """The query string of an operation: a Struct of its parameters."""

    shape: type[Struct]

    def parameters(self) -> list[OpenApiParameter]:
        """Each field as a parameter."""
        _, components = msgspec.json.schema_components([self.shape], ref_template=REF)
        shape = tidy(components[self.shape.__name__])
        return [
            OpenApiParameter(
                name,
                _without_null(schema),
                OpenApiParameter.QUERY,
                required=name in shape.get("required", ()),
            )
            for name, schema in shape["properties"].items()
        ]


class StructExtension(OpenApiSerializerExtension):
    """A Struct, with all that it refers to, as components."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        return str(self._shape.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> JsonSchema:
        _, components = msgspec.json.schema_components([self._shape], ref_template=REF)
        own = components.pop(self._shape.__name__)
        for name, schema in components.items():
            register(auto_schema, name, tidy(schema))
        return tidy(own)

    @property
    def _shape(self) -> type[Struct]:
        return self.target if isinstance(self.target, type) else type(self.target)


class _ReferredTo:
    """What registers a component that is met inside another. The same Struct may be met by itself as well,
    with the same schema; that is no collision of names."""

    _spectacular_annotation: ClassVar = {"suppress_collision_warning": True}


def register(auto_schema: AutoSchema, name: str, schema: JsonSchema) -> None:
    """Put a schema among the components, once."""
    component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema=schema, object=_ReferredTo)
    if component not in auto_schema.registry:
        auto_schema.registry.register_on_missing(component)


def tidy(schema: JsonSchema) -> JsonSchema:
    """msgspec's JSON Schema as OpenAPI's tools like it: a union told apart by a member is a `oneOf`, an
    `enum` has a type, and an `enum` of one value is a `const`."""
    tidied = {key: _tidy_part(value) for key, value in schema.items()}
    if "discriminator" in tidied and "anyOf" in tidied:
        tidied["oneOf"] = tidied.pop("anyOf")
    match tidied.get("enum"):
        case [str(only)]:
            del tidied["enum"]
            tidied |= {"type": "string", "const": only}
        case [str(), *_]:
            tidied["type"] = "string"
        case [int(), *_]:
            tidied["type"] = "integer"
    return tidied


def _tidy_part(part: Any) -> Any:
    if isinstance(part, list):
        return [_tidy_part(item) for item in part]
    return tidy(part) if isinstance(part, dict) else part


def _without_null(schema: JsonSchema) -> JsonSchema:
    """A parameter that is not given is left out, never null."""
    given = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key != "anyOf" and value is not None}
    return {**(given[0] if len(given) == 1 else {"anyOf": given} if given else {}), **rest}


def operation(  # noqa: PLR0913 - what there is to say of an operation
    operation_id: str,
    summary: str,
    *,
    answers: Mapping[int, Any],
    request: Any = None,
    query: Query | None = None,
    problems: Sequence[str] = (),
    parameters: Sequence[OpenApiParameter] = (),
    access: Access = "player",
    creating: bool = False,
    page: bool = False,
    stream: str | None = None,
    text: bool = False,
    content_type: str = "application/json",
) -> Callable[[View], View]:
    """Document a view's method: its answers, and every problem that it may answer with, each with an example.

    `access`: who may come in. `creating`: it takes an Idempotency-Key. `page`: it has a page for people as
    well. `stream`: the pattern of the ids of its messages, where it can be followed as Server-Sent Events.
    `text`: it can be had as plain text. `content_type`: what it answers in.
    """
    schemes, refusals = ACCESS[access]
    codes = {
        *problems,
        *refusals,
        "throttled",
        "not_acceptable",
        "internal",
        "unavailable",
        "method_not_allowed",
    }
    given = [*parameters, *(query.parameters() if query else ())]
    if query:
        codes.add("malformed")
    if request is not None:
        codes |= {"malformed", "too_large", "unsupported_media_type", "csrf"}
    if creating:
        codes |= {"malformed", "idempotency_mismatch"}
        given.append(
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
                OpenApiParameter.HEADER,
                description="Sent again within 24 hours, the same request gets the first answer again.",
            )
        )
    responses: dict[Any, Any] = {
        (status, content_type) if shape else status: OpenApiResponse(
            shape, description=HTTPStatus(status).phrase
        )
        for status, shape in answers.items()
    }
    if stream is not None:
        responses[200, "text/event-stream"] = OpenApiResponse(str, description=HTTPStatus.OK.phrase)
        given.append(
            OpenApiParameter(
                "Last-Event-ID",
                {"type": "string", "pattern": stream},
                OpenApiParameter.HEADER,
                description="The `id` of the last message that was read; goes before `after`.",
            )
        )
    if text:
        responses[200, "text/plain"] = OpenApiResponse(str, description=HTTPStatus.OK.phrase)
    if page:
        responses[200, "text/html"] = OpenApiResponse(str, description=HTTPStatus.OK.phrase)
    for status in sorted({KINDS[code].status for code in codes}):
        of_status = sorted(code for code in codes if KINDS[code].status == status)
        responses[status, CONTENT_TYPE] = OpenApiResponse(
            ProblemDocument,
            description="; ".join(f"`{code}`: {KINDS[code].title}" for code in of_status),
            examples=[_problem_example(code) for code in of_status],
        )
    decorate: Callable[[View], View] = extend_schema(
        operation_id=operation_id,
        summary=summary,
        request={"application/json": request} if request is not None else None,
        responses=responses,
        parameters=given,
        auth=schemes,
    )
    return decorate


def _problem_example(code: str) -> OpenApiExample:
    facts: dict[str, Any] = {}
    if code == "malformed":
        facts["errors"] = [{"path": "$.ply", "message": "Expected `int`, got `str`"}]
    return OpenApiExample(
        code,
        value=problem_body(code, KINDS[code].title + ".", facts),
        response_only=True,
        media_type=CONTENT_TYPE,
        status_codes=[str(KINDS[code].status)],
    )
