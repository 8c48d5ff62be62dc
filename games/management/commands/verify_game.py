"""`manage.py verify_game FILE…`: play proven games again."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.proofs import Proof, check_proof, read_proof

DUMP = ".ndjson"


class Command(BaseCommand):
    """Needs no database. Exit status 1 if a game diverges from its proof, or a file holds none."""

    help = (
        "Verify proofs as `games/{id}/proof` and `exports/` give them: commitment, deck order, every position, "
        "the outcome."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help=f"a proof, as JSON, or a dump of them, as {DUMP}",
        )

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        verified = [self._is_verified(file) for file in files]
        if not all(verified):
            raise CommandError(f"{verified.count(False)} of {len(files)} not verified")

    def _is_verified(self, file: Path) -> bool:
        total = diverging = 0
        try:
            for where, content in _proofs(file):
                total += 1
                proof = read_proof(content)
                found = check_proof(proof) if isinstance(proof, Proof) else proof
                if found is not None:
                    diverging += 1
                    self.stdout.write(f"{where}: diverges at {found}")
                elif isinstance(proof, Proof) and file.suffix != DUMP:
                    said = f"{proof.ruleset}, {len(proof.log)} entries, {proof.ending}"
                    self.stdout.write(f"{where}: verified: {said}")
        except OSError as error:
            self.stdout.write(f"{file}: cannot be read: {error.strerror}")
            return False
        if file.suffix == DUMP:
            self.stdout.write(f"{file}: {total - diverging} of {total} games verified")
        return not diverging


def _proofs(file: Path) -> Iterator[tuple[str, bytes]]:
    """The proofs in a file, one at a time, each with where it stands."""
    if file.suffix != DUMP:
        yield str(file), file.read_bytes()
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            yield f"{file}:{number}", line
