"""Who may do what: a row for every endpoint and method, taken from the URL resolver, and for everybody."""

from datetime import UTC, datetime, timedelta
from http import HTTPMethod

import pytest
from django.db import transaction
from django.urls import URLResolver, get_resolver

from games.selectors.newest import newest_positions
from games.services.daily import daily_deals_make
from tests.api.published import operations
from tests.conftest import Client
from tests.expect import nothing_changes, problem

WHO = ("anonymous", "stranger", "seated", "owner", "staff")

# Status by who, in the order of WHO. The token is the owner's; who is anonymous sends no header.
ROWS = {
    ("", "GET"): "200 200 200 200 200",
    ("problems", "GET"): "200 200 200 200 200",
    ("accounts/", "POST"): "201 201 201 201 201",
    ("me/", "GET"): "401 200 200 200 200",
    ("me/", "PATCH"): "401 200 200 200 200",
    # By the password alone, and not by the token that these send.
    ("me/", "DELETE"): "401 401 401 401 401",
    ("me/bots/owner/", "DELETE"): "401 401 401 401 401",
    ("me/export", "GET"): "401 200 200 200 200",
    ("me/bots/", "GET"): "401 200 200 200 200",
    ("me/bots/", "POST"): "401 201 201 201 201",
    ("me/events", "GET"): "401 200 200 200 200",
    ("me/stream-ticket", "POST"): "401 201 201 201 201",
    ("me/tokens/", "GET"): "401 200 200 200 200",
    ("me/tokens/", "POST"): "401 201 201 201 201",
    ("me/tokens/{token}/", "DELETE"): "401 404 404 204 404",
    ("players/owner/", "GET"): "200 200 200 200 200",
    ("players/owner/ratings", "GET"): "200 200 200 200 200",
    ("players/owner/rating-changes", "GET"): "200 200 200 200 200",
    ("players/owner/record", "GET"): "200 200 200 200 200",
    ("rulesets/", "GET"): "200 200 200 200 200",
    ("rulesets/freecell/", "GET"): "200 200 200 200 200",
    ("rulesets/freecell/rules", "GET"): "200 200 200 200 200",
    ("rulesets/freecell/statistics", "GET"): "200 200 200 200 200",
    ("rulesets/freecell/deals", "GET"): "200 200 200 200 200",
    ("leaderboards/", "GET"): "200 200 200 200 200",
    ("leaderboards/freecell/", "GET"): "200 200 200 200 200",
    ("daily/", "GET"): "200 200 200 200 200",
    ("daily/{day}/freecell/", "GET"): "200 200 200 200 200",
    ("daily/{day}/freecell/", "POST"): "401 201 201 201 201",
    ("daily/{day}/freecell/table", "GET"): "200 200 200 200 200",
    ("exports/", "GET"): "200 200 200 200 200",
    ("games/", "GET"): "200 200 200 200 200",
    ("games/", "POST"): "401 201 201 201 201",
    ("schema", "GET"): "200 200 200 200 200",
    ("docs", "GET"): "200 200 200 200 200",
}

