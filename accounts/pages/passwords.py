"""A new password: in place of the old one, or of one that was forgotten."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import SESSION_KEY, update_session_auth_hash
from django.contrib.auth.views import (
    INTERNAL_RESET_SESSION_TOKEN,
    PasswordChangeView,
    PasswordResetConfirmView,
)
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy
from django.utils.translation import get_language, gettext

from accounts.pages.forms import ChangePasswordForm, NewPasswordForm, ResetForm
from accounts.pages.refusing import Refusing
from accounts.selectors.players import players_with_address
from accounts.services.passwords import password_set
from accounts.tasks import send_password_reset
from accounts.throttling import may_reset_password
from cardsite.pages import Answering, Page
from cardsite.problems import Problem


class ResetView(Page):
    """Asking for a new password. The answer is the same, and as quick, whether anybody has the address or not."""

    template_name = "accounts/password_reset.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page({"form": ResetForm()})

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = ResetForm(request.POST)
        if not form.is_valid():
            return self.page({"form": form}, 422)
        email = form.cleaned_data["email"]
        try:
            may_reset_password(request, email)
        except Problem as problem:
            form.refuse(problem)
            return self.refused({"form": form}, problem)
        language = get_language() or "en"
        for players in players_with_address(email=email) or [[]]:
            send_password_reset.defer(players=[str(player) for player in players], language=language)
        return HttpResponseRedirect("/password-reset/sent")


class ResetSentView(Page):
    """What happens now."""

    template_name = "accounts/password_reset_sent.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page({})


class ResetConfirmView(Answering, Refusing, PasswordResetConfirmView):
    """Django's choosing of a new password, by the link that was sent. All sessions end."""

    template_name = "accounts/password_reset_confirm.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("password-reset-done")
    shows_a_secret = True  # the link is one

    def form_valid(self, form: Any) -> HttpResponse:
        """The password is set, or why it is not."""
        try:
            _set_password(form)
        except Problem as problem:
            form.refuse(problem)
            return self.form_invalid(form)
        if self.request.session.get(SESSION_KEY) == str(form.user.pk):
            # This browser's session has ended with the others, also that of a player who is suspended, whom the
            # request does not know.
            self.request.session.flush()
        else:
            del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        return HttpResponseRedirect(self.get_success_url())


class ResetDoneView(Page):
    """The new password is in place."""

    template_name = "accounts/password_reset_done.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page({})


class ChangeView(Answering, Refusing, PasswordChangeView):
    """Django's change of one's password: other sessions end."""

    template_name = "accounts/password_change.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        """The password is changed, or why it is not."""
        try:
            _set_password(form, keep_session=self.request.session.session_key)
        except Problem as problem:
            form.refuse(problem)
            return self.form_invalid(form)
        update_session_auth_hash(self.request, form.user)
        messages.success(
            self.request, gettext("Your password is changed, and you are logged out everywhere else.")
        )
        if form.cleaned_data["revokes_tokens"]:
            messages.success(self.request, gettext("All your tokens are revoked."))
        return HttpResponseRedirect(self.get_success_url())


def _set_password(form: Any, keep_session: str | None = None) -> None:
    given = form.cleaned_data
    password_set(
        player=form.user,
        password=given["new_password1"],
        revokes_tokens=given["revokes_tokens"],
        keep_session=keep_session,
    )
