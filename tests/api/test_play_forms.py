"""The body of a request to play: what is not of the published form, and where its fault is."""

import json

import pytest

from games.models import Move
from tests.api.checks import TAKE, freecell, play, problem_of, refused
from tests.expect import faults, nothing_changes

MOVE = freecell("5", "a")


@pytest.fixture
def path(anna, make_game):
    return f"games/{make_game('freecell', [anna], options={'deal': 1})}/moves"


def fault(path, message):
    return {"detail": f"{message} at {path}", "errors": [{"path": path, "message": message}]}


ONE_OF = "Expected exactly one of `move`, `moves` and `notation`"


@pytest.mark.parametrize(
    ("body", "where", "message"),
    [
        # `ply`
        ({"move": MOVE}, "$", "Object missing required field `ply`"),
        ({"ply": "6", "move": MOVE}, "$.ply", "Expected `int | float`, got `str`"),
        ({"ply": None, "move": MOVE}, "$.ply", "Expected `int | float`, got `null`"),
        ({"ply": True, "move": MOVE}, "$.ply", "Expected `int | float`, got `bool`"),
        ({"ply": [0], "move": MOVE}, "$.ply", "Expected `int | float`, got `array`"),
        ({"ply": 0.5, "move": MOVE}, "$.ply", "Expected `int`, got `float`"),
        ({"ply": -1, "move": MOVE}, "$.ply", "Expected `int` >= 0"),
        ({"ply": -1.0, "move": MOVE}, "$.ply", "Expected `float` >= 0.0"),
        ({"ply": 2**31, "move": MOVE}, "$.ply", "Expected `int` <= 2147483647"),
        ({"ply": 10**400, "move": MOVE}, "$.ply", "Expected `int` <= 2147483647"),
        (b'{"ply": 1e999, "notation": "5a"}', "$.ply", "Number out of range"),
        # exactly one of the three
        ({"ply": 0}, "$", ONE_OF),
        ({"ply": 0, "move": MOVE, "moves": [MOVE]}, "$", ONE_OF),
        ({"ply": 0, "move": MOVE, "notation": "5a"}, "$", ONE_OF),
        ({"ply": 0, "moves": [MOVE], "notation": "5a"}, "$", ONE_OF),
        ({"ply": 0, "move": None, "moves": [MOVE]}, "$", ONE_OF),
        ({"ply": 0, "move": MOVE, "seat": 0}, "$", "Object contains unknown field `seat`"),
        ({"ply": 0, "Move": MOVE}, "$", "Object contains unknown field `Move`"),
        # `moves`
        ({"ply": 0, "moves": []}, "$.moves", "Expected `array` of length >= 1"),
        ({"ply": 0, "moves": [MOVE] * 2001}, "$.moves", "Expected `array` of length <= 2000"),
        ({"ply": 0, "moves": None}, "$.moves", "Expected `array`, got `null`"),
        ({"ply": 0, "moves": MOVE}, "$.moves", "Expected `array`, got `object`"),
        ({"ply": 0, "moves": [MOVE, [MOVE]]}, "$.moves[1]", "Expected `object`, got `array`"),
        ({"ply": 0, "moves": [MOVE, freecell("5", "x")]}, "$.moves[1].to", "Invalid enum value 'x'"),
        ({"ply": 0, "moves": [TAKE, MOVE, {}]}, "$.moves[2]", "Object missing required field `type`"),
        # `move`
        ({"ply": 0, "move": None}, "$.move", "Expected `object`, got `null`"),
        ({"ply": 0, "move": [MOVE]}, "$.move", "Expected `object`, got `array`"),
        ({"ply": 0, "move": "5a"}, "$.move", "Expected `object`, got `str`"),
        ({"ply": 0, "move": {"from": "5", "to": "a"}}, "$.move", "Object missing required field `type`"),
        ({"ply": 0, "move": {"type": "move", "from": "5"}}, "$.move", "Object missing required field `to`"),
        ({"ply": 0, "move": {"type": "jump"}}, "$.move.type", "Invalid value 'jump'"),
        ({"ply": 0, "move": {**MOVE, "type": 6}}, "$.move.type", "Expected `str`, got `int`"),
        ({"ply": 0, "move": {**MOVE, "card": "QH"}}, "$.move", "Object contains unknown field `card`"),
        ({"ply": 0, "move": freecell(5, "a")}, "$.move.from", "Expected `str`, got `int`"),
        ({"ply": 0, "move": freecell("5\n", "a")}, "$.move.from", "Invalid enum value '5\\n'"),
        ({"ply": 0, "move": freecell("\0", "a")}, "$.move.from", "Invalid enum value '\\x00'"),
        ({"ply": 0, "move": {**MOVE, "count": "1"}}, "$.move.count", "Expected `int`, got `str`"),
        ({"ply": 0, "move": {**MOVE, "count": None}}, "$.move.count", "Expected `int`, got `null`"),
        ({"ply": 0, "move": {**MOVE, "count": True}}, "$.move.count", "Expected `int`, got `bool`"),
        ({"ply": 0, "move": {**MOVE, "count": 1.5}}, "$.move.count", "Expected `int`, got `float`"),
        ({"ply": 0, "move": {**MOVE, "count": 0}}, "$.move.count", "Expected `int` >= 1"),
        ({"ply": 0, "move": {**MOVE, "count": 53.0}}, "$.move.count", "Expected `int` <= 52"),
        # `notation`
        ({"ply": 0, "notation": None}, "$.notation", "Expected `str`, got `null`"),
        ({"ply": 0, "notation": ["5a"]}, "$.notation", "Expected `str`, got `array`"),
        ({"ply": 0, "notation": ""}, "$.notation", "Expected `str` of length >= 1"),
        ({"ply": 0, "notation": " \n"}, "$.notation", "Expected 1 to 2000 moves"),
        ({"ply": 0, "notation": "5a " * 2001}, "$.notation", "Expected 1 to 2000 moves"),
        ({"ply": 0, "notation": "5" * 20001}, "$.notation", "Expected `str` of length <= 20000"),
        ({"ply": 0, "notation": "5a,5b"}, "$.notation", "'5a,5b' is not a move in standard notation (FC-9)"),
        ({"ply": 0, "notation": "5A"}, "$.notation", "'5A' is not a move in standard notation (FC-9)"),
        ({"ply": 0, "notation": "5a\0"}, "$.notation", "'5a\\x00' is not a move in standard notation (FC-9)"),
        ({"ply": 0, "notation": "26v"}, "$.notation", "'' is not a count in hexadecimal (FC-9)"),
        ({"ply": 0, "notation": "26v0"}, "$.notation", "'0' is not a count in hexadecimal (FC-9)"),
        ({"ply": 0, "notation": "26v35"}, "$.notation", "'35' is not a count in hexadecimal (FC-9)"),
        ({"ply": 0, "notation": "26vA"}, "$.notation", "'A' is not a count in hexadecimal (FC-9)"),
        # no object at all
        (None, "$", "Object missing required field `ply`"),
        (b" \n", "$", "Object missing required field `ply`"),
        (b"null", "$", "Expected `object`, got `null`"),
        (b"[]", "$", "Expected `object`, got `array`"),
        (b'"5a"', "$", "Expected `object`, got `str`"),
    ],
)
def test_the_path_of_a_fault_is_told(path, anna, body, where, message):
    assert refused(anna.client, path, body, "malformed") == fault(where, message)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("QH\n", "Expected `str` of length <= 2"),
        ("QH ", "Expected `str` of length <= 2"),
        ("10H", "Expected `str` of length <= 2"),
        ("qh", "Expected `str` matching regex '^[A23456789TJQK][CDHS]$'"),
        ("", "Expected `str` matching regex '^[A23456789TJQK][CDHS]$'"),
        ("1X", "Expected `str` matching regex '^[A23456789TJQK][CDHS]$'"),
        ("Q\0", "Expected `str` matching regex '^[A23456789TJQK][CDHS]$'"),
        (None, "Expected `str`, got `null`"),
        (["QH"], "Expected `str`, got `array`"),
    ],
)
def test_a_card_is_a_rank_and_a_suit_and_nothing_else(anna, bo, make_game, card, message):
    path = f"games/{make_game('sicksack', [anna, bo])}/moves"
    body = {"ply": 0, "move": play(card)}
    assert refused(anna.client, path, body, "malformed") == fault("$.move.card", message)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"ply": 0, "notation": "5a"} x',
        b'\xef\xbb\xbf{"ply": 0, "notation": "5a"}',
        b"{'ply': 0, 'notation': '5a'}",
        b'{"ply": 0, "notation": "5a",}',
        b'{"ply": NaN, "notation": "5a"}',
        b'{"ply": 0x0, "notation": "5a"}',
        b'{"ply": 0, "notation": "\xff\xfe"}',
        b'{"ply": 0, "notation": "\xed\xa0\x80"}',
        b'{"ply": 0, "notation": "5a\0"}',
        b"ply=0&notation=5a",
        json.dumps({"ply": 0, "notation": "5a"}).encode("utf-16"),
    ],
)
def test_what_is_not_json_is_malformed(path, anna, body):
    facts = refused(anna.client, path, body, "malformed")
    assert facts["errors"][0]["path"] == "$"
    assert facts["errors"][0]["message"].startswith("not JSON: ")


