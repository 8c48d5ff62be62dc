"""Who may look at and do what in the admin: a row for every path of it, taken from the URL resolver, and for every
role. A path without a row fails."""

import re

import pytest
from django.contrib import admin
from django.db import transaction
from django.urls import URLResolver

from tests.admin.conftest import Browser
from tests.conftest import Client
from tests.expect import nothing_changes

WHO = ("anonymous", "player", "viewer", "moderator", "operator", "superuser")

LOOK = "302 302 200 200 200 200"
LEADS = "302 302 302 302 302 302"
NEVER = "302 302 403 403 403 403"
# What is done: asked by GET, and refused by POST without a reason.
MODERATOR = ("302 302 403 200 200 200", "302 302 403 422 422 422")
OPERATOR = ("302 302 403 403 200 200", "302 302 403 403 422 422")

MODELS = {
    "accounts/player": "{player}",
    "accounts/auditentry": "{entry}",
    "auth/group": "{role}",
    "games/game": "{game}",
    "games/board": "{board}",
    "games/dailydeal": "{deal}",
    "procrastinate/procrastinatejob": "{job}",
}
# Status by who, in the order of WHO: of GET, and of POST where something else answers it than a list does.
ROWS = {
    "": (LOOK, None),
    "search/": (LOOK, None),
    # To the page of the site that takes the old password.
    "password_change/": (LEADS, LEADS),
    "password_change/done/": (LOOK, None),
    "login/": ("200 200 302 302 302 302", None),
    "logout/": ("302 302 405 405 405 405", None),
    "jsi18n/": (LOOK, None),
    # Nothing is chosen by what one types.
    "autocomplete/": ("302 302 403 403 403 403", None),
    # Nothing has a page outside that the admin would lead to.
    "r/<path:content_type_id>/<path:object_id>/": ("302 302 404 404 404 404", None),
    "^(?P<app_label>auth|games|procrastinate|accounts)/$": (LOOK, None),
    "(?P<url>.*)$": ("302 302 404 404 404 404", None),
    "accounts/player/<path:object_id>/warn/": MODERATOR,
    "accounts/player/<path:object_id>/mute/": MODERATOR,
    "accounts/player/<path:object_id>/suspend/": MODERATOR,
    "accounts/player/<path:object_id>/reset-name/": MODERATOR,
    "accounts/player/<path:object_id>/end-tokens/": MODERATOR,
    "accounts/player/<path:object_id>/end-sessions/": MODERATOR,
    "accounts/player/<uuid:player_id>/tokens/<uuid:token_id>/end/": MODERATOR,
    "accounts/player/<uuid:player_id>/sessions/<slug:handle>/end/": MODERATOR,
    "accounts/player/<uuid:player_id>/sanctions/<uuid:sanction_id>/lift/": MODERATOR,
    "accounts/player/<path:object_id>/role/": OPERATOR,
    "accounts/player/<path:object_id>/erase/": OPERATOR,
    "games/game/<path:object_id>/void/": MODERATOR,
    "games/game/<path:object_id>/reveal/": MODERATOR,
    "games/game/<uuid:game_id>/replay/": (LOOK, None),
    "games/game/<uuid:game_id>/summary/": (LOOK, None),
    "procrastinate/procrastinatejob/<path:object_id>/retry/": OPERATOR,
    **{f"{model}/": (LOOK, LOOK) for model in MODELS},
    **{f"{model}/add/": (NEVER, NEVER) for model in MODELS},
    **{f"{model}/<path:object_id>/change/": (LOOK, NEVER) for model in MODELS},
    **{f"{model}/<path:object_id>/delete/": (NEVER, NEVER) for model in MODELS},
    **{f"{model}/<path:object_id>/history/": (LEADS, None) for model in MODELS},
    **{f"{model}/<path:object_id>/": (LEADS, None) for model in MODELS},
}
# A board is chosen on the page of all.
ROWS["games/board/<path:object_id>/change/"] = (LEADS, None)


def patterns(found, prefix=""):
    """Every path of the admin, as the resolver has it."""
    for one in found:
        path = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from patterns(one.url_patterns, path)
        else:
            yield path


RESOLVED = set(patterns(admin.site.get_urls()))


def test_every_path_has_a_row_and_every_row_a_path():
    def generic(path):
        return "^(?P<app_label>auth|games|procrastinate|accounts)/$" if "app_label" in path else path

    assert {generic(path) for path in RESOLVED} == set(ROWS)