# The same for a game: with a free seat, with none, and running with the owner to move.
PHASES = ("open", "full", "running")
GAME_ROWS = {
    ("", "GET"): {
        "public": ("200 200 200 200 200", "200 200 200 200 200", "200 200 200 200 200"),
        "private": ("404 404 200 200 404", "404 404 200 200 404", "404 404 200 200 404"),
    },
    ("join", "POST"): {
        "public": ("401 200 200 200 200", "401 409 200 200 409", "401 409 200 200 409"),
        "private": ("401 404 200 200 404", "401 404 200 200 404", "401 404 200 200 404"),
    },
    ("leave", "POST"): {
        "public": ("401 403 204 204 403", "401 403 204 204 403", "401 403 409 409 403"),
        "private": ("401 404 204 204 404", "401 404 204 204 404", "401 404 409 409 404"),
    },
    ("start", "POST"): {
        "public": ("401 403 403 409 403", "401 403 403 200 403", "401 403 403 200 403"),
        "private": ("401 404 403 409 404", "401 404 403 200 404", "401 404 403 200 404"),
    },
    ("resign", "POST"): {
        "public": ("401 403 409 409 403", "401 403 409 409 403", "401 403 200 200 403"),
        "private": ("401 404 409 409 404", "401 404 409 409 404", "401 404 200 200 404"),
    },
    ("undo", "POST"): {  # which there is in patiences alone
        "public": ("401 403 409 409 403", "401 403 409 409 403", "401 403 409 409 403"),
        "private": ("401 404 409 409 404", "401 404 409 409 404", "401 404 409 409 404"),
    },
    ("legal-moves", "GET"): {
        "public": ("401 403 409 409 403", "401 403 409 409 403", "401 403 200 200 403"),
        "private": ("401 404 409 409 404", "401 404 409 409 404", "401 404 200 200 404"),
    },
    ("moves", "GET"): {
        "public": ("409 409 409 409 409", "409 409 409 409 409", "200 200 200 200 200"),
        "private": ("404 404 409 409 404", "404 404 409 409 404", "404 404 200 200 404"),
    },
    ("moves", "POST"): {
        "public": ("401 403 409 409 403", "401 403 409 409 403", "401 403 409 201 403"),
        "private": ("401 404 409 409 404", "401 404 409 409 404", "401 404 409 201 404"),
    },
    ("positions/0", "GET"): {
        "public": ("409 409 409 409 409", "409 409 409 409 409", "200 200 200 200 200"),
        "private": ("404 404 409 409 404", "404 404 409 409 404", "404 404 200 200 404"),
    },
    ("events", "GET"): {
        "public": ("200 200 200 200 200", "200 200 200 200 200", "200 200 200 200 200"),
        "private": ("404 404 200 200 404", "404 404 200 200 404", "404 404 200 200 404"),
    },
    ("replay", "GET"): {
        "public": ("409 409 409 409 409", "409 409 409 409 409", "200 200 200 200 200"),
        "private": ("404 404 409 409 404", "404 404 409 409 404", "404 404 200 200 404"),
    },
    ("proof", "GET"): {  # which there is of games that are over alone
        "public": ("409 409 409 409 409", "409 409 409 409 409", "409 409 409 409 409"),
        "private": ("404 404 409 409 404", "404 404 409 409 404", "404 404 409 409 404"),
    },
    ("export", "GET"): {
        "public": ("409 409 409 409 409", "409 409 409 409 409", "409 409 409 409 409"),
        "private": ("404 404 409 409 404", "404 404 409 409 404", "404 404 409 409 404"),
    },
}

BODIES = {
    ("accounts/", "POST"): {"username": "newcomer", "password": "brown-otter-47"},
    ("me/", "PATCH"): {"display_name": "Another"},
    ("me/bots/", "POST"): {"username": "robot"},
    ("me/tokens/", "POST"): {"name": "laptop"},
    ("games/", "POST"): {"ruleset": "freecell"},
    ("moves", "POST"): {"ply": 0, "move": {"type": "chance"}},
    ("undo", "POST"): {"ply": 0},
}
QUERIES = {"players/owner/rating-changes": "?ruleset=sicksack"}
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def patterns(resolver, prefix=""):
    """Every path and the methods that its view implements, but for the admin's."""
    for one in resolver.url_patterns:
        path = prefix + str(one.pattern)
        if not isinstance(one, URLResolver):
            kind = getattr(one.callback, "view_class", None)
            yield (
                path,
                [name.upper() for name in getattr(kind, "http_method_names", ()) if hasattr(kind, name)],
            )
        elif path != "admin/":
            yield from patterns(one, path)


def generic(path):
    """A path of the resolver as the tables above name it."""
    for variable, example in {
        "<uuid:token_id>": "{token}",
        "<uuid:game_id>/": "",
        "<int:ply>": "0",
        "<slug:slug>": "freecell",
        r"(?P<day>\d{4}-\d{2}-\d{2})": "{day}",
        "(?P<slug>[-a-z]+)": "freecell",
        "(?P<username>[A-Za-z][A-Za-z0-9_-]{1,19})": "owner",
    }.items():
        path = path.replace(variable, example)
    return path.removeprefix("api/v1/").removeprefix("^").removesuffix("$")


ENDPOINTS = {path: methods for path, methods in patterns(get_resolver()) if path.startswith("api/v1/")}
ALL_GAMES = "games/{game}/"


def test_every_endpoint_and_method_has_a_row_and_every_row_an_endpoint():
    implemented = {
        (("game", generic(path).removeprefix("games/")) if "game_id" in path else ("", generic(path)), method)
        for path, methods in ENDPOINTS.items()
        for method in methods
        if method != "OPTIONS"
    }
    rows = {(("", path), method) for path, method in ROWS}
    rows |= {(("game", path), method) for path, method in GAME_ROWS}
    assert implemented == rows


def test_every_row_is_in_the_published_schema():
    examples = {
        "token_id": "{token}",
        "username": "owner",
        "slug": "freecell",
        "day": "{day}",
        "game_id": "{game}",
        "ply": "0",
    }
    published = {(path.removeprefix("/api/v1/").format(**examples), method) for path, method in operations()}
    rows = {(path, method) for path, method in ROWS if path not in ("schema", "docs")}
    assert published == rows | {(ALL_GAMES + path, method) for path, method in GAME_ROWS}


