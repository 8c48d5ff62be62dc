"""What the database itself refuses of sanctions, the audit trail, reveals and erased accounts, whoever asks it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Now

from accounts.models import AuditEntry, ErasedName, Player, Sanction
from accounts.services.sanctions import player_sanction, sanction_lift
from games.models import Reveal, Voiding
from games.services.erasing import player_erase
from games.services.leaving import game_resign
from games.services.rating import game_void
from games.services.revealing import game_reveal
from tests.sqlstates import CHECK, NEVER, UNIQUE, refused

DAY = timedelta(days=1)


@pytest.fixture
def muted(anna, staff):
    return player_sanction(player=anna, by=staff, kind="mute", reason="shouted", until=None)


@pytest.fixture
def lifted(muted, staff):
    return sanction_lift(player=muted.player, sanction_id=muted.id, by=staff, reason="heard")


@pytest.fixture
def looked_at(anna, bo, staff, make_game):
    """A game that was revealed, given up and voided."""
    game = make_game("sicksack", [anna, bo])
    game_reveal(game_id=game, by=staff, reason="a report")
    game_resign(game_id=game, player=anna)
    game_void(game_id=game, by=staff, reason="a test")
    return game


@pytest.mark.parametrize(
    "change",
    [
        {"act": "other"},
        {"reason": "other"},
        {"details": {"a": 1}},
        {"at": Now()},
        {"by": None},
        {"player": None},
        {"game": F("id")},
    ],
)
def test_an_entry_of_the_audit_trail_is_never_changed(muted, change):
    refused(lambda: AuditEntry.objects.update(**change), NEVER)


def test_an_entry_of_the_audit_trail_is_never_deleted(muted):
    refused(lambda: AuditEntry.objects.all()._raw_delete("default"), NEVER)
    assert AuditEntry.objects.count() == 1


def test_not_even_where_a_name_is_taken_out_anything_but_words_is_changed(looked_at, muted, staff):
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('accounts.erasing', 'on', true)")
    for change in ({"act": "other"}, {"at": Now()}, {"by": None}, {"player": None}, {"game": F("id")}):
        refused(lambda change=change: AuditEntry.objects.update(**change), NEVER)
    for change in ({"kind": "suspension"}, {"until": Now() + DAY}, {"by": F("player")}, {"at": Now() - DAY}):
        refused(lambda change=change: Sanction.objects.update(**change), NEVER)
    for kind in (Reveal, Voiding):
        refused(lambda kind=kind: kind.objects.update(at=Now() - DAY), NEVER)
        assert kind.objects.update(reason="words") == 1
    assert AuditEntry.objects.update(reason="words", details={}) == 3
    assert Sanction.objects.update(reason="words") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "suspension"},
        {"reason": "other"},
        {"until": Now() + DAY},
        {"at": Now() - DAY},
        {"by": F("player")},
        {"player": F("by")},
    ],
)
def test_a_sanction_is_never_changed(muted, change):
    refused(lambda: Sanction.objects.update(**change), NEVER)


def test_a_sanction_is_lifted_once_and_wholly_and_never_deleted(muted, staff):
    refused(lambda: Sanction.objects.update(lifted_at=Now()), CHECK, "sanction_lifted_wholly")
    refused(
        lambda: Sanction.objects.update(lifted_at=Now(), lifted_by=staff), CHECK, "sanction_lifted_wholly"
    )
    sanction_lift(player=muted.player, sanction_id=muted.id, by=staff, reason="heard")
    for change in (
        {"lifted_at": Now() - DAY},
        {"lifted_by": F("player")},
        {"lift_reason": "other"},
        {"lifted_at": None, "lifted_by": None, "lift_reason": ""},
    ):
        refused(lambda change=change: Sanction.objects.update(**change), NEVER)
    refused(lambda: Sanction.objects.all()._raw_delete("default"), NEVER)
    assert Sanction.objects.get().lift_reason == "heard"


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"kind": "ban"}, "sanction_kind_known"),
        ({"reason": ""}, "sanction_has_a_reason"),
        ({"until": Now()}, "sanction_until_later"),
        ({"kind": "warning", "until": Now() + DAY}, "sanction_until_later"),
    ],
)
def test_there_is_no_sanction_of_another_form(anna, staff, fields, constraint):
    row = {"player": anna, "by": staff, "kind": "mute", "reason": "shouted"}
    refused(lambda: Sanction.objects.create(**{**row, **fields}), CHECK, constraint)


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [({"reason": ""}, "audit_entry_has_a_reason"), ({"act": ""}, "audit_entry_has_an_act")],
)
def test_the_audit_trail_says_what_was_done_and_why(fields, constraint, db):
    refused(
        lambda: AuditEntry.objects.create(**{"act": "mute", "reason": "shouted", **fields}), CHECK, constraint
    )


@pytest.mark.parametrize("kind", [Reveal, Voiding])
def test_a_reveal_and_a_voiding_are_never_changed_or_deleted(looked_at, kind):
    for change in ({"reason": "other"}, {"at": Now() - DAY}, {"by": Player.objects.get(username="bo")}):
        refused(lambda change=change: kind.objects.update(**change), NEVER)
    refused(lambda: kind.objects.all()._raw_delete("default"), NEVER)


def test_a_game_is_revealed_to_somebody_once_and_for_a_reason(looked_at, staff, anna):
    refused(lambda: Reveal.objects.create(game_id=looked_at, by=staff, reason="again"), UNIQUE, "reveal_once")
    refused(
        lambda: Reveal.objects.create(game_id=looked_at, by=anna, reason=""), CHECK, "reveal_has_a_reason"
    )


def test_nothing_comes_back_to_an_account_that_was_erased(anna):
    stale = Player.objects.get(id=anna.id)
    player_erase(player=anna, by=anna, reason="a test")
    for change in (
        {"email": "a@example.org"},
        {"username": "anna"},
        {"is_active": True},
        {"erased_at": None},
    ):
        refused(lambda change=change: Player.objects.update(**change), NEVER)
    refused(stale.save, NEVER)


@pytest.mark.parametrize(
    "left",
    [
        {"email": "a@example.org"},
        {"is_active": True},
        {"is_staff": True},
        {"is_superuser": True},
        {"last_login": Now()},
        {"username": Value("anna")},
    ],
)
def test_an_account_is_erased_wholly(anna, left):
    wholly = {"username": "deleted-x", "is_active": False, "erased_at": Now()}
    refused(lambda: Player.objects.update(**{**wholly, **left}), CHECK, "player_erased_wholly")
    assert Player.objects.update(**wholly) == 1


def test_a_name_that_was_erased_stays_so(anna):
    player_erase(player=anna, by=anna, reason="a test")
    refused(lambda: ErasedName.objects.update(digest=b"x" * 32), NEVER)
    refused(lambda: ErasedName.objects.all()._raw_delete("default"), NEVER)
