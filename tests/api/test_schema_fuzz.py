"""Requests that are made from the published schema alone, good ones and bad ones."""

import pytest
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cardsite.wsgi import application
from games.selectors.newest import newest_positions
from tests.api.published import document, operations

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = {GenerationMode.POSITIVE: 12, GenerationMode.NEGATIVE: 12}


@pytest.fixture(scope="module")
def published():
    schema = schemathesis.openapi.from_dict(document())
    schema.app = application
    return schema


@pytest.fixture
def places(anna, bo, make_game):
    """Path parameters that lead somewhere: games under way in which it is anna's turn."""
    return {
        "username": "bo",
        "ply": 0,
        "token_id": str(bo.client.get_json("me/tokens/")["items"][0]["id"]),
        "sicksack": str(make_game("sicksack", [anna, bo])),
        "freecell": str(make_game("freecell", [anna], options={"deal": 1})),
        "open": str(make_game("sicksack", [anna], start=False, seats=2)),
    }


def in_which_game(path):
    if "{game_id}" not in path:
        return [None]
    return ["open", "freecell"] if path.endswith(("join", "leave", "start")) else ["sicksack", "freecell"]


CASES = [
    pytest.param(path, method, game, mode, id=f"{method} {path} {game or ''} {mode.value}")
    for path, method in operations()
    for game in in_which_game(path)
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
]


@pytest.mark.parametrize(("path", "method", "game", "mode"), CASES)
def test_the_api_answers_as_it_says(published, anna, places, path, method, game, mode):
    fixed = {name: value for name, value in places.items() if f"{{{name}}}" in path}
    if game:
        fixed["game_id"] = places[game]
    if "{slug}" in path:
        fixed["slug"] = "sicksack"
    operation = published[path][method]

    @settings(
        max_examples=EXAMPLES[mode],
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode, path_parameters=fixed))
    def run(case):
        with transaction.atomic():
            answer = case.call(headers={"Authorization": f"Bearer {anna.secret}"})
            transaction.set_rollback(True)
        newest_positions._positions.clear()
        case.validate_response(answer, checks=CHECKS)
        if mode is GenerationMode.POSITIVE:
            assert answer.status_code != 400 or answer.json()["code"] == "batch_reveals", answer.text

    run()
