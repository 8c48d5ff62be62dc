"""Lists of the admin, page by page without counting: each begins below the place that the last one ended with."""

from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.views import ChangeList

BEFORE = "before"


class Pages:
    """Stands in the place of a paginator: there is a first page and a next one, and no number of them."""

    template_name = "admin/pages.html"

    def __init__(self, per_page: int) -> None:
        self.per_page = per_page


class KeysetChangeList(ChangeList):
    """A list whose newest, by id, come first."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        # What else is chosen on a page begins with the first page again: nothing else sees where this one begins.
        given = request.GET.copy()
        self.before = str(given.pop(BEFORE, [""])[-1])
        request.GET = given  # type: ignore[assignment]  # a copy is as good
        self.following: str | None = None
        super().__init__(request, *args, **kwargs)
        self.newest = self.get_query_string() if self.before else None

    def get_ordering(self, request: HttpRequest, queryset: Any) -> list[str]:
        return ["-pk"]

    def place_of(self, row: Any) -> str:
        """Where a row stands in the order of the list, for an address."""
        return str(row.pk)

    def below(self, found: QuerySet[Any], place: str) -> QuerySet[Any]:
        """What follows on a place. Raises `ValidationError` where it is none."""
        return found.filter(pk__lt=self.model._meta.pk.to_python(place))

    def get_results(self, request: HttpRequest) -> None:
        """Read a page and look whether there is another. Raises `IncorrectLookupParameters`."""
        found = self.queryset
        if self.before:
            try:
                found = self.below(found, self.before)
            except ValidationError:
                raise IncorrectLookupParameters from None
        rows = list(found[: self.list_per_page + 1])
        self.result_list = rows[: self.list_per_page]
        if len(rows) > self.list_per_page:
            self.following = self.get_query_string({BEFORE: self.place_of(self.result_list[-1])})
        self.result_count = self.full_result_count = len(self.result_list)
        self.show_full_result_count = self.show_admin_actions = False
        self.can_show_all = self.multi_page = self.show_all = False
        self.paginator = Pages(self.list_per_page)
