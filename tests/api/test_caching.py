"""What caches and browsers of other origins are told."""

import pytest
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.db.models.functions import Now

from accounts.models import ApiToken, Player
from cardsite.problems import CONTENT_TYPE
from games.api import quick
from tests.conftest import Client
from tests.expect import problem


@pytest.fixture
def game(anna, bo, make_game):
    return f"games/{make_game('sicksack', [anna, bo])}/"


def etag(client, path, **headers):
    answer = client.ask("GET", path, **headers)
    assert answer.status_code == 200
    return answer.headers["ETag"]


def varies(answer):
    return {name.strip().lower() for name in answer.headers["Vary"].split(",")}


def test_no_cache_keeps_an_answer_for_another(anna, game):
    answers = [
        anna.client.ask("GET", "me/"),
        anna.client.ask("GET", "games/"),
        anna.client.ask("GET", game),
        anna.client.ask("GET", game, if_none_match="*"),
        anna.client.ask("GET", f"{game}moves"),
        anna.client.ask("GET", f"{game}legal-moves"),
        anna.client.ask("GET", "rulesets/"),
        anna.client.ask("GET", "players/anna/"),
        anna.client.post("me/tokens/", {"name": "x"}),
        anna.client.post("games/", {}),
        anna.client.ask("PUT", "me/"),
        anna.client.ask("GET", "me/", accept="text/plain"),
        Client().ask("GET", "me/"),
        Client().ask("GET", game),
    ]
    assert [answer.status_code for answer in answers] == [
        *(200, 200, 200, 304, 200, 200, 200, 200, 201, 400, 405, 406, 401, 200)
    ]
    for answer in answers:
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert varies(answer) >= {"authorization", "cookie", "accept"}


# Entity tags.


def test_an_answer_that_the_client_has_is_not_sent_again(anna, game):
    tag = etag(anna.client, game)
    assert tag[0] == tag[-1] == '"'
    answer = anna.client.ask("GET", game, if_none_match=tag)
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["ETag"] == tag
    assert "Content-Type" not in answer.headers


@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', '"x",{} , "y"', "*", " * ", 'W/"x", W/{}'])
def test_every_form_of_naming_the_tag_is_understood(anna, game, form):
    tag = etag(anna.client, game)
    assert anna.client.ask("GET", game, if_none_match=form.format(tag)).status_code == 304
    assert anna.client.ask("HEAD", game, if_none_match=form.format(tag)).status_code == 304


@pytest.mark.parametrize("form", ['"x"', "", "nonsense", '"x', 'W/"x"', "\0", '"{}"', "w/{}x"])
def test_another_tag_gets_the_answer(anna, game, form):
    tag = etag(anna.client, game)
    assert anna.client.ask("GET", game, if_none_match=form.format(tag.strip('"') + "0")).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"if_match": '"x"'},
        {"if_modified_since": "Wed, 21 Oct 2099 07:28:00 GMT"},
        {"if_unmodified_since": "Wed, 21 Oct 2015 07:28:00 GMT"},
        {"if_range": '"x"', "range": "bytes=0-1"},
    ],
)
def test_other_conditions_than_if_none_match_do_not_count(anna, game, headers):
    assert anna.client.get_json(game, **headers)["ply"] == 0


def test_the_tag_is_another_once_anything_has_changed(anna, bo, cilla, make_game):
    game = f"games/{make_game('sicksack', [anna], start=False, seats=2)}/"
    steps = [
        lambda: bo.client.post(f"{game}join"),
        lambda: bo.client.post(f"{game}leave"),
        lambda: cilla.client.post(f"{game}join"),
        lambda: anna.client.post(f"{game}start"),
        lambda: anna.client.post(f"{game}moves", {"ply": 0, "move": {"type": "chance"}}),
        lambda: cilla.client.ask("PATCH", "me/", {"display_name": "Cilla C."}),
    ]
    answers = [anna.client.ask("GET", game)]
    for step in steps:
        assert step().status_code < 300
        answers.append(anna.client.ask("GET", game, if_none_match=answers[-1].headers["ETag"]))
        assert answers[-1].status_code == 200
    # Also of the game as it was before bo came: two events have been told since.
    assert len({answer.headers["ETag"] for answer in answers}) == len(steps) + 1
    assert len({answer.content for answer in answers}) == len(steps) + 1


def test_every_viewer_has_tags_of_its_own_and_a_page_for_people_none(anna, bo, stranger, game):
    tags = [
        etag(anna.client, game),
        etag(bo.client, game),
        etag(stranger.client, game),
    ]
    assert len(set(tags)) == 3
    assert "ETag" not in anna.client.ask("GET", game, accept="text/html").headers
    assert etag(stranger.client, game) == etag(Client(), game)
    for player in (bo, stranger):
        assert player.client.ask("GET", game, if_none_match=tags[0]).status_code == 200


