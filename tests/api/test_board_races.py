"""Ledger, standings and boards agree after games have ended and were voided all at once while they were counted,
and boards made again equal those that were kept."""

from contextlib import contextmanager, suppress
from itertools import permutations
from queue import Empty, Queue
from random import Random
from threading import Event

import pytest
from django.db import connection, transaction
from django.db.models import Sum

from games.locks import lock_boards
from games.models import Frequency, RatingChange, Tally, Uncounted, Voiding
from games.selectors.standings import rating_disagreements
from games.services import boards
from games.services.agreement import board_disagreements
from games.services.boards import boards_project, boards_rebuild
from games.services.rating import game_void
from tests.api.finished import NOON, finish, of_several, patience
from tests.api.naive_boards import kept_frequencies, kept_standings, kept_tallies
from tests.api.threads import together
from tests.expect import nothing_changes

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 24  # of each of three threads


def kept():
    return kept_tallies(), kept_standings(), kept_frequencies()


def ending(players, chance, voided, staff):
    """Games that end, some of which are voided at once, and some by another thread."""
    pairs = list(permutations(players, 2))
    for _ in range(GAMES):
        if chance.random() < 0.5:
            game = of_several(chance.choice(pairs), chance.choice([(1, 2), (2, 1), (1, 1)]), at=NOON)
        else:
            game = patience(chance.choice(players), chance.choice(["win", "win", "loss"]), at=NOON)
        with transaction.atomic():
            finish(game)
        if chance.random() < 0.2:
            game_void(game_id=game.id, by=staff, reason="x")
        elif chance.random() < 0.3:
            voided.put(game.id)


def voiding(voided, done, staff):
    """Void what the others leave to it, until they are done."""
    while not (done.is_set() and voided.empty()):
        with suppress(Empty):
            game_void(game_id=voided.get(timeout=0.01), by=staff, reason="x")


def test_boards_agree_after_a_soak_of_parallel_ends_and_voidings(anna, bo, cilla, staff, monkeypatch):
    monkeypatch.setattr(boards, "AT_ONCE", 3)
    # Not a SimpleQueue: of two who wait there for a while, one may wait for ever (in CPython 3.11).
    voided, done, ended = Queue(), Event(), []

    def ends(seed):
        try:
            ending([anna, bo, cilla], Random(seed), voided, staff)
        finally:
            ended.append(seed)
            if len(ended) == 3:
                done.set()

    def projects():
        counted = 0
        while not done.is_set():
            counted += boards_project()
        return counted

    def rebuilds():
        while not done.wait(0.1):
            boards_rebuild()

    together(
        *(lambda seed=seed: ends(seed) for seed in range(3)),
        lambda: voiding(voided, done, staff),
        lambda: voiding(voided, done, staff),
        projects,
        projects,
        rebuilds,
    )
    assert Voiding.objects.count() > 5
    while boards_project():
        pass
    assert Uncounted.objects.count() == 0
    assert board_disagreements() == []
    assert list(rating_disagreements()) == []
    before = kept()
    boards_rebuild()
    assert kept() == before
    counting = 3 * GAMES - Voiding.objects.count()
    assert Frequency.objects.filter(kind="length").aggregate(Sum("games"))["games__sum"] == counting
    assert (
        RatingChange.objects.filter(kind="reversal").count()
        == 2 * Voiding.objects.filter(game__rated=True).count()
    )


def test_of_two_who_void_a_game_at_once_one_does(anna, bo, staff):
    with transaction.atomic():
        finish(*(of_several([anna, bo], [1, 2]) for _ in range(5)))
    games = set(RatingChange.objects.values_list("game", flat=True))
    together(
        *(lambda game=game: game_void(game_id=game, by=staff, reason="x") for game in games for _ in range(2))
    )
    assert Voiding.objects.count() == 5
    assert RatingChange.objects.filter(kind="reversal").count() == 10
    assert Uncounted.objects.filter(change=-1).count() == 5
    assert list(rating_disagreements()) == []


@contextmanager
def bounded(**bounds):
    """Other time-outs, which this thread's connection does not take back into the pool."""
    with connection.cursor() as cursor:
        for name, bound in bounds.items():
            cursor.execute(f"SET {name} = '{bound}'")
        try:
            yield
        finally:
            for name in bounds:
                cursor.execute(f"RESET {name}")


def test_while_another_counts_nothing_is_counted(anna):
    finish(patience(anna))

    def projects():
        # Whoever waited for the lock would not be done in this time.
        with bounded(lock_timeout="0", statement_timeout="2s"):
            return boards_project()

    with transaction.atomic():
        lock_boards(wait=True)
        with nothing_changes():
            assert together(projects) == [0]
    assert boards_project() == 1
    assert Tally.objects.filter(board__period="all").get().wins == 1


def test_boards_can_be_read_while_they_are_counted_and_made_again(anna, anonymous):
    finish(patience(anna))
    boards_project()
    finish(patience(anna))

    def looked():
        # Whoever waited for a lock would be refused.
        with bounded(lock_timeout="200ms"):
            items = anonymous.get_json("leaderboards/camelot/?measure=wins")["items"]
        return [one["wins"] for one in items]

    with transaction.atomic():
        boards_rebuild()
        boards_project()
        assert together(looked) == [[1]]
    assert looked() == [2]