@pytest.fixture
def cast(make_player, staff, anonymous):
    """A player for each of WHO but the first."""
    players = {name: make_player(name) for name in ("stranger", "seated", "owner")}
    return {**players, "staff": staff}


@pytest.fixture
def clients(cast, anonymous):
    return {"anonymous": anonymous, **{name: player.client for name, player in cast.items()}}


@pytest.fixture
def make_phase(cast, make_game):
    """Makes a game of that visibility and phase: its path."""

    def make(visibility, phase):
        game = make_game(
            "sicksack",
            [cast["owner"], cast["seated"]],
            start=phase == "running",
            private=visibility == "private",
            seats=3 if phase == "open" else 2,
        )
        return ALL_GAMES.format(game=game)

    return make


def statuses(clients, method, path, body):
    """What each is answered, in the order of WHO. What was written is taken back, and what was refused has
    written nothing."""
    found = []
    for who in WHO:
        with transaction.atomic():
            if method == "GET":
                answer = clients[who].ask(method, path)
                assert clients[who].ask("HEAD", path).status_code == answer.status_code
            else:
                answer = clients[who].ask(method, path, body)
            transaction.set_rollback(True)
        newest_positions.clear()
        if answer.status_code >= 400:
            with nothing_changes():
                clients[who].ask(method, path, body)
        found.append(answer.status_code)
    return found


@pytest.fixture
def day(time_stands):
    """A day at noon, with its deals."""
    time_stands(NOON)
    daily_deals_make(today=NOON.date())
    return NOON.date()


@pytest.mark.parametrize(("path", "method"), ROWS)
def test_who_may(clients, cast, day, path, method):
    token = cast["owner"].client.get_json("me/tokens/")["items"][0]["id"]
    where = path.format(token=token, day=day) + QUERIES.get(path, "")
    expected = [int(status) for status in ROWS[path, method].split()]
    assert statuses(clients, method, where, BODIES.get((path, method))) == expected


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize(("path", "method"), GAME_ROWS)
def test_who_may_in_a_game(clients, make_phase, path, method, visibility, phase):
    where = make_phase(visibility, phase) + path
    expected = [int(status) for status in GAME_ROWS[path, method][visibility][PHASES.index(phase)].split()]
    assert statuses(clients, method, where, BODIES.get((path, method))) == expected


# Once it is over.

OVER = {
    "public": "200 200 200 200 200",
    "private": "404 404 200 200 404",
}


@pytest.mark.parametrize("path", ["", "moves", "positions/1", "events", "replay", "proof", "export"])
@pytest.mark.parametrize("visibility", OVER)
def test_who_may_look_at_a_game_that_is_over(clients, make_phase, path, visibility):
    game = make_phase(visibility, "running")
    assert clients["owner"].post(f"{game}resign").json()["status"] == "finished"
    assert statuses(clients, "GET", game + path, None) == [int(one) for one in OVER[visibility].split()]


# With whose eyes: of a running game and of one that is over.

SEEN_BY = {
    "?seat=0": {
        "public": ("409 409 409 200 409", "200 200 200 200 200"),
        "private": ("404 404 409 200 404", "404 404 200 200 404"),
    },
    "?seat=1": {
        "public": ("409 409 200 409 409", "200 200 200 200 200"),
        "private": ("404 404 200 409 404", "404 404 200 200 404"),
    },
    "?seat=spectator": {
        "public": ("200 200 200 200 200", "200 200 200 200 200"),
        "private": ("404 404 200 200 404", "404 404 200 200 404"),
    },
    "?seat=2": {
        "public": ("404 404 404 404 404", "404 404 404 404 404"),
        "private": ("404 404 404 404 404", "404 404 404 404 404"),
    },
}


@pytest.mark.parametrize("path", ["replay", "positions/0"])
@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("seat", SEEN_BY)
def test_with_whose_eyes_who_may_look(clients, make_phase, path, seat, visibility):
    game = make_phase(visibility, "running")
    for expected in SEEN_BY[seat][visibility]:
        assert statuses(clients, "GET", game + path + seat, None) == [int(one) for one in expected.split()]
        clients["owner"].post(f"{game}resign")


