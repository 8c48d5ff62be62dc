"""The deals of the day."""

from datetime import date
from itertools import groupby

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from cardsite.pages import Page
from cardsite.problems import Problem
from games.catalog import CURRENT
from games.models import Measure
from games.pages.boards import NO_PAGE, board_part
from games.pages.forms import TableForm
from games.pages.words import DEAL_STATES, variant_words
from games.selectors.boards import board_id, daily_period
from games.selectors.daily import SeenDaily, daily_deal, daily_deals, daily_tries

LIMIT = 30


class DailiesView(Page):
    """The deals of the days, those ahead first."""

    template_name = "games/pages/dailies.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Raises `Problem` malformed for what is no day."""
        before = _before(request.GET.get("before"))
        deals = daily_deals(ruleset=None, before=before, limit=LIMIT)
        days = [
            (
                day,
                DEAL_STATES[of_day[0].state],
                of_day[0].state,
                [(CURRENT[deal.ruleset].name, deal) for deal in of_day],
            )
            for day, of_day in (
                (day, list(group)) for day, group in groupby(deals, key=lambda deal: deal.date)
            )
        ]
        following = deals[-1].date if len(deals) >= LIMIT else None
        return self.page({"days": days, "following": following, "is_first": before is None})


class DailyView(Page):
    """A deal of the day: what of it is open, and how the first tries came out."""

    template_name = "games/pages/daily.html"

    def get(self, request: HttpRequest, day: str, slug: str) -> HttpResponseBase:
        """Raises `Http404`, or `Problem` malformed for what is no cursor."""
        deal = _deal(day, slug)
        form = TableForm(request.GET.dict())
        context = {
            "deal": deal,
            "name": CURRENT[slug].name,
            "variant": variant_words(deal.variant),
            "state": DEAL_STATES[deal.state],
            "form": form,
            "path": f"/api/v1/daily/{deal.date}/{deal.ruleset}/",
            "api": request.build_absolute_uri("/api/v1"),
        }
        if not form.is_valid():
            return self.page(context, status=400)
        board = board_id(ruleset=deal.ruleset, variant=deal.variant, period=daily_period(deal.date))
        part = board_part(request, board, Measure.DAILY, form.cleaned_data["around"])
        tries = daily_tries(deal=deal, player_id=request.user.pk)
        return self.page({**context, **part, "tries": tries})


def _before(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise Problem("malformed", NO_PAGE) from None


def _deal(day: str, slug: str) -> SeenDaily:
    try:
        deal = daily_deal(day=date.fromisoformat(day), ruleset=slug) if slug in CURRENT else None
    except ValueError:
        deal = None
    if deal is None:
        raise Http404
    return deal
