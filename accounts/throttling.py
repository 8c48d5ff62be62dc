"""How often somebody may sign up, try a password, and ask for a dump."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import Player
from accounts.names import USERNAME
from accounts.passwords import LONGEST_PASSWORD
from accounts.request_rate import client_address
from accounts.selectors.players import compared_address
from accounts.selectors.sanctions import not_suspended, suspended, suspension_of
from accounts.services.allowances import (
    Allowance,
    allowance_give_back,
    allowance_restore,
    allowance_take,
)
from cardsite.problems import Problem

SIGN_UP = "sign-up"
LOG_IN = "log-in"
FROM_ADDRESS_IN = timedelta(minutes=10)
EXPORT = "export"
PASSWORD_RESET = "password-reset"  # noqa: S105 - a name


def may_sign_up(request: HttpRequest | Request) -> None:
    """Raises `Problem` throttled."""
    of = Allowance(settings.SIGN_UPS_PER_HOUR, timedelta(hours=1))
    allowance_take(of=of, what=SIGN_UP, who=client_address(request))


def may_reset_password(request: HttpRequest, email: str) -> None:
    """Raises `Problem` throttled. Counted alike whether or not anybody has the address: by it as it is looked up,
    so that no other spelling fills somebody's mailbox, and by where it is asked from."""
    of = Allowance(settings.PASSWORD_RESETS_PER_HOUR, timedelta(hours=1))
    for who in (client_address(request), f"to {compared_address(email)}"):
        allowance_take(of=of, what=PASSWORD_RESET, who=who)


def may_export(request: HttpRequest | Request) -> None:
    """Raises `Problem` throttled: a page of a dump takes the work of many requests."""
    player = request.user
    # A bot asks for its owner.
    who = str(player.bot_of_id or player.id) if isinstance(player, Player) else client_address(request)
    of = Allowance(settings.EXPORT_PAGES_PER_MINUTE, timedelta(minutes=1))
    allowance_take(of=of, what=EXPORT, who=who)


class PasswordBackend(ModelBackend):
    """Django's, for every place where a password is taken: the log-in pages, the admin, and HTTP Basic.

    An attempt is counted before the password is looked at, so that many at once get no more: by address alone,
    whatever the names, since each look at a password is dear; and by name and address, so that nobody can lock
    another out from elsewhere. A right password gives all of the name's back, and nothing of the address's.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        *,
        lets_suspended_in: bool = False,
        **kwargs: Any,
    ) -> Player | None:
        """The player, or None. Raises `Problem` throttled, or suspended, which is told to who knows the password
        alone; not where `lets_suspended_in` says that it is about the rights to one's own data."""
        user = self._known(request, username, password, **kwargs)
        suspension = suspension_of(player_id=user.id) if user is not None and not lets_suspended_in else None
        if suspension is not None:
            raise suspended(suspension)
        return user

    def _known(
        self, request: HttpRequest | None, username: str | None, password: str | None, **kwargs: Any
    ) -> Player | None:
        if request is None or username is None:
            return super().authenticate(request, username, password, **kwargs)
        # Nobody has a name of another form, but the database may find somebody by it: a long s is an `S` to it.
        name = username.lower() if re.match(USERNAME, username) else ""
        who = f"{name} {client_address(request)}"
        of = Allowance(settings.LOG_IN_ATTEMPTS, timedelta(minutes=settings.LOG_IN_ATTEMPTS))
        from_address = Allowance(settings.LOG_IN_ATTEMPTS_FROM_ADDRESS, FROM_ADDRESS_IN)
        allowance_take(of=from_address, what=LOG_IN, who=client_address(request))
        try:
            allowance_take(of=of, what=LOG_IN, who=who)
        except Problem:
            # No password is looked at: whoever goes on with one name uses nothing up of what is others' too.
            allowance_give_back(of=from_address, what=LOG_IN, who=client_address(request))
            raise
        if not name or (password is not None and len(password) > LONGEST_PASSWORD):
            return None
        user = super().authenticate(request, username, password, **kwargs)
        if user is not None:
            allowance_restore(what=LOG_IN, who=who)
        return user

    def get_user(self, user_id: UUID) -> Player | None:
        """The player of a session, or None where they may not come in."""
        return not_suspended(Player.objects.filter(id=user_id, is_active=True)).first()
