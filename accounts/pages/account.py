"""One's own account."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from accounts.models import Player
from accounts.pages.confirming import player_confirmed
from accounts.pages.forms import ProfileForm
from accounts.selectors.sanctions import sanctions_in_force
from accounts.services.players import player_update
from cardsite.pages import Page, player_asking
from cardsite.problems import Problem


class AccountView(LoginRequiredMixin, Page):
    """What others see of one, the address that a new password is sent to, and where the rest is done."""

    template_name = "accounts/account.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        player = player_asking(request)
        form = ProfileForm(initial={"display_name": player.display_name, "email": player.email})
        return self.page(_shown(form, player))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form, player = ProfileForm(request.POST), player_asking(request)
        if not form.is_valid():
            return self.page(_shown(form, player), 422)
        given = form.cleaned_data
        try:
            changes_address = given["email"] != player.email
            known = player_confirmed(request, given["password"]) if changes_address else player
            if known is None:
                form.add_error("password", gettext("This is not your password."))
                return self.page(_shown(form, player), 422)
            player_update(player=known, email=given["email"], display_name=given["display_name"])
        except Problem as problem:
            form.refuse(problem)
            return self.refused(_shown(form, player), problem)
        messages.success(request, gettext("Your profile is changed."))
        return HttpResponseRedirect("/account/")


def _shown(form: ProfileForm, player: Player) -> dict[str, Any]:
    return {"form": form, "player": player, "sanctions": sanctions_in_force(player_id=player.id)}
