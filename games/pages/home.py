"""The front page."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import get_language

from cardsite.pages import Page
from games.catalog import CURRENT
from games.clauses import rule_book
from games.pages.shapes import games_shown
from games.selectors.daily import deals_of_today
from games.selectors.finding import Wanted, games_found

NEWEST = 5


class HomeView(Page):
    """What this is, and where to begin."""

    template_name = "games/pages/home.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        language = get_language() or "en"
        newest = games_found(wanted=Wanted(), viewer=request.user.pk, before=None, limit=NEWEST)
        return self.page(
            {
                "rulesets": [
                    {"rules": rules, "book": rule_book(slug, language)} for slug, rules in CURRENT.items()
                ],
                "deals": [(CURRENT[deal.ruleset].name, deal) for deal in deals_of_today()],
                "games": games_shown(newest, request.user.pk),
                "api": request.build_absolute_uri("/api/v1"),
                "site": request.build_absolute_uri("/").rstrip("/"),
                "canonical": request.build_absolute_uri("/"),
            }
        )
