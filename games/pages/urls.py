"""The paths of the pages about games."""

from django.urls import path, re_path

from games.pages import boards, daily, finding, home, personal, players, rules, sheets

urlpatterns = [
    path("", home.HomeView.as_view(), name="home"),
    path("games/", finding.GamesView.as_view(), name="games"),
    path("your-games/", finding.OwnGamesView.as_view(), name="own-games"),
    path("games/<uuid:game_id>/", sheets.GameView.as_view(), name="game"),
    path("leaderboards/", boards.BoardsView.as_view(), name="leaderboards"),
    path("leaderboards/<slug:slug>/", boards.BoardView.as_view(), name="leaderboard"),
    path("daily/", daily.DailiesView.as_view(), name="dailies"),
    re_path(
        r"^daily/(?P<day>\d{4}-\d{2}-\d{2})/(?P<slug>[-a-z]+)/$", daily.DailyView.as_view(), name="daily"
    ),
    re_path(
        r"^players/(?P<username>[A-Za-z][A-Za-z0-9_-]{1,19})/$", players.PlayerView.as_view(), name="player"
    ),
    path("account/export", personal.ExportView.as_view(), name="personal-export"),
    path("account/erase", personal.EraseView.as_view(), name="erase"),
    path("rules/", rules.RulesView.as_view(), name="rules"),
    path("rules/<slug:slug>/", rules.RuleBookView.as_view(), name="rule-book"),
]
