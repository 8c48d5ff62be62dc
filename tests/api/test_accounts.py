"""Sign-up and profiles."""

import re
import threading

import pytest
from django.db import connections

from accounts.models import ApiToken, Player
from accounts.names import RESERVED, USERNAME
from accounts.services import players
from tests.conftest import Client, basic
from tests.expect import everything, faults, nothing_changes, problem

PASSWORD = "brown-otter-47"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def sign_up(username="nils", **fields):
    return Client().post("accounts/", {"username": username, "password": PASSWORD, **fields})


def test_who_signs_up_is_a_player_and_holds_a_token(anonymous):
    answer = sign_up("Nils", email="nils@example.org", display_name="Nils H.")
    assert answer.status_code == 201
    body = answer.json()
    player, token = body["player"], body["token"]
    kept = Player.objects.get()
    assert player == {
        "id": str(kept.id),
        "username": "Nils",
        "display_name": "Nils H.",
        "email": "nils@example.org",
        "is_staff": False,
        "joined_at": player["joined_at"],
        "sanctions": [],
    }
    assert TIME.fullmatch(player["joined_at"])
    assert token == {
        "id": str(ApiToken.objects.get().id),
        "name": "sign-up",
        "hint": token["secret"][:10],
        "created_at": token["created_at"],
        "last_used_at": None,
        "secret": token["secret"],
    }
    assert re.fullmatch(r"card_[A-Za-z0-9_-]{43}", token["secret"])
    assert Client(token["secret"]).get_json("me/") == player
    assert (kept.is_staff, kept.is_superuser, kept.is_active) == (False, False, True)


def test_the_e_mail_address_and_the_display_name_may_be_left_out(anonymous):
    player = sign_up("nils").json()["player"]
    assert (player["email"], player["display_name"]) == ("", "nils")


def test_no_password_is_kept(anonymous):
    sign_up("nils")
    assert PASSWORD not in str(everything())
    assert Player.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("username", ["ab", "Z9", "a_-", "a" * 20, "a--------"])
def test_user_names_of_the_published_form_are_taken(anonymous, username):
    assert sign_up(username).status_code == 201


@pytest.mark.parametrize(
    "username",
    [
        "",
        "a",
        "a" * 21,
        "1ab",
        "_ab",
        "-ab",
        "a b",
        " ab",
        "ab ",
        "ab\n",
        "a\0b",
        "åsa",
        "a.b",
        "a@b",
        12,
        None,
        [],
    ],
)
def test_user_names_of_another_form_are_refused(anonymous, username):
    with nothing_changes():
        assert faults(sign_up(username)) == ["$.username"]


@pytest.mark.parametrize("change", [str.lower, str.upper, str.title])
def test_reserved_names_are_refused_however_they_are_written(anonymous, change):
    with nothing_changes():
        for name in (*sorted(RESERVED), "deleted-", "deleted-anna"):
            assert faults(sign_up(change(name)), "invalid") == ["$.username"]


def test_every_reserved_name_would_otherwise_be_one():
    assert [name for name in RESERVED if not re.search(USERNAME, name) or name != name.lower()] == []


@pytest.mark.parametrize("username", ["nils", "NILS", "nILS"])
@pytest.mark.parametrize("active", [True, False])
def test_a_name_is_taken_in_every_case_of_its_letters_and_for_ever(make_player, username, active):
    make_player("Nils", is_active=active)
    with nothing_changes():
        problem(sign_up(username), "username_taken", detail=f"The name {username} is taken, or was once.")


@pytest.mark.parametrize(
    ("password", "messages"),
    [
        ("xK9!", ["This password is too short. It must contain at least 8 characters."]),
        ("password1", ["This password is too common."]),
        ("8374920183756", ["This password is entirely numeric."]),
        ("nils-holgersson", ["The password is too similar to the user name."]),
        ("goose@example.org", ["The password is too similar to the email."]),
        (
            "123456",
            [
                "This password is too short. It must contain at least 8 characters.",
                "This password is too common.",
                "This password is entirely numeric.",
            ],
        ),
    ],
)
def test_weak_passwords_are_refused_with_all_that_is_wrong(anonymous, password, messages):
    with nothing_changes():
        answer = sign_up("nilsholgersson", password=password, email="goose@example.org")
        errors = [{"path": "$.password", "message": message} for message in messages]
        problem(answer, "invalid", detail=" ".join(messages), errors=errors)


