#!/usr/bin/env python
"""The command line of the project."""

import os
import sys

NEED_NO_DATABASE = frozenset(
    {
        "check_records",
        "verify_game",
        "spectacular",
        "collectstatic",
        "makemessages",
        "compilemessages",
        "help",
        "version",
    }
)


def main() -> None:
    """Run a management command; one that needs data starts the embedded database if it is down."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    asks_only = command.startswith("-") or "--help" in sys.argv or "-h" in sys.argv
    if settings.EMBEDDED_DATABASE and not asks_only and command not in NEED_NO_DATABASE:
        from cardsite import embedded

        embedded.ensure(settings.EMBEDDED_DATABASE)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
