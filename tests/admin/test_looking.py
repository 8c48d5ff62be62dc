"""What is on the pages of the admin, and that nothing is changed by looking."""

import json
import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.checks import ERROR, run_checks
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import ApiToken, AuditEntry, Player
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction
from games.admin.words import clock_words, entry_words, has_french_deck
from games.clock import BankClock, TurnClock
from games.locks import database_time
from games.models import Board, DailyDeal, Deal, Game, Move
from games.selectors.activity import activity
from games.services.boards import boards_project
from games.services.daily import daily_deals_make, daily_start
from games.services.erasing import player_erase
from games.services.leaving import game_resign
from games.services.playing import moves_play
from games.services.rating import game_void
from tests.admin.conftest import (
    AUDIT,
    BOARDS,
    DAILIES,
    GAMES,
    JOBS,
    PLAYERS,
    ROLES,
    Browser,
    fail,
)
from tests.api.finished import NOON, finish, of_several, patience
from tests.conftest import Client
from tests.expect import nothing_changes


@pytest.fixture
def pages(anna, game, job):
    return [
        "/admin/",
        PLAYERS,
        f"{PLAYERS}?q=anna",
        f"{PLAYERS}{anna.id}/change/",
        GAMES,
        f"{GAMES}?q=anna",
        f"{GAMES}?q={game['id']}",
        f"{GAMES}{game['id']}/change/",
        JOBS,
        f"{JOBS}?status=todo",
        AUDIT,
        BOARDS,
        DAILIES,
        ROLES,
        f"{JOBS}{job}/change/",
    ]


def test_staff_opens_every_page(boss, pages):
    for path in pages:
        assert "Cardsite" in boss.page(path)


def test_nobody_else_opens_any(anna, staff, pages):
    with_token = Client(staff.secret)
    staff.is_active = False
    retired = Browser(staff)
    Player.objects.filter(id=staff.id).update(is_active=False)
    for path in pages:
        for client in (Browser(anna), Client(), Client(anna.secret), with_token, retired):
            answer = client.ask("GET", path)
            assert answer.status_code == 302
            assert answer.headers["Location"].startswith("/admin/login/?next=")


def test_what_needs_no_database_asks_none(django_db_blocker):
    with django_db_blocker.block():
        assert [fault for fault in run_checks() if fault.level >= ERROR] == []


# What is not there.


def test_tokens_deals_moves_and_answers_are_not_registered():
    assert set(admin.site._registry) == {
        Player,
        AuditEntry,
        Group,
        Game,
        Board,
        DailyDeal,
        ProcrastinateJob,
    }


@pytest.mark.parametrize(
    "model",
    ["accounts/apitoken", "accounts/idempotentanswer", "accounts/session", "games/deal", "games/move"],
)
def test_there_is_no_page_of_them(boss, model):
    boss.page(f"/admin/{model}/", 404)


def test_no_page_shows_anything_of_seeds_decks_or_tokens(boss, anna, game, pages):
    deal = Deal.objects.get()
    today = database_time().date()
    daily_deals_make(today=today)
    attempt = daily_start(player=anna, day=today, ruleset="freecell")
    of_the_day = DailyDeal.objects.get(date=today, ruleset="freecell")
    token = ApiToken.objects.get(player=anna)
    hidden = [
        bytes(deal.seed).hex(),
        json.dumps(deal.deck),
        ",".join(deal.deck),
        " ".join(deal.deck[:3]),
        "entropy-of",
        game["link"],
        bytes(of_the_day.seed).hex(),
        ",".join(of_the_day.deck),
        " ".join(of_the_day.deck[:3]),
        bytes(Game.objects.get(id=game["id"]).link_digest).hex(),
        bytes(token.digest).hex(),
        anna.secret,
        anna.password,
    ]
    for path in [*pages, f"{GAMES}{attempt}/change/"]:
        content = boss.page(path)
        assert [secret for secret in hidden if secret in content] == []


# Nothing is changed.


def test_players_are_only_looked_at(boss, anna):
    fields = {"username": "other", "display_name": "A.", "email": "a@example.org", "is_active": ""}
    with nothing_changes():
        boss.page(f"{PLAYERS}add/", 403)
        boss.page(f"{PLAYERS}{anna.id}/delete/", 403)
        boss.page(f"{PLAYERS}{anna.id}/password/", 302)  # there is no such page; the list says so
        for path in (f"{PLAYERS}add/", f"{PLAYERS}{anna.id}/change/", f"{PLAYERS}{anna.id}/delete/"):
            assert boss.send(path, **fields).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [str(anna.id)], "post": "yes"}
        boss.send(PLAYERS, **chosen)
    assert not LogEntry.objects.exists()


