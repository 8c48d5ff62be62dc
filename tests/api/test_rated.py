"""Games that are rated: which may be, what they do to ratings and how the ledger tells of it."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import Player
from games.catalog import CURRENT
from games.clock import TurnClock
from games.locks import lock_ratings
from games.models import Game, Rating, RatingChange, Result
from games.ratings import Strength, strengths_after
from games.rules.contract import read_options
from games.selectors.standings import rating_disagreements
from games.services import rating, writing
from games.services.gathering import game_create, game_join
from games.services.starting import game_start
from tests.api.checks import problem_of, records
from tests.api.threads import at_once, together, until_waiting, verdicts
from tests.conftest import Client
from tests.expect import nothing_changes

HOUR = {"type": "turn", "seconds": 3600}
RATED = {"ruleset": "sicksack", "seats": 2, "rated": True, "clock": HOUR}


def rated_game(players, slug="sicksack"):
    """A rated game that is under way."""
    created = game_create(
        owner=players[0],
        rules=CURRENT[slug],
        options=read_options(CURRENT[slug], {}),
        seats=len(players),
        private=False,
        rated=True,
        clock=TurnClock(3600),
    )
    for player in players[1:]:
        game_join(game_id=created.game_id, player=player, entropy="", link=None)
    game_start(game_id=created.game_id, player=players[0], entropy="")
    return created.game_id


def resigns(player, game):
    answer = player.client.post(f"games/{game}/resign")
    assert answer.status_code == 200, answer.content


def strength(player, variant="default", ruleset="sicksack"):
    kept = Rating.objects.get(player=player, ruleset=ruleset, variant=variant)
    return Strength(kept.mean, kept.deviation)


def ledger(player):
    """A player's changes: number, kind, game, what they began with and what they came to."""
    return [
        (
            one.number,
            one.kind,
            one.game_id,
            Strength(one.mean_before, one.deviation_before),
            Strength(one.mean_before + one.mean_change, one.deviation_before + one.deviation_change),
        )
        for one in RatingChange.objects.filter(player=player).order_by("number")
    ]


def assert_unbroken():
    """Every ledger is numbered from 1, each change begins where the last ended, and ratings are the sums."""
    assert list(rating_disagreements()) == []


# Which games may be.


@pytest.mark.parametrize(
    "wanted",
    [
        {"clock": None},
        {"visibility": "private"},
        {"ruleset": "freecell", "seats": 1},
        {"ruleset": "vagrat-lodrat", "options": {"cooperative": True}},
    ],
)
def test_a_rated_game_is_public_of_several_against_each_other_and_by_the_clock(anna, wanted):
    with nothing_changes():
        answer = anna.client.post("games/", RATED | wanted)
    errors = [{"path": "$.rated", "message": "needs a public game of several, with a clock"}]
    assert problem_of(answer, "invalid")["errors"] == errors


@pytest.mark.parametrize("clock", [HOUR, {"type": "bank", "seconds": 3601, "increment": 5}])
def test_nobody_gets_away_from_a_rated_game_by_leaving_it_alone(anna, clock):
    wanted = RATED | {"clock": {**clock, "seconds": 3601}, "abandon_after": 3600}
    with nothing_changes():
        answer = anna.client.post("games/", wanted)
    errors = [{"path": "$.abandon_after", "message": "is at least 3601 in a rated game"}]
    assert problem_of(answer, "invalid")["errors"] == errors
    assert anna.client.post("games/", wanted | {"abandon_after": 3601}).status_code == 201


def test_a_game_is_rated_if_that_was_asked_for(anna, bo):
    seen = []
    for wanted in (RATED, RATED | {"rated": False}):
        game = anna.client.post("games/", wanted).json()
        bo.client.post(f"games/{game['id']}/join", {})
        started = anna.client.post(f"games/{game['id']}/start", {}).json()
        seen.append((game["rated"], started["rated"]))
        resigns(anna, game["id"])
    assert seen == [(True, True), (False, False)]
    assert Rating.objects.count() == RatingChange.objects.count() == 2


@pytest.mark.parametrize(
    ("seated", "rated"),
    [
        (["anna", "bo"], True),
        (["anna", "her_bot"], False),
        (["anna", "his_bot"], False),
        (["her_bot", "his_bot"], False),
        (["anna", "bo", "her_bot"], False),
        (["anna", "bo", "his_bot"], False),
        (["anna", "bo", "a_bot"], True),
        (["anna", "bo", "a_bot", "another_bot"], False),
        (["cilla", "anna", "his_bot"], True),
        (["cilla", "her_bot", "his_bot"], False),
        (["anna", "bo", "cilla"], False),
    ],
)
def test_a_game_is_rated_if_two_are_people_and_no_bot_sits_with_its_own(
    anna, bo, cilla, make_player, seated, rated
):
    dora = make_player("dora")
    owners = {"her_bot": anna, "his_bot": bo, "a_bot": dora, "another_bot": dora}
    players = {"anna": anna, "bo": bo, "cilla": cilla}
    for name, owner in owners.items():
        made = owner.client.post("me/bots/", {"username": name})
        assert made.status_code == 201, made.content
        players[name] = Player.objects.get(username=name)
        players[name].client = Client(made.json()["token"]["secret"])
    if seated == ["anna", "bo", "cilla"]:
        # Whose account becomes a bot's before the start.
        cilla.bot_of = bo
        cilla.save()
    game = rated_game([players[name] for name in seated])
    assert Game.objects.get(id=game).rated is rated
    for name in seated[1:]:
        resigns(players[name], game)
    assert RatingChange.objects.count() == (len(seated) if rated else 0)
    assert set(Result.objects.values_list("scope", flat=True)) == {"open" if rated else None}


