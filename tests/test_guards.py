"""What the database itself refuses of games, whoever asks it."""

import itertools
from datetime import timedelta

import pytest
from django.db.models import F, Func, JSONField, Value
from django.db.models.functions import Now
from django.utils import timezone

from games.models import Deal, Event, Game, Move, Result, Seat
from games.rules.cards import FRENCH_DECK
from tests.sqlstates import CHECK, FOREIGN, NEVER, NULL, UNIQUE, refused


@pytest.fixture
def begun(anna, bo, make_game):
    """A game that has begun, with a move in its log."""
    game = make_game("sicksack", [anna, bo])
    assert anna.client.post(f"games/{game}/moves", {"ply": 0, "move": {"type": "chance"}}).status_code == 201
    return Game.objects.filter(id=game)


@pytest.fixture
def opened(anna, bo, make_game):
    """A game of three seats that is open, with two of them taken."""
    return Game.objects.filter(id=make_game("sicksack", [anna, bo], start=False, seats=3))


@pytest.fixture
def done(begun):
    """A game that is finished, with its results."""
    begun.update(status="finished", ended_at=Now(), to_act=[])
    for seat, (place, result) in enumerate([(1, "win"), (2, "loss")]):
        Result.objects.create(game=begun.get(), seat=seat, place=place, result=result, score=0)
    return begun


# The log and the results.


@pytest.mark.parametrize(
    "change",
    [
        {"ply": 7},
        {"kind": "play"},
        {"seat": 1},
        {"base": 0},
        {"request_n": 1},
        {"body": {"type": "take"}},
        {"at": Now()},
        {"by_id": F("by_id")},
    ],
)
def test_a_move_is_never_changed(begun, change):
    refused(lambda: Move.objects.update(**change), NEVER)


def test_a_move_is_never_deleted(begun):
    refused(lambda: Move.objects.all()._raw_delete("default"), NEVER)
    assert Move.objects.count() == 1


@pytest.mark.parametrize("change", [{"place": 1}, {"result": "draw"}, {"score": 9}, {"seat": 5}])
def test_a_result_is_never_changed(done, change):
    refused(lambda: Result.objects.update(**change), NEVER)


def test_a_result_is_never_deleted(done):
    refused(lambda: Result.objects.all()._raw_delete("default"), NEVER)
    assert Result.objects.count() == 2


NO_REQUEST = {"base": None, "request_n": None}


def move(game, **fields):
    Move.objects.create(
        **{
            "game": game.get(),
            "ply": 1,
            "kind": "play",
            "seat": 1,
            "by": game.get().owner,
            "base": 1,
            "request_n": 0,
            "body": {},
            "at": Now(),
            **fields,
        }
    )


