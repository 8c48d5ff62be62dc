"""Players in the admin: their account, and how they have fared. They are erased here, since their games are."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.admin.asking import asker
from accounts.admin.players import AccountAdmin, page_of
from accounts.models import Player
from accounts.selectors.players import bots_of_player
from accounts.selectors.ranks import require_erasable
from cardsite.admin import ReasonForm, act_page, day_words, game_link, moment, player_link
from cardsite.tables import table
from games.admin.charts import line_chart, options
from games.admin.words import (
    duration_words,
    ending_words,
    length_words,
    name_of,
    seats_at_a_glance,
    status_word,
    title_of,
    took,
)
from games.models import Game, Rating
from games.selectors.inspection import newest_games_of
from games.selectors.standings import rating_changes, ratings_of_player, records_of_player
from games.services.erasing import player_erase

MOST_GAMES = 20
MOST_CHANGES = 200
MOST_BOTS = 20


class EraseForm(ReasonForm):
    """The name once more, and why."""

    name = forms.CharField(
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        label="The player's name",
        help_text="Typed once more, so that nobody is erased by mistake.",
    )
    field_order = ("name", "reason")


@admin.register(Player)
class PlayerAdmin(AccountAdmin):
    """Players, with their record, ratings and games."""

    actions_detail = (*AccountAdmin.actions_detail, "erase")
    change_form_outer_after_template = "games/admin/player.html"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        player = self.found(request, object_id)
        context = {**(extra_context or {}), "player": player}
        if request.user.has_perm("games.view_game"):
            context |= _fared(request, player)
        return super().change_view(request, object_id, form_url, context)

    def has_erase_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("accounts.erase_player")

    @action(
        description="Erase",
        permissions=["erase"],
        url_path="erase",
        variant=ActionVariant.DANGER,
    )
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self.found(request, object_id)

        class Form(EraseForm):
            def clean_name(self) -> str:
                name: str = self.cleaned_data["name"]
                if name != player.username:
                    raise forms.ValidationError("This is not the name of the player.")
                return name

        def perform(given: dict[str, Any]) -> str:
            player_erase(player=player, by=asker(request), reason=given["reason"])
            return "The account was erased."

        return act_page(
            self,
            request,
            title=f"Erase {player.username}",
            explanation="Name, display name and e-mail address go, and password, tokens and sessions with them; "
            "the name is never given again. Games that run are resigned. Games that were played stay, with a "
            "deleted player. The player's bots are erased likewise. This cannot be taken back.",
            verb="Erase the account",
            perform=perform,
            require=partial(require_erasable, by=asker(request), player=player),
            back=page_of(player),
            form=Form,
            is_grave=True,
        )


def _fared(request: HttpRequest, player: Player) -> dict[str, Any]:
    ratings = list(ratings_of_player(player_id=player.id))
    records = records_of_player(player_id=player.id, opponent_id=None)
    return {
        "record_table": table(
            ("Rule set", "Games", "Won", "Drawn", "Lost", "Share"),
            (
                (
                    title_of(one.ruleset),
                    one.games,
                    one.wins,
                    one.draws,
                    one.losses,
                    f"{100 * one.wins / one.games:.0f}\N{NO-BREAK SPACE}%",
                )
                for one in records
            ),
        ),
        "ratings_table": table(
            ("Rule set", "Variant", "Rating", "Games"),
            (
                (
                    title_of(one.ruleset),
                    one.variant,
                    f"{one.mean:.0f}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{one.deviation:.0f}",
                    one.games,
                )
                for one in ratings
            ),
        ),
        "games_table": table(
            ("Game", "Seats", "Status", "Length", "Made (UTC)", "Took"),
            (
                _game_row(game)
                for game in newest_games_of(
                    player_id=player.id, viewer_id=asker(request).id, limit=MOST_GAMES
                )
            ),
        ),
        "games_url": f"{reverse('admin:games_game_changelist')}?{urlencode({'player': player.username})}",
        "bots": [
            player_link(bot.id, bot.username)
            for bot in bots_of_player(player_id=player.id, before=None, limit=MOST_BOTS)
        ],
        **_history(request, player, ratings),
    }


def _game_row(game: Game) -> tuple[object, ...]:
    return (
        game_link(game.id, name_of(game)),
        seats_at_a_glance(game),
        ", ".join(filter(None, (status_word(game), ending_words(game)))),
        length_words(game),
        moment(game.created_at, seconds=False),
        duration_words(took(game)),
    )


def _history(request: HttpRequest, player: Player, ratings: list[Rating]) -> dict[str, Any]:
    """The chart of one of the player's ratings, the first unless another is asked for by `?rating=`."""
    if not ratings:
        return {}
    named = {f"{one.ruleset}/{one.variant}": one for one in ratings}
    chosen = named.get(request.GET.get("rating", ""), ratings[0])
    changes = rating_changes(
        player_id=player.id,
        ruleset=chosen.ruleset,
        variant=chosen.variant,
        before=None,
        limit=MOST_CHANGES,
    )
    oldest_first = changes[::-1]
    return {
        "line_options": options(stacked=False),
        "history_of": f"{title_of(chosen.ruleset)}, {chosen.variant}",
        "history_chart": line_chart(
            [day_words(change.at.date()) for change in oldest_first],
            {"Rating": [round(change.mean_before + change.mean_change) for change in oldest_first]},
        ),
        "history_table": table(
            ("Change", "Game", "Before", "After", "At (UTC)"),
            (
                (
                    change.number if change.kind == "game" else f"{change.number}, given back",
                    game_link(change.game_id, str(change.game_id)[-12:]),
                    round(change.mean_before),
                    round(change.mean_before + change.mean_change),
                    moment(change.at),
                )
                for change in changes
            ),
        ),
        "histories": [
            {
                "title": f"{title_of(one.ruleset)}{'' if one.variant == 'default' else f', {one.variant}'}",
                "link": f"?{urlencode({'rating': name})}#history",
                "active": one is chosen,
            }
            for name, one in named.items()
        ],
    }
