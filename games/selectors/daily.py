"""The deals of the day as they can be seen: the commitment beforehand, the cards when the day is over."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from games.locks import database_time
from games.models import DailyDeal, Frequency, Game


class SeenDaily(Struct, frozen=True):
    """A deal of the day as of `now`; `seed` (hexadecimal) and `deck` are there when the day is over."""

    id: UUID
    date: date
    ruleset: str
    rules_version: int
    shuffle_version: int
    variant: str
    commitment: str
    now: datetime
    seed: str | None
    deck: tuple[str, ...] | None

    def __repr__(self) -> str:
        return f"<SeenDaily {self.id}>"

    @property
    def opens_at(self) -> datetime:
        """When it can be played from."""
        return opening_of(self.date)

    @property
    def closes_at(self) -> datetime:
        """Until when it can be played; from then on it is open to all."""
        return closing_of(self.date)

    @property
    def state(self) -> Literal["ahead", "open", "over"]:
        """Whether its day is to come, goes on, or is over."""
        return "ahead" if self.now < self.opens_at else "open" if self.now < self.closes_at else "over"


class DailyTries(Struct, frozen=True):
    """How many first tries have ended in time and how many of them were won, and a player's own first."""

    ended: int
    won: int
    own: UUID | None


def opening_of(day: date) -> datetime:
    """When a day begins (UTC)."""
    return datetime.combine(day, time(), UTC)


def closing_of(day: date) -> datetime:
    """When a day is over, and its deals are opened."""
    return opening_of(day + timedelta(days=1))


def daily_deal(*, day: date, ruleset: str) -> SeenDaily | None:
    """The deal of a day, or None."""
    deal = DailyDeal.objects.filter(date=day, ruleset=ruleset).first()
    return None if deal is None else _seen(deal, database_time())


def daily_deals(*, ruleset: str | None, before: date | None, limit: int) -> list[SeenDaily]:
    """Deals of the day, the latest day first, from before a day on; of a day all that are wanted, so that there
    may be some more than `limit`."""
    found = DailyDeal.objects.order_by("-date", "ruleset")
    if ruleset is not None:
        found = found.filter(ruleset=ruleset)
    if before is not None:
        found = found.filter(date__lt=before)
    days = list(found.values_list("date", flat=True)[:limit])
    now = database_time()
    return [_seen(deal, now) for deal in found.filter(date__gte=days[-1])] if days else []


def deals_of_today() -> list[SeenDaily]:
    """The deals of the present day (UTC), by rule set."""
    now = database_time()
    return [_seen(deal, now) for deal in DailyDeal.objects.filter(date=now.date()).order_by("ruleset")]


def daily_tries(*, deal: SeenDaily, player_id: UUID | None) -> DailyTries:
    """What became of the first tries at a deal."""
    counted = daily_counts(day=deal.date, ruleset=deal.ruleset, variant=deal.variant)
    own = Game.objects.filter(daily=deal.id, owner=player_id, is_first_try=True).values_list("id", flat=True)
    return replace(counted, own=own.first()) if player_id is not None else counted


def daily_counts(*, day: date, ruleset: str, variant: str) -> DailyTries:
    """How many first tries at the deal of a day have ended in time, and how many of them were won."""
    counted = Frequency.objects.filter(
        ruleset=ruleset,
        variant=variant,
        seats=1,
        kind=Frequency.Kind.DAILY,
        number=int(f"{day:%Y%m%d}"),
    ).first()
    return DailyTries(counted.games if counted else 0, counted.wins if counted else 0, None)


def _seen(deal: DailyDeal, now: datetime) -> SeenDaily:
    is_open = closing_of(deal.date) <= now
    return SeenDaily(
        id=deal.id,
        date=deal.date,
        ruleset=deal.ruleset,
        rules_version=deal.rules_version,
        shuffle_version=deal.shuffle_version,
        variant=deal.variant,
        commitment=deal.commitment,
        now=now,
        seed=bytes(deal.seed).hex() if is_open else None,
        deck=tuple(deal.deck) if is_open else None,
    )
