"""`manage.py verify_game FILE…`: play proven games again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.proofs import Proof, check_proof, read_proof


class Command(BaseCommand):
    """Needs no database. Exit status 1 if a game diverges from its proof, or a file holds none."""

    help = (
        "Verify proofs as `games/{id}/proof` gives them: commitment, deck order, every position, the outcome."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a proof, as JSON")

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        verified = [self._is_verified(file) for file in files]
        if not all(verified):
            raise CommandError(f"{verified.count(False)} of {len(files)} not verified")

    def _is_verified(self, file: Path) -> bool:
        try:
            proof = read_proof(file.read_bytes())
        except OSError as error:
            self.stdout.write(f"{file}: cannot be read: {error.strerror}")
            return False
        found = check_proof(proof) if isinstance(proof, Proof) else proof
        if isinstance(proof, Proof) and found is None:
            says = f"verified: {proof.ruleset}, {len(proof.log)} entries, {proof.ending}"
        else:
            says = f"diverges at {found}"
        self.stdout.write(f"{file}: {says}")
        return found is None
