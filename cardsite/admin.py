"""What the pages of the admin have in common: they show; and what is done there services do, with a reason that a
page of its own asks for."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextareaWidget

from cardsite.paging import KeysetChangeList
from cardsite.problems import Problem
from cardsite.read_only import ReadOnly

PER_PAGE = 25
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
LINK = "cs-link"


class PageAdmin(ReadOnly, ModelAdmin):
    """A list without counts and pages that only show. `filter_parameters` are what its filters take from the
    address: nothing else is, since what is not shown could be asked for by it."""

    filter_parameters: frozenset[str] = frozenset()
    actions = None
    list_per_page = PER_PAGE
    list_filter_submit = True
    list_fullwidth = True
    show_full_result_count = False
    # An address is handed on as it stands: by what filters somebody came to it is nobody else's.
    preserve_filters = False
    show_facets = ShowFacets.NEVER  # which would count
    sortable_by = ()
    compressed_fields = True

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return KeysetChangeList

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return lookup in self.filter_parameters

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What was done about it stands in the audit trail."""
        found = self.found(request, object_id)
        query = urlencode(self.audit_query(found))
        return HttpResponseRedirect(f"{reverse('admin:accounts_auditentry_changelist')}?{query}")

    def audit_query(self, found: Any) -> Mapping[str, str]:
        """By what the audit trail is filtered for what was done about an object."""
        return {}

    def found(self, request: HttpRequest, object_id: str) -> Any:
        """The object of a page. Raises `Http404`, or `PermissionDenied` where it may not be seen."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = self.get_object(request, object_id)
        if found is None:
            raise Http404
        return found

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The object of a page, read once for each."""
        kept: dict[Any, Any] = request.__dict__.setdefault("_objects_of_pages", {})
        key = (self.model, object_id, from_field)
        if key not in kept:
            kept[key] = super().get_object(request, object_id, from_field)
        return kept[key]


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="It is written to the audit trail with your name.",
    )


def act_page(  # noqa: PLR0913 - what a page says
    model_admin: ModelAdmin,
    request: HttpRequest,
    *,
    title: str,
    explanation: str,
    verb: str,
    perform: Callable[[dict[str, Any]], str],
    back: str,
    require: Callable[[], object] = lambda: None,
    form: Callable[..., forms.Form] = ReasonForm,
    is_grave: bool = False,
) -> HttpResponse:
    """The page on which something is done: asked by GET, done by POST. `perform` calls the service with what the
    form has and says in words what was done; a `Problem` of the service is told by the field that it is about.
    `require` raises the `Problem` with which the service would refuse it whatever the form has: nobody is asked
    for a reason then."""
    request.current_app = model_admin.admin_site.name
    page = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": title,
        "back": back,
    }
    if request.method == "GET":
        try:
            require()
        except Problem as problem:
            refusal = {**page, "refusal": problem.detail}
            return TemplateResponse(request, "admin/refused.html", refusal, status=problem.status)
    filled = form(request.POST) if request.method == "POST" else form()
    if request.method == "POST" and filled.is_valid():
        try:
            done = perform(filled.cleaned_data)
        except Problem as problem:
            _tell(filled, problem)
        else:
            messages.success(request, done)
            return HttpResponseRedirect(back)
    context = {**page, "explanation": explanation, "verb": verb, "form": filled, "is_grave": is_grave}
    status = 422 if filled.errors else 200
    return TemplateResponse(request, "admin/act.html", context, status=status)


def _tell(form: forms.Form, problem: Problem) -> None:
    faults: Any = problem.facts.get("errors", ())
    named = [(str(fault["path"]).removeprefix("$."), fault["message"]) for fault in faults]
    of_fields = [(name, message) for name, message in named if name in form.fields]
    for name, message in of_fields:
        form.add_error(name, message)
    if not of_fields:
        form.add_error(None, problem.detail)


def id_in(term: str) -> UUID | None:
    """The id that is searched for, which may stand in an address; none where it is something else."""
    found = _ID.search(term)
    return UUID(found[0]) if found else None


def link(url: str, text: object) -> SafeString:
    """A link in a table."""
    return format_html('<a href="{}" class="{}">{}</a>', url, LINK, text)


def player_link(player_id: UUID, name: str) -> SafeString:
    """A link to a player's page."""
    return link(reverse("admin:accounts_player_change", args=(player_id,)), name)


def game_link(game_id: UUID, text: str | None = None) -> SafeString:
    """A link to a game's page."""
    return link(reverse("admin:games_game_change", args=(game_id,)), text or str(game_id))


def moment(at: datetime | None, *, seconds: bool = True) -> str:
    """A time in UTC, on one line."""
    if at is None:
        return ""
    machine = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return format_html(
        '<time class="cs-line" datetime="{}">{}</time>', machine, moment_words(at, seconds=seconds)
    )


def moment_words(at: datetime, *, seconds: bool = False) -> str:
    """A time in UTC, in the words of the pages outside."""
    return date_format(at.astimezone(UTC), "j M Y, H:i:s" if seconds else "j M Y, H:i")


def day_words(day: date) -> str:
    """A day in the same words."""
    return date_format(day, "j M Y")
