"""A site to look at: played through the services, with times of its own, and all in order."""

from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from accounts.models import Player
from accounts.services.staff import first_staff_create
from games import locks
from games.catalog import CURRENT
from games.locks import database_time
from games.management.commands.demo import PASSWORD
from games.models import DailyDeal, Event, Game, Move, RatingChange, Result, Seat, Uncounted
from games.selectors.newest import newest_positions
from games.selectors.standings import rating_disagreements
from games.selectors.verification import begun_games, game_divergence
from games.services import demo
from games.services.agreement import board_disagreements
from games.services.pretended_time import SCHEMA, pretend, pretended_times, pretending
from games.services.settling import games_settle
from tests.conftest import database_url
from tests.expect import nothing_changes
from tests.pages.conftest import browser_of, visitor
from tests.pages.test_finding import links

__all__ = ["browser_of", "visitor"]
WEEKS, HOUR = timedelta(weeks=3), timedelta(hours=1)


def fill(**given):
    told = StringIO()
    call_command("demo", stdout=told, stderr=StringIO(), **given)
    newest_positions.clear()
    return told.getvalue()


def schemas():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = %s", (SCHEMA,))
        return cursor.fetchone()[0]


@pytest.fixture
def fillings(monkeypatch):
    """What each demo is made of."""
    made = []

    def noted(**given):
        made.append(demo.demo_fill(**given))
        return made[-1]

    monkeypatch.setattr("games.management.commands.demo.demo_fill", noted)
    return made


def test_a_demo_is_what_a_server_would_hold_and_ends_as_it_began(
    anonymous, visitor, make_player, browser_of, monkeypatch, fillings
):
    ticks = []
    monkeypatch.setattr("games.management.commands.demo.tqdm", bar_of(ticks))
    began = database_time()
    told = fill(games=42, players=8)
    assert ticks == [50, *[1] * 50]
    (filled,) = fillings
    # Midnight may have passed since, and it is of the days until then.
    now = filled.until
    assert began <= now <= database_time()
    games = Game.objects.all()
    assert games.count() == 42
    assert Player.objects.count() == 8

    # Of every rule set something goes on, and something is over.
    assert set(games.filter(status="running").values_list("ruleset", flat=True)) == set(CURRENT)
    assert set(games.filter(status="finished").values_list("ruleset", flat=True)) == set(CURRENT)
    assert games.filter(status="open").count() == 3
    assert games.filter(rated=True, status="finished").exists()
    assert {clock["type"] for clock in games.exclude(clock=None).values_list("clock", flat=True)} == {
        "turn",
        "bank",
    }

    # It all happened in the last three weeks, each thing after the other.
    assert games.filter(created_at__gt=now - WEEKS, created_at__lt=now).count() == 42
    assert games.filter(created_at__lt=now - timedelta(weeks=1)).count() > 10
    assert not games.filter(started_at__lt=F("created_at")).exists()
    assert not games.filter(ended_at__lt=F("started_at")).exists()
    assert not Seat.objects.filter(joined_at__lt=F("game__created_at")).exists()
    assert not Seat.objects.filter(joined_at__gt=F("game__started_at")).exists()
    assert not Player.objects.filter(created_at__gt=now - WEEKS).exists()
    for kind in (Move, Event, Result, RatingChange):
        assert not kind.objects.filter(at__gt=now).exists()
    in_order = list(games.order_by("id").values_list("created_at", flat=True))
    assert in_order == sorted(in_order)
    events = list(Event.objects.order_by("txid", "at").values_list("at", flat=True))
    assert events == sorted(events)
    for player in Player.objects.all():
        changes = RatingChange.objects.filter(player=player).order_by("ruleset", "variant", "number")
        for ruleset in CURRENT:
            at = [change.at for change in changes if change.ruleset == ruleset]
            assert at == sorted(at)

    # What is open or running has time left.
    assert not games.filter(status__in=["open", "running"], due_at__lt=now + HOUR).exists()

    # Every game follows from its deal, and the boards and ratings from the games.
    begun = begun_games(after=None, limit=100, ruleset=None)
    assert len(begun) == games.exclude(started_at=None).count() > 35
    assert {game_divergence(game_id=game) for game in begun} == {None}
    assert not Uncounted.objects.exists()
    assert list(rating_disagreements()) == []
    assert board_disagreements() == []
    assert len(anonymous.get_json("leaderboards/")["items"]) > 0
    assert_deals_of_the_day_were_tried_on_their_days(now)
    assert_it_tells_how_to_log_in_and_of_games_that_were_lost(told, anonymous, now)
    boss = make_player("boss", is_staff=True, is_superuser=True)
    assert_the_first_is_found_by_people(told, visitor, browser_of(boss))

    # The games' time is again the database's, for everybody.
    assert schemas() == 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT games_now() = statement_timestamp(), current_setting('search_path')")
        assert cursor.fetchone() == (True, '"$user", public')


