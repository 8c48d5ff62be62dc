"""One suite over every rule set in the catalog, and the proof that each of its checks can fail."""

from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType, inspect

from games import catalog, table
from games.records import read_records
from games.rules.contract import IllegalMove, Outcome, Phrase, phrase, read_options
from games.rules.sicksack import (
    Sicksack,
    SicksackCards,
    SicksackChance,
    SicksackDrew,
    SicksackEvent,
    SicksackMove,
    SicksackPlay,
    SicksackState,
    SicksackTake,
    SicksackView,
    followers,
)
from games.table import Position
from tests.rules import checks
from tests.rules.checks import CHECKS, Scene
from tests.rules.golden import path_of
from tests.rules.universe import moves_to_try, universe
from tests.rules.variants import (
    VARIANTS,
    Variant,
    cards_within,
    golden_playout,
    random_playout,
    random_positions,
)

RECORDS = Path(__file__).resolve().parents[2] / "seeds" / "records"

EVERY = 4
"""Of a long playout every so many positions are looked at, other ones in each."""

every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
every_slug = pytest.mark.parametrize("slug", catalog.CURRENT)


@every_variant
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_contract_holds_in_random_playouts(variant: Variant, seed: int) -> None:
    every = EVERY if variant.plies > EVERY else 1
    for position in random_positions(variant.setup(seed), seed, variant.plies):
        if position.to_act and (position.ply + seed) % every:
            continue
        for check in CHECKS:
            check(Scene(variant, position, seed))


@every_variant
def test_the_contract_holds_in_the_golden_playthrough(variant: Variant) -> None:
    positions = [step.after for step in golden_playout(variant)]
    for position in (*positions[: 4 * EVERY : EVERY], *positions[:: 4 * EVERY], positions[-1]):
        for check in CHECKS:
            check(Scene(variant, position, position.ply))
    assert positions[-1].to_act == ()


@every_variant
def test_something_is_hidden_exactly_where_the_game_says_so(variant: Variant) -> None:
    position = next(random_positions(variant.setup(0), 0, 0))
    scene = Scene(variant, position, 0)
    whole = scene.rules.open_view(scene.state)
    for viewer in scene.viewers:
        assert (scene.rules.view(scene.state, viewer) != whole) == scene.rules.hides
        redealt = [other.state != scene.state for other in scene.redealt(viewer, times=20)]
        assert any(redealt) == scene.rules.hides


PATIENCES = [variant for variant in VARIANTS if variant.seats == 1]


def seeds_of(variant: Variant) -> range:
    """So many that in some of the playouts something stays hidden, where there is anything hidden."""
    return range(40 if variant.setup(0).rules.hides else 1)


def sealed_to_the_end(variant: Variant, seed: int) -> Iterator[tuple[Any, Position, set[str]]]:
    """Of each position of a random playout its sealed view, the position, and the cards that were open before it
    or were turned up by the move that led to it."""
    setup, known = variant.setup(seed), set[str]()
    dealt = table.lay_out(setup)
    yield setup.rules.sealed_view(dealt.state), dealt, known
    for step in random_playout(setup, seed, plies=10_000):
        known |= {*cards_within(setup.rules.view(step.before.state, 0)), *cards_within(step.events)}
        yield setup.rules.sealed_view(step.after.state), step.after, known


@pytest.mark.parametrize("variant", PATIENCES, ids=lambda variant: variant.name)
def test_a_sealed_patience_is_seen_as_ever_while_it_goes_on_and_shows_no_more_at_its_end(
    variant: Variant,
) -> None:
    stayed = set[str]()
    for seed in seeds_of(variant):
        for view, position, known in sealed_to_the_end(variant, seed):
            if position.to_act:
                assert view == position.setup.rules.view(position.state, 0)
            else:
                assert set(cards_within(view)) <= known
                stayed |= {*cards_within(position.setup.rules.open_view(position.state))} - {
                    *cards_within(view)
                }
        assert position.to_act == ()
    assert bool(stayed) == variant.setup(0).rules.hides


