"""`manage.py export_games`: dumps in parts that are whole, with a manifest, that a later run goes on with."""

import hashlib
import json
import os
import subprocess
import sys
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.catalog import CURRENT
from games.management.commands import export_games
from games.models import Game
from tests.expect import nothing_changes
from tests.proofs import STARTED_AT
from tests.stored_games import WAYS, some_game, store

ROOT = Path(__file__).resolve().parent.parent
NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing", "SECRET_KEY": "only-for-tests"}


@pytest.fixture
def export(db, tmp_path, capsys):
    """Runs the command on one folder: what it says. It writes nothing to the database."""

    def run(**options):
        capsys.readouterr()
        with nothing_changes():
            call_command("export_games", tmp_path / "dump", **options)
        return capsys.readouterr().out

    return run


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "dump"


@pytest.fixture
def few(db):
    """Fourteen games in the order in which they ended: two of each rule set, the first seven given up."""
    return stored(range(14))


def stored(numbers):
    """Stores games: their ids in the order in which they ended."""
    games = [some_game(number) for number in numbers]
    store(games)
    return [str(game.game) for game in in_order(games)]


def in_order(games):
    return sorted(games, key=lambda game: (game.log[-1][1], game.game))


def manifest(folder):
    return json.loads((folder / "manifest.json").read_bytes())


def parts(folder):
    """The games of each part that the manifest names, whose files are as it says."""
    found = []
    for part in manifest(folder)["parts"]:
        content = (folder / part["file"]).read_bytes()
        proofs = [json.loads(line) for line in content.splitlines()]
        assert hashlib.sha256(content).hexdigest() == part["sha256"]
        assert content.endswith(b"\n")
        assert (part["games"], part["last"]["id"]) == (len(proofs), proofs[-1]["game"])
        found.append([proof["game"] for proof in proofs])
    return found


def test_every_game_is_in_the_dump_once_in_the_order_in_which_they_ended(export, folder, few):
    assert export(part=5) == "14 games in 3 files\n"
    assert parts(folder) == [few[:5], few[5:10], few[10:]]
    assert {file.name for file in folder.iterdir()} == {
        "manifest.json",
        "games-000001.ndjson",
        "games-000002.ndjson",
        "games-000003.ndjson",
    }
    last = Game.objects.get(id=few[4])
    first, *_ = manifest(folder)["parts"]
    assert first["last"] == {"opened_at": last.ended_at.isoformat().replace("+00:00", "Z"), "id": few[4]}
    assert manifest(folder)["wanted"] == {"ruleset": None, "since": None, "until": None}


def test_what_is_no_longer_or_not_yet_over_or_private_is_not_in_the_dump(
    anna, bo, few, export, folder, make_game, time_passes
):
    ended = make_game("sicksack", [anna, bo])
    for game in (ended, make_game("sicksack", [anna, bo], private=True)):
        anna.client.post(f"games/{game}/resign")
    make_game("sicksack", [anna, bo])
    anna.client.post(f"games/{make_game('camelot', [anna], start=False)}/leave")
    make_game("camelot", [anna], start=False)
    assert export() == "14 games in 1 files\n"
    time_passes(61)
    assert export() == "15 games in 2 files\n"
    assert parts(folder) == [few, [str(ended)]]


def test_a_later_run_goes_on_after_the_last_part(anna, bo, few, export, folder, make_game, time_passes):
    export(part=9)
    before = {file.name: file.read_bytes() for file in folder.glob("*.ndjson")}
    assert export(part=9) == "14 games in 2 files\n"
    later = [make_game("sicksack", [anna, bo]) for _ in range(3)]
    for game in later:
        bo.client.post(f"games/{game}/resign")
    time_passes(61)
    assert export(part=2) == "17 games in 4 files\n"
    assert parts(folder) == [
        few[:9],
        few[9:],
        [str(later[0]), str(later[1])],
        [str(later[2])],
    ]
    assert {name: (folder / name).read_bytes() for name in before} == before


@pytest.mark.parametrize("written", [0, 1, 4])
def test_one_that_is_broken_off_in_a_part_is_made_whole_by_the_next(
    export, folder, few, monkeypatch, written
):
    whole, read = [], export_games.proofs_of

    def broken_off(game_ids):
        for number, proof in enumerate(read(game_ids)):
            if len(whole) == 1 and number == written:
                raise RuntimeError("the machine is gone")
            yield proof
        whole.append(game_ids)

    with monkeypatch.context() as patched:
        patched.setattr(export_games, "proofs_of", broken_off)
        with pytest.raises(RuntimeError, match="gone"):
            export(part=5)
    assert parts(folder) == [few[:5]]
    assert export(part=5) == "14 games in 3 files\n"
    assert parts(folder) == [few[:5], few[5:10], few[10:]]
    assert len(list(folder.iterdir())) == 4


