"""`manage.py verify_game FILE…`: play proven games again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.proofs import Divergence, Proof, check_proof, read_proof


class Command(BaseCommand):
    """Needs no database. Exit status 1 if a game diverges from its proof, or a file holds none."""

    help = (
        "Verify proofs as `games/{id}/proof` gives them: commitment, deck order, every position, the outcome."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a proof, as JSON")

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        divergences = list(map(self._verified, files))
        failed = sum(one is not None for one in divergences)
        if failed:
            raise CommandError(f"{failed} of {len(files)} not verified")

    def _verified(self, file: Path) -> Divergence | None:
        try:
            proof = read_proof(file.read_bytes())
        except OSError as error:
            raise CommandError(str(error)) from error
        found = check_proof(proof) if isinstance(proof, Proof) else proof
        if isinstance(proof, Proof) and found is None:
            says = f"verified: {proof.ruleset}, {len(proof.log)} entries, {proof.ending}"
        else:
            says = f"diverges at {found}"
        self.stdout.write(f"{file}: {says}")
        return found