@pytest.mark.parametrize("password", ["", "x" * 129, None, 12345678, ["brown-otter-47"]])
def test_passwords_of_another_form_are_refused(anonymous, password):
    with nothing_changes():
        assert faults(sign_up(password=password)) == ["$.password"]


@pytest.mark.parametrize("password", [" brown otter 47 ", "bröwn-ötter-🦦", "brown\0otter\n47", "x9" * 64])
def test_a_password_is_kept_as_it_was_sent(anonymous, password):
    assert sign_up(password=password).status_code == 201
    player = Player.objects.get()
    assert player.check_password(password)
    assert not player.check_password(password.strip() + "x")


@pytest.mark.parametrize("email", ["nils", "nils@", "@example.org", "nils@example", "a b@example.org", " "])
def test_an_e_mail_address_that_is_none_is_refused(anonymous, email):
    with nothing_changes():
        assert faults(sign_up(email=email), "invalid") == ["$.email"]


@pytest.mark.parametrize("email", ["nils@example.org\n", "nils\0@example.org", "n" * 255, None, 5])
def test_an_e_mail_address_of_another_form_is_refused(anonymous, email):
    with nothing_changes():
        assert faults(sign_up(email=email)) == ["$.email"]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("\uff21\uff4e\uff4e\uff41", "Anna"),
        ("ﬁn", "fin"),
        ("A\u030asa", "Åsa"),
        ("  Nils\u00a0\u3000 H. ", "Nils H."),
        ("Nils\u2028H.", "Nils H."),
        ("<b>Nils</b>", "<b>Nils</b>"),
        ("李雷", "李雷"),
        ("❤\ufe0f Nils", "❤\ufe0f Nils"),
        ("x" * 40, "x" * 40),
    ],
)
def test_display_names_are_kept_in_one_form(anonymous, sent, kept):
    assert sign_up(display_name=sent).json()["player"]["display_name"] == kept


@pytest.mark.parametrize(
    "name",
    [
        "Ni\u200bls",  # zero width space
        "Ni\u00adls",  # soft hyphen
        "\u202eslin",  # right-to-left override
        "\ufeffNils",
        "Nils\u0085\u009f",
        "Nils\ue000",  # private use
        "Nils\U000e0041",  # tag
        "Nils\uffff",
        " ",
        "\u3000",
        "\u3164",  # letters and symbols that are blank
        "\uffa0Nils",
        "\u115f",
        "\u2800",
        "\ufe0f",  # marks with nothing to stand on
        "\u0301",
        "\u0301 \u0302",
        "x" * 41,
        "ﷺ" * 3,  # 54 letters once written out
    ],
)
def test_a_display_name_that_cannot_be_read_is_refused(anonymous, name):
    with nothing_changes():
        assert faults(sign_up(display_name=name), "invalid") == ["$.display_name"]


