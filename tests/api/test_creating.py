"""Making a game."""

import base64
import hashlib
import re
from uuid import UUID

import pytest

from cardsite.jsonbody import timestamp
from games.catalog import CURRENT
from games.models import Deal, Game, Seat
from tests.conftest import Client
from tests.expect import everything, faults, nothing_changes, problem

FREECELL = {"ruleset": "freecell"}
SICKSACK = {"ruleset": "sicksack", "seats": 3}
UNTIMED = {"left": False, "deadline_at": None, "time_left": None}


def create(player, **body):
    answer = player.client.post("games/", body)
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_new_game_is_open_and_its_owner_sits_in_seat_0(anna):
    game = create(anna, **SICKSACK)
    assert game == {
        "id": str(Game.objects.get().id),
        "ruleset": "sicksack",
        "rules_version": CURRENT["sicksack"].version,
        "options": {},
        "visibility": "public",
        "status": "open",
        "ending": None,
        "owner": "anna",
        "seats": [
            {"number": 0, "player": {"username": "anna", "display_name": "anna"}, **UNTIMED},
            {"number": 1, "player": None, **UNTIMED},
            {"number": 2, "player": None, **UNTIMED},
        ],
        "your_seat": 0,
        "variant": "default",
        "rated": False,
        "daily": None,
        "sealed_until": None,
        "voided": False,
        "clock": None,
        "abandon_after": 30 * 86_400,
        "abandoned_at": timestamp(Game.objects.get().due_at),
        "ply": 0,
        "to_act": [],
        "undos": 0,
        "event_seq": 2,
        "commitment": Game.objects.get().commitment,
        "created_at": game["created_at"],
        "started_at": None,
        "ended_at": None,
        "outcome": None,
        "position": None,
        "link": None,
        "warnings": [],
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", game["created_at"])
    assert UUID(game["id"]).version == 7
    assert (Deal.objects.get().deck, Seat.objects.get().entropy) == (None, "")


def test_what_was_answered_can_be_read_again_but_for_the_secret(anna):
    made = create(anna, **SICKSACK, visibility="private")
    seen = anna.client.get_json(f"games/{made['id']}/")
    assert seen == {name: fact for name, fact in made.items() if name not in ("link", "warnings")}


@pytest.mark.parametrize(
    ("slug", "seats"), [(slug, n) for slug, rules in CURRENT.items() for n in rules.seats]
)
def test_every_number_of_seats_of_a_rule_set_can_be_had(anna, slug, seats):
    game = create(anna, ruleset=slug, seats=seats)
    assert [seat["number"] for seat in game["seats"]] == list(range(seats))


@pytest.mark.parametrize("slug", CURRENT)
def test_no_other_number_of_seats_can_be_had(anna, slug):
    rules = CURRENT[slug]
    with nothing_changes():
        for seats in (rules.seats[0] - 1, rules.seats[-1] + 1, 0, -1, 10**30):
            answer = anna.client.post("games/", {"ruleset": slug, "seats": seats})
            assert faults(answer) == ["$.seats"]


def test_the_seats_may_be_left_out_where_there_is_but_one_number(anna):
    assert len(create(anna, **FREECELL)["seats"]) == 1
    with nothing_changes():
        assert faults(anna.client.post("games/", {"ruleset": "sicksack"})) == ["$"]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (None, {"deal": None}),
        ({}, {"deal": None}),
        ({"deal": None}, {"deal": None}),
        ({"deal": 1}, {"deal": 1}),
        ({"deal": 1_000_000}, {"deal": 1_000_000}),
        ({"deal": 617.0}, {"deal": 617}),
    ],
)
def test_options_are_kept_with_their_defaults(anna, options, kept):
    game = create(anna, **FREECELL, **({} if options is None else {"options": options}))
    assert game["options"] == kept
    assert Game.objects.get().options == kept


