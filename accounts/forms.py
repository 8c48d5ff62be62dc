"""Forms of the admin."""

from django import forms
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm

from accounts.models import Player
from accounts.names import USERNAME, clean_display_name


class CleanDisplayName:
    """The rules of display names, which the services keep otherwise."""

    cleaned_data: dict[str, str]

    def clean_display_name(self) -> str:
        """Raises `ValidationError`."""
        try:
            return clean_display_name(self.cleaned_data["display_name"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


class PlayerCreation(CleanDisplayName, AdminUserCreationForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A player made by staff; reserved names are theirs to give."""

    username = forms.RegexField(regex=USERNAME, max_length=20)

    class Meta:
        model = Player
        fields = ("username", "display_name")


class PlayerChange(CleanDisplayName, UserChangeForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A player changed by staff."""
