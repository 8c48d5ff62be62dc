"""`manage.py export_games FOLDER`: every public game that is over, as files of proofs."""

import hashlib
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from msgspec import Struct
from tqdm import tqdm

from games.catalog import CURRENT
from games.selectors.exports import EndedGame, ExportFilter, ended_games
from games.selectors.proofs import proofs_of

MANIFEST = "manifest.json"
AT_ONCE = 100


class Part(Struct, frozen=True):
    """A file of the dump: how many games, its SHA-256, and the last game in it."""

    file: str
    games: int
    sha256: str
    last: EndedGame


class Manifest(Struct):
    """What the dump was asked for, and its parts in order."""

    wanted: ExportFilter
    parts: list[Part]


class Command(BaseCommand):
    """A part at a time is written and then named in the manifest; run again, it goes on after the last of
    these."""

    help = "Write public games that are over as NDJSON, a proof a line, with a manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER")
        parser.add_argument("--ruleset", choices=list(CURRENT), help="only games of this rule set")
        parser.add_argument(
            "--since", type=_moment, help="only games that ended from then on (2026-01-31, UTC)"
        )
        parser.add_argument("--until", type=_moment, help="only games that ended before then")
        parser.add_argument("--part", type=int, default=1000, help="games in a file (default: %(default)s)")

    def handle(self, *args: Any, folder: Path, part: int, **options: Any) -> None:
        if part < 1:
            raise CommandError("a part has at least one game")
        wanted = ExportFilter(options["ruleset"], options["since"], options["until"])
        folder.mkdir(parents=True, exist_ok=True)
        manifest = self._manifest(folder / MANIFEST, wanted)
        after = manifest.parts[-1].last if manifest.parts else None
        with tqdm(unit=" games", file=self.stderr) as bar:
            while games := ended_games(wanted=wanted, after=after, limit=part):
                name = f"games-{len(manifest.parts) + 1:06}.ndjson"
                digest = hashlib.sha256()
                with (folder / name).open("wb") as file:
                    for first in range(0, len(games), AT_ONCE):
                        for proof in proofs_of([game.id for game in games[first : first + AT_ONCE]]):
                            line = msgspec.json.encode(proof) + b"\n"
                            digest.update(line)
                            file.write(line)
                            bar.update()
                after = games[-1]
                manifest.parts.append(Part(name, len(games), digest.hexdigest(), after))
                _replace(folder / MANIFEST, manifest)
        total = sum(one.games for one in manifest.parts)
        self.stdout.write(f"{total} games in {len(manifest.parts)} files")

    def _manifest(self, path: Path, wanted: ExportFilter) -> Manifest:
        if not path.exists():
            manifest = Manifest(wanted, [])
            _replace(path, manifest)
            return manifest
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
        except msgspec.DecodeError as error:
            raise CommandError(f"{path} is no manifest: {error}") from error
        if manifest.wanted != wanted:
            raise CommandError(f"{path} is of a dump of other games; take another folder")
        return manifest


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no date or time, as in 2026-01-31") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _replace(path: Path, manifest: Manifest) -> None:
    """Write the manifest whole or not at all."""
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    new.replace(path)