@pytest.mark.parametrize(
    ("fields", "state", "constraint"),
    [
        ({"ply": 0, "base": 0}, UNIQUE, "games_move_pkey"),
        ({"seat": 0, "base": 0}, UNIQUE, "move_base_used_once"),
        ({"kind": "shout"}, CHECK, "move_kind_known"),
        *(({"kind": kind, "seat": None}, CHECK, "move_kind_known") for kind in ("play", "undo")),
        *(({"kind": kind, "by": None}, CHECK, "move_kind_known") for kind in ("play", "undo")),
        *(
            ({"kind": kind, "base": None, "request_n": None}, CHECK, "move_kind_known")
            for kind in ("play", "undo", "auto", "timeout")  # of which the last two are nobody's
        ),
        ({"kind": "resign"}, CHECK, "move_kind_known"),
        ({"kind": "resign", **NO_REQUEST, "by": None}, CHECK, "move_kind_known"),
        ({"kind": "resign", **NO_REQUEST, "seat": None}, CHECK, "move_kind_known"),
        ({"kind": "auto", "by": None}, CHECK, "move_kind_known"),
        ({"kind": "timeout", "by": None}, CHECK, "move_kind_known"),
        ({"kind": "auto", **NO_REQUEST, "by": None, "seat": None}, CHECK, "move_kind_known"),
        ({"kind": "timeout", **NO_REQUEST, "by": None, "seat": None}, CHECK, "move_kind_known"),
        ({"kind": "void", **NO_REQUEST}, CHECK, "move_kind_known"),
        ({"kind": "void", "seat": None}, CHECK, "move_kind_known"),
        ({"request_n": None}, CHECK, "move_request_whole"),
        ({"kind": "resign", "base": None}, CHECK, "move_request_whole"),
        ({"base": 2}, CHECK, "move_base_not_ahead"),
        ({"request_n": 1}, CHECK, "move_base_not_ahead"),
        ({"seat": 2}, FOREIGN, "move_of_a_seat"),
        ({"ply": -1, "base": -1}, CHECK, None),
        ({"body": None}, NULL, None),
    ],
)
def test_a_move_that_cannot_be_is_refused(begun, fields, state, constraint):
    refused(lambda: move(begun, **fields), state, constraint)
    move(begun)


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "undo"},
        {"kind": "resign", **NO_REQUEST},
        {"kind": "auto", **NO_REQUEST, "by": None},
        {"kind": "timeout", **NO_REQUEST, "by": None},
        {"kind": "void", **NO_REQUEST, "seat": None},
        {"kind": "void", **NO_REQUEST, "seat": None, "by": None},
    ],
)
def test_every_kind_of_entry_is_kept_with_what_it_has(begun, fields):
    move(begun, **fields, body=Value(None, JSONField()))
    assert Move.objects.get(ply=1).kind == fields["kind"]


@pytest.mark.parametrize(
    ("fields", "state", "constraint"),
    [
        ({"seat": 0}, UNIQUE, "games_result_pkey"),
        ({"seat": 2}, FOREIGN, "result_of_a_seat"),
        ({"result": "tie"}, CHECK, "result_known"),
        ({"place": 0}, CHECK, "result_place_from_one"),
    ],
)
def test_a_result_that_cannot_be_is_refused(begun, fields, state, constraint):
    row = {"game": begun.get(), "place": 1, "result": "draw", "score": 0}
    Result.objects.create(**row, seat=0)
    refused(lambda: Result.objects.create(**{**row, "seat": 1, **fields}), state, constraint)


# Events.


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 9},
        {"txid": F("txid")},
        {"kind": "cancelled"},
        {"body": {}},
        {"seen": {"0": {}}},
        {"at": Now()},
    ],
)
def test_an_event_is_never_changed(begun, change):
    refused(lambda: Event.objects.update(**change), NEVER)


def test_an_event_is_never_deleted(begun):
    told = Event.objects.count()
    refused(lambda: Event.objects.all()._raw_delete("default"), NEVER)
    assert Event.objects.count() == told == begun.get().event_seq


def test_an_event_has_a_number_of_its_own(begun):
    row = {"game": begun.get(), "kind": "entry", "body": {}}
    refused(lambda: Event.objects.create(**row, seq=1), UNIQUE, "games_event_pkey")
    refused(lambda: Event.objects.create(**row, seq=-1), CHECK)
    Event.objects.create(**row, seq=begun.get().event_seq + 1)


# Deals.


def test_a_deal_is_completed_once(opened):
    deal = Deal.objects.filter(game__in=opened)
    deal.update(deck=list(FRENCH_DECK))
    for change in ({"deck": list(FRENCH_DECK)}, {"deck": None}, {"seed": bytes(32)}, {"seed": F("seed")}):
        refused(lambda change=change: deal.update(**change), NEVER)


def test_the_seed_that_was_committed_to_stays(opened):
    deal = Deal.objects.filter(game__in=opened)
    refused(lambda: deal.update(seed=bytes(32)), NEVER)
    refused(lambda: deal.update(seed=bytes(32), deck=list(FRENCH_DECK)), NEVER)


def test_a_deal_stays_with_its_game_and_is_never_deleted(opened, begun):
    deal = Deal.objects.filter(game__in=opened)
    refused(lambda: deal.update(game_id=begun.get().id), NEVER)
    refused(lambda: deal._raw_delete("default"), NEVER)
    refused(lambda: Deal.objects.filter(game__in=begun)._raw_delete("default"), NEVER)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(anna, length):
    game = Game.objects.create(owner=anna, **PLAIN)
    refused(lambda: Deal.objects.create(game=game, seed=bytes(length)), CHECK, "deal_seed_length")


