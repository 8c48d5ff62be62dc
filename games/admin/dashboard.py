"""The first page of the admin: what goes on, as charts with their tables."""

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse

from cardsite.tables import table
from games.admin.charts import bar_chart, options
from games.admin.words import title_of
from games.selectors.activity import Activity, activity

DAYS = 30
KEPT = 60  # seconds
KEY = "admin-activity"


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the first page shows to those who may see games; unfold calls it."""
    if not request.user.has_perm("games.view_game"):
        return context
    seen = cache.get_or_set(KEY, lambda: activity(days=DAYS), KEPT)
    assert isinstance(seen, Activity), "nothing else is kept by this name"
    days = [f"{day:%d %b}" for day in seen.days]
    games = {title_of(slug): counts for slug, counts in seen.games.items() if any(counts)}
    lists = reverse("admin:games_game_changelist")
    jobs = reverse("admin:procrastinate_procrastinatejob_changelist")
    return {
        **context,
        "title": "What goes on",
        "days": DAYS,
        "now": [
            {"title": "Running games", "number": seen.running, "link": f"{lists}?status=running"},
            {"title": "Open games", "number": seen.open, "link": f"{lists}?status=open"},
            {"title": "Overdue games", "number": seen.overdue, "link": f"{lists}?overdue=yes"},
            {"title": "Failed jobs", "number": seen.failed_jobs, "link": f"{jobs}?status=failed"},
            {"title": "Workers alive", "number": seen.workers, "link": None},
        ],
        "charts": [
            _chart("Games that ended, by day", days, games or {"Games": [0] * DAYS}),
            _chart("Entries in the logs of these games", days, {"Entries": seen.moves}),
            _chart("Players on the boards of the day", days, {"Players": seen.players}),
            _chart("New accounts", days, {"Accounts": seen.accounts}),
        ],
    }


def _chart(title: str, days: list[str], series: dict[str, Any]) -> dict[str, Any]:
    rows = [
        (day, *(values[number] for values in series.values())) for number, day in reversed([*enumerate(days)])
    ]
    return {
        "title": title,
        "data": bar_chart(days, series),
        "options": options(stacked=len(series) > 1),
        "table": table(("Day", *series), rows),
    }
