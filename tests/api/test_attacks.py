"""Requests that once cost the server dear, made it fail, or told it a lie."""

import io
import logging

import pytest
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.models import Player
from cardsite.wsgi import LONGEST_COOKIE, application
from tests.conftest import Client, basic
from tests.expect import problem

ODD_TYPES = [
    "application/json; charset=hex",
    "application/json; charset=undefined",
    "application/json; charset=idna",
    "x/y; charset*=utf-8''%00",
    "x/y; charset*=nonsense''x",
    "multipart/form-data; boundary=x; charset=hex",
    "application/x-www-form-urlencoded; charset=latin1",
]


def environ(**more):
    return {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/healthz",
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        **more,
    }


def asked(given):
    """The status of what the application answers to an environ."""
    heads = []
    answer = application(given, lambda status, *_: heads.append(status))
    b"".join(answer)
    answer.close()
    return heads[0]


@pytest.mark.parametrize("cookie", ['a="' + "\\" * 60_000 + '"', "a=" + "b" * LONGEST_COOKIE, 'a="\\""'])
def test_a_cookie_that_is_dear_to_unquote_is_not_looked_at(cookie, db):
    given = environ(HTTP_COOKIE=cookie)
    assert asked(given) == "200 OK"
    assert "HTTP_COOKIE" not in given


def test_a_cookie_of_ours_stays(db):
    given = environ(HTTP_COOKIE="sessionid=abc; csrftoken=def")
    asked(given)
    assert given["HTTP_COOKIE"] == "sessionid=abc; csrftoken=def"


@pytest.mark.parametrize("content_type", ODD_TYPES)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/healthz"), ("GET", "/api/login/"), ("POST", "/api/login/")]
)
def test_no_charset_makes_the_server_fail(content_type, method, path, db):
    given = environ(
        REQUEST_METHOD=method,
        PATH_INFO=path,
        QUERY_STRING="next=%2f",
        CONTENT_TYPE=content_type,
        HTTP_COOKIE="csrftoken=abcdefghijklmnopqrstuvwxyzabcdef",
    )
    assert asked(given)[:3] in ("200", "403")
    assert "charset" not in given["CONTENT_TYPE"]


def test_the_boundary_of_a_form_stays(db):
    given = environ(CONTENT_TYPE="multipart/form-data; charset=utf-8; boundary=xyz")
    asked(given)
    assert given["CONTENT_TYPE"] == "multipart/form-data; boundary=xyz"


@pytest.mark.parametrize("query", ["version=%0a", "version=x%22;a=b", "x=1", "format=json", "lang=sv"])
def test_the_schema_takes_no_parameters(anonymous, query):
    answer = anonymous.ask("GET", f"schema?{query}", accept="*/*")
    problem(answer, "malformed")


def test_the_schema_is_made_once_whatever_is_sent(anonymous, monkeypatch):
    first = anonymous.ask("GET", "schema", accept="application/vnd.oai.openapi+json")
    monkeypatch.setattr("cardsite.schema.SpectacularAPIView", None)
    again = anonymous.ask("GET", "schema", accept="application/vnd.oai.openapi+json", host="localhost:81")
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.content == again.content
    assert first.json()["openapi"] == "3.1.0"


def test_a_path_forges_no_line_of_the_log(anonymous, caplog):
    caplog.set_level(logging.INFO, logger="cardsite.requests")
    anonymous.ask("GET", "x%0aERROR%20forged%1b[31m")
    lines = [record.getMessage() for record in caplog.records if record.name == "cardsite.requests"]
    assert lines == [r"GET /api/v1/x\nERROR forged\x1b[31m 404"]


def test_a_taken_name_costs_no_hash(anonymous, monkeypatch):
    Player.objects.create_user(username="Nils", display_name="Nils")

    def hashed(*_):
        raise AssertionError

    monkeypatch.setattr(AbstractBaseUser, "set_password", hashed)
    answer = anonymous.post("accounts/", {"username": "nils", "password": "brown-otter-47"})
    problem(answer, "username_taken")


def test_an_endless_password_is_not_hashed(db, monkeypatch):
    Player.objects.create_user(username="nils", display_name="Nils", password="brown-otter-47")

    def hashed(*_):
        raise AssertionError

    monkeypatch.setattr(AbstractBaseUser, "check_password", hashed)
    answer = Client().ask("GET", "me/tokens/", authorization=basic("nils:" + "x" * 129))
    problem(answer, "invalid_credentials")


@pytest.mark.parametrize(
    "path", ["/admin/games/game/?ruleset=%00", "/admin/games/game/?q=%00", "/api/v1/games/?x=%00"]
)
def test_a_nul_in_a_query_is_refused(staff, client, path):
    client.force_login(staff)
    assert client.get(path).status_code == 400
