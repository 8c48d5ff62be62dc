"""The deals of the day in the admin: the commitment, how first tries came out, and the cards when the day is over.
Seed and deck order are read by the selector that opens them to all, and by nothing else."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import DateTimeField, Func, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from unfold.decorators import display

from cardsite.admin import PageAdmin, day_words, link
from cardsite.filters import Days
from cardsite.paging import KeysetChangeList
from games.admin.filters import PatienceFilter
from games.admin.words import title_of
from games.catalog import CURRENT
from games.models import DailyDeal
from games.selectors.daily import closing_of, daily_counts, daily_deal, opening_of

SEALED = "opened when the day is over"


class DateFilter(Days):
    """Deals of some days."""

    title, parameter_name = "day", "day"

    def within(self, queryset: QuerySet[Any], first: Any, end: Any) -> QuerySet[Any]:
        if first is not None:
            queryset = queryset.filter(date__gte=first.date())
        return queryset if end is None else queryset.filter(date__lt=end.date())


class DealsByDay(KeysetChangeList):
    """The latest day first, whenever its deals were made."""

    def get_ordering(self, request: HttpRequest, queryset: Any) -> list[str]:
        return ["-date", "ruleset"]

    def place_of(self, row: DailyDeal) -> str:
        return f"{row.date}.{row.ruleset}"

    def below(self, found: QuerySet[Any], place: str) -> QuerySet[Any]:
        day_given, _, ruleset = place.partition(".")
        try:
            day = date.fromisoformat(day_given)
        except ValueError:
            raise ValidationError("Not a day.") from None
        if ruleset not in CURRENT:
            raise ValidationError("Not a rule set.")
        # What stands last follows from the rest, and lets the index by day begin there.
        return found.filter(Q(date__lt=day) | Q(date=day, ruleset__gt=ruleset), date__lte=day)


@admin.register(DailyDeal)
class DailyDealAdmin(PageAdmin):
    """Deals of the day, those of the days ahead first."""

    list_display = ("day", "patience", "variant", "state", "commitment_begins")
    list_display_links = ("day",)
    list_filter = (PatienceFilter, DateFilter)
    filter_parameters = frozenset({"ruleset", "day_from", "day_to"})
    fields = (
        "day",
        "patience",
        "variant",
        "versions",
        "state",
        "commitment_shown",
        "tries",
        "games",
        "seed_shown",
        "deck_shown",
    )

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return DealsByDay

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deals are nobody's to see, and of those of the day is shown what is shown to all."""
        return request.user.has_perm("games.view_game")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.view_game")

    def get_readonly_fields(self, request: HttpRequest, obj: DailyDeal | None = None) -> Sequence[str]:
        return self.fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyDeal]:
        now = Func(function="games_now", output_field=DateTimeField())
        return super().get_queryset(request).defer("seed", "deck", "options").annotate(now=now)

    @display(description="Day (UTC)")
    def day(self, deal: DailyDeal) -> str:
        return day_words(deal.date)

    @display(description="Rule set")
    def patience(self, deal: DailyDeal) -> str:
        return title_of(deal.ruleset)

    @display(description="State", label={"ahead": "info", "open": "success", "over": "default"})
    def state(self, deal: DailyDeal) -> str:
        now = deal.now  # type: ignore[attr-defined]  # annotated
        return "ahead" if now < opening_of(deal.date) else "open" if now < closing_of(deal.date) else "over"

    @display(description="Versions")
    def versions(self, deal: DailyDeal) -> str:
        return f"rules {deal.rules_version}, shuffle {deal.shuffle_version}"

    @display(description="Commitment begins")
    def commitment_begins(self, deal: DailyDeal) -> str:
        return format_html("<code>{}</code>", deal.commitment[:16])

    @display(description="Commitment")
    def commitment_shown(self, deal: DailyDeal) -> str:
        return format_html("<code>{}</code>", deal.commitment)

    @display(description="First tries")
    def tries(self, deal: DailyDeal) -> str:
        tries = daily_counts(day=deal.date, ruleset=deal.ruleset, variant=deal.variant)
        return f"{tries.ended} ended in time, {tries.won} won"

    @display(description="Games")
    def games(self, deal: DailyDeal) -> str:
        query = urlencode({"deal": str(deal.id)})
        games = link(f"{reverse('admin:games_game_changelist')}?{query}", "games with this deal")
        page = link(reverse("daily", args=(deal.date, deal.ruleset)), "public page")
        return format_html("<span>{} · {}</span>", games, page)

    @display(description="Seed")
    def seed_shown(self, deal: DailyDeal) -> str:
        seen = daily_deal(day=deal.date, ruleset=deal.ruleset)
        return format_html("<code>{}</code>", seen.seed) if seen and seen.seed else SEALED

    @display(description="Deck order")
    def deck_shown(self, deal: DailyDeal) -> str:
        seen = daily_deal(day=deal.date, ruleset=deal.ruleset)
        return format_html("<code>{}</code>", " ".join(seen.deck)) if seen and seen.deck else SEALED
