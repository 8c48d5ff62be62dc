"""The paths of the games API."""

from django.urls import path, re_path

from games.api import (
    daily,
    exports,
    leaderboards,
    personal,
    play,
    replays,
    rule_books,
    rulesets,
    standings,
    statistics,
    told,
    views,
)

USERNAME = r"(?P<username>[A-Za-z][A-Za-z0-9_-]{1,19})"
PLAYER = rf"players/{USERNAME}"
DAILY = r"daily/(?P<day>\d{4}-\d{2}-\d{2})/(?P<slug>[-a-z]+)"

urlpatterns = [
    re_path(rf"^{PLAYER}/ratings$", standings.RatingsView.as_view()),
    re_path(rf"^{PLAYER}/rating-changes$", standings.RatingChangesView.as_view()),
    re_path(rf"^{PLAYER}/record$", standings.RecordView.as_view()),
    path("rulesets/", rulesets.RuleSetsView.as_view()),
    path("rulesets/<slug:slug>/", rulesets.RuleSetView.as_view()),
    path("rulesets/<slug:slug>/rules", rule_books.RuleBookView.as_view()),
    path("rulesets/<slug:slug>/statistics", statistics.StatisticsView.as_view()),
    path("rulesets/<slug:slug>/deals", statistics.DealsView.as_view()),
    path("leaderboards/", leaderboards.BoardListView.as_view()),
    path("leaderboards/<slug:slug>/", leaderboards.BoardView.as_view()),
    path("daily/", daily.DailiesView.as_view()),
    re_path(rf"^{DAILY}/$", daily.DailyView.as_view()),
    re_path(rf"^{DAILY}/table$", daily.DailyTableView.as_view()),
    path("exports/", exports.ExportsView.as_view()),
    path("games/", views.GamesView.as_view()),
    path("games/<uuid:game_id>/", views.GameView.as_view()),
    path("games/<uuid:game_id>/join", views.JoinView.as_view()),
    path("games/<uuid:game_id>/leave", views.LeaveView.as_view()),
    path("games/<uuid:game_id>/start", views.StartView.as_view()),
    path("games/<uuid:game_id>/resign", views.ResignView.as_view()),
    path("games/<uuid:game_id>/undo", play.UndoView.as_view()),
    path("games/<uuid:game_id>/legal-moves", play.LegalMovesView.as_view()),
    path("games/<uuid:game_id>/moves", play.MovesView.as_view()),
    path("games/<uuid:game_id>/proof", play.ProofView.as_view()),
    path("games/<uuid:game_id>/replay", replays.ReplayView.as_view()),
    path("games/<uuid:game_id>/export", replays.ExportView.as_view()),
    path("games/<uuid:game_id>/events", told.EventsView.as_view()),
    path("me/", personal.MeView.as_view()),
    re_path(rf"^me/bots/{USERNAME}/$", personal.BotView.as_view()),
    path("me/export", personal.PersonalDataView.as_view()),
    path("me/events", told.MyEventsView.as_view()),
    path("games/<uuid:game_id>/positions/<int:ply>", play.PositionView.as_view()),
]
