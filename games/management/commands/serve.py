"""`manage.py serve`: migrate, make the first staff account, and serve until Ctrl-C."""

import os
from argparse import ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from accounts.services.staff import FIRST_STAFF, first_staff_create
from cardsite import embedded
from cardsite.database_watch import kept_running
from cardsite.serving import PortInUse, WorkersFailed, serve
from cardsite.site_url import served_url
from cardsite.worker_watch import worker_running
from games.locks import database_time
from games.services.daily import daily_deals_make


class Command(BaseCommand):
    """Exit status 1 where the port is in use or the workers keep failing."""

    help = "Bring the database up to date and serve the API, the admin and the documentation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="port (default: %(default)s)")
        parser.add_argument(
            "--no-worker", action="store_true", help="leave jobs to `manage.py worker` elsewhere"
        )
        parser.add_argument("--workers", type=int, help="processes (default: one a core)")

    def handle(
        self, *args: Any, host: str, port: int, workers: int | None, no_worker: bool, **options: Any
    ) -> None:
        call_command("migrate", interactive=False, verbosity=options["verbosity"] - 1)
        daily_deals_make(today=database_time().date())
        password = first_staff_create()
        connections.close_all()
        if password is not None:
            self.stdout.write(f"First staff account, shown once: {FIRST_STAFF} / {password}")
        self.stdout.write(f"Serving http://{host}:{port}/ - Ctrl-C ends it.")
        # The worker sends the mail, and knows of the port by this alone.
        os.environ["SITE_URL"] = settings.SITE_URL or served_url(port=port)
        try:
            with self._database(), nullcontext() if no_worker else worker_running():
                serve(host, port, workers)
        except (PortInUse, WorkersFailed, OSError) as error:
            raise CommandError(str(error)) from error

    def _database(self) -> AbstractContextManager[None]:
        """The embedded database, if that is the one, is looked after while it serves."""
        if settings.EMBEDDED_DATABASE is None:
            return nullcontext()
        return kept_running(embedded.ensure(settings.EMBEDDED_DATABASE))
