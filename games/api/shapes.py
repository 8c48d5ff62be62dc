"""The bodies of the games API, and for each rule set the ones that hold its moves, events and views."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal, Union
from uuid import UUID

import msgspec
from msgspec import Meta, Struct, defstruct, field

from cardsite.jsonbody import Timestamp, timestamp
from games.catalog import CURRENT, AnyRules
from games.clock import Clock
from games.rules.contract import Outcome
from games.selectors.access import seat_of
from games.selectors.rows import SummaryRow
from games.selectors.seen import SeenEntry, SeenPosition
from games.selectors.told import PLAIN, EntryEvent
from games.services.gathering import ABANDON_AFTER
from games.services.playing import Played

SECOND = timedelta(seconds=1)

Entropy = Annotated[
    str,
    Meta(
        max_length=128,
        pattern=r"^[ -~]*(?!\n)$",
        description="Any printable ASCII: this player's part in the shuffle.",
    ),
]


AbandonAfter = Annotated[
    int,
    Meta(
        ge=3600,
        le=90 * 86_400,
        description="Seconds after which the game is closed if nobody does anything.",
    ),
]


def camel(slug: str) -> str:
    """A rule set's slug as the beginning of its components' names."""
    return "".join(part.capitalize() for part in slug.split("-"))


def specialised(shape: type[Struct], name: str, rules: AnyRules, types: Mapping[str, Any]) -> Any:
    """A Struct for one rule set: its `ruleset` tells it apart, and `types` takes the place of its fields'."""
    fields = [
        (one.name, types.get(one.name, one.type))
        for one in msgspec.structs.fields(shape)
        if one.name != "ruleset"
    ]
    made = defstruct(
        camel(rules.slug) + name, fields, frozen=True, tag_field="ruleset", tag=rules.slug, kw_only=True
    )
    made.__doc__ = shape.__doc__
    return made


def each(shape: type[Struct], name: str, types: Any) -> dict[str, Any]:
    """The specialised Struct of every rule set, by slug."""
    return {slug: specialised(shape, name, rules, types(rules)) for slug, rules in CURRENT.items()}


POSITIONS = each(SeenPosition, "Position", lambda rules: {"view": rules.View})
ENTRIES = each(
    SeenEntry, "Entry", lambda rules: {"move": (rules.Seen or rules.Move) | None, "events": rules.Events}
)
AnyPosition: Any = Union[tuple(POSITIONS.values())]  # noqa: UP007 - as many as there are rule sets
AnyEntry: Any = Union[tuple(ENTRIES.values())]  # noqa: UP007


