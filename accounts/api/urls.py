"""The paths of the accounts API. `me/` is among those of games, whose seats an account is erased with."""

from django.urls import path, re_path

from accounts.api import views

urlpatterns = [
    path("accounts/", views.AccountsView.as_view()),
    path("me/bots/", views.BotsView.as_view()),
    path("me/stream-ticket", views.StreamTicketView.as_view()),
    path("me/tokens/", views.TokensView.as_view()),
    path("me/tokens/<uuid:token_id>/", views.TokenView.as_view()),
    re_path(r"^players/(?P<username>[A-Za-z][A-Za-z0-9_-]{1,19})/$", views.PlayerView.as_view()),
]
