"""`manage.py worker`: do what is to be done from time to time, until Ctrl-C or SIGTERM."""

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector

from cardsite import embedded
from cardsite.serving import end_with_process
from games.hints import hints
from games.projector import keep_projecting

GRACE = 5  # seconds that a job under way gets to finish


class Command(BaseCommand):
    """`manage.py serve` runs one beside the server; more do no harm."""

    help = "Settle overdue turns and do other jobs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--end-with-parent", action="store_true", help="end when the process that started this one does"
        )

    def handle(self, *args: Any, end_with_parent: bool, **options: Any) -> None:
        if end_with_parent:
            end_with_process(os.getppid())
        if settings.EMBEDDED_DATABASE is not None:
            embedded.ensure(settings.EMBEDDED_DATABASE)
        hints.keep_sending()
        keep_projecting()
        connector = app.connector
        assert isinstance(connector, DjangoConnector), "the application is the one of the project"
        with app.replace_connector(connector.get_worker_connector()) as worker:
            worker.run_worker(delete_jobs="successful", shutdown_graceful_timeout=GRACE)
