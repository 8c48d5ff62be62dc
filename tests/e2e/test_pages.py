"""The pages for people in a browser: accounts, tokens, finding a game, and whether everybody can read them."""

import re
import time
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from cardsite import embedded
from games.catalog import CURRENT
from tests.e2e.browser import DESKTOP, PHONE, is_wider_than_the_screen, serious_faults
from tests.e2e.following import Asker, serving

PASSWORD = "brown-otter-47"


@pytest.fixture(scope="module")
def site(browser, tmp_path_factory):
    """A server, which is not started where there is no browser, with games of a player: lost, won and running."""
    log = tmp_path_factory.mktemp("pages") / "serve.log"
    with embedded.throwaway() as cluster, serving(cluster.dsn, log, "--workers", "1") as served:
        root = f"http://127.0.0.1:{served.port}"
        players = [served.player(), served.player()]
        games = {}
        for name, loser in (("lost", 0), ("won", 1), ("running", None)):
            clock = {"type": "turn", "seconds": 3600}
            games[name] = served.game("sicksack", players, clock=clock, rated=True)
            for ply in range(4):
                _move(players, games[name], ply)
            if loser is not None:
                players[loser].asker.post(f"games/{games[name]}/resign")
        today = str(datetime.now(UTC).date())
        _deals_are_made(served, today)
        yield SimpleNamespace(served=served, root=root, players=players, games=games, today=today, log=log)


def _move(players, game, ply):
    seat = players[0].asker.get(f"games/{game}/")["to_act"][0]
    legal = players[seat].asker.get(f"games/{game}/legal-moves?limit=1")["items"]
    players[seat].asker.post(f"games/{game}/moves", {"ply": ply, "move": legal[0]})


def _deals_are_made(served, today):
    """The worker makes them in its first minute."""
    asker = Asker(served)
    for _ in range(90):
        if any(deal["date"] == today for deal in asker.get("daily/")["items"]):
            return
        time.sleep(1)
    pytest.fail("no deals of the day were made")


def log_in(page, site, username, password=PASSWORD):
    page.goto(f"{site.root}/log-in")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


@pytest.fixture(scope="module")
def member(site):
    """Somebody with a password: the name."""
    Asker(site.served).post(
        "accounts/", {"username": "nils", "password": PASSWORD, "email": "nils@example.org"}
    )
    return "nils"


def test_one_signs_up_and_makes_and_revokes_a_token(site, page):
    page.goto(site.root)
    page.get_by_role("link", name="Sign up").first.click()
    page.get_by_label("User name").fill("olga")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Sign up").click()
    field = page.get_by_label("Password")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("This password is too short"))
    field.fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome, olga")
    assert re.fullmatch(r"card_[\w-]{43}", page.locator("#secret").inner_text())

    page.get_by_role("link", name="Your tokens").click()
    expect(page.get_by_role("rowheader")).to_have_text(["sign-up"])
    page.get_by_label("Name of the new token").fill("laptop")
    page.get_by_role("button", name="Make a token").click()
    secret = page.locator("#secret").inner_text()
    asker = Asker(site.served, secret)
    assert asker.get("me/")["username"] == "olga"
    page.get_by_role("link", name="Revoke laptop").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("status")).to_contain_text("The token is revoked")
    expect(page.get_by_role("rowheader")).to_have_text(["sign-up"])
    assert asker.ask("GET", "me/")[0] == 401


def test_one_logs_in_and_out(site, member, page):
    log_in(page, site, member, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("Please enter a correct user name and password.")
    log_in(page, site, member)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    page.goto(f"{site.root}/account/")
    expect(page).to_have_url(f"{site.root}/log-in?next=/account/")


def test_the_keyboard_is_enough(site, member, page):
    page.goto(f"{site.root}/log-in")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type(member)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")


def test_a_newcomer_finds_a_lost_game_and_has_a_link_to_its_last_move(site, page):
    loser = site.players[0].name
    page.goto(site.root)
    page.get_by_role("link", name="Games", exact=True).first.click()
    page.get_by_label("Player").fill(loser)
    page.get_by_label("Result").select_option("Lost")
    page.get_by_label("Ended from").fill(site.today)
    page.get_by_label("Ended until").fill(site.today)
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("rowheader")).to_have_count(1)
    page.get_by_role("rowheader").get_by_role("link").click()
    expect(page).to_have_url(f"{site.root}/games/{site.games['lost']}/?ply=5&seat=0")
    last = page.locator(".moves li").last
    expect(last).to_have_attribute("aria-current", "true")
    expect(last).to_contain_text(f"{loser} seat 0 gives up")


def test_language_and_colours_are_chosen(site, open_page):
    page = open_page(color_scheme="light")
    page.goto(f"{site.root}/rules/")
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(background) != light
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Svenska").click()
    expect(page).to_have_url(f"{site.root}/rules/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Regelböcker")
    assert page.evaluate(background) != light
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reglamentos")


def paths(site):
    lost = site.games["lost"]
    return [
        "/",
        "/games/",
        f"/games/?player={site.players[0].name}&result=loss",
        "/games/?player=nobody&result=draw",
        f"/games/{lost}/?ply=5&seat=0",
        f"/games/{site.games['running']}/",
        "/leaderboards/",
        "/leaderboards/sicksack/",
        "/leaderboards/camelot/?around=nobody",
        "/daily/",
        f"/daily/{site.today}/camelot/",
        f"/players/{site.players[0].name}/",
        "/rules/",
        *(f"/rules/{slug}/" for slug in list(CURRENT)[:2]),
        "/sign-up",
        "/log-in",
        "/password-reset/",
        "/password-reset/sent",
        "/password-reset/x/y/",
        "/account/",
        "/account/password",
        "/tokens/",
        "/nothing",
    ]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_every_page(site, member, browser, scheme, size):
    """Without the console being looked at: that a page is not there is an error to it."""
    faults = {}
    visitor, own = (browser.new_context(viewport=size, color_scheme=scheme).new_page() for _ in range(2))
    log_in(own, site, member)
    for path in paths(site):
        page = own if path.startswith(("/account/", "/tokens/")) else visitor
        page.goto(site.root + path)
        found = serious_faults(page)
        if is_wider_than_the_screen(page):
            found.append("wider than the screen")
        if found:
            faults[path] = found
    for page in (visitor, own):
        page.context.close()
    assert faults == {}


def test_pages_that_others_made_work_under_their_policies(site, member, page):
    page.goto(f"{site.root}/api/v1/docs")
    expect(page.locator(".opblock").first).to_be_visible(timeout=30_000)
    log_in(page, site, member)
    page.goto(f"{site.root}/api/v1/games/")
    expect(page.locator(".response-info")).to_contain_text("HTTP 200 OK")
    page.get_by_role("button", name=re.compile("OPTIONS")).click()
    expect(page.locator(".response-info")).to_contain_text("HTTP 200 OK")


def test_the_admin_works_under_its_policy(site, page):
    password = re.search(r"First staff account, shown once: admin / (\S+)", site.log.read_text())
    page.goto(f"{site.root}/admin/")
    page.locator("input[name=username]").fill("admin")
    page.locator("input[name=password]").fill(password[1])
    page.locator("[type=submit]").first.click()
    expect(page.locator("a[href='/admin/games/game/']").first).to_be_attached()
    page.goto(f"{site.root}/admin/games/game/")
    expect(page.locator("body")).to_contain_text(site.games["lost"][:8])
