"""What the contract promises, each promise as a function that fails where a rule set breaks it.

A `Scene` is a position with a way to draw worlds that a viewer cannot tell from it.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from re import fullmatch
from typing import Any

import msgspec
from msgspec import UNSET

from games import table
from games.catalog import AnyRules
from games.rules.contract import IllegalMove, Refused, read_move, said
from games.table import Entry, Position, Step
from tests.rules.universe import moves_to_try
from tests.rules.variants import Variant, cards_within

MADE_ALL = 40


@dataclass(frozen=True)
class Scene:
    """A position of a variant, and the seed of what is redealt in it."""

    variant: Variant
    position: Position
    seed: int

    @property
    def rules(self) -> AnyRules:
        return self.position.setup.rules

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def seats(self) -> range:
        return range(self.position.setup.seats)

    @property
    def viewers(self) -> tuple[int | None, ...]:
        return (*self.seats, None)

    def redealt(self, viewer: int | None, times: int = 2) -> Iterator[Position]:
        """Positions that the viewer cannot tell from this one."""
        rng = Random(self.seed)
        for _ in range(times):
            state = self.rules.redeal(self.state, viewer, rng)
            yield Position(self.position.setup, self.position.ply, state)

    def steps(self) -> Iterator[Step]:
        """Every legal move of every seat that may act, made; some of them where they are very many."""
        rng = Random(self.seed)
        for seat in self.position.to_act:
            legal = list(self.rules.legal_moves(self.state, seat))
            made = legal if len(legal) <= MADE_ALL else [legal[0], legal[-1], *rng.sample(legal, MADE_ALL)]
            for move in made:
                yield table.advance(self.position, Entry(seat, move))

    def tried(self, seat: int) -> tuple[Any, ...]:
        """Moves, legal and not, that a seat may try."""
        legal = list(self.rules.legal_moves(self.state, seat))
        return moves_to_try(self.rules.Move, legal[:MADE_ALL], Random(self.seed))


def verdict(position: Position, seat: int, move: Any) -> tuple[Any, ...]:
    """What the mover is told of a move: its canonical form, or the refusal with everything in it."""
    try:
        return ("accepted", table.judge(position, seat, move))
    except Refused as refused:
        return ("refused", refused.code, refused.why, dict(refused.facts), refused.explanation)


def accepted_form(position: Position, seat: int, move: Any) -> Any:
    """The canonical form of a move that is accepted of a seat that may act, None for one that is not."""
    try:
        return table.legal_form(position, seat, move)
    except IllegalMove:
        return None


def somebody_may_act_until_the_end(scene: Scene) -> None:
    """README: every state in which the game is not over has a legal move for each seat that may act."""
    to_act = scene.position.to_act
    assert list(to_act) == sorted(set(to_act) & set(scene.seats))
    assert bool(to_act) == (scene.rules.outcome(scene.state) is None)
    for seat in scene.seats:
        can_move = next(scene.rules.legal_moves(scene.state, seat), None) is not None
        assert can_move == (seat in to_act), (
            f"seat {seat}: can move is {can_move}, may act is {seat in to_act}"
        )


def outcome_is_well_formed(scene: Scene) -> None:
    """README: The end."""
    outcome = scene.rules.outcome(scene.state)
    if outcome is None:
        return
    seats = len(scene.seats)
    assert len(outcome.place) == len(outcome.result) == len(outcome.score) == seats
    if seats == 1:
        assert outcome.place == (1,)
        assert outcome.result[0] in ("win", "loss")
        return
    assert outcome.place == tuple(
        1 + sum(other < place for other in outcome.place) for place in outcome.place
    )
    if scene.variant.together:
        assert outcome.place == (1,) * seats
        assert set(outcome.result) in ({"win"}, {"loss"})
        return
    best = "win" if outcome.place.count(1) == 1 else "draw"
    assert outcome.result == tuple(best if place == 1 else "loss" for place in outcome.place)


def the_score_is_that_of_the_outcome(scene: Scene) -> None:
    """A number for every seat in every position, and at the end those of the outcome."""
    score, outcome = scene.rules.score(scene.state), scene.rules.outcome(scene.state)
    assert [type(points) for points in score] == [int for _ in scene.seats]
    assert isinstance(score, tuple)
    assert outcome is None or outcome.score == score


def legal_moves_are_what_is_accepted(scene: Scene) -> None:
    """A move is accepted exactly if its canonical form is one of the legal moves."""
    for seat in scene.position.to_act:
        legal = set(scene.rules.legal_moves(scene.state, seat))
        for move in (*scene.tried(seat), *legal):
            form = accepted_form(scene.position, seat, move)
            if form is not None:
                assert form in legal, f"{move} is accepted as {form}, which is not listed"
            elif is_whole(move) or any(says_no_more_than(move, listed) for listed in legal):
                with suppress(IllegalMove):
                    form = scene.rules.canonical(scene.state, seat, move)
                    assert form not in legal, f"{move} is refused, but {form} is listed"


def is_whole(move: Any) -> bool:
    """Whether no part of a move is left out."""
    return all(getattr(move, name) is not UNSET for name in move.__struct_fields__)


def says_no_more_than(move: Any, other: Any) -> bool:
    """Whether a move is another with parts left out."""
    return type(move) is type(other) and all(
        getattr(move, name) in (UNSET, getattr(other, name)) for name in move.__struct_fields__
    )


def legal_moves_are_canonical(scene: Scene) -> None:
    """Each once, in canonical form, always in the same order."""
    for seat in scene.position.to_act:
        legal = list(scene.rules.legal_moves(scene.state, seat))
        assert len(set(legal)) == len(legal)
        assert list(scene.rules.legal_moves(scene.state, seat)) == legal
        for move in legal:
            assert scene.rules.canonical(scene.state, seat, move) == move


def cards_are_conserved(scene: Scene) -> None:
    assert scene.variant.conserves(scene.state)
    for viewer in scene.viewers:
        for other in scene.redealt(viewer, times=1):
            assert scene.variant.conserves(other.state)
    for step in scene.steps():
        assert scene.variant.conserves(step.after.state), f"after {step.entry.move}"


def moves_change_nothing_but_what_follows(scene: Scene) -> None:
    before = msgspec.json.encode(scene.state)
    for step in scene.steps():
        assert msgspec.json.encode(scene.state) == before, (
            f"{step.entry.move} changed the state it was made in"
        )
        again = scene.rules.apply(scene.state, step.entry.seat, step.entry.move)
        assert again == (step.after.state, step.events)


def values_survive_json(scene: Scene) -> None:
    rules = scene.rules

    def assert_survives(value: Any, kind: Any) -> None:
        assert msgspec.json.decode(msgspec.json.encode(value), type=kind) == value

    assert_survives(scene.state, rules.State)
    assert_survives(scene.position.setup.options, rules.Options)
    assert_survives(rules.open_view(scene.state), rules.View)
    for viewer in scene.viewers:
        assert_survives(rules.view(scene.state, viewer), rules.View)
    for step in scene.steps():
        assert read_move(rules, table.stored_move(step.entry.move)) == step.entry.move
        for viewer in scene.viewers:
            move, events = redacted(step, viewer)
            seen = msgspec.json.decode(msgspec.json.encode(move), type=rules.Seen or rules.Move)
            assert msgspec.json.encode(seen) == msgspec.json.encode(move)
            assert_survives(events, rules.Events)


def redacted(step: Step, viewer: int | None) -> tuple[Any, tuple[Any, ...]]:
    """A step's move and events as a viewer saw them."""
    seat, move = step.entry.seat, step.entry.move
    result: tuple[Any, tuple[Any, ...]] = step.before.setup.rules.redact(
        step.before.state, viewer, seat, move, step.events
    )
    return result


