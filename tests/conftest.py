"""Fixtures of all tests: players with tokens, games, and a client that asks as one of them."""

import json
import os
import random
from base64 import b64encode
from importlib import import_module
from urllib.parse import quote, urlsplit

import pytest
from django.apps import apps
from django.db import connection
from rest_framework.test import APIClient

from accounts.models import Player
from accounts.services.tokens import token_create
from games.catalog import CURRENT
from games.rules.contract import read_options
from games.services.gathering import ABANDON_AFTER, game_create, game_join
from games.services.starting import game_start

API = "/api/v1"


class Client(APIClient):
    """Asks the API by token, with JSON as it would come from anywhere; `path` starts below `/api/v1/`."""

    def __init__(self, secret=None):
        super().__init__(raise_request_exception=False)
        if secret is not None:
            self.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")

    def ask(self, method, path, body=None, **headers):
        given = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        where = path if path.startswith("/") else f"{API}/{path}"
        return self.generic(method, where, content, content_type="application/json", **given)

    def get_json(self, path, **headers):
        answer = self.ask("GET", path, **headers)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, body, **headers)


def basic(credentials):
    """The `Authorization` of `name:password`, or of bytes as they are."""
    given = credentials if isinstance(credentials, bytes) else credentials.encode()
    return "Basic " + b64encode(given).decode()


@pytest.fixture
def make_player(db):
    """Makes a player: a Player with a `client` and the `secret` of its token."""

    def make(username, **fields):
        player = Player.objects.create_user(username=username, display_name=username, **fields)
        _, player.secret = token_create(player=player, name="test")
        player.client = Client(player.secret)
        return player

    return make


@pytest.fixture
def anna(make_player):
    return make_player("anna")


@pytest.fixture
def bo(make_player):
    return make_player("bo")


@pytest.fixture
def cilla(make_player):
    return make_player("cilla")


@pytest.fixture
def stranger(make_player):
    return make_player("stranger")


@pytest.fixture
def staff(make_player):
    return make_player("boss", is_staff=True, is_superuser=True)


@pytest.fixture
def roles(db):
    """The groups of the staff, which a test that empties all tables takes away."""
    import_module("games.migrations.0009_reveals_roles").make_roles(apps, None)


@pytest.fixture
def anonymous(db):
    return Client()


@pytest.fixture
def make_game(db):
    """Makes a game through the services and starts it, unless told not to: its id. The first player owns it."""

    def make(
        slug,
        players,
        *,
        options=None,
        start=True,
        private=False,
        rated=False,
        seats=None,
        clock=None,
        abandon_after=ABANDON_AFTER,
    ):
        rules = CURRENT[slug]
        created = game_create(
            owner=players[0],
            rules=rules,
            options=read_options(rules, options or {}),
            seats=seats or max(len(players), rules.seats[0]),
            private=private,
            rated=rated,
            clock=clock,
            abandon_after=abandon_after,
        )
        for player in players[1:]:
            game_join(game_id=created.game_id, player=player, entropy="", link=created.link)
        if start:
            game_start(game_id=created.game_id, player=players[0], entropy="")
        return created.game_id

    return make


def database_url():
    """The address of the database of this test, for another connection than Django's."""
    server = urlsplit(os.environ["DATABASE_URL"])
    return f"postgresql://{server.netloc}/{quote(connection.settings_dict['NAME'])}?{server.query}"


def tell_games(expression):
    """Let the database tell games this time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION games_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE"
            f" AS $$SELECT {expression}$$"
        )


@pytest.fixture
def time_passes(db):
    """Moves the time that the database tells games on by so many seconds, again and again."""
    passed = 0

    def passes(seconds):
        nonlocal passed
        passed += seconds
        tell_games(f"statement_timestamp() + interval '{passed} seconds'")

    yield passes
    tell_games("statement_timestamp()")


@pytest.fixture
def time_stands(db):
    """Lets the time that the database tells games stand still at a moment, and at another when called again."""

    def stands(moment):
        tell_games(f"timestamptz '{moment.isoformat()}'")

    yield stands
    tell_games("statement_timestamp()")


@pytest.fixture
def rng(request):
    """Chance that is the same in every run of a test."""
    return random.Random(request.node.nodeid)