def test_groups_are_only_looked_at(boss):
    group = Group.objects.create(name="clerks")
    with nothing_changes():
        for path in ("add/", f"{group.id}/change/", f"{group.id}/delete/"):
            assert boss.send(f"{ROLES}{path}", name="x").status_code == 403


def test_games_are_only_looked_at(boss, game):
    with nothing_changes():
        boss.page(f"{GAMES}add/", 403)
        boss.page(f"{GAMES}{game['id']}/delete/", 403)
        answer = boss.send(f"{GAMES}{game['id']}/change/", status="finished")
        assert answer.status_code == 403
    assert not LogEntry.objects.exists()


def test_jobs_are_only_looked_at(boss, job):
    assert "settle_overdue" in boss.page(JOBS)
    with nothing_changes():
        for path in ("add/", f"{job}/change/", f"{job}/delete/"):
            assert boss.send(f"{JOBS}{path}", status="doing").status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [str(job)], "post": "yes"}
        boss.send(JOBS, **chosen)


# What is there.


def test_a_running_game_is_shown_as_a_spectator_sees_it(boss, anna, bo, make_sicksack):
    game = make_sicksack([anna, bo], "9H 2C 3D 4S 5H 6C QH")
    assert moves_play(game_id=game, player=anna, body=b'{"ply": 0, "move": {"type": "chance"}}')
    page = boss.page(f"{GAMES}{game}/change/")
    assert f'replay="{GAMES}{game}/replay/"' in page
    assert f'game="{GAMES}{game}/summary/"' in page
    assert f'events="/api/v1/games/{game}/events"' in page
    assert page.count("to act") == 1
    assert ">sicksack<" not in page
    seen = Client().get_json(f"games/{game}/moves")["items"][0]["text"]
    assert seen == "seat 0 takes a chance, turns up QH, which fits"
    assert "anna takes a chance, turns up queen of hearts, which fits" in page
    assert boss.get_json(f"{GAMES}{game}/replay/") == {
        **Client().get_json(f"games/{game}/replay"),
        "next": None,
    }


