"""What the database itself refuses of results, ratings, boards and deals of the day, whoever asks it."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from games.models import Board, DailyDeal, Game, Rating, RatingChange, Result, Standing, Tally, Voiding
from games.services.daily import daily_deals_make, daily_start
from games.services.rating import game_void
from tests.sqlstates import CHECK, NEVER, NULL, UNIQUE, refused

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def ended(anna, bo, staff):
    """A rated game that was resigned and then voided, so that there are two changes of each rating."""
    wanted = {"ruleset": "sicksack", "seats": 2, "rated": True, "clock": {"type": "turn", "seconds": 60}}
    game = f"games/{anna.client.post('games/', wanted).json()['id']}"
    for client, what in ((bo.client, "join"), (anna.client, "start"), (anna.client, "resign")):
        assert client.post(f"{game}/{what}").status_code == 200
    game_void(game_id=Game.objects.get().id, by=staff, reason="a test")
    return Game.objects.get()


@pytest.fixture
def tried(anna, time_stands):
    """A first try at a deal of the day."""
    time_stands(NOON)
    daily_deals_make(today=NOON.date())
    return Game.objects.filter(id=daily_start(player=anna, day=NOON.date(), ruleset="freecell"))


# Results.

COUNTED = {
    "scope": "open",
    "is_public": True,
    "is_shuffled": True,
    "variant": "default",
    "at": Now(),
}


@pytest.fixture
def result(anna, bo, make_game):
    """Makes a result of a game that has begun."""
    game = Game.objects.get(id=make_game("sicksack", [anna, bo]))

    def make(seat=0, **fields):
        row = {"game": game, "seat": seat, "place": 1, "result": "win", "score": 0, "player": anna}
        Result.objects.create(**{**row, **fields})

    return make


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "other"},
        {"is_public": False},
        {"is_shuffled": False},
        {"player": None},
        {"variant": None},
        {"at": None},
    ],
)
@pytest.mark.parametrize("scope", ["open", "daily"])
def test_a_result_of_which_something_is_not_known_counts_on_no_board(result, scope, fields):
    row = {**COUNTED, "scope": scope}
    refused(lambda: result(**{**row, **fields}), CHECK, "result_counts_if_known")
    result(**{**row, **fields, "scope": None})
    result(1, **row)


@pytest.mark.parametrize(
    "change",
    [
        *({"player": None}, {"length": 1}, {"duration": 1}, {"ending": None}, {"undos": 1}, {"ruleset": "x"}),
        *({"variant": None}, {"seats": 9}, {"is_public": False}, {"is_shuffled": False}, {"scope": None}),
        {"at": None},
    ],
)
def test_no_fact_by_which_a_result_is_counted_is_ever_changed(ended, change):
    refused(lambda: Result.objects.update(**change), NEVER)


# Ratings.


@pytest.mark.parametrize(
    "change",
    [
        *({"mean_before": 0}, {"deviation_before": 0}, {"mean_change": 0}, {"deviation_change": 0}),
        *(
            {"number": F("number") + 2},
            {"kind": F("kind")},
            {"variant": "x"},
            {"ruleset": "x"},
            {"at": Now()},
        ),
        {"player": F("player_id")},
    ],
)
def test_a_change_of_a_rating_is_never_changed(ended, change):
    refused(lambda: RatingChange.objects.update(**change), NEVER)


def test_a_change_of_a_rating_is_never_deleted(ended):
    refused(lambda: RatingChange.objects.all()._raw_delete("default"), NEVER)
    assert RatingChange.objects.count() == 4


@pytest.mark.parametrize(
    ("fields", "state", "constraint"),
    [
        ({"number": 2}, UNIQUE, "rating_change_numbered"),
        ({"game": "the same", "kind": "game"}, UNIQUE, "rating_change_once"),
        ({"game": "the same", "kind": "reversal"}, UNIQUE, "rating_change_once"),
        ({"kind": "gift"}, CHECK, "rating_change_kind_known"),
        ({"number": 0}, CHECK, "rating_change_from_one"),
        ({"at": None}, NULL, None),
    ],
)
def test_a_change_of_a_rating_that_cannot_be_is_refused(
    ended, anna, bo, make_game, fields, state, constraint
):
    last = RatingChange.objects.get(player=anna, number=2)
    names = ("ruleset", "variant", "mean_before", "deviation_before", "mean_change", "deviation_change", "at")
    row = {
        **{name: getattr(last, name) for name in names},
        "player": anna,
        "number": 3,
        "kind": "game",
        "game": Game.objects.get(id=make_game("sicksack", [anna, bo])),
    }
    wanted = {**row, **fields, "game": ended if "game" in fields else row["game"]}
    refused(lambda: RatingChange.objects.create(**wanted), state, constraint)
    RatingChange.objects.create(**row)


def test_a_player_has_one_rating_at_a_variant(ended, anna):
    row = {"player": anna, "ruleset": "sicksack", "mean": 0, "deviation": 0}
    variant = Rating.objects.get(player=anna).variant
    refused(lambda: Rating.objects.create(**row, variant=variant), UNIQUE, "games_rating_pkey")
    Rating.objects.create(**row, variant="another")


# Voidings.


@pytest.mark.parametrize("change", [{"reason": "another"}, {"at": Now()}, {"by": F("by_id")}])
def test_a_voiding_is_never_changed(ended, change):
    refused(lambda: Voiding.objects.update(**change), NEVER)


def test_a_voiding_is_never_deleted(ended):
    refused(lambda: Voiding.objects.all()._raw_delete("default"), NEVER)
    assert Voiding.objects.count() == 1


def test_a_voiding_has_a_reason_and_there_is_one_of_a_game(ended, staff, anna, make_game):
    other = Game.objects.get(id=make_game("freecell", [anna]))
    refused(lambda: Voiding.objects.create(game=other, by=staff, reason=""), CHECK, "voiding_has_a_reason")
    refused(lambda: Voiding.objects.create(game=ended, by=staff, reason="x"), UNIQUE, "games_voiding_pkey")
    Voiding.objects.create(game=other, by=staff, reason="x")


# Boards.


def test_there_is_one_board_of_a_rule_set_variant_and_period(db):
    row = {"ruleset": "freecell", "variant": "default", "period": "2026-11"}
    Board.objects.create(**row)
    refused(lambda: Board.objects.create(**row), UNIQUE, "board_of_a_period")
    for other in ({"ruleset": "camelot"}, {"variant": "deal=1"}, {"period": "all"}):
        Board.objects.create(**{**row, **other})


def test_a_player_stands_on_a_board_once_by_each_measure(anna):
    board = Board.objects.create(ruleset="freecell", variant="default", period="all")
    row = {"board": board, "player": anna}
    Tally.objects.create(**row)
    Standing.objects.create(**row, measure=3, score=1)
    refused(lambda: Tally.objects.create(**row), UNIQUE, "games_tally_pkey")
    refused(lambda: Standing.objects.create(**row, measure=3, score=2), UNIQUE, "games_standing_pkey")
    Standing.objects.create(**row, measure=7, score=1)


# Deals of the day.


@pytest.mark.parametrize(
    "change",
    [
        *({"seed": bytes(32)}, {"deck": []}, {"commitment": "0" * 64}, {"date": date(2026, 12, 24)}),
        *({"ruleset": "x"}, {"rules_version": 2}, {"shuffle_version": 2}, {"options": {}}, {"variant": "x"}),
        {"created_at": Now()},
    ],
)
def test_a_deal_of_the_day_is_never_changed(tried, change):
    refused(lambda: DailyDeal.objects.filter(id=tried.get().daily_id).update(**change), NEVER)


def test_a_deal_of_the_day_is_never_deleted(tried):
    there = DailyDeal.objects.count()
    refused(lambda: DailyDeal.objects.exclude(id=tried.get().daily_id)._raw_delete("default"), NEVER)
    assert DailyDeal.objects.count() == there


@pytest.mark.parametrize(
    ("fields", "state", "constraint"),
    [
        ({"date": NOON.date()}, UNIQUE, "daily_deal_of_a_day"),
        *(({"seed": bytes(length)}, CHECK, "daily_seed_length") for length in (0, 31, 33)),
        ({"commitment": "0" * 63}, CHECK, "daily_commitment_form"),
        ({"commitment": "G" * 64}, CHECK, "daily_commitment_form"),
        ({"commitment": ""}, CHECK, "daily_commitment_form"),
        ({"seed": None}, NULL, None),
        ({"deck": None}, NULL, None),
    ],
)
def test_a_deal_of_the_day_that_cannot_be_is_refused(tried, fields, state, constraint):
    row = {
        "date": NOON.date() + timedelta(days=99),
        "ruleset": "freecell",
        "rules_version": 1,
        "shuffle_version": 1,
        "options": {},
        "variant": "default",
        "seed": bytes(32),
        "deck": ["AS"],
        "commitment": "0" * 64,
    }
    refused(lambda: DailyDeal.objects.create(**{**row, **fields}), state, constraint)
    DailyDeal.objects.create(**row)


@pytest.mark.parametrize(
    "change",
    [
        {"is_first_try": False},
        {"sealed_until": Now()},
        {"sealed_until": F("sealed_until") + timedelta(days=1)},
        {"daily": None, "is_first_try": False, "sealed_until": None},
        {"rated": True},
        {"variant": None},
    ],
)
def test_what_a_try_is_does_not_change(tried, change):
    refused(lambda: tried.update(**change), NEVER)


def test_a_try_stays_with_its_deal(tried):
    other = DailyDeal.objects.exclude(id=tried.get().daily_id).first()
    refused(lambda: tried.update(daily=other), NEVER)


def test_a_player_has_one_first_try_at_a_deal(tried, bo):
    names = [
        *("owner", "ruleset", "rules_version", "shuffle_version", "options", "seat_count", "visibility"),
        *("daily", "sealed_until"),
    ]
    row = {name: getattr(tried.get(), name) for name in names}
    refused(lambda: Game.objects.create(**row, is_first_try=True), UNIQUE, "game_first_try_once")
    for _ in range(2):
        Game.objects.create(**row)
    Game.objects.create(**{**row, "owner": bo}, is_first_try=True)
    refused(lambda: Game.objects.create(**row, rated=True), CHECK, "game_sealed_iff_daily")
