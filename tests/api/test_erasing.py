"""An account that is erased: nothing says who was behind it, nobody gets its name, and what was played stays."""

import json
import threading
from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connections, transaction
from django.db.models import F
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import ApiToken, AuditEntry, ErasedName, IdempotentAnswer, Player, Session
from accounts.selectors.accesses import Access
from accounts.services.audit import audit_write
from accounts.services.erasing import account_erase
from accounts.services.players import bot_create, player_update
from accounts.services.sanctions import player_sanction, sanction_lift
from accounts.tickets import new_ticket
from cardsite.problems import Problem
from games.locks import database_time
from games.models import Event, Game, RatingChange, Reveal, Seat, Voiding
from games.proofs import check_proof, read_proof
from games.selectors.standings import rating_disagreements
from games.services import erasing
from games.services.agreement import board_disagreements
from games.services.daily import daily_deals_make, daily_start
from games.services.erasing import erasing_finish, player_erase
from games.services.gathering import game_join
from games.services.leaving import game_resign
from games.services.rating import game_void
from games.services.revealing import game_reveal
from games.tasks import finish_erasing
from tests.api.published import assert_documented
from tests.api.test_rated import rated_game
from tests.api.threads import together
from tests.conftest import Client, basic
from tests.expect import everything, nothing_changes, problem

PASSWORD = "brown-otter-47"
NAMES = ("zebedee", "zeb quux", "zeb@quux.example", "zebbot")
HINT = "Send the user name and the password (Authorization: Basic …)."


@pytest.fixture
def zebedee(make_player):
    player = make_player("Zebedee", email="zeb@quux.example", password=PASSWORD)
    return displayed(player, "Zeb Quux")


def displayed(player, display_name):
    Player.objects.filter(id=player.id).update(display_name=display_name)
    player.refresh_from_db()
    return player


def by_password(path, password=PASSWORD, name="zebedee", method="DELETE"):
    return Client().ask(method, path, authorization=basic(f"{name}:{password}"))


def erase(player):
    answer = by_password("me/", name=player.username)
    assert answer.status_code == 204, answer.content
    assert_documented("/api/v1/me/", "DELETE", answer)
    player.refresh_from_db()


def left_over():
    """The tables in which one of the names still stands, however it is written."""
    spelt = [word for name in NAMES for word in (name, name.encode().hex(), json.dumps(name))]
    return {
        table: [word for word in spelt if word in rows.lower()]
        for table, rows in everything().items()
        if any(word in rows.lower() for word in spelt)
    }


@pytest.fixture
def lived(zebedee, bo, staff, make_game, time_stands):
    """What leaves traces: everything that an account can have, with its names wherever people can write them."""
    client = zebedee.client
    assert client.post("me/tokens/", {"name": "zebedee's laptop"}).status_code == 201
    made = client.post("games/", {"ruleset": "freecell"}, idempotency_key="zebedee-1")
    assert made.status_code == 201
    bot, _, _ = bot_create(owner=zebedee, username="zebbot", display_name="Zeb Quux's")
    browser = Client()
    assert browser.login(username="Zebedee", password=PASSWORD)
    mute = player_sanction(
        player=zebedee, by=staff, kind="mute", reason="Zebedee (zeb@quux.example) shouted", until=None
    )
    sanction_lift(player=mute.player, sanction_id=mute.id, by=staff, reason="zebedee asked")
    player_sanction(player=bo, by=staff, kind="warning", reason="hurt @ZEBEDEE, zeb@quux.example", until=None)
    audit_write(by=zebedee, act="test", reason="I am zebedee", details={"seat": 1})
    game = make_game("sicksack", [zebedee, bo])
    game_reveal(game_id=game, by=staff, reason="a report by Zebedee")
    game_resign(game_id=game, player=bo)
    game_void(game_id=game, by=staff, reason="Zebedee is zebbot")
    LogEntry.objects.create(
        user=staff,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(zebedee.id),
        object_repr="Zebedee",
        action_flag=CHANGE,
        change_message="Zebedee was called @zebedee",
    )
    daily_deals_make(today=database_time().date())
    daily_start(player=zebedee, day=database_time().date(), ruleset="camelot")
    assert {table for table, _ in left_over().items()} >= {
        *("accounts_player", "accounts_apitoken", "accounts_sanction", "accounts_auditentry"),
        *("games_voiding", "games_reveal", "django_admin_log"),
    }
    assert IdempotentAnswer.objects.exists()
    return {"browser": browser, "bot": bot, "game": game}


