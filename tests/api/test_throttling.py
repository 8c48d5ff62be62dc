"""How often somebody may sign up and try passwords; exact, whatever is tried at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.test import RequestFactory

from accounts.models import Allowance as Kept
from accounts.models import ApiToken, Player
from accounts.request_rate import client_address
from accounts.services.allowances import (
    Allowance,
    allowance_give_back,
    allowance_restore,
    allowance_take,
)
from cardsite.problems import Problem
from tests.conftest import Client, basic
from tests.expect import is_wait

THREE = Allowance(3, timedelta(minutes=3))
PASSWORD = "brown-otter-47"


def takes(of=THREE, who="somebody"):
    """None where somebody is let through, else the seconds to wait."""
    try:
        allowance_take(of=of, what="test", who=who)
    except Problem as refused:
        return refused.facts["retry_after"]
    return None


def hours_pass(hours):
    """As if everything kept had happened so long ago."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE accounts_allowance SET spent_until = spent_until - %s", (timedelta(hours=hours),)
        )


def tries(name, password):
    """Asks for a token by password."""
    return Client().post("me/tokens/", {"name": "x"}, authorization=basic(f"{name}:{password}"))


@pytest.fixture
def nils(db):
    return Player.objects.create_user(username="Nils", display_name="Nils", password=PASSWORD)


def test_as_many_as_allowed_are_let_through_at_once_and_then_none(db):
    let_through, refused = [takes() for _ in range(3)], [takes() for _ in range(2)]
    assert let_through == [None] * 3
    assert all(is_wait(seconds, 60) for seconds in refused), refused


def test_one_is_given_back_after_its_share_of_the_period(db):
    assert [takes() for _ in range(3)] == [None] * 3
    hours_pass(1 / 60)
    assert takes() is None
    assert is_wait(takes(), 60)


def test_all_are_given_back_after_the_period_and_no_more(db):
    assert [takes() for _ in range(3)] == [None] * 3
    hours_pass(24)
    assert [takes() is None for _ in range(4)] == [True, True, True, False]


def test_one_has_nothing_to_do_with_another(db):
    assert [takes(who="a") for _ in range(3)] == [None] * 3
    assert takes(who="b") is None


def test_what_is_given_back_is_forgotten(db):
    assert [takes() for _ in range(3)] == [None] * 3
    allowance_restore(what="test", who="somebody")
    *taken, wait = [takes() for _ in range(4)]
    assert taken == [None] * 3
    assert is_wait(wait, 60)
    hours_pass(1)
    assert takes(who="another") is None
    assert Kept.objects.count() == 1


def test_one_that_was_taken_is_given_back(db):
    assert [takes() for _ in range(3)] == [None] * 3
    allowance_give_back(of=THREE, what="test", who="somebody")
    assert takes() is None
    assert is_wait(takes(), 60)


def test_nobody_is_named_in_what_is_kept(db):
    takes(who="nils 192.0.2.7")
    kept = Kept.objects.get()
    assert len(kept.key) == 32
    assert b"nils" not in bytes(kept.key)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_exactly_what_is_allowed():
    of = Allowance(5, timedelta(hours=5))

    def one(_):
        try:
            return takes(of) is None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(40))) == 5


