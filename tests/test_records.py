"""Recorded games: all hold, and whatever is changed in one is reported."""

import json
from collections.abc import Callable
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from django.core.management import CommandError, call_command

from games import catalog
from games.management.commands.check_records import Command
from games.records import Difference, check_record, name_of, read_records
from games.rules.freecell import Freecell, FreecellMove

FOLDER = Path(__file__).resolve().parent.parent / "seeds" / "records"
FILES = sorted(FOLDER.glob("*.json"))
RECORDS: dict[str, dict[str, Any]] = {
    f"{file.stem} {record['name']}": record for file in FILES for record in json.loads(file.read_bytes())
}
WON = RECORDS["freecell deal-3"]
SICKSACK = RECORDS["sicksack random-2-110"]

Change: TypeAlias = Callable[[dict[str, Any]], None]


@pytest.mark.parametrize("name", RECORDS)
def test_the_recorded_game_holds(name: str) -> None:
    assert check_record(RECORDS[name]) is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_two_records_of_a_file_have_one_name(file: Path) -> None:
    names = [name_of(record) for record in read_records(file.read_bytes())]
    assert len(set(names)) == len(names)


def put(*path_and_value: Any) -> Change:
    """Puts a value where the keys before it lead."""
    *path, key, value = path_and_value

    def change(record: dict[str, Any]) -> None:
        inner = record
        for step in path:
            inner = inner[step]
        inner[key] = value

    return change


def drop(*path: Any) -> Change:
    """Takes away what the keys lead to."""

    def change(record: dict[str, Any]) -> None:
        inner = record
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]

    return change


def _case(name: str, record: dict[str, Any], change: Change, shown: str) -> Any:
    return pytest.param(record, change, shown, id=name)


