"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Players, their tokens, sign-up and profiles."""

    name = "accounts"

    def ready(self) -> None:
        """Has the settings looked at that mail to players needs."""
        from cardsite import site_url  # noqa: F401, PLC0415 - registers checks, and needs the settings
