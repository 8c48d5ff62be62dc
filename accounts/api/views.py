"""The accounts API: sign-up, oneself, tokens, players."""

from uuid import UUID

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import shapes
from accounts.api.asking import player_named, player_of
from accounts.api.idempotent import respond_once
from accounts.authentication import (
    PasswordAuthentication,
    SessionAuthentication,
    TokenAuthentication,
    access_of,
)
from accounts.models import Player
from accounts.selectors.players import bots_of_player
from accounts.selectors.sanctions import sanctions_in_force
from accounts.selectors.tokens import tokens_of_player
from accounts.services.players import bot_create, player_sign_up, player_update
from accounts.services.tokens import token_create, token_revoke
from accounts.throttling import may_sign_up
from accounts.tickets import GOOD_FOR, new_ticket
from cardsite.http import ApiView, cursor_id, next_page, read_body, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import Problem


class AccountsView(ApiView):
    """Sign-up."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @operation(
        "sign_up",
        "Sign up; the answer holds a first token, whose secret is shown once",
        request=shapes.SignUp,
        answers={201: shapes.SignedUp},
        problems=("malformed", "invalid", "username_taken", "throttled"),
        access="nobody",
    )
    def post(self, request: Request) -> Response:
        wanted = read_body(request, shapes.SignUp)
        may_sign_up(request)
        player, token, secret = player_sign_up(
            username=wanted.username,
            password=wanted.password,
            email=wanted.email,
            display_name=wanted.display_name,
        )
        signed_up = shapes.SignedUp(shapes.me(player, ()), shapes.token_with_secret(token, secret))
        return Response(signed_up, status=201)


class MeView(ApiView):
    """One's own account."""

    authentication_classes = (TokenAuthentication, PasswordAuthentication, SessionAuthentication)

    @operation("me", "See one's own account", answers={200: shapes.Me})
    def get(self, request: Request) -> Response:
        player = player_of(request)
        return Response(shapes.me(player, sanctions_in_force(player_id=player.id)))

    @operation(
        "change_me",
        "Change one's display name or, by name and password, the e-mail address: a new password is sent there",
        request=shapes.ProfileChange,
        answers={200: shapes.Me},
        problems=("malformed", "invalid", "forbidden"),
        access="password",
    )
    def patch(self, request: Request) -> Response:
        change = read_body(request, shapes.ProfileChange)
        by_password = isinstance(request.successful_authenticator, PasswordAuthentication)
        if change.email not in (None, player_of(request).email) and not by_password:
            # Whoever found a token would have the account.
            raise Problem(
                "forbidden", "The address is changed by name and password (Authorization: Basic …)."
            )
        # Read before: what was written is not to be answered by a failure to read.
        sanctions = sanctions_in_force(player_id=player_of(request).id)
        player = player_update(
            player=player_of(request), email=change.email, display_name=change.display_name
        )
        return Response(shapes.me(player, sanctions))


class TokensView(ApiView):
    """One's tokens."""

    authentication_classes = (TokenAuthentication, PasswordAuthentication, SessionAuthentication)

    @operation(
        "list_tokens",
        "List one's live tokens, newest first",
        query=Query(shapes.TokensQuery),
        answers={200: shapes.TokenPage},
        problems=("malformed",),
        access="password",
    )
    def get(self, request: Request) -> Response:
        query = read_query(request, shapes.TokensQuery)
        found = tokens_of_player(
            player_id=player_of(request).id, before=cursor_id(query.cursor), limit=query.limit + 1
        )
        page = found[: query.limit]
        cursor = page[-1].id.hex if len(found) > query.limit else None
        return Response(shapes.TokenPage([shapes.token(token) for token in page], next_page(request, cursor)))

    @operation(
        "create_token",
        "Make a token; its secret is shown once",
        request=shapes.NewToken,
        answers={201: shapes.TokenWithSecret},
        problems=("malformed",),
        access="password",
        creating=True,
    )
    def post(self, request: Request) -> Response:
        wanted = read_body(request, shapes.NewToken)
        return respond_once(
            request,
            lambda: shapes.token_with_secret(*token_create(player=player_of(request), name=wanted.name)),
        )


class TokenView(ApiView):
    """One of one's tokens."""

    authentication_classes = (TokenAuthentication, PasswordAuthentication, SessionAuthentication)

    @operation(
        "revoke_token",
        "Revoke a token",
        answers={204: None},
        problems=("not_found", "csrf"),
        access="password",
    )
    def delete(self, request: Request, token_id: UUID) -> Response:
        token_revoke(player=player_of(request), token_id=token_id)
        return Response(status=204)


class BotsView(ApiView):
    """One's bots."""

    @operation(
        "list_bots",
        "List one's bots, newest first",
        query=Query(shapes.TokensQuery),
        answers={200: shapes.PlayerPage},
    )
    def get(self, request: Request) -> Response:
        query = read_query(request, shapes.TokensQuery)
        bots = bots_of_player(
            player_id=player_of(request).id, before=cursor_id(query.cursor), limit=query.limit + 1
        )
        page = bots[: query.limit]
        cursor = page[-1].id.hex if len(bots) > query.limit else None
        items = [shapes.bot(bot, player_of(request)) for bot in page]
        return Response(shapes.PlayerPage(items, next_page(request, cursor)))

    @operation(
        "create_bot",
        "Make an account for a program of one's own; the answer holds its first token, whose secret is shown once",
        request=shapes.NewBot,
        answers={201: shapes.BotMade},
        problems=("forbidden", "invalid", "username_taken"),
        creating=True,
    )
    def post(self, request: Request) -> Response:
        wanted = read_body(request, shapes.NewBot)
        return respond_once(request, lambda: self._create(player_of(request), wanted))

    def _create(self, owner: Player, wanted: shapes.NewBot) -> shapes.BotMade:
        bot, token, secret = bot_create(
            owner=owner, username=wanted.username, display_name=wanted.display_name
        )
        return shapes.BotMade(shapes.bot(bot, owner), shapes.token_with_secret(token, secret))


class StreamTicketView(ApiView):
    """A ticket for streams."""

    @operation(
        "stream_ticket",
        "Get a ticket by which a browser may follow a stream, where it can send no token; good for a minute",
        answers={201: shapes.StreamTicket},
        problems=("csrf",),
    )
    def post(self, request: Request) -> Response:
        access = access_of(request)
        assert access is not None, "behind a permission that lets nobody else through"
        return Response(shapes.StreamTicket(new_ticket(access), GOOD_FOR), status=201)


class PlayerView(ApiView):
    """A player."""

    permission_classes = (AllowAny,)

    @operation(
        "player",
        "See a player",
        answers={200: shapes.PublicPlayer},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, username: str) -> Response:
        return Response(shapes.public_player(player_named(username)))