# Seats.


@pytest.mark.parametrize("status", ["running", "finished", "cancelled", "abandoned"])
def test_the_seats_of_a_game_that_is_not_open_are_never_changed(opened, cilla, status):
    bring(opened, status)
    seats = Seat.objects.filter(game__in=opened)
    for change in ({"entropy": "late"}, {"number": 2}, {"player": cilla}, {"joined_at": Now()}):
        refused(lambda change=change: seats.filter(number=1).update(**change), NEVER)
    refused(lambda: seats._raw_delete("default"), NEVER)
    refused(lambda: Seat.objects.create(game=opened.get(), number=2, player=cilla), NEVER)


def test_no_seat_goes_from_one_game_to_another(opened, begun, anna, cilla, make_game):
    other = make_game("sicksack", [cilla], start=False, seats=3)
    refused(lambda: Seat.objects.filter(game__in=opened, player=anna).update(game=other, number=2), NEVER)
    seat = Seat.objects.filter(game__in=begun).exclude(player=anna)  # of whom there is no move
    refused(lambda: seat.update(game=other, number=2), NEVER)
    refused(lambda: Seat.objects.filter(game=other).update(game=begun.get()), NEVER)


@pytest.mark.parametrize(
    ("fields", "state", "constraint"),
    [
        ({"number": 3}, CHECK, None),
        ({"number": -1}, CHECK, None),
        ({"number": 1}, UNIQUE, "seat_number_unique"),
    ],
)
def test_a_seat_that_cannot_be_is_refused(opened, cilla, fields, state, constraint):
    row = {"game": opened.get(), "number": 2, "player": cilla}
    refused(lambda: Seat.objects.create(**{**row, **fields}), state, constraint)
    Seat.objects.create(**row)


def test_a_player_has_one_seat_at_a_game(opened, anna):
    refused(
        lambda: Seat.objects.create(game=opened.get(), number=2, player=anna), UNIQUE, "seat_player_unique"
    )


# Games.

NOT_THERE = "01920000-0000-7000-8000-000000000000"
PLAIN = {
    "ruleset": "sicksack",
    "rules_version": 1,
    "shuffle_version": 1,
    "options": {},
    "seat_count": 2,
    "visibility": "public",
}
STATUSES = ("open", "running", "finished", "cancelled", "abandoned")
FORWARD = {
    *(("open", after) for after in STATUSES[1:]),
    *(("running", after) for after in ("finished", "abandoned")),
}


def as_of(status):
    """What a game of a status has, so that nothing but its history could be wrong."""
    return {
        "status": status,
        "started_at": Now() if status in ("running", "finished", "abandoned") else None,
        "ended_at": Now() if status in ("finished", "cancelled", "abandoned") else None,
        "to_act": [0] if status == "running" else [],
        "ending": {"finished": "played_out", "abandoned": "abandoned"}.get(status),
    }


def bring(game, status):
    game.update(**as_of(status))


@pytest.mark.parametrize(("before", "after"), list(itertools.product(STATUSES, STATUSES)))
def test_a_game_never_goes_back(opened, before, after):
    bring(opened, before)
    stays = before == after and before in ("open", "running")
    if stays or (before, after) in FORWARD:
        bring(opened, after)
        assert opened.get().status == after
    else:
        refused(lambda: bring(opened, after), NEVER)


ONE_MORE = {"event_seq": F("event_seq") + 1}
TOLD_NOW = Func(function="pg_current_xact_id")


@pytest.mark.parametrize("change", [{"ply": F("ply") + 1}, {"visibility": "private", "link_digest": b"x"}])
@pytest.mark.parametrize("beside", [{}, ONE_MORE])
def test_a_game_that_has_ended_never_changes(done, change, beside):
    refused(lambda: done.update(**change, **beside), NEVER)


