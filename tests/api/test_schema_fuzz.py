"""Requests that are made from the published schema alone, good ones and bad ones."""

import json

import pytest
import requests
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from games.locks import database_time
from games.selectors.newest import newest_positions
from games.services.daily import daily_deals_make
from tests.api.published import assert_documented, document, operations

GOOD, BAD = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
EXAMPLES = 6


@pytest.fixture(scope="module")
def published():
    return schemathesis.openapi.from_dict(document())


@pytest.fixture
def places(anna, bo, make_game):
    """Path parameters that lead somewhere: games of anna's, and those under way wait for her."""
    today = database_time().date()
    daily_deals_make(today=today)
    return {
        "username": "bo",
        "slug": "freecell",
        "day": str(today),
        "ply": 0,
        "token_id": bo.client.get_json("me/tokens/")["items"][0]["id"],
        "sicksack": str(make_game("sicksack", [anna, bo])),
        "freecell": str(make_game("freecell", [anna], options={"deal": 1})),
        "open": str(make_game("sicksack", [anna, bo], start=False, seats=2)),
    }


def games_for(path):
    """In which games an operation is worth trying."""
    if "{game_id}" not in path:
        return [""]
    return ["open", "freecell"] if path.endswith(("join", "leave", "start")) else ["sicksack", "freecell"]


def modes_for(operation):
    """A request without body and query can hardly be a bad one."""
    queries = [one for one in operation.get("parameters", []) if one["in"] == "query"]
    return (GOOD, BAD) if "requestBody" in operation or queries else (GOOD,)


def is_of_no_schema(refused):
    """Whether it is a fault that a schema cannot tell of: a measure by which a rule set has no board, two
    parameters of which one is in place of the other, or a cursor that is a day of no calendar."""
    faults = [fault["path"] for fault in refused.get("errors", [])]
    return refused["code"] == "batch_reveals" or faults in (["measure"], ["around"], ["cursor"])


def sent(client, case):
    """The answer to a generated request, encoded as it would be on its way to a server."""
    request = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    headers = {name.replace("-", "_"): value for name, value in request.headers.items()}
    content_type = headers.pop("Content_Type", "")
    given = {f"HTTP_{name.upper()}": value for name, value in headers.items() if name != "Content_Length"}
    with transaction.atomic():
        answer = client.generic(
            request.method, request.path_url, request.body or b"", content_type=content_type, **given
        )
        transaction.set_rollback(True)
    newest_positions.clear()
    assert_documented(request.path_url, request.method, answer)
    return answer


@pytest.mark.parametrize(
    ("path", "method", "game", "mode"),
    [
        pytest.param(path, method, game, mode, id=f"{method} {path} {game} {mode.value}")
        for (path, method), operation in operations().items()
        for game in games_for(path)
        for mode in modes_for(operation)
    ],
)
def test_the_api_answers_as_it_says(published, anna, places, path, method, game, mode):
    places["game_id"] = places.get(game)
    fixed = {name: value for name, value in places.items() if f"{{{name}}}" in path}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=published[path][method].as_strategy(generation_mode=mode, path_parameters=fixed))
    def run(case):
        answer = sent(anna.client, case)
        assert answer.status_code < 500
        if mode is GOOD and answer.status_code == 400:
            assert is_of_no_schema(json.loads(answer.content)), (case.query, case.body)

    run()
