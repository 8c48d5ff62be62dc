"""Fixtures of the admin's tests: somebody of each role at a browser, and something of each kind to look at."""

from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection

from accounts.models import AuditEntry, Session
from accounts.services.sanctions import player_sanction
from accounts.services.tokens import token_create
from games.locks import database_time
from games.models import Board, DailyDeal
from games.services.daily import daily_deals_make
from games.services.leaving import game_resign
from games.tasks import settle_overdue
from tests.api.conftest import make_game_of, make_sicksack  # noqa: F401 - fixtures
from tests.conftest import Client

PLAYERS = "/admin/accounts/player/"
GAMES = "/admin/games/game/"
JOBS = "/admin/procrastinate/procrastinatejob/"
AUDIT = "/admin/accounts/auditentry/"
BOARDS = "/admin/games/board/"
DAILIES = "/admin/games/dailydeal/"
ROLES = "/admin/auth/group/"
REASON = "because it must be"


class Browser(Client):
    """Somebody who is logged in, or with None somebody who is not."""

    def __init__(self, player):
        super().__init__()
        self.player = player
        if player is not None:
            self.force_login(player)

    def page(self, path, status=200):
        answer = self.ask("GET", path)
        assert answer.status_code == status, answer.content
        return answer.content.decode()

    def send(self, path, **fields):
        """Send a form."""
        body = urlencode(fields).encode()
        return self.generic("POST", path, body, content_type="application/x-www-form-urlencoded")


@pytest.fixture(autouse=True)
def nothing_is_kept():
    """What the first page keeps for a minute is of the test alone."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def boss(staff):
    """Somebody with all rights."""
    return Browser(staff)


@pytest.fixture
def make_staff(make_player, roles):
    """Makes somebody with a role."""

    def make(role):
        player = make_player(f"a-{role}", is_staff=True)
        player.groups.add(Group.objects.get(name=role))
        return Browser(player)

    return make


@pytest.fixture
def browsers(make_staff, make_player, boss):
    """By role, those who may enter least first."""
    return {
        "anonymous": Browser(None),
        "player": Browser(make_player("somebody")),
        "viewer": make_staff("viewer"),
        "moderator": make_staff("moderator"),
        "operator": make_staff("operator"),
        "superuser": boss,
    }


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


def fail(job):
    """Let a job have failed."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE procrastinate_jobs SET status = 'doing', attempts = 1 WHERE id = %s", [job])
        cursor.execute("UPDATE procrastinate_jobs SET status = 'failed' WHERE id = %s", [job])


@pytest.fixture
def things(anna, bo, make_game, game, boss, job):
    """Something of each kind: ids by what it is."""
    over = make_game("sicksack", [anna, bo])
    game_resign(game_id=over, player=bo)
    daily_deals_make(today=database_time().date())
    token, _ = token_create(player=anna, name="laptop")
    session = Browser(anna).session
    sanction = player_sanction(player=bo, by=boss.player, kind="mute", reason="rude", until=None)
    fail(job)
    return SimpleNamespace(
        player=anna.id,
        other=bo.id,
        game=game["id"],
        over=over,
        job=job,
        board=Board.objects.create(ruleset="camelot", variant="default", period="all").id,
        deal=DailyDeal.objects.values_list("id", flat=True).order_by("-id").first(),
        token=token.id,
        session=Session.objects.get(session_key=session.session_key).handle,
        sanction=sanction.id,
        entry=AuditEntry.objects.get(act="mute").id,
        role=Group.objects.get(name="viewer").id,
        role_type=ContentType.objects.get_for_model(Group).id,
    )
