"""Forms of the pages: each field with its label, its help and its errors, which name what they belong to."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from cardsite.problems import Problem


class ToldForm(forms.Form):
    """A form whose fields say what is wrong with them, also to those who do not see it: a browser adds none of its
    own bubbles in its own language."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    def tell(self, problem: Problem, paths: Mapping[str, str]) -> None:
        """Say what a service has refused by the fields that it names, as `$.username`, or else by all of them.
        `paths` are the fields by the services' names."""
        faults = problem.facts.get("errors")
        if not isinstance(faults, Sequence) or not faults:
            self.add_error(paths.get(problem.code), problem.detail)
            return
        for fault in faults:
            self.add_error(paths.get(fault["path"].removeprefix("$.")), fault["message"])