def test_nothing_of_names_and_address_is_left_anywhere_in_the_database(zebedee, lived, bo):
    erase(zebedee)
    assert left_over() == {}
    found = Player.objects.get(id=zebedee.id)
    assert found.username.startswith("deleted-")
    assert (len(found.username), found.display_name, found.email) == (20, "deleted player", "")
    assert (found.is_active, found.last_login, found.has_usable_password()) == (False, None, False)
    assert found.erased_at is not None
    bot = Player.objects.get(id=lived["bot"].id)
    assert bot.erased_at is not None
    assert len({found.username, bot.username, bo.username}) == 3
    assert not ApiToken.objects.filter(player__in=[found, bot]).exists()
    assert not Session.objects.exists()
    assert not IdempotentAnswer.objects.exists()
    assert ErasedName.objects.count() == 2


def test_what_was_written_about_the_player_tells_the_new_name(zebedee, lived):
    erase(zebedee)
    name, bot = zebedee.username, Player.objects.get(id=lived["bot"].id).username
    assert [one.reason for one in zebedee.sanctions.all()] == [f"{name} ({name}) shouted"]
    assert [one.lift_reason for one in zebedee.sanctions.all()] == [f"{name} asked"]
    assert Player.objects.get(username="bo").sanctions.get().reason == f"hurt @{name}, {name}"
    written = AuditEntry.objects.get(act="test")
    assert (written.reason, written.details) == (f"I am {name}", {"seat": 1})
    assert Voiding.objects.get().reason == f"{name} is zebbot".replace("zebbot", bot)
    assert Reveal.objects.get().reason == f"a report by {name}"
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message) == (name, f"{name} was called @{name}")


def test_a_word_that_somebody_took_for_a_name_stays_in_what_was_written_about_others(make_player, bo, staff):
    was = make_player("was")
    player_sanction(
        player=bo, by=staff, kind="warning", reason="was rude to @was, a@was.se, wasp", until=None
    )
    player_sanction(player=was, by=staff, kind="warning", reason="was was-ted, WAS rude", until=None)
    player_erase(player=was, by=staff, reason="was asked for")
    was.refresh_from_db()
    assert bo.sanctions.get().reason == f"was rude to @{was.username}, a@was.se, wasp"
    assert was.sanctions.get().reason == f"{was.username} was-ted, {was.username} rude"
    assert AuditEntry.objects.get(act="erase").reason == f"{was.username} asked for"


@pytest.mark.parametrize("display_name", ["sold seats to bob", "{}", "null", ":", "(.*) [x] \\ $1"])
def test_nobody_changes_by_a_display_name_what_was_written(make_player, staff, display_name):
    player = displayed(make_player("a_-b"), display_name)
    written = f"a_-b {display_name}."
    player_sanction(player=player, by=staff, kind="warning", reason=written, until=None)
    before = AuditEntry.objects.get(act="warning").details
    player_erase(player=player, by=staff, reason="a letter")
    player.refresh_from_db()
    assert player.sanctions.get().reason == f"{player.username} {display_name}."
    kept = AuditEntry.objects.get(act="warning")
    assert (kept.reason, kept.details) == (f"{player.username} {display_name}.", before)
    assert before.keys() == {"sanction", "until"}


@pytest.mark.parametrize("username", ["sanction", "until"])
def test_the_facts_of_an_act_stay_as_they_are(make_player, staff, username):
    player = make_player(username)
    player_sanction(player=player, by=staff, kind="mute", reason="x", until=None)
    player_erase(player=player, by=staff, reason="a letter")
    assert AuditEntry.objects.get(act="mute").details.keys() == {"sanction", "until"}


def test_a_long_reason_stays_as_long_as_one_may_be(make_player, staff):
    player = make_player("ab")
    player_sanction(player=player, by=staff, kind="warning", reason="ab " * 66 + "ab", until=None)
    player_erase(player=player, by=staff, reason="a letter")
    reason = player.sanctions.get().reason
    assert len(reason) == 200
    assert "ab " not in reason


# Access.


def test_tokens_sessions_tickets_and_password_are_dead_at_once(zebedee, lived):
    ticket = new_ticket(Access(zebedee.id))
    browser, bots = lived["browser"], ApiToken.objects.filter(player=lived["bot"])
    assert browser.get_json("me/")["username"] == "Zebedee"
    assert bots.count() == 1
    erase(zebedee)
    problem(zebedee.client.ask("GET", "me/"), "invalid_credentials")
    problem(zebedee.client.ask("GET", f"games/{lived['game']}/"), "invalid_credentials")
    problem(browser.ask("GET", "me/"), "unauthenticated")
    problem(Client().ask("GET", f"me/events?ticket={ticket}"), "invalid_credentials")
    for name in ("zebedee", zebedee.username):
        problem(by_password("me/tokens/", name=name, method="GET"), "invalid_credentials")
    assert not Client().login(username=zebedee.username, password=PASSWORD)