def test_a_finished_game_tells_of_one_thing_more(done):
    told, fields = done.get().event_seq, [field.attname for field in Game._meta.concrete_fields]
    before = done.values(*fields).get()
    done.update(**ONE_MORE, event_txid=TOLD_NOW)
    after = done.values(*fields).get()
    assert after["event_seq"] == told + 1
    assert {name for name in fields if before[name] != after[name]} <= {"event_seq", "event_txid"}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"event_txid": TOLD_NOW},
        {"event_seq": F("event_seq") - 1},
        {"event_seq": F("event_seq") + 2},
        {"event_seq": F("event_seq") + 2, "event_txid": TOLD_NOW},
        {**ONE_MORE, "ended_at": Now() + timedelta(hours=1)},
        {**ONE_MORE, "started_at": Now() + timedelta(hours=1)},
        {**ONE_MORE, "ending": "resigned"},
        {**ONE_MORE, "left": [0]},
        {**ONE_MORE, "undos": 1},
        {**ONE_MORE, "due_at": Now()},
        {**ONE_MORE, "abandoned_at": None},
        {**ONE_MORE, "deadlines": [None] * 2, "remaining": [1] * 2},
        {**ONE_MORE, "status": "abandoned", "ending": "abandoned"},
        {**ONE_MORE, "status": "running", "ended_at": None, "to_act": [0]},
        {**ONE_MORE, "rated": True},
    ],
)
def test_a_finished_game_tells_of_no_more_and_is_otherwise_as_it_was(done, change):
    refused(lambda: done.update(**{"status": "finished", **change}), NEVER)


@pytest.mark.parametrize("change", [{"ply": F("ply") + 1}, {"ending": "resigned"}, {"left": [0]}])
@pytest.mark.parametrize("status", ["finished", "cancelled", "abandoned"])
def test_however_it_ended_a_game_never_changes(opened, status, change):
    bring(opened, status)
    refused(lambda: opened.update(**change), NEVER)


@pytest.mark.parametrize("status", ["cancelled", "abandoned"])
def test_a_game_that_came_to_no_result_tells_of_nothing_more(opened, status):
    bring(opened, status)
    refused(lambda: opened.update(**ONE_MORE, event_txid=TOLD_NOW), NEVER)


def test_a_game_that_was_to_be_rated_may_be_found_not_to_be_until_it_starts(opened, anna, make_game):
    refused(lambda: opened.update(rated=True), NEVER)
    rated = [game_to_rate(anna) for _ in range(3)]
    rated[0].update(rated=False)
    refused(lambda: rated[0].update(rated=True), NEVER)
    rated[1].update(**as_of("running"), rated=False)
    rated[2].update(**as_of("running"))
    refused(lambda: rated[1].update(rated=True), NEVER)
    refused(lambda: rated[2].update(rated=False), NEVER)
    bring(rated[2], "finished")
    refused(lambda: rated[2].update(rated=False), NEVER)
    assert [game.get().rated for game in rated] == [False, False, True]


def game_to_rate(owner):
    return Game.objects.filter(id=Game.objects.create(owner=owner, **PLAIN, rated=True).id)


def test_the_number_of_the_last_event_never_falls(begun):
    begun.update(event_seq=F("event_seq") + 1)
    refused(lambda: begun.update(event_seq=F("event_seq") - 1), NEVER)


def test_the_ply_never_falls(begun):
    begun.update(ply=F("ply") + 1)
    refused(lambda: begun.update(ply=F("ply") - 1), NEVER)


@pytest.mark.parametrize(
    "change",
    [
        {"id": NOT_THERE},
        {"owner": "bo"},
        {"ruleset": "freecell"},
        {"rules_version": 2},
        {"shuffle_version": 2},
        {"options": {"deal": 1}},
        {"seat_count": 4},
        {"commitment": "0" * 64},
        {"commitment": None},
        {"clock": {"type": "turn", "seconds": 60}},
        {"abandon_after": timedelta(hours=1)},
        {"variant": "else"},
        {"variant": None},
        {"daily": NOT_THERE},
        {"is_first_try": True},
        {"sealed_until": Now()},
        {"daily": NOT_THERE, "is_first_try": True, "sealed_until": Now()},
    ],
)
@pytest.mark.parametrize("which", ["opened", "begun"])
def test_what_a_game_is_does_not_change(request, bo, which, change):
    game = request.getfixturevalue(which)
    assert game.get().variant is not None
    refused(lambda: game.update(**({"owner": bo} if "owner" in change else change)), NEVER)


