"""What an old password still does that was right as a request began, and was changed before it wrote: nothing."""

import pytest

from accounts.models import Player
from accounts.services.erasing import BY_ONESELF
from accounts.services.passwords import password_set
from accounts.services.players import bot_create, player_update
from accounts.services.tokens import token_create
from cardsite.problems import Problem
from games.services.erasing import player_erase
from tests.expect import nothing_changes

ACTS = {
    "a token": lambda stale: token_create(player=stale, name="mine"),
    "an address": lambda stale: player_update(player=stale, email="thief@example.org", display_name=None),
    "a bot": lambda stale: bot_create(owner=stale, username="robot", display_name=None),
    "an erasure": lambda stale: player_erase(player=stale, by=stale, reason=BY_ONESELF),
}


@pytest.fixture
def stale(anna):
    """Anna as a request has read her that came by her old password."""
    read = Player.objects.get(id=anna.id)
    password_set(player=Player.objects.get(id=anna.id), password="a quite new otter", revokes_tokens=True)
    return read


@pytest.mark.parametrize("act", ACTS)
def test_an_old_password_does_nothing_once_it_was_changed(stale, act):
    with nothing_changes(), pytest.raises(Problem, match="The password was changed meanwhile") as raised:
        ACTS[act](stale)
    assert raised.value.code == "forbidden"


@pytest.mark.parametrize("act", ACTS)
def test_the_new_one_does(stale, act):
    ACTS[act](Player.objects.get(id=stale.id))


def test_nor_does_it_erase_a_bot(anna, make_player):
    bot = make_player("robot")
    Player.objects.filter(id=bot.id).update(bot_of=anna)
    read = Player.objects.get(id=anna.id)
    password_set(player=Player.objects.get(id=anna.id), password="a quite new otter", revokes_tokens=False)
    with nothing_changes(), pytest.raises(Problem, match="The password was changed meanwhile"):
        player_erase(player=Player.objects.get(id=bot.id), by=read, reason=BY_ONESELF)
