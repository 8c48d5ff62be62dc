"""The published schema: that it is one, and that the API is as it says."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from cardsite.problems import CONTENT_TYPE, KINDS
from games.api.shapes import camel
from games.catalog import CURRENT
from tests.api import tours
from tests.api.published import assert_documented, at, document, operation_of, operations
from tests.conftest import API, Client

BESIDE_JSON = {
    "rule_book": {"text/html"},
    "events": {"text/event-stream"},
    "my_events": {"text/event-stream"},
    "export": {"text/plain"},
}
NO_JSON = {"exports": {"application/x-ndjson"}}

# The document.


def test_it_is_openapi_3_1():
    assert document()["openapi"] == "3.1.0"
    validate_schema(document())


def test_what_is_served_is_what_is_made(anonymous):
    answer = anonymous.ask("GET", "schema", accept="application/json")
    assert answer.status_code == 200
    assert answer.json() == json.loads(json.dumps(document()))


def test_every_component_is_a_json_schema_and_is_used():
    text = json.dumps(document())
    for name, schema in document()["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert f'"#/components/schemas/{name}"' in text


def test_every_way_to_come_in_is_explained(settings):
    schemes = document()["components"]["securitySchemes"]
    used = {name for operation in operations().values() for one in operation["security"] for name in one}
    assert used == set(schemes) == {"token", "password", "cookieAuth"}
    assert (schemes["token"]["scheme"], schemes["password"]["scheme"]) == ("bearer", "basic")
    assert schemes["cookieAuth"]["name"] == settings.SESSION_COOKIE_NAME


def test_every_operation_has_a_name_of_its_own_and_says_what_it_is():
    names = [operation["operationId"] for operation in operations().values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)
    assert all(operation["summary"] for operation in operations().values())


def test_every_answer_and_problem_has_words_and_a_content_type_of_its_own():
    for operation in operations().values():
        for status, answer in operation["responses"].items():
            assert answer["description"]
            expected = {CONTENT_TYPE}
            if int(status) < 400:
                expected = NO_JSON.get(operation["operationId"], {"application/json"})
            if int(status) == 200:
                expected = expected | BESIDE_JSON.get(operation["operationId"], set())
            assert set(answer.get("content", expected)) == expected


@pytest.mark.parametrize("code", KINDS)
def test_every_code_is_documented(code):
    words = document()["components"]["schemas"]["ProblemDocument"]["properties"]["code"]["description"]
    assert f"`{code}` ({KINDS[code].status}): {KINDS[code].title}" in words


def test_every_operation_lists_the_problems_that_anything_may_have():
    for operation in operations().values():
        assert set(operation["responses"]) >= {"405", "406", "500", "503"}


def test_every_example_is_of_its_schema():
    def examples(part, where=()):
        if isinstance(part, dict):
            if "schema" in part and "examples" in part:
                for name, example in part["examples"].items():
                    yield (*where, "schema"), name, example["value"]
            for key, value in part.items():
                yield from examples(value, (*where, key))

    found = list(examples(document()["paths"], ("paths",)))
    assert len(found) > 100
    for where, _, value in found:
        at(*where).validate(value)


def test_a_move_is_told_apart_by_its_type_and_a_request_takes_the_move_of_any_game():
    schemas = document()["components"]["schemas"]
    kinds = ["SicksackPlay", "SicksackChance", "SicksackTake"]
    references = [f"#/components/schemas/{kind}" for kind in kinds]
    assert schemas["SicksackMove"] == {
        "oneOf": [{"$ref": reference} for reference in references],
        "discriminator": {
            "propertyName": "type",
            "mapping": dict(zip(["play", "chance", "take"], references, strict=True)),
        },
    }
    move, moves, notation = (form["properties"] for form in schemas["MoveRequest"]["oneOf"])
    anyone = [{"$ref": f"#/components/schemas/{camel(slug)}Move"} for slug in CURRENT]
    assert move["move"]["anyOf"] == anyone
    assert moves["moves"]["items"]["anyOf"] == anyone
    assert notation["notation"]["type"] == "string"


@pytest.mark.parametrize("name", ["Position", "LegalMoves", "CreateGame"])
def test_what_differs_by_rule_set_is_one_of_its_kinds(name):
    assert len(document()["components"]["schemas"][name]["oneOf"]) == len(CURRENT)


def test_the_schemas_of_a_rule_set_are_schemas_of_their_own(anonymous):
    for slug in CURRENT:
        schemas = anonymous.get_json(f"rulesets/{slug}/")["schemas"]
        assert set(schemas) >= {"options", "move", "events", "view"}
        for name in schemas:
            Draft202012Validator.check_schema({"$ref": f"#/schemas/{name}", "schemas": schemas})
            list(Draft202012Validator({"$ref": f"#/schemas/{name}", "schemas": schemas}).iter_errors({}))


# A tour of all that can be asked.


class Tourist(Client):
    """Checks every answer against the published schema, and keeps which there were."""

    seen = frozenset()

    def generic(self, method, path, *args, **kwargs):
        answer = super().generic(method, path, *args, **kwargs)
        assert_documented(path, method, answer)
        template, _ = operation_of(path, method)
        code = answer.json()["code"] if answer.status_code >= 400 else None
        Tourist.seen |= {(template.removeprefix(API), method, answer.status_code, code)}
        return answer


@pytest.fixture
def tour(monkeypatch):
    """What was seen on a tour."""
    monkeypatch.setattr(Tourist, "seen", frozenset())
    return Tourist


def test_every_answer_on_a_tour_of_everything_is_as_documented(
    tour, anna, bo, cilla, make_game, time_passes, time_stands
):
    a, b, nobody, fake = tour(anna.secret), tour(bo.secret), tour(), tour("nonsense")
    tours.accounts_on_tour(tour, a, nobody, fake)
    tours.gathering_on_tour(a, b, nobody)
    tours.playing_on_tour(a, b, nobody, make_game, [anna, bo])
    tours.leaving_on_tour(a, b, nobody, make_game, [anna, bo, cilla])
    tours.time_on_tour(a, b, nobody, make_game, [anna, bo], time_passes)
    tours.reading_on_tour(a, nobody)
    tours.told_on_tour(a, b, nobody, fake, make_game, [anna, bo])
    tours.standing_on_tour(a, b, nobody, fake)
    noon = datetime(2051, 3, 14, 12, tzinfo=UTC)
    time_stands(noon)
    tours.daily_on_tour(a, b, nobody, fake, noon.date())
    time_stands(noon + timedelta(days=1))
    tours.after_that_day_on_tour(a, b, nobody, noon.date())
    tours.personal_on_tour(a, b, nobody, fake, make_game, anna, bo)

    successes = {
        (template.removeprefix(API), method, int(status))
        for (template, method), operation in operations().items()
        for status in operation["responses"]
        if int(status) < 400
    }
    assert {(path, method, status) for path, method, status, _ in tour.seen if status < 400} == successes
    codes = {code for _, _, _, code in tour.seen if code}
    elsewhere = {"csrf", "method_not_allowed", "too_large", "internal", "unavailable", "not_over"}
    never = {"throttled"}  # what the framework could answer, if it were asked to
    assert set(KINDS) - codes == elsewhere | never
