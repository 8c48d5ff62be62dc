"""Pages of the admin that only show."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """What the services alone may change: in the admin it is looked at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
