"""What is asked of lists, as forms: by them the fields are drawn, and what is wrong is said by the field."""

import re
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.selectors.players import player_by_name
from cardsite.filters import EARLIEST, LATEST
from cardsite.forms import ToldForm
from games.pages.shapes import names_of_games
from games.pages.words import MEASURES, PERIODS, RESULTS, STATES, variant_words
from games.selectors.boards import PERIOD, measures_of
from games.variants import DEFAULT, LONGEST, PATTERN

WITHIN = [MinValueValidator(EARLIEST), MaxValueValidator(LATEST)]
NO_SUCH_PLAYER = gettext_lazy("There is no player of this name.")


class PlayerField(forms.CharField):
    """The name of a player: cleaned, the player, or None where it is left out."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(max_length=20, required=False, **fields)

    def clean(self, value: Any) -> Any:
        """Raises `ValidationError`."""
        name = super().clean(value)
        if not name:
            return None
        player = player_by_name(username=name)
        if player is None:
            raise forms.ValidationError(NO_SUCH_PLAYER)
        return player


class FindForm(ToldForm):
    """Which games."""

    player = PlayerField(
        label=gettext_lazy("Player"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        required=False,
        choices=[("", gettext_lazy("Any way")), *RESULTS.items()],
    )
    ruleset = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        choices=lambda: [("", gettext_lazy("All games")), *names_of_games().items()],
    )
    state = forms.ChoiceField(label=gettext_lazy("State"), required=False, choices=list(STATES.items()))
    ended_from = forms.DateField(
        label=gettext_lazy("Ended from"),
        required=False,
        validators=WITHIN,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    ended_to = forms.DateField(
        label=gettext_lazy("Ended until"),
        required=False,
        validators=WITHIN,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    cursor = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Raises `ValidationError`."""
        given = super().clean() or {}
        given["state"] = given.get("state") or "over"
        if given.get("result") and not self.data.get("player"):
            self.add_error("player", gettext_lazy("Say whose result it is."))
        if given["state"] != "over":
            for name in ("result", "ended_from", "ended_to"):
                if given.get(name):
                    self.add_error(name, gettext_lazy("This can be asked of games that are over alone."))
        first, last = given.get("ended_from"), given.get("ended_to")
        if first and last and last < first:
            self.add_error("ended_to", gettext_lazy("This day is before the other."))
        return given


class BoardForm(ToldForm):
    """Which leaderboard of a rule set, and which part of it."""

    measure = forms.ChoiceField(label=gettext_lazy("By"), required=False)
    period = forms.ChoiceField(label=gettext_lazy("Period"), required=False)
    variant = forms.ChoiceField(label=gettext_lazy("Variant"), required=False)
    around = PlayerField(
        label=gettext_lazy("Around the player"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, slug: str, variants: list[str], asked: dict[str, str], viewer: Player | None) -> None:
        given = dict(asked)
        if given.get("around") == "me" and viewer is not None:
            given["around"] = viewer.username
        super().__init__(given)
        measures = measures_of(slug)
        self.fields["measure"] = forms.ChoiceField(
            label=self.fields["measure"].label,
            required=False,
            choices=[(name, MEASURES[name]) for name in measures],
        )
        # A period or variant of its own name can be asked for by address.
        periods = dict(PERIODS)
        if re.fullmatch(PERIOD, named := given.get("period", "")):
            periods.setdefault(named, named)  # type: ignore[arg-type]
        known = {DEFAULT: variant_words(DEFAULT)} | {name: variant_words(name) for name in variants}
        if re.fullmatch(PATTERN, named := given.get("variant", "")) and len(named) <= LONGEST:
            known.setdefault(named, named)
        for name, choices in (("period", periods), ("variant", known)):
            self.fields[name] = forms.ChoiceField(
                label=self.fields[name].label, required=False, choices=list(choices.items())
            )
        self.usual_variant = variants[0] if variants and DEFAULT not in variants else DEFAULT

    def clean(self) -> dict[str, Any]:
        """What is asked for, with what is usual where nothing is; by which measure then depends on the board."""
        given = super().clean() or {}
        usual = {"period": "all", "variant": self.usual_variant}
        return {**given, **{name: given.get(name) or value for name, value in usual.items()}}

    def show(self, given: dict[str, Any]) -> None:
        """Have the fields stand on what is shown, also where it was not asked for."""
        self.data = {**self.data, **{name: given[name] for name in ("measure", "period", "variant")}}


class TableForm(ToldForm):
    """Which part of the table of a day's deal."""

    around = PlayerField(label=gettext_lazy("Around the player"))
