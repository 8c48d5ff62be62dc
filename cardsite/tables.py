"""Tables on pages of the admin."""

from collections.abc import Iterable, Sequence
from typing import Any


def table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, Any]:
    """What unfold's table component takes; a cell of nothing is shown as such."""
    cells = [["–" if cell is None or cell == "" else cell for cell in row] for row in rows]
    return {"headers": list(headers), "rows": cells}
