"""Coming together for a game: join, leave, start."""

import itertools
import threading

import pytest
from django.db import connection, connections, transaction
from django.db.models.functions import Now

from games import shuffle
from games.models import Deal, Game, Seat
from games.rules.cards import FRENCH_DECK
from games.services import gathering
from tests.expect import faults, nothing_changes, problem

SICKSACK = {"ruleset": "sicksack", "seats": 3}


@pytest.fixture
def public(anna):
    """The path of a public game of three seats, with anna in seat 0."""
    return f"games/{anna.client.post('games/', SICKSACK).json()['id']}/"


@pytest.fixture
def private(anna):
    """The path and the link of a private one."""
    game = anna.client.post("games/", {**SICKSACK, "visibility": "private"}).json()
    return f"games/{game['id']}/", game["link"]


def seated(path):
    """Who sits where, with their entropy."""
    seats = Seat.objects.filter(game=path.split("/")[1]).order_by("number")
    return [(seat.number, seat.player.username, seat.entropy) for seat in seats]


def put(path, status):
    """Bring a game that is open to a status."""
    game = Game.objects.filter(id=path.split("/")[1])
    if status == "cancelled":
        game.update(status=status, ended_at=Now())
    if status in ("running", "finished", "abandoned"):
        Deal.objects.filter(game__in=game, deck=None).update(deck=list(FRENCH_DECK))
        game.filter(status="open").update(status="running", started_at=Now(), to_act=[0])
    if status in ("finished", "abandoned"):
        ending = {"finished": "played_out", "abandoned": "abandoned"}[status]
        game.update(status=status, ending=ending, ended_at=Now(), to_act=[])


# Joining.


def test_who_joins_gets_the_first_free_seat(public, bo, cilla):
    answer = bo.client.post(f"{public}join", {"entropy": "bo's"})
    assert answer.status_code == 200
    assert answer.json()["your_seat"] == 1
    assert answer.json() == bo.client.get_json(public)
    assert cilla.client.post(f"{public}join").json()["your_seat"] == 2
    assert seated(public) == [(0, "anna", ""), (1, "bo", "bo's"), (2, "cilla", "")]


def test_who_sits_already_stays_and_changes_nothing(public, anna, bo):
    first = bo.client.post(f"{public}join", {"entropy": "first"})
    with nothing_changes():
        again = bo.client.post(f"{public}join", {"entropy": "second"})
        assert (again.status_code, again.json()) == (200, first.json())
        assert anna.client.post(f"{public}join", {"entropy": "mine"}).json()["your_seat"] == 0


def test_a_full_game_takes_nobody(public, bo, cilla, stranger):
    bo.client.post(f"{public}join")
    cilla.client.post(f"{public}join")
    with nothing_changes():
        problem(stranger.client.post(f"{public}join"), "game_full", detail="Every seat of the game is taken.")


@pytest.mark.parametrize("status", ["running", "finished", "cancelled", "abandoned"])
def test_only_an_open_game_is_joined_left_and_started(public, anna, bo, stranger, status):
    bo.client.post(f"{public}join")
    put(public, status)
    with nothing_changes():
        problem(stranger.client.post(f"{public}join"), "not_open", game_status=status)
        problem(bo.client.post(f"{public}leave"), "not_open", game_status=status)
        problem(anna.client.post(f"{public}leave"), "not_open", game_status=status)
        assert bo.client.post(f"{public}join").status_code == 200
        if status == "cancelled":
            problem(anna.client.post(f"{public}start"), "not_open", game_status=status)


@pytest.mark.parametrize("entropy", ["", " ", "x" * 128, "".join(map(chr, range(32, 127)))])
@pytest.mark.parametrize("where", ["join", "start"])
def test_entropy_is_any_printable_ascii(anna, bo, make_game, where, entropy):
    game = f"games/{make_game('sicksack', [anna, bo][: 1 + (where == 'start')], start=False, seats=2)}/"
    mover = {"join": bo, "start": anna}[where]
    assert mover.client.post(game + where, {"entropy": entropy}).status_code == 200
    assert (mover.username, entropy) in [(name, kept) for _, name, kept in seated(game)]


@pytest.mark.parametrize("entropy", ["x" * 129, "å", "a\n", "\t", "\0", "\x7f", 5, None, ["x"]])
@pytest.mark.parametrize("where", ["join", "start"])
def test_entropy_of_another_form_is_refused(public, anna, bo, where, entropy):
    with nothing_changes():
        for player in (anna, bo):
            assert faults(player.client.post(public + where, {"entropy": entropy})) == ["$.entropy"]


@pytest.mark.parametrize("body", [{"seed": "x"}, {"seat": 1}, {"deck": []}, [], b"x"])
@pytest.mark.parametrize("where", ["join", "start"])
def test_a_body_of_another_form_is_refused(public, anna, where, body):
    with nothing_changes():
        assert faults(anna.client.post(public + where, body)) == ["$"]


