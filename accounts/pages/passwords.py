"""A new password: in place of the old one, or of one that was forgotten."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy
from django.utils.translation import get_language, gettext

from accounts.pages.forms import ResetForm, problem_words
from accounts.selectors.players import players_with_address
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
            form.add_error(None, problem_words(problem))
            return self.page({"form": form}, problem.status)
        language = get_language() or "en"
        for players in players_with_address(email=email) or [[]]:
            send_password_reset.defer(players=[str(player) for player in players], language=language)
        return HttpResponseRedirect("/password-reset/sent")


class ResetSentView(Page):
    """What happens now."""

    template_name = "accounts/password_reset_sent.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page({})


class ResetConfirmView(Answering, PasswordResetConfirmView):
    """Django's choosing of a new password, by the link that was sent."""

    template_name = "accounts/password_reset_confirm.html"
    success_url = reverse_lazy("password-reset-done")
    shows_a_secret = True  # the link is one

    def form_invalid(self, form: Any) -> HttpResponse:
        """What is wrong, by the form."""
        return self.render_to_response(self.get_context_data(form=form), status=422)


class ResetDoneView(Page):
    """The new password is in place."""

    template_name = "accounts/password_reset_done.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page({})


class ChangeView(Answering, PasswordChangeView):
    """Django's change of one's password: other sessions end, tokens stay."""

    template_name = "accounts/password_change.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """The password is changed."""
        answer = super().form_valid(form)
        messages.success(
            self.request, gettext("Your password is changed, and you are logged out everywhere else.")
        )
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        """What is wrong, by the form."""
        return self.render_to_response(self.get_context_data(form=form), status=422)
