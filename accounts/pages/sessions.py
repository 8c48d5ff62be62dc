"""Where one is logged in."""

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from accounts.models import session_handle
from accounts.selectors.sessions import live_sessions
from accounts.services.sessions import sessions_end_others
from cardsite.pages import Page, player_asking


class SessionsView(LoginRequiredMixin, Page):
    """One's live sessions, all of which but this one can be ended."""

    template_name = "accounts/sessions.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        sessions = live_sessions(player_id=player_asking(request).id)
        this_one = session_handle(request.session.session_key or "")
        return self.page({"sessions": sessions, "this_one": this_one})

    def post(self, request: HttpRequest) -> HttpResponseBase:
        sessions_end_others(player=player_asking(request), keep=request.session.session_key)
        messages.success(request, gettext("You are logged out everywhere else."))
        return HttpResponseRedirect("/account/sessions")
