"""What the public games of a rule set came to, from the counts that the projector keeps."""

from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import Any

from msgspec import Struct

from games.models import Frequency


class SeatStatistics(Struct, frozen=True):
    """How a seat did."""

    seat: int
    games: int
    wins: int
    draws: int
    win_share: float


class Lengths(Struct, frozen=True):
    """How many entries the logs of games had; a tenth had no more than `tenth`, nine tenths no more than
    `nine_tenths`."""

    shortest: int
    tenth: int
    median: int
    mean: float
    nine_tenths: int
    longest: int


class VariantStatistics(Struct, frozen=True):
    """The public games of a variant with so many seats. `first_seat_advantage` is the share of games that seat
    0 has won less the share that a seat has won on average; null where there is one seat."""

    seats: int
    games: int
    length: Lengths
    by_seat: list[SeatStatistics]
    first_seat_advantage: float | None


class DealStatistics(Struct, frozen=True):
    """How a deal that options fix was solved; `variant` names the options."""

    variant: str
    games: int
    wins: int
    win_share: float


def variant_statistics(*, ruleset: str, variant: str) -> list[VariantStatistics]:
    """By number of seats, what the games of a variant came to."""
    found = Frequency.objects.filter(
        ruleset=ruleset, variant=variant, kind__in=[Frequency.Kind.SEAT, Frequency.Kind.LENGTH], games__gt=0
    ).order_by("seats", "number")
    return [_of_seats(seats, list(rows)) for seats, rows in groupby(found, key=lambda row: row.seats)]


def _of_seats(seats: int, rows: Sequence[Frequency]) -> VariantStatistics:
    by_seat = [
        SeatStatistics(row.number, row.games, row.wins, row.draws, _share(row.wins, row.games))
        for row in rows
        if row.kind == Frequency.Kind.SEAT
    ]
    average = sum(seat.win_share for seat in by_seat) / len(by_seat)
    return VariantStatistics(
        seats=seats,
        games=by_seat[0].games,
        length=_lengths([row for row in rows if row.kind == Frequency.Kind.LENGTH]),
        by_seat=by_seat,
        first_seat_advantage=round(by_seat[0].win_share - average, 6) if seats > 1 else None,
    )


def _lengths(rows: Sequence[Frequency]) -> Lengths:
    upto = list(accumulate(row.games for row in rows))
    games = upto[-1]

    def within(tenths: int) -> int:
        return next(
            row.number for row, so_far in zip(rows, upto, strict=True) if so_far * 10 >= games * tenths
        )

    return Lengths(
        shortest=rows[0].number,
        tenth=within(1),
        median=within(5),
        mean=round(sum(row.number * row.games for row in rows) / games, 2),
        nine_tenths=within(9),
        longest=rows[-1].number,
    )


def deal_statistics(*, ruleset: str, after: tuple[int, str] | None, limit: int) -> list[DealStatistics]:
    """The deals that were played most, from after a number of games and variant on."""
    found: Any = Frequency.objects.filter(ruleset=ruleset, kind=Frequency.Kind.DEAL, games__gt=0)
    if after is not None:
        games, variant = after
        found = found.filter(games__lte=games).exclude(games=games, variant__lte=variant)
    rows = found.order_by("-games", "variant")[:limit]
    return [DealStatistics(row.variant, row.games, row.wins, _share(row.wins, row.games)) for row in rows]


def _share(wins: int, games: int) -> float:
    return round(wins / games, 6)
