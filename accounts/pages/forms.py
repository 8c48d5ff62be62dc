"""The forms of the pages about accounts."""

import re
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_text_html
from django.core.validators import RegexValidator
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from accounts.names import USERNAME
from accounts.pages.confirming import player_confirmed
from accounts.passwords import LONGEST_PASSWORD
from accounts.selectors.sanctions import Suspension
from cardsite.forms import ToldForm
from cardsite.problems import Problem

# As the published schema has it.
LINE = RegexValidator(
    re.compile(r"^[^\x00-\x1f\x7f]*(?!\n)$"), gettext_lazy("Control characters are not taken.")
)
# What services answer who is forbidden something about their own account, collected for translation.
_FORBIDDEN = (
    gettext_lazy("Nobody can log in with this account."),
    gettext_lazy("The account was erased."),
    gettext_lazy("The password was changed meanwhile."),
    gettext_lazy("Whoever has a role loses it first: somebody who ranks above takes it."),
)
_AS_TYPED = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


class Refusable(forms.Form):
    """A form that remembers what a service has refused, and says it."""

    refusal: Problem | None = None

    def refuse(self, problem: Problem, field: str | None = None) -> None:
        """Say what was refused by the fields that it names, as `$.username`, or where it names none by `field`, or
        else of the whole form."""
        self.refusal = problem
        faults: Any = problem.facts.get("errors")
        if not faults:
            self.add_error(field, problem_words(problem))
            return
        for fault in faults:
            name = fault["path"].removeprefix("$.")
            self.add_error(name if name in self.fields else None, fault["message"])


class SignUpForm(Refusable, ToldForm):
    """A new account."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=20,
        validators=[
            RegexValidator(
                USERNAME, gettext_lazy("Two to twenty letters A to Z, digits, _ and -, a letter first.")
            )
        ],
        help_text=gettext_lazy(
            "Two to twenty letters A to Z, digits, _ and -, a letter first. It is yours for ever, and public."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "username", **_AS_TYPED}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        help_text=password_validators_help_text_html,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        required=False,
        validators=[LINE],
        help_text=gettext_lazy("Only for a new password, if you forget yours. Nobody else sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    display_name = forms.CharField(
        label=gettext_lazy("Display name"),
        max_length=50,
        required=False,
        validators=[LINE],
        help_text=gettext_lazy("What others read; the user name, where there is none."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


class LogInForm(Refusable, AuthenticationForm):
    """Django's, that tells too many attempts by the form."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "Please enter a correct user name and password. Note that the password is case-sensitive."
        ),
    }

    def __init__(self, request: HttpRequest | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, label_suffix="", **kwargs)
        self.fields["username"].label = gettext_lazy("User name")
        self.fields["username"].widget.attrs |= _AS_TYPED
        # Whoever goes by keyboard begins at the top of the page, as everywhere.
        del self.fields["username"].widget.attrs["autofocus"]

    def clean(self) -> dict[str, Any]:
        """Raises `ValidationError`."""
        try:
            return super().clean()
        except Problem as problem:
            self.refuse(problem)
            return self.cleaned_data


class NewPasswordForm(Refusable, SetPasswordForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """Django's new password, with what else is to end by it."""

    revokes_tokens = forms.BooleanField(
        label=gettext_lazy("Revoke all tokens too: somebody else may have known the old password"),
        required=False,
        help_text=gettext_lazy("Programs that play for you then need new ones. Otherwise tokens go on."),
    )


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    """The same for who knows the old one, which is tried no more often here than at a log-in."""

    field_order = ["old_password", "new_password1", "new_password2", "revokes_tokens"]

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        del self.fields["old_password"].widget.attrs["autofocus"]

    def clean_old_password(self) -> str:
        """Raises `ValidationError`."""
        given: str = self.cleaned_data["old_password"]
        try:
            known = player_confirmed(self.request, given)
        except Problem as problem:
            self.refuse(problem)
            return given
        if known is None:
            raise forms.ValidationError(gettext_lazy("This is not your password."))
        self.user = known
        return given


class ProfileForm(Refusable, ToldForm):
    """One's own profile."""

    display_name = forms.CharField(
        label=gettext_lazy("Display name"),
        max_length=50,
        validators=[LINE],
        help_text=gettext_lazy("What others read."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        required=False,
        validators=[LINE],
        help_text=gettext_lazy("Only for a new password, if you forget yours. Nobody else sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        required=False,
        strip=False,
        help_text=gettext_lazy("To change the address."),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class TokenForm(Refusable, ToldForm):
    """A new token."""

    name = forms.CharField(
        label=gettext_lazy("Name of the new token"),
        max_length=50,
        validators=[LINE],
        help_text=gettext_lazy("What or where it is for, such as the name of a program or a machine."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ResetForm(Refusable, ToldForm):
    """Where to send what a new password is chosen by."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        validators=[LINE],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


def problem_words(problem: Problem) -> str:
    """What is refused, in the language of the page where there are words for it."""
    facts: Any = problem.facts
    if problem.code == "throttled" and "retry_after" in facts:
        words = gettext("Too many attempts; try again in {seconds} s.")
        return words.format(seconds=facts["retry_after"])
    if problem.code == "username_taken":
        return gettext("This name is taken, or was once. Choose another.")
    if problem.code == "suspended":
        until = datetime.fromisoformat(facts["until"]) if facts["until"] else None
        return suspension_words(Suspension(until, facts["reason"]))
    return gettext(problem.detail) if problem.code == "forbidden" else problem.detail


def suspension_words(suspension: Suspension) -> str:
    """That an account is suspended, until when and why."""
    if suspension.until is None:
        words = gettext("This account is suspended until further notice: {reason}")
        return words.format(reason=suspension.reason)
    until = date_format(suspension.until.astimezone(UTC), "j M Y, H:i")
    words = gettext("This account is suspended until {until} (UTC): {reason}")
    return words.format(until=until, reason=suspension.reason)