@pytest.mark.parametrize(
    "body",
    [
        b'{"ply": "%s"}',
        b'{"ply": 0, "%s": 1}',
        b'{"ply": 0, "notation": "%s"}',
        b'{"ply": 0, "move": "%s"}',
        b'{"ply": 0, "move": {"%s": 1, "type": "move"}}',
        b'{"ply": 0, "move": {"type": "%s"}}',
        b'{"ply": 0, "move": {"type": "move", "from": "%s", "to": "a"}}',
        b'{"ply": 0, "move": {"type": "play", "card": "%s"}}',
    ],
)
def test_a_surrogate_by_itself_is_malformed(path, anna, body):
    for escape in (b"\\ud800", b"\\udc00", b"\\ud800 and more", b"\\ud800\\ud800", b"\\udc00\\ud800"):
        assert faults(anna.client.post(path, body % escape)) == ["$"]
    assert not Move.objects.exists()


@pytest.mark.parametrize("body", [b'{"ply": 0, "move": %s}', b'{"ply": 0, "moves": [%s]}', b"%s"])
@pytest.mark.parametrize(
    ("begin", "end"), [(b"[", b"]"), (b'{"type":', b"}"), (b'{"type": "move", "from":', b', "to": "a"}')]
)
def test_nesting_of_any_depth_is_malformed(path, anna, body, begin, end):
    deepest = 250_000 // len(begin + end)
    for depth in (20, 200, 800, 5000, deepest):
        assert len(faults(anna.client.post(path, body % (begin * depth + b"1" + end * depth)))) == 1
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b'{"ply": 0, "ply": 0, "notation": "1a"}', "ply"),
        (b'{"ply": 0, "notation": "1a", "notation": "2a"}', "notation"),
        (b'{"ply": 0, "move": {"type": "move", "from": "1", "to": "a", "to": "b"}}', "to"),
        (b'{"ply": 0, "moves": [{"type": "move", "from": "1", "from": "1", "to": "a"}]}', "from"),
    ],
)
def test_a_name_that_is_given_twice_is_refused(path, anna, body, name):
    assert refused(anna.client, path, body, "malformed") == fault(name, "given more than once")


def test_what_was_sent_is_quoted_as_it_was(path, anna):
    braces = refused(anna.client, path, {"ply": 0, "notation": "{0}{card}%s"}, "malformed")
    assert braces == fault("$.notation", "'{0}{card}%s' is not a move in standard notation (FC-9)")
    braces = refused(anna.client, path, {"ply": 0, "move": {"type": "{0.__class__}"}}, "malformed")
    assert braces == fault("$.move.type", "Invalid value '{0.__class__}'")


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json", ""],
)
def test_another_type_than_json_is_unsupported(path, anna, content_type):
    body = b'{"ply": 0, "notation": "5a"}'
    with nothing_changes():
        answer = anna.client.generic("POST", f"/api/v1/{path}", body, content_type=content_type)
    assert problem_of(answer, "unsupported_media_type") == {"detail": "Send the body as application/json."}


def test_json_may_name_its_charset(path, anna):
    body = b'{"ply": 0, "notation": "5a"}'
    answer = anna.client.generic(
        "POST", f"/api/v1/{path}", body, content_type="application/json; charset=utf-8"
    )
    assert answer.status_code == 201
