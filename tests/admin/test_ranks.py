"""Who acts on whom: on those alone who rank below oneself, and neither on oneself nor on one's own bots; and
nobody voids a game of their own. What would be refused is not offered."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group

from accounts.models import ApiToken, Player, Sanction, Session
from accounts.selectors.ranks import may_act_on, require_below
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction, sanction_lift
from accounts.services.tokens import token_create
from cardsite.problems import Problem
from games.locks import database_time
from games.services.leaving import game_resign
from games.services.rating import game_void
from tests.admin.conftest import GAMES, PLAYERS, REASON, Browser
from tests.expect import nothing_changes

HOUR = timedelta(hours=1)
BY = ("viewer", "moderator", "operator", "superuser")
# By whom it is acted on, and then by who acts, in the order of BY: `y` where it may be.
MAY = {
    "player": "y y y y",
    "bot of a player": "y y y y",
    "viewer": "- y y y",
    "bot of a viewer": "- y y y",
    "moderator": "- - y y",
    "operator": "- - - y",
    "bot of an operator": "- - - y",
    "superuser": "- - - -",
    "bot of a superuser": "- - - -",
}


@pytest.fixture
def people(make_player, roles):
    """By what they are."""

    def of_role(role, name):
        player = make_player(name, is_staff=True)
        player.groups.add(Group.objects.get(name=role))
        return player

    def bot(owner):
        made, _, _ = bot_create(owner=owner, username=f"bot-of-{owner.username}"[:20], display_name=None)
        return made

    found = {
        "player": make_player("a-player"),
        "superuser": make_player("a-superuser", is_staff=True, is_superuser=True),
        **{role: of_role(role, f"a-{role}") for role in ("viewer", "moderator", "operator")},
    }
    return {
        **found,
        "bot of a player": bot(found["player"]),
        "bot of a viewer": bot(found["viewer"]),
        "bot of an operator": bot(found["operator"]),
        "bot of a superuser": bot(found["superuser"]),
    }


@pytest.fixture
def others(make_player, roles):
    """Who acts, by role: others than those who are acted on."""
    made = {"superuser": Browser(make_player("b-superuser", is_staff=True, is_superuser=True))}
    for role in BY[:-1]:
        player = make_player(f"b-{role}", is_staff=True)
        player.groups.add(Group.objects.get(name=role))
        made[role] = Browser(player)
    return made


def why_not(by, player):
    """Why it is refused to act on an account, or nothing."""
    by, player = (Player.objects.get(id=one.id) for one in (by, player))
    if may_act_on(by=by, player=player):
        require_below(by=by, player=player)
        return None
    with pytest.raises(Problem) as raised:
        require_below(by=by, player=player)
    assert raised.value.code == "forbidden"
    return raised.value.detail


def test_one_acts_on_those_who_rank_below(people, others):
    found = {
        whom: " ".join("-" if why_not(others[by].player, people[whom]) else "y" for by in BY) for whom in MAY
    }
    assert found == MAY


def test_it_is_said_why_not(people, others):
    assert why_not(others["viewer"].player, people["bot of an operator"]) == (
        "bot-of-a-operator ranks as an operator, and only who ranks above acts on that account."
    )
    assert why_not(people["superuser"], people["superuser"]) == "Nobody acts on their own account here."
    assert why_not(people["superuser"], people["bot of a superuser"]) == "Nobody acts on their own bots here."
    assert why_not(people["player"], people["viewer"]) == (
        "a-viewer ranks as a viewer, and only who ranks above acts on that account."
    )
    assert why_not(people["player"], others["viewer"].player) is not None


def test_staff_without_a_role_ranks_as_a_viewer(make_player, others):
    clerk = make_player("clerk", is_staff=True)
    assert why_not(others["viewer"].player, clerk) is not None
    assert why_not(others["moderator"].player, clerk) is None


def of_access(player):
    """The acts that end what an account is entered by, and one of each that is there to be ended."""
    token, _ = token_create(player=player, name="laptop")
    session = Browser(player).session
    handle = Session.objects.get(session_key=session.session_key).handle
    page = f"{PLAYERS}{player.id}/"
    return [
        f"{page}end-tokens/",
        f"{page}end-sessions/",
        f"{page}tokens/{token.id}/end/",
        f"{page}sessions/{handle}/end/",
    ]


ABOVE = [
    ("moderator", "moderator"),
    ("moderator", "operator"),
    ("moderator", "superuser"),
    ("operator", "operator"),
    ("operator", "superuser"),
    ("superuser", "superuser"),
]


@pytest.mark.parametrize(("by", "whom"), ABOVE)
def test_nobody_ends_access_of_equals_or_of_those_above(people, others, by, whom):
    target = people[whom]
    paths = of_access(target)
    page = others[by].page(f"{PLAYERS}{target.id}/change/")
    for path in paths:
        assert f'href="{path}"' not in page
        with nothing_changes():
            answer = others[by].send(path, reason=REASON)
        assert answer.status_code == 422
        assert "only who ranks above acts on that account" in answer.content.decode()


@pytest.mark.parametrize(
    ("by", "whom"), [("moderator", "viewer"), ("operator", "moderator"), ("superuser", "operator")]
)
def test_access_of_those_below_is_ended(people, others, by, whom):
    target = people[whom]
    all_tokens, all_sessions, one_token, one_session = of_access(target)
    page = others[by].page(f"{PLAYERS}{target.id}/change/")
    for path in (one_token, one_session, all_tokens, all_sessions):
        assert f'href="{path}"' in page
        assert others[by].send(path, reason=REASON).status_code == 302
    assert not ApiToken.objects.filter(player=target, revoked_at=None).exists()


@pytest.mark.parametrize("role", ["moderator", "operator", "superuser"])
def test_nobody_acts_on_themselves_or_their_bots(others, role):
    browser = others[role]
    bot, _, _ = bot_create(owner=browser.player, username="robot", display_name=None)
    for path in [*of_access(browser.player), f"{PLAYERS}{bot.id}/end-tokens/"]:
        with nothing_changes():
            answer = browser.send(path, reason=REASON)
        assert answer.status_code == 422
        assert "Nobody acts on their own" in answer.content.decode()
    for one in (browser.player, bot):
        assert offered(browser, one) == set()


def offered(browser, player):
    page = browser.page(f"{PLAYERS}{player.id}/change/")
    return set(re.findall(rf'href="{PLAYERS}{player.id}/([a-z-]+)/"', page)) - {"history", "change"}


OFFERED = {
    ("moderator", "player"): "warn mute suspend end-tokens end-sessions",
    ("moderator", "bot of a player"): "end-tokens",
    ("moderator", "viewer"): "end-tokens end-sessions",
    ("moderator", "operator"): "",
    ("operator", "player"): "warn mute suspend end-tokens end-sessions role erase",
    ("operator", "bot of a player"): "end-tokens erase",
    ("operator", "moderator"): "end-tokens end-sessions role",
    ("operator", "bot of an operator"): "",
    ("superuser", "operator"): "end-tokens end-sessions role",
    ("superuser", "superuser"): "",
}


def test_only_what_would_be_done_is_offered(people, others):
    found = {(by, whom): offered(others[by], people[whom]) for by, whom in OFFERED}
    assert found == {key: set(words.split()) for key, words in OFFERED.items()}


def test_a_name_that_was_chosen_is_reset_likewise(people, others):
    Player.objects.update(display_name="Chosen")
    assert "reset-name" in offered(others["moderator"], people["player"])
    assert "reset-name" in offered(others["moderator"], people["bot of a player"])
    assert "reset-name" not in offered(others["moderator"], people["operator"])
    with nothing_changes():
        answer = others["moderator"].send(f"{PLAYERS}{people['operator'].id}/reset-name/", reason=REASON)
    assert answer.status_code == 422
    assert "a-operator ranks as an operator" in answer.content.decode()


def test_of_an_erased_account_nothing_is_offered(others):
    gone = Player.objects.create(
        username="deleted-1", display_name="deleted player", is_active=False, erased_at=database_time()
    )
    assert offered(others["superuser"], gone) == set()


@pytest.mark.parametrize(
    ("by", "whom"), [("operator", "operator"), ("operator", "superuser"), ("superuser", "superuser")]
)
def test_nobody_takes_the_role_of_equals_or_of_those_above(people, others, by, whom):
    with nothing_changes():
        answer = others[by].send(f"{PLAYERS}{people[whom].id}/role/", role="", reason=REASON)
    assert answer.status_code == 422


def test_an_operator_does_not_erase_the_bot_of_another(people, others):
    bot = people["bot of an operator"]
    with nothing_changes():
        answer = others["operator"].send(f"{PLAYERS}{bot.id}/erase/", reason=REASON, name=bot.username)
    assert answer.status_code == 422
    assert "ranks as an operator" in answer.content.decode()


# Lifting.


def lift_path(player, sanction):
    return f"{PLAYERS}{player.id}/sanctions/{sanction.id}/lift/"


def lifts_not(browser, player, sanction, words):
    """It is neither offered nor done."""
    path = lift_path(player, sanction)
    assert path not in browser.page(f"{PLAYERS}{player.id}/change/")
    with nothing_changes():
        asked = browser.page(path, 403)
        answer = browser.send(path, reason=REASON)
    assert answer.status_code == 422
    for page in (asked, answer.content.decode()):
        assert words in page
    assert 'name="reason"' not in asked


def given_a_role(player, role):
    player.groups.add(Group.objects.get(name=role))
    Player.objects.filter(id=player.id).update(is_staff=True)


def test_nobody_lifts_what_stands_against_themselves_or_those_above(others, anna, boss, roles):
    sanction = player_sanction(player=anna, by=boss.player, kind="mute", reason="rude", until=None)
    given_a_role(anna, "moderator")
    lifts_not(Browser(anna), anna, sanction, "Nobody acts on their own account here.")
    lifts_not(others["moderator"], anna, sanction, "anna ranks as a moderator")
    assert others["operator"].send(lift_path(anna, sanction), reason=REASON).status_code == 302
    sanction.refresh_from_db()
    assert sanction.lifted_by == others["operator"].player


def test_a_warning_is_not_lifted(others, anna, boss):
    warning = player_sanction(player=anna, by=boss.player, kind="warning", reason="rude", until=None)
    lifts_not(others["superuser"], anna, warning, "A warning holds nobody back")


def test_what_is_over_is_not_lifted(others, anna, boss):
    now = database_time()
    over = Sanction.objects.create(
        player=anna, by=boss.player, kind="mute", reason="rude", at=now - 2 * HOUR, until=now - HOUR
    )
    lifts_not(others["superuser"], anna, over, "It is over by itself")
    assert f'href="{PLAYERS}{anna.id}/change/' not in others["superuser"].page(f"{PLAYERS}?sanction=mute")
    with nothing_changes(), pytest.raises(Problem) as raised:
        sanction_lift(player=over.player, sanction_id=over.id, by=boss.player, reason=REASON)
    assert raised.value.code == "forbidden"


# Voiding.


@pytest.mark.parametrize("role", ["moderator", "operator", "superuser"])
@pytest.mark.parametrize("through_a_bot", [False, True])
def test_nobody_voids_a_game_of_their_own(others, anna, make_game, role, through_a_bot):
    browser = others[role]
    player = browser.player
    if through_a_bot:
        player, _, _ = bot_create(owner=browser.player, username="robot", display_name=None)
    game = make_game("sicksack", [anna, player])
    game_resign(game_id=game, player=anna)
    path = f"{GAMES}{game}/void/"
    assert path not in browser.page(f"{GAMES}{game}/change/")
    with nothing_changes():
        answer = browser.send(path, reason=REASON)
    assert answer.status_code == 422
    assert "Who played a game, or whose bot did, does not void it." in answer.content.decode()
    with nothing_changes(), pytest.raises(Problem) as raised:
        game_void(game_id=game, by=browser.player, reason=REASON)
    assert raised.value.code == "forbidden"


def test_others_void_it(others, anna, make_game):
    game = make_game("sicksack", [anna, others["moderator"].player])
    game_resign(game_id=game, player=anna)
    path = f"{GAMES}{game}/void/"
    assert path in others["operator"].page(f"{GAMES}{game}/change/")
    assert others["operator"].send(path, reason=REASON).status_code == 302


def test_what_one_plays_oneself_is_not_offered_to_be_revealed(others, anna, make_game):
    game = make_game("sicksack", [anna, others["moderator"].player])
    path = f"{GAMES}{game}/reveal/"
    assert path not in others["moderator"].page(f"{GAMES}{game}/change/")
    assert path in others["operator"].page(f"{GAMES}{game}/change/")
