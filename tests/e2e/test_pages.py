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


@pytest.fixture
def tab(browser):
    """A page of a desktop's size, on which no script may fail and nothing may break the content security policy.
    Other errors that the console is told of are answers that are refusals, and meant."""
    context, faults = browser.new_context(viewport=DESKTOP, color_scheme="light"), []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None
    )
    yield page
    context.close()
    if faults:
        pytest.fail(f"a page met errors: {faults}")


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


def test_one_signs_up_and_makes_and_revokes_a_token(site, tab):
    tab.goto(site.root)
    tab.get_by_role("link", name="Sign up").first.click()
    tab.get_by_label("User name").fill("olga")
    tab.get_by_label("Password").fill("short")
    tab.get_by_role("button", name="Sign up").click()
    field = tab.get_by_label("Password")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("This password is too short"))
    field.fill(PASSWORD)
    tab.get_by_role("button", name="Sign up").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Welcome, olga")
    assert re.fullmatch(r"card_[\w-]{43}", tab.locator("#secret").inner_text())

    tab.get_by_role("link", name="Your tokens").click()
    expect(tab.get_by_role("rowheader")).to_have_text(["sign-up"])
    tab.get_by_label("Name of the new token").fill("laptop")
    tab.get_by_role("button", name="Make a token").click()
    secret = tab.locator("#secret").inner_text()
    asker = Asker(site.served, secret)
    assert asker.get("me/")["username"] == "olga"
    tab.get_by_role("link", name="Revoke laptop").click()
    tab.get_by_role("button", name="Revoke").click()
    expect(tab.get_by_role("status")).to_contain_text("The token is revoked")
    expect(tab.get_by_role("rowheader")).to_have_text(["sign-up"])
    assert asker.ask("GET", "me/")[0] == 401


def test_one_logs_in_and_out(site, member, tab):
    log_in(tab, site, member, "wrong")
    expect(tab.get_by_role("alert")).to_contain_text("Please enter a correct user name and password.")
    log_in(tab, site, member)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Your account")
    tab.get_by_role("button", name="Log out").click()
    expect(tab.get_by_role("link", name="Log in")).to_be_visible()
    tab.goto(f"{site.root}/account/")
    expect(tab).to_have_url(f"{site.root}/log-in?next=/account/")


def test_the_keyboard_is_enough(site, member, tab):
    tab.goto(f"{site.root}/log-in")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("link", name="Skip to the content")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator("main")).to_be_focused()
    tab.keyboard.press("Tab")
    expect(tab.get_by_label("User name")).to_be_focused()
    tab.keyboard.type(member)
    tab.keyboard.press("Tab")
    tab.keyboard.type(PASSWORD)
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Your account")


def test_a_newcomer_finds_a_lost_game_and_has_a_link_to_its_last_move(site, tab):
    loser = site.players[0].name
    tab.goto(site.root)
    tab.get_by_role("link", name="Games", exact=True).first.click()
    tab.get_by_label("Player").fill(loser)
    tab.get_by_label("Result").select_option("Lost")
    tab.get_by_label("Ended from").fill(site.today)
    tab.get_by_label("Ended until").fill(site.today)
    tab.get_by_role("button", name="Find").click()
    expect(tab.get_by_role("rowheader")).to_have_count(1)
    tab.get_by_role("rowheader").get_by_role("link").click()
    expect(tab).to_have_url(f"{site.root}/games/{site.games['lost']}/?ply=5&seat=0")
    last = tab.locator("ol#moves > li").last  # the board, once it is there, has a list of its own
    expect(last).to_have_attribute("aria-current", "true")
    expect(last).to_contain_text(f"{loser} seat 0 gives up")


def test_language_and_colours_are_chosen(site, tab):
    tab.goto(f"{site.root}/rules/")
    background = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(background)
    tab.get_by_role("button", name="Dark").click()
    assert tab.evaluate(background) != light
    expect(tab.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    tab.get_by_role("button", name="Svenska").click()
    expect(tab).to_have_url(f"{site.root}/rules/")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Regelböcker")
    assert tab.evaluate(background) != light
    tab.get_by_role("button", name="Español").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Reglamentos")


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
        "/account/sessions",
        "/account/erase",
        "/tokens/",
        "/your-games/",
        "/nothing",
    ]


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
def test_everybody_can_read_every_page(site, member, browser, scheme, size):
    faults = {}
    visitor, own = (browser.new_context(viewport=size, color_scheme=scheme).new_page() for _ in range(2))
    log_in(own, site, member)
    for path in paths(site):
        page = own if path.startswith(("/account/", "/tokens/", "/your-games/")) else visitor
        page.goto(site.root + path)
        found = serious_faults(page)
        if is_wider_than_the_screen(page):
            found.append("wider than the screen")
        if found:
            faults[path] = found
    for page in (visitor, own):
        page.context.close()
    assert faults == {}


def test_pages_that_others_made_work_under_their_policies(site, member, tab):
    tab.goto(f"{site.root}/api/v1/docs")
    expect(tab.locator(".opblock").first).to_be_visible(timeout=30_000)
    log_in(tab, site, member)
    tab.goto(f"{site.root}/api/v1/games/")
    expect(tab.locator(".response-info")).to_contain_text("HTTP 200 OK")
    tab.get_by_role("button", name=re.compile("OPTIONS")).click()
    expect(tab.locator(".request-info")).to_contain_text("OPTIONS")
    tab.get_by_role("button", name="Log out").click()
    expect(tab).to_have_url(f"{site.root}/")


def test_the_admin_works_under_its_policy(site, tab):
    password = re.search(r"First staff account, shown once: admin / (\S+)", site.log.read_text())
    tab.goto(f"{site.root}/admin/")
    tab.locator("input[name=username]").fill("admin")
    tab.locator("input[name=password]").fill(password[1])
    tab.locator("[type=submit]").first.click()
    expect(tab.locator("a[href='/admin/games/game/']").first).to_be_attached()
    tab.goto(f"{site.root}/admin/games/game/")
    tab.locator(f"a[href*='{site.games['lost']}']").click()
    expect(tab.locator("game-board .ply")).to_have_text("0 / 5")
    tab.keyboard.press("End")
    expect(tab.locator("game-board .ply")).to_have_text("5 / 5")
