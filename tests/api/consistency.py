"""Whether all that is kept of a game says the same."""

from cardsite.jsonbody import timestamp
from games import table
from games.clock import times_after, times_at_start
from games.models import Event, Game, Result
from games.selectors.tables import history_read


def assert_holds_together(game_id, *answers):
    """What a game's row and events say is what follows from its log, and what was acknowledged is in it."""
    history, game = history_read(game_id=game_id), Game.objects.get(id=game_id)
    rate, position = history.row.rate, history.dealt
    times = times_at_start(rate, position, game.started_at)
    log = []
    for entry, step in history.steps():
        assert position.ending is None
        if entry.kind == "play":
            assert entry.seat not in position.leavers
            table.require_to_act(position, entry.seat)
            assert times.due_at is None or entry.at <= times.due_at
        if entry.kind == "timeout":
            assert entry.seat not in position.leavers
            assert entry.at >= times.due_at
        times = times_after(rate, times, step, entry.at)
        position = step.after
        log.append((entry.ply, entry.kind, entry.seat, timestamp(entry.at)))
    assert [ply for ply, *_ in log] == list(range(game.ply))
    assert (game.to_act, game.left) == (list(position.to_act), list(position.leavers))
    assert (game.ending, game.undos) == (position.ending, position.undos)
    assert (history.row.times, game.due_at) == (times, times.due_at)
    assert (game.ended_at is None) == (position.ending is None)
    outcome = position.outcome
    came = [] if outcome is None else zip(outcome.place, outcome.result, outcome.score, strict=True)
    results = Result.objects.filter(game=game).order_by("seat")
    assert list(results.values_list("seat", "place", "result", "score", "undos")) == [
        (seat, *of_seat, position.undos) for seat, of_seat in enumerate(came)
    ]

    events = list(Event.objects.filter(game=game).order_by("seq").values_list("seq", "kind", "body"))
    assert [seq for seq, _, _ in events] == list(range(1, game.event_seq + 1))
    assert [body["ply"] for _, kind, body in events if kind == "entry"] == list(range(game.ply))
    assert [kind for _, kind, _ in events].count("ended") == (position.ending is not None)

    for answer in answers:
        if answer.status_code in (200, 201) and "entries" in answer.json():
            told = [(one["ply"], one["kind"], one["seat"], one["at"]) for one in answer.json()["entries"]]
            assert told == log[told[0][0] : told[0][0] + len(told)]
    return [(kind, seat) for _, kind, seat, _ in log]