@pytest.mark.parametrize(
    ("path", "today"),
    [
        *((path, "404 404 404 200 404") for path in ("", "moves", "positions/0", "events", "replay")),
        *((path, "404 404 404 409 404") for path in ("proof", "export")),
    ],
)
def test_a_game_with_the_deal_of_the_day_is_its_players_alone_until_the_day_is_over(
    clients, day, time_stands, path, today
):
    made = clients["owner"].post(f"daily/{day}/freecell/", {}).json()
    game = f"games/{made['id']}/"
    for _ in range(2):
        assert statuses(clients, "GET", game + path, None) == [int(one) for one in today.split()]
        clients["owner"].post(f"{game}resign")
    time_stands(NOON + timedelta(hours=12))
    assert statuses(clients, "GET", game + path, None) == [200] * 5


# Methods that are not there.

NOWHERE = {"token": "00000000-0000-7000-8000-000000000000", "day": "2026-11-30"}


@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_method_that_is_not_there_is_refused_with_those_that_are(clients, make_phase, path):
    where = generic(path).format(**NOWHERE)
    if "game_id" in path:
        where = make_phase("public", "running") + where.removeprefix("games/")
    allowed = {*ENDPOINTS[path], *({"HEAD"} if "GET" in ENDPOINTS[path] else ())}
    missing = {str(method) for method in HTTPMethod} - {"CONNECT", *allowed}
    with nothing_changes():
        for method in missing:
            answer = clients["owner"].ask(method, where, {})
            assert set(answer.headers["Allow"].split(", ")) == allowed
            if method != "HEAD":  # which has no body
                problem(answer, "method_not_allowed")
            assert answer.status_code == 405
            assert clients["anonymous"].ask(method, where, {}).status_code in (401, 405)


@pytest.mark.parametrize("accept", ["text/html", "text/event-stream", "image/*, text/*;q=0.5", "*/*"])
def test_options_are_answered_whatever_is_accepted(clients, accept):
    wrong = {}
    for path in ENDPOINTS:
        where = generic(path).format(**NOWHERE)
        status = clients["anonymous"].ask("OPTIONS", where, accept=accept).status_code
        if status not in (200, 401, 404, 406):
            wrong[path] = status
    assert wrong in ({}, {"api/v1/docs": 405})


@pytest.mark.parametrize("path", ENDPOINTS)
def test_options_tell_nothing_but_the_endpoints_description(clients, make_phase, path):
    where = generic(path).format(**NOWHERE)
    if "game_id" in path:
        where = make_phase("private", "running") + where.removeprefix("games/")
    with nothing_changes():
        answers = [clients[who].ask("OPTIONS", where, accept="application/json") for who in WHO[1:]]
    if path == "api/v1/docs":  # in no JSON, of which there is nothing to tell
        assert {answer.status_code for answer in answers} == {406}
        return
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert set(answers[0].json()) <= {"name", "description", "renders", "parses"}


# Nobody is told of a private game, and staff sees no more than others.


@pytest.mark.parametrize(("path", "method"), GAME_ROWS)
def test_a_private_game_answers_strangers_as_one_that_is_not_there(clients, make_phase, path, method):
    private = make_phase("private", "running") + path
    missing = ALL_GAMES.format(game="00000000-0000-7000-8000-000000000000") + path
    for who in ("anonymous", "stranger", "staff"):
        for body in (BODIES.get((path, method)), {}, []):
            answers = [clients[who].ask(method, where, body) for where in (private, missing)]
            assert answers[0].content == answers[1].content
            assert answers[0].status_code == answers[1].status_code
            assert answers[0].status_code in (400, 401, 404)


@pytest.mark.parametrize("path", ["", "moves", "positions/0", "positions/1"])
def test_staff_sees_a_public_game_as_everyone_does(clients, make_phase, path):
    game = make_phase("public", "running")
    clients["owner"].post(f"{game}moves", BODIES["moves", "POST"])
    seen = clients["staff"].ask("GET", game + path)
    assert seen.status_code == 200
    assert seen.content == clients["anonymous"].ask("GET", game + path).content
    assert (
        '"hands":[{"size":3,"cards":null},{"size":3,"cards":null}]' in seen.content.decode()
        or path == "moves"
    )


def test_staff_that_is_logged_in_by_session_sees_no_more_either(cast, make_phase):
    browser = Client()
    browser.force_login(cast["staff"])
    private, public = make_phase("private", "running"), make_phase("public", "running")
    problem(browser.ask("GET", private), "not_found")
    assert browser.get_json(public)["position"]["view"]["hands"][0]["cards"] is None


def test_a_private_game_is_in_nobodys_list_but_of_those_who_sit_there(clients, make_phase):
    make_phase("private", "open")
    make_phase("private", "running")
    listed = {who: len(clients[who].get_json("games/")["items"]) for who in WHO}
    assert listed == {"anonymous": 0, "stranger": 0, "seated": 2, "owner": 2, "staff": 0}
