"""Games in the admin: to look at, never to change, and nothing that is hidden in them.

Moves, deals and results are not registered: Django's admin knows no composite keys, and a deal is nobody's to
see.
"""

from django.contrib import admin

from cardsite.read_only import ReadOnly
from games.models import Game, Seat


class SeatInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """Who sits at a game."""

    model = Seat
    fields = readonly_fields = ("number", "player", "joined_at")
    ordering = ("number",)


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Games, newest first."""

    list_display = ("id", "ruleset", "status", "owner", "seat_count", "ply", "created_at", "ended_at")
    list_filter = ("ruleset", "status", "visibility")
    list_select_related = ("owner",)
    search_fields = ("=id", "owner__username", "=seats__player__username")
    ordering = ("-id",)
    show_full_result_count = False
    inlines = (SeatInline,)
    fields = (
        "id",
        "ruleset",
        "rules_version",
        "options",
        "seat_count",
        "visibility",
        "status",
        "owner",
        "ply",
        "to_act",
        "commitment",
        "created_at",
        "started_at",
        "ended_at",
    )
