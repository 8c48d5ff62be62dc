"""Replays and positions with the eyes of a seat: what it saw when the game had come so far, byte for byte, once
all is open; and while the game goes on nothing but one's own and a spectator's."""

from datetime import UTC, datetime, timedelta

import pytest

from games import table
from games.catalog import CURRENT
from games.services.daily import daily_deals_make
from tests.api.published import assert_documented
from tests.api.test_every_game import golden
from tests.expect import faults, nothing_changes, problem
from tests.rules.variants import VARIANTS

PLAYED_OUT = 50
"""A game of so many moves is played to its end; of a longer one the beginning, and then the seats give up."""
BEGINNING = 16
NOON = datetime(2031, 5, 14, 12, tzinfo=UTC)


def content(client, path, **headers):
    answer = client.ask("GET", path, **headers)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def frames_in(text):
    """The frames of a page as they were sent."""
    return text.partition('"items":[')[2].rpartition('],"next"')[0]


@pytest.fixture
def players(make_player):
    return [make_player(name) for name in ("anna", "bo", "cilla", "david", "eva", "filip")]


@pytest.mark.parametrize(
    ("number", "variant"), list(enumerate(VARIANTS)), ids=[variant.name for variant in VARIANTS]
)
def test_afterwards_each_sees_again_what_it_saw_byte_for_byte(
    number, variant, players, anonymous, make_game_of
):
    setup, entries, _ = golden(variant)
    seated = players[: variant.seats]
    game = make_game_of(setup.deck, variant.slug, seated, options=variant.options, seats=variant.seats)
    path, own = f"games/{game}/", number % variant.seats
    looking = {str(own): seated[own].client, "spectator": anonymous}
    recorded = {viewer: [] for viewer in looking}

    def record():
        """What was not yet looked at of how far the game has come."""
        plies = anonymous.get_json(path)["ply"]
        for viewer, client in looking.items():
            for ply in range(len(recorded[viewer]), plies + 1):
                frame = frames_in(content(client, f"{path}replay?cursor={ply}&limit=1"))
                recorded[viewer].append((frame, content(client, f"{path}positions/{ply}")))

    record()
    is_played_out = len(entries) <= PLAYED_OUT
    for ply, entry in enumerate(entries if is_played_out else entries[:BEGINNING]):
        body = {"ply": ply, "move": table.stored_move(entry.move)}
        assert seated[entry.seat].client.post(f"{path}moves", body).status_code == 201
        record()
    for player in () if is_played_out else seated[:-1] or seated:
        assert player.client.post(f"{path}resign").status_code == 200
        record()
    assert anonymous.get_json(path)["status"] == "finished"

    for viewer, seen in recorded.items():
        again = content(anonymous, f"{path}replay?seat={viewer}&limit=100")
        assert frames_in(again) == ",".join(frame for frame, _ in seen)
        for ply in range(0, len(seen), 5):
            assert content(seated[-1].client, f"{path}positions/{ply}?seat={viewer}") == seen[ply][1]
    opened = content(anonymous, f"{path}replay?limit=100")
    assert (frames_in(opened) != ",".join(frame for frame, _ in recorded["spectator"])) == setup.rules.hides


def test_every_rule_set_is_played_to_its_end_and_given_up():
    lengths = {variant.slug: set() for variant in VARIANTS}
    for variant in VARIANTS:
        lengths[variant.slug].add(len(golden(variant)[1]) <= PLAYED_OUT)
    assert set(lengths) == set(CURRENT)
    assert {True, False} == set().union(*lengths.values())


def test_words_are_as_they_were_in_the_language_that_is_asked_for_now(anna, bo, anonymous, make_sicksack):
    path = f"games/{make_sicksack([anna, bo], '5H 9C KD 4S 3C 2D 7S 6D')}/"
    anna.client.post(f"{path}moves", {"ply": 0, "move": {"type": "play", "card": "5H"}})
    bo.client.post(f"{path}resign")
    for viewer, words in (("0", "drar 7S"), ("1", "drar ett kort"), ("spectator", "drar ett kort")):
        frames = anonymous.get_json(f"{path}replay?seat={viewer}", accept_language="sv")["items"]
        assert frames[1]["entry"]["text"] == f"plats 0 spelar 5H, {words}"


