"""Games played by clients that only react to what they are told, on a server of two processes."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from random import Random
from statistics import median

import psycopg
import pytest

from cardsite import embedded
from tests.api.checks import records
from tests.e2e.following import (
    LAST,
    ROOT,
    Asker,
    Follower,
    Mover,
    Poller,
    Stream,
    serving,
)

KILLS = 200
MOST_STREAMS = 10
GAMES = [
    ("kraftkort", 4, {"exchange": False, "power_card": False, "play_on": False}),
    ("vagrat-lodrat", 2, {}),
]


@pytest.fixture(scope="module")
def database():
    with embedded.throwaway() as cluster:
        yield cluster.dsn


@pytest.fixture(scope="module")
def served(database, tmp_path_factory):
    log = tmp_path_factory.mktemp("streams") / "serve.log"
    with serving(database, log, "--workers", "2", STREAMS_PER_PLAYER=str(MOST_STREAMS)) as site:
        yield site
    printed = log.read_text()
    assert "Traceback" not in printed, printed
    assert " ERROR " not in printed, printed


@pytest.fixture
def site(served):
    yield served
    served.close()


def eventually(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return condition()


def of_game(game):
    return f"games/{game}/events"


def whole_log(asker, game):
    """All events of a game, read at once."""
    items, last = [], 0
    while page := asker.get(f"{of_game(game)}?after={last}")["items"]:
        items += page
        last = page[-1]["seq"]
    return items


def events_in(log):
    return [data for _, _, data in log]


def is_whole(log):
    """Whether the messages are all events of a game, each once and in order."""
    numbers = [number for number, _, _ in log]
    kinds = [(kind, data["type"], number, str(data["seq"])) for number, kind, data in log]
    return (
        numbers == [str(number) for number in range(1, len(log) + 1)]
        and all(kind == told and number == seq for kind, told, number, seq in kinds)
        and log[-1][1] in LAST
    )


def started(threads):
    for thread in threads:
        thread.start()
    return threads


def play(site, slug, seats, options, kind, chance, **fields):
    """Play a game to its end by followers of a kind, with followers of both kinds that look on: the game, the
    players, and what each was told."""
    players = [site.player() for _ in range(seats)]
    game = site.game(slug, players, options=options)
    path = of_game(game)
    looking = started(
        [
            Follower(site, path, last="0"),
            Follower(site, path, site.player().token, last="0"),
            Poller(site, path, last="0"),
            *(Follower(site, path, player.token, last="0") for player in players),
            *(Poller(site, path, player.token, last="0") for player in players[:2]),
        ]
    )
    acting = started(
        [
            kind(site, path, player.token, react=Mover({game: seat}, Random(chance.random())), **fields)
            for seat, player in enumerate(players)
        ]
    )
    for follower in (*acting, *looking):
        follower.done()
    return game, players, acting, looking


@pytest.mark.parametrize(("slug", "seats", "options"), GAMES, ids=[slug for slug, _, _ in GAMES])
@pytest.mark.parametrize("kind", [Follower, Poller], ids=["streams", "waiting-pages"])
def test_a_game_is_played_by_clients_that_only_react_to_what_they_are_told(
    site, rng, slug, seats, options, kind
):
    begun = time.monotonic()
    game, players, acting, looking = play(site, slug, seats, options, kind, rng)
    seconds = time.monotonic() - begun
    end = Asker(site).get(f"games/{game}/")
    assert (end["status"], end["ending"]) == ("finished", "played_out")
    assert sum(follower.react.moves for follower in acting) == end["ply"] > 20
    # Without hints each move would be told of a second later.
    assert seconds < end["ply"] * 0.4

    assert all(is_whole(follower.log) for follower in looking)
    spectators, seated = looking[:3], looking[3:]
    assert spectators[0].log == spectators[1].log == spectators[2].log
    assert events_in(spectators[0].log) == whole_log(Asker(site), game)
    for seat, player in enumerate(players):
        at_once = whole_log(player.asker, game)
        of_seat = [follower for follower in (*seated, acting[seat]) if follower.token == player.token]
        assert len(of_seat) == (3 if seat < 2 else 2)
        for follower in of_seat:
            told = events_in(follower.log)
            if follower.log[0][1] == "game":
                first = told.pop(0)
                assert (first["status"], first["your_seat"]) == ("running", seat)
                assert told == at_once[first["event_seq"] :]
            else:
                assert told == at_once


def test_two_hundred_broken_connections_leave_no_gap_and_no_double(site, rng):
    killed = 0
    while killed < KILLS:
        players, stranger = [site.player() for _ in range(4)], site.player()
        slug, _, options = GAMES[0]
        game = site.game(slug, players, options=options)
        path, each = of_game(game), {"kills": 40, "last": "0"}
        acting = started(
            [
                Follower(
                    *(site, path, player.token),
                    react=Mover({game: seat}, Random(rng.random())),
                    chance=Random(rng.random()),
                    **each,
                )
                for seat, player in enumerate(players)
            ]
        )
        looking = started(
            [
                Follower(site, path, token, chance=Random(rng.random()), **each)
                for token in (None, stranger.token)
            ]
        )
        for follower in (*acting, *looking):
            assert is_whole(follower.done())
            killed += follower.killed
        assert looking[0].log == looking[1].log
        assert events_in(looking[0].log) == whole_log(Asker(site), game)
        for player, follower in zip(players, acting, strict=True):
            assert events_in(follower.log) == whole_log(player.asker, game)
        assert Asker(site).get(f"games/{game}/")["ending"] == "played_out"


def test_all_of_ones_games_are_played_by_one_stream_that_breaks_again_and_again(site, rng):
    players = [site.player() for _ in range(2)]
    starts = [player.asker.get("me/events")["last"] for player in players]
    games = {}
    for number in range(3):
        order = players if number % 2 else players[::-1]
        games[site.game("vagrat-lodrat", order)] = order
    asker = Asker(site)

    def over():
        return all(asker.get(f"games/{game}/")["status"] == "finished" for game in games)

    by_seat = [{game: order.index(player) for game, order in games.items()} for player in players]
    followers = started(
        [
            Follower(
                *(site, "me/events", player.token),
                react=Mover(seats, Random(rng.random())),
                kills=10,
                chance=Random(rng.random()),
            )
            for player, seats in zip(players, by_seat, strict=True)
        ]
    )
    whole = [
        Follower(site, "me/events", player.token, last=start)
        for player, start in zip(players, starts, strict=True)
    ]
    started(whole)
    assert eventually(over, 60)
    for player, start, follower, silent in zip(players, starts, followers, whole, strict=True):
        at_once, last = all_of_player(player.asker, start)
        assert has_come_to(last, follower, silent)
        assert events_in(silent.log) == at_once
        for game in games:
            own = [event for event in at_once if event["game"] == game]
            assert own[0]["type"] == "joined"
            assert own == whole_log(player.asker, game)[own[0]["seq"] - 1 :]
        (_, first, _), *others = follower.log
        assert first == "games"
        assert events_in(others) == at_once[-len(others) :]
        follower.stop()
        silent.stop()
        assert follower.killed == 10


def all_of_player(asker, last):
    """All events of a player after a place, read at once, and the place of the last."""
    items, page = [], asker.get(f"me/events?after={last}")
    while page["items"]:
        items += page["items"]
        page = asker.get(f"me/events?after={page['last']}")
    return items, page["last"]


def has_come_to(last, *followers):
    return eventually(lambda: all(follower.last == last for follower in followers), 10)


# How soon.


def test_a_page_that_waits_comes_with_the_event_or_empty_at_the_end_of_its_time(site):
    player = site.player()
    game = site.game("freecell", [player], options={"deal": 1})
    mover, waiter, seconds = player.asker, Asker(site), []

    def wait(last):
        return waiter.get(f"{of_game(game)}?after={last}&wait=30"), time.monotonic()

    with ThreadPoolExecutor(1) as threads:
        for ply, word in enumerate(records("freecell")["deal-1"]["notation"][:7]):
            page = threads.submit(wait, 3 + ply)
            time.sleep(0.1)
            mover.post(f"games/{game}/moves", {"ply": ply, "notation": word})
            answered = time.monotonic()
            told, came = page.result()
            assert [event["seq"] for event in told["items"]] == [told["last"]] == [4 + ply]
            seconds.append(came - answered)
    assert median(seconds) < 0.3
    begun = time.monotonic()
    assert waiter.get(f"{of_game(game)}?after=10&wait=1") == {"items": [], "last": 10}
    assert 0.9 < time.monotonic() - begun < 3


def seconds_after(follower, number):
    """How long after an event a follower was told of it."""
    _, _, event = follower.log[number]
    return follower.came[number] - datetime.fromisoformat(event["at"]).timestamp()


def test_what_another_process_does_without_a_hint_is_told_within_two_seconds(site):
    owner, other = site.player(), site.player()
    game = owner.asker.post("games/", {"ruleset": "sicksack", "seats": 2})["id"]
    followers = started([Follower(site, of_game(game)), Follower(site, "me/events", owner.token)])
    assert eventually(lambda: all(follower.log for follower in followers), 10)
    script = (
        "from accounts.models import Player; from games.services.gathering import game_join;"
        f"player = Player.objects.get(username='{other.name}');"
        f"game_join(game_id='{game}', player=player, entropy='', link=None)"
    )
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", script]
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True, timeout=60)
    assert eventually(lambda: all(len(follower.log) > 1 for follower in followers), 10)
    for follower in followers:
        assert [data for _, kind, data in follower.log if kind == "joined"][-1]["player"] == other.name
        assert seconds_after(follower, -1) < 2.5
        follower.stop()


# Who follows.


def test_a_player_follows_only_so_often_at_once(site):
    player, another = site.player(), site.player()
    game = site.game("freecell", [player])
    streams = []
    while (stream := Stream(site, of_game(game), player.token)).status == 200:
        streams.append(stream)
        assert len(streams) <= 2 * MOST_STREAMS
    assert len(streams) >= MOST_STREAMS
    assert stream.status == 429
    assert stream.answer.headers["Retry-After"] == "60"
    assert json.loads(stream.answer.read())["code"] == "throttled"
    assert Stream(site, of_game(game), another.token).status == 200
    for stream in streams:
        stream.kill()
    assert eventually(lambda: all_are_open(site, game, player), 10)


def all_are_open(site, game, player):
    streams = [Stream(site, of_game(game), player.token) for _ in range(MOST_STREAMS)]
    for stream in streams:
        stream.kill()
    return all(stream.status == 200 for stream in streams)


def test_nobody_goes_on_with_a_token_that_was_taken_away(site):
    player = site.player()
    asker = player.asker
    game = site.game("freecell", [player], visibility="private")
    made = asker.post("me/tokens/", {"name": "laptop"})
    stream = Stream(site, of_game(game), made["secret"])
    messages = stream.messages()
    last, kind, _ = next(messages)
    assert (stream.status, kind) == (200, "game")
    ticket = Asker(site, made["secret"]).post("me/stream-ticket")["ticket"]
    by_ticket, mine = Stream(site, f"me/events?ticket={ticket}"), Stream(site, of_game(game), player.token)
    told_by_ticket, told = by_ticket.messages(), mine.messages()
    assert [next(one)[1] for one in (told_by_ticket, told)] == ["games", "game"]
    begun = time.monotonic()
    assert asker.ask("DELETE", f"me/tokens/{made['id']}/") == (204, None)
    # What was opened by it ends; what was opened by another token goes on.
    assert list(messages) == list(told_by_ticket) == []
    assert time.monotonic() - begun < 15
    asker.post(f"games/{game}/resign")
    assert [kind for _, kind, _ in told] == ["entry", "ended"]
    for path in (of_game(game), "me/events"):
        again = Stream(site, path, made["secret"], last)
        assert (again.status, json.loads(again.answer.read())["code"]) == (401, "invalid_credentials")
    assert Stream(site, of_game(game), None, last).status == 404
    assert Stream(site, of_game(game), player.token, last).status == 200


def test_a_browser_follows_by_ticket_in_its_own_language(site):
    player = site.player()
    game = site.game("freecell", [player], visibility="private", options={"deal": 1})
    ticket = player.asker.post("me/stream-ticket")["ticket"]
    streams = [
        Stream(site, f"{of_game(game)}?ticket={ticket}", Accept_Language=language)
        for language in ("en", "sv")
    ]
    told = [stream.messages() for stream in streams]
    assert [next(messages)[2]["your_seat"] for messages in told] == [0, 0]
    player.asker.post(f"games/{game}/moves", {"ply": 0, "notation": "5a"})
    assert [next(messages)[2]["entry"]["text"] for messages in told] == [
        "6C from column 5 to free cell a",
        "6C från kolumn 5 till fricell a",
    ]


# Ends.


def test_streams_and_pages_that_wait_end_at_once_when_the_server_is_told_to(database, tmp_path):
    with serving(database, tmp_path / "serve.log", "--workers", "1", "--no-worker") as site:
        player = site.player()
        game = site.game("freecell", [player])
        streams = [Stream(site, path, player.token) for path in (of_game(game), "me/events")]
        told = [stream.messages() for stream in streams]
        assert [next(messages)[1] for messages in told] == ["game", "games"]
        with ThreadPoolExecutor(1) as threads:
            page = threads.submit(player.asker.get, f"{of_game(game)}?after=3&wait=60")
            time.sleep(0.5)
            begun = time.monotonic()
            site.process.send_signal(signal.SIGTERM)
            assert [list(messages) for messages in told] == [[], []]
            assert page.result() == {"items": [], "last": 3}
        assert time.monotonic() - begun < 3
        assert site.process.wait(20) == 0


def test_a_worker_that_was_killed_comes_back_and_settles_what_is_overdue(site, database):
    players = [site.player() for _ in range(2)]
    game = site.game("sicksack", players, clock={"type": "turn", "seconds": 60})
    (follower,) = started([Follower(site, of_game(game))])
    killed = site.worker()
    killed.kill()
    begun = time.monotonic()
    with psycopg.connect(database) as connection:
        connection.execute(
            "UPDATE games_game SET deadlines = ARRAY[statement_timestamp() - interval '1 minute', NULL],"
            " due_at = statement_timestamp() - interval '1 minute' WHERE id = %s",
            (game,),
        )
    log = follower.done()
    assert time.monotonic() - begun < 30
    assert [(kind, data.get("ending")) for _, kind, data in log] == [
        ("game", None),
        ("entry", None),
        ("ended", "timed_out"),
    ]
    assert log[1][2]["entry"]["kind"] == "timeout"
    assert seconds_after(follower, -1) < 2.5
    assert site.worker().pid != killed.pid
