"""A game that is over, taken away: as a record that proves itself, or as its moves in the notation of FreeCell."""

import json

import jsonschema
import pytest
from django.core.management import CommandError, call_command

from games.catalog import CURRENT
from tests.api.checks import problem_of, records
from tests.api.published import assert_documented, at
from tests.expect import nothing_changes, problem
from tests.stored_games import WAYS, some_game, store

TEXT = "text/plain"
RECORD = at("components", "schemas", "Proof")


def stored(number):
    game = some_game(number)
    store([game])
    return game.game


def exported(client, game):
    """The record of a game, as a file that one saves."""
    answer = client.ask("GET", f"games/{game}/export")
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "application/json"
    assert_documented(f"/api/v1/games/{game}/export", "GET", answer)
    record = answer.json()
    RECORD.validate(record)
    name = f"{record['ruleset']}-{game}.json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    return answer.content


def notation(client, game):
    answer = client.ask("GET", f"games/{game}/export", accept=TEXT)
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert_documented(f"/api/v1/games/{game}/export", "GET", answer)
    return answer.content.decode()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slug", CURRENT)
def test_a_record_is_of_the_published_form_and_verifies_itself(anonymous, tmp_path, capsys, slug, way):
    game = stored(list(CURRENT).index(slug) + len(CURRENT) * WAYS.index(way))
    with nothing_changes():
        content = exported(anonymous, game)
    assert content == anonymous.ask("GET", f"games/{game}/proof").content
    file = tmp_path / "game.json"
    file.write_bytes(content)
    call_command("verify_game", file)
    log = json.loads(content)["log"]
    ending = json.loads(content)["ending"]
    assert capsys.readouterr().out == f"{file}: verified: {slug}, {len(log)} entries, {ending}\n"


@pytest.mark.parametrize(
    ("tamper", "where"),
    [
        (lambda record: record.update(seed="0" * 64), "commitment: expected "),
        (lambda record: record["deck"].reverse(), "deck: expected "),
        (lambda record: record["log"].pop(0), "positions: expected "),
        (lambda record: record["log"][1].update(seat=2), "entry 1: expected "),
        (lambda record: record["log"][0]["move"].update(card="KD"), "entry 0: expected "),
        (lambda record: record["positions"].reverse(), "position 0: expected "),
        (lambda record: record["outcome"].update(place=[1, 2, 2]), "outcome: expected "),
        (lambda record: record.update(ending="timed_out"), "ending: expected "),
        (lambda record: record.update(winner="anna"), "form: expected "),
    ],
)
def test_a_record_that_was_tampered_with_diverges(anonymous, tmp_path, capsys, tamper, where):
    record = json.loads(exported(anonymous, stored(1)))
    tamper(record)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    with pytest.raises(CommandError, match=r"^1 of 1 not verified$"):
        call_command("verify_game", file)
    assert capsys.readouterr().out.startswith(f"{file}: diverges at {where}")


def test_the_published_form_refuses_what_is_no_record(anonymous):
    record = json.loads(exported(anonymous, stored(1)))
    for name in record:
        with pytest.raises(jsonschema.ValidationError):
            RECORD.validate({other: value for other, value in record.items() if other != name})
    for name in record:
        with pytest.raises(jsonschema.ValidationError):
            RECORD.validate({**record, name: 1.5})
    with pytest.raises(jsonschema.ValidationError):
        RECORD.validate({**record, "log": [{**record["log"][0], "kind": "pass"}]})


@pytest.mark.parametrize("accept", [None, TEXT])
@pytest.mark.parametrize("slug", ["sicksack", "freecell"])
def test_a_game_that_goes_on_is_not_disclosed_to_anybody(anna, bo, stranger, staff, make_game, slug, accept):
    game = make_game(slug, [anna, bo] if slug == "sicksack" else [anna])
    headers = {"accept": accept} if accept else {}
    for player in (anna, bo, stranger, staff):
        with nothing_changes():
            answer = player.client.ask("GET", f"games/{game}/export", **headers)
        assert problem_of(answer, "not_disclosed") == {
            "detail": "The game is not over yet.",
            "game_status": "running",
        }


