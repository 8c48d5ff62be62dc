"""Of a try at the deal of the day nobody of the staff is told how it went before the day is over, unless they have
it revealed to them: neither on pages nor by what lists are filtered by. And who sees addresses."""

import re
from uuid import UUID

import pytest

from games.models import Game
from games.selectors.activity import activity
from games.services.revealing import game_reveal
from tests.admin.conftest import GAMES, PLAYERS, REASON
from tests.api.dailies import CLOSING, NOON, WON_DECK, make_deals, path_of, tried, win
from tests.conftest import Client
from tests.expect import nothing_changes, problem

LOOKING = ("viewer", "moderator", "operator", "superuser")
# By what a game is found that went in some way, of the three that `tries` makes: won, lost, and under way.
ASKS = {
    "result=win": "won",
    "result=loss": "lost",
    "result=win&player=anna": "won",
    "length_from=1": "won lost",
    "length_to=1000": "won lost",
    "ending=resigned": "lost",
    "ending=played_out": "won",
    "status=finished": "won lost",
    "status=abandoned": "",
}
ASKS_NOTHING = ("", "daily=yes", "player=anna", "player=bo", "ruleset=freecell", "q=anna")


@pytest.fixture
def tries(anna, bo, cilla, time_stands):
    """Three games with the deal of the day, by how they went; the first took one log entry for each move."""
    time_stands(NOON)
    make_deals(WON_DECK)
    won = anna.client.post(path_of("freecell"), {}).json()["id"]
    win(anna, won)
    lost = tried(bo, "freecell", moves=3)
    under_way = cilla.client.post(path_of("freecell"), {}).json()["id"]
    return {"won": won, "lost": lost, "under way": under_way}


def found(browser, query, tries):
    page = browser.page(f"{GAMES}?{query}")
    return {name for name, game in tries.items() if f'href="{GAMES}{game}/change/' in page}


def tells(page, game):
    """Which of what tells how a game went stand on a page, or in its row of a list."""
    stored = Game.objects.get(id=game)
    _, is_list, after = page.partition('id="result_list"')
    if is_list:
        page = after.partition(f"{GAMES}{game}/change/")[2].partition("</tr>")[0]
    text = re.sub(r"<script.*?</script>|<time.*?</time>|<[^>]*>", " ", page, flags=re.DOTALL)
    words = ("won", "lost", "left", "resigned", "played out", "finished", "abandoned", str(stored.ply))
    return [one for one in words if re.search(rf"(?<![\w-]){one}(?![\w-])", text)]


@pytest.mark.parametrize("role", LOOKING)
def test_nobody_is_told_how_a_try_went_before_the_day_is_over(browsers, anna, bo, tries, role):
    browser = browsers[role]
    for game in (tries["won"], tries["lost"]):
        for path in (f"{GAMES}?q={game}", f"{GAMES}{game}/change/"):
            page = browser.page(path)
            assert tells(page, game) == [], path
            assert "hidden until the day is over" in page
        problem(browser.ask("GET", f"{GAMES}{game}/summary/"), "not_disclosed")
    for player, game in ((anna, tries["won"]), (bo, tries["lost"])):
        page = browser.page(f"{PLAYERS}{player.id}/change/")
        assert f'href="{GAMES}{game}/change/' in page
        assert tells(page, game) == []


@pytest.mark.parametrize("role", LOOKING)
def test_nothing_is_found_by_how_it_went(browsers, tries, role):
    browser = browsers[role]
    assert {query: found(browser, query, tries) for query in ASKS} == {query: set() for query in ASKS}
    assert found(browser, "daily=yes", tries) == set(tries)
    assert found(browser, "status=running", tries) == {"under way"}


def test_it_is_told_when_the_day_is_over(browsers, anna, tries, time_stands):
    time_stands(CLOSING)
    browser = browsers["viewer"]
    assert {query: found(browser, query, tries) for query in ASKS} == {
        query: set(names.split()) for query, names in ASKS.items()
    }
    page = browser.page(f"{GAMES}?q={tries['won']}")
    assert "(won" in page
    assert "played out" in page
    assert "(won" in browser.page(f"{PLAYERS}{anna.id}/change/")
    assert browser.get_json(f"{GAMES}{tries['won']}/summary/")["status"] == "finished"