def test_a_game_that_is_over_is_shown_whole_and_as_a_seat_saw_it(boss, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    game_resign(game_id=game, player=bo)
    replay = f"{GAMES}{game}/replay/"

    def hands(query=""):
        view = boss.get_json(replay + query)["items"][0]["position"]["view"]
        return [hand["cards"] is not None for hand in view["hands"]]

    assert hands() == [True, True]
    assert hands("?seat=0") == [True, False]
    assert hands("?seat=spectator") == [False, False]
    assert boss.ask("GET", f"{replay}?seat=2").status_code == 404
    for query in ("?seat=x", "?cursor=-1", "?limit=0", "?limit=101", "?other=1"):
        assert boss.ask("GET", replay + query).status_code == 400
    page = boss.page(f"{GAMES}{game}/change/")
    assert "<td>bo gives up</td>" in page
    assert "1st" in page
    assert f'href="/api/v1/games/{game}/proof"' in page


def test_pages_of_a_replay_follow_on_each_other(boss, anna):
    made = anna.client.post("games/", {"ruleset": "camelot"}).json()["id"]
    anna.client.post(f"games/{made}/start", {})
    for ply in range(5):
        move = anna.client.get_json(f"games/{made}/legal-moves?limit=1")["items"][0]
        assert anna.client.post(f"games/{made}/moves", {"ply": ply, "move": move}).status_code == 201
    path, plies = f"{GAMES}{made}/replay/?limit=2", []
    while path is not None:
        page = boss.get_json(path)
        plies += [item["position"]["ply"] for item in page["items"]]
        path = page["next"]
    assert plies == [0, 1, 2, 3, 4, 5]


def test_a_game_that_has_not_started_has_no_log(boss, anna, make_game):
    game = make_game("sicksack", [anna], start=False)
    assert "The game has not started." in boss.page(f"{GAMES}{game}/change/")
    assert boss.ask("GET", f"{GAMES}{game}/replay/").json()["code"] == "not_started"


def test_entries_are_counted_as_the_board_counts_them(boss, anna):
    """After each the game has come to the ply of its number, which is where its link leads."""
    made = anna.client.post("games/", {"ruleset": "camelot"}).json()["id"]
    anna.client.post(f"games/{made}/start", {})
    for ply in range(3):
        move = anna.client.get_json(f"games/{made}/legal-moves?limit=1")["items"][0]
        assert anna.client.post(f"games/{made}/moves", {"ply": ply, "move": move}).status_code == 201
    page = boss.page(f"{GAMES}{made}/change/?ply=2")
    links = re.findall(r'<tr( aria-current="true")?>\s*<td><a class="cs-link" href="\?ply=(\d+)#board"', page)
    assert links == [("", "1"), (' aria-current="true"', "2"), ("", "3")]
    assert "1 to 3 of 3" in page
    log = re.findall(r"<td>anna</td>\s*<td>(.*?)</td>", page)
    texts = [item["text"] for item in Client().get_json(f"games/{made}/moves")["items"]]
    assert log == [entry_words(text, ["anna"], is_french=True) for text in texts]
    replay = boss.get_json(f"{GAMES}{made}/replay/")["items"]
    assert [frame["position"]["ply"] for frame in replay if frame["entry"]] == [1, 2, 3]


def test_a_long_log_begins_where_the_board_does_and_is_paged(boss, anna, monkeypatch):
    monkeypatch.setattr("games.admin.replay.PER_PAGE", 2)
    made = anna.client.post("games/", {"ruleset": "camelot"}).json()["id"]
    anna.client.post(f"games/{made}/start", {})
    for ply in range(4):
        move = anna.client.get_json(f"games/{made}/legal-moves?limit=1")["items"][0]
        assert anna.client.post(f"games/{made}/moves", {"ply": ply, "move": move}).status_code == 201
    path = f"{GAMES}{made}/change/"
    assert "3 to 4 of 4" in boss.page(path)  # a game that goes on is looked at where it is
    assert 'href="?ply=1#log"' in boss.page(path)
    game_resign(game_id=made, player=anna)
    page = boss.page(path)
    assert "1 to 2 of 5" in page
    assert 'rel="next" href="?ply=3#log"' in page
    assert 'href="?ply=5#log"' in page
    for ply, shown in (
        ("3", "3 to 4 of 5"),
        ("5", "5 to 5 of 5"),
        ("9999999999", "5 to 5 of 5"),
        ("x", "1 to 2 of 5"),
    ):
        assert shown in boss.page(f"{path}?ply={ply}")
    assert 'rel="prev" href="?ply=1#log"' in boss.page(f"{path}?ply=3")


def test_cards_are_named_by_their_deck(anna, make_game):
    found = {
        slug: entry_words(
            "seat 0 puts 12O, TS and 2C aside",
            ["anna"],
            is_french=has_french_deck(Game.objects.get(id=make_game(slug, [anna]))),
        )
        for slug in ("las-pintas", "camelot")
    }
    assert found == {
        "las-pintas": "anna puts rey of oros, TS and 2 of copas aside",
        "camelot": "anna puts 12O, 10 of spades and 2 of clubs aside",
    }


@pytest.mark.parametrize("field", ["deal", "id", "commitment", "seats", "nothing", "owner"])
def test_a_page_is_found_by_its_key_alone(boss, anna, make_game, field):
    game = make_game("sicksack", [anna], start=False)
    with nothing_changes():
        answer = boss.ask("GET", f"{GAMES}{game}/change/?_to_field={field}")
    assert answer.status_code == (200 if field == "id" else 400)


@pytest.mark.parametrize("path", ["r/1/1/", "r/7/nonsense/", f"r/1/{UUID(int=7)}/"])
def test_nothing_leads_from_an_entry_by_its_type_and_key(boss, path):
    assert boss.ask("GET", f"/admin/{path}").status_code == 404


def test_a_name_that_looks_like_a_card_is_none():
    told = entry_words("seat 0 plays JD, seat 1 passes", ["JD", "Anna-2C"], is_french=True)
    assert told == "JD plays jack of diamonds, Anna-2C passes"
    told = entry_words("seat 0 plays 12O", ["2C"], is_french=False)
    assert told == "2C plays rey of oros"


def test_links_of_the_log_keep_the_eyes_that_one_looks_with(boss, anna, bo, make_game, monkeypatch):
    monkeypatch.setattr("games.admin.replay.PER_PAGE", 1)
    game = make_game("sicksack", [anna, bo])
    for ply in range(3):
        player = [anna, bo][Game.objects.get(id=game).to_act[0]]
        move = player.client.get_json(f"games/{game}/legal-moves?limit=1")["items"][0]
        assert player.client.post(f"games/{game}/moves", {"ply": ply, "move": move}).status_code == 201

    def led_to(query):
        page = boss.page(f"{GAMES}{game}/change/?{query}")
        return re.findall(r'href="(\?ply=[^"]*)#(?:log|board)"', page)

    plies = [2, 1, 1, 3, 3]
    assert led_to("ply=2") == [f"?ply={ply}" for ply in plies]
    assert led_to("ply=2&seat=1") == [f"?ply={ply}&amp;seat=1" for ply in plies]
    assert led_to("ply=2&seat=spectator") == [f"?ply={ply}&amp;seat=spectator" for ply in plies]
    assert led_to("ply=2&seat=%22x") == [f"?ply={ply}" for ply in plies]


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (None, "none"),
        (TurnClock(60), "0:01:00 for each turn"),
        (BankClock(600, 0), "0:10:00 for all turns"),
        (BankClock(600, 10), "0:10:00 for all turns, and 0:00:10 more with each"),
    ],
)
def test_the_clock_in_words(anna, bo, make_game, clock, words):
    game = make_game("sicksack", [anna, bo], clock=clock)
    assert clock_words(Game.objects.get(id=game)) == words


