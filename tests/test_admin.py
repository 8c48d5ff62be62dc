"""The admin: who enters it, what is done there, and what nobody sees even there."""

import json

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group

from accounts.models import ApiToken, Player
from games.models import Deal, Game
from tests.conftest import Client
from tests.expect import nothing_changes

PASSWORD = "brown-otter-47"
PLAYERS = "/admin/accounts/player/"
GAMES = "/admin/games/game/"


class Browser(Client):
    """Somebody who is logged in."""

    def __init__(self, player):
        super().__init__()
        self.force_login(player)

    def page(self, path, status=200):
        answer = self.ask("GET", path)
        assert answer.status_code == status
        return answer.content.decode()

    def send(self, path, **fields):
        """Post a form: the answer's status, and the errors that the form shows."""
        answer = super(Client, self).post(path, fields)
        errors = answer.context["adminform"].form.errors if answer.context else {}
        return answer.status_code, {name: list(found) for name, found in errors.items()}


@pytest.fixture
def boss(staff):
    return Browser(staff)


@pytest.fixture
def game(anna, bo):
    """A private game that runs, with entropies."""
    body = {"ruleset": "sicksack", "seats": 2, "visibility": "private"}
    made = anna.client.post("games/", body).json()
    bo.client.post(f"games/{made['id']}/join", {"link": made["link"], "entropy": "entropy-of-bo"})
    assert anna.client.post(f"games/{made['id']}/start", {"entropy": "entropy-of-anna"}).status_code == 200
    return made


@pytest.fixture
def pages(anna, game):
    return [
        "/admin/",
        PLAYERS,
        f"{PLAYERS}?q=anna",
        f"{PLAYERS}add/",
        f"{PLAYERS}{anna.id}/change/",
        f"{PLAYERS}{anna.id}/password/",
        f"{PLAYERS}{anna.id}/history/",
        GAMES,
        f"{GAMES}?q=anna",
        f"{GAMES}?q={game['id']}",
        f"{GAMES}{game['id']}/change/",
        f"{GAMES}{game['id']}/history/",
    ]


def test_staff_opens_every_page(boss, pages):
    for path in pages:
        assert "Cardsite" in boss.page(path)


def test_nobody_else_opens_any(anna, staff, pages):
    with_token = Client(staff.secret)
    staff.is_active = False
    retired = Browser(staff)
    Player.objects.filter(id=staff.id).update(is_active=False)
    for path in pages:
        for client in (Browser(anna), Client(), Client(anna.secret), with_token, retired):
            answer = client.ask("GET", path)
            assert answer.status_code == 302
            assert answer.headers["Location"].startswith("/admin/login/?next=")


def test_staff_without_rights_sees_an_empty_index(make_player, pages):
    clerk = Browser(make_player("clerk", is_staff=True))
    assert PLAYERS not in clerk.page("/admin/")
    for path in pages[1:]:
        assert clerk.ask("GET", path).status_code == 403


# What is not there.


def test_tokens_deals_moves_and_answers_are_not_registered():
    assert set(admin.site._registry) == {Player, Group, Game}


@pytest.mark.parametrize(
    "model", ["accounts/apitoken", "accounts/idempotentanswer", "games/deal", "games/move"]
)
def test_there_is_no_page_of_them(boss, model):
    boss.page(f"/admin/{model}/", 404)


def test_no_page_shows_anything_of_seeds_decks_or_tokens(boss, anna, game, pages):
    deal = Deal.objects.get()
    token = ApiToken.objects.get(player=anna)
    hidden = [
        bytes(deal.seed).hex(),
        json.dumps(deal.deck),
        ",".join(deal.deck),
        " ".join(deal.deck[:3]),
        "entropy-of",
        game["link"],
        bytes(Game.objects.get().link_digest).hex(),
        token.hint,
        bytes(token.digest).hex(),
        anna.secret,
        anna.password,
    ]
    for path in pages:
        content = boss.page(path)
        assert [secret for secret in hidden if secret in content] == []


# Players.


def test_staff_makes_a_player_even_by_a_reserved_name(boss):
    fields = {"display_name": "Help", "password1": PASSWORD, "password2": PASSWORD}
    assert boss.send(f"{PLAYERS}add/", username="help", usable_password="true", **fields) == (302, {})
    made = Player.objects.get(username="help")
    assert made.check_password(PASSWORD)
    assert (made.display_name, made.is_staff, made.is_superuser) == ("Help", False, False)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"username": "1st"}, "username"),
        ({"username": "a"}, "username"),
        ({"username": "a b"}, "username"),
        ({"username": "a\0b"}, "username"),
        ({"username": "x" * 21}, "username"),
        ({"username": "ANNA"}, "username"),
        ({"username": "anna"}, "username"),
        ({"display_name": ""}, "display_name"),
        ({"display_name": "x" * 41}, "display_name"),
        ({"password1": "12345678", "password2": "12345678"}, "password2"),
        ({"password2": "other-otter-47"}, "password2"),
    ],
)
def test_a_player_that_cannot_be_is_refused_with_a_reason(boss, anna, changed, fault):
    fields = {"username": "nils", "display_name": "Nils", "password1": PASSWORD, "password2": PASSWORD}
    with nothing_changes():
        status, errors = boss.send(f"{PLAYERS}add/", usable_password="true", **{**fields, **changed})
    assert (status, set(errors)) == (200, {fault})


def test_staff_changes_a_player_but_not_the_user_name(boss, anna):
    fields = {"username": "other", "display_name": "A.", "email": "a@example.org", "is_active": ""}
    assert boss.send(f"{PLAYERS}{anna.id}/change/", **fields) == (302, {})
    anna.refresh_from_db()
    assert (anna.username, anna.display_name, anna.email) == ("anna", "A.", "a@example.org")
    assert not anna.is_active
    assert anna.client.ask("GET", "me/").status_code == 401


def test_nobody_is_deleted(boss, anna, make_player):
    unused = Player.objects.create_user(username="unused", display_name="Unused")
    before = Player.objects.count()
    for player in (anna, unused):
        assert super(Client, boss).post(f"{PLAYERS}{player.id}/delete/", {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [str(unused.id)], "post": "yes"}
    super(Client, boss).post(PLAYERS, chosen)
    assert Player.objects.count() == before


# Games.


def test_games_are_only_looked_at(boss, game):
    with nothing_changes():
        boss.page(f"{GAMES}add/", 403)
        boss.page(f"{GAMES}{game['id']}/delete/", 403)
        answer = super(Client, boss).post(f"{GAMES}{game['id']}/change/", {"status": "finished"})
        assert answer.status_code == 403
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("list_of", [PLAYERS, GAMES])
@pytest.mark.parametrize("query", ["q=%27%22%25", "q=" + "x" * 3000, "e=1", "o=99.-99", "p=999", "all="])
def test_no_search_breaks_a_list(boss, game, list_of, query):
    assert boss.ask("GET", f"{list_of}?{query}").status_code in (200, 302)