@pytest.mark.parametrize("variant", PATIENCES, ids=lambda variant: variant.name)
def test_two_deals_that_differ_in_what_stays_hidden_cannot_be_told_apart_by_sealed_views(
    variant: Variant,
) -> None:
    differed = False
    for seed in seeds_of(variant):
        setup = variant.setup(seed)
        *_, (last, end, _) = sealed_to_the_end(variant, seed)
        hidden = {*cards_within(setup.rules.open_view(end.state))} - {*cards_within(last)}
        places = [place for place, card in enumerate(setup.deck) if card in hidden]
        deck = list(setup.deck)
        for place, other in zip(places, places[1:] + places[:1], strict=True):
            deck[place] = setup.deck[other]
        differed |= deck != list(setup.deck)
        ours = table.lay_out(setup)
        theirs = table.lay_out(msgspec.structs.replace(setup, deck=tuple(deck)))
        for step in random_playout(setup, seed, plies=10_000):
            ours, theirs = step.after, table.advance(theirs, step.entry).after
            one, other = (setup.rules.sealed_view(position.state) for position in (ours, theirs))
            assert (one, ours.to_act, ours.outcome) == (other, theirs.to_act, theirs.outcome)
        if len(places) > 1:
            assert setup.rules.view(ours.state, 0) != setup.rules.view(theirs.state, 0)
    assert differed == setup.rules.hides


@every_variant
def test_games_for_several_have_no_deal_of_the_day(variant: Variant) -> None:
    position = table.lay_out(variant.setup(0))
    if variant.seats > 1:
        with pytest.raises(NotImplementedError, match=f"{variant.slug} has no deal of the day"):
            position.setup.rules.sealed_view(position.state)
    else:
        position.setup.rules.sealed_view(position.state)


@every_variant
def test_all_win_or_lose_together_exactly_where_the_game_says_so(variant: Variant) -> None:
    setup = variant.setup(0)
    assert setup.rules.is_cooperative(setup.options) is variant.together


@every_slug
def test_every_number_of_seats_has_a_variant(slug: str) -> None:
    played = {variant.seats for variant in VARIANTS if variant.slug == slug}
    assert played == set(catalog.CURRENT[slug].seats)


@every_slug
def test_every_option_has_two_values_among_the_variants(slug: str) -> None:
    rules = catalog.CURRENT[slug]
    options = [read_options(rules, variant.options) for variant in VARIANTS if variant.slug == slug]
    for name in rules.Options.__struct_fields__:
        assert len({getattr(given, name) for given in options}) >= 2, name


def test_variants_are_of_games_in_the_catalog_and_differ_in_name() -> None:
    assert {variant.slug for variant in VARIANTS} == set(catalog.CURRENT)
    assert len({variant.name for variant in VARIANTS}) == len(VARIANTS)


@every_variant
def test_every_variant_has_a_golden_playthrough(variant: Variant) -> None:
    assert path_of(variant).is_file()


@every_slug
def test_every_game_has_recorded_games(slug: str) -> None:
    records = read_records((RECORDS / f"{slug}.json").read_bytes())
    assert records
    assert {msgspec.convert(record, dict[str, Any])["slug"] for record in records} == {slug}


@every_slug
def test_the_catalog_finds_each_game_by_its_version(slug: str) -> None:
    rules = catalog.CURRENT[slug]
    assert rules.slug == slug
    assert catalog.rules_for(slug, rules.version) is rules
    with pytest.raises(KeyError):
        catalog.rules_for(slug, rules.version + 1)


def structs_within(kind: Any) -> Iterator[inspect.StructType]:
    """The Structs that a type is made of."""
    types = [inspect.type_info(kind)]
    while types:
        found = types.pop()
        if isinstance(found, inspect.StructType):
            yield found
            types += [each.type for each in found.fields]
        elif isinstance(found, inspect.Metadata):
            types.append(found.type)
        elif isinstance(found, inspect.UnionType):
            types += found.types
        elif isinstance(found, inspect.TupleType):
            types += found.item_types
        elif isinstance(found, inspect.VarTupleType | inspect.ListType):
            types.append(found.item_type)
        elif isinstance(found, inspect.DictType):
            types += [found.key_type, found.value_type]


@every_slug
def test_what_a_game_is_made_of_cannot_be_changed(slug: str) -> None:
    rules = catalog.CURRENT[slug]
    for kind in (rules.State, rules.Options, rules.Move, rules.Events, rules.View, Outcome):
        for struct in structs_within(kind):
            assert struct.cls.__struct_config__.frozen, struct.cls