def test_what_was_done_for_a_seat_says_so(boss, anna, bo, cilla, make_game):
    game = make_game("sicksack", [anna, bo, cilla])
    first = Game.objects.get(id=game).to_act[0]
    game_resign(game_id=game, player=[anna, bo, cilla][first])
    assert Move.objects.filter(game=game, kind="auto").exists()
    assert "(played by itself)" in boss.page(f"{GAMES}{game}/change/")


def test_a_game_that_counts_for_nothing_says_so_first(boss, make_staff, anna, bo, make_game):
    game = make_game("sicksack", [anna, bo])
    game_resign(game_id=game, player=bo)
    assert "Voided" not in boss.page(f"{GAMES}{game}/change/")
    game_void(game_id=game, by=boss.player, reason="they were one person")
    page = make_staff("viewer").page(f"{GAMES}{game}/change/")
    (notice,) = re.findall(r'<p class="cs-notice".*?</p>', page)
    assert "Voided: this game counts for nothing." in notice
    assert f'<a href="{PLAYERS}{boss.player.id}/change/" class="cs-link">boss</a>' in notice
    assert "<time" in notice
    assert "they were one person" in notice
    assert f'href="{AUDIT}?game={game}&amp;act=void"' in notice
    assert page.index("cs-notice") < page.index("<game-board")


def test_seats_say_who_sits_there_and_until_when_they_act(boss, anna, bo, make_game):
    Player.objects.filter(id=anna.id).update(display_name="The best of all")
    Player.objects.filter(id=bo.id).update(bot_of=boss.player)
    game = make_game("sicksack", [anna, bo], clock=TurnClock(60))
    stored = Game.objects.get(id=game)
    page = boss.page(f"{GAMES}{game}/change/")
    assert "“The best of all”" in page
    assert page.count("(bot)") == 1
    (deadline,) = (at for at in stored.deadlines if at is not None)
    assert re.search(rf"to act until <time[^>]*>{deadline.day} {deadline:%b %Y, %H:%M:%S}</time>", page)
    assert "0:01:00 for each turn" in page
    assert "30 days" in page


def test_links_carry_no_filters(boss, anna, make_game):
    make_game("camelot", [anna])
    page = boss.page(f"{GAMES}?player=anna")
    assert "/change/" in page
    assert "_changelist_filters" not in page


def test_the_board_is_told_who_sits_where(boss, game):
    summary = boss.get_json(f"{GAMES}{game['id']}/summary/")
    assert summary == {
        "ruleset": "sicksack",
        "options": Game.objects.get(id=game["id"]).options,
        "status": "running",
        "ply": 0,
        "sealed_until": None,
        "your_seat": None,
        "seats": [
            {"number": 0, "player": {"username": "anna", "display_name": "anna"}, "left": False},
            {"number": 1, "player": {"username": "bo", "display_name": "bo"}, "left": False},
        ],
    }


