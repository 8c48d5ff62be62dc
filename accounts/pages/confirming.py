"""That it is the player who sits at a browser."""

from django.contrib.auth import authenticate, update_session_auth_hash
from django.http import HttpRequest

from accounts.models import Player
from cardsite.pages import player_asking


def player_confirmed(request: HttpRequest, password: str) -> Player | None:
    """The player who asks, as the account now stands, or None where this is not the password. Raises `Problem`
    throttled or suspended."""
    known = authenticate(request, username=player_asking(request).username, password=password)
    if not isinstance(known, Player):
        return None
    if known.password != player_asking(request).password:
        # A hash of before was renewed by the right password, and sessions of the old one are over.
        update_session_auth_hash(request, known)
    return known
