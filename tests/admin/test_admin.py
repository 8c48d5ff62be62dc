"""The admin: who enters it, what is done there, and what nobody sees even there."""

import json

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import ApiToken, Player
from games.locks import database_time
from games.models import DailyDeal, Deal, Game
from games.services.daily import daily_deals_make, daily_start
from games.tasks import settle_overdue
from tests.conftest import Client
from tests.expect import nothing_changes

PLAYERS = "/admin/accounts/player/"
GAMES = "/admin/games/game/"
JOBS = "/admin/procrastinate/procrastinatejob/"


class Browser(Client):
    """Somebody who is logged in."""

    def __init__(self, player):
        super().__init__()
        self.force_login(player)

    def page(self, path, status=200):
        answer = self.ask("GET", path)
        assert answer.status_code == status
        return answer.content.decode()


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
def job(db):
    """A job that waits to be done: its id."""
    return settle_overdue.defer(timestamp=1_900_000_000)


@pytest.fixture
def pages(anna, game, job):
    return [
        "/admin/",
        PLAYERS,
        f"{PLAYERS}?q=anna",
        f"{PLAYERS}{anna.id}/change/",
        f"{PLAYERS}{anna.id}/history/",
        GAMES,
        f"{GAMES}?q=anna",
        f"{GAMES}?q={game['id']}",
        f"{GAMES}{game['id']}/change/",
        f"{GAMES}{game['id']}/history/",
        JOBS,
        f"{JOBS}?task_name=games.tasks.settle_overdue",
        f"{JOBS}{job}/change/",
        f"{JOBS}{job}/history/",
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
    assert set(admin.site._registry) == {Player, Group, Game, ProcrastinateJob}


@pytest.mark.parametrize(
    "model",
    ["accounts/apitoken", "accounts/idempotentanswer", "games/deal", "games/dailydeal", "games/move"],
)
def test_there_is_no_page_of_them(boss, model):
    boss.page(f"/admin/{model}/", 404)


def test_no_page_shows_anything_of_seeds_decks_or_tokens(boss, anna, game, pages):
    deal = Deal.objects.get()
    today = database_time().date()
    daily_deals_make(today=today)
    attempt = daily_start(player=anna, day=today, ruleset="freecell")
    of_the_day = DailyDeal.objects.get(date=today, ruleset="freecell")
    token = ApiToken.objects.get(player=anna)
    hidden = [
        bytes(deal.seed).hex(),
        json.dumps(deal.deck),
        ",".join(deal.deck),
        " ".join(deal.deck[:3]),
        "entropy-of",
        game["link"],
        bytes(of_the_day.seed).hex(),
        ",".join(of_the_day.deck),
        " ".join(of_the_day.deck[:3]),
        bytes(Game.objects.get(id=game["id"]).link_digest).hex(),
        token.hint,
        bytes(token.digest).hex(),
        anna.secret,
        anna.password,
    ]
    for path in [*pages, f"{GAMES}{attempt}/change/"]:
        content = boss.page(path)
        assert [secret for secret in hidden if secret in content] == []


# Nothing is changed.


def test_players_are_only_looked_at(boss, anna):
    fields = {"username": "other", "display_name": "A.", "email": "a@example.org", "is_active": ""}
    with nothing_changes():
        boss.page(f"{PLAYERS}add/", 403)
        boss.page(f"{PLAYERS}{anna.id}/delete/", 403)
        boss.page(f"{PLAYERS}{anna.id}/password/", 302)  # there is no such page; the list says so
        for path in (f"{PLAYERS}add/", f"{PLAYERS}{anna.id}/change/", f"{PLAYERS}{anna.id}/delete/"):
            assert super(Client, boss).post(path, fields).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [str(anna.id)], "post": "yes"}
        super(Client, boss).post(PLAYERS, chosen)
    assert not LogEntry.objects.exists()


def test_groups_are_only_looked_at(boss):
    group = Group.objects.create(name="clerks")
    with nothing_changes():
        for path in ("add/", f"{group.id}/change/", f"{group.id}/delete/"):
            assert super(Client, boss).post(f"/admin/auth/group/{path}", {"name": "x"}).status_code == 403


def test_games_are_only_looked_at(boss, game):
    with nothing_changes():
        boss.page(f"{GAMES}add/", 403)
        boss.page(f"{GAMES}{game['id']}/delete/", 403)
        answer = super(Client, boss).post(f"{GAMES}{game['id']}/change/", {"status": "finished"})
        assert answer.status_code == 403
    assert not LogEntry.objects.exists()


def test_jobs_are_only_looked_at(boss, job):
    assert "settle_overdue" in boss.page(JOBS)
    with nothing_changes():
        for path in ("add/", f"{job}/change/", f"{job}/delete/"):
            assert super(Client, boss).post(f"{JOBS}{path}", {"status": "doing"}).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [str(job)], "post": "yes"}
        super(Client, boss).post(JOBS, chosen)


@pytest.mark.parametrize("list_of", [PLAYERS, GAMES, JOBS])
@pytest.mark.parametrize("query", ["q=%27%22%25", "q=" + "x" * 3000, "e=1", "o=99.-99", "p=999", "all="])
def test_no_search_breaks_a_list(boss, game, list_of, query):
    assert boss.ask("GET", f"{list_of}?{query}").status_code in (200, 302)
