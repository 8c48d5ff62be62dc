"""What templates of pages have beside Django's own tags."""

from datetime import UTC, datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def when(moment: datetime) -> SafeString:
    """A moment as a `time` element, in words of the language of the page, UTC."""
    there = moment.astimezone(UTC)
    return format_html(
        '<time datetime="{}">{}</time>', f"{there:%Y-%m-%dT%H:%M:%SZ}", date_format(there, "j M Y, H:i")
    )