def bar_of(ticks):
    """A progress bar that notes what it is for, and each time that it goes on."""

    @contextmanager
    def bar(*, total, **_):
        ticks.append(total)
        yield SimpleNamespace(update=lambda: ticks.append(1))

    return bar


def assert_it_tells_how_to_log_in_and_of_games_that_were_lost(told, anonymous, now):
    first, log_in, *lines = told.splitlines()
    lost, ways = lines[::2], lines[1::2]
    # Last week, whether that is seven days or from Monday to Sunday.
    assert f" on {(now - timedelta(days=7)).date()}: " in lost[0]
    assert first == "42 games by 8 players"
    players = Player.objects.all()
    names = list(players.order_by("id").values_list("username", flat=True))
    assert log_in == f"Log in as any of {', '.join(names)}, with the password {PASSWORD}"
    assert all(player.check_password(PASSWORD) for player in players)
    for line, way in zip(lost, ways, strict=True):
        name, _, rest = line.partition(" lost at ")
        game = anonymous.get_json(f"/api/v1{rest.partition(': ')[2]}")
        assert game["ruleset"] == rest.partition(" on ")[0]
        seat = next(seat["number"] for seat in game["seats"] if seat["player"]["username"] == name)
        assert game["outcome"]["result"][seat] == "loss"
        day = game["ended_at"][:10]
        assert f" on {day}: " in rest
        assert way.endswith(f"/games/?player={name}&result=loss&ended_from={day}&ended_to={day}")


def assert_the_first_is_found_by_people(told, visitor, boss):
    line, way = told.splitlines()[2:4]
    game = line.rpartition(": ")[2]
    (_, _, found) = way.partition("found by ")
    assert any(link.startswith(game) for link in links(visitor.page(found)))
    assert game.split("/")[2] in boss.page(f"/admin{found.replace('/?', '/game/?')}")


def assert_deals_of_the_day_were_tried_on_their_days(now):
    tries = Game.objects.exclude(daily=None)
    assert tries.exists()
    for one in tries.select_related("daily"):
        assert one.started_at.date() == one.daily.date
        assert one.is_first_try
    days = set(DailyDeal.objects.values_list("date", flat=True))
    assert days == {now.date() + timedelta(days=number) for number in range(-21, 8)}


def test_the_examples_are_of_the_week_before_the_filling_began(db, time_stands, monkeypatch):
    began = database_time().replace(hour=23, minute=59, second=50)

    def until_the_next_day(**given):
        filled = demo.demo_fill(**given)
        time_stands(began + HOUR)
        return filled

    monkeypatch.setattr("games.management.commands.demo.demo_fill", until_the_next_day)
    time_stands(began)
    lost = fill(games=21, players=6).splitlines()[2]
    assert f" on {(began - timedelta(days=7)).date()}: " in lost


@pytest.fixture
def never_migrates(monkeypatch):
    def migrate(*_, **__):
        raise AssertionError

    monkeypatch.setattr("games.management.commands.demo.call_command", migrate)


