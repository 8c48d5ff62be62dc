"""What a client asks when it plays: the body of `POST …/moves`, read for the game that it is meant for."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from cardsite.jsonbody import decode
from cardsite.problems import Problem, malformed
from games.catalog import CURRENT, AnyRules
from games.rules.contract import WrongForm, read_move

LONGEST_BATCH = 2000


class OtherGame(Struct, frozen=True):
    """A move of the published schema, but not of this game."""

    why: str


class PlayRequest(Struct, frozen=True):
    """Moves for the position at ply `base`: each of the game's forms, or an `OtherGame`."""

    base: int
    moves: tuple[Any, ...]


class _Body(Struct, forbid_unknown_fields=True):
    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)] | Annotated[float, Meta(ge=0, le=2**31 - 1)]
    move: Any = UNSET
    moves: Annotated[list[Any], Meta(min_length=1, max_length=LONGEST_BATCH)] | UnsetType = UNSET
    notation: Annotated[str, Meta(min_length=1, max_length=10 * LONGEST_BATCH)] | UnsetType = UNSET


def read_play_request(body: bytes, rules: AnyRules) -> PlayRequest:
    """Moves to be played, by the one of `move`, `moves` and `notation` that is given.

    Raises `Problem` malformed with the path of the fault.
    """
    given = decode(body, _Body)
    if given.ply != int(given.ply):
        raise malformed("Expected `int`, got `float`", "$.ply")
    if sum(part is not UNSET for part in (given.move, given.moves, given.notation)) != 1:
        raise malformed("Expected exactly one of `move`, `moves` and `notation`")
    if given.move is not UNSET:
        moves = (_read(rules, given.move, "$.move"),)
    elif not isinstance(given.moves, UnsetType):
        moves = tuple(_read(rules, move, f"$.moves[{n}]") for n, move in enumerate(given.moves))
    else:
        moves = _parse(rules, str(given.notation))
    return PlayRequest(int(given.ply), moves)


def _read(rules: AnyRules, given: object, path: str) -> Any:
    try:
        return read_move(rules, given)
    except WrongForm as fault:
        for other in CURRENT.values():
            if other.slug != rules.slug and _fits(other, given):
                return OtherGame(f"this is a move of {other.slug}, the game is {rules.slug}")
        raise malformed(fault.explanation, path + fault.path.removeprefix("$")) from None


def _fits(rules: AnyRules, given: object) -> bool:
    try:
        read_move(rules, given)
    except WrongForm:
        return False
    return True


def _parse(rules: AnyRules, notation: str) -> tuple[Any, ...]:
    words = notation.split()
    if not 1 <= len(words) <= LONGEST_BATCH:
        raise malformed(f"Expected 1 to {LONGEST_BATCH} moves", "$.notation")
    if not rules.has_notation:
        return (OtherGame(f"{rules.slug} has no notation of its own"),)
    try:
        return tuple(rules.parse(word) for word in words)
    except WrongForm as fault:
        raise malformed(fault.explanation, "$.notation") from None


def other_game(move: OtherGame, number: int) -> Problem:
    """The verdict on a move of another game."""
    return Problem("form", f"{move.why}.", index=number, clause="FORM")