@every_slug
def test_moves_and_events_are_told_apart_by_type_and_moves_and_options_are_read_exactly(slug: str) -> None:
    rules = catalog.CURRENT[slug]
    tagged = [*structs_within(rules.Move), *structs_within(rules.Events)]
    assert {struct.tag_field for struct in tagged} == {"type"}
    assert len({struct.tag for struct in tagged}) == len(tagged)
    for struct in (*structs_within(rules.Move), *structs_within(rules.Options)):
        assert struct.forbid_unknown_fields, struct.cls
        assert struct.cls.__name__.lower().startswith(slug.replace("-", "")), struct.cls


class ShowsTheNextCard(Sicksack):
    def view(self, state: SicksackState, seat: int | None) -> SicksackView:
        shown = super().view(state, seat)
        return msgspec.structs.replace(shown, stock=SicksackCards(len(state.stock), state.stock[:1]))


class ShowsAHandToASpectator(Sicksack):
    def view(self, state: SicksackState, seat: int | None) -> SicksackView:
        return super().view(state, 0 if seat is None else seat)


class HidesAtTheEnd(Sicksack):
    def view(self, state: SicksackState, seat: int | None) -> SicksackView:
        return self._shown(state, hands=(), stock=False)


class NeverReveals(Sicksack):
    def may_reveal(self, state: SicksackState, seat: int, move: SicksackMove) -> bool:
        return False


class RevealsByWhatIsHidden(Sicksack):
    def may_reveal(self, state: SicksackState, seat: int, move: SicksackMove) -> bool:
        return bool(state.stock) and state.stock[0][1] == "H"


class ForgetsToListChance(Sicksack):
    def legal_moves(self, state: SicksackState, seat: int) -> Iterator[SicksackMove]:
        return (move for move in super().legal_moves(state, seat) if not isinstance(move, SicksackChance))


class ListsTakeAlways(Sicksack):
    def legal_moves(self, state: SicksackState, seat: int) -> Iterator[SicksackMove]:
        yield from super().legal_moves(state, seat)
        yield SicksackTake()


class ListsMovesTwice(Sicksack):
    def legal_moves(self, state: SicksackState, seat: int) -> Iterator[SicksackMove]:
        for move in super().legal_moves(state, seat):
            yield from (move, move)


class ListsMovesForAll(Sicksack):
    def legal_moves(self, state: SicksackState, seat: int) -> Iterator[SicksackMove]:
        return super().legal_moves(state, state.turn)


class ListsMovesOfOthers(Sicksack):
    def legal_moves(self, state: SicksackState, seat: int) -> Iterator[SicksackMove]:
        other = (seat + 1) % len(state.hands)
        return (SicksackPlay(card) for card in state.hands[other])


class SaysWhoHoldsACard(Sicksack):
    def check(self, state: SicksackState, seat: int, move: SicksackMove) -> None:
        try:
            super().check(state, seat, move)
        except IllegalMove as refused:
            if refused.code == "SS-5" and isinstance(move, SicksackPlay):
                holders = [holder for holder, hand in enumerate(state.hands) if move.card in hand]
                raise IllegalMove("SS-5", refused.why, **refused.facts, holders=holders) from None
            raise


class RefusesByWhatIsHidden(Sicksack):
    def check(self, state: SicksackState, seat: int, move: SicksackMove) -> None:
        if isinstance(move, SicksackPlay) and move.card in state.stock:
            raise IllegalMove("SS-6", "{card} is not in your hand", card=move.card)
        super().check(state, seat, move)


class AcceptsChanceWithoutStock(Sicksack):
    def check(self, state: SicksackState, seat: int, move: SicksackMove) -> None:
        if not isinstance(move, SicksackChance):
            super().check(state, seat, move)


class TellsAllWhatWasDrawn(Sicksack):
    def redact(
        self,
        before: SicksackState,
        seat: int | None,
        mover: int,
        move: SicksackMove,
        events: tuple[SicksackEvent, ...],
    ) -> tuple[SicksackMove, tuple[SicksackEvent, ...]]:
        return move, events


class TakesAChanceForATake(Sicksack):
    def canonical(self, state: SicksackState, seat: int, move: SicksackMove) -> SicksackMove:
        return SicksackChance() if isinstance(move, SicksackTake) else move


class LosesThePile(Sicksack):
    def apply(
        self, state: SicksackState, seat: int, move: SicksackMove
    ) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        after, events = super().apply(state, seat, move)
        return msgspec.structs.replace(after, pile=after.pile[-1:]), events


class RemembersCalls(Sicksack):
    calls = count()

    def apply(
        self, state: SicksackState, seat: int, move: SicksackMove
    ) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        after, events = super().apply(state, seat, move)
        return msgspec.structs.replace(after, turn=next(self.calls) % len(state.hands)), events


