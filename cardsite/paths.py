"""Paths with and without their last slash."""

from django.http import HttpRequest
from django.middleware.common import CommonMiddleware
from django.urls import is_valid_path


class SlashOutsideApi(CommonMiddleware):
    """Django's, but no path of the API is redirected: many clients repeat a redirected POST as a GET, and would
    believe that they had done something."""

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not request.path_info.startswith("/api/") and super().should_redirect_with_slash(request)


def meant_path(path: str) -> str | None:
    """The path that differs by its last slash, if that leads somewhere."""
    other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
    return other if is_valid_path(other) else None
