"""How the admin is laid out: django-unfold's settings, with the pages beside it that somebody may see."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy


def _may(permission: str) -> Callable[[HttpRequest], bool]:
    def may(request: HttpRequest) -> bool:
        return request.user.has_perm(permission)

    return may


def _page(title: str, icon: str, model: str, permission: str | None = None) -> dict[str, Any]:
    """The list of a model, as `app.model`, for those who may see it."""
    app, name = model.split(".")
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{app}_{name}_changelist"),
        "permission": _may(permission or f"{app}.view_{name}"),
    }


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Cardsite",
    "SITE_HEADER": "Cardsite",
    "SITE_SUBHEADER": "Games, players, boards",
    "SITE_SYMBOL": "playing_cards",
    "SITE_URL": "/",
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "BORDER_RADIUS": "6px",
    "DASHBOARD_CALLBACK": "games.admin.dashboard.dashboard",
    "STYLES": [lambda _request: static("games/admin/admin.css")],
    # A green of card tables; the darker steps are read on white, the lighter on black.
    "COLORS": {
        "primary": {
            "50": "oklch(97% .02 160)",
            "100": "oklch(94% .04 160)",
            "200": "oklch(88% .07 160)",
            "300": "oklch(80% .11 160)",
            "400": "oklch(76% .13 160)",
            "500": "oklch(70% .14 160)",
            "600": "oklch(48% .11 160)",
            "700": "oklch(42% .1 160)",
            "800": "oklch(36% .08 160)",
            "900": "oklch(31% .06 160)",
            "950": "oklch(22% .05 160)",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "title": "",
                "items": [
                    {"title": "What goes on", "icon": "monitoring", "link": reverse_lazy("admin:index")},
                ],
            },
            {
                "title": "Games",
                "separator": True,
                "items": [
                    _page("Games", "playing_cards", "games.game"),
                    _page("Deals of the day", "today", "games.dailydeal", "games.view_game"),
                    _page("Leaderboards", "leaderboard", "games.board"),
                ],
            },
            {
                "title": "People",
                "separator": True,
                "items": [
                    _page("Players", "group", "accounts.player"),
                    _page("Roles", "badge", "auth.group"),
                ],
            },
            {
                "title": "Server",
                "separator": True,
                "items": [
                    _page("Jobs", "work_history", "procrastinate.procrastinatejob"),
                    _page("Audit trail", "policy", "accounts.auditentry"),
                ],
            },
        ],
    },
}
