"""The published schema, and whether an answer is as it says."""

import re
from functools import cache

from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

DOCUMENT = "urn:cardsite"


@cache
def document():
    return SchemaGenerator().get_schema(request=None, public=True)


def operations():
    """Every operation by path template and method."""
    return {
        (path, method.upper()): operation
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }


def operation_of(path, method):
    """The operation that a request's path and method are of."""
    for (template, of_method), operation in operations().items():
        pattern = re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(template))
        if of_method == method and re.fullmatch(pattern, path.partition("?")[0]):
            return template, operation
    raise LookupError(f"{method} {path} is not documented")


@cache
def _registry():
    return Registry().with_resource(DOCUMENT, DRAFT202012.create_resource(document()))


def at(*where):
    """A validator of the schema that stands there in the document."""
    pointer = "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in where)
    return Draft202012Validator({"$ref": f"{DOCUMENT}#/{pointer}"}, registry=_registry())


def assert_documented(path, method, answer):
    """Assert that the status, content type and body of an answer are as the schema says."""
    template, operation = operation_of(path, method)
    status = str(answer.status_code)
    assert status in operation["responses"], f"{method} {template} does not document {status}"
    contents = operation["responses"][status].get("content", {})
    if not contents:
        assert answer.content == b""
        return
    content_type = answer.headers["Content-Type"].partition(";")[0]
    assert content_type in contents, f"{method} {template} {status} does not document {content_type}"
    where = ("paths", template, method.lower(), "responses", status, "content", content_type, "schema")
    at(*where).validate(
        answer.json() if content_type.endswith(("/json", "+json")) else answer.content.decode()
    )
