"""A player's events where transactions overlap: one that began first and commits last is neither passed over nor
told twice. The transactions of other tests may delay what is told here, and nothing else."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from threading import Event, Thread

import pytest
from django.db import connection, connections, transaction

from games.models import Event as GameEvent
from games.selectors.newest import newest_positions
from games.selectors.told import Cursor, newest_cursor, players_with_events
from games.services.gathering import game_join
from games.services.playing import moves_play
from tests.api.checks import records

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 60  # seconds
WORDS = records("freecell")["deal-1"]["notation"]


@contextmanager
def open_transaction(act):
    """A transaction of another connection that has done something and is open while the block runs."""
    acted, may_end, failures = Event(), Event(), []

    def run():
        try:
            with transaction.atomic():
                act()
                acted.set()
                may_end.wait(PATIENCE)
        except Exception as error:  # noqa: BLE001 - told by the test's own thread
            failures.append(error)
            acted.set()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    assert acted.wait(PATIENCE)
    try:
        yield
    finally:
        may_end.set()
        thread.join()
        assert failures == []


class Reader:
    """Follows a player's events from now on, page by page."""

    def __init__(self, player, *, limit=100):
        self.client = player.client
        self.limit = limit
        self.last = self.client.get_json("me/events")["last"]
        self.items = []

    def read(self):
        """The next page."""
        page = self.client.get_json(f"me/events?after={self.last}&limit={self.limit}")
        self.items += page["items"]
        self.last = page["last"]
        return page["items"]

    def read_until(self, count):
        """Read until so many events have come, and a little longer."""
        deadline = time.monotonic() + PATIENCE
        while len(self.items) < count and time.monotonic() < deadline:
            if not self.read():
                time.sleep(0.02)
        assert self.read() == []

    @property
    def seen(self):
        return [(event["game"], event["seq"]) for event in self.items]


@pytest.fixture
def patiences(anna, make_game):
    """Games of anna's that are under way."""
    games = [make_game("freecell", [anna], options={"deal": 1}) for _ in range(4)]
    wait_for_older_transactions()
    return games


def wait_for_older_transactions():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text::bigint")
        (txid,) = cursor.fetchone()
    assert eventually(lambda: newest_cursor().txid >= txid)


def play(player, game, ply, *words):
    body = f'{{"ply": {ply}, "notation": "{" ".join(words)}"}}'
    moves_play(game_id=game, player=player, body=body.encode())


def told_of(player, place):
    return players_with_events(known={(player.id, place)}) == {(player.id, place)}


def eventually(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def place_of(game, seq):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT txid::text::bigint FROM games_event WHERE game_id = %s AND seq = %s", (game, seq)
        )
        return Cursor(cursor.fetchone()[0], game, seq)


def test_what_began_first_and_commits_last_is_told_first_and_nothing_before_it(anna, patiences):
    early, late, *_ = patiences
    reader, begun_at = Reader(anna), newest_cursor()
    with open_transaction(lambda: play(anna, early, 0, "5a")):
        play(anna, late, 0, "5a")
        assert GameEvent.objects.filter(game=late).count() == 4
        assert reader.read() == []
        between = Reader(anna)
        assert not told_of(anna, begun_at)
        play(anna, late, 1, "5b")
        assert reader.read() == []
        assert between.read() == []
        assert anna.client.get_json(f"games/{late}/events?after=3")["last"] == 5
    assert eventually(lambda: told_of(anna, begun_at))
    expected = [(str(early), 4), (str(late), 4), (str(late), 5)]
    for one in (reader, between):
        one.read_until(3)
        assert one.seen == expected
    assert not told_of(anna, place_of(late, 5))


