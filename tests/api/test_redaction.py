"""What is hidden stays out of representations, logs and reports of errors."""

import logging
import re

import pytest

from games.models import Deal, Game, Seat
from games.rules.sicksack import Sicksack
from games.selectors.newest import newest_positions
from games.selectors.tables import history_read, table_read
from games.services.playing import Played
from games.services.writing import NewEntry
from tests.api.checks import CHANCE, play, problem_of, refused
from tests.expect import nothing_changes

ENTROPY = "entropy-of-anna"
A_CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


@pytest.fixture
def game(anna, bo):
    """Seat 0 has played and drawn; so whatever card is shown was hidden from somebody."""
    game = anna.client.post("games/", {"ruleset": "sicksack", "seats": 2}).json()["id"]
    bo.client.post(f"games/{game}/join", {"entropy": "entropy-of-bo"})
    anna.client.post(f"games/{game}/start", {"entropy": ENTROPY})
    card = anna.client.get_json(f"games/{game}/")["position"]["view"]["hands"][0]["cards"][0]
    anna.client.post(f"games/{game}/moves", {"ply": 0, "move": play(card)})
    return Game.objects.get(id=game)


def assert_shows_nothing(text, game):
    seed = bytes(Deal.objects.get(game=game).seed)
    assert not A_CARD.search(text)
    assert "entropy" not in text
    assert seed.hex() not in text
    assert str(seed)[2:-1] not in text


def test_no_representation_shows_what_is_hidden(game, anna):
    history, at_table = history_read(game_id=game.id), table_read(game_id=game.id)
    (step,) = (step for _, step in history.steps())
    written = NewEntry(step, anna.id, 0, 0)
    deal = Deal.objects.select_related("game").get(game=game)
    things = [
        history.row, history.dealt, history.dealt.setup, history.dealt.state, step, step.after, step.after.state,
        history, at_table, at_table.position, newest_positions.get(game.id), newest_positions, written,
        deal, game, *Seat.objects.filter(game=game), Deal.objects.all(), Seat.objects.all(), vars(at_table),
        vars(history),
    ]  # fmt: skip
    for thing in things:
        for text in (repr(thing), str(thing), f"{thing}", repr([thing]), repr({"thing": thing})):
            assert_shows_nothing(text, game)


def test_an_answer_shows_no_more_than_its_reader_may_see(game, bo):
    seen = bo.client.get_json(f"games/{game.id}/")["position"]["view"]
    hand, stock = history_read(game_id=game.id).position_at(1).state.hands[0], seen["stock"]
    assert stock == {"size": 45, "cards": None}
    text = bo.client.ask("GET", f"games/{game.id}/moves").content.decode() + str(seen)
    assert not {*A_CARD.findall(text)} & {*hand}
    assert Played.__struct_fields__ == (
        "game", "ruleset", "repeated", "ply", "status", "entries", "position",
    )  # fmt: skip


def test_no_line_of_the_log_shows_what_is_hidden(game, anna, bo, caplog):
    caplog.set_level(logging.DEBUG)
    path = f"games/{game.id}/moves"
    refused(anna.client, path, {"ply": 1, "move": CHANCE}, "turn")
    refused(bo.client, path, {"ply": 1, "move": play("1X")}, "malformed")
    assert bo.client.post(path, {"ply": 1, "move": CHANCE}).status_code == 201
    assert len(caplog.records) >= 2
    assert_shows_nothing(caplog.text, game)


@pytest.mark.parametrize("where", ["check", "apply", "may_reveal", "view", "redact"])
def test_a_failure_tells_the_client_nothing_and_the_log_no_card(game, bo, caplog, monkeypatch, where):
    def fail(*_):
        raise RuntimeError("on purpose")

    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(Sicksack, where, fail)
    path, body = f"/api/v1/games/{game.id}/moves", {"ply": 1, "moves": [CHANCE, CHANCE]}
    if where == "may_reveal":
        with nothing_changes():
            answer = bo.client.post(path, body)
    else:
        answer = bo.client.post(path, {"ply": 1, "move": CHANCE})
    assert problem_of(answer, "internal") == {"detail": "The server failed; the failure was logged."}
    assert "on purpose" in caplog.text
    assert_shows_nothing(caplog.text, game)
