"""What is done in the admin: by the services, each act with exactly one entry in the audit trail."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import ApiToken, AuditEntry, Player, Sanction, Session
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction
from accounts.services.tokens import token_create
from cardsite.admin import day_words
from games.locks import database_time
from games.models import Reveal, Voiding
from games.services.leaving import game_resign
from tests.admin.conftest import GAMES, JOBS, PLAYERS, REASON, Browser, fail
from tests.expect import nothing_changes


@pytest.fixture
def moderator(make_staff):
    return make_staff("moderator")


@pytest.fixture
def operator(make_staff):
    return make_staff("operator")


def refused_at_once(browser, path, words, status=403):
    """It is said why not, and no reason is asked for."""
    with nothing_changes():
        page = browser.page(path, status)
    assert words in page.replace("&#x27;", "'")
    assert 'name="reason"' not in page


def done(browser, path, **fields):
    """Do something: the entry that it left in the trail, the only one."""
    before = database_time()
    assert browser.page(path)
    answer = browser.send(path, **{"reason": REASON} | fields)
    assert answer.status_code == 302, answer.content
    (entry,) = AuditEntry.objects.all()
    assert (entry.by, entry.reason) == (browser.player, REASON)
    assert before - timedelta(seconds=60) < entry.at < database_time() + timedelta(seconds=60)
    assert not LogEntry.objects.exists()  # Django's own log would be a second one
    return entry, answer.headers["Location"]


def refused(browser, path, words, **fields):
    """Try to do something: it is refused in these words, and changes nothing."""
    with nothing_changes():
        answer = browser.send(path, **{"reason": REASON} | fields)
    assert answer.status_code == 422
    assert words in answer.content.decode()


@pytest.mark.parametrize(
    ("act", "kind", "until"),
    [
        ("warn", "warning", None),
        ("mute", "mute", None),
        ("suspend", "suspension", None),
        ("suspend", "suspension", "2126-01-02T03:04"),
    ],
)
def test_a_player_is_sanctioned(moderator, anna, act, kind, until):
    entry, back = done(moderator, f"{PLAYERS}{anna.id}/{act}/", **({"until": until} if until else {}))
    assert (entry.act, entry.player) == (kind, anna)
    sanction = Sanction.objects.get(player=anna)
    assert (sanction.kind, sanction.reason, sanction.by) == (kind, REASON, moderator.player)
    assert (sanction.until and f"{sanction.until:%Y-%m-%dT%H:%M}") == until
    page = moderator.page(back)
    assert f"{PLAYERS}{anna.id}/sanctions/{sanction.id}/lift/" in page or act == "warn"
    # On top what is in force, and all among the sanctions and in the trail.
    assert page.count(REASON) == (2 if act == "warn" else 3)


@pytest.mark.parametrize("until", ["2020-01-01T00:00", "soon"])
def test_a_sanction_ends_later_than_now(moderator, anna, until):
    words = {"soon": "Enter a valid date/time."}.get(until, "must be later than now")
    refused(moderator, f"{PLAYERS}{anna.id}/mute/", words, until=until)


def test_whoever_has_a_role_is_not_sanctioned(moderator, operator):
    words = "Whoever has a role loses it first: somebody who ranks above takes it."
    for act in ("warn", "mute", "suspend"):
        path = f"{PLAYERS}{operator.player.id}/{act}/"
        refused_at_once(moderator, path, words)
        refused(moderator, path, words)


def test_what_would_be_refused_whatever_the_reason_asks_for_none(moderator, operator, anna):
    bot, _, _ = bot_create(owner=anna, username="robot", display_name=None)
    refused_at_once(
        moderator, f"{PLAYERS}{bot.id}/mute/", "A bot's owner is meant, and the bot with the owner."
    )
    refused_at_once(moderator, f"{PLAYERS}{moderator.player.id}/warn/", "Nobody judges themselves.")
    for act in ("end-tokens", "end-sessions", "reset-name"):
        words = "a-operator ranks as an operator, and only who ranks above acts on that account."
        refused_at_once(moderator, f"{PLAYERS}{operator.player.id}/{act}/", words)


def test_a_game_that_runs_is_not_voided(moderator, game):
    path = f"{GAMES}{game['id']}/void/"
    refused_at_once(moderator, path, "The game is running.", 409)
    refused(moderator, path, "The game is running.")


def test_who_played_a_game_is_not_asked_why_it_is_to_be_voided(moderator, anna, make_game):
    over = make_game("sicksack", [anna, moderator.player])
    game_resign(game_id=over, player=anna)
    refused_at_once(
        moderator, f"{GAMES}{over}/void/", "Who played a game, or whose bot did, does not void it."
    )


def test_a_sanction_is_lifted(moderator, anna, boss):
    sanction = player_sanction(player=anna, by=boss.player, kind="suspension", reason="rude", until=None)
    answer = moderator.send(f"{PLAYERS}{anna.id}/sanctions/{sanction.id}/lift/", reason=REASON)
    assert answer.status_code == 302
    sanction.refresh_from_db()
    assert (sanction.lifted_by, sanction.lift_reason) == (moderator.player, REASON)
    entry = AuditEntry.objects.get(act="lift")
    assert (entry.by, entry.player, entry.reason) == (moderator.player, anna, REASON)
    assert anna.client.get_json("me/")


def test_a_sanction_of_another_is_not_found(moderator, anna, bo, boss):
    of_bo = player_sanction(player=bo, by=boss.player, kind="mute", reason="rude", until=None)
    for sanction in (of_bo.id, UUID(int=7)):
        path = f"{PLAYERS}{anna.id}/sanctions/{sanction}/lift/"
        refused_at_once(moderator, path, "There is no such sanction.", 404)
        refused(moderator, path, "There is no such sanction.")


def test_a_display_name_is_reset(moderator, anna):
    path = f"{PLAYERS}{anna.id}/reset-name/"
    refused(moderator, path, "The display name is the user name already.")
    Player.objects.filter(id=anna.id).update(display_name="Something rude")
    assert "“Something rude”" in moderator.page(path)
    entry, back = done(moderator, path)
    assert (entry.act, entry.player, entry.details) == ("reset_display_name", anna, {})
    assert Player.objects.get(id=anna.id).display_name == "anna"
    assert "The display name is anna now." in moderator.page(back)
    assert path not in moderator.page(back)


def test_nothing_is_reset_of_who_is_gone(moderator):
    gone = Player.objects.create(
        username="deleted-1", display_name="deleted player", is_active=False, erased_at=database_time()
    )
    refused(moderator, f"{PLAYERS}{gone.id}/reset-name/", "The account was erased.")


def test_all_tokens_are_ended(moderator, anna):
    entry, back = done(moderator, f"{PLAYERS}{anna.id}/end-tokens/")
    assert (entry.act, entry.player, entry.details) == ("revoke_tokens", anna, {"tokens": 1})
    assert anna.client.ask("GET", "me/").status_code == 401
    assert "1 tokens were ended." in moderator.page(back)


def test_one_token_is_ended(moderator, anna):
    token, _ = token_create(player=anna, name="laptop")
    entry, _ = done(moderator, f"{PLAYERS}{anna.id}/tokens/{token.id}/end/")
    assert (entry.act, entry.player, entry.details) == ("revoke_token", anna, {"token": str(token.id)})
    assert ApiToken.objects.filter(player=anna, revoked_at=None).count() == 1
    refused(moderator, f"{PLAYERS}{anna.id}/tokens/{token.id}/end/", "no such token")


def test_sessions_are_ended(moderator, anna):
    one, two = Browser(anna), Browser(anna)
    handle = Session.objects.get(session_key=one.session.session_key).handle
    entry, _ = done(moderator, f"{PLAYERS}{anna.id}/sessions/{handle}/end/")
    assert (entry.act, entry.player) == ("end_session", anna)
    assert one.ask("GET", "me/").status_code == 401
    assert two.ask("GET", "me/").status_code == 200
    refused(moderator, f"{PLAYERS}{anna.id}/sessions/{handle}/end/", "The player has no such session.")
    assert moderator.send(f"{PLAYERS}{anna.id}/end-sessions/", reason=REASON).status_code == 302
    assert AuditEntry.objects.get(act="end_sessions").details == {"sessions": 1}
    assert two.ask("GET", "me/").status_code == 401


@pytest.mark.parametrize("role", ["viewer", "moderator", "operator"])
def test_a_role_is_given_and_taken(operator, boss, anna, role):
    giver = boss if role == "operator" else operator
    entry, _ = done(giver, f"{PLAYERS}{anna.id}/role/", role=role)
    assert (entry.act, entry.player) == ("set_role", anna)
    anna = Player.objects.get(id=anna.id)
    assert (anna.is_staff, [group.name for group in anna.groups.all()]) == (True, [role])
    assert giver.send(f"{PLAYERS}{anna.id}/role/", role="", reason=REASON).status_code == 302
    anna = Player.objects.get(id=anna.id)
    assert (anna.is_staff, list(anna.groups.all())) == (False, [])


def test_nobody_gives_themselves_a_role(operator):
    refused(operator, f"{PLAYERS}{operator.player.id}/role/", "Nobody sets their own role.", role="viewer")


@pytest.mark.parametrize("role", ["emperor", "operator"])
def test_no_unknown_role_is_given_nor_ones_own(operator, anna, role):
    path = f"{PLAYERS}{anna.id}/role/"
    assert f'value="{role}"' not in operator.page(path)
    refused(operator, path, f"{role} is not one of the available choices", role=role)


def test_a_player_is_erased(operator, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    entry, back = done(operator, f"{PLAYERS}{anna.id}/erase/", name="anna")
    assert (entry.act, entry.player_id) == ("erase", anna.id)
    erased = Player.objects.get(id=anna.id)
    assert erased.username.startswith("deleted-")
    assert anna.client.ask("GET", "me/").status_code == 401
    page = operator.page(back)
    assert "deleted player" in page
    assert ">anna<" not in page
    assert "anna" not in operator.page(f"{GAMES}{game}/change/")


def test_whoever_has_a_role_is_not_asked_about_being_erased(operator, moderator):
    path = f"{PLAYERS}{moderator.player.id}/erase/"
    refused_at_once(operator, path, "Whoever has a role loses it first")
    refused(operator, path, "Whoever has a role loses it first", name=moderator.player.username)


@pytest.mark.parametrize(("act", "times"), [("warn", 2), ("mute", 1), ("suspend", 1)])
def test_what_is_sent_twice_holds_once(moderator, anna, act, times):
    path = f"{PLAYERS}{anna.id}/{act}/"
    answers = [moderator.send(path, reason=REASON, until="") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Sanction.objects.filter(player=anna).count() == times
    assert AuditEntry.objects.filter(player=anna).count() == times


@pytest.mark.parametrize("name", ["", "bo", "Anna"])
def test_a_player_is_not_erased_but_by_name(operator, anna, name):
    words = "This is not the name of the player." if name else "This field is required."
    refused(operator, f"{PLAYERS}{anna.id}/erase/", words, name=name)


def test_a_game_is_voided(moderator, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    path = f"{GAMES}{game}/void/"
    refused(moderator, path, "The game is running.")
    assert path not in moderator.page(f"{GAMES}{game}/change/")
    game_resign(game_id=game, player=bo)
    assert path in moderator.page(f"{GAMES}{game}/change/")
    entry, back = done(moderator, path)
    assert (entry.act, entry.game, entry.player) == ("void", game, None)
    voiding = Voiding.objects.get(game=game)
    assert (voiding.by, voiding.reason) == (moderator.player, REASON)
    page = moderator.page(back)
    assert REASON in page
    assert path not in page


def test_a_long_reason_is_refused_where_it_stands(moderator, anna):
    refused(moderator, f"{PLAYERS}{anna.id}/warn/", "has 1 to 200 characters", reason="x" * 201)


def test_a_game_is_revealed_to_who_asks_and_to_nobody_else(moderator, operator, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    path, data = f"{GAMES}{game}/reveal/", f"{GAMES}{game}/replay/"

    def hands(browser):
        return [hand["cards"] for hand in browser.get_json(data)["items"][0]["position"]["view"]["hands"]]

    assert hands(moderator) == [None, None]
    page = moderator.page(path)
    assert "written to the audit trail" in page
    assert "no longer take a seat" in page
    entry, _ = done(moderator, path)
    assert (entry.act, entry.game) == ("reveal", game)
    assert (Reveal.objects.get().by, Reveal.objects.get().game_id) == (moderator.player, game)
    assert [len(hand) for hand in hands(moderator)] == [3, 3]
    assert hands(operator) == [None, None]
    assert path not in moderator.page(f"{GAMES}{game}/change/")
    assert path in operator.page(f"{GAMES}{game}/change/")
    words = f"You have seen what this game hides, on {day_words(entry.at.date())}, and may not play in it."
    assert words in moderator.page(f"{GAMES}{game}/change/")
    assert "You have seen" not in operator.page(f"{GAMES}{game}/change/")
    game_resign(game_id=game, player=anna)
    assert "You have seen" not in moderator.page(f"{GAMES}{game}/change/")


def test_who_was_shown_a_game_joins_it_no_more(moderator, anna, make_game):
    game = make_game("sicksack", [anna], start=False, seats=2)
    assert moderator.send(f"{GAMES}{game}/reveal/", reason=REASON).status_code == 302
    assert moderator.ask("POST", f"games/{game}/join", {"entropy": "x"}).status_code == 403


def test_who_sits_at_a_game_is_not_shown_it(make_staff, anna, make_game):
    moderator = make_staff("moderator")
    game = make_game("sicksack", [anna, moderator.player])
    refused_at_once(moderator, f"{GAMES}{game}/reveal/", "is not shown what it hides")
    refused(moderator, f"{GAMES}{game}/reveal/", "is not shown what it hides")
    hands = moderator.get_json(f"{GAMES}{game}/replay/")["items"][0]["position"]["view"]["hands"]
    assert [hand["cards"] for hand in hands] == [None, None]  # no more than a spectator sees


def test_a_job_is_tried_again(operator, job):
    path = f"{JOBS}{job}/retry/"
    assert path not in operator.page(f"{JOBS}{job}/change/")
    refused_at_once(operator, path, "The job has not failed.")
    refused(operator, path, "The job has not failed.")
    fail(job)
    assert path in operator.page(f"{JOBS}{job}/change/")
    entry, _ = done(operator, path)
    assert (entry.act, entry.details["job"]) == ("retry_job", job)
    assert ProcrastinateJob.objects.get(id=job).status == "todo"


@pytest.mark.parametrize(("heard_of", "is_offered"), [("1 second", False), ("1 minute", True)])
def test_a_job_is_offered_to_be_tried_again_when_its_worker_is_dead(operator, job, heard_of, is_offered):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) "
            "VALUES (statement_timestamp() - %s::interval) RETURNING id",
            [heard_of],
        )
        (worker,) = cursor.fetchone()
        cursor.execute(
            "UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s WHERE id = %s", [worker, job]
        )
    path = f"{JOBS}{job}/retry/"
    assert (path in operator.page(f"{JOBS}{job}/change/")) is is_offered
    assert operator.send(path, reason=REASON).status_code == (302 if is_offered else 422)


@pytest.mark.parametrize("path", [f"{GAMES}%s/void/", f"{PLAYERS}%s/warn/", f"{GAMES}%s/reveal/"])
@pytest.mark.parametrize("unknown", [str(UUID(int=7)), "nonsense"])
def test_what_is_not_there_is_not_found(boss, path, unknown):
    with nothing_changes():
        assert boss.ask("GET", path % unknown).status_code == 404
        assert boss.send(path % unknown, reason=REASON).status_code == 404
