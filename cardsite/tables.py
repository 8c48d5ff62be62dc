"""Tables on pages of the admin."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString


def table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, Any]:
    """What unfold's table component takes; a cell of nothing is shown as such."""
    cells = [["-" if cell is None or cell == "" else cell for cell in row] for row in rows]
    return {"headers": list(headers), "rows": cells}


def marks(words: Mapping[str, str]) -> SafeString:
    """Words as marks, each with its kind: success, info, warning, danger, or none."""
    shown = (
        (render_to_string("unfold/helpers/label.html", {"text": word, "type": kind}),)
        for word, kind in words.items()
    )
    return format_html_join(" ", "{}", shown)
