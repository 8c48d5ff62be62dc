"""All that is known of one, for oneself alone, page by page."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ApiToken, AuditEntry, Player, Session
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction
from accounts.services.tokens import tokens_revoke_all
from cardsite.jsonbody import timestamp
from games import table
from games.api.personal import AnyFact
from games.models import Game, Move, Rating, Seat
from games.selectors.personal import PARTS
from games.services.leaving import game_resign
from games.services.revealing import game_reveal
from tests.api.checks import whole_list
from tests.api.published import assert_documented
from tests.api.test_every_game import golden, shared_part
from tests.api.test_rated import rated_game
from tests.api.worlds import steps_of
from tests.conftest import Client
from tests.expect import faults, nothing_changes, problem
from tests.rules.variants import VARIANTS

PATH = "me/export"
CHANCE = {"type": "chance"}


@pytest.fixture
def zebedee(make_player):
    return make_player("zebedee", email="zeb@example.org")


@pytest.fixture
def lived(zebedee, bo, staff):
    """A player of whom there is something of every kind: the games, rated and over, and one that goes on."""
    body = {"ruleset": "sicksack", "seats": 2, "visibility": "private"}
    made = bo.client.post("games/", body).json()
    joined = {"link": made["link"], "entropy": "my own words"}
    assert zebedee.client.post(f"games/{made['id']}/join", joined).status_code == 200
    assert bo.client.post(f"games/{made['id']}/start", {"entropy": "the words of bo"}).status_code == 200
    rated = rated_game([zebedee, bo])
    assert zebedee.client.post(f"games/{rated}/moves", {"ply": 0, "move": CHANCE}).status_code == 201
    game_resign(game_id=rated, player=bo)
    bot_create(owner=zebedee, username="zebbot", display_name="Z.")
    browser = Client()
    browser.force_login(zebedee)
    zebedee.client.post("me/tokens/", {"name": "old"})
    player_sanction(player=zebedee, by=staff, kind="warning", reason="be kind", until=None)
    return rated, made["id"]


def test_sessions_that_are_over_are_no_longer_among_it(zebedee):
    browsers = [Client() for _ in range(2)]
    for browser in browsers:
        browser.force_login(zebedee)
    first, second = Session.objects.filter(player=zebedee)
    Session.objects.filter(session_key=first.session_key).update(expire_date=timezone.now())
    found = by_type(zebedee.client.get_json(PATH)["items"])["session"]
    assert found == [{"began_at": timestamp(second.began_at), "until": timestamp(second.expire_date)}]
    assert abs(second.began_at - timezone.now()) < timedelta(minutes=1)


def by_type(items):
    found = {}
    for item in items:
        found.setdefault(item.pop("type"), []).append(item)
    return found


def test_there_is_all_that_is_known_of_one(zebedee, lived, staff):
    tokens_revoke_all(player=zebedee, by=staff, reason="leaked")
    rated, running = (Game.objects.get(id=game) for game in lived)
    browser = Client()
    browser.force_login(zebedee)
    answer = browser.ask("GET", PATH)
    assert_documented(f"/api/v1/{PATH}", "GET", answer)
    found, zebedee = by_type(answer.json()["items"]), Player.objects.get(id=zebedee.id)
    assert answer.json()["next"] is None
    assert list(found) == [
        *("account", "session", "token", "bot", "sanction", "act"),
        *("game", "move", "result", "rating", "rating_change"),
    ]
    assert found["account"] == [
        {
            "id": str(zebedee.id),
            "username": "zebedee",
            "display_name": "zebedee",
            "email": "zeb@example.org",
            "bot_of": None,
            "roles": [],
            "joined_at": timestamp(zebedee.created_at),
            "last_login_at": timestamp(zebedee.last_login),
        }
    ]
    ends = sorted(timestamp(one.expire_date) for one in Session.objects.filter(player=zebedee))
    assert sorted(one["until"] for one in found["session"]) == ends
    assert len(ends) == 2
    assert found["token"] == [
        {
            "id": str(token.id),
            "name": token.name,
            "hint": token.hint,
            "created_at": timestamp(token.created_at),
            "last_used_at": token.last_used_at and timestamp(token.last_used_at),
            "revoked_at": timestamp(token.revoked_at),
        }
        for token in ApiToken.objects.filter(player=zebedee).order_by("id")
    ]
    assert [token["name"] for token in found["token"]] == ["test", "old"]
    bot = Player.objects.get(username="zebbot")
    assert found["bot"] == [
        {
            "id": str(bot.id),
            "username": "zebbot",
            "display_name": "Z.",
            "joined_at": timestamp(bot.created_at),
        }
    ]
    sanction = zebedee.sanctions.get()
    assert found["sanction"] == [
        {
            "id": str(sanction.id),
            "kind": "warning",
            "reason": "be kind",
            "at": timestamp(sanction.at),
            "until": None,
            "lifted_at": None,
            "lift_reason": "",
        }
    ]
    warned, revoked = AuditEntry.objects.order_by("id")
    assert found["act"] == [
        {
            "id": str(entry.id),
            "act": act,
            "yours": False,
            "at": timestamp(entry.at),
            "game": None,
            "reason": reason,
        }
        for entry, act, reason in ((warned, "warning", "be kind"), (revoked, "revoke_tokens", "leaked"))
    ]
    seats = {seat.game_id: seat for seat in Seat.objects.filter(player=zebedee)}
    assert found["game"] == [
        {
            "id": str(game.id),
            "ruleset": "sicksack",
            "options": game.options,
            "visibility": "public" if is_rated else "private",
            "status": "finished" if is_rated else "running",
            "rated": is_rated,
            "is_owner": is_rated,
            "seat": 0 if is_rated else 1,
            "entropy": "" if is_rated else "my own words",
            "joined_at": timestamp(seats[game.id].joined_at),
            "started_at": timestamp(game.started_at),
            "ended_at": timestamp(game.ended_at) if is_rated else None,
        }
        for game, is_rated in sorted(((rated, True), (running, False)), key=lambda pair: pair[0].id)
    ]
    at = timestamp(Move.objects.get(game=rated, ply=0).at)
    assert found["move"] == [
        {"game": str(rated.id), "ply": 0, "kind": "play", "seat": 0, "move": CHANCE, "at": at}
    ]
    assert found["result"] == [
        {
            "game": str(rated.id),
            "seat": 0,
            "place": 1,
            "result": "win",
            "score": found["result"][0]["score"],
            "at": timestamp(rated.ended_at),
        }
    ]
    rating = Rating.objects.get(player=zebedee)
    (change,) = found["rating_change"]
    assert found["rating"] == [
        {
            "ruleset": "sicksack",
            "variant": rated.variant,
            "mean": rating.mean,
            "deviation": rating.deviation,
            "games": 1,
        }
    ]
    assert (change["game"], change["number"], change["kind"], change["at"]) == (
        *(str(rated.id), 1, "game"),
        timestamp(rated.ended_at),
    )
    assert change["mean_before"] + change["mean_change"] == pytest.approx(rating.mean)


def test_there_is_nothing_of_others_and_no_secret(zebedee, bo, lived):
    text = zebedee.client.ask("GET", PATH).content.decode()
    session = Session.objects.get(player=zebedee)
    token = ApiToken.objects.filter(player=zebedee).first()
    hidden = [
        *("the words of bo", str(bo.id), '"bo"', "boss", zebedee.secret, session.session_key),
        *(session.handle, bytes(token.digest).hex(), zebedee.password),
    ]
    assert [word for word in hidden if word in text] == []
    theirs = by_type(bo.client.get_json(PATH)["items"])
    assert theirs["account"][0]["username"] == "bo"
    assert {game["entropy"] for game in theirs["game"]} == {"", "the words of bo"}


def test_of_the_staff_there_is_what_they_did_and_had_shown(zebedee, bo, staff, make_game):
    game = make_game("sicksack", [zebedee, bo])
    game_reveal(game_id=game, by=staff, reason="a report")
    player_sanction(player=bo, by=staff, kind="warning", reason="be kind", until=None)
    found = by_type(staff.client.get_json(PATH)["items"])
    assert [(act["act"], act["yours"], act["game"]) for act in found["act"]] == [
        ("reveal", True, str(game)),
        ("warning", True, None),
    ]
    assert [(one["game"], one["reason"]) for one in found["reveal"]] == [(str(game), "a report")]
    assert str(bo.id) not in str(found)


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_of_any_size_have_all_of_it_in_the_same_order(zebedee, lived, limit):
    everything = zebedee.client.get_json(f"{PATH}?limit=100")["items"]
    assert len(everything) >= 12
    assert whole_list(zebedee.client, f"{PATH}?limit={limit}") == everything


def test_every_kind_of_fact_is_published(zebedee, lived, staff, bo, make_game):
    game_reveal(game_id=make_game("sicksack", [zebedee, bo]), by=staff, reason="a report")
    kinds = {kind.__struct_config__.tag for kind in AnyFact.__args__}
    seen = {item["type"] for player in (zebedee, staff) for item in player.client.get_json(PATH)["items"]}
    assert seen == kinds
    assert len(PARTS) == len(kinds)


@pytest.mark.parametrize(
    "cursor",
    [
        *("account", "nothing.", "tokens.x", "games.x", "moves.x", "moves.x.1", "moves.1", "tokens.%0A"),
        *("changes.x", "changes.a b c", "reveals.1", "Account.1", "tokens." + "0" * 200),
    ],
)
def test_a_cursor_that_is_none_is_refused(anna, cursor):
    with nothing_changes():
        answer = anna.client.ask("GET", f"{PATH}?cursor={cursor}")
        assert faults(answer) == ["cursor"]


def test_nobody_sees_it_but_the_player(anonymous, bo):
    problem(anonymous.ask("GET", PATH), "unauthenticated")
    assert {item["username"] for item in bo.client.get_json(PATH)["items"] if item["type"] == "account"} == {
        "bo"
    }


@pytest.mark.parametrize("games", [2, 12])
def test_a_page_costs_as_many_statements_whatever_there_is(zebedee, bo, make_game, games):
    zebedee.client.get_json("me/")
    for _ in range(games):
        game = make_game("sicksack", [zebedee, bo])
        assert zebedee.client.post(f"games/{game}/moves", {"ply": 0, "move": CHANCE}).status_code == 201
    with CaptureQueriesContext(connection) as queries:
        items = zebedee.client.get_json(PATH)["items"]
    assert len(items) == 2 + 2 * games
    assert len(queries) == 2 + len(PARTS)  # the token, and the roles


def test_a_page_in_the_middle_reads_no_part_before_or_behind_it(zebedee, bo, make_game):
    for _ in range(3):
        make_game("sicksack", [zebedee, bo])
    page = zebedee.client.get_json(f"{PATH}?limit=3")
    with CaptureQueriesContext(connection) as queries:
        page = zebedee.client.get_json(page["next"])
    assert [item["type"] for item in page["items"]] == ["game"] * 2
    assert not any("accounts_session" in query["sql"] for query in queries)


# What is hidden.


def same_part(facts, game):
    """The moves of a game as they were exported, without what tells games apart."""
    return [
        {name: value for name, value in fact.items() if name not in ("game", "at")}
        for fact in facts
        if fact["type"] == "move" and fact["game"] == str(game)
    ]


@pytest.mark.parametrize("variant", VARIANTS[::3], ids=lambda variant: variant.name)
def test_of_a_game_that_goes_on_there_is_nothing_that_one_may_not_know(variant, make_player, make_game_of):
    setup, entries, _ = golden(variant)
    seated = [make_player(name) for name in ("anna", "bo", "cilla", "david", "eva", "filip")][: variant.seats]
    both, other = shared_part(setup, entries, 0, Random(variant.name), late=False)
    games = [
        make_game_of(dealt.deck, variant.slug, seated, options=variant.options, seats=variant.seats)
        for dealt in (setup, other)
    ]
    for step in steps_of(setup, both):
        for game in games:
            body = {"ply": step.before.ply, "move": table.stored_move(step.entry.move)}
            answer = seated[step.entry.seat].client.post(f"games/{game}/moves", body)
            assert answer.status_code == 201
    facts = whole_list(seated[0].client, f"{PATH}?limit=100")
    one, two = (same_part(facts, game) for game in games)
    assert one == two
    assert len(one) == sum(entry.seat == 0 for entry in both)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_what_is_stored_of_a_move_is_what_its_player_saw_of_it(variant):
    setup, entries, _ = golden(variant)
    for step in steps_of(setup, entries):
        seat, rules = step.entry.seat, setup.rules
        seen, _ = rules.redact(step.before.state, seat, seat, step.entry.move, step.events)
        assert table.stored_move(seen) == table.stored_move(step.entry.move)