@pytest.mark.parametrize("name", ["", "x" * 51, "Nils\n", "Ni\0ls", "Ni\tls", "\x7f", 5, []])
def test_a_display_name_of_another_form_is_refused(anonymous, name):
    with nothing_changes():
        assert faults(sign_up(display_name=name)) == ["$.display_name"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"", "$"),
        (b"nonsense", "$"),
        (b"[]", "$"),
        (b"null", "$"),
        (b"\xff\xfe", "$"),
        (b'{"username": "nils"}', "$"),
        (b'{"username": "nils", "password": "brown-\xff-47"}', "$"),
        (b'{"username": "nils", "password": "brown-\\ud800-47"}', "$"),
        (b'{"username": "nils", "password": "brown-otter-47", "display_name": "\\udfff"}', "$"),
        (b'{"username": "nils", "password": "brown-otter-47", "is_staff": true}', "$"),
        (b'{"username": "nils", "password": "brown-otter-47", "id": "1"}', "$"),
        (b"[" * 100_000, "$"),
    ],
)
def test_a_sign_up_of_another_form_is_refused(anonymous, body, path):
    with nothing_changes():
        assert faults(anonymous.post("accounts/", body)) == [path]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_sign_up_by_one_name_at_once_one_gets_it(monkeypatch):
    both, validate = threading.Barrier(2, timeout=10), players.validate_password
    answers = []

    def wait_and_validate(*args, **kwargs):
        both.wait()  # neither has written yet
        validate(*args, **kwargs)

    def ask(username):
        try:
            answers.append(sign_up(username))
        finally:
            connections.close_all()

    monkeypatch.setattr(players, "validate_password", wait_and_validate)
    threads = [threading.Thread(target=ask, args=[name]) for name in ("nils", "Nils")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    first, second = sorted(answers, key=lambda answer: answer.status_code)
    problem(second, "username_taken")
    username = first.json()["player"]["username"]
    assert list(Player.objects.values_list("username", flat=True)) == [username]
    assert ApiToken.objects.count() == 1


# One's own account.


def test_one_sees_ones_own_account(make_player):
    nils = make_player("nils", email="nils@example.org", is_staff=True)
    assert nils.client.get_json("me/") == {
        "id": str(nils.id),
        "username": "nils",
        "display_name": "nils",
        "email": "nils@example.org",
        "is_staff": True,
        "joined_at": nils.client.get_json("me/")["joined_at"],
        "sanctions": [],
    }


@pytest.mark.parametrize(
    ("change", "email", "display_name"),
    [
        ({"display_name": " \uff21nna\u3000K. "}, "anna@example.org", "Anna K."),
        ({"email": "new@example.org"}, "new@example.org", "anna"),
        ({"email": ""}, "", "anna"),
        ({"email": "new@example.org", "display_name": "A"}, "new@example.org", "A"),
        ({"email": None, "display_name": None}, "anna@example.org", "anna"),
        ({}, "anna@example.org", "anna"),
    ],
)
def test_what_is_left_out_of_a_change_stays(make_player, change, email, display_name):
    anna = make_player("anna", email="anna@example.org", password=PASSWORD)
    answer = Client().ask("PATCH", "me/", change, authorization=basic(f"anna:{PASSWORD}"))
    assert answer.status_code == 200
    assert (answer.json()["email"], answer.json()["display_name"]) == (email, display_name)
    assert answer.json() == anna.client.get_json("me/")
    anna.refresh_from_db()
    assert (anna.email, anna.display_name) == (email, display_name)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"username": "other"}, "malformed", "$"),
        ({"is_staff": True}, "malformed", "$"),
        ({"password": PASSWORD}, "malformed", "$"),
        ({"email": "none"}, "invalid", "$.email"),
        ({"email": "a\0@example.org"}, "malformed", "$.email"),
        ({"display_name": ""}, "malformed", "$.display_name"),
        ({"display_name": "\u200b"}, "invalid", "$.display_name"),
        ({"display_name": "Fine", "email": "none"}, "invalid", "$.email"),
        ([], "malformed", "$"),
    ],
)
def test_a_change_that_is_refused_changes_nothing(make_player, change, code, path):
    make_player("anna", password=PASSWORD)
    with nothing_changes():
        answer = Client().ask("PATCH", "me/", change, authorization=basic(f"anna:{PASSWORD}"))
        assert faults(answer, code) == [path]


@pytest.mark.parametrize("email", ["new@example.org", ""])
def test_who_found_a_token_does_not_change_the_address(make_player, email):
    anna = make_player("anna", email="anna@example.org")
    with nothing_changes():
        problem(anna.client.ask("PATCH", "me/", {"email": email, "display_name": "A"}), "forbidden")
    same = anna.client.ask("PATCH", "me/", {"email": "anna@example.org", "display_name": "A"})
    assert (same.status_code, same.json()["display_name"]) == (200, "A")


def test_two_changes_at_once_do_not_undo_each_other(anna):
    stale = Player.objects.get(id=anna.id)
    players.player_update(player=anna, email="new@example.org", display_name=None)
    players.player_update(player=stale, email=None, display_name="Anna K.")
    anna.refresh_from_db()
    assert (anna.email, anna.display_name) == ("new@example.org", "Anna K.")


# Others.


@pytest.mark.parametrize("name", ["Nils", "nils", "NILS"])
def test_anyone_sees_a_player_by_name_but_not_the_e_mail_address(make_player, anonymous, name):
    make_player("Nils", email="nils@example.org")
    shown = anonymous.get_json(f"players/{name}/")
    assert shown == {
        "username": "Nils",
        "display_name": "Nils",
        "bot_of": None,
        "joined_at": shown["joined_at"],
    }
    assert TIME.fullmatch(shown["joined_at"])


@pytest.mark.parametrize(
    "name", ["nobody", "gone", "a", "x" * 21, "%00", "a%0A", "1a", "%C3%A5sa", "ni%20ls"]
)
def test_there_is_nothing_to_see_of_players_that_are_not_there(make_player, anonymous, name):
    make_player("gone", is_active=False)
    problem(anonymous.ask("GET", f"players/{name}/"), "not_found")