class ChangesTheState(Sicksack):
    def apply(
        self, state: SicksackState, seat: int, move: SicksackMove
    ) -> tuple[SicksackState, tuple[SicksackEvent, ...]]:
        result = super().apply(state, seat, move)
        msgspec.structs.force_setattr(state, "turn", result[0].turn)
        return result


class NeverEnds(Sicksack):
    def outcome(self, state: SicksackState) -> Outcome | None:
        return None


class LetsSeatsActInDisorder(Sicksack):
    def to_act(self, state: SicksackState) -> tuple[int, ...]:
        return (state.turn, 0) if super().to_act(state) else ()


class EndsTwice(Sicksack):
    def outcome(self, state: SicksackState) -> Outcome | None:
        return super().outcome(state) if state.turn else Outcome((1, 2), ("win", "loss"), (0, 0))


class HasNoWinner(Sicksack):
    def outcome(self, state: SicksackState) -> Outcome | None:
        ended = super().outcome(state)
        return ended and msgspec.structs.replace(ended, result=("loss",) * len(ended.place))


class SkipsAPlace(Sicksack):
    def outcome(self, state: SicksackState) -> Outcome | None:
        ended = super().outcome(state)
        return ended and msgspec.structs.replace(ended, place=tuple(2 * place - 1 for place in ended.place))


class HasAnotherScoreAtTheEnd(Sicksack):
    def outcome(self, state: SicksackState) -> Outcome | None:
        ended = super().outcome(state)
        return ended and msgspec.structs.replace(ended, score=tuple(points + 1 for points in ended.score))


class ScoresOneSeat(Sicksack):
    def score(self, state: SicksackState) -> tuple[int, ...]:
        return super().score(state)[:1]


class ScoresInHalves(Sicksack):
    def score(self, state: SicksackState) -> tuple[int, ...]:
        return tuple(points / 2 for points in super().score(state))  # type: ignore[misc]


class ScoresInAList(Sicksack):
    def score(self, state: SicksackState) -> tuple[int, ...]:
        return list(super().score(state))  # type: ignore[return-value]

    def outcome(self, state: SicksackState) -> Outcome | None:
        ended = super().outcome(state)
        return ended and msgspec.structs.replace(ended, score=self.score(state))


class LetsAllActAtOnce(Sicksack):
    def to_act(self, state: SicksackState) -> tuple[int, ...]:
        return tuple(range(len(state.hands))) if super().to_act(state) else ()


class LetsReadySeatsGoOn(LetsAllActAtOnce):
    def ready(self, state: SicksackState, seat: int) -> SicksackMove | None:
        return next(self.legal_moves(state, seat))


class IsReadyByAnIllegalMove(Sicksack):
    def ready(self, state: SicksackState, seat: int) -> SicksackMove | None:
        return SicksackPlay(state.pile[-1]) if seat == 0 and state.pile else None


class IsReadyInTurns(Sicksack):
    def ready(self, state: SicksackState, seat: int) -> SicksackMove | None:
        return next(self.legal_moves(state, seat))


class IsReadyByWhatIsHidden(Sicksack):
    def ready(self, state: SicksackState, seat: int) -> SicksackMove | None:
        fits = seat == 0 and bool(state.stock) and state.stock[0] in followers(state)
        return SicksackChance() if fits else None


class TakesAutomatically(Sicksack):
    def automatic(self, state: SicksackState, seat: int) -> SicksackMove:
        return SicksackTake()


class TakesAChanceByWhatIsHidden(Sicksack):
    def automatic(self, state: SicksackState, seat: int) -> SicksackMove:
        fits = bool(state.stock) and state.stock[0] in followers(state)
        return SicksackChance() if fits else super().automatic(state, seat)


class CannotSpeakOfAHiddenCard(Sicksack):
    def describe(
        self, mover: int, move: SicksackMove, events: tuple[SicksackEvent, ...]
    ) -> tuple[Phrase, ...]:
        drawn = [event.card for event in events if isinstance(event, SicksackDrew)]
        return (phrase("draws " + " ".join(drawn)),)  # type: ignore[arg-type]


class HasNoWords(Sicksack):
    def describe(
        self, mover: int, move: SicksackMove, events: tuple[SicksackEvent, ...]
    ) -> tuple[Phrase, ...]:
        return ()


