"""The deals of the day: made and committed to beforehand, the same for all, opened when the day is over."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from games import shuffle
from games.catalog import CURRENT
from games.models import DailyDeal
from games.rules.contract import read_options
from games.services.daily import AHEAD, daily_deals_make
from games.tasks import make_daily_deals
from tests.api.checks import whole_list
from tests.api.dailies import (
    CLOSING,
    DAY,
    MILLISECOND,
    NOON,
    OPENING,
    PATIENCES,
    begun,
    make_deals,
    path_of,
)
from tests.api.published import assert_documented
from tests.api.threads import together
from tests.expect import everything, faults, nothing_changes, problem

FREECELL = path_of("freecell")
each_patience = pytest.mark.parametrize("slug", PATIENCES)


def day(number):
    return DAY + timedelta(days=number)


@pytest.fixture
def noon(time_stands):
    time_stands(NOON)


@pytest.fixture
def deals(noon):
    make_deals()


# Made beforehand.


def test_deals_are_made_of_each_patience_for_today_and_a_week_ahead(noon):
    assert AHEAD == 7
    assert make_deals() == 3 * 8
    made = DailyDeal.objects.order_by("date").values_list("date", "ruleset")
    assert Counter(made) == {(day(number), slug): 1 for number in range(8) for slug in PATIENCES}


def test_deals_are_made_once(deals):
    with nothing_changes():
        assert make_deals() == 0
    before = set(DailyDeal.objects.values_list("id", "seed", "commitment"))
    assert daily_deals_make(today=day(1)) == 3
    assert before < set(DailyDeal.objects.values_list("id", "seed", "commitment"))
    assert DailyDeal.objects.filter(date=day(8)).count() == 3


def test_deals_that_are_missing_among_others_are_made(noon):
    daily_deals_make(today=day(3))
    assert make_deals() == 3 * 3
    assert DailyDeal.objects.count() == 3 * 11


@pytest.mark.django_db(transaction=True)
def test_deals_that_two_make_at_once_are_made_once():
    made = together(*[lambda: daily_deals_make(today=DAY)] * 2)
    deals = DailyDeal.objects.all()
    assert len(deals) == len({(deal.date, deal.ruleset) for deal in deals}) == 3 * 8
    assert max(made) == 3 * 8


@pytest.mark.django_db(transaction=True)
def test_the_worker_makes_the_deals_of_the_day_that_the_database_tells(time_stands):
    time_stands(CLOSING - MILLISECOND)
    make_daily_deals(0)
    assert sorted({deal.date for deal in DailyDeal.objects.all()}) == [day(number) for number in range(8)]
    time_stands(CLOSING)
    make_daily_deals(0)
    assert DailyDeal.objects.filter(date=day(8)).count() == 3


@each_patience
def test_a_deal_is_what_its_seed_makes_of_the_pack_without_anybody_elses_entropy(slug, noon):
    daily_deals_make(today=DAY)
    rules = CURRENT[slug]
    for deal in DailyDeal.objects.filter(ruleset=slug):
        options = rules.resolve(read_options(rules, deal.options), 1)
        assert options == rules.Options()
        assert deal.deck == list(shuffle.deck_order(rules.deck(options), bytes(deal.seed), [""]))
        assert deal.commitment == shuffle.commitment(deal.id, bytes(deal.seed))
        assert (deal.rules_version, deal.shuffle_version) == (rules.version, shuffle.VERSION)
        assert deal.variant == "default"
    assert len({bytes(deal.seed) for deal in DailyDeal.objects.all()}) == 24


# Seen.


@each_patience
def test_a_commitment_is_shown_a_week_before_and_the_cards_once_the_day_is_over(slug, anonymous, time_stands):
    time_stands(OPENING - timedelta(days=7))
    daily_deals_make(today=day(-7))
    seen = {}
    for state, times in (
        ("ahead", (OPENING - timedelta(days=7), OPENING - MILLISECOND)),
        ("open", (OPENING, CLOSING - MILLISECOND)),
        ("over", (CLOSING, CLOSING + timedelta(days=400))),
    ):
        for time in times:
            time_stands(time)
            answer = anonymous.ask("GET", path_of(slug))
            assert_documented(f"/api/v1/{path_of(slug)}", "GET", answer)
            seen[state] = answer.json()
            assert seen[state]["state"] == state
            assert [seen[state][name] is None for name in ("seed", "deck")] == [state != "over"] * 2
    shown = {
        "id": seen["ahead"]["id"],
        "date": "2031-05-14",
        "ruleset": slug,
        "rules_version": CURRENT[slug].version,
        "shuffle_version": 1,
        "variant": "default",
        "commitment": seen["ahead"]["commitment"],
        "opens_at": "2031-05-14T00:00:00.000Z",
        "closes_at": "2031-05-15T00:00:00.000Z",
        "state": "ahead",
        "seed": None,
        "deck": None,
        "tries": 0,
        "wins": 0,
        "your_try": None,
    }
    assert seen["ahead"] == shown
    assert seen["open"] == {**shown, "state": "open"}
    over = seen["over"]
    assert over == {**shown, "state": "over", "seed": over["seed"], "deck": over["deck"]}
    rules = CURRENT[slug]
    seed, pack = bytes.fromhex(over["seed"]), rules.deck(rules.Options())
    assert shuffle.commitment(DailyDeal.objects.get(id=over["id"]).id, seed) == shown["commitment"]
    assert over["deck"] == list(shuffle.deck_order(pack, seed, [""]))


def test_deals_are_listed_the_latest_day_first_by_days(anonymous, deals):
    items = whole_list(anonymous, "daily/")
    order = [(str(day(number)), slug) for number in range(7, -1, -1) for slug in sorted(PATIENCES)]
    assert [(item["date"], item["ruleset"]) for item in items] == order
    assert {item["state"] for item in items} == {"ahead", "open"}
    assert all({"seed", "deck"}.isdisjoint(item) for item in items)
    assert all(
        item == {name: anonymous.get_json(f"daily/{item['date']}/{item['ruleset']}/")[name] for name in item}
        for item in items[-4:]
    )
    for limit in (1, 2, 4, 5):
        assert whole_list(anonymous, f"daily/?limit={limit}") == items
    page = anonymous.get_json("daily/?limit=4")
    assert (len(page["items"]), page["next"]) == (6, "/api/v1/daily/?limit=4&cursor=2031-05-20")
    only = whole_list(anonymous, "daily/?ruleset=camelot&limit=3")
    assert only == [item for item in items if item["ruleset"] == "camelot"]
    assert anonymous.get_json("daily/?cursor=2031-05-14") == {"items": [], "next": None}


def test_the_list_of_deals_refuses_what_it_does_not_know(anonymous, deals):
    for query, at in (
        ("ruleset=sicksack", "ruleset"),
        ("cursor=yesterday", "cursor"),
        ("cursor=2031-02-31", "cursor"),
        ("cursor=0000-01-01", "cursor"),
        ("limit=101", "limit"),
        ("date=2031-05-14", "query"),
    ):
        answer = anonymous.ask("GET", f"daily/?{query}")
        assert faults(answer) == [at], query
        assert_documented("/api/v1/daily/", "GET", answer)


@pytest.mark.parametrize(
    "where",
    [
        "2031-05-13/freecell",
        "2031-05-22/freecell",
        "2026-02-31/freecell",
        "2031-13-01/freecell",
        "0000-05-14/freecell",
        "0001-01-01/freecell",
        "9999-12-31/freecell",
        "2031-05-14/sicksack",
        "2031-05-14/whist",
        "2031-05-14/FREECELL",
        "2031-5-14/freecell",
        "20310514/freecell",
        "2031-W20-3/freecell",
        "\u0662\u0660\u0663\u0661-05-14/freecell",
        "today/freecell",
    ],
)
def test_there_is_no_deal_of_another_day_or_game(where, anna, deals):
    for path in ("", "table"):
        problem(anna.client.ask("GET", f"daily/{where}/{path}"), "not_found")
    with nothing_changes():
        problem(anna.client.post(f"daily/{where}/", {}), "not_found")


# Kept.


def test_a_deal_is_never_changed_and_its_seed_is_in_no_other_place_but_games(anna, deals):
    deal = DailyDeal.objects.get(date=DAY, ruleset="freecell")
    for change in (lambda: DailyDeal.objects.update(seed=bytes(32)), deal.delete):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
    begun(anna, "freecell")
    seed = bytes(deal.seed).hex()
    assert {table for table, rows in everything().items() if seed in rows} == {
        "games_dailydeal",
        "games_deal",
    }
    assert (str(deal), repr(deal)) == ("freecell of 2031-05-14", "<DailyDeal>")
