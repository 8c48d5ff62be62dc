"""The rule books."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from cardsite.pages import Page
from cardsite.problems import Problem
from games.book_page import book_page
from games.catalog import CURRENT
from games.clauses import rule_book, rule_books
from games.words import asked_language


class RulesView(Page):
    """Which games there are, each with what it is about."""

    template_name = "games/pages/rules.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        language = asked_language()
        return self.page(
            {
                "books": [
                    {"rules": rules, "book": rule_book(slug, language), "languages": list(rule_books(slug))}
                    for slug, rules in CURRENT.items()
                ]
            }
        )


class RuleBookView(Page):
    """A rule book, in the language of the page or in that of the query."""

    template_name = "games/rule_book.html"

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """Raises `Http404`, or `Problem` malformed for a language in which there is no book."""
        if slug not in CURRENT:
            raise Http404
        books = rule_books(slug)
        language = request.GET.get("language", asked_language())
        if "language" in request.GET and language not in books:
            raise Problem("malformed", "There is no rule book in this language.")
        answer = self.page({**book_page(rule_book(slug, language), books), "slug": slug, "is_home": True})
        answer.headers["Content-Language"] = rule_book(slug, language).language
        return answer