class DealsTheSame(Sicksack):
    def redeal(self, state: SicksackState, seat: int | None, rng: Random) -> SicksackState:
        return state


class RedealsTheViewersHand(Sicksack):
    def redeal(self, state: SicksackState, seat: int | None, rng: Random) -> SicksackState:
        return super().redeal(state, None, rng)


class RedealsTheSameCardTwice(Sicksack):
    def redeal(self, state: SicksackState, seat: int | None, rng: Random) -> SicksackState:
        return msgspec.structs.replace(state, stock=state.stock[:1] * len(state.stock))


class RedealsTheEnd(Sicksack):
    def redeal(self, state: SicksackState, seat: int | None, rng: Random) -> SicksackState:
        if self.to_act(state):
            return super().redeal(state, seat, rng)
        return msgspec.structs.replace(state, score_piles=state.score_piles[::-1])


class DrewUntagged(Struct, frozen=True):
    card: str | None


class SendsAnUnknownEvent(Sicksack):
    def apply(
        self, state: SicksackState, seat: int, move: SicksackMove
    ) -> tuple[SicksackState, tuple[Any, ...]]:
        after, events = super().apply(state, seat, move)
        return after, (*events, DrewUntagged(None))


class NotatesOneWord(Sicksack):
    has_notation = True
    notation_word = "chance"

    def notate(self, state: SicksackState, move: SicksackMove) -> str:
        return "chance"

    def parse(self, word: str) -> SicksackMove:
        return SicksackChance()


def _case(
    rules: type[Sicksack],
    check: Callable[[Scene], None],
    raising: type[Exception] = AssertionError,
) -> Any:
    return pytest.param(rules(), check, raising, id=f"{rules.__name__}-{check.__name__}")


@pytest.mark.parametrize(
    ("rules", "check", "raising"),
    [
        _case(NeverEnds, checks.somebody_may_act_until_the_end),
        _case(LetsSeatsActInDisorder, checks.somebody_may_act_until_the_end),
        _case(EndsTwice, checks.somebody_may_act_until_the_end),
        _case(ListsMovesForAll, checks.somebody_may_act_until_the_end),
        _case(HasNoWinner, checks.outcome_is_well_formed),
        _case(SkipsAPlace, checks.outcome_is_well_formed),
        _case(HasAnotherScoreAtTheEnd, checks.the_score_is_that_of_the_outcome),
        _case(ScoresOneSeat, checks.the_score_is_that_of_the_outcome),
        _case(ScoresInHalves, checks.the_score_is_that_of_the_outcome),
        _case(ScoresInAList, checks.the_score_is_that_of_the_outcome),
        _case(ForgetsToListChance, checks.legal_moves_are_what_is_accepted),
        _case(ListsTakeAlways, checks.legal_moves_are_what_is_accepted),
        _case(AcceptsChanceWithoutStock, checks.legal_moves_are_what_is_accepted),
        _case(ListsMovesTwice, checks.legal_moves_are_canonical),
        _case(TakesAChanceForATake, checks.legal_moves_are_canonical),
        _case(LosesThePile, checks.cards_are_conserved),
        _case(RedealsTheSameCardTwice, checks.cards_are_conserved),
        _case(RemembersCalls, checks.moves_change_nothing_but_what_follows),
        _case(ChangesTheState, checks.moves_change_nothing_but_what_follows),
        _case(SendsAnUnknownEvent, checks.values_survive_json, msgspec.ValidationError),
        _case(HasNoWords, checks.words_are_found_for_what_was_seen),
        _case(CannotSpeakOfAHiddenCard, checks.words_are_found_for_what_was_seen, TypeError),
        _case(NotatesOneWord, checks.notation_is_read_back),
        _case(HidesAtTheEnd, checks.everything_is_open_at_the_end),
        _case(RedealsTheEnd, checks.everything_is_open_at_the_end),
        _case(ShowsAHandToASpectator, checks.a_spectator_sees_what_every_seat_sees),
        _case(ShowsTheNextCard, checks.a_redeal_cannot_be_told),
        _case(RedealsTheViewersHand, checks.a_redeal_cannot_be_told),
        _case(SaysWhoHoldsACard, checks.a_redeal_cannot_be_told),
        _case(RefusesByWhatIsHidden, checks.a_redeal_cannot_be_told),
        _case(ListsMovesOfOthers, checks.a_redeal_cannot_be_told),
        _case(RevealsByWhatIsHidden, checks.a_redeal_cannot_be_told),
        _case(TellsAllWhatWasDrawn, checks.redaction_hides_what_the_view_hides),
        _case(NeverReveals, checks.what_may_not_reveal_shows_nothing),
        _case(LetsAllActAtOnce, checks.ready_takes_a_seat_out_of_an_open_phase),
        _case(LetsReadySeatsGoOn, checks.ready_takes_a_seat_out_of_an_open_phase),
        _case(IsReadyByAnIllegalMove, checks.ready_takes_a_seat_out_of_an_open_phase),
        _case(IsReadyInTurns, checks.ready_takes_a_seat_out_of_an_open_phase),
        _case(IsReadyByWhatIsHidden, checks.ready_takes_a_seat_out_of_an_open_phase),
        _case(TakesAutomatically, checks.an_automatic_move_is_legal),
        _case(TakesAChanceForATake, checks.an_automatic_move_is_legal),
        _case(TakesAChanceByWhatIsHidden, checks.an_automatic_move_is_legal),
        _case(DealsTheSame, checks.a_redeal_deals_anew),
    ],
)
def test_the_check_catches(rules: Sicksack, check: Callable[[Scene], None], raising: type[Exception]) -> None:
    """A game that breaks a promise is caught by the check of that promise; the positions are those of an
    unbroken game."""
    with pytest.raises(raising):
        _check_whole_games(rules, check)


