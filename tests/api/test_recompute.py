"""`manage.py recompute_standings`: whether ratings and boards follow from the games, and how they are mended."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from games.models import Rating
from games.services.boards import boards_project, boards_rebuild
from games.services.rating import game_void, ratings_rebuild
from tests.api.finished import NOON, finish, of_several, patience
from tests.api.test_rated import rated_game
from tests.api.threads import together
from tests.expect import everything, nothing_changes
from tests.stored_games import without_guards

EQUAL = "equal: ratings and boards are what follows from the games"


@pytest.fixture
def world(anna, bo, cilla, staff, time_stands):
    # On the day of these games, so that what was taken back is of the same periods as they are.
    time_stands(NOON + timedelta(hours=1))
    games = [of_several([anna, bo, cilla], [1, 2, 2]), of_several([bo, anna], [1, 2])]
    games += [patience(anna, score=7), patience(bo, "loss"), patience(bo)]
    finish(*games)
    boards_project()
    game_void(game_id=games[0].id, by=staff, reason="x")
    game_void(game_id=games[3].id, by=staff, reason="x")
    boards_project()
    # Rows that have come to nothing are not made again.
    boards_rebuild()


def recompute(*options):
    """What is said, and whether anything differs."""
    out = StringIO()
    try:
        call_command("recompute_standings", *options, stdout=out)
    except CommandError as error:
        return out.getvalue().splitlines(), str(error)
    return out.getvalue().splitlines(), None


def tamper(sql, *given):
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        assert cursor.rowcount == 1


@pytest.mark.usefixtures("world")
def test_what_was_kept_is_what_follows():
    with nothing_changes():
        assert recompute("--check") == ([EQUAL], None)
    with nothing_changes():
        assert recompute() == (["set: 0 ratings", EQUAL], None)


@pytest.mark.usefixtures("world")
def test_games_that_have_yet_to_be_counted_are_counted_first(anna):
    finish(patience(anna))
    assert recompute("--check") == ([EQUAL], None)
    assert anna.client.get_json("leaderboards/camelot/?measure=wins")["items"][0]["wins"] == 2


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE games_rating SET mean = mean + 0.001 WHERE player_id = %s", ", mean: "),
        ("UPDATE games_rating SET deviation = 1 WHERE player_id = %s", ", deviation: 1.000000"),
        (
            "UPDATE games_rating SET games = 0 WHERE player_id = %s",
            ", games: 0.000000, which should be 1.000000",
        ),
        (
            "UPDATE games_rating SET changes = 9 WHERE player_id = %s",
            ", changes: 9.000000, which should be 3.000000",
        ),
    ],
)
def test_a_rating_that_was_tampered_with_is_told_and_mended(anna, sql, said):
    before = everything()
    tamper(sql, anna.id)
    with nothing_changes():
        lines, error = recompute("--check")
    assert error == f"{len(lines)} differ"
    (line,) = lines
    assert line.startswith(f"rating of {anna.id} at sicksack, default")
    assert said in line
    assert recompute() == (["set: 1 ratings", EQUAL], None)
    after = everything()
    assert {table for table in before if before[table] != after[table]} <= {"games_rating"}


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("table", "sql"),
    [
        ("games_tally", "UPDATE {} SET wins = wins + 1 WHERE {}"),
        ("games_tally", "UPDATE {} SET lead = lead + 1 WHERE {}"),
        ("games_tally", "DELETE FROM {} WHERE {}"),
        ("games_standing", "UPDATE {} SET score = score + 1 WHERE {}"),
        ("games_standing", "DELETE FROM {} WHERE {}"),
        ("games_scorebucket", "UPDATE {} SET standings = standings + 1 WHERE {}"),
        ("games_scorebucket", "DELETE FROM {} WHERE {}"),
        ("games_frequency", "UPDATE {} SET draws = draws + 1 WHERE {}"),
        ("games_frequency", "DELETE FROM {} WHERE {}"),
    ],
)
def test_a_row_of_a_board_that_was_tampered_with_is_told_and_mended(table, sql):
    counts = "games > 0" if table in {"games_tally", "games_frequency"} else "true"
    before = everything()
    tamper(sql.format(table, f"ctid = (SELECT min(ctid) FROM {table} WHERE {counts})"))
    with nothing_changes():
        lines, error = recompute("--check")
    has, misses = (f"{table} has, and should not: ", f"{table} should have: ")
    starts = [misses] if sql.startswith("DELETE") else [has, misses]
    assert [line.startswith(start) for line, start in zip(lines, starts, strict=True)] == [True] * len(starts)
    assert error == f"{len(lines)} differ"
    assert recompute() == (["set: 0 ratings", EQUAL], None)
    assert everything() == before


@pytest.mark.usefixtures("world")
def test_a_rating_that_is_gone_is_made_again(anna):
    before = everything()
    tamper("DELETE FROM games_rating WHERE player_id = %s", anna.id)
    lines, error = recompute("--check")
    assert (len(lines), error) == (4, "4 differ")
    assert recompute() == (["set: 1 ratings", EQUAL], None)
    after = everything()
    assert {table for table in before if before[table] != after[table]} <= {"games_rating"}


@pytest.mark.usefixtures("world")
def test_a_change_that_is_not_what_follows_from_its_game_is_told_and_stays(anna, bo):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_ratingchange DISABLE TRIGGER rating_change_append_only")
    tamper(
        "UPDATE games_ratingchange SET mean_change = mean_change + 10 WHERE player_id = %s AND number = 2",
        bo.id,
    )
    with nothing_changes():
        lines, error = recompute("--check")
    assert error == "3 differ"
    assert lines[0].startswith(f"change 3 of {bo.id} at sicksack, default, mean before: ")
    assert lines[1].startswith(f"rating of {bo.id} at sicksack, default, mean: ")
    assert lines[2].startswith("game ")
    assert f", change of {bo.id}, mean: " in lines[2]
    # The rating is the sum again; what stands in the ledger stands there.
    lines, error = recompute()
    assert (lines[0], error) == ("set: 1 ratings", "2 differ")


@pytest.mark.usefixtures("world")
def test_a_reversal_that_does_not_take_back_what_its_game_did_is_told(anna):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_ratingchange DISABLE TRIGGER rating_change_append_only")
    tamper(
        "UPDATE games_ratingchange SET deviation_change = 0 WHERE player_id = %s AND kind = 'reversal'",
        anna.id,
    )
    lines, _ = recompute("--check")
    told = [
        line for line in lines if f", reversal of {anna.id}, deviation: 0.000000, which should be" in line
    ]
    assert len(told) == 1


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(("kind", "missing"), [("game", 5), ("reversal", 3)])
def test_changes_that_are_missing_are_told(kind, missing):
    with without_guards(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_ratingchange WHERE kind = %s", [kind])
        assert cursor.rowcount == missing
    lines, _ = recompute("--check")
    told = [
        line for line in lines if line.endswith(f"of the kind {kind}: 0.000000, which should be 1.000000")
    ]
    assert len(told) == missing


@pytest.mark.django_db(transaction=True)
def test_no_rating_is_changed_or_made_while_all_are_set_anew(anna, bo):
    """Nor that of a player who has none yet."""
    game = rated_game([anna, bo])
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            ratings_rebuild()
            ending = threads.submit(together, partial(bo.client.post, f"games/{game}/resign"))
            with pytest.raises(TimeoutError):
                ending.result(timeout=0.5)
        (answer,) = ending.result(timeout=20)
    assert answer.status_code == 200
    assert recompute("--check") == ([EQUAL], None)
    assert Rating.objects.count() == 2