@pytest.mark.parametrize(
    ("record", "change", "shown"),
    [
        _case(
            "legal at the deal",
            WON,
            put("legal", 0, "0", 99),
            f'position 0, legal: expected {{"0":99}}, got {{"0":{WON["legal"][0]["0"]}}}',
        ),
        _case(
            "legal at the end",
            WON,
            put("legal", 82, {"0": 1}),
            'position 82, legal: expected {"0":1}, got {}',
        ),
        _case(
            "legal of a seat more",
            SICKSACK,
            put("legal", 0, "1", 4),
            'position 0, legal: expected {"0":4,"1":4}, got {"0":4}',
        ),
        _case(
            "to_act in the middle", WON, put("to_act", 41, []), "position 41, to_act: expected [], got [0]"
        ),
        _case("to_act at the end", WON, put("to_act", 82, [0]), "position 82, to_act: expected [0], got []"),
        _case(
            "to_act of another seat",
            SICKSACK,
            put("to_act", 1, [0]),
            "position 1, to_act: expected [0], got [1]",
        ),
        _case(
            "another clause",
            WON,
            put("refused", 0, "clause", "FC-5"),
            'position 18, refusal of {"type":"move","from":"2","to":"c","count":1}: expected FC-5, got FC-4',
        ),
        _case(
            "a refusal that is none",
            WON,
            put("refused", 0, {"at": 0, "seat": 0, "move": WON["steps"][0]["move"], "clause": "FC-4"}),
            'position 0, refusal of {"type":"move","from":"5","to":"h","count":1}: expected FC-4, got accepted',
        ),
        _case(
            "a refusal at the end",
            WON,
            put(
                "refused",
                0,
                {"at": 82, "seat": 0, "move": {"type": "move", "from": "1", "to": "a"}, "clause": "FC-3"},
            ),
            'position 82, refusal of {"type":"move","from":"1","to":"a"}: expected FC-3, got OVER',
        ),
        _case(
            "a refusal of another seat",
            SICKSACK,
            put("refused", 0, {"at": 0, "seat": 1, "move": {"type": "chance"}, "clause": "SS-7"}),
            'position 0, refusal of {"type":"chance"}: expected SS-7, got TURN',
        ),
        _case(
            "a refusal of a form",
            SICKSACK,
            put("refused", 0, {"at": 0, "seat": 0, "move": ["chance"], "clause": "SS-7"}),
            'position 0, refusal of ["chance"]: expected SS-7, got FORM',
        ),
        _case(
            "a refusal after the last position",
            WON,
            put("refused", 0, "at", 83),
            "position 0, refused: expected a position and a seat of this game, got [83,0]",
        ),
        _case(
            "a refusal before the deal",
            WON,
            put("refused", 0, "at", -1),
            "position 0, refused: expected a position and a seat of this game, got [-1,0]",
        ),
        _case(
            "a refusal of a seat that is not there",
            SICKSACK,
            put("refused", 0, "seat", 2),
            "position 0, refused: expected a position and a seat of this game, "
            f"got [{SICKSACK['refused'][0]['at']},2]",
        ),
        _case(
            "the outcome",
            WON,
            put("outcome", "result", ["loss"]),
            'position 82, outcome: expected {"place":[1],"result":["loss"],"score":[52]}, '
            'got {"place":[1],"result":["win"],"score":[52]}',
        ),
        _case(
            "the score",
            SICKSACK,
            put("outcome", "score", [25, 26]),
            'position 56, outcome: expected {"place":[2,1],"result":["loss","win"],"score":[25,26]}, '
            'got {"place":[2,1],"result":["loss","win"],"score":[26,25]}',
        ),
        _case(
            "no outcome",
            WON,
            put("outcome", None),
            'position 82, outcome: expected null, got {"place":[1],"result":["win"],"score":[52]}',
        ),
        _case(
            "an outcome too early",
            RECORDS["freecell random"],
            put("outcome", {"place": [1], "result": ["loss"], "score": [0]}),
            'position 60, outcome: expected {"place":[1],"result":["loss"],"score":[0]}, got null',
        ),
        _case("another word", WON, put("notation", 3, "2h"), "position 3, notation: expected 2h, got 2b"),
        _case(
            "a word with its count",
            WON,
            put("notation", 3, "2bv1"),
            "position 3, notation: expected 2bv1, got 2b",
        ),
        _case("no word", WON, put("notation", 0, ""), "position 0, notation: expected , got 5h"),
        _case(
            "a word too few", WON, drop("notation", 0), "position 0, length of notation: expected 82, got 81"
        ),
        _case(
            "words where there are none",
            SICKSACK,
            put("notation", ["chance"] * 56),
            "position 0, notation: expected none for sicksack, got chance",
        ),
        _case(
            "a step that is refused",
            WON,
            put("steps", 2, "move", "to", "h"),
            'position 2, move {"type":"move","from":"2","to":"h","count":1}: expected accepted, '
            "got FC-4: 4S is not the next card of its suit",
        ),
        _case(
            "a step out of turn",
            SICKSACK,
            put("steps", 0, "seat", 1),
            'position 0, move {"type":"chance"}: expected accepted, got TURN: seat 1 may not act now',
        ),
        _case(
            "a step of another form",
            SICKSACK,
            put("steps", 0, "move", {"type": "play", "card": "1X"}),
            'position 0, move {"type":"play","card":"1X"}: expected accepted, got FORM: '
            "Expected `str` matching regex '^[A23456789TJQK][CDHS]$'",
        ),
        _case(
            "a step after the end",
            {**WON, "steps": [*WON["steps"], WON["steps"][0]], "notation": [*WON["notation"], "5h"]},
            lambda record: (record["to_act"].append([]), record["legal"].append({}))[0],
            'position 82, move {"type":"move","from":"5","to":"h","count":1}: expected accepted, '
            "got OVER: the game is over",
        ),
        _case("a step too few", WON, drop("steps", 81), "position 0, length of to_act: expected 82, got 83"),
        _case(
            "a position too few", WON, drop("legal", 0), "position 0, length of legal: expected 83, got 82"
        ),
        _case(
            "a deck without a card",
            SICKSACK,
            drop("deck", 0),
            "position 0, deal: expected a game that can be made, "
            "got the deck order is not a permutation of the pack",
        ),
        _case(
            "a deck that the options do not fix",
            WON,
            put("options", "deal", 4),
            "position 0, deal: expected a game that can be made, "
            "got the deck order is not the one that the options fix",
        ),
        _case(
            "other seats",
            WON,
            put("seats", 2),
            "position 0, deal: expected a game that can be made, got freecell is played by 1 to 1, not 2",
        ),
        _case(
            "other options",
            SICKSACK,
            put("options", "deal", 1),
            "position 0, deal: expected a game that can be made, "
            "got FORM: Object contains unknown field `deal`",
        ),
        _case(
            "another game",
            WON,
            put("slug", "whist"),
            f"position 0, slug: expected {json.dumps(sorted(catalog.CURRENT), separators=(',', ':'))}, got whist",
        ),
        _case(
            "a key left out",
            WON,
            drop("to_act"),
            "position 0, record: expected a recorded game, got Object missing required field `to_act`",
        ),
        _case(
            "a value of another type",
            WON,
            put("steps", 7, "seat", "0"),
            "position 0, record: expected a recorded game, got Expected `int`, got `str` - at `$.steps[7].seat`",
        ),
    ],
)
def test_what_is_changed_is_reported(record: dict[str, Any], change: Change, shown: str) -> None:
    changed = deepcopy(record)
    change(changed)
    assert str(check_record(changed)) == shown