@pytest.mark.parametrize("name", ["Zebedee", "zebedee", "ZEBEDEE", "zebbot", "ZebBot"])
def test_the_name_is_never_taken_again_and_it_is_not_told_why(zebedee, lived, bo, anonymous, name):
    erase(zebedee)
    detail = f"The name {name} is taken, or was once."
    with nothing_changes():
        answer = anonymous.post("accounts/", {"username": name, "password": "green-heron-12"})
        problem(answer, "username_taken", detail=detail)
        problem(bo.client.post("me/bots/", {"username": name}), "username_taken", detail=detail)
    assert anonymous.post(
        "accounts/", {"username": "Zebedee2", "password": "green-heron-12"}
    ).status_code == (201)


def test_the_profile_is_gone_and_nobody_is_found_by_the_new_name_either(zebedee, lived, anonymous):
    erase(zebedee)
    for name in ("zebedee", "zebbot", zebedee.username):
        for path in ("", "ratings", "rating-changes?ruleset=sicksack", "record"):
            problem(anonymous.ask("GET", f"players/{name}/{path}"), "not_found")


# Who may.


@pytest.mark.parametrize("how", ["token", "session", "nobody"])
def test_an_account_is_erased_by_its_password_alone(zebedee, how):
    browser = Client()
    browser.force_login(zebedee)
    client = {"token": zebedee.client, "session": browser, "nobody": Client()}[how]
    with nothing_changes():
        for path in ("me/", "me/bots/robot/"):
            answer = client.ask("DELETE", path)
            problem(answer, "unauthenticated", detail=HINT)
            assert answer.headers["WWW-Authenticate"] == 'Basic realm="api"'
            assert_documented(f"/api/v1/{path}", "DELETE", answer)


def test_a_wrong_password_erases_nothing(zebedee, bo):
    with nothing_changes():
        problem(by_password("me/", "wrong-otter-47"), "invalid_credentials")
        problem(by_password("me/", name="bo"), "invalid_credentials")
        problem(by_password("me/", name="nobody"), "invalid_credentials")


def test_the_staff_erases_a_suspended_player_who_asks_for_it(zebedee, staff):
    player_sanction(player=zebedee, by=staff, kind="suspension", reason="x", until=None)
    player_erase(player=zebedee, by=staff, reason="asked for by letter")
    zebedee.refresh_from_db()
    assert zebedee.erased_at is not None


def test_whoever_has_a_role_loses_it_before_the_account(make_player, staff):
    other, _ = make_player("other"), make_player("zebedee", is_staff=True, password=PASSWORD)
    with nothing_changes():
        answer = by_password("me/")
        detail = "Whoever has a role loses it first: somebody who ranks above takes it."
        problem(answer, "forbidden", detail=detail)
        assert_documented("/api/v1/me/", "DELETE", answer)
    with nothing_changes(), pytest.raises(Problem, match="loses it first"):
        player_erase(player=staff, by=staff, reason="x")
    with nothing_changes(), pytest.raises(Problem, match="reason"):
        player_erase(player=other, by=staff, reason=" ")


def test_who_erased_whom_and_why_is_written_down(zebedee, lived, staff):
    player_erase(player=zebedee, by=staff, reason=" a letter of Zebedee's ")
    zebedee.refresh_from_db()
    entries = AuditEntry.objects.filter(act="erase")
    assert {(entry.by, entry.player_id) for entry in entries} == {
        (staff, zebedee.id),
        (staff, lived["bot"].id),
    }
    assert entries.get(player=zebedee).reason == f"a letter of {zebedee.username}'s"


def test_an_account_is_erased_once(zebedee, staff):
    erase(zebedee)
    with nothing_changes():
        player_erase(player=zebedee, by=staff, reason="again")
        problem(by_password("me/"), "invalid_credentials")


def test_a_bot_is_erased_by_its_owners_password(zebedee, bo, make_game):
    bot, _, secret = bot_create(owner=zebedee, username="robot", display_name=None)
    game = make_game("sicksack", [bot, bo])
    with nothing_changes():
        for name in ("bo", "nobody", "zebedee"):
            problem(by_password(f"me/bots/{name}/"), "not_found")
    answer = by_password("me/bots/ROBOT/")
    assert answer.status_code == 204
    assert_documented("/api/v1/me/bots/robot/", "DELETE", answer)
    problem(Client(secret).ask("GET", "me/"), "invalid_credentials")
    assert Game.objects.get(id=game).status == "finished"
    assert zebedee.client.get_json("me/bots/")["items"] == []
    problem(by_password("me/bots/robot/"), "not_found")
    assert zebedee.client.get_json("me/")["username"] == "Zebedee"


