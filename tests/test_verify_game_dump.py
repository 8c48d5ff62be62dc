"""`manage.py verify_game` on dumps: how many of their games are verified, and on which line one diverges."""

import json

import pytest
from django.core.management import CommandError, call_command

from tests.proofs import KEPT, path_of

# The kept proofs stand on several lines each.
LINES = [path_of(name).read_bytes() for name in KEPT]
ONE_A_LINE = [json.dumps(json.loads(line)).encode() for line in LINES]


@pytest.fixture
def verify(tmp_path, capsys):
    """Runs the command on a dump of these lines: what it says of the whole, and the lines it writes."""

    def run(content, name="games-000001.ndjson"):
        file = tmp_path / name
        file.write_bytes(content)
        capsys.readouterr()
        said = None
        try:
            call_command("verify_game", file)
        except CommandError as error:
            said = str(error)
        return said, [line.replace(str(tmp_path) + "/", "") for line in capsys.readouterr().out.splitlines()]

    return run


def lines(contents):
    return b"".join(content + b"\n" for content in contents)


def changed(line, **members):
    return json.dumps({**json.loads(line), **members}).encode()


def test_a_dump_is_told_of_as_a_whole(verify):
    assert verify(lines(ONE_A_LINE)) == (None, ["games-000001.ndjson: 4 of 4 games verified"])


def test_the_last_line_may_lack_its_end(verify):
    assert verify(lines(ONE_A_LINE)[:-1]) == (None, ["games-000001.ndjson: 4 of 4 games verified"])


def test_a_dump_of_nothing_is_verified(verify):
    assert verify(b"") == (None, ["games-000001.ndjson: 0 of 0 games verified"])


def test_what_diverges_is_said_by_its_line_and_the_rest_is_looked_at(verify):
    one, two, three, four = ONE_A_LINE
    said, written = verify(lines([one, changed(two, ending="resigned"), changed(three, seed="0" * 64), four]))
    assert said == "1 of 1 not verified"
    assert [line.partition(": expected")[0] for line in written] == [
        "games-000001.ndjson:2: diverges at ending",
        "games-000001.ndjson:3: diverges at commitment",
        "games-000001.ndjson: 2 of 4 games verified",
    ]


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"null", b"\xff", b"{}", b'{"format": "cardsite proof 2"}']
)
def test_a_line_that_is_no_proof_diverges(verify, line):
    said, written = verify(lines([ONE_A_LINE[0], line, ONE_A_LINE[1]]))
    assert said == "1 of 1 not verified"
    first, whole = written
    assert first.startswith("games-000001.ndjson:2: diverges at form: expected a proof, got ")
    assert whole == "games-000001.ndjson: 2 of 3 games verified"


def test_a_line_that_is_broken_off_diverges(verify):
    content = lines(ONE_A_LINE)
    for length in (len(ONE_A_LINE[0]) // 2, len(content) - 2):
        said, written = verify(content[:length])
        assert said == "1 of 1 not verified"
        assert ": diverges at form: " in written[-2]


def test_a_proof_over_several_lines_is_a_file_and_no_dump(verify):
    assert verify(LINES[0], "game.json")[0] is None
    said, written = verify(LINES[0])
    assert said == "1 of 1 not verified"
    assert written[-1].startswith("games-000001.ndjson: 0 of ")


def test_dumps_and_proofs_can_be_verified_together(tmp_path, capsys):
    dump, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    dump.write_bytes(lines(ONE_A_LINE))
    bad.write_bytes(lines([changed(ONE_A_LINE[0], outcome=None)]))
    proof, nowhere = path_of("freecell-undo"), tmp_path / "nowhere.ndjson"
    with pytest.raises(CommandError, match=r"^2 of 4 not verified$"):
        call_command("verify_game", bad, dump, nowhere, proof)
    diverges, *others = capsys.readouterr().out.splitlines()
    assert diverges.startswith(f"{bad}:1: diverges at outcome: expected ")
    count = len(json.loads(proof.read_bytes())["log"])
    assert others == [
        f"{bad}: 0 of 1 games verified",
        f"{dump}: 4 of 4 games verified",
        f"{nowhere}: cannot be read: No such file or directory",
        f"{proof}: verified: freecell, {count} entries, resigned",
    ]
