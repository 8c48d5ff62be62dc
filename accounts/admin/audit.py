"""The audit trail in the admin: who has done what, when and why. It is only read."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from unfold.contrib.filters.admin import DropdownFilter, TextFilter
from unfold.decorators import display

from accounts.models import AuditEntry
from accounts.selectors.players import ids_of_name
from cardsite.admin import PageAdmin, game_link, id_in, moment, moment_words, player_link
from cardsite.filters import Days, first_id_at

A_DAY = timedelta(days=1)
ACTS = (
    "warning",
    "mute",
    "suspension",
    "lift",
    "revoke_token",
    "revoke_tokens",
    "end_session",
    "end_sessions",
    "reset_display_name",
    "set_role",
    "erase",
    "void",
    "reveal",
    "retry_job",
)
"""What is done, by the word in the trail."""


class ActFilter(DropdownFilter):
    """Entries of one kind of act."""

    title, parameter_name = "act", "act"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(act, act_words(act)) for act in ACTS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(act=self.value()) if self.value() in ACTS else queryset


class ByFilter(TextFilter):
    """What somebody has done."""

    title, parameter_name = "who did it", "by"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(by__in=ids_of_name(self.value())) if self.value() else queryset


class AboutFilter(TextFilter):
    """What was done about a player."""

    title, parameter_name = "about whom", "player"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(player__in=ids_of_name(self.value())) if self.value() else queryset


class GameFilter(TextFilter):
    """What was done about a game, by its id or address."""

    title, parameter_name = "game", "game"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        game = id_in(self.value())
        return queryset.none() if game is None else queryset.filter(game=game)


class DaysFilter(Days):
    """What was done on one of some days (UTC)."""

    title, parameter_name = "day", "at"

    def within(self, queryset: QuerySet[Any], first: datetime | None, end: datetime | None) -> QuerySet[Any]:
        # Ids begin with the time at which they were made, a moment before what they are of is written.
        if first is not None:
            queryset = queryset.filter(at__gte=first, id__gte=first_id_at(first - A_DAY))
        if end is not None:
            queryset = queryset.filter(at__lt=end, id__lt=first_id_at(end + A_DAY))
        return queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(PageAdmin):
    """The audit trail, newest first."""

    list_display = ("when", "who", "what", "about", "why")
    list_display_links = ("when",)
    list_filter = (ActFilter, ByFilter, AboutFilter, GameFilter, DaysFilter)
    filter_parameters = frozenset({"act", "by", "player", "game", "at_from", "at_to"})
    search_fields = ("id",)  # as `get_search_results` understands it
    search_help_text = "A player's name, or a game's id or address"
    list_select_related = ("by", "player")
    fields = ("when", "who", "what", "about", "why", "details_shown")

    def get_readonly_fields(self, request: HttpRequest, obj: AuditEntry | None = None) -> Sequence[str]:
        return self.fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        game = id_in(term)
        if game is not None:
            return queryset.filter(game=game), False
        people = ids_of_name(term)
        return queryset.filter(Q(by__in=people) | Q(player__in=people)), False

    @display(description="When (UTC)")
    def when(self, entry: AuditEntry) -> str:
        return moment(entry.at)

    @display(description="Who")
    def who(self, entry: AuditEntry) -> str:
        return "the server" if entry.by is None else player_link(entry.by.id, entry.by.username)

    @display(description="What", label=True)
    def what(self, entry: AuditEntry) -> str:
        return entry_words(entry)

    @display(description="About")
    def about(self, entry: AuditEntry) -> str:
        player = player_link(entry.player.id, entry.player.username) if entry.player else ""
        game = game_link(entry.game, f"game {str(entry.game)[-12:]}") if entry.game else ""
        return format_html("<span>{} {}</span>", player, game) if player or game else "-"

    @display(description="Why")
    def why(self, entry: AuditEntry) -> str:
        return entry.reason

    @display(description="Details")
    def details_shown(self, entry: AuditEntry) -> str:
        return ", ".join(_detail_words(*one) for one in entry.details.items()) or "-"


def act_words(act: str) -> str:
    """An act in words."""
    return act.replace("_", " ")


def entry_words(entry: AuditEntry) -> str:
    """What was done, in words; of what was lifted, which kind."""
    kind = entry.details.get("kind") if entry.act == "lift" else None
    return f"{act_words(entry.act)} ({kind})" if kind else act_words(entry.act)


def _detail_words(name: str, value: Any) -> str:
    """A detail that stands in the trail as its service has written it."""
    if name == "until":
        return f"until {moment_words(datetime.fromisoformat(value)) if value else 'it is lifted'}"
    return f"{name}: {'none' if value is None else value}"


def entries_about(*, player_id: UUID, limit: int) -> list[AuditEntry]:
    """The last that was done about a player."""
    found = AuditEntry.objects.filter(player_id=player_id).select_related("by").order_by("-id")
    return list(found[:limit])
