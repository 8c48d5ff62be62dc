"""Who is asking: by token in every request, by password where tokens are managed."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, authenticate
from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare
from rest_framework import authentication
from rest_framework.authentication import BaseAuthentication, BasicAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, Player, session_handle
from accounts.selectors.accesses import Access, accesses_standing
from accounts.selectors.sanctions import Suspension, suspended, suspension_of
from accounts.selectors.tokens import token_by_secret
from accounts.services.tokens import note_token_use
from accounts.tickets import ticket_access
from cardsite.problems import Problem, TurnedAway

USE_NOTED_EVERY = timedelta(hours=1)


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer card_…`."""

    def authenticate(self, request: Request) -> tuple[Player, ApiToken] | None:
        """The token's player, or None where the header speaks of something else. Raises
        `AuthenticationFailed` or `TurnedAway`."""
        scheme, _, secret = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        try:
            token = token_by_secret(secret=secret.strip().decode("ascii", errors="replace"))
        except Problem as problem:
            raise TurnedAway(problem) from None
        if token is None:
            raise AuthenticationFailed("The token is not valid, or was revoked.")
        # By this machine's clock only to spare a write; the write itself goes by the database's.
        if token.last_used_at is None or datetime.now(UTC) - token.last_used_at >= USE_NOTED_EVERY:
            note_token_use(token_id=token.id, every=USE_NOTED_EVERY)
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class TicketAuthentication(BaseAuthentication):
    """`?ticket=…`, for streams alone."""

    def authenticate(self, request: Request) -> tuple[Player, Access] | None:
        """The ticket's player, or None where there is no ticket. Raises `AuthenticationFailed` or `TurnedAway`."""
        ticket = request.query_params.get("ticket")
        if ticket is None:
            return None
        access = ticket_access(ticket)
        player = Player.objects.filter(id=access.player_id, is_active=True).first() if access else None
        if access is None or player is None:
            raise AuthenticationFailed("The ticket is not valid, or is older than a minute.")
        _turn_away_if_suspended(player.id)
        if not accesses_standing(accesses=[access]):
            raise AuthenticationFailed("The token or session by which the ticket was got has ended.")
        return player, access

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class SessionAuthentication(authentication.SessionAuthentication):
    """A browser that is logged in. That of a player who is suspended is nobody's, and here it is said why."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """The session's player, or None. Raises `TurnedAway`, or `PermissionDenied` without a CSRF token."""
        found: tuple[Player, None] | None = super().authenticate(request)
        suspension = suspension_of_session(request.session) if found is None else None
        if suspension is not None:
            raise TurnedAway(suspended(suspension))
        return found


class PasswordAuthentication(BasicAuthentication):
    """`Authorization: Basic …`, user name and password, for those who have no token yet."""

    www_authenticate_realm = "api"

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """The player, or None where the header speaks of something else. Raises `AuthenticationFailed` or
        `TurnedAway`."""
        try:
            found: tuple[Player, None] | None = super().authenticate(request)
        except Problem as problem:
            raise TurnedAway(problem) from None
        return found


class RightsAuthentication(PasswordAuthentication):
    """The same for what is a player's right while suspended, too: to take away all that is known, and to leave."""

    def authenticate_credentials(
        self, userid: str, password: str, request: Request | None = None
    ) -> tuple[Player, None]:
        """The player. Raises `AuthenticationFailed`, or `Problem` throttled."""
        player = authenticate(request, username=userid, password=password, lets_suspended_in=True)
        if not isinstance(player, Player):
            raise AuthenticationFailed("Invalid username/password.")
        return player, None


def suspension_of_session(session: SessionBase) -> Suspension | None:
    """What keeps out the player who has logged in by a session; of one that a new password has ended nothing is
    told."""
    if SESSION_KEY not in session:
        return None
    player = Player.objects.filter(id=session[SESSION_KEY], is_active=True).first()
    known = session.get(HASH_SESSION_KEY, "")
    if player is None or not constant_time_compare(known, player.get_session_auth_hash()):
        return None
    return suspension_of(player_id=player.id)


def access_of(request: Request) -> Access | None:
    """By what a player is let in who asks, or None for somebody without an account."""
    if not isinstance(request.user, Player):
        return None
    if isinstance(request.auth, Access):
        return request.auth
    if isinstance(request.auth, ApiToken):
        return Access(request.user.id, token_id=request.auth.id)
    by_session = isinstance(request.successful_authenticator, SessionAuthentication)
    key = request.session.session_key if by_session else None
    return Access(request.user.id, session=session_handle(key) if key else None)


def _turn_away_if_suspended(player_id: UUID) -> None:
    suspension = suspension_of(player_id=player_id)
    if suspension is not None:
        raise TurnedAway(suspended(suspension))