def test_what_is_rolled_back_was_never_told_and_delays_nothing_afterwards(anna, patiences):
    early, late, *_ = patiences
    reader = Reader(anna)

    def act():
        play(anna, early, 0, "5a")
        transaction.set_rollback(True)
        newest_positions.clear()

    with open_transaction(act):
        play(anna, late, 0, "5a")
        assert reader.read() == []
    reader.read_until(1)
    assert reader.seen == [(str(late), 4)]
    play(anna, early, 0, "5b")
    reader.read_until(2)
    assert reader.seen == [(str(late), 4), (str(early), 4)]


def test_who_follows_while_a_transaction_is_open_reads_on_where_it_stopped(anna, patiences):
    early, late, *_ = patiences
    reader = Reader(anna, limit=1)
    play(anna, late, 0, "5a")
    reader.read_until(1)
    with open_transaction(lambda: play(anna, early, 0, "5a", "5b")):
        play(anna, late, 1, "5b", "5c")
        for _ in range(3):
            assert reader.read() == []
    reader.read_until(5)
    assert reader.seen == [(str(late), 4), (str(early), 4), (str(early), 5), (str(late), 5), (str(late), 6)]


def test_within_a_transaction_every_event_counts_as_news_but_the_last(anna, patiences):
    game = patiences[0]
    play(anna, game, 0, "5a", "5b", "5c")
    places = [place_of(game, seq) for seq in (4, 5, 6)]
    assert len({place.txid for place in places}) == 1
    assert eventually(lambda: told_of(anna, places[0]))
    assert [told_of(anna, place) for place in places] == [True, True, False]
    assert not told_of(anna, Cursor(places[0].txid))
    assert told_of(anna, Cursor(places[0].txid - 1))
    known = {(anna.id, place) for place in places}
    assert players_with_events(known=known) == {(anna.id, place) for place in places[:2]}


@pytest.mark.parametrize("seq", [0, 10**10 - 1])
def test_no_place_that_a_client_may_name_breaks_the_looks(anna, patiences, seq):
    place = Cursor(2**63 - 1, patiences[0], seq)
    assert players_with_events(known={(anna.id, place)}) == set()


def test_seats_that_are_taken_at_once_are_told_in_the_order_of_their_numbers(anna, bo, cilla, make_game):
    game = make_game("sicksack", [anna], start=False, seats=3)
    wait_for_older_transactions()
    reader = Reader(anna)

    def join(player):
        try:
            game_join(game_id=game, player=player, entropy="", link=None)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as waiting:
        with open_transaction(lambda: game_join(game_id=game, player=bo, entropy="", link=None)):
            joining = waiting.submit(join, cilla)
            time.sleep(0.3)
            assert not joining.done()
            assert reader.read() == []
        joining.result()
    reader.read_until(2)
    assert [(event["seq"], event["player"]) for event in reader.items] == [(3, "bo"), (4, "cilla")]


def test_many_transactions_that_overlap_at_random_are_told_whole_and_once(anna, patiences, rng):
    moves, chances = 12, [Random(rng.random()) for _ in patiences]
    ended, readers = Event(), [Reader(anna, limit=limit) for limit in (1, 3, 100)]

    def write(number):
        try:
            for ply in range(moves):
                with transaction.atomic():
                    play(anna, patiences[number], ply, WORDS[ply])
                    time.sleep(chances[number].random() * 0.03)
        finally:
            connections.close_all()

    def follow(reader):
        try:
            while not ended.is_set():
                reader.read()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(patiences) + len(readers)) as threads:
        following = [threads.submit(follow, reader) for reader in readers]
        try:
            list(threads.map(write, range(len(patiences))))
        finally:
            ended.set()
        for one in following:
            one.result()
    for reader in readers:
        reader.read_until(moves * len(patiences))
        assert reader.items == readers[0].items
        for game in patiences:
            own = [seq for of, seq in reader.seen if of == str(game)]
            assert own == list(range(4, 4 + moves))
        assert len(reader.seen) == moves * len(patiences)
    turns = [game for game, _ in readers[0].seen]
    assert sum(one != two for one, two in pairwise(turns)) > moves
