"""Games in the admin: found, looked at as a spectator sees them, voided, and revealed to who asks for it. Nothing
else is changed, and nothing that is hidden is on a page before it is revealed."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from accounts.admin.asking import asker
from accounts.models import Player
from accounts.selectors.players import ids_of_name
from cardsite.admin import PageAdmin, act_page, day_words, id_in, link, moment, player_link
from cardsite.paging import KeysetChangeList
from cardsite.tables import marks
from games.admin.filters import GAME_FILTERS, games_of
from games.admin.replay import log_context, replay_view, summary_view
from games.admin.sheet import revealed_context, seats_table, voiding_context
from games.admin.words import (
    OVER,
    SEALED,
    STATUS_LABELS,
    clock_words,
    duration_words,
    ending_words,
    is_sealed,
    length_words,
    name_of,
    seats_at_a_glance,
    status_word,
    title_of,
    took,
)
from games.catalog import rules_for
from games.locks import database_time
from games.models import Game
from games.selectors.inspection import with_seats
from games.selectors.revealing import is_revealed_to, plays_its_deal, require_revealable, require_voidable
from games.services.rating import game_void
from games.services.revealing import game_reveal


class GamesFound(KeysetChangeList):
    """Games, of which those that a player has won, drawn or lost are looked at as that player saw the end."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        name = request.GET.get("player") if request.GET.get("result") else None
        self.eyes = set(ids_of_name(name)) if name else set()
        super().__init__(request, *args, **kwargs)

    def url_for_result(self, result: Game) -> str:
        page = page_of(result.id)
        if result.status not in OVER or is_sealed(result):
            return page
        seats = [seat.number for seat in result.seats.all() if seat.player_id in self.eyes]
        return f"{page}?{urlencode({'ply': result.ply, 'seat': seats[0]})}" if seats else page


