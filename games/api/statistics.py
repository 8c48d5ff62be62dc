"""The games API: what the games of a rule set came to."""

import re
from typing import Annotated

from msgspec import Meta, Struct
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from cardsite.http import ApiView, next_page, read_query
from cardsite.openapi import Query, operation
from cardsite.problems import malformed
from games.api.rulesets import rules_of
from games.api.views import Limit
from games.selectors.statistics import (
    DealStatistics,
    VariantStatistics,
    deal_statistics,
    variant_statistics,
)
from games.variants import DEFAULT, PATTERN

_CURSOR = re.compile(r"([0-9]{1,9})\.([a-z0-9_=,.-]{1,100})")


class RuleSetStatistics(Struct, frozen=True):
    """By number of seats, what the public games of a variant came to that were not voided."""

    ruleset: str
    variant: str
    items: list[VariantStatistics]


class DealPage(Struct, frozen=True):
    """Deals that options fix, those that were played most first."""

    items: list[DealStatistics]
    next: str | None


class StatisticsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which variant."""

    variant: Annotated[str, Meta(pattern=PATTERN)] = DEFAULT


class DealsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page."""

    cursor: Annotated[str, Meta(pattern=f"^{_CURSOR.pattern}$")] | None = None
    limit: Limit = 50


class StatisticsView(ApiView):
    """Statistics of a rule set."""

    permission_classes = (AllowAny,)

    @operation(
        "statistics",
        "See how long the games of a rule set were, and how each seat did",
        query=Query(StatisticsQuery),
        answers={200: RuleSetStatistics},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, slug: str) -> Response:
        rules_of(slug)
        variant = read_query(request, StatisticsQuery).variant
        return Response(RuleSetStatistics(slug, variant, variant_statistics(ruleset=slug, variant=variant)))


class DealsView(ApiView):
    """Deals that options fix."""

    permission_classes = (AllowAny,)

    @operation(
        "deals",
        "See how often deals that the options fix were played and won",
        query=Query(DealsQuery),
        answers={200: DealPage},
        problems=("not_found",),
        access="anyone",
    )
    def get(self, request: Request, slug: str) -> Response:
        rules_of(slug)
        query = read_query(request, DealsQuery)
        deals = deal_statistics(ruleset=slug, after=_after(query.cursor), limit=query.limit + 1)
        page = deals[: query.limit]
        cursor = f"{page[-1].games}.{page[-1].variant}" if len(deals) > query.limit else None
        return Response(DealPage(page, next_page(request, cursor)))


def _after(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)  # which, unlike `$`, lets no newline follow
    if found is None:
        raise malformed("not a cursor of this list", "cursor")
    return int(found[1]), found[2]
