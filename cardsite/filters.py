"""Filters of the admin's lists that say in words what is chosen, and from where to where."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import DropdownFilter
from unfold.contrib.filters.forms import RangeDateForm

EARLIEST, LATEST = date(1971, 1, 1), date(9000, 1, 1)
"""Days before and after which nothing is, nor ids that are made of the time."""


class Choice(DropdownFilter):
    """One of some words, each with the condition that it stands for; what is none of them filters nothing."""

    conditions: ClassVar[dict[str, tuple[str, Any]]]
    """By the word in the address: the word on the page and the condition."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(word, shown) for word, (shown, _) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.conditions.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class Range(SimpleListFilter):
    """From something to something, both included."""

    form_class: ClassVar[Any]

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.request = request
        super().__init__(request, params, model, model_admin)
        for name in self.ends():
            given = params.pop(name, None)
            if given:
                self.used_parameters[name] = given[-1]
        self.form = self.form_class(name=self.parameter_name, data=dict(self.used_parameters))
        for name, faults in self.form.errors.items():
            messages.error(request, f"{self.title}, {name.rpartition('_')[2]}: {' '.join(map(str, faults))}")

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return [("", "")]  # without any the filter would not be shown

    def ends(self) -> tuple[str, str]:
        """What the two are called in the address."""
        return f"{self.parameter_name}_from", f"{self.parameter_name}_to"

    def expected_parameters(self) -> list[str | None]:
        return [*self.ends()]

    def choices(self, changelist: Any) -> Iterator[Any]:
        yield {"request": self.request, "parameter_name": self.parameter_name, "form": self.form}

    def bounds(self) -> tuple[Any, Any] | None:
        """What was given, or None where it is nothing or not of the form, which the page says."""
        if not any(self.used_parameters.values()) or not self.form.is_valid():
            return None
        lowest, highest = (self.form.cleaned_data[name] for name in self.ends())
        return lowest, highest


class Days(Range):
    """From one day to another (UTC)."""

    template = "unfold/filters/filters_date_range.html"
    form_class = RangeDateForm

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        bounds = self.bounds()
        if bounds is None:
            return queryset
        first, last = bounds
        start = None if first is None or first < EARLIEST else _midnight(first)
        end = None if last is None or last > LATEST else _midnight(last + timedelta(days=1))
        return self.within(queryset, start, end)

    def within(self, queryset: QuerySet[Any], first: datetime | None, end: datetime | None) -> QuerySet[Any]:
        """What is of a moment from `first` on and before `end`, where these are given."""
        raise NotImplementedError


def first_id_at(moment: datetime) -> UUID:
    """The lowest id that can have been made at a moment."""
    return UUID(int=max(0, int(moment.timestamp() * 1000)) << 80)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