@admin.register(Game)
class GameAdmin(PageAdmin):
    """Games, newest first."""

    list_display = ("game", "seats", "state", "ending_shown", "entries", "kind", "created", "ended")
    list_display_links = ("game",)
    list_filter = GAME_FILTERS
    filter_parameters = frozenset(
        {
            *(one.parameter_name for one in GAME_FILTERS),
            *(f"{name}_{end}" for name in ("ended", "length") for end in ("from", "to")),
        }
    )
    search_fields = ("id",)  # as `get_search_results` understands it
    search_help_text = "A game's id or address, or a player's name"
    actions_detail = ("void", "reveal")
    change_form_outer_before_template = "games/admin/game.html"
    change_form_outer_after_template = "games/admin/log.html"
    fieldsets = (
        (
            "Game",
            {
                "fields": (
                    "rules",
                    "options_shown",
                    "visibility",
                    "kind",
                    "deal_of_the_day",
                    "owner_shown",
                    "ending_shown",
                )
            },
        ),
        ("Proof", {"classes": ("tab",), "fields": ("commitment_shown", "shuffle_version", "proof")}),
        (
            "Times",
            {
                "classes": ("tab",),
                "fields": ("created", "started", "ended", "clock_shown", "closes_after", "closes"),
            },
        ),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Game | None = None) -> Sequence[str]:
        return [name for _, of_set in self.fieldsets for name in of_set["fields"]]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        games = with_seats(super().get_queryset(request), viewer_id=asker(request).id)
        return games.select_related("voiding__by", "owner", "daily").defer("daily__seed", "daily__deck")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return GamesFound

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        term = search_term.replace("\0", "").strip()
        if not term:
            return queryset, False
        game_id = id_in(term)
        if game_id is not None:
            return queryset.filter(id=game_id), False
        return queryset.filter(id__in=games_of(ids_of_name(term))), False

    # Columns.

    @display(description="Game")
    def game(self, game: Game) -> str:
        return name_of(game)

    @display(description="Seats")
    def seats(self, game: Game) -> str:
        return seats_at_a_glance(game)

    @display(description="Status")
    def state(self, game: Game) -> str:
        status = status_word(game)
        return marks({status: STATUS_LABELS[status]})

    @display(description="Ending")
    def ending_shown(self, game: Game) -> str:
        return ending_words(game) or "-"

    @display(description="Length")
    def entries(self, game: Game) -> str:
        return length_words(game) or "-"

    @display(description="Kind")
    def kind(self, game: Game) -> str:
        kinds = {"private": game.visibility == "private", "rated": game.rated, "daily": game.daily_id}
        return marks({word: "" for word, holds in kinds.items() if holds}) or "-"

    @display(description="Made (UTC)")
    def created(self, game: Game) -> str:
        return moment(game.created_at, seconds=False)

    @display(description="Ended (UTC)")
    def ended(self, game: Game) -> str:
        return "-" if is_sealed(game) else moment(game.ended_at, seconds=False) or "-"

    # Fields of the page.

    @display(description="Rules")
    def rules(self, game: Game) -> str:
        return f"{title_of(game.ruleset)} ({game.ruleset}), version {game.rules_version}"

    @display(description="Options")
    def options_shown(self, game: Game) -> str:
        return format_html("<code>{}</code>", msgspec.json.encode(game.options).decode())

    @display(description="Owner")
    def owner_shown(self, game: Game) -> str:
        return player_link(game.owner_id, game.owner.username)

    @display(description="Deal of the day")
    def deal_of_the_day(self, game: Game) -> str:
        if game.daily is None:
            return "-"
        return link(
            reverse("admin:games_dailydeal_change", args=(game.daily.id,)), day_words(game.daily.date)
        )

    @display(description="Commitment")
    def commitment_shown(self, game: Game) -> str:
        return format_html("<code>{}</code>", game.commitment) if game.commitment else "nothing is shuffled"

    @display(description="Proof")
    def proof(self, game: Game) -> str:
        if game.status not in OVER:
            return "opened when the game is over"
        if is_sealed(game):
            return SEALED
        if game.visibility == "private":
            return "opened to its players"
        return format_html('<a class="cs-link" href="/api/v1/games/{}/proof">proof (JSON)</a>', game.id)

    @display(description="Started (UTC)")
    def started(self, game: Game) -> str:
        return moment(game.started_at) or "-"

    @display(description="Clock")
    def clock_shown(self, game: Game) -> str:
        return clock_words(game)

    @display(description="Closed when nothing is done for")
    def closes_after(self, game: Game) -> str:
        return duration_words(game.abandon_after)

    @display(description="Closed if nothing is done until (UTC)")
    def closes(self, game: Game) -> str:
        return moment(game.abandoned_at) or "-"

    # The page.

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        game = self.found(request, object_id)
        context = {
            **(extra_context or {}),
            "title": f"{name_of(game)} {str(game.id)[-12:]}",
            "subtitle": None,
            "game": game,
            "is_sealed": is_sealed(game),
            "is_public": game.visibility == Game.Visibility.PUBLIC
            and (game.sealed_until is None or game.sealed_until <= database_time()),
            "state": status_word(game),
            "state_label": STATUS_LABELS[status_word(game)],
            "seats_table": seats_table(game),
            "duration": duration_words(took(game)),
            **voiding_context(request, game),
            **revealed_context(request, game),
            **log_context(request, game),
        }
        return super().change_view(request, object_id, form_url, context)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<uuid:game_id>/replay/", wrap(self.replay), name="games_game_replay"),
            path("<uuid:game_id>/summary/", wrap(self.summary), name="games_game_summary"),
            *super().get_urls(),
        ]

    def replay(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The positions of a game, as the API gives them."""
        self.found(request, str(game_id))
        return replay_view(request, game_id)

    def summary(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """What a game is, for its board."""
        return summary_view(self.found(request, str(game_id)))

    def audit_query(self, found: Game) -> dict[str, str]:
        return {"game": str(found.id)}

    # What is done, and who may.

    def has_void_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("games.void_game")

    def has_reveal_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("games.reveal_game")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Those that there is something to do by."""
        allowed = super().get_actions_detail(request, object_id)
        game = self.get_object(request, object_id)
        return [one for one in allowed if game is not None and _is_possible(one.path, game, asker(request))]

    @action(description="Void", permissions=["void"], variant=ActionVariant.DANGER, url_path="void")
    def void(self, request: HttpRequest, object_id: str) -> HttpResponse:
        game = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            game_void(game_id=game.id, by=asker(request), reason=given["reason"])
            return "The game counts for nothing any more."

        return act_page(
            self,
            request,
            title=f"Void {name_of(game)} {str(game.id)[-12:]}",
            explanation="The changes of ratings that the game led to are taken back, and boards and statistics "
            "lose it. Its players are told that it was voided. This cannot be taken back.",
            verb="Void the game",
            perform=perform,
            require=partial(require_voidable, game=game, by=asker(request), at=database_time()),
            back=page_of(game.id),
            is_grave=True,
        )

    @action(description="Reveal to me", permissions=["reveal"], url_path="reveal")
    def reveal(self, request: HttpRequest, object_id: str) -> HttpResponse:
        game = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            game_reveal(game_id=game.id, by=asker(request), reason=given["reason"])
            return "What is hidden in this game is now shown to you."

        return act_page(
            self,
            request,
            title=f"Reveal {name_of(game)} {str(game.id)[-12:]}",
            explanation="You will see all of this game that is still hidden. That you looked, and why, is written "
            "to the audit trail; and you can no longer take a seat at this game, nor play the same deal of the "
            "day.",
            verb="Reveal it to me",
            perform=perform,
            require=partial(require_revealable, game=game, by=asker(request)),
            back=page_of(game.id),
            is_grave=True,
        )


def page_of(game_id: UUID) -> str:
    """The address of a game's page."""
    return reverse("admin:games_game_change", args=(game_id,))


def _is_possible(act: str, game: Game, by: Player) -> bool:
    if act == "void":
        is_seated = any(by.id in (seat.player_id, seat.player.bot_of_id) for seat in game.seats.all())
        is_known = game.status == "finished" and not is_sealed(game)
        return is_known and not hasattr(game, "voiding") and not is_seated
    is_hiding = (rules_for(game.ruleset, game.rules_version).hides and game.status == "running") or (
        is_sealed(game) and game.status != "open"
    )
    return (
        is_hiding
        and not is_revealed_to(game_id=game.id, player_id=by.id)
        and not plays_its_deal(game=game, player_id=by.id)
    )
