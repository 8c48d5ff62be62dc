"""Forms of the pages: each field with its label, its help and its errors, which name what they belong to."""

from typing import Any

from django import forms


class ToldForm(forms.Form):
    """A form whose fields say what is wrong with them, also to those who do not see it: a browser adds none of its
    own bubbles in its own language."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
