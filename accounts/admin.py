"""Players in the admin: to look at, never to change. Tokens and passwords are not shown: not even their digests
are of use to anybody."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group

from accounts.models import Player
from cardsite.read_only import ReadOnly


@admin.register(Player)
class PlayerAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Players, by name."""

    list_display = ("username", "display_name", "email", "is_staff", "is_active", "created_at", "last_login")
    list_filter = ("is_staff", "is_active")
    search_fields = ("username", "display_name", "email")
    ordering = ("username",)
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("username", "display_name", "email", "created_at", "last_login")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
    )


admin.site.unregister(Group)


@admin.register(Group)
class ReadOnlyGroupAdmin(ReadOnly, GroupAdmin):
    """Groups of rights."""