# What they do.


def test_a_rating_changes_with_the_move_that_ends_the_game(anna, bo, anonymous):
    game = rated_game([anna, bo])
    assert anonymous.get_json("players/anna/ratings") == {"items": [], "next": None}
    resigns(bo, game)
    won, lost = strengths_after([Strength(), Strength()], [1, 2])
    assert (strength(anna), strength(bo)) == (won, lost)
    assert ledger(anna) == [(1, "game", game, Strength(), won)]
    assert ledger(bo) == [(1, "game", game, Strength(), lost)]
    ended = Game.objects.get(id=game).ended_at
    assert set(RatingChange.objects.values_list("at", flat=True)) == {ended}
    assert anonymous.get_json("players/anna/ratings")["items"] == [
        {
            "ruleset": "sicksack",
            "variant": "default",
            "rating": 1611,
            "deviation": 339,
            "provisional": True,
            "games": 1,
        }
    ]


@pytest.mark.parametrize("name", ["random-3-81", "random-6-22", "tie-6"])
def test_a_game_that_is_played_out_is_rated_by_its_places(name, make_player, monkeypatch):
    record = records("sicksack")[name]
    players = [make_player(f"player{number}") for number in range(record["seats"])]
    before = [Strength(1500 + 100 * number, 300 - 20 * number) for number in range(len(players))]
    Rating.objects.bulk_create(
        Rating(
            player=player,
            ruleset="sicksack",
            variant="default",
            mean=one.mean,
            deviation=one.deviation,
        )
        for player, one in zip(players, before, strict=True)
    )
    monkeypatch.setattr("games.shuffle.deck_order", lambda *_: list(record["deck"]))
    game = rated_game(players)
    for ply, step in enumerate(record["steps"]):
        seated = players[step["seat"]]
        assert (
            seated.client.post(f"games/{game}/moves", {"ply": ply, "move": step["move"]}).status_code == 201
        )
    after = strengths_after(before, record["outcome"]["place"])
    for player, old, new in zip(players, before, after, strict=True):
        ((number, kind, of, began, ended),) = ledger(player)
        assert (number, kind, of, began) == (1, "game", game, old)
        assert (ended.mean, ended.deviation) == pytest.approx((new.mean, new.deviation), abs=1e-9)
        assert strength(player) == ended


def test_each_change_begins_where_the_last_one_ended(anna, bo, cilla):
    games = [rated_game(pair) for pair in ([anna, bo], [bo, anna], [anna, cilla])]
    for loser, game in zip([bo, bo, anna], games, strict=True):
        resigns(loser, game)
    of_anna = ledger(anna)
    assert [(number, kind, game) for number, kind, game, *_ in of_anna] == [
        (number, "game", game) for number, game in enumerate(games, 1)
    ]
    assert [began for *_, began, _ in of_anna] == [Strength(), *(ended for *_, ended in of_anna[:-1])]
    assert strength(anna) == of_anna[-1][-1]
    assert_unbroken()


def test_a_failure_in_rating_takes_the_move_back_that_ended_the_game(anna, bo, monkeypatch):
    game = rated_game([anna, bo])

    def fail(**given):
        rating.game_rate(**given)
        raise DatabaseError

    monkeypatch.setattr(writing, "game_rate", fail)
    with nothing_changes():
        answer = bo.client.post(f"games/{game}/resign")
    assert answer.status_code >= 500
    monkeypatch.undo()
    resigns(bo, game)
    assert [row[:3] for row in ledger(bo)] == [(1, "game", game)]


def test_the_ledger_is_only_ever_added_to(anna, bo):
    resigns(bo, rated_game([anna, bo]))
    with nothing_changes():
        for sql in ("UPDATE games_ratingchange SET mean_change = 0", "DELETE FROM games_ratingchange"):
            with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(sql)


# At the same time.


@pytest.mark.django_db(transaction=True)
def test_games_of_the_same_players_that_end_at_once_are_all_rated(anna, bo, cilla):
    tables = [[anna, bo], [bo, anna], [cilla, bo], [anna, cilla]] * 3
    games = [rated_game(players) for players in tables]
    losers = [players[number % 3 // 2] for number, players in enumerate(tables)]
    # All of them change ratings that nobody has yet, and some in the opposite order of seats.
    requests = zip(losers, games, strict=True)
    answers = at_once(*((loser, f"games/{game}/resign", None) for loser, game in requests))
    assert verdicts(answers) == {(200, None): len(games)}
    numbers = {player: [row[0] for row in ledger(player)] for player in (anna, bo, cilla)}
    counts = {player: sum(player in players for players in tables) for player in numbers}
    assert numbers == {player: list(range(1, count + 1)) for player, count in counts.items()}
    assert set(RatingChange.objects.values_list("game", flat=True)) == set(games)
    assert_unbroken()


@pytest.mark.django_db(transaction=True)
def test_ratings_are_made_and_locked_in_one_order(make_player):
    players = [make_player(f"player{number}").id for number in range(5)]

    def locks(order):
        with transaction.atomic():
            return set(lock_ratings(players=order, ruleset="sicksack", variant="default"))

    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            # Both wait for the rating in the middle or for each other, and in two orders would go on doing so.
            lock_ratings(players=players[2:3], ruleset="sicksack", variant="default")
            locked = [threads.submit(together, partial(locks, order)) for order in (players, players[::-1])]
            until_waiting(2)
        assert [one.result(20) for one in locked] == [[set(players)]] * 2
    assert Rating.objects.count() == 5