def test_every_check_is_shown_to_fail() -> None:
    (mark,) = test_the_check_catches.pytestmark  # type: ignore[attr-defined]
    assert {case.values[1] for case in mark.args[1]} == set(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_the_check_catches_nothing_in_an_unbroken_game(check: Callable[[Scene], None]) -> None:
    _check_whole_games(Sicksack(), check)


def _check_whole_games(rules: Sicksack, check: Callable[[Scene], None]) -> None:
    variant = next(variant for variant in VARIANTS if variant.slug == "sicksack")
    for seed in range(3):
        for position in random_positions(variant.setup(seed), seed, variant.plies):
            setup = variant.setup(seed, rules)
            check(Scene(variant, msgspec.structs.replace(position, setup=setup), seed))


Cell: TypeAlias = tuple[Literal[0, 1], Literal[0, 1]]


class Lay(Struct, frozen=True, tag_field="type", tag="lay"):
    cells: tuple[Cell, ...]


class Draw(Struct, frozen=True, tag_field="type", tag="draw"):
    numbers: tuple[int, ...]
    of: int

    def __post_init__(self) -> None:
        if self.numbers == (13,):
            raise ValueError("not thirteen alone")


class Count(Struct, frozen=True, tag_field="type", tag="count"):
    so_many: int | UnsetType = UNSET
    up: bool | None = None


def test_the_universe_counts_what_the_types_can_express() -> None:
    assert universe(Lay | Count)[:6] == (
        Lay(()),
        Lay(((0, 0),)),
        Lay(((0, 1),)),
        Lay(((1, 0),)),
        Lay(((1, 1),)),
        Lay(((0, 0), (0, 1))),
    )
    assert len(universe(Lay)) == 1 + 4 + 4 * 3
    assert len(universe(Count)) == (14 + 1) * 3
    assert list(islice(universe(Count), 3)) == [Count(0, up=False), Count(0, up=True), Count(0, up=None)]
    assert universe(Count)[-1] == Count(UNSET, up=None)
    assert len(universe(catalog.CURRENT["sicksack"].Move)) == 52 + 2
    assert len(universe(catalog.CURRENT["freecell"].Move)) == 13 * 13 * (13 + 1)


def test_of_a_large_universe_a_part_is_tried_with_what_differs_little_from_legal_moves() -> None:
    legal = [Draw((0, 1), 3), Draw((7,), 9)]
    tried = moves_to_try(Draw | Count, legal, Random(1))
    assert set(legal) < set(tried)
    assert len(tried) < 500 < len(universe(Draw))
    assert all(set(move.numbers) != {13} for move in tried if isinstance(move, Draw))
    differing = [
        move for move in tried if isinstance(move, Draw) and move.of == 3 and len({*move.numbers, 0, 1}) <= 3
    ]
    assert len(differing) >= 5
    assert moves_to_try(Lay, (), Random(1)) == universe(Lay)


def test_the_universe_refuses_what_it_cannot_count() -> None:
    with pytest.raises(TypeError, match="does not know how to count"):
        universe(dict[str, str])
