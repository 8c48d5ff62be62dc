"""Dumps of many games, and their verification: `python -m bench.dumps [--games N] [--most-plies N]`.

A database of its own is filled with a hundredth of the games and then with all of them. Both times
`export_games` writes a dump, and `verify_game` verifies it offline, two processes at a time; in the end
`verify_games` replays what is stored. Printed are the time and the most memory that a process of each had, which
must not grow with the games. Exit status 1 where something is not verified, or an export of all takes half as
much memory again.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.server import ROOT
from cardsite import embedded

GROWTH = 1.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--most-plies", type=int, default=20, help="after which a game is given up")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cardsite-bench-"))
    # The account that runs PostgreSQL must reach it.
    folder.chmod(0o755)
    os.environ.pop("DATABASE_URL", None)
    os.environ["DATA_DIR"] = str(folder / "var")
    try:
        few = given.games // 100
        fill(few, given.most_plies, seed=1)
        small = dumped(folder / "few")
        fill(given.games - few, given.most_plies, seed=2)
        large = dumped(folder / "all")
        run("verify_games", "manage.py", "verify_games")
    finally:
        embedded.Cluster(folder / "var" / "postgres").stop()
        shutil.rmtree(folder, ignore_errors=True)
    if large > GROWTH * small:
        sys.exit(f"an export of all takes {large / small:.2f} times the memory of one of a hundredth")


def fill(games: int, most_plies: int, seed: int) -> None:
    options = ["--games", str(games), "--most-plies", str(most_plies), "--seed", str(seed)]
    run("fill", "-m", "bench.fill", *options)


def dumped(folder: Path) -> int:
    """Export everything there is and verify it: the most memory of the export."""
    memory = run("export_games", "manage.py", "export_games", str(folder))
    parts = sorted(map(str, folder.glob("*.ndjson")))
    halves = [parts[number::2] for number in range(min(2, len(parts)))]
    run_all("verify_game", [["manage.py", "verify_game", *files] for files in halves])
    return memory


def run(what: str, *command: str) -> int:
    return run_all(what, [command])


def run_all(what: str, commands: Sequence[Sequence[str]]) -> int:
    """Run commands at once and say what they said last: the most memory that one of them had, in KiB."""
    started = time.perf_counter()
    processes = [
        subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for command in commands
    ]
    most, said = 0, list[str]()
    for process in processes:
        assert process.stdout is not None
        lines = process.stdout.read().decode().splitlines()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        most = max(most, usage.ru_maxrss)
        said += lines[-1:]
        if process.returncode:
            sys.exit(f"{what} failed: {lines[-20:]}")
    seconds = time.perf_counter() - started
    print(f"{what:14}{seconds:8.0f} s{most / 1024:8.0f} MiB   {'; '.join(said)}", flush=True)
    return most


if __name__ == "__main__":
    main()
