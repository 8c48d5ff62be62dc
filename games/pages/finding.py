"""Finding games."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsite.pages import Page
from games.pages.forms import FindForm
from games.pages.shapes import games_shown
from games.selectors.finding import Wanted, games_found

LIMIT = 30


class GamesView(Page):
    """Games by player, rule set, result and when they ended; at first the newest that are over."""

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
                "is_asked": any(value for name, value in given.items() if name not in ("state", "cursor")),
            }
        )
