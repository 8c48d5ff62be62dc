"""How many statements lists take, and that they take as many for three things as for thirty."""

from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken, Player
from accounts.services.tokens import token_create
from games.catalog import CURRENT
from games.clock import TurnClock
from games.models import Board, DailyDeal, Frequency, Rating
from games.services.boards import boards_project
from games.services.daily import _sealed, daily_start
from games.services.leaving import game_resign
from games.services.playing import moves_play
from tests.conftest import Client

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def some_players(count, prefix, **fields):
    return Player.objects.bulk_create(
        [Player(username=f"{prefix}{number}", display_name="X", **fields) for number in range(count)]
    )


@pytest.fixture(params=[3, 30])
def world(request, anna, make_game, time_stands, told_at_once):
    """So many of everything: of others than anna games with her that are rated, and tries at the deal of the day,
    which is over; of bots, tokens, ratings, boards and deals that were played."""
    time_stands(NOON)
    count = request.param
    others = some_players(count, "other")
    some_players(count, "robot", bot_of=anna)
    ApiToken.objects.bulk_create(
        [ApiToken(player=anna, name="x", digest=token_bytes(32), hint="card_") for _ in range(count)]
    )
    days = [NOON.date() - timedelta(days=number) for number in range(count)]
    DailyDeal.objects.bulk_create([_sealed(day, CURRENT["camelot"]) for day in days])
    for other in others:
        game = make_game("sicksack", [anna, other], clock=TurnClock(60), rated=True)
        game_resign(game_id=game, player=other)
        attempt = daily_start(player=other, day=days[0], ruleset="camelot")
        moves_play(game_id=attempt, player=other, body=b'{"ply": 0, "move": {"type": "deal"}}')
        game_resign(game_id=attempt, player=other)
    assert boards_project() == 2 * count
    many = [f"{number:03}" for number in range(count)]
    Board.objects.bulk_create([Board(ruleset="las-pintas", variant=one, period="all") for one in many])
    Rating.objects.bulk_create(
        [Rating(player=anna, ruleset="camelot", variant=one, mean=0, deviation=0) for one in many]
    )
    of_deal = {"ruleset": "freecell", "seats": 1, "kind": "deal", "number": 0, "wins": 0, "draws": 0}
    of_length = {"ruleset": "sicksack", "variant": "default", "seats": 2, "kind": "length"}
    Frequency.objects.bulk_create(
        [
            *(Frequency(**of_deal, variant=one, games=1) for one in many),
            *(Frequency(**of_length, number=int(one) + 9, games=1, wins=0, draws=0) for one in many),
        ]
    )
    time_stands(NOON + timedelta(days=1))
    _, secret = token_create(player=others[0], name="test")
    asking = {"anna": anna.client, "other0": Client(secret), "anyone": Client()}
    for client in (anna.client, asking["other0"]):
        client.get_json("me/")  # notes the use of the token
    return SimpleNamespace(count=count, clients=asking)


# By who asks and what: how many statements there are, one of which finds the token, and how many items; where
# there is no number, as many as there are of everything, or so many more.
COSTS = {
    ("anna", "me/tokens/"): (2, "+1"),
    ("anna", "me/bots/"): (2, "+0"),
    ("anna", "me/events?after=0&limit=100"): (2, None),
    ("anna", "games/?limit=100"): (2, None),
    ("anyone", "games/?limit=100"): (1, None),
    ("anyone", "exports/"): (5, None),
    ("anyone", "daily/"): (3, "+0"),
    ("anyone", "players/anna/ratings"): (2, "+1"),
    ("anyone", "players/anna/rating-changes?ruleset=sicksack"): (2, "+0"),
    ("anyone", "players/anna/record"): (2, 1),
    ("anyone", "players/anna/record?opponent=other1"): (3, 1),
    ("anyone", "rulesets/sicksack/statistics"): (1, 1),
    ("anyone", "rulesets/freecell/deals"): (1, "+0"),
    ("anyone", "leaderboards/"): (1, 7),
    ("anyone", "leaderboards/sicksack/"): (3, "+1"),
    ("anna", "leaderboards/sicksack/"): (4, "+1"),
    ("other0", "leaderboards/sicksack/?limit=1"): (5, 1),
    ("anyone", "leaderboards/sicksack/?limit=2"): (3, 2),
    ("anyone", "leaderboards/sicksack/?around=other1&limit=100"): (5, "+1"),
    ("anyone", "leaderboards/sicksack/?around=other1&limit=3"): (4, 3),
    ("other0", "leaderboards/sicksack/?around=me&limit=3"): (4, 2),
    ("anyone", "daily/2026-11-30/camelot/"): (3, None),
    ("anyone", "daily/2026-11-30/camelot/table"): (4, "+0"),
    ("other0", "daily/2026-11-30/camelot/table?around=me&limit=100"): (6, "+0"),
}


def test_lists_of_three_and_of_thirty_cost_the_same(world):
    found, expected = {}, {}
    for (who, path), (_, items) in COSTS.items():
        with CaptureQueriesContext(connection) as queries:
            answer = world.clients[who].ask("GET", path)
        assert answer.status_code == 200, answer.content
        shown = None if items is None else len(answer.json()["items"])
        found[who, path] = (len(queries), shown)
        wanted = world.count + int(items) if isinstance(items, str) else items
        expected[who, path] = (COSTS[who, path][0], wanted)
    assert found == expected
