"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Players, their tokens, sign-up and profiles."""

    name = "accounts"
