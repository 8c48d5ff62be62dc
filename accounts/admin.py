"""Players in the admin. Tokens are not shown: not even their digests are of use to anybody."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.forms import PlayerChange, PlayerCreation
from accounts.models import Player


@admin.register(Player)
class PlayerAdmin(UserAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Django's admin of users, with our fields."""

    form = PlayerChange
    add_form = PlayerCreation
    list_display = ("username", "display_name", "email", "is_staff", "is_active", "created_at", "last_login")
    search_fields = ("username", "display_name", "email")
    ordering = ("username",)
    readonly_fields = ("created_at", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Profile", {"fields": ("display_name", "email", "created_at", "last_login")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "display_name", "password1", "password2")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """A user name is never given anew, so it stays with its player."""
        return self.readonly_fields if obj is None else ("username", *self.readonly_fields)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Nobody is deleted, for the same reason; who may not log in is made inactive."""
        return False