def test_it_is_told_to_who_had_it_revealed_and_to_nobody_else(browsers, tries):
    moderator, operator = browsers["moderator"], browsers["operator"]
    game_reveal(game_id=tries["won"], by=moderator.player, reason=REASON)
    assert found(moderator, "result=win", tries) == {"won"}
    assert found(moderator, "result=loss", tries) == set()
    page = moderator.page(f"{GAMES}{tries['won']}/change/")
    assert "played out" in page
    assert "<game-board" in page
    assert moderator.get_json(f"{GAMES}{tries['won']}/summary/")["sealed_until"] == "2031-05-15T00:00:00.000Z"
    assert found(operator, "result=win", tries) == set()
    assert tells(operator.page(f"{GAMES}{tries['won']}/change/"), tries["won"]) == []


def test_the_first_page_counts_no_try_before_the_day_is_over(tries, time_stands):
    of_today = activity(days=30)
    assert (of_today.games["freecell"][-1], of_today.moves[-1]) == (0, 0)
    time_stands(CLOSING)
    of_yesterday = activity(days=30)
    length = sum(Game.objects.get(id=tries[name]).ply for name in ("won", "lost"))
    assert (of_yesterday.games["freecell"][-2], of_yesterday.moves[-2]) == (2, length)


@pytest.mark.parametrize("role", ["moderator", "operator", "superuser"])
def test_what_may_not_be_known_to_be_over_is_not_voided(browsers, tries, role):
    browser, words = browsers[role], "Others still play this deal: it can be voided when its day is over"
    for game in tries.values():
        path = f"{GAMES}{game}/void/"
        assert path not in browser.page(f"{GAMES}{game}/change/")
        with nothing_changes():
            asked, sent = browser.ask("GET", path), browser.send(path, reason=REASON)
        assert (asked.status_code, sent.status_code) == (409, 422)
        assert words in asked.content.decode()
        assert words in sent.content.decode()
    game_reveal(game_id=tries["lost"], by=browser.player, reason=REASON)
    path = f"{GAMES}{tries['lost']}/void/"
    assert path in browser.page(f"{GAMES}{tries['lost']}/change/")
    assert browser.send(path, reason=REASON).status_code == 302
    assert Game.objects.get(voiding__by=browser.player).id == UUID(tries["lost"])


def test_a_record_counts_a_try_when_the_day_is_over(anna, tries, time_stands):
    assert Client().get_json("players/anna/record")["items"] == []
    time_stands(CLOSING)
    (record,) = Client().get_json("players/anna/record")["items"]
    assert (record["ruleset"], record["games"], record["wins"]) == ("freecell", 1, 1)


# Addresses.

ADDRESS = "anna.and@example.org"


@pytest.mark.parametrize(
    ("role", "sees"), [("viewer", False), ("moderator", False), ("operator", True), ("superuser", True)]
)
def test_addresses_are_for_who_answers_for_personal_data(browsers, anna, role, sees):
    anna.email = ADDRESS
    anna.save(update_fields=["email"])
    browser = browsers[role]
    assert (ADDRESS in browser.page(f"{PLAYERS}{anna.id}/change/")) is sees
    for query in (ADDRESS, ADDRESS.upper()):
        page = browser.page(f"{PLAYERS}?q={query}")
        assert (f'href="{PLAYERS}{anna.id}/change/"' in page) is sees
    assert ("or an e-mail address" in browser.page(PLAYERS)) is sees
    for lookup in ("email=a", "email__startswith=a", "o=email", "o=3"):
        answer = browser.ask("GET", f"{PLAYERS}?{lookup}")
        assert answer.status_code in (200, 400)
        assert ADDRESS not in answer.content.decode()


@pytest.mark.parametrize("role", LOOKING)
def test_nobody_sets_anothers_password(browsers, anna, role):
    """Players have one sent by mail; the command line sets that of the staff."""
    before = anna.password
    for path in ("password/", "change/password/"):
        answer = browsers[role].send(
            f"{PLAYERS}{anna.id}/{path}", password1="correct horse", password2="correct horse"
        )
        assert answer.status_code in (302, 403, 404)
    assert browsers[role].send(f"{PLAYERS}{anna.id}/change/", password="x").status_code == 403
    anna.refresh_from_db()
    assert anna.password == before
