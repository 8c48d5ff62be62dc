"""The golden playthroughs, played again.

A difference is a change of behaviour. Where it is meant, the rule set's `version` rises, and
`python -m tests.rules.golden`, run from the root of the project, writes the files anew.
"""

from difflib import unified_diff

import pytest

from tests.rules.golden import FOLDER, document, path_of, written
from tests.rules.variants import VARIANTS, Variant

LARGEST = 60_000


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_golden_playthrough_is_reproduced(variant: Variant) -> None:
    kept = path_of(variant).read_text(encoding="utf-8").splitlines()
    played = written(document(variant)).splitlines()
    difference = "\n".join(unified_diff(kept, played, "kept", "played", n=8, lineterm=""))
    assert not difference, f"{variant.name}:\n{difference}"


def test_each_golden_file_is_of_a_variant_and_small() -> None:
    assert set(FOLDER.iterdir()) == {path_of(variant) for variant in VARIANTS}
    assert max(file.stat().st_size for file in FOLDER.iterdir()) < LARGEST
