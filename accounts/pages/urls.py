"""The paths of the pages about accounts."""

from django.urls import path

from accounts.pages import account, entering, passwords, sessions, tokens

urlpatterns = [
    path("sign-up", entering.SignUpView.as_view(), name="sign-up"),
    path("log-in", entering.LogInView.as_view(), name="log-in"),
    path("log-out", entering.LogOutView.as_view(), name="log-out"),
    path("account/", account.AccountView.as_view(), name="account"),
    path("account/password", passwords.ChangeView.as_view(), name="password-change"),
    path("account/sessions", sessions.SessionsView.as_view(), name="sessions"),
    path("tokens/", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:token_id>/revoke", tokens.RevokeView.as_view(), name="token-revoke"),
    path("password-reset/", passwords.ResetView.as_view(), name="password-reset"),
    path("password-reset/sent", passwords.ResetSentView.as_view(), name="password-reset-sent"),
    path(
        "password-reset/<uidb64>/<token>/",
        passwords.ResetConfirmView.as_view(),
        name="password-reset-confirm",
    ),
    path("password-reset/done", passwords.ResetDoneView.as_view(), name="password-reset-done"),
]