def test_a_private_game_is_not_asked_of_the_api(boss, game):
    page = boss.page(f"{GAMES}{game['id']}/change/")
    assert f'replay="{GAMES}{game["id"]}/replay/"' in page
    assert "/api/v1/games/" not in page
    assert f"/games/{game['id']}/" not in page.replace(GAMES, "")


def test_a_player_is_shown_with_record_ratings_and_games(boss, anna, bo):
    finish(patience(anna), patience(anna, "loss"), of_several([anna, bo], (1, 2)))
    Player.objects.create(username="robot", display_name="robot", bot_of=anna)
    page = boss.page(f"{PLAYERS}{anna.id}/change/")
    assert "50\N{NO-BREAK SPACE}%" in page
    assert "1500 →" not in page
    assert page.count("(1st)") == 1
    assert "How the rating changed" in page
    assert ">robot<" in page
    assert f'href="{GAMES}?player=anna"' in page
    other = boss.page(f"{PLAYERS}{anna.id}/change/?rating=nonsense")
    assert "How the rating changed" in other


def test_a_board_is_shown_as_the_api_shows_it(boss, anna, bo):
    finish(
        *(patience(anna, length=12) for _ in range(3)),
        patience(bo, length=9),
        of_several([bo, anna], (1, 2)),
    )
    boards_project()
    for query, api in {
        "ruleset=camelot&measure=wins": "leaderboards/camelot/?measure=wins",
        "ruleset=camelot&measure=fewest_moves&period=all": "leaderboards/camelot/?measure=fewest_moves",
        "ruleset=camelot&measure=wins&of=2026-11-30": "leaderboards/camelot/?measure=wins&period=2026-11-30",
        "ruleset=sicksack": "leaderboards/sicksack/",
    }.items():
        page = boss.page(f"{BOARDS}?{query}")
        names = [item["username"] for item in Client().get_json(api)["items"]]
        assert names
        places = [page.index(f">{name}</a>") for name in names]
        assert places == sorted(places), query
    assert "Nobody stands on this board." in boss.page(f"{BOARDS}?ruleset=camelot&of=2020-01")
    assert "There is no player of that name." in boss.page(f"{BOARDS}?ruleset=camelot&around=nobody")
    assert "A month (2026-11)" in boss.page(f"{BOARDS}?ruleset=camelot&of=soon")
    assert ">bo</a>" in boss.page(f"{BOARDS}?ruleset=camelot&measure=wins&around=anna")


def test_the_first_page_has_what_goes_on(boss, anna, bo, make_game, job, time_stands):
    time_stands(NOON)
    finish(patience(anna), patience(bo), of_several([anna, bo], (1, 2)))
    boards_project()
    make_game("sicksack", [anna, bo])
    fail(job)
    page = boss.page("/admin/")
    for number, what in ((1, "Running games"), (0, "Open games"), (1, "Failed jobs")):
        assert f"{number}</span>" in page
        assert what in page
    seen = activity(days=30)
    assert str(seen.days[-1]) == "2026-11-30"
    assert (seen.games["camelot"][-1], seen.games["sicksack"][-1], sum(seen.games["freecell"])) == (2, 1, 0)
    assert seen.players[-1] == 2
    assert (seen.running, seen.open, seen.failed_jobs) == (1, 0, 1)


def test_the_first_page_says_what_is_left_undone(boss, anna, make_game, time_passes):
    game = make_game("camelot", [anna], abandon_after=timedelta(hours=1))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (statement_timestamp()), "
            "(statement_timestamp() - interval '1 minute')"
        )
    time_passes(3_600 + 59)
    assert (activity(days=30).overdue, activity(days=30).workers) == (0, 1)
    time_passes(2)
    assert (activity(days=30).overdue, activity(days=30).workers) == (1, 1)
    assert Game.objects.get(id=game).status == "running"
    page = boss.page("/admin/")
    assert f'href="{GAMES}?overdue=yes"' in page
    assert "Overdue games" in page
    assert "Workers alive" in page
    assert f'href="{JOBS}"' not in page.partition('id="content"')[2]
    assert f"{GAMES}{game}/change/" in boss.page(f"{GAMES}?overdue=yes")


