"""Who is asking: by token in every request, by password where tokens are managed."""

from datetime import UTC, datetime, timedelta

from rest_framework.authentication import BaseAuthentication, BasicAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, Player
from accounts.selectors.tokens import token_by_secret
from accounts.services.tokens import note_token_use
from accounts.tickets import ticket_holder

USE_NOTED_EVERY = timedelta(hours=1)


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer card_…`."""

    def authenticate(self, request: Request) -> tuple[Player, ApiToken] | None:
        """The token's player, or None where the header speaks of something else. Raises
        `AuthenticationFailed`."""
        scheme, _, secret = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        token = token_by_secret(secret=secret.strip().decode("ascii", errors="replace"))
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

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """The ticket's player, or None where there is no ticket. Raises `AuthenticationFailed`."""
        ticket = request.query_params.get("ticket")
        if ticket is None:
            return None
        holder = ticket_holder(ticket)
        player = Player.objects.filter(id=holder, is_active=True).first() if holder else None
        if player is None:
            raise AuthenticationFailed("The ticket is not valid, or is older than a minute.")
        return player, None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class PasswordAuthentication(BasicAuthentication):
    """`Authorization: Basic …`, user name and password, for those who have no token yet."""

    www_authenticate_realm = "api"