def test_no_rule_is_asked_where_nothing_has_changed(anna, game, monkeypatch):
    tag = etag(anna.client, game)

    def fail(*_):
        raise AssertionError

    monkeypatch.setattr(quick, "position_seen", fail)
    assert anna.client.ask("GET", game, if_none_match=tag).status_code == 304


def test_a_condition_tells_strangers_nothing_of_a_private_game(anna, bo, make_game):
    game = f"games/{make_game('sicksack', [anna], start=False, private=True)}/"
    for condition in ("*", etag(anna.client, game)):
        problem(bo.client.ask("GET", game, if_none_match=condition), "not_found")


def unusable(player, how):
    if how == "revoked":
        ApiToken.objects.filter(player=player).update(revoked_at=Now())
    if how == "inactive":
        Player.objects.filter(id=player.id).update(is_active=False)
    return Client("nonsense") if how == "unknown" else player.client


@pytest.mark.parametrize("how", ["revoked", "inactive", "unknown"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_tag_is_no_way_around_the_token(anna, game, method, how):
    tag = etag(anna.client, game)
    client = unusable(anna, how)
    for condition in (tag, f"W/{tag}", "*"):
        answer = client.ask(method, game, if_none_match=condition)
        assert (answer.status_code, answer.headers["Content-Type"]) == (401, CONTENT_TYPE)


def test_a_tag_is_no_way_back_to_a_private_game(anna, bo, make_game):
    game = f"games/{make_game('sicksack', [anna, bo], start=False, private=True)}/"
    tag = etag(bo.client, game)
    assert bo.client.ask("GET", game, if_none_match=tag).status_code == 304
    bo.client.post(f"{game}leave")
    problem(bo.client.ask("GET", game, if_none_match=tag), "not_found")


def test_however_it_is_asked_the_tag_is_the_same(anna, game):
    tag = etag(anna.client, game)
    browser = Client()
    browser.force_login(anna)
    askings = [
        (anna.client, {}),
        (anna.client, {"accept": "application/json"}),
        (anna.client, {"accept": "application/json;q=0.9, text/plain"}),
        (anna.client, {"accept": "application/*"}),
        (browser, {}),
        (browser, {"accept": "application/json"}),
    ]
    for client, headers in askings:
        for method in ("GET", "HEAD"):
            assert client.ask(method, game, **headers).headers["ETag"] == tag
            answer = client.ask(method, game, if_none_match=tag, **headers)
            assert (answer.status_code, answer.headers["ETag"]) == (304, tag)
            assert answer.headers["Cache-Control"] == "private, no-cache"
            assert varies(answer) >= {"accept", "authorization", "cookie"}


def test_the_quick_answer_is_the_one_that_the_view_gives(anna, bo, game):
    for player in (anna, bo):
        player.client.get_json("me/")  # notes that the token is in use
        quick = player.client.ask("GET", game)
        slow = player.client.ask("GET", game, accept="application/json, text/plain")
        assert quick.content == slow.content
        for name in ("Content-Type", "ETag", "Cache-Control"):
            assert quick.headers[name] == slow.headers[name]
        assert varies(quick) == varies(slow)
        assert "Allow" not in quick.headers  # so it came from where it is meant to come from
        assert "Allow" in slow.headers


def test_a_lost_database_is_not_taken_for_no_change(anna, game, monkeypatch):
    tag = etag(anna.client, game)

    def fail(*_args, **_kwargs):
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(CursorWrapper, "execute", fail)
        answer = anna.client.ask("GET", game, if_none_match=tag)
    problem(answer, "unavailable")
    assert answer.headers["Retry-After"] == "2"


# Other origins.

ORIGIN = {"origin": "https://elsewhere.example"}


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_a_page_of_another_origin_may_ask_with_a_token(db, method):
    answer = Client().ask(
        "OPTIONS",
        "me/tokens/",
        access_control_request_method=method,
        access_control_request_headers="authorization, content-type, idempotency-key, if-none-match",
        **ORIGIN,
    )
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
    allowed = set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert allowed >= {"authorization", "content-type", "idempotency-key", "if-none-match"}
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_page_of_another_origin_reads_answers_and_problems(anna, game):
    for path in ("me/", game, "players/nobody/", "/api/v1/nothing"):
        answer = anna.client.ask("GET", path, **ORIGIN)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
        assert exposed == {"etag", "idempotent-replayed", "retry-after", "x-request-id"}
        assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/admin/login/", "/"])
def test_nothing_but_the_api_is_open_to_other_origins(db, path):
    assert "Access-Control-Allow-Origin" not in Client().ask("GET", path, **ORIGIN).headers


def test_no_answer_may_be_framed_or_taken_for_another_type(anna):
    answer = anna.client.ask("GET", "me/")
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
