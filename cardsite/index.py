"""Where the API begins, and what its problems are."""

from msgspec import Struct
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from cardsite.http import ApiView
from cardsite.openapi import operation
from cardsite.problems import KINDS


class ApiIndex(Struct, frozen=True):
    """The paths to begin with."""

    docs: str = "/api/v1/docs"
    schema: str = "/api/v1/schema"
    problems: str = "/api/v1/problems"
    rulesets: str = "/api/v1/rulesets/"
    games: str = "/api/v1/games/"
    accounts: str = "/api/v1/accounts/"
    me: str = "/api/v1/me/"


class ProblemKind(Struct, frozen=True):
    """A code, the status it comes with, and what it means."""

    code: str
    status: int
    title: str


class ProblemPage(Struct, frozen=True):
    """Every problem that the API may answer with."""

    items: list[ProblemKind]
    next: str | None


class IndexView(ApiView):
    """The API."""

    permission_classes = (AllowAny,)

    @operation("index", "See where to begin", answers={200: ApiIndex}, access="anyone")
    def get(self, request: Request) -> Response:
        return Response(ApiIndex())


class ProblemsView(ApiView):
    """The problems."""

    permission_classes = (AllowAny,)

    @operation("list_problems", "List every problem by its code", answers={200: ProblemPage}, access="anyone")
    def get(self, request: Request) -> Response:
        items = [ProblemKind(code, kind.status, kind.title) for code, kind in KINDS.items()]
        return Response(ProblemPage(items, next=None))
