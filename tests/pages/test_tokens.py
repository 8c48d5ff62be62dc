"""One's tokens and profile by browser."""

import re
from secrets import token_bytes
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken, Player
from accounts.pages import tokens
from accounts.services.passwords import password_set
from accounts.services.tokens import token_create
from tests.conftest import Client
from tests.expect import everything, nothing_changes, problem
from tests.pages.conftest import PASSWORD
from tests.pages.test_entering import errors


def test_a_token_is_made_shown_once_and_revoked(at_home, nils):
    assert "You have none." in at_home.page("/tokens/")
    answer = at_home.send("/tokens/", name="laptop <b>")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    secret = re.search(r'id="secret">(card_[\w-]{43})<', answer.content.decode())[1]
    assert Client(secret).get_json("me/")["username"] == "nils"
    page = at_home.page("/tokens/")
    assert secret not in page
    assert f"<code>{secret[:10]}…</code>" in page
    assert "laptop &lt;b&gt;" in page

    token = ApiToken.objects.get()
    where = f"/tokens/{token.id}/revoke"
    assert f'href="{where}"' in page
    with nothing_changes():
        assert "Revoke laptop &lt;b&gt;?" in at_home.page(where)
    answer = at_home.send(where)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/tokens/")
    page = at_home.page("/tokens/")
    assert "The token is revoked, and opens nothing any more." in page
    assert "You have none." in page
    problem(Client(secret).ask("GET", "me/"), "invalid_credentials")
    assert at_home.get(where).status_code == 404


@pytest.mark.parametrize("name", ["", " ", "x" * 51, "a\x07b"])
def test_a_name_that_is_none_is_told_by_the_field(at_home, name):
    with nothing_changes():
        answer = at_home.send("/tokens/", name=name)
    assert answer.status_code == 422
    assert errors(answer.content.decode())["name"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "The password was changed meanwhile."),
        ("sv", "Lösenordet ändrades under tiden."),
        ("es", "La contraseña se cambió mientras tanto."),
    ],
)
def test_an_old_password_makes_no_token(at_home, nils, monkeypatch, language, words):
    at_home.get("/tokens/")
    changes = {"player": Player.objects.get(id=nils.id), "password": "green-heron-92", "revokes_tokens": True}
    afterwards = {}

    def creates(**given):
        password_set(**changes)
        afterwards.update(everything())
        return token_create(**given)

    monkeypatch.setattr(tokens, "token_create", creates)
    fields = {"csrfmiddlewaretoken": at_home.csrf, "name": "laptop"}
    answer = at_home.post("/tokens/", fields, headers={"Accept-Language": language})
    assert answer.status_code == 403
    assert errors(answer.content.decode()) == {"": [words]}
    assert everything() == afterwards


def test_nobody_elses_token_is_seen_or_revoked(at_home, anna):
    token = ApiToken.objects.get(player=anna)
    assert token.hint not in at_home.page("/tokens/")
    at_home.get("/account/")
    with nothing_changes():
        for token_id in (token.id, uuid4()):
            assert at_home.get(f"/tokens/{token_id}/revoke").status_code == 404
            fields = {"csrfmiddlewaretoken": at_home.csrf}
            assert at_home.post(f"/tokens/{token_id}/revoke", fields).status_code == 404


def test_a_cursor_of_nonsense_is_refused(at_home):
    assert "This address is not understood" in at_home.page("/tokens/?cursor=x", 400)


def test_many_tokens_are_pages_that_cost_the_same(at_home, nils):
    costs = []
    for count in (3, 57):
        missing = count - ApiToken.objects.count()
        ApiToken.objects.bulk_create(
            [ApiToken(player=nils, name="x", digest=token_bytes(32), hint="card_") for _ in range(missing)]
        )
        with CaptureQueriesContext(connection) as queries:
            page = at_home.page("/tokens/")
        costs.append((len(queries), page.count("/revoke")))
    assert costs == [(3, 3), (3, 50)]
    following = re.search(r'rel="next" href="\?cursor=([0-9a-f]{32})"', page)[1]
    assert at_home.page(f"/tokens/?cursor={following}").count("/revoke") == 7


def test_a_profile_is_changed(at_home, nils, visitor):
    answer = at_home.send("/account/", display_name="Nils  Å.", email="", password=PASSWORD)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/")
    assert "Your profile is changed." in at_home.page("/account/")
    changed = Player.objects.get(id=nils.id)
    assert (changed.display_name, changed.email) == ("Nils Å.", "")
    assert "<h1>Nils Å.</h1>" in visitor.page("/players/nils/")


def test_the_address_is_changed_with_the_password(at_home, nils):
    for password in ("", "another-otter-47"):
        with nothing_changes():
            answer = at_home.send("/account/", display_name="N", email="n@example.org", password=password)
        assert answer.status_code == 422
        assert errors(answer.content.decode())["password"] == ["This is not your password."]
    at_home.send("/account/", display_name="N", email="n@example.org", password=PASSWORD)
    assert Player.objects.get(id=nils.id).email == "n@example.org"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"display_name": ""}, "display_name"),
        ({"display_name": "\u200b"}, "display_name"),
        ({"display_name": "x" * 41}, "display_name"),
        ({"email": "nowhere"}, "email"),
    ],
)
def test_a_profile_that_cannot_be_is_told_by_the_field(at_home, fields, field):
    with nothing_changes():
        answer = at_home.send(
            "/account/", **{"display_name": "N", "email": "", "password": PASSWORD, **fields}
        )
    assert answer.status_code == 422
    assert errors(answer.content.decode())[field]


def test_a_token_opens_no_page(nils):
    secret = token_create(player=nils, name="x")[1]
    assert Client(secret).ask("GET", "/account/").status_code == 302
