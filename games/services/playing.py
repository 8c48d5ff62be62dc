"""A move, or one taken back: one verdict, looked for in the order that the API documents."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from accounts.models import Player
from cardsite.problems import Problem
from games import table
from games.rules.contract import GameOver, NotYourTurn, Refused
from games.selectors.access import require_seat, table_seen
from games.selectors.newest import newest_positions
from games.selectors.rows import EntryRow, GameRow
from games.selectors.seen import SeenEntry, SeenPosition, entry_seen, position_seen
from games.selectors.tables import status_of
from games.services.refusals import clause_problem
from games.services.requests import OtherGame, PlayRequest, other_game, read_play_request
from games.services.standing import Log, Standing, first_entries, fresh_position, is_playable, standing_of
from games.services.writing import NewEntry, append
from games.table import MOST_UNDOS, Entry, Position, Step

ATTEMPTS = 5
NO_UNDO = {
    "several": "Moves are taken back in patiences only.",
    "nothing": "There is no move to take back.",
    "too_many": f"In this game {MOST_UNDOS} moves were taken back, which is all that may be.",
    "shown": "The last move showed a card, and stands.",
}


class Played(Struct, frozen=True):
    """The answer to a move, or to one taken back: the request's entries, with the automatic moves that followed at
    once, and the position after them; the facts are those of then."""

    game: str
    ruleset: str
    repeated: bool
    ply: int
    status: str
    entries: tuple[SeenEntry, ...]
    position: SeenPosition


def moves_play(*, game_id: UUID, player: Player, body: bytes) -> Played:
    """Play a request's moves, all or none; the same request again gets the first answer again.

    Raises `Problem`, the first that holds of: not_found, not_seated, malformed, not_started, ahead, over, overdue,
    left, stale, turn, batch_reveals, form, illegal; unavailable where others were first again and again.
    """
    for _ in range(ATTEMPTS):
        at_table = table_seen(game_id=game_id, player_id=player.id)
        seat = require_seat(at_table.row, player.id)
        request = read_play_request(body, at_table.row.rules)
        standing = standing_of(at_table, seat, request.base)
        first = first_entries(standing, player.id)
        if _are_of(first, seat, request):
            return _answer(standing.row, seat, first, repeated=True)
        if not is_playable(standing):
            continue
        steps = _judged(fresh_position(standing), seat, request)
        played = _written(standing, player, steps)
        if played is not None:
            return played
    raise _overtaken()


def move_undo(*, game_id: UUID, player: Player, base: int) -> Played:
    """Take back the last move of a patience, as far as nothing was shown; the same request again gets the first
    answer again.

    Raises `Problem`, the first that holds of: not_found, not_seated, not_started, ahead, over, overdue,
    stale, no_undo; unavailable."""
    for _ in range(ATTEMPTS):
        at_table = table_seen(game_id=game_id, player_id=player.id)
        seat = require_seat(at_table.row, player.id)
        standing = standing_of(at_table, seat, base)
        first = first_entries(standing, player.id)
        if first and first[0][0].kind == "undo":
            return _answer(standing.row, seat, first, repeated=True)
        if not is_playable(standing):
            continue
        position = fresh_position(standing)
        reason = table.why_no_undo(position)
        if reason is not None:
            raise Problem("no_undo", NO_UNDO[reason], ply=standing.row.ply, reason=reason)
        played = _written(standing, player, [table.advance(position, Entry(seat, kind="undo"))])
        if played is not None:
            return played
    raise _overtaken()


def _overtaken() -> Problem:
    return Problem("unavailable", "Others were first again and again; a retry is safe.")


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


def _are_of(first: Log, seat: int, request: PlayRequest) -> bool:
    """Whether entries are just what this request led to."""
    own = [(entry, step) for entry, step in first if entry.base is not None]
    return (
        bool(own)
        and len(own) == len(request.moves)
        and all(
            entry.kind == "play" and _is_same(step, seat, move)
            for (entry, step), move in zip(own, request.moves, strict=True)
        )
    )


def _is_same(step: Step, seat: int, move: Any) -> bool:
    if isinstance(move, OtherGame):
        return False
    try:
        return bool(table.legal_form(step.before, seat, move) == step.entry.move)
    except Refused:
        return False


def _written(standing: Standing, player: Player, steps: list[Step]) -> Played | None:
    """Append a request's steps and the automatic moves that follow: the answer, or None where others were
    first."""
    row, seat = standing.row, standing.seat
    entries = [NewEntry(step, player.id, standing.base, number) for number, step in enumerate(steps)]
    entries += [NewEntry(step) for step in table.automatic_steps(steps[-1].after)]
    at = append(row, entries)
    if at is None:
        return None
    newest_positions.put(row.id, entries[-1].step.after)
    return _answer(row, seat, [(_row_of(entry, at), entry.step) for entry in entries], repeated=False)


def _row_of(entry: NewEntry, at: datetime) -> EntryRow:
    step = entry.step
    return EntryRow(
        step.before.ply,
        step.entry.kind,
        step.entry.seat,
        entry.by,
        entry.base,
        entry.request_n,
        None,
        at,
    )


def _answer(row: GameRow, seat: int, entries: Log, *, repeated: bool) -> Played:
    after = entries[-1][1].after
    then = replace(row, status=status_of(after))
    return Played(
        game=str(row.id),
        ruleset=row.ruleset,
        repeated=repeated,
        ply=after.ply,
        status=then.status,
        entries=tuple(entry_seen(then, entry, step, seat) for entry, step in entries),
        position=position_seen(then, after, seat),
    )
