"""The games API: one's own account, all that is known of one, and the end of it."""

from typing import Annotated, NoReturn, TypeAlias, cast

from msgspec import Meta, Struct
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import views
from accounts.api.asking import player_of
from accounts.authentication import (
    PasswordAuthentication,
    RightsAuthentication,
    SessionAuthentication,
    TokenAuthentication,
)
from accounts.selectors import personal as of_account
from accounts.selectors.players import bot_by_name
from accounts.services.erasing import BY_ONESELF
from cardsite.http import ApiView, next_page, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import Problem, malformed
from games.api.views import Limit
from games.selectors import personal
from games.services.erasing import player_erase

PASSWORD_WANTED = "Send the user name and the password (Authorization: Basic …)."  # noqa: S105 - words
AnyFact: TypeAlias = (
    of_account.AccountFact
    | of_account.SessionFact
    | of_account.TokenFact
    | of_account.BotFact
    | of_account.SanctionFact
    | of_account.ActFact
    | personal.GameFact
    | personal.MoveFact
    | personal.ResultFact
    | personal.RatingFact
    | personal.RatingChangeFact
    | personal.RevealFact
)


class PersonalDataQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page."""

    cursor: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[a-z]+\.[ -~]*(?!\n)$")] | None = (
        None
    )
    limit: Limit = 100


class PersonalData(Struct, frozen=True):
    """All that is known of one, a fact an item, until `next` is null: the account, where it is logged in, tokens,
    bots, sanctions, what was done about it, seats, moves, results, ratings and their changes. What is not among it
    is kept for hardly more than a day (answers to requests with an Idempotency-Key, sealed) or names nobody
    (counts of requests)."""

    items: list[AnyFact]
    next: str | None


class _ErasingView(ApiView):
    """What ends an account is asked for with the password, which nobody has who found a token."""

    erases_by: type[BaseAuthentication] = PasswordAuthentication

    def get_authenticators(self) -> list[BaseAuthentication]:
        if self._erases():
            return [self.erases_by()]
        return super().get_authenticators()

    def permission_denied(
        self, request: Request, message: str | None = None, code: str | None = None
    ) -> NoReturn:
        if self._erases():
            raise NotAuthenticated(PASSWORD_WANTED)
        super().permission_denied(request, message, code)

    def _erases(self) -> bool:
        return getattr(self.request, "method", None) == "DELETE"  # there is none where the schema is made


class MeView(_ErasingView, views.MeView):
    """One's own account."""

    erases_by = RightsAuthentication

    @operation(
        "erase_me",
        "Erase one's account and one's bots, for ever, also while suspended: names, address, tokens and sessions "
        "are gone, running games are given up, open ones left. What was played stays, by a deleted player, and "
        "nobody gets the name",
        answers={204: None},
        problems=("forbidden",),
        access="only password",
    )
    def delete(self, request: Request) -> Response:
        player = player_of(request)
        player_erase(player=player, by=player, reason=BY_ONESELF)
        return Response(status=204)


class BotView(_ErasingView):
    """A bot of one's own."""

    @operation(
        "erase_bot",
        "Erase the account of a bot of one's own, for ever, by one's own password",
        answers={204: None},
        problems=("not_found",),
        access="only password",
    )
    def delete(self, request: Request, username: str) -> Response:
        owner = player_of(request)
        bot = bot_by_name(owner_id=owner.id, username=username)
        if bot is None:
            raise Problem("not_found", "You have no such bot.")
        player_erase(player=bot, by=owner, reason=BY_ONESELF)
        return Response(status=204)


class PersonalDataView(ApiView):
    """All that is known of one."""

    authentication_classes = (TokenAuthentication, RightsAuthentication, SessionAuthentication)

    @operation(
        "personal_data",
        "Take away all that is known of one, page by page; by name and password also while suspended",
        query=Query(PersonalDataQuery),
        answers={200: PersonalData},
        access="password",
    )
    def get(self, request: Request) -> Response:
        query = read_query(request, PersonalDataQuery)
        try:
            page = personal.personal_page(
                player_id=player_of(request).id, after=query.cursor, limit=query.limit
            )
        except ValueError:
            raise malformed("not a cursor of this list", "cursor") from None
        return Response(PersonalData(cast("list[AnyFact]", page.facts), next_page(request, page.following)))
