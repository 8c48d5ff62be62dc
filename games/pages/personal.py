"""The end of one's own account."""

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate, logout
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_lazy

from accounts.pages.forms import problem_words
from accounts.services.erasing import BY_ONESELF
from cardsite.forms import ToldForm
from cardsite.pages import Page, player_asking
from cardsite.problems import Problem
from games.services.erasing import player_erase


class EraseForm(ToldForm):
    """That it is meant, and by whose account it is."""

    username = forms.CharField(
        label=gettext_lazy("Your user name, typed out"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class EraseView(LoginRequiredMixin, Page):
    """Erasing one's account, by its password and its name."""

    template_name = "games/pages/erase.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page({"form": EraseForm()})

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form, player = EraseForm(request.POST), player_asking(request)
        if not form.is_valid():
            return self._refused(form)
        if form.cleaned_data["username"] != player.username:
            form.add_error("username", gettext("This is not your user name."))
            return self._refused(form)
        try:
            known = authenticate(request, username=player.username, password=form.cleaned_data["password"])
            if known is None:
                form.add_error("password", gettext("This is not your password."))
                return self._refused(form)
            player_erase(player=player, by=player, reason=BY_ONESELF)
        except Problem as problem:
            form.add_error(None, problem_words(problem))
            return self._refused(form, problem.status)
        logout(request)
        messages.success(request, gettext("Your account is erased."))
        return HttpResponseRedirect("/")

    def _refused(self, form: EraseForm, status: int = 422) -> HttpResponse:
        return self.page({"form": form}, status)
