"""`manage.py check_records FILE…`: whether the rules reproduce recorded games exactly."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.records import check_record, name_of, read_records


class Command(BaseCommand):
    """Exit status 1 if any record differs or a file cannot be read."""

    help = "Replay recorded games through the rules and say for each whether it holds."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        holding = differing = 0
        for file in files:
            try:
                records = read_records(file.read_bytes())
            except (OSError, ValueError) as error:
                raise CommandError(f"{file}: {error}") from error
            for record in records:
                difference = check_record(record)
                if difference is None:
                    holding += 1
                    self.stdout.write(f"{file.name} {name_of(record)}: holds")
                else:
                    differing += 1
                    self.stdout.write(f"{file.name} {name_of(record)}: differs at {difference}")
        self.stdout.write(f"{holding} records hold, {differing} differ")
        if differing:
            raise SystemExit(1)
