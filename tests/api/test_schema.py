"""The published schema: that it is one, and that the API is as it says."""

import json
import re

import pytest
from django.db.models.functions import Now
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from cardsite.problems import CONTENT_TYPE, KINDS
from games.api.shapes import camel
from games.catalog import CURRENT
from games.clock import TurnClock
from games.models import Game
from tests.api.published import assert_documented, at, document, operation_of, operations
from tests.conftest import API, Client

BESIDE_JSON = {
    "rule_book": {"text/html"},
    "events": {"text/event-stream"},
    "my_events": {"text/event-stream"},
}

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


def test_every_operation_has_a_name_of_its_own_and_says_what_it_is():
    names = [operation["operationId"] for operation in operations().values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)
    assert all(operation["summary"] for operation in operations().values())


def test_every_answer_and_problem_has_words_and_a_content_type_of_its_own():
    for operation in operations().values():
        for status, answer in operation["responses"].items():
            assert answer["description"]
            expected = {CONTENT_TYPE} if int(status) >= 400 else {"application/json"}
            if int(status) == 200:
                expected |= BESIDE_JSON.get(operation["operationId"], set())
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


def test_every_answer_on_a_tour_of_everything_is_as_documented(tour, anna, bo, cilla, make_game, time_passes):
    a, b, nobody, fake = tour(anna.secret), tour(bo.secret), tour(), tour("nonsense")
    accounts_on_tour(tour, a, nobody, fake)
    gathering_on_tour(a, b, nobody)
    playing_on_tour(a, b, nobody, make_game, [anna, bo])
    leaving_on_tour(a, b, nobody, make_game, [anna, bo, cilla])
    time_on_tour(a, b, nobody, make_game, [anna, bo], time_passes)
    reading_on_tour(a, nobody)
    told_on_tour(a, b, nobody, fake, make_game, [anna, bo])

    successes = {
        (template.removeprefix(API), method, int(status))
        for (template, method), operation in operations().items()
        for status in operation["responses"]
        if int(status) < 400
    }
    assert {(path, method, status) for path, method, status, _ in tour.seen if status < 400} == successes
    codes = {code for _, _, _, code in tour.seen if code}
    elsewhere = {"csrf", "method_not_allowed", "too_large", "internal", "unavailable"}
    never = {"forbidden", "throttled"}  # what the framework could answer, if it were asked to
    assert set(KINDS) - codes == elsewhere | never


def accounts_on_tour(tour, a, nobody, fake):
    nils = {"username": "nils", "password": "brown-otter-47", "email": "nils@example.org"}
    nobody.post("accounts/", nils)
    nobody.post("accounts/", nils)
    nobody.post("accounts/", {**nils, "username": "admin"})
    nobody.post("accounts/", {})
    nobody.generic("POST", f"{API}/accounts/", b"x", content_type="text/plain")
    for client in (a, nobody, fake):
        client.ask("GET", "me/")
        client.ask("PATCH", "me/", {"display_name": "A. K."})
        client.ask("GET", "me/tokens/")
        client.post("me/tokens/", {"name": "x"})
    a.ask("GET", "me/", accept="text/plain")
    a.ask("PATCH", "me/", {"email": "x"})
    a.ask("PATCH", "me/", {"x": "x"})
    a.ask("GET", "me/tokens/?limit=1")
    a.ask("GET", "me/tokens/?limit=0")
    token = a.post("me/tokens/", {"name": "y"}, idempotency_key="k").json()
    a.post("me/tokens/", {"name": "z"}, idempotency_key="k")
    a.post("me/tokens/", {"name": "z"}, idempotency_key="")
    for _ in range(2):
        a.ask("DELETE", f"me/tokens/{token['id']}/")
    nobody.ask("GET", "players/anna/")
    nobody.ask("GET", "players/nobody/")


