"""One's own account."""

from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from accounts.models import Player
from accounts.pages.forms import ProfileForm
from accounts.selectors.sanctions import sanctions_in_force
from accounts.services.players import player_update
from cardsite.pages import Page, player_asking
from cardsite.problems import Problem

FIELDS = {name: name for name in ProfileForm.base_fields}


class AccountView(LoginRequiredMixin, Page):
    """What others see of one, the address that a new password is sent to, and where the rest is done."""

    template_name = "accounts/account.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        player = player_asking(request)
        form = ProfileForm(initial={"display_name": player.display_name, "email": player.email})
        return self._shown(form, player)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form, player = ProfileForm(request.POST), player_asking(request)
        if form.is_valid():
            given = form.cleaned_data
            try:
                if given["email"] != player.email and not authenticate(
                    request, username=player.username, password=given["password"]
                ):
                    form.add_error("password", gettext("This is not your password."))
                    return self._shown(form, player, 422)
                player_update(player=player, email=given["email"], display_name=given["display_name"])
            except Problem as problem:
                form.tell(problem, FIELDS)
            else:
                messages.success(request, gettext("Your profile is changed."))
                return HttpResponseRedirect("/account/")
        return self._shown(form, player, 422)

    def _shown(self, form: ProfileForm, player: Player, status: int = 200) -> HttpResponse:
        sanctions = sanctions_in_force(player_id=player.id)
        return self.page({"form": form, "player": player, "sanctions": sanctions}, status)