class ReadsTheOtherWay(Freecell):
    def parse(self, word: str) -> FreecellMove:
        return msgspec.structs.replace(super().parse(word), count=2)


def test_a_word_that_is_read_as_another_move_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.CURRENT, "freecell", ReadsTheOtherWay())
    assert str(check_record(WON)) == (
        'position 0, move of notation 5h: expected {"type":"move","from":"5","to":"h","count":1}, '
        'got {"type":"move","from":"5","to":"h","count":2}'
    )


def test_another_deck_order_makes_another_game() -> None:
    difference = check_record({**SICKSACK, "deck": SICKSACK["deck"][::-1]})
    assert difference is not None
    assert difference.what.startswith(("legal", "move", "to_act", "refusal"))


@pytest.mark.parametrize("given", [None, 1, "record", [], {}, {"name": 1}])
def test_what_is_no_record_is_reported(given: object) -> None:
    difference = check_record(given)
    assert difference is not None
    assert (difference.position, difference.what, difference.expected) == (0, "record", "a recorded game")


def test_the_first_difference_is_reported() -> None:
    changed = deepcopy(WON)
    changed["legal"][20]["0"] = changed["legal"][10]["0"] = 99
    changed["outcome"] = None
    assert check_record(changed) == Difference(10, "legal", {"0": 99}, {"0": WON["legal"][10]["0"]})


def test_options_may_be_written_out() -> None:
    assert check_record({**SICKSACK, "options": {}}) is None
    assert check_record({**RECORDS["freecell random"], "options": {"deal": None}}) is None


def test_a_record_without_notation_holds() -> None:
    assert "notation" in WON
    changed = deepcopy(WON)
    del changed["notation"]
    assert check_record(changed) is None


@pytest.mark.parametrize(
    ("given", "name"), [({"name": "x"}, "x"), ({"name": 7}, "7"), ({}, "(no name)"), ([], "(no name)")]
)
def test_a_malformed_record_has_a_name_all_the_same(given: object, name: str) -> None:
    assert name_of(given) == name


@pytest.mark.parametrize("content", [b"{}", b"null", b'"[]"'])
def test_a_file_that_is_no_list_is_not_read(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^a file of recorded games is a list$"):
        read_records(content)


@pytest.mark.parametrize("content", [b"", b"[", b"\xff", b'["\xff"]'])
def test_a_file_that_is_no_json_is_not_read(content: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_records(content)


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., tuple[int, list[str]]]:
    """Runs the command over files made of these records: its exit status and the lines that it writes."""

    def run(*contents: object) -> tuple[int, list[str]]:
        files = []
        for number, content in enumerate(contents):
            files.append(tmp_path / f"{number}.json")
            files[-1].write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        out = StringIO()
        status: Any = 0
        try:
            call_command(Command(), *files, stdout=out)
        except SystemExit as stopped:
            status = stopped.code
        return status, out.getvalue().splitlines()

    return run


def test_the_command_says_that_all_hold(check: Callable[..., tuple[int, list[str]]]) -> None:
    assert check([WON, SICKSACK], [RECORDS["sicksack tie-6"]]) == (
        0,
        [
            "0.json deal-3: holds",
            "0.json random-2-110: holds",
            "1.json tie-6: holds",
            "3 records hold, 0 differ",
        ],
    )


def test_the_command_fails_where_one_differs(check: Callable[..., tuple[int, list[str]]]) -> None:
    status, lines = check([WON, {**WON, "outcome": None}, {}, SICKSACK])
    assert status == 1
    assert lines == [
        "0.json deal-3: holds",
        f"0.json deal-3: differs at {check_record({**WON, 'outcome': None})}",
        f"0.json (no name): differs at {check_record({})}",
        "0.json random-2-110: holds",
        "2 records hold, 2 differ",
    ]


def test_the_command_counts_nothing_in_an_empty_list(check: Callable[..., tuple[int, list[str]]]) -> None:
    assert check([]) == (0, ["0 records hold, 0 differ"])


@pytest.mark.parametrize("content", [b"[", b"{}"])
def test_the_command_stops_at_a_file_that_it_cannot_read(
    check: Callable[..., tuple[int, list[str]]], content: bytes
) -> None:
    with pytest.raises(CommandError, match=r"1\.json: "):
        check([SICKSACK], content)


def test_the_command_stops_at_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.json"):
        call_command(Command(), tmp_path / "nowhere.json")


def test_the_command_is_found_by_its_name() -> None:
    out = StringIO()
    call_command("check_records", *FILES, stdout=out)
    assert out.getvalue().splitlines()[-1] == f"{len(RECORDS)} records hold, 0 differ"
