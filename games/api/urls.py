"""The paths of the games API."""

from django.urls import path

from games.api import play, rule_books, rulesets, told, views

urlpatterns = [
    path("rulesets/", rulesets.RuleSetsView.as_view()),
    path("rulesets/<slug:slug>/", rulesets.RuleSetView.as_view()),
    path("rulesets/<slug:slug>/rules", rule_books.RuleBookView.as_view()),
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
    path("games/<uuid:game_id>/events", told.EventsView.as_view()),
    path("me/events", told.MyEventsView.as_view()),
    path("games/<uuid:game_id>/positions/<int:ply>", play.PositionView.as_view()),
]
