"""All that is known of one, and the end of one's own account."""

from collections.abc import Iterator
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_lazy

from accounts.pages.confirming import player_confirmed
from accounts.pages.forms import Refusable
from accounts.services.erasing import BY_ONESELF
from accounts.throttling import may_export
from cardsite.forms import ToldForm
from cardsite.pages import Answering, Page, player_asking
from cardsite.problems import Problem, malformed
from games.selectors.personal import PersonalPage, personal_page
from games.services.erasing import player_erase

FACTS_AT_ONCE = 500
MOST_FACTS = 50_000  # of a file, which is made in memory: some ten MB


class ExportView(LoginRequiredMixin, Answering):
    """All that is known of one, as a file: what the API gives page by page. Where there is very much, `next` at
    its end leads to a file that goes on."""

    shows_a_secret = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Raises `Problem` throttled, or malformed for what is no cursor."""
        may_export(request)
        player = player_asking(request)
        try:
            first = personal_page(player_id=player.id, after=request.GET.get("cursor"), limit=FACTS_AT_ONCE)
        except ValueError:
            raise malformed("not a cursor of this list", "cursor") from None
        named = f'attachment; filename="{player.username}.json"'
        return StreamingHttpResponse(
            _file(player.id, first),
            content_type="application/json",
            headers={"Content-Disposition": named},
        )


def _file(player_id: UUID, page: PersonalPage) -> Iterator[bytes]:
    """Pages of the API as one, from the first on, a fact a line."""
    yield b'{"items":[\n'
    yield b",\n".join(map(msgspec.json.encode, page.facts))
    count = len(page.facts)
    while page.following is not None and count < MOST_FACTS:
        page = personal_page(player_id=player_id, after=page.following, limit=FACTS_AT_ONCE)
        yield b",\n" + b",\n".join(map(msgspec.json.encode, page.facts))
        count += len(page.facts)
    following = page.following and f"/account/export?{urlencode({'cursor': page.following})}"
    yield b'\n],"next":' + msgspec.json.encode(following) + b"}\n"


class EraseForm(Refusable, ToldForm):
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
            return self.page({"form": form}, 422)
        if form.cleaned_data["username"] != player.username:
            form.add_error("username", gettext("This is not your user name."))
            return self.page({"form": form}, 422)
        try:
            known = player_confirmed(request, form.cleaned_data["password"])
            if known is None:
                form.add_error("password", gettext("This is not your password."))
                return self.page({"form": form}, 422)
            player_erase(player=known, by=known, reason=BY_ONESELF)
        except Problem as problem:
            form.refuse(problem)
            return self.refused({"form": form}, problem)
        logout(request)
        messages.success(request, gettext("Your account is erased."))
        return HttpResponseRedirect("/")
