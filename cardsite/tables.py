"""Tables on pages of the admin."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
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
    return format_html_join(" ", "{}", ((_mark(word, kind),) for word, kind in words.items()))


@cache
def _mark(word: str, kind: str) -> SafeString:
    # The same few, in every row of a list.
    return render_to_string("unfold/helpers/label.html", {"text": word, "type": kind})
