"""Two worlds that a viewer cannot tell apart: pages are the same in both."""

import re

import pytest

from games.services.daily import daily_deals_make, daily_start
from tests.api.dailies import DAY, NOON, PATIENCES, first_moves, make_deals, resign
from tests.api.test_leaks import two_worlds
from tests.api.worlds import VARIES
from tests.pages.conftest import Browser

# Times are in words here, and what comes of a commitment stands as text.
VARIES_ON_PAGES = re.compile(
    rf'{VARIES.pattern}|datetime="[^"]*">[^<]*<|(?<=<code>)[0-9a-f]{{64}}|value="\w{{64}}"'
)


def shown(answer):
    headers = {name: value for name, value in answer.headers.items() if name not in ("ETag", "X-Request-ID")}
    return answer.status_code, headers, VARIES_ON_PAGES.sub("*", answer.content.decode())


@pytest.mark.parametrize("viewer", [0, 1, 2, "stranger", "anonymous"])
@pytest.mark.parametrize("plies", [0, 13, 46])
def test_what_is_hidden_from_a_viewer_changes_no_page(
    plies,
    viewer,
    world,
    anna,
    bo,
    cilla,
    stranger,
    browser_of,
    rng,
):
    who = {0: anna, 1: bo, 2: cilla, "stranger": stranger}.get(viewer)
    browser = Browser() if who is None else browser_of(who)
    setup, other, entries = two_worlds(plies, viewer, rng)
    games = world(setup, entries), world(other, entries)
    looks = [
        "",
        *(f"?ply={ply}" for ply in {0, 1, len(entries)} if ply <= len(entries)),
        "?seat=0",
        "?seat=1",
        "?seat=spectator",
        f"?ply={len(entries) + 1}&seat=0",
    ]
    for look in looks:
        one, two = (shown(browser.get(f"/games/{game}/{look}")) for game in games)
        assert one == two, look
        assert one[0] == 200
    listing = browser.page("/games/?state=running")
    rows = {
        game: re.search(
            rf'<tr role="row"(?: class="own")?>\s*<th[^>]*><a href="/games/{game}/.*?</tr>',
            listing,
            re.DOTALL,
        )
        for game in games
    }
    one, two = (VARIES_ON_PAGES.sub("*", rows[game][0]) for game in games)
    assert one == two
    # As a check of the check: a hand that is seen is there, in the words of the moves or not at all.
    assert "seat 0" in shown(browser.get(f"/games/{games[0]}/"))[2] or not entries


@pytest.mark.parametrize("slug", PATIENCES)
def test_what_is_left_of_a_deck_of_the_day_is_on_no_page(slug, anna, browser_of, visitor, time_stands):
    time_stands(NOON)
    make_deals()
    game = daily_start(player=anna, day=DAY, ruleset=slug)
    first_moves(anna, game)
    resign(anna, game)
    own = browser_of(anna)
    for browser in (own, visitor):
        page = browser.page(f"/daily/{DAY}/{slug}/")
        assert "The cards, first dealt first" not in page
        assert "Seed" not in page
    assert visitor.get(f"/games/{game}/").status_code == 404
    page = own.page(f"/games/{game}/")
    assert "nobody else sees this game" in page
    assert "/proof" not in page
    assert f"/games/{game}/" not in visitor.page("/games/")
    assert f"/games/{game}/" not in visitor.page("/")
    assert f"/games/{game}/" not in visitor.page("/players/anna/")
    assert f"/games/{game}/" in own.page("/players/anna/")


def test_deals_ahead_show_their_commitment_alone(visitor, time_stands):
    time_stands(NOON)
    daily_deals_make(today=DAY)
    page = visitor.page("/daily/2031-05-20/camelot/")
    assert "Sealed, and committed to" in page
    assert len(re.findall(r"<code>[0-9a-f]{64}</code>", page)) == 1
    assert not re.search(r"\b(?:[2-9TJQKA][SHDC] ){3}", page)