# Games.


def test_running_games_are_given_up_and_open_ones_left(zebedee, bo, cilla, make_game):
    several = make_game("sicksack", [bo, zebedee, cilla])
    rated = rated_game([zebedee, bo])
    private = make_game("sicksack", [zebedee, bo], private=True)
    patience = make_game("camelot", [zebedee])
    assert (
        zebedee.client.post(f"games/{patience}/moves", {"ply": 0, "move": {"type": "deal"}}).status_code
        == 201
    )
    untouched = make_game("camelot", [zebedee])
    own = make_game("sicksack", [zebedee, bo], start=False, seats=3)
    joined = make_game("sicksack", [bo, zebedee], start=False, seats=3)
    others = make_game("sicksack", [bo, cilla])
    erase(zebedee)
    found = {game.id: game for game in Game.objects.all()}
    assert {game_id: (found[game_id].status, found[game_id].ending) for game_id in found} == {
        several: ("running", None),
        rated: ("finished", "resigned"),
        private: ("finished", "resigned"),
        patience: ("finished", "resigned"),
        untouched: ("abandoned", "abandoned"),
        own: ("cancelled", None),
        joined: ("open", None),
        others: ("running", None),
    }
    assert found[several].left == [1]
    assert list(Seat.objects.filter(game=joined).values_list("player", flat=True)) == [bo.id]
    assert list(rating_disagreements()) == []
    assert RatingChange.objects.filter(game=rated).count() == 2
    for player in (bo, cilla):
        seats = player.client.get_json(f"games/{several}/")["seats"]
        assert seats[1]["player"] == {"username": zebedee.username, "display_name": "deleted player"}
        assert seats[1]["left"]


def test_what_was_played_is_told_shown_and_proven_with_the_new_name(zebedee, bo, anonymous, make_game):
    game = rated_game([zebedee, bo])
    assert (
        zebedee.client.post(f"games/{game}/moves", {"ply": 0, "move": {"type": "chance"}}).status_code == 201
    )
    erase(zebedee)
    assert board_disagreements() == []
    for path in (
        *(f"games/{game}/{path}" for path in ("", "moves", "replay", "events", "proof", "export")),
        *("games/", "leaderboards/sicksack/", "leaderboards/sicksack/?measure=rating"),
    ):
        for client in (anonymous, bo.client):
            shown = client.ask("GET", path)
            assert shown.status_code == 200
            assert [name for name in NAMES if name in shown.content.decode().lower()] == [], path
    text = anonymous.ask("GET", f"games/{game}/").content.decode()
    assert zebedee.username in text
    proof = read_proof(anonymous.ask("GET", f"games/{game}/proof").content)
    assert check_proof(proof) is None
    assert proof.players == (zebedee.username, "bo")
    assert [one["seat"] for one in anonymous.get_json(f"games/{game}/moves")["items"]][:1] == [0]


def test_dumps_that_are_made_afterwards_tell_the_new_name(zebedee, bo, make_game, time_passes, anonymous):
    make_game("sicksack", [zebedee, bo])
    erase(zebedee)
    time_passes(120)
    dump = anonymous.ask("GET", "exports/").content.decode()
    assert zebedee.username in dump
    assert [name for name in NAMES if name in dump.lower()] == []


def test_others_are_told_at_once_that_a_game_was_given_up(zebedee, bo, make_game):
    game = make_game("sicksack", [zebedee, bo])
    tag = bo.client.ask("GET", f"games/{game}/").headers["ETag"]
    erase(zebedee)
    assert bo.client.ask("GET", f"games/{game}/", if_none_match=tag).status_code == 200
    told = bo.client.get_json(f"games/{game}/events")["items"][-2:]
    assert [event["type"] for event in told] == ["entry", "ended"]
    assert (told[0]["entry"]["kind"], told[0]["entry"]["player"]) == ("resign", zebedee.username)


# What goes on at the same time.


def stray_token(player):
    """As of a statement that had begun before."""
    ApiToken.objects.create(player=player, name="zebedee's", digest=b"d" * 32, hint="card_")