def where(path, things):
    """A path of the resolver with what is there."""
    model = next((one for one in MODELS if path.startswith(f"{one}/")), None)
    for variable, example in {
        "<path:content_type_id>/<path:object_id>": "{role_type}/{role}",
        "game/<path:object_id>/void/": "game/{over}/void/",
        "<path:object_id>": MODELS[model] if model else "",
        "<uuid:player_id>/sanctions": "{other}/sanctions",
        "<uuid:player_id>": "{player}",
        "<uuid:game_id>": "{game}",
        "<uuid:token_id>": "{token}",
        "<uuid:sanction_id>": "{sanction}",
        "<slug:handle>": "{session}",
        "^(?P<app_label>auth|games|procrastinate|accounts)/$": "games/",
        "(?P<url>.*)$": "nowhere/",
    }.items():
        path = path.replace(variable, example)
    return "/admin/" + path.format(**vars(things))


def expected(number):
    return {path: row[number] for path, row in ROWS.items() if row[number] is not None}


def test_who_may_look(browsers, things):
    found = {}
    for path in ROWS:
        address = where(path, things)
        found[path] = " ".join(str(browsers[who].ask("GET", address).status_code) for who in WHO)
    assert found == expected(0)


def test_who_may_act(browsers, things):
    """Who has no rights is told so, whatever else is asked; who has is asked for a reason."""
    found = {}
    for path in expected(1):
        address, statuses = where(path, things), []
        for who in WHO:
            with transaction.atomic():
                statuses.append(str(browsers[who].send(address, reason=" ").status_code))
                transaction.set_rollback(True)
        found[path] = " ".join(statuses)
    assert found == expected(1)


def test_nothing_is_done_without_a_reason_or_by_who_may_not(browsers, things):
    acts = [path for path, sent in expected(1).items() if "422" in sent]
    assert len(acts) == 14
    with nothing_changes():
        for path in acts:
            for who, status in zip(WHO, expected(1)[path].split(), strict=True):
                reason = " " if status == "422" else "because"
                answer = browsers[who].send(where(path, things), reason=reason, name="anna")
                assert answer.status_code == int(status), (who, path)


def test_who_is_not_let_in_is_sent_to_log_in(browsers, things):
    for who in ("anonymous", "player"):
        for path in ("", "games/game/", f"accounts/player/{things.player}/erase/"):
            answer = browsers[who].ask("GET", f"/admin/{path}")
            assert answer.headers["Location"] == f"/admin/login/?next=/admin/{path}"


def test_a_log_in_without_an_aim_leads_to_the_first_page(make_player):
    boss = make_player("chief", is_staff=True, is_superuser=True, password="a-long-password")
    browser = Browser(None)
    page = browser.page("/admin/login/")
    (field,) = re.findall(r'<input type="hidden" name="next" value="([^"]*)" form="login-form">', page)
    fields = {"username": boss.username, "password": "a-long-password", "next": field}
    assert browser.send("/admin/login/", **fields).headers["Location"] == "/admin/"
    assert 'name="next" value="/admin/games/game/"' in Browser(None).page(
        "/admin/login/?next=/admin/games/game/"
    )


def test_who_is_logged_in_without_a_role_is_told_so(browsers):
    words = "this account has no right to the admin"
    page = browsers["player"].page("/admin/login/?next=/admin/")
    assert "You are logged in as somebody, and " + words in page
    assert words not in browsers["anonymous"].page("/admin/login/?next=/admin/")


def test_a_refusal_is_one_line_of_the_log(browsers, caplog):
    with caplog.at_level("WARNING", "django.request"):
        browsers["viewer"].page("/admin/games/game/add/", 403)
    (record,) = (one for one in caplog.records if one.name == "django.request")
    assert record.levelname == "WARNING"
    assert record.getMessage() == "Forbidden (Permission denied): /admin/games/game/add/"
    assert record.exc_info is None


def test_staff_without_a_role_sees_nothing(make_player, things):
    clerk = Browser(make_player("clerk", is_staff=True))
    assert "There is nothing here that you may see." in clerk.page("/admin/")
    for model, example in MODELS.items():
        clerk.page(f"/admin/{model}/", 403)
        clerk.page(f"/admin/{model}/{example.format(**vars(things))}/change/", 403)


def test_a_token_opens_no_page(boss, staff):
    assert Client(staff.secret).ask("GET", "/admin/games/game/").status_code == 302


@pytest.mark.parametrize(
    ("role", "acts"),
    [
        ("viewer", set()),
        ("moderator", {"warn", "mute", "suspend", "end-tokens", "end-sessions"}),
        ("operator", {"warn", "mute", "suspend", "end-tokens", "end-sessions", "role", "erase"}),
    ],
)
def test_a_page_offers_what_may_be_done(make_staff, anna, role, acts):
    page = make_staff(role).page(f"/admin/accounts/player/{anna.id}/change/")
    every = {"warn", "mute", "suspend", "end-tokens", "end-sessions", "role", "erase"}
    assert {act for act in every if f'href="/admin/accounts/player/{anna.id}/{act}/"' in page} == acts
