"""Players."""

from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from msgspec import Struct

from accounts.models import Player
from accounts.selectors.players import player_by_name
from cardsite.pages import Page
from games.models import Rating, RatingChange
from games.pages.chart import Point, chart_of
from games.pages.shapes import games_shown, names_of_games
from games.pages.words import variant_words
from games.ratings import SURE_BELOW
from games.selectors.finding import Wanted, games_found
from games.selectors.standings import rating_changes, ratings_of_player, records_of_player

NEWEST = 10
CHANGES = 100


class RatingShown(Struct, frozen=True):
    """A rating of a player, and the key by which its history is asked for."""

    key: str
    name: str
    variant: Any
    rating: int
    deviation: int
    is_provisional: bool
    games: int


class PlayerView(Page):
    """How a player has fared: record, ratings, the history of one of them, and the newest games."""

    template_name = "games/pages/player.html"

    def get(self, request: HttpRequest, username: str) -> HttpResponseBase:
        """Raises `Http404`: no such player, or no such rating."""
        player = player_by_name(username=username)
        if player is None:
            raise Http404
        names = names_of_games()
        ratings = list(ratings_of_player(player_id=player.id))
        chosen = _chosen(ratings, request.GET.get("rating"))
        changes = _changes(player, chosen)
        newest = games_found(
            wanted=Wanted(player=player.id), viewer=request.user.pk, before=None, limit=NEWEST
        )
        return self.page(
            {
                "player": player,
                "records": [
                    (names[record.ruleset], record)
                    for record in records_of_player(player_id=player.id, opponent_id=None)
                ],
                "ratings": [_rating(rating, names) for rating in ratings],
                "chosen": None if chosen is None else _rating(chosen, names),
                "chart": chart_of(_points(changes)),
                "changes": [(change, _point(change)) for change in changes],
                "games": games_shown(newest, request.user.pk, player.id),
            }
        )


def _chosen(ratings: list[Rating], key: str | None) -> Rating | None:
    """The rating whose history is asked for, or the one of most games."""
    if key is None:
        return max(ratings, key=lambda rating: rating.games, default=None)
    chosen = next((rating for rating in ratings if _key(rating) == key), None)
    if chosen is None:
        raise Http404
    return chosen


def _changes(player: Player, rating: Rating | None) -> list[RatingChange]:
    """The newest changes of a rating, the newest first."""
    if rating is None:
        return []
    return rating_changes(
        player_id=player.id, ruleset=rating.ruleset, variant=rating.variant, before=None, limit=CHANGES
    )


def _points(changes: list[RatingChange]) -> list[Point]:
    """The ratings in their order, from before the first of these changes on."""
    if not changes:
        return []
    first = changes[-1]
    start = Point(first.at, first.mean_before, first.deviation_before)
    return [start, *(_point(change) for change in reversed(changes))]


def _point(change: RatingChange) -> Point:
    return Point(
        change.at,
        change.mean_before + change.mean_change,
        change.deviation_before + change.deviation_change,
    )


def _key(rating: Rating) -> str:
    return f"{rating.ruleset}:{rating.variant}"


def _rating(rating: Rating, names: Any) -> RatingShown:
    return RatingShown(
        key=_key(rating),
        name=names[rating.ruleset],
        variant=variant_words(rating.variant),
        rating=round(rating.mean),
        deviation=round(rating.deviation),
        is_provisional=rating.deviation >= SURE_BELOW,
        games=rating.games,
    )
