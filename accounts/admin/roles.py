"""Roles in the admin: groups of rights, to look at. Who has one is set on the player's page."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from unfold.decorators import display

from cardsite.admin import PageAdmin, player_link

admin.site.unregister(Group)
# What they are here: groups are what Django makes them of.
Group._meta.verbose_name, Group._meta.verbose_name_plural = "role", "roles"


@admin.register(Group)
class RoleAdmin(PageAdmin):
    """Roles, what each may do and who has it."""

    list_display = ("name", "people")
    fields = ("name", "may", "people")

    def get_readonly_fields(self, request: HttpRequest, obj: Group | None = None) -> Sequence[str]:
        return self.fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        return super().get_queryset(request).prefetch_related("user_set", "permissions")

    @display(description="People")
    def people(self, group: Group) -> str:
        people = sorted(group.user_set.all(), key=lambda one: one.username)
        return format_html_join(", ", "{}", ((player_link(one.id, one.username),) for one in people)) or "-"

    @display(description="May")
    def may(self, group: Group) -> str:
        words = sorted(one.name[0].lower() + one.name[1:] for one in group.permissions.all())
        return format_html_join("", "<div>{}</div>", ((one,) for one in words)) or "-"

    def audit_query(self, found: Any) -> dict[str, str]:
        return {"act": "set_role"}
