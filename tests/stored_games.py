"""Games that are played without a database, written to it all at once as the server would have left them.

They have no events, as games from before there were any. The guards are off meanwhile: games that are over are
written whole.
"""

from contextlib import contextmanager
from datetime import timedelta
from random import Random

import msgspec
from django.db import connection

from accounts.models import Player, new_id
from games import shuffle
from games.catalog import CURRENT
from games.clock import MILLISECOND
from games.selectors.tables import status_of
from games.services.results import result_rows
from games.variants import variant_of
from tests.proofs import MONTH, NAMES, STARTED_AT, Played

JSON_NULL = '"body"', "coalesce(body, 'null')"
"""In the place of an SQL NULL where an entry is no move."""
PLAYED_OUT = 56
WAYS = ("resigned", "timed_out", "abandoned", "played_out")


def some_game(number):
    """A game that is over, the same for a number but for its id: of each rule set and ended in each way in
    turn; the first of those to be played out are, if they are not too long, and the others given up."""
    rng = Random(number)
    slug = list(CURRENT)[number % len(CURRENT)]
    way = WAYS[number // len(CURRENT) % len(WAYS)]
    seats = rng.choice(CURRENT[slug].seats)
    game = Played(
        slug,
        seats,
        options={"deal": number} if slug == "freecell" and number % 2 else {},
        clock={"type": "turn", "seconds": 300} if way == "timed_out" else None,
        seed=rng.randbytes(32),
        entropies=tuple(f"{number} {seat}" for seat in range(seats)),
        game=new_id(),
    )
    is_long = way == "played_out" and number < PLAYED_OUT
    game.play_on(rng, 100 if is_long else rng.randrange(8), seconds=30)
    while not game.is_over:
        if way == "timed_out":
            game.passes(301).settle()
        elif way == "abandoned":
            game.passes(MONTH + 1).settle()
        else:
            game.resign(next(seat for seat in range(seats) if seat not in game.position.leavers))
    return game


@contextmanager
def without_guards():
    """Triggers and foreign keys are off."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            yield
        finally:
            cursor.execute("SET session_replication_role = origin")


def store(games):
    """Write games; who sits in seat 0 is anna, in seat 1 bo, and so on."""
    there = {player.username: player for player in Player.objects.filter(username__in=NAMES)}
    missing = [Player(username=name, display_name=name) for name in NAMES if name not in there]
    there |= {player.username: player for player in Player.objects.bulk_create(missing)}
    players = [there[name].id for name in NAMES]
    rows = {}
    for game in games:
        for table, row in _rows(game, players):
            rows.setdefault(table, []).append(row)
    with without_guards(), connection.cursor() as cursor:
        for table, of_table in rows.items():
            names = ", ".join(f'"{name}"' for name in of_table[0])
            cursor.execute(
                f"INSERT INTO {table} ({names}) SELECT {names.replace(*JSON_NULL)}"
                f" FROM jsonb_populate_recordset(NULL::{table}, %s)",
                [msgspec.json.encode(of_table).decode()],
            )


def _rows(game, players):
    """Each row of a game with its table."""
    setup, position = game.dealt.setup, game.position
    ended_at = game.log[-1][1] if game.is_over else None
    yield (
        "games_game",
        {
            "id": game.game,
            "owner_id": players[0],
            "ruleset": setup.rules.slug,
            "rules_version": setup.rules.version,
            "shuffle_version": shuffle.VERSION,
            "options": setup.options,
            "seat_count": setup.seats,
            "visibility": "public",
            "commitment": game.commitment,
            "status": status_of(position),
            "variant": variant_of(setup.rules, setup.options, setup.seats),
            "clock": game.clock,
            "abandon_after": f"{game.rate.abandon_after // timedelta(seconds=1)} seconds",
            "ply": position.ply,
            "to_act": position.to_act,
            "deadlines": game.times.deadlines,
            "remaining": [left // MILLISECOND for left in game.times.remaining],
            "abandoned_at": game.times.abandoned_at,
            "due_at": game.times.due_at,
            "left": position.leavers,
            "undos": position.undos,
            "ending": position.ending,
            "started_at": STARTED_AT,
            "ended_at": ended_at,
        },
    )
    for number, entropy in enumerate(game.entropies):
        seat = {"game_id": game.game, "number": number, "player_id": players[number], "entropy": entropy}
        yield "games_seat", {"id": new_id(), **seat}
    yield "games_deal", {"game_id": game.game, "seed": f"\\x{game.seed.hex()}", "deck": setup.deck}
    for ply, (entry, at) in enumerate(game.log):
        yield "games_move", {"game_id": game.game, "ply": ply, "at": at, **_move(ply, entry, players)}
    for row in result_rows(players[: setup.seats], position.outcome) if position.outcome else ():
        player = row.pop("player")
        yield "games_result", {"game_id": game.game, "player_id": player, "undos": position.undos, **row}


def _move(ply, entry, players):
    by_request = entry.kind in ("play", "undo")
    return {
        "kind": entry.kind,
        "seat": entry.seat,
        "by_id": players[entry.seat] if by_request or entry.kind == "resign" else None,
        "base": ply if by_request else None,
        "request_n": 0 if by_request else None,
        "body": entry.move,
    }