# Private games.


def test_a_private_game_is_joined_by_its_link(private, bo):
    path, link = private
    problem(bo.client.ask("GET", path), "not_found")
    answer = bo.client.post(f"{path}join", {"link": link, "entropy": "bo's"})
    assert (answer.status_code, answer.json()["your_seat"]) == (200, 1)
    assert bo.client.get_json(path) == answer.json()
    assert seated(path) == [(0, "anna", ""), (1, "bo", "bo's")]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda _: None,
        lambda _: "",
        lambda link: link + "x",
        lambda link: link[:-1],
        str.swapcase,
        lambda _: "\0",
    ],
)
def test_without_the_right_link_there_is_no_private_game(private, bo, wrong):
    path, link = private
    with nothing_changes():
        problem(bo.client.post(f"{path}join", {"link": wrong(link)}), "not_found")
        problem(bo.client.post(f"{path}join?link={link}", {}), "not_found")
        problem(bo.client.post(f"{path}join", {}), "not_found")


def test_a_link_opens_its_own_game_alone(private, anna, bo):
    other = anna.client.post("games/", {**SICKSACK, "visibility": "private"}).json()
    with nothing_changes():
        problem(bo.client.post(f"{private[0]}join", {"link": other["link"]}), "not_found")


def test_a_link_of_another_form_is_refused(private, bo):
    with nothing_changes():
        for link in ("x" * 101, 5, []):
            assert faults(bo.client.post(f"{private[0]}join", {"link": link})) == ["$.link"]


def test_a_link_opens_nothing_that_is_full_or_under_way(private, bo, cilla, stranger):
    path, link = private
    for player in (bo, cilla):
        player.client.post(f"{path}join", {"link": link})
    with nothing_changes():
        problem(stranger.client.post(f"{path}join", {"link": link}), "game_full")
    put(path, "running")
    with nothing_changes():
        problem(stranger.client.post(f"{path}join", {"link": link}), "not_open", game_status="running")
        problem(stranger.client.ask("GET", path), "not_found")


def test_who_left_a_private_game_needs_the_link_again(private, bo):
    path, link = private
    bo.client.post(f"{path}join", {"link": link})
    assert bo.client.post(f"{path}leave").status_code == 204
    with nothing_changes():
        problem(bo.client.ask("GET", path), "not_found")
        problem(bo.client.post(f"{path}leave"), "not_found")
        problem(bo.client.post(f"{path}join"), "not_found")
    assert bo.client.post(f"{path}join", {"link": link}).status_code == 200


def test_who_sits_in_a_private_game_needs_no_link(private, anna):
    assert anna.client.post(f"{private[0]}join").json()["your_seat"] == 0


# Leaving.


def test_a_freed_seat_is_filled_again(public, bo, cilla, stranger):
    bo.client.post(f"{public}join", {"entropy": "bo's"})
    cilla.client.post(f"{public}join", {"entropy": "cilla's"})
    answer = bo.client.post(f"{public}leave")
    assert (answer.status_code, answer.content) == (204, b"")
    assert seated(public) == [(0, "anna", ""), (2, "cilla", "cilla's")]
    assert stranger.client.post(f"{public}join").json()["your_seat"] == 1
    assert seated(public) == [(0, "anna", ""), (1, "stranger", ""), (2, "cilla", "cilla's")]


def test_where_the_owner_leaves_the_game_is_cancelled(public, anna, bo):
    bo.client.post(f"{public}join")
    assert anna.client.post(f"{public}leave").status_code == 204
    game = bo.client.get_json(public)
    assert (game["status"], game["to_act"], game["position"], game["outcome"]) == (
        "cancelled",
        [],
        None,
        None,
    )
    assert game["ended_at"] >= game["created_at"]
    assert game["started_at"] is None
    assert seated(public) == [(0, "anna", ""), (1, "bo", "")]


def test_who_has_no_seat_cannot_leave(public, stranger):
    with nothing_changes():
        problem(stranger.client.post(f"{public}leave"), "not_seated")


# Starting.


def test_a_game_starts_once_every_seat_is_taken(public, anna, bo, cilla):
    with nothing_changes():
        detail = "2 of 3 seats are open."
        problem(anna.client.post(f"{public}start"), "seats_open", seats_open=2, detail=detail)
    bo.client.post(f"{public}join")
    with nothing_changes():
        problem(anna.client.post(f"{public}start"), "seats_open", seats_open=1)
    cilla.client.post(f"{public}join")
    game = anna.client.post(f"{public}start").json()
    assert (game["status"], game["ply"], game["to_act"]) == ("running", 0, [0])
    assert game["created_at"] <= game["started_at"]
    assert game["ended_at"] is None
    hands = game["position"]["view"]["hands"]
    assert [(hand["size"], hand["cards"] is None) for hand in hands] == [(3, False), (3, True), (3, True)]
    assert anna.client.get_json(public) == game


