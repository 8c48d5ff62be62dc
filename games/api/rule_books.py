"""The games API: the rule books, as JSON by clause and as pages."""

from collections.abc import Mapping
from typing import Any, Literal

from django.template.loader import render_to_string
from django.utils.translation import override
from msgspec import Struct
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from cardsite.formats import JSONRenderer
from cardsite.http import ApiView, read_query
from cardsite.openapi import Query, operation
from games.api import shapes
from games.api.rulesets import clause_shapes, rules_of
from games.book_page import book_page
from games.clauses import rule_book, rule_books
from games.words import asked_language


class RuleBookQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: rather than what Accept-Language asks for."""

    language: Literal["en", "sv", "es"] | None = None


class RuleBookPage(BaseRenderer):
    """A rule book for people; each clause has its id as the anchor."""

    media_type = "text/html"
    format = "html"
    charset = "utf-8"

    def render(
        self,
        data: shapes.RuleBookDetail,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        page = {**book_page(data, data.languages), "slug": data.ruleset}
        with override(data.language):
            return render_to_string("games/rule_book.html", page, (renderer_context or {}).get("request"))


class RuleBookView(ApiView):
    """The rule book of a rule set."""

    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer, RuleBookPage)

    @operation(
        "rule_book",
        "Read the rule book, by clause; as text/html for people",
        query=Query(RuleBookQuery),
        answers={200: shapes.RuleBookDetail},
        problems=("not_found",),
        access="anyone",
        page=True,
    )
    def get(self, request: Request, slug: str) -> Response:
        rules, query = rules_of(slug), read_query(request, RuleBookQuery)
        book = rule_book(rules.slug, query.language or asked_language())
        detail = shapes.RuleBookDetail(
            ruleset=rules.slug,
            version=rules.version,
            title=book.title,
            language=book.language,
            languages=list(rule_books(rules.slug)),
            summary=book.summary,
            hidden=book.hidden,
            clauses=clause_shapes(book),
        )
        return Response(detail, headers={"Content-Language": book.language})
