"""What the database itself refuses of accounts, and what holds of all tables together."""

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor

from accounts.models import ApiToken, IdempotentAnswer, Player
from games.models import Game
from tests.conftest import database_url
from tests.sqlstates import CHECK, FOREIGN, UNIQUE, refused


@pytest.mark.parametrize(
    ("fields", "state", "constraint"),
    [
        ({"username": "Anna"}, UNIQUE, "player_username_unique"),
        ({"username": "1a"}, CHECK, "player_username_form"),
        ({"username": "a"}, CHECK, "player_username_form"),
        ({"username": "ab\n"}, CHECK, "player_username_form"),
        ({"username": "a b"}, CHECK, "player_username_form"),
        ({"display_name": ""}, CHECK, "player_display_name_given"),
    ],
)
def test_a_player_that_cannot_be_is_refused(anna, fields, state, constraint):
    row = {"username": "other", "display_name": "Other", **fields}
    refused(lambda: Player.objects.create(**row), state, constraint)


def test_tokens_and_keys_that_cannot_be_are_refused(anna, bo):
    token = {"player": anna, "name": "x", "digest": b"x" * 32, "hint": "card_"}
    key = {"player": anna, "key_digest": b"k" * 32, "request_digest": b"r" * 32}
    ApiToken.objects.create(**token)
    IdempotentAnswer.objects.create(**key)
    IdempotentAnswer.objects.create(**{**key, "player": bo})
    refused(lambda: ApiToken.objects.create(**{**token, "player": bo}), UNIQUE, "token_digest_unique")
    refused(lambda: ApiToken.objects.create(**{**token, "digest": b"y", "name": ""}), CHECK, "token_named")
    refused(lambda: IdempotentAnswer.objects.create(**key), UNIQUE, "idempotency_key_of_player")


# All together.


def own_models():
    return [model for app in ("accounts", "games") for model in apps.get_app_config(app).get_models()]


def test_nothing_is_deleted_along_with_what_it_belongs_to(db):
    links = [
        field
        for model in own_models()
        for field in model._meta.get_fields()
        if field.concrete and (field.many_to_one or field.one_to_one)
    ]
    assert len(links) >= 9
    assert [str(field) for field in links if field.remote_field.on_delete is not models.PROTECT] == []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f' AND confdeltype <> 'a'"
            " AND conrelid::regclass::text !~ '^procrastinate_'"
        )
        assert cursor.fetchall() == []


@pytest.mark.parametrize("link", ["owner", "seat", "token"])
def test_a_player_of_whom_there_is_something_is_never_deleted(anna, bo, make_game, link):
    game = make_game("sicksack", [anna, bo], start=False)
    who = {"owner": anna, "seat": bo, "token": anna}[link]
    with pytest.raises(models.ProtectedError):
        who.delete()
    refused(lambda: Player.objects.filter(id=who.id)._raw_delete("default"), FOREIGN)
    assert Game.objects.filter(id=game).exists()


def test_every_constraint_unique_index_and_trigger_of_games_is_one_that_is_tried(db):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid::regclass::text ~ '^games_'"
            " AND conname !~ '_check$' UNION SELECT tgname FROM pg_trigger"
            " WHERE NOT tgisinternal AND tgrelid::regclass::text !~ '^procrastinate_'"
            " UNION SELECT indexrelid::regclass::text FROM pg_index"
            " WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text ~ '^games_'"
        )
        there = {name for (name,) in cursor.fetchall()}
    assert there == {
        *("game_status_known", "game_link_iff_private", "game_started_iff_begun", "game_ended_iff_done"),
        *("game_somebody_acts_iff_running", "game_has_a_seat", "game_commitment_form"),
        *("game_ending_iff_ended", "game_times_of_every_seat", "move_request_whole"),
        *("move_kind_known", "move_base_not_ahead", "result_known", "result_place_from_one"),
        *("move_append_only", "result_append_only", "deal_kept", "deal_sealed", "deal_seed_length"),
        *("game_kept", "game_sealed", "seat_guarded", "event_append_only"),
        *("seat_number_unique", "seat_player_unique", "move_base_used_once"),
        *("daily_deal_sealed", "daily_deal_of_a_day", "daily_commitment_form", "daily_seed_length"),
        *("game_sealed_iff_daily", "game_first_try_once", "result_counts_if_known", "board_of_a_period"),
        *("rating_change_append_only", "rating_change_numbered", "rating_change_once"),
        *(
            "rating_change_kind_known",
            "rating_change_from_one",
            "voiding_sealed",
            "voiding_kept",
            "voiding_has_a_reason",
        ),
        *("audit_entry_sealed", "audit_entry_kept", "sanction_sealed", "sanction_kept"),
        *("reveal_sealed", "reveal_kept", "reveal_once", "reveal_has_a_reason"),
        *("erased_name_kept", "erased_player_kept"),
    }


def test_a_new_connection_waits_for_nothing_without_end(db):
    with psycopg.connect(database_url()) as fresh:
        found = {
            name: fresh.execute(f"SHOW {name}").fetchone()[0]
            for name in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
        }
    assert found == {
        "lock_timeout": "5s",
        "statement_timeout": "30s",
        "idle_in_transaction_session_timeout": "1min",
    }


@pytest.mark.django_db(transaction=True)
def test_the_migrations_make_what_the_models_say_and_can_be_taken_back():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("games")
    try:
        MigrationExecutor(connection).migrate([("games", None)])
        assert "games_game" not in connection.introspection.table_names()
    finally:
        MigrationExecutor(connection).migrate(newest)
    assert "games_game" in connection.introspection.table_names()