def _create_shape(rules: AnyRules) -> Any:
    fewest, most = rules.seats[0], rules.seats[-1]
    seats = Annotated[int, Meta(ge=fewest, le=most)]
    return defstruct(
        f"Create{camel(rules.slug)}",
        [
            ("seats", seats, fewest) if fewest == most else ("seats", seats),
            ("options", rules.Options, field(default_factory=rules.Options)),
            ("visibility", Literal["public", "private"], "public"),
            ("rated", bool, False),
            ("clock", Clock | None, None),
            ("abandon_after", AbandonAfter, ABANDON_AFTER // SECOND),
        ],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field="ruleset",
        tag=rules.slug,
        namespace={"__doc__": f"A new game of {rules.name}; its owner sits in seat 0."},
    )


CREATE = {slug: _create_shape(rules) for slug, rules in CURRENT.items()}
CreateGame: Any = Union[tuple(CREATE.values())]  # noqa: UP007


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """`link`: the secret of a private game."""

    entropy: Entropy = ""
    link: Annotated[str, Meta(max_length=100)] | None = None


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The owner's part in the shuffle."""

    entropy: Entropy = ""


class Undo(Struct, frozen=True, forbid_unknown_fields=True):
    """`ply` as the client had seen it: the move before it is taken back."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class SeatedPlayer(Struct, frozen=True):
    """Who sits in a seat."""

    username: str
    display_name: str


class SeatPlace(Struct, frozen=True):
    """A seat; `player` is null while it is free. `left` says that the player has left the game under way.
    Where there is a clock, `deadline_at` is until when the seat must act, null while it need not, and
    `time_left` the time in seconds that it has, null while that runs."""

    number: int
    player: SeatedPlayer | None
    left: bool
    deadline_at: Timestamp | None
    time_left: int | None


class OptionsWarning(Struct, frozen=True):
    """What a player who chose these options should know."""

    clause: str
    text: str


class GameSummary(Struct, frozen=True):
    """A game as it stands in lists. `commitment` is SHA-256 over the seed of the shuffle, null where the
    options fix the deck order; `your_seat` is null for a spectator. `ending` is how it ended: played_out,
    resigned, timed_out or abandoned. `variant` names the options; boards, ratings and statistics are kept by
    it. `rated` says whether ratings follow from it; a game that was meant to be is not where fewer than two who
    sit there are people, or a bot sits with its owner or with another bot of that owner. `daily` is the id of
    the deal of the day that it is played with: until `sealed_until` nobody else sees the game, and nobody what
    it hides. `voided` says that it counts for nothing. `abandoned_at` is when it will be closed if nobody does
    anything, null where nothing is left to do and where a clock has begun to run; `undos` how often a move was
    taken back; `event_seq` the number of its last event."""

    id: str
    ruleset: str
    rules_version: int
    options: dict[str, Any]
    visibility: str
    status: str
    ending: str | None
    owner: str
    seats: list[SeatPlace]
    your_seat: int | None
    variant: str | None
    rated: bool
    daily: str | None
    sealed_until: Timestamp | None
    voided: bool
    clock: Clock | None
    abandon_after: int
    abandoned_at: Timestamp | None
    ply: int
    to_act: tuple[int, ...]
    undos: int
    event_seq: int
    commitment: str | None
    created_at: Timestamp
    started_at: Timestamp | None
    ended_at: Timestamp | None
    outcome: Outcome | None


class GamePage(Struct, frozen=True):
    """Games, newest first."""

    items: list[GameSummary]
    next: str | None


class GameDetail(GameSummary, frozen=True, kw_only=True):
    """A game with its newest position as the viewer may see it; null before the start."""

    position: AnyPosition | None


class CreatedGame(GameDetail, frozen=True, kw_only=True):
    """A new game. `link` is the secret that a private game is joined by, shown only now."""

    link: str | None
    warnings: list[OptionsWarning]


class LegalMovesPage(Struct, frozen=True):
    """Legal moves of one's own seat at `ply`, in canonical form; none while it is not one's turn. Each can be
    sent back as `move`."""

    ruleset: str
    ply: int
    seat: int
    total: int
    items: list[Any]
    next: str | None


def _tuple_of(kind: Any) -> Any:
    return tuple[kind, ...]


LEGAL_MOVES = each(LegalMovesPage, "LegalMoves", lambda rules: {"items": _tuple_of(rules.Move)})


class EntryPage(Struct, frozen=True):
    """The log, first entry first; `ply` is how many entries it has."""

    ply: int
    items: list[AnyEntry]
    next: str | None


class ReplayFrame(Struct, frozen=True):
    """A position, and the entry of the log that led to it: null after the deal."""

    entry: AnyEntry | None
    position: AnyPosition


class Replay(Struct, frozen=True):
    """The positions of a game in order; `ply` is how many entries its log has. Of a game that goes on each is
    as one may see it now."""

    ply: int
    items: list[ReplayFrame]
    next: str | None


ToldEntry: Any = defstruct(
    "EntryEvent",
    [(one.name, {"entry": AnyEntry}.get(one.name, one.type)) for one in msgspec.structs.fields(EntryEvent)],
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag="entry",
)
ToldEntry.__doc__ = EntryEvent.__doc__
AnyEvent: Any = Union[(*PLAIN.values(), ToldEntry)]


class EventPage(Struct, frozen=True):
    """Events of a game in order, and `after` for what follows them. As `text/event-stream` each is a message, its
    number as `id`; without `after` and `Last-Event-ID` the first message is `game`, the game as it stands."""

    items: list[AnyEvent]
    last: int


class MyEventPage(Struct, frozen=True):
    """Events of all of one's games in order, and `after` for what follows them. As `text/event-stream` each
    is a message, its place as `id`; without `after` and `Last-Event-ID` the first message is `games`, those
    of one's own that are open or running."""

    items: list[AnyEvent]
    last: str


class RuleClause(Struct, frozen=True):
    """A clause of a rule book; `ruling` where the source leaves open what it settles."""

    id: str
    title: str
    text: str
    example: str | None
    ruling: bool


class RuleSetSummary(Struct, frozen=True):
    """A rule set and the numbers of seats it can be played with."""

    slug: str
    name: str
    version: int
    summary: str
    seats: list[int]


class RuleSetPage(Struct, frozen=True):
    """The rule sets."""

    items: list[RuleSetSummary]
    next: str | None


class RuleSetDetail(RuleSetSummary, frozen=True, kw_only=True):
    """A rule set with its clauses, what is hidden from whom, and the JSON Schemas of its options, moves, events
    and view."""

    hidden: str
    has_notation: bool
    clauses: list[RuleClause]
    schemas: dict[str, Any]


class RuleBookDetail(Struct, frozen=True):
    """A rule book: its clauses in order, in `language`; it can also be had in the other `languages`. `hidden` says
    what is hidden from whom."""

    ruleset: str
    version: int
    title: str
    language: str
    languages: list[str]
    summary: str
    hidden: str
    clauses: list[RuleClause]


PlayedShape: Any = defstruct(
    "PlayedMoves",
    [
        (one.name, {"entries": list[AnyEntry], "position": AnyPosition}.get(one.name, one.type))
        for one in msgspec.structs.fields(Played)
    ],
    frozen=True,
)
PlayedShape.__doc__ = Played.__doc__


def game_summary(row: SummaryRow, viewer: UUID | None) -> GameSummary:
    """A game as that player, or a spectator, may see it in a list."""
    held = {
        seat.number: SeatedPlayer(username=seat.username, display_name=seat.display_name)
        for seat in row.seats
    }
    return GameSummary(
        id=str(row.id),
        ruleset=row.ruleset,
        rules_version=row.rules_version,
        options=row.options,
        visibility=row.visibility,
        status=row.status,
        ending=row.ending,
        owner=next(seat.username for seat in row.seats if seat.player == row.owner),
        seats=[_seat_place(row, number, held.get(number)) for number in range(row.seat_count)],
        your_seat=seat_of(row, viewer),
        variant=row.variant,
        rated=row.rated,
        daily=str(row.daily) if row.daily else None,
        sealed_until=timestamp(row.sealed_until) if row.sealed_until else None,
        voided=row.voided,
        clock=row.clock,
        abandon_after=row.abandon_after,
        abandoned_at=timestamp(row.abandoned_at) if row.abandoned_at else None,
        ply=row.ply,
        to_act=row.to_act,
        undos=row.undos,
        event_seq=row.event_seq,
        commitment=row.commitment,
        created_at=timestamp(row.created_at),
        started_at=timestamp(row.started_at) if row.started_at else None,
        ended_at=timestamp(row.ended_at) if row.ended_at else None,
        outcome=row.outcome,
    )


def _seat_place(row: SummaryRow, number: int, player: SeatedPlayer | None) -> SeatPlace:
    deadline = row.deadlines[number] if row.deadlines else None
    runs = deadline is not None or not row.remaining
    return SeatPlace(
        number,
        player,
        left=number in row.left,
        deadline_at=timestamp(deadline) if deadline else None,
        time_left=None if runs else row.remaining[number] // 1000,
    )


def game_detail(summary: GameSummary, position: SeenPosition | None) -> GameDetail:
    """A game with its position."""
    return GameDetail(**msgspec.structs.asdict(summary), position=position)


def created_game(detail: GameDetail, link: str | None, warnings: list[OptionsWarning]) -> CreatedGame:
    """A game that was made just now."""
    return CreatedGame(**msgspec.structs.asdict(detail), link=link, warnings=warnings)


class MoveRequest:
    """`ply` as the client had seen it, and one of `move`, `moves` (a batch, all or none) and `notation`."""
