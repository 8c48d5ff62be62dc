"""People who log in by browser."""

import pytest

from accounts.models import Player
from accounts.services.tokens import token_create
from tests.conftest import Client
from tests.expect import nothing_changes, problem

PASSWORD = "brown-otter-47"
HTML = "text/html,application/xhtml+xml"


class Browser(Client):
    """Keeps cookies, and is checked for CSRF as a browser is."""

    def __init__(self):
        super().__init__()
        self.handler.enforce_csrf_checks = True

    def send(self, path, fields):
        return self.generic(
            "POST",
            path,
            "&".join(f"{name}={value}" for name, value in fields.items()),
            content_type="application/x-www-form-urlencoded",
        )

    def log_in(self, username="nils", password=PASSWORD, **fields):
        self.ask("GET", "/api/login/")
        fields |= {"username": username, "password": password, "csrfmiddlewaretoken": self.csrf}
        return self.send("/api/login/", fields)

    @property
    def csrf(self):
        return self.cookies["csrftoken"].value


@pytest.fixture
def nils(db):
    return Player.objects.create_user(username="nils", display_name="Nils", password=PASSWORD)


@pytest.fixture
def browser(nils):
    """A browser in which nils has logged in."""
    browser = Browser()
    assert browser.log_in().status_code == 302
    return browser


def test_the_log_in_page_is_a_form_that_posts_to_itself(db):
    answer = Browser().ask("GET", "/api/login/", accept=HTML)
    assert answer.status_code == 200
    assert '<form action="/api/login/"' in answer.content.decode()


def test_who_logs_in_is_known_until_logging_out(browser):
    assert browser.get_json("me/")["username"] == "nils"
    assert browser.send("/api/logout/", {"csrfmiddlewaretoken": browser.csrf}).status_code == 302
    problem(browser.ask("GET", "me/"), "unauthenticated")


@pytest.mark.parametrize("username", ["NILS", "Nils"])
def test_the_name_is_taken_in_every_case_of_its_letters(nils, username):
    browser = Browser()
    assert browser.log_in(username).status_code == 302
    assert browser.get_json("me/")["username"] == "nils"


@pytest.mark.parametrize(
    ("username", "password"), [("nils", "wrong"), ("nobody", PASSWORD), ("nils%00", PASSWORD), ("", "")]
)
def test_a_wrong_password_logs_nobody_in(nils, username, password):
    browser = Browser()
    assert browser.log_in(username, password).status_code == 200
    assert "sessionid" not in browser.cookies
    problem(browser.ask("GET", "me/"), "unauthenticated")


def test_a_player_who_may_not_log_in_is_not_let_in(nils, browser):
    Player.objects.update(is_active=False)
    problem(browser.ask("GET", "me/"), "unauthenticated")
    other = Browser()
    assert other.log_in().status_code == 200
    assert "sessionid" not in other.cookies


def test_the_log_in_form_needs_a_csrf_token(nils):
    answer = Browser().send("/api/login/", {"username": "nils", "password": PASSWORD})
    assert answer.status_code == 403


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_a_log_in_leads_nowhere_else(nils, target):
    assert Browser().log_in(next=target).headers["Location"] == "/api/v1/docs"


def test_a_log_in_leads_back_to_where_one_was(nils):
    assert Browser().log_in(next="/api/v1/games/").headers["Location"] == "/api/v1/games/"


WRITES = [
    ("POST", "games/", {"ruleset": "freecell"}, 201),
    ("POST", "me/tokens/", {"name": "x"}, 201),
    ("PATCH", "me/", {"display_name": "N"}, 200),
    ("DELETE", "me/tokens/{token}/", None, 204),
    ("POST", "games/{game}/join", {}, 200),
    ("POST", "games/{game}/start", {}, 200),
    ("POST", "games/{game}/leave", None, 204),
    ("POST", "games/{running}/moves", {"ply": 0, "notation": "5a"}, 201),
    ("POST", "games/{begun}/undo", {"ply": 1}, 201),
    ("POST", "games/{begun}/resign", None, 200),
]


@pytest.fixture
def paths(nils, make_game, make_player):
    begun = make_game("freecell", [nils], options={"deal": 1})
    secret = token_create(player=nils, name="bot")[1]
    Client(secret).post(f"games/{begun}/moves", {"ply": 0, "notation": "5a"})
    return {
        "begun": begun,
        "game": make_game("freecell", [nils], start=False),
        "running": make_game("freecell", [nils], options={"deal": 1}),
        "token": token_create(player=nils, name="old")[0].id,
    }


@pytest.mark.parametrize(("method", "path", "body", "status"), WRITES)
def test_a_session_writes_only_with_a_csrf_token(browser, paths, method, path, body, status):
    where = path.format(**paths)
    with nothing_changes():
        problem(browser.ask(method, where, body), "csrf")
        problem(browser.ask(method, where, body, x_csrftoken="x" * 64), "csrf")
    assert browser.ask(method, where, body, x_csrftoken=browser.csrf).status_code == status


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x"],
)
def test_a_form_of_another_site_writes_nothing(browser, content_type):
    with nothing_changes():
        for fields in (f"csrfmiddlewaretoken={browser.csrf}&ruleset=freecell", "a=1&" * 1100, "nonsense"):
            answer = browser.generic("POST", "/api/v1/games/", fields, content_type=content_type)
            problem(answer, "unsupported_media_type")


def test_a_token_needs_no_csrf_token_even_beside_a_session(browser, anna):
    browser.credentials(HTTP_AUTHORIZATION=f"Bearer {anna.secret}")
    answer = browser.post("games/", {"ruleset": "freecell"})
    assert (answer.status_code, answer.json()["owner"]) == (201, "anna")


def test_a_wrong_token_beside_a_session_is_refused(browser):
    browser.credentials(HTTP_AUTHORIZATION="Bearer nonsense")
    problem(browser.ask("GET", "me/"), "invalid_credentials")


@pytest.mark.parametrize(
    "cookie",
    [
        '"\\000nonsense-nonsense"',  # a NUL, as a cookie can spell it
        '"\\377\\376nonsense"',
        "\xff\xfenonsense",
        "x" * 5000,
        "nonsense-nonsense",
        "",
        '"',
    ],
)
def test_a_cookie_of_nonsense_is_as_none(nils, cookie):
    with nothing_changes():
        for name in ("sessionid", "csrftoken"):
            problem(Client().ask("GET", "me/", cookie=f"{name}={cookie}"), "unauthenticated")
            assert Client().ask("GET", "games/", cookie=f"{name}={cookie}").status_code == 200
            assert Client().ask("GET", "/admin/", cookie=f"{name}={cookie}").status_code == 302


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(browser):
    cookie = browser.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], bool(cookie["secure"])) == (True, "Lax", False)
