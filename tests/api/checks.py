"""What the tests of playing share: refusals that change nothing, recorded games, lists read to the end."""

import json
from pathlib import Path

from tests.expect import nothing_changes, problem

RECORDS = Path(__file__).resolve().parents[2] / "seeds" / "records"
REGISTERED = {"type", "title", "status", "code"}


def problem_of(answer, code):
    """The facts of an answer that is this problem: all but what the registry says of the code."""
    return {name: fact for name, fact in problem(answer, code).items() if name not in REGISTERED}


def refused(client, path, body, code, **headers):
    """The facts of a POST that is refused and changes nothing."""
    with nothing_changes():
        answer = client.post(path, body, **headers)
    return problem_of(answer, code)


def records(slug):
    """The recorded games of a rule set by name."""
    return {record["name"]: record for record in json.loads((RECORDS / f"{slug}.json").read_text())}


def whole_list(client, path):
    """The items of all pages of a list."""
    items, following = [], path
    while following is not None:
        page = client.get_json(following)
        items += page["items"]
        following = page["next"]
    return items


def play(card):
    return {"type": "play", "card": card}


CHANCE = {"type": "chance"}
TAKE = {"type": "take"}


def freecell(source, target, count=None):
    move = {"type": "move", "from": source, "to": target}
    return move if count is None else {**move, "count": count}