def words_are_found_for_what_was_seen(scene: Scene) -> None:
    for step in scene.steps():
        for move, events in (
            (step.entry.move, step.events),
            *(redacted(step, seat) for seat in scene.viewers),
        ):
            words = said(scene.rules.describe(step.entry.seat, move, events))
            assert words.strip() == words != ""
            assert len(words.splitlines()) == 1


def notation_is_read_back(scene: Scene) -> None:
    rules = scene.rules
    if not rules.has_notation:
        return
    for step in scene.steps():
        word = rules.notate(scene.state, step.entry.move)
        assert fullmatch(rules.notation_word, word)
        assert rules.canonical(scene.state, step.entry.seat, rules.parse(word)) == step.entry.move


def everything_is_open_at_the_end(scene: Scene) -> None:
    if scene.position.to_act:
        return
    for viewer in scene.viewers:
        assert scene.rules.view(scene.state, viewer) == scene.rules.open_view(scene.state)
        for other in scene.redealt(viewer):
            assert other.state == scene.state


def a_spectator_sees_what_every_seat_sees(scene: Scene) -> None:
    seen = [set(cards_within(scene.rules.view(scene.state, seat))) for seat in scene.seats]
    assert set(cards_within(scene.rules.view(scene.state, None))) == set.intersection(*seen)