def test_the_trail_tells_details_in_words(boss, anna):
    until = datetime(2126, 1, 2, 3, 4, tzinfo=UTC)
    player_sanction(player=anna, by=boss.player, kind="mute", reason="rude", until=until)
    player_sanction(player=anna, by=boss.player, kind="suspension", reason="rude", until=None)
    for act, words in (("mute", "until 2 Jan 2126, 03:04"), ("suspension", "until it is lifted")):
        page = boss.page(f"{AUDIT}{AuditEntry.objects.get(act=act).id}/change/")
        assert words in page
        assert "T03:04:00.000Z" not in page


def test_a_bot_leads_to_who_is_held_to_account_for_it(boss, anna):
    bot, _, _ = bot_create(owner=anna, username="robot", display_name=None)
    page = boss.page(f"{PLAYERS}{bot.id}/change/")
    link = f'<a href="{PLAYERS}{anna.id}/change/" class="cs-link">anna</a>'
    assert f"What stands against {link}, whose bot this is, binds the bot." in page


def test_what_somebody_of_the_staff_has_done_is_found_from_their_page(boss, make_staff, anna):
    moderator = make_staff("moderator").player
    assert f'href="{AUDIT}?by=a-moderator"' in boss.page(f"{PLAYERS}{moderator.id}/change/")
    assert "What this player has done" not in boss.page(f"{PLAYERS}{anna.id}/change/")


def test_pages_lead_to_those_outside(boss, anna, make_game):
    assert 'href="/players/anna/"' in boss.page(f"{PLAYERS}{anna.id}/change/")
    game = make_game("camelot", [anna])
    assert f'href="/games/{game}/"' in boss.page(f"{GAMES}{game}/change/")
    daily_deals_make(today=database_time().date())
    deal = DailyDeal.objects.first()
    assert f'href="/daily/{deal.date}/{deal.ruleset}/"' in boss.page(f"{DAILIES}{deal.id}/change/")


def test_the_admin_is_in_english_throughout(boss, game):
    boss.cookies["django_language"] = "sv"
    for path in (GAMES, f"{GAMES}{game['id']}/change/", "/admin/"):
        answer = boss.ask("GET", path, accept_language="es")
        assert answer.headers["Content-Language"] == "en"
        assert '<html lang="en"' in answer.content.decode()
    assert boss.ask("GET", "/games/").headers["Content-Language"] == "sv"


def test_a_job_leads_to_what_was_tried_again(boss, job):
    page = boss.page(f"{JOBS}{job}/change/")
    assert f'href="{AUDIT}?act=retry_job"' in page
    assert 'href=""' not in page


def test_what_is_in_force_stands_first(boss, anna, bo):
    until = datetime(2126, 1, 2, 3, 4, tzinfo=UTC)
    for kind, end in (("warning", None), ("mute", until), ("suspension", None)):
        player_sanction(player=anna, by=boss.player, kind=kind, reason="rude", until=end)
    page = boss.page(f"{PLAYERS}{anna.id}/change/")
    held = re.findall(r'<p class="cs-notice mb-6" role="note"><strong>(.*?)</strong>', page)
    assert held == ["Suspension until it is lifted: rude", "Mute until 2 Jan 2126, 03:04 (UTC): rude"]
    assert "cs-notice" not in boss.page(f"{PLAYERS}{bo.id}/change/")


def test_jobs_are_called_jobs(boss, job):
    page = boss.page(JOBS)
    assert "<span>1 job</span>" in page
    assert "procrastinate job" not in page.lower()


def test_jobs_show_no_words_that_they_were_given(boss, anna):
    player_erase(player=anna, by=boss.player, reason="asked for it")
    job = ProcrastinateJob.objects.get()
    page = boss.page(f"{JOBS}{job.id}/change/")
    assert "player_id: …" in page
    assert str(anna.id) not in page
    assert "deferred" in page


@pytest.mark.parametrize("page", ["abc", "0", "-1", "2", "", "1e3"])
def test_a_page_of_the_search_that_is_none_is_not_there(boss, page):
    assert boss.get("/admin/search/", {"s": "p", "extended": 1}).status_code == 200
    with nothing_changes():
        assert boss.get("/admin/search/", {"s": "p", "extended": 1, "page": page}).status_code == 404
