"""The accounts app."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    """Players, their tokens, sign-up and profiles."""

    name = "accounts"

    def ready(self) -> None:
        """Has the settings looked at that mail to players needs, and log-ins noted by a service of ours."""
        from accounts.services.sessions import log_in_note  # noqa: PLC0415 - needs the models
        from cardsite import site_url  # noqa: F401, PLC0415 - registers checks, and needs the settings

        user_logged_in.disconnect(dispatch_uid="update_last_login")
        user_logged_in.connect(log_in_note, dispatch_uid="update_last_login")
