"""Finding games."""

import msgspec
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsite.pages import Page, player_asking
from cardsite.problems import malformed
from games.pages.forms import FindForm
from games.pages.shapes import games_shown
from games.selectors.finding import Place, Wanted, games_found, place_of, unfinished_games_found

LIMIT = 30
LAST_OVER = 10


class GamesView(Page):
    """Games by player, rule set, result and when they ended; at first those that ended last."""

    template_name = "games/pages/games.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        form = FindForm(request.GET.dict())
        if not form.is_valid():
            return self.page({"form": form}, status=400)
        given = form.cleaned_data
        player = given["player"]
        wanted = Wanted(
            state=given["state"],
            player=player.id if player else None,
            ruleset=given["ruleset"] or None,
            result=given["result"] or None,
            first_day=given["ended_from"],
            last_day=given["ended_to"],
        )
        viewer = request.user.pk
        found = games_found(wanted=wanted, viewer=viewer, before=given["cursor"], limit=LIMIT + 1)
        return self.page(
            {
                "form": form,
                "player": player,
                "games": games_shown(found[:LIMIT], viewer, wanted.player),
                "following": found[LIMIT - 1].id if len(found) > LIMIT else None,
                "is_first": given["cursor"] is None,
                "is_going": wanted.state != "over",
            }
        )


class OwnGamesView(LoginRequiredMixin, Page):
    """One's own games: those that go on, the ones that wait for one first; below their first page the last that
    are over."""

    template_name = "games/pages/own_games.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Raises `Problem` malformed for what is no cursor."""
        player, after = player_asking(request).id, _place(request.GET.get("cursor"))
        going = unfinished_games_found(player=player, after=after, limit=LIMIT + 1)
        over = (
            games_found(wanted=Wanted(player=player), viewer=player, before=None, limit=LAST_OVER)
            if after is None
            else []
        )
        return self.page(
            {
                "going": games_shown(going[:LIMIT], player),
                "over": games_shown(over, player, player),
                "following": _cursor(place_of(going[LIMIT - 1], player=player))
                if len(going) > LIMIT
                else None,
                "is_first": after is None,
            }
        )


def _cursor(place: Place) -> str:
    return f"{place.urgency}.{place.game.hex}"


def _place(cursor: str | None) -> Place | None:
    if cursor is None:
        return None
    urgency, _, game = cursor.partition(".")
    try:
        return msgspec.convert({"urgency": urgency, "game": game}, Place, strict=False)
    except msgspec.ValidationError:
        raise malformed("not a cursor of this list", "cursor") from None
