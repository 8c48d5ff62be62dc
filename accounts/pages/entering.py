"""Signing up, logging in and out."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

from accounts.authentication import suspension_of_session
from accounts.pages.forms import LogInForm, SignUpForm, suspension_words
from accounts.pages.refusing import Refusing
from accounts.services.players import player_sign_up
from accounts.throttling import may_sign_up
from cardsite.pages import Answering, Page
from cardsite.problems import Problem


class SignUpView(Page):
    """Signing up, as by API: the answer shows a first token, whose secret is shown once."""

    template_name = "accounts/sign_up.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            return HttpResponseRedirect("/account/")
        return self.page({"form": SignUpForm()})

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = SignUpForm(request.POST)
        if not form.is_valid():
            return self.page({"form": form}, 422)
        given = form.cleaned_data
        try:
            may_sign_up(request)
            player, _, secret = player_sign_up(
                username=given["username"],
                password=given["password"],
                email=given["email"],
                display_name=given["display_name"] or None,
            )
        except Problem as problem:
            form.refuse(problem, "username" if problem.code == "username_taken" else None)
            return self.refused({"form": form}, problem)
        login(request, player)
        self.template_name = "accounts/welcome.html"
        return self.page(
            {"player": player, "secret": secret, "api": request.build_absolute_uri("/api/v1")}, 201
        )


class LogInView(Answering, Refusing, LoginView):
    """Django's log-in, which leads to where one was, on this host alone, or else to the account. A browser whose
    session is kept out is told why, and who is suspended what is still theirs."""

    template_name = "accounts/log_in.html"
    authentication_form = LogInForm
    redirect_authenticated_user = True
    next_page = "account"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        kept_out = suspension_of_session(self.request.session)
        filled: dict[str, Any] = super().get_context_data(**context)
        refusal = filled["form"].refusal
        return filled | {
            "suspension": suspension_words(kept_out) if kept_out else None,
            "is_suspended": kept_out or (refusal and refusal.code == "suspended"),
            "api": self.request.build_absolute_uri("/api/v1"),
        }


class LogOutView(Answering, LogoutView):  # type: ignore[misc]  # whose answers are all whole
    """Django's log-out, by POST alone."""

    next_page = "home"