def gathering_on_tour(a, b, nobody):
    nobody.post("games/", {"ruleset": "freecell"})
    a.post("games/", {"ruleset": "chess"})
    a.post("games/", {"ruleset": "kraftkort", "seats": 4, "options": {"power_card": True}})
    a.post("games/", {"ruleset": "freecell", "options": {"deal": 11982}})
    game = "games/" + a.post("games/", {"ruleset": "sicksack", "seats": 2}).json()["id"]
    b.ask("GET", f"{game}/")
    b.post(f"{game}/leave")
    b.post(f"{game}/start")
    a.post(f"{game}/start")
    for path in ("legal-moves", "moves", "positions/0"):
        a.ask("GET", f"{game}/{path}")
    b.post(f"{game}/join", {"entropy": "x" * 200})
    b.post(f"{game}/join", {"entropy": "x"})
    b.post(f"{game}/start")
    nobody.post(f"{game}/join")
    b.post(f"{game}/leave")
    b.post(f"{game}/join")
    a.post(f"{game}/leave")
    a.post(f"{game}/leave")
    full = "games/" + a.post("games/", {"ruleset": "freecell", "visibility": "private"}).json()["id"]
    b.post(f"{full}/join", {"link": "x"})
    public = "games/" + a.post("games/", {"ruleset": "freecell"}).json()["id"]
    b.post(f"{public}/join")
    a.post(f"{public}/start", {"entropy": "y"})


def playing_on_tour(a, b, nobody, make_game, players):
    one = make_game("freecell", players[:1], options={"deal": 1})
    game = f"games/{one}"
    a.post(f"{game}/moves", {"ply": 0, "notation": "6a"})
    a.post(f"{game}/moves", {"ply": 0, "notation": "6a"})
    a.post(f"{game}/moves", {"ply": 0, "notation": "6b"})
    a.post(f"{game}/moves", {"ply": 9, "notation": "ab"})
    a.post(f"{game}/moves", {"ply": 1, "notation": "hh"})
    a.post(f"{game}/moves", {"ply": 1, "move": {"type": "chance"}})
    a.post(f"{game}/moves", {"ply": 1})
    b.post(f"{game}/moves", {"ply": 1, "notation": "ab"})
    nobody.post(f"{game}/moves", {"ply": 1, "notation": "ab"})
    b.ask("GET", f"{game}/legal-moves")
    a.ask("GET", f"{game}/legal-moves?cursor=0.0")
    a.ask("GET", f"{game}/legal-moves?cursor=x")
    a.ask("GET", f"{game}/legal-moves?limit=3")
    a.ask("GET", f"{game}/moves?limit=1")
    a.ask("GET", f"{game}/positions/1")
    a.ask("GET", f"{game}/positions/2")
    two = f"games/{make_game('sicksack', players)}"
    moves = [{"type": "chance"}, {"type": "chance"}]
    a.post(f"{two}/moves", {"ply": 0, "moves": moves})
    b.post(f"{two}/moves", {"ply": 0, "moves": moves})
    while a.get_json(f"{two}/")["ply"] < 8:
        for client in (a, b):
            page = client.get_json(f"{two}/legal-moves")
            if page["items"]:
                assert (
                    client.post(f"{two}/moves", {"ply": page["ply"], "move": page["items"][0]}).status_code
                    == 201
                )
    for client in (a, b, nobody):
        for path in ("", "moves", "positions/0", "positions/8"):
            client.ask("GET", f"{two}/{path}")
    for game in (one, two.removeprefix("games/")):
        Game.objects.filter(id=game).update(status="finished", ended_at=Now(), to_act=[])
        for path in ("", "moves", "positions/1"):
            nobody.ask("GET", f"games/{game}/{path}")
    a.post(f"games/{one}/moves", {"ply": 1, "notation": "ab"})


def leaving_on_tour(a, b, nobody, make_game, players):
    patience = f"games/{make_game('freecell', players[:1], options={'deal': 1})}"
    a.post(f"{patience}/undo", {"ply": 0})
    a.post(f"{patience}/moves", {"ply": 0, "notation": "5a"})
    for client in (a, a, b, nobody):
        client.post(f"{patience}/undo", {"ply": 1})
    for body in ({}, {"ply": 0}, {"ply": 9}):
        a.post(f"{patience}/undo", body)
    going_on = f"games/{make_game('sicksack', players)}"
    a.post(f"{going_on}/resign")
    a.post(f"{going_on}/moves", {"ply": 2, "move": {"type": "chance"}})
    void, three, unopened = (
        f"games/{make_game('freecell', players[:1])}",
        f"games/{make_game('sicksack', players)}",
        f"games/{make_game('sicksack', players[:2], start=False)}",
    )
    for path in (void, three, unopened):
        for client in (a, b, nobody):
            client.post(f"{path}/resign")
            for looked_at in ("", "moves", "positions/0", "positions/1", "legal-moves"):
                client.ask("GET", f"{path}/{looked_at}")
    a.post(f"{going_on}/undo", {"ply": 2})
    a.post("games/01920000-0000-7000-8000-000000000000/resign")
    a.post("games/01920000-0000-7000-8000-000000000000/undo", {"ply": 0})
    for path in (patience, void):
        a.post(f"{path}/resign")
        a.post(f"{path}/undo", {"ply": 2})
        b.ask("GET", f"{path}/")