def test_sign_ups_from_one_address_are_counted(db, settings):
    settings.SIGN_UPS_PER_HOUR = 2
    answers = [
        Client().post("accounts/", {"username": f"nilsson{number}", "password": PASSWORD})
        for number in range(3)
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert answers[2].json()["code"] == "throttled"
    assert answers[2]["Retry-After"] == str(answers[2].json()["retry_after"])
    assert is_wait(answers[2]["Retry-After"], 1800)
    assert sorted(Player.objects.values_list("username", flat=True)) == ["nilsson0", "nilsson1"]


def test_a_malformed_sign_up_is_not_counted(db, settings):
    settings.SIGN_UPS_PER_HOUR = 1
    assert Client().post("accounts/", {"username": "nilsson"}).status_code == 400
    assert Client().post("accounts/", {"username": "nilsson", "password": PASSWORD}).status_code == 201


def test_passwords_are_tried_only_so_often_and_then_not_even_the_right_one(nils, settings):
    settings.LOG_IN_ATTEMPTS = 3
    answers = [tries("nils", "wrong") for _ in range(3)]
    answers.append(tries("NILS", PASSWORD))
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert is_wait(answers[3]["Retry-After"], 60)
    assert not ApiToken.objects.exists()


def test_no_other_spelling_of_a_name_gives_more_tries(make_player, settings):
    make_player("ssisk", password=PASSWORD)
    settings.LOG_IN_ATTEMPTS = 2
    spellings = ("ssisk", "SSISK", "\u017fsisk", "ss\u0131sk", "ss\u0131\u017fk")
    given = [(name, "wrong") for name in spellings[:2]] + [(name, PASSWORD) for name in spellings]
    answers = [tries(*one) for one in given]
    assert [answer.status_code for answer in answers] == [401, 401, 429, 429, 401, 401, 429]
    assert not ApiToken.objects.filter(name="x").exists()


def test_a_right_password_gives_all_tries_back(nils, settings):
    settings.LOG_IN_ATTEMPTS = 2
    for _ in range(3):
        assert tries("nils", "wrong").status_code == 401
        assert tries("nils", PASSWORD).status_code == 201


def test_nobody_locks_another_out_from_elsewhere(nils, settings):
    settings.LOG_IN_ATTEMPTS = 1
    wrong = {"authorization": basic("nils:wrong")}
    assert (
        Client().generic("GET", "/api/v1/me/tokens/", headers=wrong, REMOTE_ADDR="192.0.2.1").status_code
        == 401
    )
    assert (
        Client().generic("GET", "/api/v1/me/tokens/", headers=wrong, REMOTE_ADDR="192.0.2.1").status_code
        == 429
    )
    right = {"authorization": basic(f"nils:{PASSWORD}")}
    assert (
        Client().generic("GET", "/api/v1/me/tokens/", headers=right, REMOTE_ADDR="192.0.2.2").status_code
        == 200
    )


def test_passwords_are_tried_only_so_often_from_an_address_whatever_the_names(nils, settings):
    settings.LOG_IN_ATTEMPTS_FROM_ADDRESS = 3
    tried = [("ida", "wrong"), ("per", "wrong"), ("nils", PASSWORD), ("nils", PASSWORD)]
    answers = [tries(*one) for one in tried]
    assert [answer.status_code for answer in answers] == [401, 401, 201, 429]
    assert is_wait(answers[3]["Retry-After"], 200)
    assert ApiToken.objects.filter(name="x").count() == 1


def test_where_the_address_is_throttled_ones_own_tries_are_not_spent(nils, settings):
    settings.LOG_IN_ATTEMPTS = settings.LOG_IN_ATTEMPTS_FROM_ADDRESS = 2
    for name in ("ida", "per"):
        assert tries(name, "wrong").status_code == 401
    answers = [tries("nils", PASSWORD) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [429] * 3
    assert all(is_wait(answer["Retry-After"], 300) for answer in answers)
    hours_pass(5 / 60)
    assert tries("nils", PASSWORD).status_code == 201


def test_where_a_name_is_throttled_nothing_is_spent_of_what_is_others_too(nils, settings):
    settings.LOG_IN_ATTEMPTS, settings.LOG_IN_ATTEMPTS_FROM_ADDRESS = 1, 3
    tried = [("ida", "wrong")] * 5 + [("nils", PASSWORD)]
    answers = [tries(*one) for one in tried]
    assert [answer.status_code for answer in answers] == [401, 429, 429, 429, 429, 201]


@pytest.mark.parametrize("page", ["/api/login/", "/admin/login/"])
def test_the_log_in_pages_count_too(nils, settings, client, page):
    settings.LOG_IN_ATTEMPTS = 2
    answers = [client.post(page, {"username": "nils", "password": "wrong"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2]["Content-Type"] == "application/problem+json"
    assert is_wait(answers[2]["Retry-After"], 60)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "198.51.100.1", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "forged, 198.51.100.1", "198.51.100.1"),
        (2, "forged, 198.51.100.1, 203.0.113.9", "198.51.100.1"),
        (2, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1:4411", "198.51.100.1"),
        (1, "::ffff:198.51.100.1", "198.51.100.1"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "[2001:db8:1:2::9]:4411", "2001:db8:1:2::/64"),
        (1, "unix:", "unix:"),
    ],
)
def test_an_address_is_believed_as_far_as_our_own_proxies(settings, proxies, forwarded, address):
    settings.PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": forwarded})
    assert client_address(request) == address


def test_pages_of_a_dump_are_counted_by_who_asks(anna, bo, anonymous, settings):
    settings.EXPORT_PAGES_PER_MINUTE = 2
    for _ in range(2):
        assert anna.client.ask("GET", "exports/", accept="application/x-ndjson").status_code == 200
    refused = anna.client.ask("GET", "exports/", accept="application/x-ndjson")
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert is_wait(refused["Retry-After"], 30)
    bot = Client(anna.client.post("me/bots/", {"username": "robo"}).json()["token"]["secret"])
    assert bot.ask("GET", "exports/", accept="application/x-ndjson").status_code == 429  # it asks for her
    for other in (bo.client, anonymous):
        assert other.ask("GET", "exports/", accept="application/x-ndjson").status_code == 200
