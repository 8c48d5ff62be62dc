"""In which language people are answered."""

from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils import translation


class Languages(LocaleMiddleware):
    """Django's, but the admin, whose own words are in English, is in English throughout."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith("/admin/"):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
        else:
            super().process_request(request)
