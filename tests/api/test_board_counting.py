"""Boards are what follows from the games, in whatever order these end, are voided and are counted."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games.models import Measure, Standing, Uncounted
from games.selectors.standings import rating_disagreements
from games.services import boards
from games.services.agreement import board_disagreements
from games.services.boards import boards_project, boards_rebuild
from games.services.rating import game_void
from tests.api.finished import Finished, finish, of_several, patience
from tests.api.naive_boards import (
    Naive,
    kept_buckets,
    kept_frequencies,
    kept_standings,
    kept_tallies,
)

# On both sides of the ends of a day, a week, a month and a year, of which the week's is another.
MOMENTS = [
    datetime(2026, 12, 27, 23, 59, 59, 999000, tzinfo=UTC),
    datetime(2026, 12, 28, tzinfo=UTC),
    datetime(2026, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
    datetime(2027, 1, 1, tzinfo=UTC),
    datetime(2027, 1, 3, 12, tzinfo=UTC),
    datetime(2027, 1, 4, tzinfo=UTC),
]
PLAYERS = 3
KINDS = {
    "open": {},
    "daily": {"scope": "daily"},
    "deal": {"ruleset": "freecell", "variant": "deal=1", "scope": None, "is_shuffled": False},
    "private": {"scope": None, "is_public": False},
    "rated": {"ruleset": "sicksack", "rated": True},
    "unrated": {"ruleset": "sicksack", "scope": None},
}

ENDS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["open"] * 5 + ["rated"] * 4 + ["daily", "deal", "private", "unrated"]),
        "id": st.integers(1, 2**128 - 1),
        "order": st.permutations(range(PLAYERS)),
        "seats": st.integers(2, PLAYERS),
        "places": st.lists(st.integers(1, 3), min_size=PLAYERS, max_size=PLAYERS),
        "result": st.sampled_from(["win", "win", "win", "draw", "loss"]),
        "at": st.sampled_from(MOMENTS),
        "score": st.integers(0, 1023),
        "length": st.integers(0, 16383),
        "duration": st.integers(0, 131_071_999),
    }
)
HAPPENINGS = st.lists(
    st.one_of(
        st.tuples(st.just("end"), ENDS),
        st.tuples(st.just("end"), ENDS),
        st.tuples(st.just("void"), st.integers(0, 30), st.sampled_from(MOMENTS)),
        st.tuples(st.just("project"), st.integers(1, 4)),
        st.just(("late",)),
        st.just(("rebuild",)),
    ),
    min_size=12,
    max_size=24,
)


def game_from(end, players, naive):
    """The game that is described so, or None where there cannot be another of its id or a second first try."""
    kind, id_ = end["kind"], UUID(int=end["id"])
    seats = end["seats"] if kind in {"rated", "unrated"} else 1
    places = [1 + sorted(end["places"][:seats]).index(place) for place in end["places"][:seats]]
    best = "win" if places.count(1) == 1 else "draw"
    game = Finished(
        id_,
        tuple(players[number].id for number in end["order"][:seats]),
        tuple(best if place == 1 else "loss" for place in places) if seats > 1 else (end["result"],),
        places=tuple(places),
        scores=(end["score"],) * seats,
        **{name: end[name] for name in ("at", "length", "duration")},
        **KINDS[kind],
    )
    same = [
        other
        for other in naive.games.values()
        if other.scope == game.scope == "daily"
        and (other.players, other.at.date()) == (game.players, game.at.date())
    ]
    return None if same or id_ in naive.games else game


def comes_late(game_id):
    """Have a game that ended be counted after all others, as one whose transaction committed late."""
    Uncounted.objects.filter(game=game_id).delete()
    Uncounted.objects.create(game_id=game_id, change=1)


class World:
    """What happens, in the database and in the list of games that it is compared with."""

    def __init__(self, players, staff, time_stands, monkeypatch):
        self.players, self.staff = players, staff
        self.time_stands, self.monkeypatch = time_stands, monkeypatch
        self.naive = Naive()
        # Of one player nearly as many as shares of games won are kept from.
        earlier = [
            patience(players[0], "win" if number % 7 else "loss", at=MOMENTS[number % 6])
            for number in range(19)
        ]
        finish(*earlier)
        for game in earlier:
            self.naive.finished(game)

    def end(self, described):
        game = game_from(described, self.players, self.naive)
        if game:
            finish(game)
            self.naive.finished(game)

    def void(self, number, at):
        left = [one for one in self.naive.games if one not in self.naive.voided]
        if left:
            self.time_stands(at)
            game_void(game_id=left[number % len(left)], by=self.staff, reason="x")
            self.naive.void(left[number % len(left)], at)

    def late(self):
        game = self.naive.late()
        if game:
            comes_late(game)

    def project(self, most):
        self.monkeypatch.setattr(boards, "AT_ONCE", most)
        assert boards_project() == self.naive.projected(most)
        self.agrees()

    def rebuild(self):
        boards_rebuild()
        self.agrees()

    def agrees(self):
        assert kept_tallies() == self.naive.tallies()
        assert kept_standings() == self.naive.standings()
        assert kept_buckets() == self.naive.buckets()
        assert kept_frequencies() == self.naive.frequencies()

    def ends(self):
        while self.naive.pending:
            self.project(7)
        assert boards_project() == 0
        assert board_disagreements() == []
        assert list(rating_disagreements()) == []


def test_boards_are_what_follows_from_the_games_in_whatever_order_they_are_counted(
    make_player, staff, time_stands, monkeypatch
):
    players = [make_player(f"player{number}") for number in range(PLAYERS)]

    @settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(happenings=HAPPENINGS)
    def run(happenings):
        with transaction.atomic():
            world = World(players, staff, time_stands, monkeypatch)
            for name, *given in happenings:
                getattr(world, name)(*given)
            world.ends()
            transaction.set_rollback(True)

    run()


def count_each(games, monkeypatch):
    """Count games, each by itself and in this order."""
    finish(*games)
    monkeypatch.setattr(boards, "AT_ONCE", 1)
    while boards_project():
        assert board_disagreements_now() == []


def board_disagreements_now():
    """Where the boards disagree with what is counted so far."""
    before = kept_tallies(), kept_standings()
    with transaction.atomic():
        boards_rebuild()
        made = kept_tallies(), kept_standings()
        transaction.set_rollback(True)
    return [(kept, new) for kept, new in zip(before, made, strict=True) if kept != new]


def test_a_player_who_has_lost_none_is_counted_as_well_as_any(anna, monkeypatch):
    count_each([patience(anna, at=MOMENTS[number]) for number in range(3)], monkeypatch)
    assert board_disagreements() == []


def test_of_games_that_ended_together_the_order_is_always_the_same(anna, monkeypatch):
    lost, won, later = patience(anna, "loss"), patience(anna), patience(anna)
    later = later._replace(at=later.at + timedelta(days=1))
    count_each([won, lost, later], monkeypatch)
    assert board_disagreements() == []
    streaks = Standing.objects.filter(board__period="all", measure=Measure.STREAK)
    assert [one.score for one in streaks] == [2]


def test_the_last_change_is_the_rating_whichever_is_counted_last(anna, bo, monkeypatch):
    earlier, later = (
        of_several([anna, bo], [1, 2], at=MOMENTS[4]),
        of_several([anna, bo], [1, 2], at=MOMENTS[3]),
    )
    # The one that ended later waited less for the ratings, and is counted last.
    finish(earlier, later)
    comes_late(earlier.id)
    count_each([], monkeypatch)
    assert {tally[6] for key, tally in kept_tallies().items() if key[2] in {"all", "2027-01"}} == {2}
    assert board_disagreements() == []


def test_whoever_has_no_game_left_stands_nowhere(anna, staff, monkeypatch):
    game = patience(anna)
    count_each([game], monkeypatch)
    game_void(game_id=game.id, by=staff, reason="x")
    count_each([], monkeypatch)
    assert (kept_tallies(), kept_standings(), kept_buckets(), kept_frequencies()) == ({}, {}, {}, {})
