"""What is asked of who does something about a player."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from cardsite.admin import ReasonForm

LATEST = datetime(9000, 1, 1, tzinfo=UTC)


class MomentInput(UnfoldAdminTextInputWidget):
    """A day and a time, as browsers let them be chosen."""

    input_type = "datetime-local"


class UntilForm(ReasonForm):
    """Until when, and why."""

    until = forms.DateTimeField(
        required=False,
        validators=[MaxValueValidator(LATEST)],
        widget=MomentInput(),
        label="Until (UTC)",
        help_text="Left empty: until it is lifted.",
    )
    field_order = ("until", "reason")


class RoleForm(ReasonForm):
    """Which of some roles, or none, and why."""

    role = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget())
    field_order = ("role", "reason")

    def __init__(self, *args: Any, roles: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [  # type: ignore[attr-defined]  # of a ChoiceField
            ("", "None"),
            *((role, role.capitalize()) for role in roles),
        ]
