"""A game as those see it who look after the server: what a spectator sees, also of a private game; and all of it
once it is open to all, or where they have expressly had it revealed to them."""

from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import (
    BooleanField,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    Func,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
)
from msgspec import Struct
from msgspec.structs import replace

from accounts.models import Player
from cardsite.problems import Problem
from games.models import Game, Result, Reveal, Seat
from games.selectors.access import require_started
from games.selectors.lookup import Frame, LogPage, ReplayPage
from games.selectors.revealing import is_revealed_to
from games.selectors.rows import EntryRow, GameRow
from games.selectors.seen import SeenEntry, SeenPosition, entry_seen, position_seen
from games.selectors.tables import History, disclosed, history_read
from games.table import MOVES, Position, Step
from games.words import told


class Perspective(Struct, frozen=True):
    """As whom a game is looked at: `whole` with all that is hidden, otherwise as a seat, or as a spectator."""

    whole: bool
    seat: int | None = None


SPECTATOR = Perspective(whole=False)
_NOW = Func(function="games_now", output_field=DateTimeField())


def may_be_shown(*, row: GameRow, player_id: UUID) -> bool:
    """Whether anything of what happened in a game may be shown: of a deal of the day that others still play
    nothing is, unless it was revealed."""
    return not row.sealed or is_revealed_to(game_id=row.id, player_id=player_id)


def inspected_log(*, game_id: UUID, player_id: UUID, ply: int | None, limit: int) -> tuple[int, LogPage]:
    """The page of the log with the entry that led to `ply`, and the ply of its first entry. Where none is given it
    is the page that a board begins with: the last of a game that goes on, and the first of one that is over.

    Raises `Problem` not_found, not_started or not_disclosed.
    """
    history = _history(game_id, player_id)
    row = history.row
    whole = disclosed(row) or is_revealed_to(game_id=game_id, player_id=player_id)
    begins = 0 if row.has_ended else row.ply
    start = max(min(begins if ply is None else ply, row.ply) - 1, 0) // limit * limit
    page = islice(history.steps(), start, start + limit)
    entries = [_entry(row, entry, step, Perspective(whole)) for entry, step in page]
    last = start + limit
    return start, LogPage(row.ply, entries, last if last < row.ply else None)


def inspected_replay(
    *, game_id: UUID, player_id: UUID, first: int, limit: int, seat: str | None
) -> ReplayPage:
    """The positions from ply `first` on, each with the entry that led to it. `seat`, a number or `spectator`, asks
    how it was seen from there, which of a seat can be asked once all is open.

    Raises `Problem` not_found (no such game or seat), not_started or not_disclosed.
    """
    history = _history(game_id, player_id)
    row = history.row
    is_open = disclosed(row) or is_revealed_to(game_id=game_id, player_id=player_id)
    perspective = _perspective(row, seat, is_open=is_open)
    frames = [Frame(None, _position(row, history.dealt, perspective))] if first == 0 else []
    for entry, step in islice(history.steps(), max(first - 1, 0), first + limit - 1):
        frames.append(Frame(_entry(row, entry, step, perspective), _position(row, step.after, perspective)))
    last = first + limit
    return ReplayPage(row.ply, frames, last if last <= row.ply else None)


def _history(game_id: UUID, player_id: UUID) -> History:
    history = history_read(game_id=game_id)
    if history is None:
        raise Problem("not_found", "There is no such game.")
    require_started(history.row)
    if not may_be_shown(row=history.row, player_id=player_id):
        raise Problem("not_disclosed", "Others still play this deal, and nothing of the game is shown.")
    return history


def _perspective(row: GameRow, seat: str | None, *, is_open: bool) -> Perspective:
    if seat is None:
        return Perspective(whole=is_open)
    if seat == "spectator":
        return SPECTATOR
    if int(seat) >= row.seat_count:
        raise Problem("not_found", f"The game has {row.seat_count} seats, from 0 on.")
    if not is_open:
        raise Problem("not_disclosed", "What a seat sees is shown when the game is over.")
    return Perspective(whole=False, seat=int(seat))


def _position(row: GameRow, position: Position, perspective: Perspective) -> SeenPosition:
    rules: Any = position.setup.rules
    view = (
        rules.open_view(position.state) if perspective.whole else rules.view(position.state, perspective.seat)
    )
    return replace(position_seen(row, position, None), view=view)


def _entry(row: GameRow, entry: EntryRow, step: Step, perspective: Perspective) -> SeenEntry:
    seen = entry_seen(row, entry, step, None)
    if entry.kind not in MOVES:
        return seen
    rules: Any = step.before.setup.rules
    seat, move, events = step.entry.seat, step.entry.move, step.events
    assert seat is not None, "a move is of a seat"
    if not perspective.whole:
        move, events = rules.redact(step.before.state, perspective.seat, seat, move, events)
    return replace(seen, move=move, events=events, text=told(rules.describe(seat, move, events)))


def newest_games_of(*, player_id: UUID, viewer_id: UUID, limit: int) -> list[Game]:
    """The last games at which a player sits, `with_seats`."""
    seats = Seat.objects.filter(player_id=player_id).order_by("-game_id").values_list("game_id", flat=True)
    games = with_seats(Game.objects.filter(id__in=list(seats[:limit])), viewer_id=viewer_id)
    return list(games.select_related("voiding").order_by("-id"))


def with_seats(games: QuerySet[Game], *, viewer_id: UUID) -> QuerySet[Game]:
    """Games with their seats, players and results, in three statements more; `is_sealed` are those of which the
    viewer is not shown how they went, since others still play the same deal."""
    # Joined, some dozen seats would have the table of players read whole, where it is no large one.
    players = Player.objects.only("username", "display_name", "bot_of")
    seats = Seat.objects.only("number", "game", "player").prefetch_related(Prefetch("player", players))
    is_sealed = Q(sealed_until__gt=_NOW) & ~_revealed(viewer_id)
    return (
        games.defer("link_digest")
        .annotate(is_sealed=ExpressionWrapper(is_sealed, BooleanField()))
        .prefetch_related(Prefetch("seats", seats), Prefetch("results", Result.objects.order_by("seat")))
    )


def unsealed(games: QuerySet[Game], *, viewer_id: UUID) -> QuerySet[Game]:
    """Those of games of which the viewer may know how they went."""
    return games.filter(Q(sealed_until=None) | Q(sealed_until__lte=_NOW) | Q(_revealed(viewer_id)))


def _revealed(viewer_id: UUID) -> Exists:
    return Exists(Reveal.objects.filter(game=OuterRef("id"), by=viewer_id))
