"""Words of the pages for what the rules and the services name by a code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

RESULTS: dict[str, Promise] = {
    "win": gettext_lazy("Won"),
    "draw": gettext_lazy("Drew"),
    "loss": gettext_lazy("Lost"),
}
STATES: dict[str, Promise] = {
    "over": gettext_lazy("Over"),
    "running": gettext_lazy("Being played"),
    "open": gettext_lazy("Waiting for players"),
}
STATUSES: dict[str, Promise] = {
    "open": gettext_lazy("Waiting for players"),
    "running": gettext_lazy("Being played"),
    "finished": gettext_lazy("Finished"),
    "cancelled": gettext_lazy("Cancelled"),
    "abandoned": gettext_lazy("Closed without a result"),
}
ENDINGS: dict[str, Promise] = {
    "played_out": gettext_lazy("Played to its end"),
    "resigned": gettext_lazy("Ended by giving up"),
    "timed_out": gettext_lazy("Ended by running out of time"),
    "abandoned": gettext_lazy("Closed without a result"),
}
MEASURES: dict[str, Promise] = {
    "rating": gettext_lazy("Rating"),
    "win_share": gettext_lazy("Share of wins"),
    "wins": gettext_lazy("Wins"),
    "best_score": gettext_lazy("Best score"),
    "fewest_moves": gettext_lazy("Fewest moves"),
    "best_time": gettext_lazy("Best time"),
    "streak": gettext_lazy("Longest streak"),
}
PERIODS: dict[str, Promise] = {
    "all": gettext_lazy("All time"),
    "season": gettext_lazy("This month"),
    "week": gettext_lazy("This week"),
    "day": gettext_lazy("Today"),
}
DEAL_STATES: dict[str, Promise] = {
    "ahead": gettext_lazy("Sealed, and committed to"),
    "open": gettext_lazy("Being played"),
    "over": gettext_lazy("Over"),
}
USUAL_RULES = gettext_lazy("Usual rules")