def test_a_game_is_never_deleted(opened, begun):
    refused(lambda: opened._raw_delete("default"), NEVER)
    refused(lambda: begun._raw_delete("default"), NEVER)


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"status": "paused"}, None),  # which breaks several at once
        ({"link_digest": bytes(32)}, "game_link_iff_private"),
        ({"visibility": "private"}, "game_link_iff_private"),
        ({"visibility": "secret"}, "game_link_iff_private"),
        ({"started_at": Now()}, "game_started_iff_begun"),
        ({"ply": 1}, "game_started_iff_begun"),
        ({**as_of("running"), "started_at": None}, "game_started_iff_begun"),
        ({"ended_at": Now()}, "game_ended_iff_done"),
        ({**as_of("finished"), "ended_at": None}, "game_ended_iff_done"),
        ({**as_of("cancelled"), "ended_at": None}, "game_ended_iff_done"),
        ({"to_act": [0]}, "game_somebody_acts_iff_running"),
        ({**as_of("running"), "to_act": []}, "game_somebody_acts_iff_running"),
        ({**as_of("finished"), "to_act": [0]}, "game_somebody_acts_iff_running"),
        ({"ending": "resigned"}, "game_ending_iff_ended"),
        ({**as_of("running"), "ending": "played_out"}, "game_ending_iff_ended"),
        ({**as_of("cancelled"), "ending": "abandoned"}, "game_ending_iff_ended"),
        ({**as_of("finished"), "ending": "abandoned"}, "game_ending_iff_ended"),
        ({**as_of("finished"), "ending": "stalled"}, "game_ending_iff_ended"),
        ({**as_of("abandoned"), "ending": "timed_out"}, "game_ending_iff_ended"),
        ({**as_of("abandoned"), "ending": None}, "game_ending_iff_ended"),
        ({**as_of("abandoned"), "started_at": None}, "game_started_iff_begun"),
        ({**as_of("abandoned"), "ended_at": None}, "game_ended_iff_done"),
        ({"remaining": [1, 1]}, "game_times_of_every_seat"),
        ({"deadlines": [None, None]}, "game_times_of_every_seat"),
        ({"deadlines": [None], "remaining": [1]}, "game_times_of_every_seat"),
        ({"deadlines": [None] * 3, "remaining": [1] * 3}, "game_times_of_every_seat"),
        ({"seat_count": 0}, "game_has_a_seat"),
        ({"commitment": "0" * 63}, "game_commitment_form"),
        ({"commitment": "G" * 64}, "game_commitment_form"),
        ({"is_first_try": True}, "game_sealed_iff_daily"),
        ({"sealed_until": Now()}, "game_sealed_iff_daily"),
        ({"daily_id": NOT_THERE}, "game_sealed_iff_daily"),
        ({"daily_id": NOT_THERE, "is_first_try": True}, "game_sealed_iff_daily"),
        ({"daily_id": NOT_THERE, "sealed_until": Now(), "rated": True}, "game_sealed_iff_daily"),
    ],
)
def test_a_game_that_cannot_be_is_refused(anna, fields, constraint):
    refused(lambda: Game.objects.create(**{"owner": anna, **PLAIN, **fields}), CHECK, constraint)
    Game.objects.create(owner=anna, **PLAIN)


@pytest.mark.parametrize("ending", [None, "played_out", "resigned", "timed_out"])
def test_a_finished_game_says_how_it_ended_unless_it_is_from_before(anna, ending):
    Game.objects.create(owner=anna, **PLAIN, **{**as_of("finished"), "ending": ending})


def test_every_seat_has_its_time_or_none_has(anna):
    Game.objects.create(owner=anna, **PLAIN, deadlines=[None, timezone.now()], remaining=[1, 2])
