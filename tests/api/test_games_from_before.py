"""Games that were made, played or over before there were clocks, events and other ways to end."""

from datetime import UTC, datetime, timedelta

import pytest

from cardsite.jsonbody import timestamp
from games.models import Event, Game
from games.selectors.newest import newest_positions
from games.services.settling import games_settle
from tests.api.checks import records

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)


@pytest.fixture
def begun(anna, make_game):
    """A patience with a move, as it was left by the migration: with nothing that was not kept then."""
    game = make_game("freecell", [anna], options={"deal": 1})
    path = f"games/{game}/"
    assert anna.client.post(f"{path}moves", {"ply": 0, "notation": "5a"}).status_code == 201
    Game.objects.update(abandoned_at=None, due_at=None)
    newest_positions.clear()
    return path


def test_it_has_no_abandonment_until_it_is_played_on(begun, anna, time_stands):
    time_stands(NOON + 400 * MONTH)
    assert games_settle() == 0
    assert anna.client.get_json(begun)["abandoned_at"] is None
    assert anna.client.post(f"{begun}moves", {"ply": 1, "notation": "5b"}).status_code == 201
    assert anna.client.get_json(begun)["abandoned_at"] == timestamp(NOON + 401 * MONTH)
    assert Event.objects.filter(kind="entry").count() == 2


def test_its_moves_are_taken_back_and_it_is_given_up_like_any_other(begun, anna):
    assert anna.client.post(f"{begun}undo", {"ply": 1}).status_code == 201
    assert anna.client.post(f"{begun}resign").json()["ending"] == "resigned"


def test_an_open_one_waits_for_its_start_and_has_an_abandonment_from_then_on(anna, make_game, time_stands):
    game = make_game("freecell", [anna], start=False)
    Game.objects.update(due_at=None)
    time_stands(NOON + 400 * MONTH)
    assert games_settle() == 0
    started = anna.client.post(f"games/{game}/start").json()
    assert started["abandoned_at"] == timestamp(NOON + 401 * MONTH)


def test_one_that_is_over_was_played_out(anna, make_game):
    record = records("freecell")["no-move-left-microsoft"]
    game = make_game("freecell", [anna], options=record["options"])
    Game.objects.update(status="finished", ended_at=NOON, to_act=[])
    assert Game.objects.get().ending is None
    seen = anna.client.get_json(f"games/{game}/")
    assert (seen["ending"], seen["undos"], [seat["left"] for seat in seen["seats"]]) == (
        "played_out",
        0,
        [False],
    )
