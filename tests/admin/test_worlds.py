"""Two worlds that differ in what is hidden: the admin's pages of a running game are the same, whoever looks, until
it is revealed to them."""

import re

import pytest

from games import table
from games.catalog import CURRENT
from games.models import DailyDeal, Deal, Game
from games.rules.contract import read_options
from games.services.daily import daily_deals_make, daily_start
from games.services.leaving import game_resign
from games.services.playing import moves_play
from games.services.revealing import game_reveal
from games.table import Entry, Setup
from tests.admin.conftest import AUDIT, DAILIES, GAMES, PLAYERS, REASON
from tests.api.dailies import CLOSING, DAY, NOON
from tests.api.worlds import VARIES, other_world
from tests.expect import problem

SLUGS = [slug for slug, rules in CURRENT.items() if rules.hides]
ROLES = ("viewer", "moderator", "operator", "superuser")
TIMES = re.compile(
    r"\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d(?::\d\d)?|(?<=datetime=\")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
)
PLIES = 8


def two_worlds(slug, rng):
    """Two deals of which a spectator sees the same, and the moves that are made in both."""
    rules = CURRENT[slug]
    options = rules.resolve(read_options(rules, {}), rules.seats[0])
    for _ in range(20):
        deck = list(rules.deck(options))
        rng.shuffle(deck)
        setup = Setup(rules, options, rules.seats[0], tuple(deck))
        position, entries = table.lay_out(setup), []
        while len(entries) < PLIES and position.ending is None:
            seat = position.to_act[0]
            entries.append(Entry(seat, rng.choice(list(rules.legal_moves(position.state, seat)))))
            position = table.advance(position, entries[-1]).after
        other = other_world(setup, entries, None, rng)
        if position.ending is None and other.deck != setup.deck:
            return setup, other, entries
    pytest.fail("no second world was found")


@pytest.fixture
def world(anna, bo, make_game_of):
    """Plays moves in a game dealt from a deck order: its id."""

    def make(setup, entries):
        players = [anna, bo][: setup.seats]
        game = make_game_of(setup.deck, setup.rules.slug, players)
        for ply, entry in enumerate(entries):
            body = {"ply": ply, "move": table.stored_move(entry.move)}
            answer = players[entry.seat].client.post(f"games/{game}/moves", body)
            assert answer.status_code == 201, answer.content
        return game

    return make


def looks(game):
    """Where something of a game is shown."""
    page = f"{GAMES}{game}/"
    yield f"{page}change/"
    yield f"{page}change/?ply=3&seat=1"
    yield f"{page}summary/"
    yield f"{page}replay/"
    yield f"{page}replay/?cursor=2&limit=3"
    yield f"{page}replay/?seat=spectator"
    yield f"{page}replay/?seat=0"
    yield f"{page}void/"
    yield f"{page}reveal/"
    yield f"{GAMES}?q={game}"
    yield f"{AUDIT}?game={game}"


def shown(browser, path, game):
    """What a page shows, without ids, times, commitment and CSRF tokens."""
    answer = browser.ask("GET", path)
    content = answer.content.decode()
    commitment = Game.objects.get(id=game).commitment
    for own in (str(game), str(game)[-12:], *([commitment] if commitment else ())):
        content = content.replace(own, "*")
    return answer.status_code, TIMES.sub("*", VARIES.sub("*", content))


@pytest.mark.parametrize("slug", SLUGS)
def test_pages_of_a_running_game_are_the_same_in_two_worlds(slug, browsers, world, rng):
    setup, other, entries = two_worlds(slug, rng)
    games = world(setup, entries), world(other, entries)
    for role in ROLES:
        for mine, theirs in zip(looks(games[0]), looks(games[1]), strict=True):
            one = shown(browsers[role], mine, games[0])
            assert one == shown(browsers[role], theirs, games[1]), (role, mine)
            assert one[0] in (200, 403, 409)
    for game in games:
        game_reveal(game_id=game, by=browsers["moderator"].player, reason=REASON)
    pages = [shown(browsers["moderator"], f"{GAMES}{game}/replay/", game) for game in games]
    assert pages[0] != pages[1]
    # To one of the staff, and to nobody else.
    pages = [shown(browsers["superuser"], f"{GAMES}{game}/replay/", game) for game in games]
    assert pages[0] == pages[1]


@pytest.fixture
def attempt(anna, time_stands):
    """A game with the deal of the day, of which something was turned up."""
    time_stands(NOON)
    daily_deals_make(today=DAY)
    game = daily_start(player=anna, day=DAY, ruleset="camelot")
    moves_play(game_id=game, player=anna, body=b'{"ply": 0, "move": {"type": "deal"}}')
    return game


@pytest.mark.parametrize("is_over", [False, True])
def test_nothing_of_a_deal_that_others_play_is_shown(browsers, anna, attempt, time_stands, is_over):
    if is_over:
        game_resign(game_id=attempt, player=anna)
    moderator = browsers["moderator"]
    for role in ROLES:
        page = browsers[role].page(f"{GAMES}{attempt}/change/")
        assert "Others still play this deal" in page
        assert "<game-board" not in page
        problem(browsers[role].ask("GET", f"{GAMES}{attempt}/replay/"), "not_disclosed")
    assert f"{GAMES}{attempt}/reveal/" in moderator.page(f"{GAMES}{attempt}/change/")
    game_reveal(game_id=attempt, by=moderator.player, reason=REASON)
    assert "<game-board" in moderator.page(f"{GAMES}{attempt}/change/")
    view = moderator.get_json(f"{GAMES}{attempt}/replay/")["items"][-1]["position"]["view"]
    assert len(view["stock"]["cards"]) == 51
    assert "<game-board" not in browsers["operator"].page(f"{GAMES}{attempt}/change/")
    time_stands(CLOSING)
    if is_over:
        assert "<game-board" in browsers["viewer"].page(f"{GAMES}{attempt}/change/")


def test_a_deal_of_the_day_is_opened_when_the_day_is_over(browsers, attempt, time_stands):
    deal = DailyDeal.objects.get(date=DAY, ruleset="camelot")
    hidden = (bytes(deal.seed).hex(), " ".join(deal.deck))
    page = browsers["superuser"].page(f"{DAILIES}{deal.id}/change/")
    assert [one for one in hidden if one in page] == []
    assert page.count("opened when the day is over") == 2
    assert deal.commitment in page
    time_stands(CLOSING)
    page = browsers["viewer"].page(f"{DAILIES}{deal.id}/change/")
    assert [one for one in hidden if one in page] == list(hidden)


def test_no_page_has_a_seed_an_entropy_a_digest_or_a_password(browsers, things, anna, game):
    deal = Deal.objects.get(game=game["id"])
    secrets = [
        bytes(deal.seed).hex(),
        ",".join(deal.deck),
        " ".join(deal.deck[:3]),
        "entropy-of",
        game["link"],
        bytes(Game.objects.get(id=game["id"]).link_digest).hex(),
        anna.secret,
        anna.password,
        anna.password.rpartition("$")[2],
        *(bytes(token.digest).hex() for token in anna.tokens.all()),
        *(session.session_key for session in anna.sessions.all()),
    ]
    assert all(secrets)
    for path in (
        "/admin/",
        PLAYERS,
        f"{PLAYERS}{anna.id}/change/",
        GAMES,
        f"{GAMES}{game['id']}/change/",
        f"{GAMES}{game['id']}/replay/",
        DAILIES,
        f"{DAILIES}{things.deal}/change/",
        AUDIT,
    ):
        content = browsers["superuser"].page(path)
        assert [secret for secret in secrets if secret in content] == []
