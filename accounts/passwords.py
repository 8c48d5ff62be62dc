"""What a password may be, beside Django's own conditions."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from accounts.models import Player

LONGEST_PASSWORD = 128  # as the published schema has it; hashing takes longer, the longer it is


class NotTooLong:
    """A longer password could be set, and no log-in would take it."""

    def validate(self, password: str, user: Player | None = None) -> None:
        """Raises `ValidationError`."""
        if len(password) > LONGEST_PASSWORD:
            raise ValidationError(
                gettext_lazy("This password is longer than %(most)d characters."),
                code="password_too_long",
                params={"most": LONGEST_PASSWORD},
            )

    def get_help_text(self) -> str:
        return gettext("Your password must contain at most %(most)d characters.") % {"most": LONGEST_PASSWORD}
