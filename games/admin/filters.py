"""By what games are looked for. Each filter has an index to go by, and what asks how a game went finds none of
which the asker is not to know it."""

from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import DateTimeField, Exists, Func, Max, Min, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from unfold.contrib.filters.admin import DropdownFilter, TextFilter
from unfold.contrib.filters.forms import RangeNumericForm

from accounts.admin.asking import asker
from accounts.selectors.players import ids_of_name
from cardsite.filters import Choice, Days, Range
from games.admin.words import OVER, title_of
from games.catalog import CURRENT
from games.locks import database_time
from games.models import Game, Result, Seat, Voiding
from games.selectors.inspection import unsealed
from games.variants import DEFAULT

_NOW = Func(function="games_now", output_field=DateTimeField())
MOST_ENTRIES = 2**31 - 1


class RuleSetFilter(Choice):
    """Games of a rule set."""

    title, parameter_name = "rule set", "ruleset"
    conditions: ClassVar = {slug: (slug, Q(ruleset=slug)) for slug in CURRENT}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        # Rule books are read when they are first wanted.
        return [(slug, title_of(slug)) for slug in self.conditions]


class PatienceFilter(RuleSetFilter):
    """Those of a patience."""

    conditions: ClassVar = {
        slug: condition for slug, condition in RuleSetFilter.conditions.items() if CURRENT[slug].is_patience
    }


class VariantFilter(TextFilter):
    """Games of a variant, by its name."""

    title, parameter_name = "variant", "variant"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        variant = (self.value() or "").replace("\0", "").strip()
        if variant in ("", DEFAULT):
            return queryset.filter(variant=variant) if variant else queryset
        # As the index has it.
        return queryset.exclude(variant=DEFAULT).filter(variant=variant)


class StatusFilter(Choice):
    """Games that are open, running, or over in some way."""

    title, parameter_name = "status", "status"
    conditions: ClassVar = {value: (str(label), Q(status=value)) for value, label in Game.Status.choices}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        found = super().queryset(request, queryset)
        return unsealed(found, viewer_id=asker(request).id) if self.value() in OVER else found


class EndingFilter(Choice):
    """Games that ended in a way."""

    title, parameter_name = "ending", "ending"
    conditions: ClassVar = {
        value: (str(label), Q(ending=value, ending__isnull=False)) for value, label in Game.Ending.choices
    }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        found = super().queryset(request, queryset)
        return unsealed(found, viewer_id=asker(request).id) if self.value() in self.conditions else found


class OverdueFilter(Choice):
    """Games that should have been settled a minute ago, as the first page counts them."""

    title, parameter_name = "overdue", "overdue"
    conditions: ClassVar = {
        "yes": ("Overdue", Q(status__in=("open", "running"), due_at__lt=_NOW - timedelta(minutes=1)))
    }


class RatedFilter(Choice):
    """Games that change ratings, or that do not."""

    title, parameter_name = "rated", "rated"
    conditions: ClassVar = {"yes": ("Rated", Q(rated=True)), "no": ("Not rated", Q(rated=False))}


class DailyFilter(Choice):
    """Games with the deal of the day."""

    title, parameter_name = "deal of the day", "daily"
    conditions: ClassVar = {
        "yes": ("Deal of the day", Q(daily__isnull=False)),
        "no": ("Others", Q(daily=None)),
    }


class DealFilter(TextFilter):
    """Games with one deal of the day, by its id; not shown, since links alone lead to it."""

    title, parameter_name = "deal", "deal"

    def has_output(self) -> bool:
        return bool(self.value())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        try:
            return queryset.filter(daily=UUID(self.value()))
        except ValueError:
            return queryset.none()


class VisibilityFilter(Choice):
    """Public or private games."""

    title, parameter_name = "visibility", "visibility"
    conditions: ClassVar = {
        value: (str(label), Q(visibility=value)) for value, label in Game.Visibility.choices
    }


class VoidedFilter(Choice):
    """Games that count for nothing any more."""

    title, parameter_name = "voided", "voided"
    conditions: ClassVar = {
        "yes": ("Voided", Q(id__in=Voiding.objects.values("game_id"))),
        "no": ("Not voided", ~Exists(Voiding.objects.filter(game_id=OuterRef("id")))),
    }


class PlayerFilter(TextFilter):
    """Games at which a player sits, by name."""

    title, parameter_name = "player", "player"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        return queryset.filter(id__in=games_of(ids_of_name(self.value())))


class AgainstFilter(PlayerFilter):
    """Games at which another player sits as well."""

    title, parameter_name = "and player", "against"


class ResultFilter(DropdownFilter):
    """Games that the player who is looked for, or without one anybody, has won, drawn or lost."""

    title, parameter_name = "result", "result"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("win", "Won"), ("draw", "Drawn"), ("loss", "Lost")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in ("win", "draw", "loss"):
            return queryset
        results = Result.objects.filter(result=self.value())
        if request.GET.get("ruleset") in CURRENT:
            results = results.filter(ruleset=request.GET["ruleset"])
        player = request.GET.get("player")
        if player:
            results = results.filter(player_id__in=ids_of_name(player))
        found = queryset.filter(id__in=results.values("game_id"))
        return unsealed(found, viewer_id=asker(request).id)


class DaysFilter(Days):
    """Games that ended on one of some days (UTC)."""

    title, parameter_name = "day of the end", "ended"

    def within(self, queryset: QuerySet[Any], first: datetime | None, end: datetime | None) -> QuerySet[Any]:
        ended = Q(status__in=OVER)
        if first is not None:
            ended &= Q(ended_at__gte=first)
        if end is not None:
            ended &= Q(ended_at__lt=end)
        if end is None or end > database_time():
            return queryset.filter(ended)
        # The list goes by id: without these it would be walked from today back to the days.
        as_text = Cast("id", TextField())
        ids = Game.objects.filter(ended).aggregate(first=Min(as_text), last=Max(as_text))
        if ids["first"] is None:
            return queryset.none()
        return queryset.filter(ended, id__gte=ids["first"], id__lte=ids["last"])


class LengthFilter(Range):
    """Games that are over whose logs have so many entries."""

    title, parameter_name = "length", "length"
    template = "unfold/filters/filters_numeric_range.html"
    form_class = RangeNumericForm

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        bounds = self.bounds()
        if bounds is None:
            return queryset
        shortest, longest = bounds
        found = unsealed(queryset.filter(status__in=OVER), viewer_id=asker(request).id)
        if shortest is not None:
            found = found.filter(ply__gte=max(0, min(shortest, MOST_ENTRIES)))
        if longest is not None:
            found = found.filter(ply__lte=max(0, min(longest, MOST_ENTRIES)))
        return found


GAME_FILTERS = (
    RuleSetFilter,
    VariantFilter,
    StatusFilter,
    PlayerFilter,
    AgainstFilter,
    ResultFilter,
    EndingFilter,
    DaysFilter,
    LengthFilter,
    OverdueFilter,
    RatedFilter,
    DailyFilter,
    DealFilter,
    VisibilityFilter,
    VoidedFilter,
)


def games_of(players: list[Any]) -> QuerySet[Any]:
    """The ids of games at which they sit."""
    return Seat.objects.filter(player_id__in=players).values("game_id")