def test_the_manifest_is_whole_where_the_writing_of_it_is_broken_off(export, folder, few, monkeypatch):
    replaced, replace = [], Path.replace

    def broken_off(self, target):
        if len(replaced) == 2:
            raise RuntimeError("the machine is gone")
        replaced.append(target)
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", broken_off)
        with pytest.raises(RuntimeError, match="gone"):
            export(part=5)
    assert parts(folder) == [few[:5]]
    assert export(part=5) == "14 games in 3 files\n"
    assert parts(folder) == [few[:5], few[5:10], few[10:]]


@pytest.mark.parametrize("slug", CURRENT)
def test_a_dump_of_a_rule_set_has_its_games_alone(export, folder, few, slug):
    assert export(ruleset=slug) == "2 games in 1 files\n"
    (games,) = parts(folder)
    assert set(Game.objects.filter(id__in=games).values_list("ruleset", flat=True)) == {slug}
    assert manifest(folder)["wanted"]["ruleset"] == slug


def test_a_dump_may_begin_and_end_at_a_moment(export, tmp_path, few):
    ends = [Game.objects.get(id=game).ended_at for game in few]
    middle = ends[7]
    assert ends[0] < middle < ends[-1]
    call_command("export_games", tmp_path / "first", until=middle)
    call_command("export_games", tmp_path / "rest", since=middle)
    (first,), (rest,) = parts(tmp_path / "first"), parts(tmp_path / "rest")
    assert first == [game for game, end in zip(few, ends, strict=True) if end < middle]
    assert rest == [game for game, end in zip(few, ends, strict=True) if end >= middle]


def test_a_day_is_one_of_utc(few, tmp_path):
    day = STARTED_AT.date()
    for name, dates, games in (
        ("day", ["--since", str(day), "--until", str(day + timedelta(days=1))], 14),
        ("before", ["--until", str(day)], 0),
        ("after", ["--since", str(day + timedelta(days=1))], 0),
        ("zone", ["--since", f"{day}T14:00:00+02:00"], 14),
        ("later zone", ["--since", f"{day}T12:00:00-02:00"], 0),
    ):
        call_command("export_games", tmp_path / name, *dates)
        assert sum(map(len, parts(tmp_path / name))) == games, name


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"ruleset": "sicksack"},
        {"ruleset": "camelot", "since": STARTED_AT},
        {"ruleset": "camelot", "until": STARTED_AT},
    ],
)
def test_another_dump_into_the_same_folder_is_refused(export, folder, few, other):
    export(ruleset="camelot")
    before = {file: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(
        CommandError, match=r"manifest\.json is of a dump of other games; take another folder$"
    ):
        export(**other)
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"\xff",
        b'{"wanted": {}, "parts": [\xff]}',
        b'{"wanted": {"ruleset": "\xff"}, "parts": []}',
        b'{"wanted": {}, "parts": [{"file": "games-000001.ndjson"}]}',
        b'{"wanted": {}, "parts": [{"file": "x", "games": 1, "sha256": "", "last": {"opened_at": 1, "id": ""}}]}',
    ],
)
def test_a_broken_manifest_is_refused_and_stays(export, folder, few, content):
    folder.mkdir()
    (folder / "manifest.json").write_bytes(content)
    with pytest.raises(CommandError, match=r"manifest\.json is no manifest: "):
        export()
    assert [file.read_bytes() for file in folder.iterdir()] == [content]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--since", "yesterday"], "argument --since"),
        (["--until", "2026-02-30"], "argument --until"),
        (["--ruleset", "chess"], "argument --ruleset: invalid choice: 'chess'"),
        (["--part", "0"], "a part has at least one game"),
        (["--part", "many"], "argument --part"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_and_makes_no_folder(few, folder, options, message):
    with pytest.raises(CommandError, match=message):
        call_command("export_games", folder, *options)
    assert not folder.exists()


def test_a_dump_of_nothing_is_a_manifest_without_parts(export, folder):
    assert export() == "0 games in 0 files\n"
    assert parts(folder) == []
    assert [file.name for file in folder.iterdir()] == ["manifest.json"]


def verified_without_a_database(files):
    """What verify_game says of files where there is no database."""
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_game", *map(str, files)],
        cwd=ROOT,
        env={**os.environ, **NOWHERE, "DJANGO_SETTINGS_MODULE": "cardsite.settings"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout.splitlines()


def test_a_thousand_games_are_dumped_and_verified_without_the_database(db, anonymous, folder):
    games = [some_game(number) for number in range(1000)]
    kinds = {(game.rules.slug, game.position.ending) for game in games}
    assert set(product(CURRENT, WAYS)) - kinds == {("vandtia-pyramid", "played_out")}, "which is long"
    store(games)
    call_command("export_games", folder, part=300)
    whole = [str(game.game) for game in in_order(games)]
    assert parts(folder) == [whole[:300], whole[300:600], whole[600:900], whole[900:]]
    files = sorted(folder.glob("*.ndjson"))
    assert verified_without_a_database(files) == [
        f"{file}: {count} of {count} games verified"
        for file, count in zip(files, (300, 300, 300, 100), strict=True)
    ]
