"""What the templates are given of games: built up field by field, so that nothing else can be shown."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.utils.functional import Promise
from msgspec import Struct

from accounts.names import is_erased_name
from cardsite.page_tags import DELETED_PLAYER
from games.catalog import CURRENT, rules_for
from games.pages.words import ENDINGS, RESULTS, STATUSES, clock_words, option_words, span_words, variant_words
from games.selectors.access import seat_of
from games.selectors.rows import SummaryRow
from games.variants import DEFAULT


class SeatShown(Struct, frozen=True):
    """A seat: who sits there, and what came of it. `result` is the code and `came_to` its word; `time_left` is
    what a seat has that need not act."""

    number: int
    username: str | None
    display_name: str | None
    is_viewer: bool
    is_wanted: bool
    acts: bool
    left: bool
    result: str | None
    came_to: Promise | None
    place: int | None
    score: int | None
    deadline: datetime | None
    time_left: str | None

    @property
    def name(self) -> str | Promise | None:
        """What the player is called."""
        return DELETED_PLAYER if self.username and is_erased_name(self.username) else self.username


class GameShown(Struct, frozen=True):
    """A game at a glance; `link` leads to it, of a game in which somebody's result was asked for to its end as
    that seat saw it."""

    id: UUID
    link: str
    ruleset: str
    name: str
    variant: str
    options: list[tuple[str, str]]
    status: str
    state: Promise
    ending: Promise | None
    seats: list[SeatShown]
    ply: int
    undos: int
    rated: bool
    voided: bool
    is_private: bool
    is_open_to_all: bool
    daily: UUID | None
    sealed_until: datetime | None
    clock: str | None
    commitment: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None

    @property
    def duration(self) -> str | None:
        """From the start to the end."""
        if self.started_at is None or self.ended_at is None:
            return None
        return span_words(self.ended_at - self.started_at)

    @property
    def players(self) -> str:
        """Who sits there, by name."""
        return " \N{EN DASH} ".join(str(seat.name) for seat in self.seats if seat.username)

    @property
    def waits_for_viewer(self) -> bool:
        """Whether it is the viewer's turn."""
        return any(seat.is_viewer and seat.acts for seat in self.seats)

    @property
    def free(self) -> int:
        """How many seats nobody has."""
        return sum(seat.username is None for seat in self.seats)


def game_shown(row: SummaryRow, viewer: UUID | None, of: UUID | None = None) -> GameShown:
    """A game as a viewer may see it; `of` is the player whose game it is looked at as."""
    wanted = seat_of(row, of) if of is not None else None
    link = f"/games/{row.id}/"
    return GameShown(
        id=row.id,
        link=link if wanted is None or not row.has_ended else f"{link}?ply={row.ply}&seat={wanted}",
        ruleset=row.ruleset,
        name=rules_for(row.ruleset, row.rules_version).name,
        variant=variant_words(row.variant or DEFAULT),
        options=option_words(row.options),
        status=row.status,
        state=STATUSES[row.status],
        ending=ENDINGS[row.ending] if row.ending is not None else None,
        seats=[_seat(row, number, viewer, wanted) for number in range(row.seat_count)],
        ply=row.ply,
        undos=row.undos,
        rated=row.rated,
        voided=row.voided,
        is_private=row.visibility == "private",
        is_open_to_all=row.has_ended and not row.sealed,
        daily=row.daily,
        sealed_until=row.sealed_until if row.sealed else None,
        clock=clock_words(row.clock) if row.clock else None,
        commitment=row.commitment,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )


def games_shown(rows: Iterable[SummaryRow], viewer: UUID | None, of: UUID | None = None) -> list[GameShown]:
    """Games in their order."""
    return [game_shown(row, viewer, of) for row in rows]


def names_of_games() -> Mapping[str, str]:
    """The names of the games by slug."""
    return {slug: rules.name for slug, rules in CURRENT.items()}


def _seat(row: SummaryRow, number: int, viewer: UUID | None, wanted: int | None) -> SeatShown:
    held = next((seat for seat in row.seats if seat.number == number), None)
    result = row.results[number] if row.results else None
    deadline = row.deadlines[number] if row.deadlines and row.status == "running" else None
    waits = deadline is None and row.remaining and row.status == "running"
    return SeatShown(
        number=number,
        username=held.username if held else None,
        display_name=held.display_name if held else None,
        is_viewer=held is not None and held.player == viewer,
        is_wanted=number == wanted,
        acts=number in row.to_act,
        left=number in row.left,
        result=result.result if result else None,
        came_to=RESULTS[result.result] if result else None,
        place=result.place if result else None,
        score=result.score if result else None,
        deadline=deadline,
        time_left=span_words(timedelta(milliseconds=row.remaining[number])) if waits else None,
    )
