"""The games API: the rule sets."""

from typing import Any

import msgspec
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from cardsite.http import ApiView, OnePage, read_query
from cardsite.openapi import Query, operation, tidy
from cardsite.problems import Problem
from games.api import shapes
from games.catalog import CURRENT, AnyRules
from games.clauses import RuleBook, rule_book
from games.words import asked_language

SCHEMA_REF = "#/schemas/{name}"


class RuleSetsView(ApiView):
    """The rule sets."""

    permission_classes = (AllowAny,)

    @operation(
        "list_rulesets",
        "List the rule sets",
        query=Query(OnePage),
        answers={200: shapes.RuleSetPage},
        access="anyone",
    )
    def get(self, request: Request) -> Response:
        read_query(request, OnePage)
        return Response(shapes.RuleSetPage([_summary(rules) for rules in CURRENT.values()], next=None))


class RuleSetView(ApiView):
    """A rule set."""

    permission_classes = (AllowAny,)

    @operation(
        "ruleset",
        "See a rule set: its clauses and the schemas of its options, moves, events and view",
        answers={200: shapes.RuleSetDetail},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, slug: str) -> Response:
        rules = rules_of(slug)
        book = rule_book(slug, asked_language())
        detail = shapes.RuleSetDetail(
            **msgspec.structs.asdict(_summary(rules)),
            hidden=book.hidden,
            has_notation=rules.has_notation,
            clauses=clause_shapes(book),
            schemas=_schemas(rules),
        )
        return Response(detail)


def rules_of(slug: str) -> AnyRules:
    """The newest rules of a game. Raises `Problem` not_found."""
    rules = CURRENT.get(slug)
    if rules is None:
        raise Problem("not_found", "There is no such rule set.")
    return rules


def clause_shapes(book: RuleBook) -> list[shapes.RuleClause]:
    """The clauses of a rule book, in order."""
    return [
        shapes.RuleClause(clause.id, clause.title, clause.text, clause.example, clause.ruling)
        for clause in book.clauses
    ]


def _summary(rules: AnyRules) -> shapes.RuleSetSummary:
    book = rule_book(rules.slug, asked_language())
    return shapes.RuleSetSummary(rules.slug, rules.name, rules.version, book.summary, list(rules.seats))


def _schemas(rules: AnyRules) -> dict[str, Any]:
    """JSON Schemas of the rule set's own types; what they refer to stands beside them."""
    names = ("options", "move", "events", "view")
    kinds = (rules.Options, rules.Move, rules.Events, rules.View)
    own, components = msgspec.json.schema_components(kinds, ref_template=SCHEMA_REF)
    return tidy({**components, **dict(zip(names, own, strict=True))})
