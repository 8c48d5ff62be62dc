"""Whole random games, and what is looked at in them."""

from collections.abc import Container

from tests.rules.checks import Scene, outcome_is_well_formed
from tests.rules.variants import Variant, random_playout

MOST_PLIES = 10_000


def play_whole(variant: Variant, seed: int, automatic: Container[int] = ()) -> int:
    """The number of moves of a random game that holds what every game promises; the seats in `automatic` are
    played for."""
    plies = 0
    for step in random_playout(variant.setup(seed), seed, MOST_PLIES, automatic):
        position, plies = step.after, step.after.ply
        if plies % 16 == 0 or not position.to_act:
            assert variant.conserves(position.state)
    assert not position.to_act, f"no end after {plies} moves"
    scene = Scene(variant, position, seed)
    assert position.setup.rules.outcome(position.state) is not None
    outcome_is_well_formed(scene)
    return plies


def play_some(variant: Variant, seeds: range, automatic: Container[int] = ()) -> int:
    """The moves of some games together."""
    plies = 0
    for seed in seeds:
        try:
            plies += play_whole(variant, seed, automatic)
        except Exception as error:
            raise RuntimeError(f"{variant.name}, seed {seed}: {error!r}") from error
    return plies