def test_what_a_request_under_way_brings_back_goes_a_minute_later(zebedee, bo, make_game):
    game = make_game("sicksack", [bo], start=False)
    stale = Player.objects.get(id=zebedee.id)
    erase(zebedee)
    stray_token(zebedee)
    game_join(game_id=game, player=stale, entropy="", link=None)
    job = ProcrastinateJob.objects.get(task_name="games.tasks.finish_erasing")
    assert job.args == {"player_id": str(zebedee.id)}
    assert timedelta(seconds=50) < job.scheduled_at - database_time() <= timedelta(minutes=1)
    erasing_finish(player_id=UUID(job.args["player_id"]))
    assert left_over() == {}
    assert not Seat.objects.filter(player=zebedee).exists()
    assert Game.objects.get(id=game).status == "open"


def test_a_request_under_way_neither_changes_the_account_nor_makes_a_bot(zebedee):
    stale = Player.objects.get(id=zebedee.id)
    erase(zebedee)
    for ask in (
        lambda: player_update(player=stale, email="zeb@quux.example", display_name=None),
        lambda: bot_create(owner=stale, username="zebbot2", display_name=None),
    ):
        with nothing_changes(), pytest.raises(Problem, match="erased"):
            ask()


def test_a_game_that_cannot_be_left_just_now_is_left_later(zebedee, bo, make_game, monkeypatch):
    games = [make_game("sicksack", [zebedee, bo]) for _ in range(2)]

    def fails(*, game_id, player):
        if game_id == games[0]:
            raise Problem("unavailable", "Others were first.")
        game_resign(game_id=game_id, player=player)

    with monkeypatch.context() as patched:
        patched.setattr(erasing, "game_resign", fails)
        erase(zebedee)
        with pytest.raises(Problem, match="cannot be left"):
            erasing_finish(player_id=zebedee.id)
    assert [Game.objects.get(id=game).status for game in games] == ["running", "finished"]
    erasing_finish(player_id=zebedee.id)
    assert Game.objects.get(id=games[0]).status == "finished"
    with nothing_changes():
        erasing_finish(player_id=zebedee.id)


@pytest.mark.django_db(transaction=True)
def test_the_job_does_it(zebedee):
    player_erase(player=zebedee, by=zebedee, reason="a test")
    stray_token(zebedee)
    finish_erasing(**ProcrastinateJob.objects.get(args={"player_id": str(zebedee.id)}).args)
    assert not ApiToken.objects.exists()


def test_the_answer_that_named_a_bot_goes_with_the_bot_and_no_other(zebedee):
    for name in ("zebbot", "other-bot"):
        made = zebedee.client.post("me/bots/", {"username": name}, idempotency_key=f"make-{name}")
        assert made.status_code == 201
        IdempotentAnswer.objects.update(created_at=F("created_at") - timedelta(hours=1))
        Player.objects.filter(bot_of=zebedee).update(created_at=F("created_at") - timedelta(hours=1))
    assert by_password("me/bots/zebbot/").status_code == 204
    assert IdempotentAnswer.objects.count() == 1
    again = zebedee.client.post("me/bots/", {"username": "zebbot"}, idempotency_key="make-zebbot")
    problem(again, "username_taken")
    kept = zebedee.client.post("me/bots/", {"username": "other-bot"}, idempotency_key="make-other-bot")
    assert (kept.status_code, kept.headers["Idempotent-Replayed"]) == (201, "true")


@pytest.mark.django_db(transaction=True)
def test_of_two_erasures_at_once_one_is_made(zebedee, bo, staff, make_game):
    game = make_game("sicksack", [zebedee, bo])

    def erases():
        player_erase(player=Player.objects.get(id=zebedee.id), by=staff, reason="a letter")

    together(*[erases] * 4)
    assert AuditEntry.objects.filter(act="erase").count() == 1
    assert ErasedName.objects.count() == 1
    assert Game.objects.get(id=game).status == "finished"
    kinds = list(Event.objects.filter(game=game).order_by("seq").values_list("kind", flat=True))
    assert kinds == ["created", "joined", "joined", "started", "entry", "ended"]


@pytest.mark.django_db(transaction=True)
def test_who_takes_the_name_while_it_is_being_erased_does_not_get_it(zebedee, bo):
    erased, found = threading.Event(), []

    def takes():
        erased.wait(10)
        try:
            bot_create(owner=bo, username="zebedee", display_name=None)
        except Problem as problem:
            found.append(problem.code)
        finally:
            connections.close_all()

    thread = threading.Thread(target=takes)
    thread.start()
    with transaction.atomic():
        account_erase(player=zebedee, by=zebedee, reason="a test")
        erased.set()
        thread.join(1)
        assert thread.is_alive(), "it waits for the end of the erasure"
    thread.join()
    assert found == ["username_taken"]
    assert not Player.objects.filter(username__iexact="zebedee").exists()