def a_redeal_cannot_be_told(scene: Scene) -> None:
    """The same view, legal moves, refusals and `may_reveal`, in each world that the viewer cannot tell apart."""
    rules, to_act = scene.rules, scene.position.to_act
    for viewer in scene.viewers:
        for other in scene.redealt(viewer, times=1):
            assert rules.view(other.state, viewer) == rules.view(scene.state, viewer)
            assert other.to_act == to_act
            assert rules.outcome(other.state) == rules.outcome(scene.state)
            if viewer in to_act and other.state != scene.state:
                assert_same_to_the_mover(scene, other, viewer)


def assert_same_to_the_mover(scene: Scene, other: Position, seat: int) -> None:
    rules, position = scene.rules, scene.position
    legal = list(rules.legal_moves(position.state, seat))
    assert list(rules.legal_moves(other.state, seat)) == legal
    for move in scene.tried(seat):
        assert verdict(other, seat, move) == verdict(position, seat, move)
        assert rules.may_reveal(other.state, seat, move) == rules.may_reveal(position.state, seat, move)


def redaction_hides_what_the_view_hides(scene: Scene) -> None:
    """A move made in two worlds that a viewer cannot tell apart before it or after it looks the same to the
    viewer."""
    for viewer in scene.viewers:
        for step, twin in twin_steps(scene, viewer):
            if same_view(step, twin, viewer):
                assert kept_in_view(scene, step, viewer) == kept_in_view(scene, twin, viewer)


def kept_in_view(scene: Scene, step: Step, viewer: int | None) -> tuple[Any, tuple[Any, ...]]:
    """What a viewer saw of a step, without the events of cards that it could see before or after anyway, and those
    that all saw of cards that the rules hide again."""
    move, events = redacted(step, viewer)
    view = step.before.setup.rules.view
    open_cards = {
        *cards_within(view(step.before.state, viewer)),
        *cards_within(view(step.after.state, viewer)),
    }
    return move, tuple(
        event
        for event in events
        if event.__struct_config__.tag not in scene.variant.hidden_again
        and not _shows_only(event, open_cards)
    )


def _shows_only(event: Any, open_cards: set[str]) -> bool:
    cards = set(cards_within(event))
    return bool(cards) and cards <= open_cards


def what_may_not_reveal_shows_nothing(scene: Scene) -> None:
    """A move of which `may_reveal` is false turns out the same to its mover in every world that the mover
    cannot tell apart."""
    for mover in scene.position.to_act:
        for step, twin in twin_steps(scene, mover):
            move = step.entry.move
            if step.entry.seat == mover and not scene.rules.may_reveal(scene.state, mover, move):
                assert same_view(step, twin, mover), f"{move} shows its mover something"
                assert redacted(step, mover) == redacted(twin, mover)
                assert step.after.to_act == twin.after.to_act


