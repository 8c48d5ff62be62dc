"""What is asked of who does something about a player."""

from datetime import UTC, datetime

from django import forms
from django.core.validators import MaxValueValidator
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from accounts.services.roles import ROLES
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
    """Which role, and why."""

    role = forms.ChoiceField(
        required=False,
        choices=[("", "None"), *((role, role.capitalize()) for role in ROLES)],
        widget=UnfoldAdminSelectWidget(),
    )
    field_order = ("role", "reason")
