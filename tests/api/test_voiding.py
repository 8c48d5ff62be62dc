"""Games that are voided: what they led to is taken back, and everything tells of it."""

from datetime import timedelta

import pytest

from cardsite.jsonbody import timestamp
from cardsite.problems import Problem
from games.models import Event, Frequency, RatingChange, Standing, Uncounted, Voiding
from games.ratings import Strength
from games.selectors.standings import rating_disagreements
from games.services.agreement import board_disagreements
from games.services.boards import boards_project
from games.services.rating import game_void
from tests.api.finished import NOON, finish, of_several, patience
from tests.api.test_rated import ledger, rated_game, resigns, strength
from tests.expect import nothing_changes


def voids(staff, game, reason="they were one person"):
    game_void(game_id=game, by=staff, reason=reason)


def refused(code, **given):
    with nothing_changes(), pytest.raises(Problem) as raised:
        game_void(**given)
    assert raised.value.code == code


def test_what_a_game_did_to_ratings_is_taken_back_and_later_games_stay_as_they_are(anna, bo, cilla, staff):
    first, second = rated_game([anna, bo]), rated_game([cilla, anna])
    resigns(bo, first)
    resigns(anna, second)
    before = {player: ledger(player) for player in (anna, bo, cilla)}
    voids(staff, first)
    for player, changes in before.items():
        assert ledger(player)[: len(changes)] == changes
    _, _, _, old, new = before[anna][0]
    now = before[anna][1][-1]
    back = Strength(now.mean - (new.mean - old.mean), now.deviation - (new.deviation - old.deviation))
    number, kind, game, began, ended = ledger(anna)[-1]
    assert (number, kind, game, began) == (3, "reversal", first, now)
    assert (ended.mean, ended.deviation) == pytest.approx((back.mean, back.deviation), abs=1e-9)
    assert strength(anna) == ended
    assert [row[:2] for row in ledger(bo)] == [(1, "game"), (2, "reversal")]
    # Whoever has no other game is where everybody begins.
    assert (strength(bo).mean, strength(bo).deviation) == pytest.approx((1500, 350), abs=1e-9)
    assert ledger(cilla) == before[cilla]
    assert [rating["games"] for rating in anna.client.get_json("players/anna/ratings")["items"]] == [1]
    assert list(rating_disagreements()) == []


def test_a_game_is_voided_once(anna, bo, staff):
    game = rated_game([anna, bo])
    resigns(bo, game)
    voids(staff, game)
    with nothing_changes():
        voids(staff, game, "again")
    ((by, reason),) = Voiding.objects.values_list("by__username", "reason")
    assert (by, reason) == ("boss", "they were one person")
    assert RatingChange.objects.count() == 4
    assert list(Uncounted.objects.order_by("id").values_list("change", flat=True)) == [1, -1]


def test_only_a_game_that_is_over_is_voided_and_only_for_a_reason(anna, bo, staff, make_game):
    running, unopened = make_game("sicksack", [anna, bo]), make_game("sicksack", [anna, bo], start=False)
    abandoned = make_game("freecell", [anna])
    resigns(anna, abandoned)
    for game in (running, unopened, abandoned):
        refused("not_over", game_id=game, by=staff, reason="x")
    resigns(anna, running)
    for reason in ("", " \n", "x" * 201):
        refused("invalid", game_id=running, by=staff, reason=reason)
    refused("not_found", game_id=anna.id, by=staff, reason="x")
    voids(staff, running, " x ")
    assert Voiding.objects.get().reason == "x"


def test_of_a_private_game_nothing_is_to_be_counted(anna, bo, staff, make_game):
    game = make_game("sicksack", [anna, bo], private=True)
    resigns(anna, game)
    voids(staff, game)
    assert (Voiding.objects.count(), Uncounted.objects.count()) == (1, 0)


@pytest.mark.usefixtures("told_at_once")
def test_it_is_told_once_to_all_who_look_on(anna, bo, staff, anonymous):
    game = rated_game([anna, bo])
    resigns(bo, game)
    seen = anonymous.ask("GET", f"games/{game}/")
    assert seen.json()["voided"] is False
    last = seen.json()["event_seq"]
    voids(staff, game)
    event = {
        "type": "voided",
        "game": str(game),
        "seq": last + 1,
        "at": timestamp(Event.objects.get(kind="voided").at),
    }
    for client in (anna.client, bo.client, anonymous):
        assert client.get_json(f"games/{game}/events?after={last}")["items"] == [event]
    assert anna.client.get_json("me/events?after=0")["items"][-1].items() >= event.items()
    again = anonymous.ask("GET", f"games/{game}/", if_none_match=seen.headers["ETag"])
    assert again.status_code == 200
    assert again.json() == seen.json() | {"voided": True, "event_seq": last + 1}
    same = anonymous.ask("GET", f"games/{game}/", if_none_match=again.headers["ETag"])
    assert same.status_code == 304


def test_boards_records_and_statistics_lose_it(anna, bo, staff, anonymous):
    rated, won, lost = of_several([anna, bo], [1, 2]), patience(anna), patience(anna, "loss", length=7)
    finish(rated, won, lost)
    boards_project()

    def shown():
        return [
            anonymous.get_json("leaderboards/sicksack/")["players"],
            [
                (one["username"], one["wins"])
                for one in anonymous.get_json("leaderboards/camelot/?measure=wins")["items"]
            ],
            [
                (record["ruleset"], record["games"], record["wins"], record["losses"])
                for record in anonymous.get_json("players/anna/record")["items"]
            ],
            [
                (one["games"], one["length"]["shortest"], one["length"]["longest"], one["by_seat"][0]["wins"])
                for one in anonymous.get_json("rulesets/camelot/statistics")["items"]
            ],
            anonymous.get_json("rulesets/sicksack/statistics")["items"] != [],
        ]

    whole = [("camelot", 2, 1, 1), ("sicksack", 1, 1, 0)]
    assert shown() == [2, [("anna", 1)], whole, [(2, 7, 10, 1)], True]
    voids(staff, rated.id)
    voids(staff, won.id)
    # Of records a voided game is gone at once.
    assert shown() == [2, [("anna", 1)], [("camelot", 1, 0, 1)], [(2, 7, 10, 1)], True]
    boards_project()
    assert shown() == [0, [], [("camelot", 1, 0, 1)], [(1, 7, 7, 0)], False]
    assert anonymous.get_json("players/bo/record")["items"] == []
    assert board_disagreements() == []


def test_a_game_that_is_voided_before_it_was_counted_never_counts(anna, bo, staff):
    games = [of_several([anna, bo], [1, 2]), patience(anna)]
    finish(*games)
    for game in games:
        voids(staff, game.id)
    assert boards_project() == 4
    assert Standing.objects.count() == 0
    assert Frequency.objects.exclude(games=0, wins=0, draws=0).count() == 0
    assert board_disagreements() == []


def test_a_run_of_wins_grows_together_where_a_loss_in_it_is_voided(anna, staff, anonymous):
    games = [
        patience(anna, result, at=NOON + timedelta(minutes=number))
        for number, result in enumerate(["win", "win", "loss", "win", "win", "win", "loss", "win"])
    ]

    def streak():
        boards_project()
        (one,) = anonymous.get_json("leaderboards/camelot/?measure=streak")["items"]
        return one["streak"]

    finish(*games)
    assert streak() == 3
    voids(staff, games[2].id)
    assert streak() == 5
    voids(staff, games[4].id)
    assert streak() == 4
    assert board_disagreements() == []