def test_only_the_owner_starts(public, bo, stranger):
    bo.client.post(f"{public}join")
    with nothing_changes():
        problem(bo.client.post(f"{public}start"), "not_owner")
        problem(stranger.client.post(f"{public}start"), "not_seated")


@pytest.mark.parametrize("status", ["running", "finished", "abandoned"])
def test_to_start_again_changes_nothing(anna, bo, make_game, status):
    game = f"games/{make_game('sicksack', [anna, bo])}/"
    put(game, status)
    with nothing_changes():
        again = anna.client.post(f"{game}start", {"entropy": "late"})
    assert (again.status_code, again.json()["status"]) == (200, status)


def test_the_deck_follows_from_the_seed_and_the_entropies_in_seat_order(public, anna, bo, cilla, stranger):
    stranger.client.post(f"{public}join", {"entropy": "of one who left"})
    cilla.client.post(f"{public}join", {"entropy": "cilla's"})
    stranger.client.post(f"{public}leave")
    bo.client.post(f"{public}join", {"entropy": "bo's"})
    anna.client.post(f"{public}start", {"entropy": "anna's"})

    deal = Deal.objects.get()
    seed, entropies = bytes(deal.seed), ["anna's", "bo's", "cilla's"]
    assert deal.deck == shuffle.deck_order(FRENCH_DECK, seed, entropies)
    for other in itertools.permutations(entropies):
        assert (list(other) == entropies) == (shuffle.deck_order(FRENCH_DECK, seed, other) == deal.deck)
    hand = anna.client.get_json(public)["position"]["view"]["hands"][0]["cards"]
    assert sorted(hand) == sorted(deal.deck[:3])


def test_a_deal_that_the_options_fix_needs_no_chance(anna):
    game = anna.client.post("games/", {"ruleset": "freecell", "options": {"deal": 1}}).json()
    started = anna.client.post(f"games/{game['id']}/start", {"entropy": "of no effect"}).json()
    columns = started["position"]["view"]["columns"]
    assert [column[0] for column in columns] == ["JD", "2D", "9H", "JC", "5D", "7H", "7C", "5H"]
    assert columns[0] == ["JD", "KD", "2S", "4C", "3S", "6D", "6S"]


# At the same time.


def at_once(*calls):
    """The answers of calls that run on threads of their own."""
    answers = [None] * len(calls)

    def run(number, call):
        try:
            answers[number] = call()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.fixture
def meet(monkeypatch):
    """Lets calls meet just before they lock the game."""

    def at_the_lock(count):
        barrier, lock = threading.Barrier(count, timeout=10), gathering.lock_game

        def wait_and_lock(*, game_id):
            barrier.wait()
            return lock(game_id=game_id)

        monkeypatch.setattr(gathering, "lock_game", wait_and_lock)

    return at_the_lock


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_once_are_one_deal(meet, anna, bo, make_game):
    game = f"games/{make_game('sicksack', [anna, bo], start=False)}/"
    meet(2)
    answers = at_once(
        lambda: anna.client.post(f"{game}start", {"entropy": "a"}),
        lambda: anna.client.post(f"{game}start", {"entropy": "b"}),
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert Deal.objects.get().deck == shuffle.deck_order(
        FRENCH_DECK, bytes(Deal.objects.get().seed), [seated(game)[0][2], ""]
    )


@pytest.mark.django_db(transaction=True)
def test_of_two_who_want_the_last_seat_one_gets_it(meet, anna, bo, cilla, make_game):
    game = f"games/{make_game('sicksack', [anna], start=False, seats=2)}/"
    meet(2)
    answers = at_once(lambda: bo.client.post(f"{game}join"), lambda: cilla.client.post(f"{game}join"))
    first, second = sorted(answers, key=lambda answer: answer.status_code)
    assert first.status_code == 200
    problem(second, "game_full")
    assert len(seated(game)) == 2


@pytest.mark.django_db(transaction=True)
def test_who_joins_twice_at_once_has_one_seat(meet, anna, bo, make_game):
    game = f"games/{make_game('sicksack', [anna], start=False, seats=3)}/"
    meet(2)
    answers = at_once(*[lambda: bo.client.post(f"{game}join")] * 2)
    assert [answer.json()["your_seat"] for answer in answers] == [1, 1]
    assert [name for _, name, _ in seated(game)] == ["anna", "bo"]


@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_for_a_game_is_asked_to_try_again(anna, bo, make_game):
    game = make_game("sicksack", [anna], start=False, seats=2)

    def join_in_a_hurry():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
            try:
                return bo.client.post(f"games/{game}/join")
            finally:
                cursor.execute("RESET lock_timeout")

    with transaction.atomic(), nothing_changes():
        Game.objects.select_for_update().get(id=game)
        (answer,) = at_once(join_in_a_hurry)
    problem(answer, "unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert bo.client.post(f"games/{game}/join").status_code == 200
