"""The moves of the golden playthroughs, made again.

A difference is a change of behaviour. Where it is meant, the rule set's `version` rises, and
`python -m tests.rules.golden`, run from the root of the project, writes the files anew.
"""

import json
from difflib import unified_diff

import pytest

from tests.rules.golden import FOLDER, path_of, replayed, written
from tests.rules.variants import VARIANTS, Variant

LARGEST = 350_000  # a game of Pyramidvändtia goes on for hundreds of moves


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_golden_playthrough_is_reproduced(variant: Variant) -> None:
    kept = path_of(variant).read_text(encoding="utf-8")
    played = written(replayed(variant, json.loads(kept)))
    lines = unified_diff(kept.splitlines(), played.splitlines(), "kept", "played", n=8, lineterm="")
    difference = "\n".join(lines)
    assert not difference, f"{variant.name}:\n{difference}"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_golden_playthrough_is_a_whole_game(variant: Variant) -> None:
    golden = json.loads(path_of(variant).read_text(encoding="utf-8"))
    *before, last = golden["positions"]
    assert all(position["legal"] for position in before)
    assert last["legal"] == {}
    assert set(golden["outcome"]["place"]) >= {1}


def test_each_golden_file_is_of_a_variant_and_small() -> None:
    assert set(FOLDER.iterdir()) == {path_of(variant) for variant in VARIANTS}
    assert max(file.stat().st_size for file in FOLDER.iterdir()) < LARGEST
