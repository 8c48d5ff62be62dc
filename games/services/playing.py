"""A move: one verdict, looked for in the order that the API documents."""

from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from accounts.models import Player
from cardsite.problems import Problem
from games import table
from games.rules.contract import GameOver, NotYourTurn, Refused
from games.selectors.access import require_seat, require_started, table_seen
from games.selectors.newest import newest_positions
from games.selectors.rows import EntryRow, GameRow
from games.selectors.seen import SeenEntry, SeenPosition, entry_seen, position_seen
from games.selectors.tables import history_read
from games.services.refusals import clause_problem
from games.services.requests import OtherGame, PlayRequest, other_game, read_play_request
from games.services.writing import Append, append
from games.table import Entry, Position, Step

Log: TypeAlias = list[tuple[EntryRow, Step]]

MOST_MISSED = 100
ATTEMPTS = 5


class Played(Struct, frozen=True):
    """The answer to a move: the request's entries and the position after them, with the facts as of then."""

    game: str
    ruleset: str
    repeated: bool
    ply: int
    status: str
    entries: tuple[SeenEntry, ...]
    position: SeenPosition


def moves_play(*, game_id: UUID, player: Player, body: bytes) -> Played:
    """Play a request's moves, all or none; the same request again gets the first answer again.

    Raises `Problem`, the first that holds of: not_found, not_seated, malformed, not_started, ahead, over,
    stale, turn, batch_reveals, form, illegal; unavailable where others were first again and again.
    """
    for _ in range(ATTEMPTS):
        at_table = table_seen(game_id=game_id, player_id=player.id)
        row = at_table.row
        seat = require_seat(row, player.id)
        request = read_play_request(body, row.rules)
        require_started(row)
        if request.base > row.ply:
            raise Problem("ahead", f"The game has come to ply {row.ply}.", ply=row.ply)
        if request.base < row.ply:
            history = history_read(game_id=game_id)
            assert history is not None, "games are never deleted"
            row, log = history.row, list(history.steps())
            repeated = _first_answer(row, log, seat, player, request)
            if repeated is not None:
                return repeated
            position = _still_fresh(row, log, seat, request)
        elif row.status == "finished":
            raise _over(row)
        else:
            position = at_table.position
        steps = _judged(position, seat, request)
        outcome = position.setup.rules.outcome(steps[-1].after.state)
        at = append(Append(game_id, seat, player.id, request.base, steps, outcome))
        if at is not None:
            newest_positions.put(game_id, steps[-1].after)
            then = replace(row, status="finished", ended_at=at) if outcome else row
            return _answer(then, seat, _written(at, seat, player, request.base, steps), repeated=False)
    raise Problem("unavailable", "Others were first again and again; a retry is safe.")


def _judged(position: Position, seat: int, request: PlayRequest) -> list[Step]:
    """The steps that the request's moves take. Raises `Problem` turn, batch_reveals, form or illegal."""
    rules, steps = position.setup.rules, list[Step]()
    last = len(request.moves) - 1
    for number, move in enumerate(request.moves):
        try:
            table.require_to_act(position, seat)
            if isinstance(move, OtherGame):
                raise other_game(move, number)
            # Also where the move is illegal: that refusal might be the free look.
            if number < last and rules.may_reveal(position.state, seat, move):
                raise Problem(
                    "batch_reveals",
                    f"Move {number} of the batch may reveal something and is not the last.",
                    index=number,
                )
            step = table.advance(position, Entry(seat, table.legal_form(position, seat, move)))
        except Refused as refused:
            raise _refusal(position, refused, number) from None
        steps.append(step)
        position = step.after
    return steps


def _refusal(position: Position, refused: Refused, number: int) -> Problem:
    # The game itself has not come to the position: `ply` stays that of the game.
    ply, to_act = position.ply - number, list(position.to_act)
    match refused:
        case GameOver():
            detail = f"The game would be over before move {number} of the batch."
            return Problem("over", detail, ply=ply, index=number)
        case NotYourTurn() if number:
            detail = f"It would not be your turn at move {number} of the batch."
            return Problem("turn", detail, ply=ply, to_act=to_act, index=number)
        case NotYourTurn():
            return Problem("turn", "It is not your turn.", ply=ply, to_act=to_act, index=number)
    return clause_problem("illegal", position.setup.rules.slug, refused, index=number)


def _over(row: GameRow) -> Problem:
    return Problem("over", "The game is over.", ply=row.ply)


def _first_answer(row: GameRow, log: Log, seat: int, player: Player, request: PlayRequest) -> Played | None:
    """The answer that the same request got when it was accepted, or None if it never was."""
    accepted = [(entry, step) for entry, step in log if entry.seat == seat and entry.base == request.base]
    same = (
        len(accepted) == len(request.moves)
        and all(entry.by == player.id for entry, _ in accepted)
        and all(_is_same(step, seat, move) for (_, step), move in zip(accepted, request.moves, strict=True))
    )
    if not same:
        return None
    was_last = accepted[-1][1].after.ply == row.ply
    then = row if was_last else replace(row, status="running", ended_at=None)
    return _answer(then, seat, accepted, repeated=True)


def _is_same(step: Step, seat: int, move: Any) -> bool:
    if isinstance(move, OtherGame):
        return False
    try:
        return bool(table.legal_form(step.before, seat, move) == step.entry.move)
    except Refused:
        return False


def _still_fresh(row: GameRow, log: Log, seat: int, request: PlayRequest) -> Position:
    """The newest position, where a request with an earlier base may still be judged at it: at most one is
    accepted for each seat and base, and only while the seat could act all along.

    Raises `Problem` over or stale.
    """
    if row.status == "finished":
        raise _over(row)
    since = log[request.base :]
    used = any(entry.seat == seat and entry.base == request.base for entry, _ in log)
    if not used and table.could_act_throughout([step for _, step in since], seat):
        return since[-1][1].after
    missed = [entry_seen(row, entry, step, seat) for entry, step in since[:MOST_MISSED]]
    more = f"/api/v1/games/{row.id}/moves?cursor={request.base + MOST_MISSED}"
    raise Problem(
        "stale",
        f"The game has moved on from ply {request.base} to ply {row.ply}.",
        ply=row.ply,
        missed=missed,
        more=more if len(since) > MOST_MISSED else None,
    )


def _written(at: datetime, seat: int, player: Player, base: int, steps: list[Step]) -> Log:
    """The entries as they were just written, each with its step."""
    return [
        (EntryRow(step.before.ply, "play", seat, player.id, base, number, None, at), step)
        for number, step in enumerate(steps)
    ]


def _answer(row: GameRow, seat: int, accepted: Log, *, repeated: bool) -> Played:
    after = accepted[-1][1].after
    return Played(
        game=str(row.id),
        ruleset=row.ruleset,
        repeated=repeated,
        ply=after.ply,
        status=row.status,
        entries=tuple(entry_seen(row, entry, step, seat) for entry, step in accepted),
        position=position_seen(row, after, seat),
    )
