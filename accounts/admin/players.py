"""A player's account in the admin: what it is, by what its player comes in, and what is done about it. The page is
registered beside the games, which it shows as well."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from accounts.admin.asking import asker
from accounts.admin.forms import RoleForm, UntilForm
from accounts.admin.standing import acts_table, sanctions_table, sessions_table, tokens_table
from accounts.models import Player, Sanction
from accounts.selectors.ranks import may_act_on, require_below, require_sanctionable, roles_below
from accounts.selectors.sanctions import sanction_to_lift
from accounts.services.naming import display_name_reset
from accounts.services.roles import role_set
from accounts.services.sanctions import player_sanction, sanction_lift
from accounts.services.sessions import session_end, sessions_end_all
from accounts.services.tokens import token_end, tokens_revoke_all
from cardsite.admin import PageAdmin, act_page, id_in, moment, moment_words, player_link
from cardsite.filters import Choice
from cardsite.tables import marks

STANDING = Q(lifted_at=None) & (Q(until=None) | Q(until__gt=Now()))
OF_PEOPLE = {"warn", "mute", "suspend", "end-sessions", "role"}
OF_PLAYERS_WITHOUT_A_ROLE = {"warn", "mute", "suspend", "erase"}
BESIDE = {"end-tokens": "end_tokens", "end-sessions": "end_sessions"}
"""Acts that are offered beside what they are about, by path."""
_PAGE_OUTSIDE = re.compile(r"/players/([A-Za-z0-9_-]+)")


class KindFilter(Choice):
    """People, programs, and those who look after the server."""

    title, parameter_name = "kind", "kind"
    conditions: ClassVar = {
        "person": ("Person", Q(bot_of=None)),
        "bot": ("Bot", Q(bot_of__isnull=False)),
        "staff": ("May enter the admin", Q(is_staff=True)),
        "erased": ("Erased", Q(erased_at__isnull=False)),
    }


class SanctionFilter(Choice):
    """Those against whom something stands."""

    title, parameter_name = "sanction", "sanction"
    conditions: ClassVar = {
        kind: (str(label), Q(id__in=Sanction.objects.filter(STANDING, kind=kind).values("player_id")))
        for kind, label in Sanction.Kind.choices
    }


class AccountAdmin(PageAdmin):
    """Players, those who came last first."""

    list_display = ("username", "display_name", "marks", "created", "seen")
    list_display_links = ("username",)
    list_filter = (KindFilter, SanctionFilter)
    filter_parameters = frozenset({"kind", "sanction"})
    search_fields = ("username",)  # as `get_search_results` understands it
    search_help_text = "How a user name or display name begins, an address of a page, or an id"
    fields = ("username", "display_name", "email", "owner", "role", "created", "seen", "erased")
    actions_detail: tuple[str, ...] = (
        "warn",
        "mute",
        "suspend",
        "reset_name",
        "end_tokens",
        "end_sessions",
        "role_of",
    )
    change_form_outer_before_template = "accounts/admin/held.html"
    change_form_outer_after_template = "accounts/admin/account.html"

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Sequence[str]:
        return self.fields

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Sequence[str]:
        return [name for name in self.fields if name != "email" or _may_see_addresses(request)]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changes = super().get_changelist_instance(request)
        if _may_see_addresses(request):
            changes.search_help_text = f"{self.search_help_text}, or an e-mail address"
        return changes

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        of_standing = Sanction.objects.filter(STANDING).exclude(kind=Sanction.Kind.WARNING)
        standing = of_standing.only("kind", "reason", "until", "player").order_by("-id")
        return (
            super()
            .get_queryset(request)
            .defer("password")
            .select_related("bot_of")
            .prefetch_related("groups", Prefetch("sanctions", standing, to_attr="standing"))
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        term = search_term.replace("\0", "").strip()
        if not term:
            return queryset, False
        page = _PAGE_OUTSIDE.search(term)
        if page is not None:
            return queryset.filter(username__iexact=page[1]), False
        if "@" in term:
            if not _may_see_addresses(request):
                return queryset.none(), False
            return queryset.exclude(email="").filter(email__iexact=term), False
        player_id = id_in(term)
        if player_id is not None:
            return queryset.filter(id=player_id), False
        begins = Q(username__istartswith=term) | Q(display_name__istartswith=term)
        return queryset.filter(begins), False

    # Columns and fields.

    @display(description="Marks")
    def marks(self, player: Player) -> str:
        held = {one.kind: "danger" for one in player.standing}  # type: ignore[attr-defined]  # of `get_queryset`
        others = {"erased": player.erased_at, "bot": player.bot_of_id, "all rights": player.is_superuser}
        roles = {group.name: "info" for group in player.groups.all()}
        return marks(held | {word: "" for word, holds in others.items() if holds} | roles) or "-"

    @display(description="Came (UTC)")
    def created(self, player: Player) -> str:
        return moment(player.created_at)

    @display(description="Last log-in (UTC)")
    def seen(self, player: Player) -> str:
        return moment(player.last_login) or "-"

    @display(description="Erased (UTC)")
    def erased(self, player: Player) -> str:
        return moment(player.erased_at) or "-"

    @display(description="Bot of")
    def owner(self, player: Player) -> str:
        return player_link(player.bot_of.id, player.bot_of.username) if player.bot_of else "-"

    @display(description="Role")
    def role(self, player: Player) -> str:
        roles = [*(["all rights"] if player.is_superuser else []), *(one.name for one in player.groups.all())]
        return ", ".join(roles) or "none"

    # The page.

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        player = self.found(request, object_id)
        may_act = may_act_on(by=asker(request), player=player)
        may_end = may_act and self.has_end_access_permission(request)
        may_lift = may_act and self.has_sanction_permission(request)
        context = {
            **(extra_context or {}),
            "title": player.username,
            "subtitle": None,
            "tokens_table": tokens_table(player, may_end=may_end),
            "sessions_table": sessions_table(player, may_end=may_end),
            "sanctions_table": sanctions_table(player, may_lift=may_lift),
            "acts_table": acts_table(player) if request.user.has_perm("accounts.view_auditentry") else None,
            "held": [_held(one) for one in player.standing],
            "owner_link": self.owner(player) if player.bot_of else None,
            **{
                f"{BESIDE[one.path]}_url": reverse(f"admin:{one.action_name}", args=(player.id,))
                for one in self._possible(request, player)
                if one.path in BESIDE
            },
            "acts_url": f"{reverse('admin:accounts_auditentry_changelist')}?player={player.username}",
            "acts_by_url": f"{reverse('admin:accounts_auditentry_changelist')}?by={player.username}"
            if player.is_staff
            else None,
        }
        return super().change_view(request, object_id, form_url, context)

    def audit_query(self, found: Player) -> dict[str, str]:
        return {"player": found.username}

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path(
                "<uuid:player_id>/sanctions/<uuid:sanction_id>/lift/",
                wrap(self.lift),
                name="accounts_sanction_lift",
            ),
            path(
                "<uuid:player_id>/sessions/<slug:handle>/end/",
                wrap(self.end_session),
                name="accounts_session_end",
            ),
            path(
                "<uuid:player_id>/tokens/<uuid:token_id>/end/",
                wrap(self.end_token),
                name="accounts_token_end",
            ),
            *super().get_urls(),
        ]

    # What is done, and who may.

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Those that the services would not refuse, but for what is offered where it belongs."""
        player = self.get_object(request, object_id)
        if player is None:
            return []
        return [one for one in self._possible(request, player) if one.path not in BESIDE]

    def _possible(self, request: HttpRequest, player: Player) -> list[Any]:
        if player.erased_at or not may_act_on(by=asker(request), player=player):
            return []
        refused = set[str]()
        if player.bot_of_id is not None:
            refused |= OF_PEOPLE
        if player.is_staff:
            refused |= OF_PLAYERS_WITHOUT_A_ROLE
        if not player.is_active:
            refused.add("role")
        if player.display_name == player.username:
            refused.add("reset-name")
        allowed = super().get_actions_detail(request, str(player.id))
        return [one for one in allowed if one.path not in refused]

    def has_sanction_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("accounts.sanction_player")

    def has_end_access_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("accounts.end_access")

    def has_set_role_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("accounts.set_role")

    @action(description="Warn", permissions=["sanction"], url_path="warn")
    def warn(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            player_sanction(
                player=player, by=asker(request), kind="warning", reason=given["reason"], until=None
            )
            return f"{player.username} was warned."

        return act_page(
            self,
            request,
            title=f"Warn {player.username}",
            explanation="The player reads the reason. Nothing else changes.",
            verb="Warn",
            perform=perform,
            require=partial(require_sanctionable, by=asker(request), player=player),
            back=page_of(player),
        )

    @action(description="Mute", permissions=["sanction"], url_path="mute")
    def mute(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._sanction(
            request,
            object_id,
            "mute",
            "Mute",
            "The player can neither make nor join public games for several. Private games, patiences and games "
            "that run go on. The player reads the reason.",
        )

    @action(
        description="Suspend",
        permissions=["sanction"],
        url_path="suspend",
        variant=ActionVariant.DANGER,
    )
    def suspend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._sanction(
            request,
            object_id,
            "suspension",
            "Suspend",
            "The player and the player's bots are kept out: passwords, sessions and tokens are refused, with the "
            "reason. The clocks of running games go on.",
        )

    def _sanction(
        self, request: HttpRequest, object_id: str, kind: str, verb: str, explanation: str
    ) -> HttpResponse:
        player = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            until = given["until"]
            player_sanction(player=player, by=asker(request), kind=kind, reason=given["reason"], until=until)
            if until is None:
                return "It holds until it is lifted."
            return f"It holds until {moment_words(until)} (UTC)."

        return act_page(
            self,
            request,
            title=f"{verb} {player.username}",
            explanation=explanation,
            verb=verb,
            perform=perform,
            require=partial(require_sanctionable, by=asker(request), player=player),
            back=page_of(player),
            form=UntilForm,
            is_grave=kind == Sanction.Kind.SUSPENSION,
        )

    def lift(self, request: HttpRequest, player_id: UUID, sanction_id: UUID) -> HttpResponse:
        """Lift a sanction."""
        player = self._for(request, player_id, may=self.has_sanction_permission(request))

        def perform(given: dict[str, Any]) -> str:
            sanction_lift(player=player, sanction_id=sanction_id, by=asker(request), reason=given["reason"])
            return "It was lifted."

        return act_page(
            self,
            request,
            title=f"Lift what stands against {player.username}",
            explanation="It holds no longer. That it did stays in the history.",
            verb="Lift it",
            perform=perform,
            require=partial(sanction_to_lift, player=player, sanction_id=sanction_id, by=asker(request)),
            back=page_of(player),
        )

    @action(description="Reset name", permissions=["sanction"], url_path="reset-name")
    def reset_name(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            display_name_reset(player=player, by=asker(request), reason=given["reason"])
            return f"The display name is {player.username} now."

        return act_page(
            self,
            request,
            title=f"Reset the display name of {player.username}",
            explanation=f"The user name takes the place of “{player.display_name}”, and the player may choose "
            "another.",
            verb="Reset the name",
            perform=perform,
            require=partial(require_below, by=asker(request), player=player),
            back=page_of(player),
        )

    @action(description="End tokens", permissions=["end_access"], url_path="end-tokens")
    def end_tokens(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            ended = tokens_revoke_all(player=player, by=asker(request), reason=given["reason"])
            return f"{ended} tokens were ended."

        return act_page(
            self,
            request,
            title=f"End all tokens of {player.username}",
            explanation="No program comes in with them any more. The player can make new ones.",
            verb="End all tokens",
            perform=perform,
            require=partial(require_below, by=asker(request), player=player),
            back=page_of(player),
        )

    def end_token(self, request: HttpRequest, player_id: UUID, token_id: UUID) -> HttpResponse:
        """End one token."""
        player = self._for(request, player_id, may=self.has_end_access_permission(request))

        def perform(given: dict[str, Any]) -> str:
            token_end(player=player, token_id=token_id, by=asker(request), reason=given["reason"])
            return "The token was ended."

        return act_page(
            self,
            request,
            title=f"End a token of {player.username}",
            explanation="No program comes in with it any more.",
            verb="End the token",
            perform=perform,
            require=partial(require_below, by=asker(request), player=player),
            back=page_of(player),
        )

    @action(description="End sessions", permissions=["end_access"], url_path="end-sessions")
    def end_sessions(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            ended = sessions_end_all(player=player, by=asker(request), reason=given["reason"])
            return f"{ended} sessions were ended."

        return act_page(
            self,
            request,
            title=f"End all sessions of {player.username}",
            explanation="The player is logged out of every browser, and can log in again.",
            verb="End all sessions",
            perform=perform,
            require=partial(require_below, by=asker(request), player=player),
            back=page_of(player),
        )

    def end_session(self, request: HttpRequest, player_id: UUID, handle: str) -> HttpResponse:
        """End one session."""
        player = self._for(request, player_id, may=self.has_end_access_permission(request))

        def perform(given: dict[str, Any]) -> str:
            session_end(player=player, handle=handle, by=asker(request), reason=given["reason"])
            return "The session was ended."

        return act_page(
            self,
            request,
            title=f"End a session of {player.username}",
            explanation="The player is logged out of one browser, and can log in again.",
            verb="End the session",
            perform=perform,
            require=partial(require_below, by=asker(request), player=player),
            back=page_of(player),
        )

    @action(description="Role", permissions=["set_role"], url_path="role")
    def role_of(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            role = given["role"] or None
            role_set(player=player, by=asker(request), role=role, reason=given["reason"])
            return f"{player.username} is {role} now." if role else f"{player.username} has no role now."

        return act_page(
            self,
            request,
            title=f"The role of {player.username}",
            explanation="A viewer looks at everything that is not hidden; a moderator sanctions players, ends "
            "their tokens and sessions, voids games and reveals them; an operator also sees addresses, erases "
            "accounts, gives the roles below and has jobs done again. It takes the place of the role before.",
            verb="Set the role",
            perform=perform,
            require=partial(require_below, by=asker(request), player=player),
            back=page_of(player),
            form=partial(RoleForm, roles=roles_below(asker(request))),
        )

    def _for(self, request: HttpRequest, player_id: UUID, *, may: bool) -> Player:
        """The player of an act. Raises `PermissionDenied` or `Http404`."""
        if not may:
            raise PermissionDenied
        player: Player = self.found(request, str(player_id))
        return player


def page_of(player: Player) -> str:
    """The address of a player's page."""
    return reverse("admin:accounts_player_change", args=(player.id,))


def _held(sanction: Sanction) -> str:
    """What is in force, in a line."""
    until = moment_words(sanction.until) + " (UTC)" if sanction.until else "it is lifted"
    return f"{sanction.get_kind_display()} until {until}: {sanction.reason}"


def _may_see_addresses(request: HttpRequest) -> bool:
    """E-mail addresses are for those who answer for personal data."""
    return request.user.has_perm("accounts.erase_player")
