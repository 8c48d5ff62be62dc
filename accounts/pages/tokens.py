"""One's tokens."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from accounts.pages.forms import TokenForm
from accounts.selectors.tokens import token_of_player, tokens_of_player
from accounts.services.tokens import token_create, token_revoke
from cardsite.http import cursor_id
from cardsite.pages import Page, player_asking
from cardsite.problems import Problem

LIMIT = 50


class TokensView(LoginRequiredMixin, Page):
    """One's live tokens. A new one is shown by the answer that made it, and never again."""

    template_name = "accounts/tokens.html"
    shows_a_secret = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Raises `Problem` malformed for what is no cursor."""
        return self.page(_listed(request, TokenForm()))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = TokenForm(request.POST)
        if not form.is_valid():
            return self.page(_listed(request, form), 422)
        try:
            token, secret = token_create(player=player_asking(request), name=form.cleaned_data["name"])
        except Problem as problem:
            form.refuse(problem)
            return self.refused(_listed(request, form), problem)
        return self.page({**_listed(request, TokenForm()), "made": token.name, "secret": secret}, 201)


def _listed(request: HttpRequest, form: TokenForm) -> dict[str, Any]:
    before = cursor_id(request.GET.get("cursor"))
    found = tokens_of_player(player_id=player_asking(request).id, before=before, limit=LIMIT + 1)
    following = found[LIMIT - 1].id.hex if len(found) > LIMIT else None
    return {"form": form, "tokens": found[:LIMIT], "following": following}


class RevokeView(LoginRequiredMixin, Page):
    """Revoking a token, once more asked about."""

    template_name = "accounts/token_revoke.html"

    def get(self, request: HttpRequest, token_id: UUID) -> HttpResponseBase:
        """Raises `Problem` not_found."""
        token = token_of_player(player_id=player_asking(request).id, token_id=token_id)
        if token is None:
            raise Problem("not_found", "You have no such token.")
        return self.page({"token": token})

    def post(self, request: HttpRequest, token_id: UUID) -> HttpResponseBase:
        """Raises `Problem` not_found."""
        token_revoke(player=player_asking(request), token_id=token_id)
        messages.success(request, gettext("The token is revoked, and opens nothing any more."))
        return HttpResponseRedirect("/tokens/")
