"""The Idempotency-Key of creating requests."""

import json
import threading
import time
from datetime import timedelta

import pytest
from django.db import connections
from django.db.models import F

from accounts.models import ApiToken, IdempotentAnswer
from games.api import views
from games.models import Game
from games.services import gathering
from tests.expect import everything, faults, nothing_changes, problem

TOKEN = ("me/tokens/", {"name": "bot"})
GAME = ("games/", {"ruleset": "sicksack", "seats": 3, "visibility": "private"})
both = pytest.mark.parametrize(("path", "body"), [TOKEN, GAME], ids=["token", "game"])


def made():
    return (Game.objects.count(), ApiToken.objects.filter(name="bot").count())


@both
def test_the_same_request_again_gets_the_first_answer_again(anna, path, body):
    first = anna.client.post(path, body, idempotency_key="k1")
    with nothing_changes():
        again = anna.client.post(path, body, idempotency_key="k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    secret = first.json().get("secret") or first.json()["link"]
    assert len(secret) >= 32
    assert sum(made()) == 1
    assert ("Idempotent-Replayed" in first.headers, again.headers["Idempotent-Replayed"]) == (False, "true")
    assert again.headers["Content-Type"] == "application/json"


@both
def test_without_a_key_or_with_another_key_it_is_done_again(anna, path, body):
    answers = [
        anna.client.post(path, body),
        anna.client.post(path, body),
        anna.client.post(path, body, idempotency_key="k1"),
        anna.client.post(path, body, idempotency_key="k2"),
    ]
    assert len({answer.json()["id"] for answer in answers}) == 4
    assert sum(made()) == 4


@both
def test_the_answer_is_kept_sealed(anna, path, body):
    answer = anna.client.post(path, body, idempotency_key="my key of today".replace(" ", "-")).json()
    kept = str(everything())
    secret = answer.get("secret") or answer["link"]
    assert secret not in kept
    assert secret.encode().hex() not in kept
    assert "my-key-of-today" not in kept
    sealed = bytes(IdempotentAnswer.objects.get().sealed_answer)
    assert answer["id"].encode() not in sealed


@both
def test_the_key_for_another_request_is_refused(anna, path, body):
    anna.client.post(path, body, idempotency_key="k1")
    other = {"name": "other"} if "name" in body else {**body, "seats": 4}
    with nothing_changes():
        problem(anna.client.post(path, other, idempotency_key="k1"), "idempotency_mismatch")


def test_a_key_that_was_used_elsewhere_is_refused(anna):
    anna.client.post(*TOKEN, idempotency_key="k1")
    with nothing_changes():
        problem(anna.client.post(*GAME, idempotency_key="k1"), "idempotency_mismatch")


@both
def test_each_player_has_keys_of_their_own(anna, bo, path, body):
    first = anna.client.post(path, body, idempotency_key="k1").json()
    second = bo.client.post(path, body, idempotency_key="k1").json()
    assert first["id"] != second["id"]
    assert bo.client.post(path, body, idempotency_key="k1").json() == second


@both
def test_an_answer_is_kept_for_a_day(anna, path, body):
    first = anna.client.post(path, body, idempotency_key="k1").json()
    IdempotentAnswer.objects.update(created_at=F("created_at") - timedelta(hours=23, minutes=59))
    assert anna.client.post(path, body, idempotency_key="k1").json() == first
    IdempotentAnswer.objects.update(created_at=F("created_at") - timedelta(minutes=2))
    second = anna.client.post(path, body, idempotency_key="k1").json()
    assert second["id"] != first["id"]
    assert IdempotentAnswer.objects.count() == 1


@both
def test_a_malformed_request_leaves_its_key_unused(anna, path, body):
    with nothing_changes():
        problem(anna.client.post(path, {}, idempotency_key="k1"), "malformed")
    assert anna.client.post(path, body, idempotency_key="k1").status_code == 201


def test_a_request_that_fails_half_way_leaves_nothing(anna, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RuntimeError

    with monkeypatch.context() as patched, nothing_changes():
        patched.setattr(gathering.Seat.objects, "create", fail)
        problem(anna.client.post(*GAME, idempotency_key="k1"), "internal")
    assert anna.client.post(*GAME, idempotency_key="k1").status_code == 201
    assert made() == (1, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fails", [False, True])
def test_the_same_request_twice_at_once_is_done_once(anna, monkeypatch, fails):
    create, begun, answers = views.game_create, threading.Event(), []

    def slow(**fields):
        first = not begun.is_set()
        begun.set()
        made = create(**fields)
        if first:
            time.sleep(0.3)  # while the other waits
            if fails:
                raise RuntimeError
        return made

    def ask():
        try:
            answers.append(anna.client.post(*GAME, idempotency_key="k1"))
        finally:
            connections.close_all()

    monkeypatch.setattr(views, "game_create", slow)
    threads = [threading.Thread(target=ask) for _ in range(2)]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == ([500, 201] if fails else [201, 201])
    assert fails or answers[0].content == answers[1].content
    assert made() == (1, 0)


@pytest.mark.parametrize("key", ["!", "x" * 100, "0b0e7e2c-4d54-4f2b-9a5c-5f6f4c0f7e3a", '"quoted"', "a,b"])
def test_a_key_is_up_to_100_visible_characters(anna, key):
    assert anna.client.post(*TOKEN, idempotency_key=key).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 101, "a\tb", "a\0", "\xe9", "\x7f", " k", "k "])
@both
def test_another_key_is_refused(anna, path, body, key):
    with nothing_changes():
        assert faults(anna.client.post(path, body, idempotency_key=key)) == ["Idempotency-Key"]


@pytest.mark.parametrize(
    "path", ["accounts/", "games/{game}/join", "games/{game}/start", "games/{game}/leave"]
)
def test_where_nothing_is_kept_a_key_is_ignored(anna, make_game, path):
    game = make_game("freecell", [anna], start=False)
    body = {"username": "nils", "password": "brown-otter-47"} if path == "accounts/" else {}
    answer = anna.client.post(path.format(game=game), body, idempotency_key="a b")
    assert answer.status_code in (200, 201, 204)
    assert not IdempotentAnswer.objects.exists()


def test_an_answer_can_still_be_read_after_the_secret_key_was_changed(anna, settings):
    first = anna.client.post(*TOKEN, idempotency_key="k1").json()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the-next-one"
    assert json.loads(anna.client.post(*TOKEN, idempotency_key="k1").content) == first