def time_on_tour(a, b, nobody, make_game, players, time_passes):
    for clock in ({"type": "turn", "seconds": 60}, {"type": "bank", "seconds": 60, "increment": 5}):
        wanted = {"ruleset": "freecell", "options": {"deal": 1}, "clock": clock, "abandon_after": 3600}
        game = f"games/{a.post('games/', wanted).json()['id']}"
        a.post(f"{game}/start")
        a.post(f"{game}/moves", {"ply": 0, "notation": "5a"})
        time_passes(61)
        a.post(f"{game}/undo", {"ply": 1})
        for path in ("", "moves", "positions/2"):
            nobody.ask("GET", f"{game}/{path}")
    a.post("games/", {"ruleset": "freecell", "clock": {"type": "turn", "seconds": 59}})
    a.post("games/", {"ruleset": "freecell", "abandon_after": 1})
    two = f"games/{make_game('sicksack', players, clock=TurnClock(60))}"
    b.ask("GET", f"{two}/")
    time_passes(61)
    a.post(f"{two}/moves", {"ply": 0, "move": {"type": "chance"}})
    for path in ("", "moves", "positions/1"):
        b.ask("GET", f"{two}/{path}")


def reading_on_tour(a, nobody):
    for client in (a, nobody):
        client.ask("GET", "")
        client.ask("GET", "problems")
        for query in (
            "",
            "mine=true",
            "joinable=true&limit=2",
            "status=finished",
            "status=abandoned",
            "limit=x",
        ):
            client.ask("GET", f"games/?{query}")
        client.ask("GET", "rulesets/")
        client.ask("GET", "rulesets/?x=1")
        client.ask("GET", "rulesets/chess/")
        for slug in CURRENT:
            client.ask("GET", f"rulesets/{slug}/")
            client.ask("GET", f"rulesets/{slug}/rules")
        client.ask("GET", "rulesets/chess/rules?language=de")
        client.ask("GET", "rulesets/chess/rules")
    game = a.get_json("games/")["items"][0]["id"]
    a.ask("GET", f"games/{game}/", if_none_match="*")
    a.ask("GET", "games/01920000-0000-7000-8000-000000000000/")


def told_on_tour(a, b, nobody, fake, make_game, players):
    going_on = f"games/{make_game('sicksack', players)}"
    over = f"games/{make_game('freecell', players[:1], options={'deal': 1})}"
    a.post(f"{over}/moves", {"ply": 0, "notation": "5a"})
    a.post(f"{over}/resign")
    waiting = f"games/{make_game('sicksack', players, start=False)}"
    private = f"games/{make_game('freecell', players[:1], private=True)}"
    for client in (a, b, nobody, fake):
        client.post("me/stream-ticket")
        for accept in ("application/json", "text/event-stream", "text/plain"):
            for path in (going_on, over, waiting, private):
                for query in ("", "?after=1", "?limit=2", "?after=99", "?wait=61", "?ticket=x"):
                    client.ask("GET", f"{path}/events{query}", accept=accept)
                for last in ("1", "6", "x"):
                    client.ask("GET", f"{path}/events", accept=accept, last_event_id=last)
            for query in ("", "?after=0", "?after=0&limit=2", "?after=x"):
                client.ask("GET", f"me/events{query}", accept=accept)
            client.ask("GET", "me/events", accept=accept, last_event_id="0")
        for path in (going_on, over, waiting, private):
            client.ask("GET", f"{path}/proof")
