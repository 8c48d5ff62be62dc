"""What templates of pages have beside Django's own tags."""

from datetime import UTC, datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from accounts.names import is_erased_name

register = template.Library()
DELETED_PLAYER = gettext_lazy("deleted player")


@register.filter
def when(moment: datetime) -> SafeString:
    """A moment as a `time` element, in words of the language of the page, UTC."""
    there = moment.astimezone(UTC)
    return format_html(
        '<time datetime="{}">{}</time>', f"{there:%Y-%m-%dT%H:%M:%SZ}", date_format(there, "j M Y, H:i")
    )


@register.simple_tag
def player_link(username: str, shown: str | None = None) -> SafeString:
    """A player's name, or what else is to be shown for it, which leads to the player's page; but an erased account
    has none."""
    if is_erased_name(username):
        return format_html('<span class="quiet">{}</span>', DELETED_PLAYER)
    return format_html('<a href="/players/{}/">{}</a>', username, shown or username)
