"""`manage.py verify_games`: everything stored of every game follows from its log, or the command fails."""

import os
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.catalog import CURRENT
from games.clock import BankClock, TurnClock
from games.management.commands import verify_games
from games.models import Game
from games.services.settling import games_settle
from tests.stored_games import some_game, store, without_guards
from tests.verifying import first_moves, verified

DAY = 86_400


@pytest.fixture
def verify(db, capsys):
    return partial(verified, capsys)


@pytest.fixture
def games(anna, bo, cilla, make_game, time_passes):
    """Of each rule set one that goes on, one that is given up and one that is closed; and where that can be, one
    with a move taken back, and some in which seats are out of time or have left, and others play for them."""
    made = []

    def begin(slug, seats, plies=2, **fields):
        players = [anna, bo, cilla][:seats]
        made.append(make_game(slug, players, **fields))
        first_moves(made[-1], players, plies)
        return f"games/{made[-1]}/"

    for slug, rules in CURRENT.items():
        seats = min(rules.seats[-1], 3)
        begin(slug, seats, plies=0)
        timed_out = begin(slug, seats, clock=TurnClock(60))
        assert anna.client.get_json(timed_out)["status"] == "running"
        if seats == 3:
            begin(slug, seats, clock=BankClock(60, 5))
        if seats == 1:
            undone = begin(slug, 1, plies=1)
            anna.client.post(f"{undone}undo", {"ply": 1})
    time_passes(61.0005)
    games_settle()
    time_passes(31 * DAY)
    games_settle()
    for slug, rules in CURRENT.items():
        seats = min(rules.seats[-1], 3)
        begin(slug, seats, clock=BankClock(600, 5) if seats > 1 else None)
        given_up = begin(slug, seats)
        assert anna.client.post(f"{given_up}resign").status_code == 200
    return made


def test_everything_that_is_stored_of_each_game_follows_from_its_log(verify, games):
    endings = {status for pair in Game.objects.values_list("ending", "status") for status in pair}
    assert endings >= {None, "running", "finished", "abandoned", "resigned", "timed_out"}
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT kind FROM games_move")
        kinds = {kind for (kind,) in cursor.fetchall()}
    assert kinds == {"play", "auto", "undo", "resign", "timeout", "void"}
    assert verify() == (None, [f"{len(games)} games verified"])
    for slug in CURRENT:
        count = Game.objects.filter(ruleset=slug).count()
        assert verify(ruleset=slug) == (None, [f"{count} games verified"])


def test_games_that_were_not_begun_have_nothing_to_verify(verify, anna, make_game):
    make_game("sicksack", [anna], start=False)
    anna.client.post(f"games/{make_game('sicksack', [anna], start=False)}/leave")
    assert verify() == (None, ["0 games verified"])


def test_games_from_before_there_were_events_are_verified(verify, db):
    store([some_game(number) for number in range(28)])
    assert verify() == (None, ["28 games verified"])


def test_more_games_than_are_read_at_once_are_verified(verify, db, monkeypatch):
    monkeypatch.setattr(verify_games, "AT_ONCE", 5)
    store([some_game(number) for number in range(14)])
    assert verify() == (None, ["14 games verified"])


def test_a_rule_set_that_is_none_is_refused(db):
    with pytest.raises(CommandError, match="argument --ruleset: invalid choice: 'chess'"):
        call_command("verify_games", "--ruleset", "chess")


@pytest.mark.django_db(transaction=True)
def test_the_games_are_verified_by_several_processes(monkeypatch, capfd):
    """These find the database that the test runs in by its address in the environment."""
    games = [some_game(number) for number in range(28)]
    store(games)
    with without_guards():
        Game.objects.filter(id=games[5].game).update(undos=7)
    address = urlsplit(os.environ["DATABASE_URL"])
    name = connection.settings_dict["NAME"]
    monkeypatch.setenv("DATABASE_URL", address._replace(path=f"/{name}").geturl())
    with pytest.raises(CommandError, match=r"^1 of 28 games diverge$"):
        call_command("verify_games", workers=2)
    assert capfd.readouterr().out.splitlines() == [
        f"{games[5].game} diverges at undos: expected 0, got 7",
        "27 games verified",
    ]