def twin_steps(scene: Scene, viewer: int | None) -> Iterator[tuple[Step, Step]]:
    """Legal steps, each beside the same move made in a redealt world, where it is legal there too."""
    steps = list(scene.steps())
    for other in scene.redealt(viewer):
        if other.state == scene.state:
            continue
        for step in steps:
            if accepted_form(other, step.entry.seat, step.entry.move) is not None:
                yield step, table.advance(other, step.entry)


def same_view(step: Step, twin: Step, viewer: int | None) -> bool:
    view = step.before.setup.rules.view
    return bool(view(step.after.state, viewer) == view(twin.after.state, viewer))


def ready_takes_a_seat_out_of_an_open_phase(scene: Scene) -> None:
    """Where several may act each has a move to be ready by; the last of them ends the phase, and what follows is
    another open phase or turns."""
    rules, position = scene.rules, scene.position
    for seat in position.to_act:
        alone, ready = position.to_act == (seat,), rules.ready(position.state, seat)
        for other in scene.redealt(seat):
            assert rules.ready(other.state, seat) == ready, "ready is chosen by what is hidden"
        if ready is None:
            assert alone, f"seat {seat} cannot say that it is ready"
            continue
        assert accepted_form(position, seat, ready) == ready
        after = table.advance(position, Entry(seat, ready)).after
        if not alone:
            assert seat not in after.to_act, f"seat {seat} may act although it is ready"
        elif len(after.to_act) == 1:
            assert rules.ready(after.state, after.to_act[0]) is None, "nothing has ended"


def an_automatic_move_is_legal(scene: Scene) -> None:
    """In canonical form, and the same in every world that its seat cannot tell apart."""
    for seat in scene.position.to_act:
        move = scene.rules.automatic(scene.state, seat)
        assert accepted_form(scene.position, seat, move) == move
        for other in scene.redealt(seat):
            assert scene.rules.automatic(other.state, seat) == move, f"{move} is chosen by what is hidden"


def a_redeal_deals_anew(scene: Scene) -> None:
    """Where cards are hidden in two places or more, some redeal changes them."""
    for viewer in scene.viewers:
        view = msgspec.to_builtins(scene.rules.view(scene.state, viewer))
        whole = msgspec.to_builtins(scene.rules.open_view(scene.state))
        if sum(any(cards_within(hidden)) for hidden in _differences(view, whole)) >= 2:
            assert any(other.state != scene.state for other in scene.redealt(viewer, times=20))


def _differences(view: Any, whole: Any) -> Iterator[Any]:
    """The parts of a whole position that a view shows otherwise."""
    if isinstance(view, dict) and isinstance(whole, dict) and view.keys() == whole.keys():
        for key in view:
            yield from _differences(view[key], whole[key])
    elif isinstance(view, list | tuple) and isinstance(whole, list | tuple) and len(view) == len(whole):
        for shown, real in zip(view, whole, strict=True):
            yield from _differences(shown, real)
    elif view != whole:
        yield whole


CHECKS: tuple[Callable[[Scene], None], ...] = (
    somebody_may_act_until_the_end,
    outcome_is_well_formed,
    the_score_is_that_of_the_outcome,
    legal_moves_are_what_is_accepted,
    legal_moves_are_canonical,
    cards_are_conserved,
    moves_change_nothing_but_what_follows,
    values_survive_json,
    words_are_found_for_what_was_seen,
    notation_is_read_back,
    everything_is_open_at_the_end,
    a_spectator_sees_what_every_seat_sees,
    a_redeal_cannot_be_told,
    redaction_hides_what_the_view_hides,
    what_may_not_reveal_shows_nothing,
    ready_takes_a_seat_out_of_an_open_phase,
    an_automatic_move_is_legal,
    a_redeal_deals_anew,
)
