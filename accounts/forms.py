"""Forms of the admin."""

from django import forms
from django.contrib.auth.forms import AdminUserCreationForm

from accounts.models import Player
from accounts.names import USERNAME


class PlayerCreation(AdminUserCreationForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A player made by staff; reserved names are theirs to give."""

    username = forms.RegexField(regex=USERNAME, max_length=20)

    class Meta:
        model = Player
        fields = ("username", "display_name")
