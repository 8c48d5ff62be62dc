"""The games app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games: rules, tables, logs."""

    name = "games"

    def ready(self) -> None:
        """Make the schema extensions known."""
        import games.api.openapi  # noqa: F401, PLC0415