@pytest.mark.parametrize("accept", ["application/json", TEXT])
def test_what_has_not_started_or_is_not_ones_to_see_is_not_exported(
    anna, bo, stranger, anonymous, make_game, accept
):
    waiting = make_game("freecell", [anna], start=False)
    for status in ("open", "cancelled"):
        answer = anonymous.ask("GET", f"games/{waiting}/export", accept=accept)
        assert problem_of(answer, "not_started")["game_status"] == status
        anna.client.post(f"games/{waiting}/leave")
    private = make_game("freecell", [anna], private=True)
    anna.client.post(f"games/{private}/moves", {"ply": 0, "notation": "1a"})
    anna.client.post(f"games/{private}/resign")
    for client in (stranger.client, anonymous):
        problem_of(client.ask("GET", f"games/{private}/export", accept=accept), "not_found")
    assert anna.client.ask("GET", f"games/{private}/export", accept=accept).status_code == 200


def played_again(client, deal, words):
    """The position that moves lead to in another game of a Microsoft deal."""
    game = client.post("games/", {"ruleset": "freecell", "options": {"deal": deal}}).json()["id"]
    client.post(f"games/{game}/start")
    answer = client.post(f"games/{game}/moves", {"ply": 0, "notation": words})
    assert answer.status_code == 201, answer.content
    return answer.json()["position"]


@pytest.mark.parametrize("name", ["deal-1", "deal-617", "deal-20021"])
def test_the_moves_of_a_won_deal_can_be_played_again(anna, anonymous, make_game, name):
    record = records("freecell")[name]
    deal, words = record["options"]["deal"], " ".join(record["notation"])
    game = make_game("freecell", [anna], options={"deal": deal})
    played = anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": words}).json()["position"]
    assert played["outcome"]["result"] == ["win"]
    assert notation(anonymous, game) == words + "\n"
    assert played_again(anna.client, deal, notation(anonymous, game)) == played


def test_moves_that_were_taken_back_are_left_out(anna, anonymous, make_game):
    """Taken back one after the other, also down to the deal, and made again."""
    game = make_game("freecell", [anna], options={"deal": 1})
    ply = 0

    def done(path, **body):
        nonlocal ply
        answer = anna.client.post(f"games/{game}/{path}", {"ply": ply, **body})
        assert answer.status_code == 201, answer.content
        ply = answer.json()["ply"]

    for words, undos in (("5b", 1), ("5a 5b 5c", 2), ("1b", 1), ("5c 5d 1b", 1)):
        done("moves", notation=words)
        for _ in range(undos):
            done("undo")
    stands = anna.client.get_json(f"games/{game}/")["position"]
    anna.client.post(f"games/{game}/resign")
    assert notation(anonymous, game) == "5a 5c 5d\n"
    assert json.loads(exported(anonymous, game))["log"][-1]["kind"] == "resign"
    again = played_again(anna.client, 1, notation(anonymous, game))
    assert (again["view"], again["ply"], stands["ply"]) == (stands["view"], 3, 13)


def test_a_game_without_a_move_has_none(anna, anonymous, make_game):
    game = make_game("freecell", [anna], options={"deal": 1})
    anna.client.post(f"games/{game}/resign")
    assert notation(anonymous, game) == "\n"


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_a_game_without_a_notation_has_its_record_alone(anonymous, number):
    game = stored(number)
    with nothing_changes():
        answer = anonymous.ask("GET", f"games/{game}/export", accept=TEXT)
    assert problem_of(answer, "not_acceptable") == {
        "detail": "The rule set has no notation; ask for application/json."
    }


def test_what_one_accepts_decides_what_one_gets(anna, anonymous, make_game):
    game = make_game("freecell", [anna], options={"deal": 1})
    anna.client.post(f"games/{game}/resign")
    path = f"games/{game}/export"
    for accept, kind in (
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("text/*", TEXT),
        ("text/html, text/plain;q=0.5", TEXT),
    ):
        answer = anonymous.ask("GET", path, accept=accept)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].partition(";")[0] == kind
        assert "Accept" in answer.headers["Vary"].split(", ")
    problem_of(anonymous.ask("GET", path, accept="text/html"), "not_acceptable")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        problem_of(anna.client.ask(method, path, {}), "method_not_allowed")


def test_who_asks_for_another_format_is_told_which_there_are(anna, make_game, anonymous):
    over = make_game("freecell", [anna])
    anna.client.post(f"games/{over}/resign")
    asked = anonymous.ask("GET", f"games/{over}/export", accept="application/xml")
    assert problem(asked, "not_acceptable")["detail"] == "Ask for application/json or text/plain."
    asked = anonymous.ask("GET", "exports/", accept="application/json")
    assert problem(asked, "not_acceptable")["detail"] == "Ask for application/x-ndjson."