def test_a_whole_number_may_have_a_point(anna):
    assert len(create(anna, ruleset="sicksack", seats=3.0)["seats"]) == 3


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "$"),
        ([], "$"),
        ("freecell", "$"),
        (b"", "$"),
        (b"{", "$"),
        ({"ruleset": "chess", "seats": 2}, "$.ruleset"),
        ({"ruleset": "Sicksack", "seats": 3}, "$.ruleset"),
        ({"ruleset": None}, "$.ruleset"),
        ({"ruleset": ["freecell"]}, "$.ruleset"),
        ({"ruleset": "sicksack", "seats": "3"}, "$.seats"),
        ({"ruleset": "sicksack", "seats": 3.5}, "$.seats"),
        ({"ruleset": "sicksack", "seats": None}, "$.seats"),
        ({"ruleset": "sicksack", "seats": True}, "$.seats"),
        ({"ruleset": "sicksack", "seats": [3]}, "$.seats"),
        ({**FREECELL, "seats": 2}, "$.seats"),
        ({**FREECELL, "options": None}, "$.options"),
        ({**FREECELL, "options": []}, "$.options"),
        ({**FREECELL, "options": {"deals": 1}}, "$.options"),
        ({**FREECELL, "options": {"deal": 0}}, "$.options.deal"),
        ({**FREECELL, "options": {"deal": 1_000_001}}, "$.options.deal"),
        ({**FREECELL, "options": {"deal": 1.5}}, "$.options.deal"),
        ({**FREECELL, "options": {"deal": "1"}}, "$.options.deal"),
        ({**FREECELL, "options": {"deal": True}}, "$.options.deal"),
        ({**SICKSACK, "options": {"deal": 1}}, "$.options"),
        ({**FREECELL, "visibility": "secret"}, "$.visibility"),
        ({**FREECELL, "visibility": None}, "$.visibility"),
        ({**FREECELL, "owner": "bo"}, "$"),
    ],
)
def test_a_game_of_another_form_is_refused(anna, body, path):
    with nothing_changes():
        assert faults(anna.client.post("games/", body)) == [path]


@pytest.mark.parametrize("name", ["seed", "deck", "entropy", "commitment", "shuffle_version", "link", "id"])
def test_nobody_can_say_how_the_cards_lie(anna, name):
    with nothing_changes():
        assert faults(anna.client.post("games/", {**SICKSACK, name: "00" * 32})) == ["$"]


def test_nobody_makes_a_game_without_an_account(anonymous):
    with nothing_changes():
        problem(anonymous.post("games/", FREECELL), "unauthenticated")


# The commitment.


def test_the_commitment_is_to_the_seed_of_this_game(anna):
    for _ in range(2):
        game = create(anna, **SICKSACK)
        seed = bytes(Deal.objects.get(game=game["id"]).seed)
        tagged = b"cardsite commitment 1" + UUID(game["id"]).bytes + seed
        assert game["commitment"] == hashlib.sha256(tagged).hexdigest()
        assert len(seed) == 32
    assert len({bytes(seed) for seed in Deal.objects.values_list("seed", flat=True)}) == 2


def test_where_the_options_fix_the_cards_nothing_is_committed_to(anna):
    assert create(anna, **FREECELL, options={"deal": 1})["commitment"] is None
    assert re.fullmatch("[0-9a-f]{64}", create(anna, **FREECELL)["commitment"])


def test_the_seed_is_in_no_answer(anna, bo):
    game = create(anna, **SICKSACK)
    seed = bytes(Deal.objects.get().seed)
    for client in (anna.client, bo.client, Client()):
        for path in ("games/", f"games/{game['id']}/", "games/?mine=false", "rulesets/sicksack/"):
            content = client.ask("GET", path).content.decode()
            assert seed.hex() not in content
            assert base64.b64encode(seed).decode() not in content
            assert "seed" not in content.replace("SHA-256 over the seed", "")


# Warnings.


@pytest.mark.parametrize(
    ("deal", "warnings"),
    [
        (11982, [{"clause": "FC-10", "text": "Microsoft deal 11982 cannot be won."}]),
        (781948, [{"clause": "FC-10", "text": "Microsoft deal 781948 cannot be won."}]),
        (11981, []),
        (None, []),
    ],
)
def test_who_chooses_a_deal_that_cannot_be_won_is_warned(anna, deal, warnings):
    assert create(anna, **FREECELL, options={"deal": deal})["warnings"] == warnings


# Private games.


def test_the_link_of_a_private_game_is_shown_once_and_kept_as_a_digest(anna):
    game = create(anna, **SICKSACK, visibility="private")
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", game["link"])
    kept = str(everything())
    assert game["link"] not in kept
    assert game["link"].encode().hex() not in kept
    assert hashlib.sha256(game["link"].encode()).hexdigest() in kept
    for path in (f"games/{game['id']}/", "games/", "games/?mine=true"):
        assert game["link"] not in anna.client.ask("GET", path).content.decode()


def test_every_private_game_has_a_link_of_its_own_and_a_public_one_none(anna):
    links = {create(anna, **SICKSACK, visibility="private")["link"] for _ in range(2)}
    assert len(links) == 2
    assert create(anna, **SICKSACK, visibility="public")["link"] is None
