"""Dumps by API: every public game that is over, once, in the order in which they were opened, a proof a line."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import quote

import msgspec
import pytest

from cardsite.jsonbody import timestamp
from games.catalog import CURRENT
from games.models import DailyDeal, Game
from games.proofs import Proof, check_proof, read_proof
from games.services.daily import daily_deals_make, daily_start
from games.services.settling import games_settle
from tests.api.published import assert_documented
from tests.expect import everything, faults, nothing_changes, problem
from tests.proofs import STARTED_AT
from tests.stored_games import some_game, store

NDJSON = "application/x-ndjson"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def opened(answer):
    """The games of a page, each line of which is a proof that holds."""
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == NDJSON
    assert answer.content[-1:] in (b"", b"\n")
    digest = b64encode(sha256(answer.content).digest()).decode()
    assert answer.headers["Content-Digest"] == f"sha-256=:{digest}:"
    proofs = [read_proof(line) for line in answer.content.splitlines()]
    assert all(isinstance(proof, Proof) for proof in proofs)
    assert [check_proof(proof) for proof in proofs] == [None] * len(proofs)
    return [proof.game for proof in proofs]


def following(answer):
    """The path of the next page, or None."""
    link = answer.headers.get("Link")
    if link is None:
        return None
    path, _, rel = link.partition("; ")
    assert rel == 'rel="next"'
    return path.removeprefix("<").removesuffix(">")


def pages(client, path="exports/", between=lambda: None):
    """The games of each page but the last, which has none; something may happen after each."""
    found = []
    while path is not None:
        answer = client.ask("GET", path)
        found.append(opened(answer))
        path = following(answer)
        between()
    assert found.pop() == []
    return found


@pytest.fixture
def over(db):
    """Two games of each rule set that are over, in the order in which they ended; the first ended at once."""
    games = [some_game(number) for number in range(14)]
    store(games)
    games.sort(key=lambda game: (game.log[-1][1], game.game))
    return [str(game.game) for game in games]


@pytest.mark.parametrize(
    ("limit", "sizes"),
    [(1, [1] * 14), (3, [3, 3, 3, 3, 2]), (7, [7, 7]), (13, [13, 1]), (100, [14])],
)
def test_every_game_is_on_one_page_in_the_order_in_which_they_ended(over, anonymous, limit, sizes):
    with nothing_changes():
        found = pages(anonymous, f"exports/?limit={limit}")
    assert [len(page) for page in found] == sizes
    assert [game for page in found for game in page] == over


def test_games_that_ended_at_once_follow_one_another_by_their_ids(over, anonymous):
    ends = [Game.objects.get(id=game).ended_at for game in over]
    together = [game for game, end in zip(over, ends, strict=True) if end == STARTED_AT]
    assert len(together) >= 2
    assert together == sorted(together)
    found = pages(anonymous, "exports/?limit=1")
    assert [game for page in found for game in page][: len(together)] == together


def test_there_are_a_hundred_games_on_a_page_and_no_more(anonymous, db):
    store([some_game(number) for number in range(0, 707, 7)])
    assert [len(page) for page in pages(anonymous)] == [100, 1]
    assert faults(anonymous.ask("GET", "exports/?limit=101")) == ["limit"]


def test_everybody_gets_the_same_lines_which_are_the_proofs(anna, over, staff, anonymous):
    answers = {client.ask("GET", "exports/").content for client in (anonymous, anna.client, staff.client)}
    (content,) = answers
    for game, line in zip(over, content.splitlines(), strict=True):
        assert line == anonymous.ask("GET", f"games/{game}/proof").content


def test_only_public_games_that_are_over_are_there_a_minute_after_their_end(
    anna, bo, stranger, staff, anonymous, make_game, time_passes
):
    resigned, abandoned, timed_out = (
        str(make_game("sicksack", [anna, bo], abandon_after=timedelta(hours=1))) for _ in range(3)
    )
    private = make_game("sicksack", [anna, bo], private=True)
    make_game("sicksack", [anna, bo])
    make_game("sicksack", [anna], start=False)
    anna.client.post(f"games/{make_game('sicksack', [anna], start=False)}/leave")
    for game in (resigned, private):
        assert anna.client.post(f"games/{game}/resign").status_code == 200
    assert bo.client.post(f"games/{timed_out}/resign").status_code == 200
    everybody = [anna.client, bo.client, stranger.client, staff.client, anonymous]
    time_passes(58)
    assert [pages(client) for client in everybody] == [[]] * 5
    time_passes(3)
    assert [pages(client) for client in everybody] == [[[resigned, timed_out]]] * 5
    time_passes(3600)
    games_settle()
    time_passes(61)
    assert [pages(client) for client in everybody] == [[[resigned, timed_out, abandoned]]] * 5
    assert set(Game.objects.values_list("status", flat=True)) == {
        "open", "running", "finished", "cancelled", "abandoned",
    }  # fmt: skip


def test_a_game_that_ends_while_one_pages_is_not_passed_over(
    anna, bo, over, anonymous, make_game, time_passes
):
    ended = []

    def another():
        if len(ended) < 3:
            game = make_game("sicksack", [anna, bo])
            bo.client.post(f"games/{game}/resign")
            ended.append(str(game))
            time_passes(61)

    found = pages(anonymous, "exports/?limit=5", between=another)
    assert [game for page in found for game in page] == [*over, *ended]


def test_the_last_page_leads_on_to_what_ends_later(anna, bo, over, anonymous, make_game, time_passes):
    answer = anonymous.ask("GET", "exports/")
    assert opened(answer) == over
    path = following(answer)
    assert pages(anonymous, path) == []
    game = make_game("sicksack", [anna, bo])
    bo.client.post(f"games/{game}/resign")
    time_passes(61)
    assert pages(anonymous, path) == [[str(game)]]


@pytest.mark.parametrize("limit", [1, 100])
@pytest.mark.parametrize("slug", CURRENT)
def test_the_games_of_a_rule_set_can_be_had_alone(over, anonymous, slug, limit):
    of_slug = {str(game) for game in Game.objects.filter(ruleset=slug).values_list("id", flat=True)}
    found = pages(anonymous, f"exports/?limit={limit}&ruleset={slug}")
    assert [game for page in found for game in page] == [game for game in over if game in of_slug]
    assert len(of_slug) == 2


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_dump_may_begin_and_end_at_a_moment(over, anonymous, limit):
    ends = {game: Game.objects.get(id=game).ended_at for game in over}
    since, until = ends[over[3]], ends[over[11]]
    assert ends[over[0]] < since < until < ends[over[-1]]
    for query, games in (
        (f"since={stamp(since)}", [game for game in over if ends[game] >= since]),
        (f"until={stamp(until)}", [game for game in over if ends[game] < until]),
        (
            f"since={stamp(since)}&until={stamp(until)}",
            [game for game in over if since <= ends[game] < until],
        ),
        (f"since={stamp(until)}&until={stamp(since)}", []),
        (f"since={quote('2026-01-31T14:00:00+02:00')}", over),
        ("since=0001-01-01T00:00:00Z", over),
        ("until=9999-12-31T23:59:59Z", over),
        ("since=9999-12-31T23:59:59Z", []),
    ):
        found = pages(anonymous, f"exports/?limit={limit}&{query}")
        assert [game for page in found for game in page] == games, query


def stamp(moment):
    return quote(timestamp(moment))


def test_a_deal_of_the_day_is_opened_when_the_day_is_over(anna, bo, anonymous, time_stands, make_game):
    """It comes after a game that ended later on that day."""
    time_stands(DAY - timedelta(hours=1))
    daily_deals_make(today=DAY.date())
    time_stands(DAY + timedelta(hours=1))
    of_the_day = daily_start(player=anna, day=DAY.date(), ruleset="camelot")
    move = anna.client.get_json(f"games/{of_the_day}/legal-moves?limit=1")["items"][0]
    anna.client.post(f"games/{of_the_day}/moves", {"ply": 0, "move": move})
    assert anna.client.post(f"games/{of_the_day}/resign").status_code == 200
    time_stands(DAY + timedelta(hours=2))
    later = make_game("sicksack", [anna, bo])
    bo.client.post(f"games/{later}/resign")
    for hours in (23, 24):
        time_stands(DAY + timedelta(hours=hours))
        assert pages(anonymous) == [[str(later)]]
    time_stands(DAY + timedelta(hours=24, seconds=61))
    assert pages(anonymous, "exports/?limit=1") == [[str(later)], [str(of_the_day)]]
    assert pages(anonymous, f"exports/?since={stamp(DAY + timedelta(hours=24))}") == [[str(of_the_day)]]
    assert pages(anonymous, f"exports/?until={stamp(DAY + timedelta(hours=24))}") == [[str(later)]]
    line = msgspec.json.decode(anonymous.ask("GET", "exports/").content.splitlines()[1])
    deal = DailyDeal.objects.get(date=DAY.date(), ruleset="camelot")
    assert (line["daily"], line["seed"]) == (str(deal.id), bytes(deal.seed).hex())


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "1",
        "0." + "0" * 31,
        "0." + "0" * 33,
        "0." + "g" * 32,
        "0." + "A" * 32,
        "-1." + "0" * 32,
        "1e9." + "0" * 32,
        "." + "0" * 32,
        "9" * 18 + "." + "0" * 32,
        "0." + "0" * 32 + "\n",
        " 0." + "0" * 32,
        "٣." + "0" * 32,
        "null",
    ],
)
def test_what_is_no_cursor_is_refused(over, anonymous, cursor):
    with nothing_changes():
        assert faults(anonymous.ask("GET", f"exports/?cursor={quote(cursor)}")) == ["cursor"]


@pytest.mark.parametrize("cursor", ["0." + "0" * 32, "9" * 17 + "." + "f" * 32])
def test_a_cursor_of_any_time_is_one(over, anonymous, cursor):
    found = pages(anonymous, f"exports/?cursor={cursor}")
    assert found == ([over] if cursor.startswith("0") else [])


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("ruleset=chess", "ruleset"),
        ("ruleset=", "ruleset"),
        ("ruleset=null", "ruleset"),
        ("since=yesterday", "since"),
        ("since=2026-01-31", "since"),
        ("since=2026-01-31T12:00:00", "since"),
        ("since=2026-02-30T12:00:00Z", "since"),
        ("since=", "since"),
        ("since=null", "since"),
        ("since=nan", "since"),
        ("since=inf", "since"),
        ("since=1e300", "since"),
        ("until=2026-01-31T12:00:00", "until"),
        ("until=99999999999999999999", "until"),
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("limit=1&limit=2", "limit"),
        ("player=anna", "query"),
    ],
)
def test_a_query_of_another_form_is_told_its_fault(over, anonymous, query, fault):
    with nothing_changes():
        assert faults(anonymous.ask("GET", f"exports/?{query}")) == [fault]


def test_nothing_but_lines_can_be_asked_for(over, anonymous):
    before = everything()
    for accept in ("*/*", NDJSON, "application/*", f"text/html, {NDJSON};q=0.5"):
        answer = anonymous.ask("GET", "exports/", accept=accept)
        assert opened(answer) == over
        assert_documented("/api/v1/exports/", "GET", answer)
    for accept in ("application/json", "text/html"):
        problem(anonymous.ask("GET", "exports/", accept=accept), "not_acceptable")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        problem(anonymous.ask(method, "exports/", {}), "method_not_allowed")
    assert everything() == before