def test_a_page_leads_to_the_next_with_the_same_eyes_and_is_as_documented(anna, bo, anonymous, make_sicksack):
    path = f"games/{make_sicksack([anna, bo], '5H 9C KD 4S 3C 2D 7S 6D')}/"
    anna.client.post(f"{path}moves", {"ply": 0, "move": {"type": "play", "card": "5H"}})
    bo.client.post(f"{path}resign")
    page = anonymous.get_json(f"{path}replay?limit=1&seat=1")
    assert page["next"] == f"/api/v1/{path}replay?limit=1&seat=1&cursor=1"
    hands = page["items"][0]["position"]["view"]["hands"]
    assert [hand["cards"] for hand in hands] == [None, ["2D", "3C", "4S"]]
    for where in (f"{path}replay?seat=1", f"{path}positions/0?seat=spectator"):
        assert_documented(f"/api/v1/{where}", "GET", anonymous.ask("GET", where))


@pytest.mark.parametrize("slug", [slug for slug, rules in CURRENT.items() if max(rules.seats) == 1])
def test_a_try_at_the_deal_of_the_day_is_seen_as_its_player_saw_it(slug, anna, anonymous, time_stands):
    time_stands(NOON)
    daily_deals_make(today=NOON.date())
    game = anna.client.post(f"daily/{NOON.date()}/{slug}/", {}).json()["id"]
    path = f"games/{game}/"
    for ply in range(2):
        move = anna.client.get_json(f"{path}legal-moves?limit=1")["items"][0]
        assert anna.client.post(f"{path}moves", {"ply": ply, "move": move}).status_code == 201
    anna.client.post(f"{path}resign")
    then = content(anna.client, f"{path}replay")
    for viewer in ("0", "spectator"):
        assert content(anna.client, f"{path}replay?seat={viewer}") == then
        problem(anonymous.ask("GET", f"{path}replay?seat={viewer}"), "not_found")
    time_stands(NOON + timedelta(hours=12))
    for viewer in ("0", "spectator"):
        assert content(anonymous, f"{path}replay?seat={viewer}") == then
    assert (content(anonymous, f"{path}replay") != then) == CURRENT[slug].hides


@pytest.mark.parametrize("slug", [slug for slug, rules in CURRENT.items() if max(rules.seats) > 1])
def test_while_a_game_goes_on_each_gets_its_own_view_a_spectators_and_no_other(
    slug, anna, bo, anonymous, make_game
):
    path = f"games/{make_game(slug, [anna, bo])}/"
    for where in ("replay", "positions/0"):
        spectator = content(anonymous, path + where)
        for seat, player in (("0", anna), ("1", bo)):
            own = content(player.client, path + where)
            assert content(player.client, f"{path}{where}?seat={seat}") == own != spectator
        for client in (anna.client, bo.client, anonymous):
            assert content(client, f"{path}{where}?seat=spectator") == spectator
        for client, seats in ((anna.client, "1"), (bo.client, "0"), (anonymous, "01")):
            for seat in seats:
                with nothing_changes():
                    answer = client.ask("GET", f"{path}{where}?seat={seat}")
                body = problem(answer, "not_disclosed")
                assert set(body) == {"type", "title", "status", "detail", "code"}
                assert_documented(f"/api/v1/{path}{where}", "GET", answer)


def test_a_seat_that_the_game_has_not_is_not_found(anna, bo, anonymous, make_game):
    path = f"games/{make_game('kraftkort', [anna, bo])}/"
    for _ in range(2):
        for where in ("replay", "positions/0"):
            for seat in (2, 9):
                with nothing_changes():
                    problem(anonymous.ask("GET", f"{path}{where}?seat={seat}"), "not_found", seats=2)
        bo.client.post(f"{path}resign")


@pytest.mark.parametrize("seat", ["", "-1", "10", "x", "Spectator", "0%0A", "null", "0&seat=1"])
@pytest.mark.parametrize("where", ["replay", "positions/0"])
def test_what_is_no_seat_is_refused(where, seat, anna, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    with nothing_changes():
        assert faults(anna.client.ask("GET", f"{path}{where}?seat={seat}")) == ["seat"]


def test_a_game_of_one_that_hides_nothing_more_is_seen_alike_by_all(anna, anonymous, make_game):
    path = f"games/{make_game('freecell', [anna], options={'deal': 1})}/"
    anna.client.post(f"{path}moves", {"ply": 0, "notation": "5a 5b"})
    for viewer in ("0", "spectator"):
        assert content(anna.client, f"{path}replay?seat={viewer}") == content(anonymous, f"{path}replay")