def test_where_others_are_nothing_is_made_nor_migrated(anna, never_migrates):
    with (
        nothing_changes(),
        pytest.raises(CommandError, match="there are players already: nothing was changed"),
    ):
        fill()


def test_where_others_may_come_in_by_https_nothing_is_made_nor_migrated(db, never_migrates, settings):
    settings.HTTPS = True
    with nothing_changes(), pytest.raises(CommandError, match="HTTPS is on"):
        fill()


def test_the_first_staff_account_is_nobody_else(staff):
    assert demo.others_found() is None


def test_two_are_not_made_at_once(db):
    with psycopg.connect(database_url()) as another:
        another.execute("SELECT pg_advisory_lock(%s)", (locks._DEMO,))
        with (
            nothing_changes(),
            pytest.raises(CommandError, match="another demo is being made: nothing was changed"),
        ):
            fill()


def test_a_worker_beside_it_settles_nothing_meanwhile(anna, make_game, time_passes):
    make_game("camelot", [anna], abandon_after=timedelta(hours=1))
    time_passes(3_601)
    with psycopg.connect(database_url()) as another:
        another.execute("SELECT pg_advisory_lock(%s)", (locks._DEMO,))
        with nothing_changes():
            assert games_settle() == 0
        another.execute("SELECT pg_advisory_unlock(%s)", (locks._DEMO,))
    assert games_settle() == 1


def test_a_first_staff_account_that_another_server_has_just_made_is_left_to_it(db):
    assert first_staff_create() is not None
    Player.objects.update(is_active=False)  # to the first look there is none
    with nothing_changes():
        assert first_staff_create() is None


def test_a_server_without_tables_is_nobodys(db, monkeypatch):
    monkeypatch.setattr(connection.introspection, "table_names", list)
    assert demo.others_found() is None


def test_games_are_put_beside_others_only_where_it_is_said(anna, bo, make_game):
    make_game("sicksack", [anna, bo])
    Player.objects.filter(id=bo.id).update(username="astrid")
    fill(games=21, players=6, beside_others=True)
    assert Game.objects.count() == 22
    assert Player.objects.filter(username__startswith="astrid").count() == 1
    assert Player.objects.count() == 2 + 6
    assert Game.objects.filter(owner__in=[anna, bo]).count() == 1
    assert board_disagreements() == []


@pytest.mark.parametrize("given", [{"games": 20}, {"players": 5}, {"games": -1}])
def test_a_demo_of_too_little_is_refused(db, given):
    with nothing_changes(), pytest.raises(CommandError, match="21 games or more, and 6 players or more"):
        fill(**given)


def test_a_demo_that_fails_leaves_the_time_as_it_is(db, monkeypatch):
    def fails(*_):
        raise RuntimeError

    monkeypatch.setattr(demo, "_play", fails)
    with pytest.raises(RuntimeError):
        fill(games=21, players=6)
    assert schemas() == 0
    assert newest_positions.get(Game.objects.values_list("id", flat=True).first()) is None


# The time.


@pytest.mark.django_db(transaction=True)
def test_another_time_is_told_in_that_transaction_alone():
    moment = database_time() - timedelta(days=7)
    with pretended_times():
        with pretending():
            for told in (moment, moment + HOUR):
                pretend(told)
                assert database_time() == told
            other = connection.copy()
            with other.cursor() as cursor:
                cursor.execute("SELECT games_now() - statement_timestamp()")
                assert cursor.fetchone() == (timedelta(),)
            other.close()
        assert database_time() - moment > timedelta(days=6)
        with pytest.raises(RuntimeError):
            fails_while_pretending(moment)
        assert database_time() - moment > timedelta(days=6)
    assert schemas() == 0


def fails_while_pretending(moment):
    with pretending():
        pretend(moment)
        raise RuntimeError


@pytest.mark.django_db(transaction=True)
def test_what_a_broken_off_demo_has_left_over_is_no_hindrance():
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
    moment = database_time() - HOUR
    with pretended_times(), pretending():
        pretend(moment)
        assert database_time() == moment
    assert schemas() == 0
