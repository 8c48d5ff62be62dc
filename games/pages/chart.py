"""A rating over time as a drawing: its lines in the units of the drawing, for a template to write as SVG."""

from collections.abc import Sequence
from datetime import datetime
from math import ceil, floor

from msgspec import Struct

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 58, 628, 14, 226
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # points between two lines of the grid
MOST_LINES = 5


class Point(Struct, frozen=True):
    """A rating as it was after a change of it."""

    at: datetime
    mean: float
    deviation: float


class GridLine(Struct, frozen=True):
    """A level line and the rating that it stands for."""

    y: float
    rating: int


class Chart(Struct, frozen=True):
    """`line` and `band` are the points of a polyline and of a polygon, which spans what the rating may be in
    truth; `x` and `y` are of the last point."""

    line: str
    band: str
    grid: list[GridLine]
    x: float
    y: float
    first: Point
    last: Point


def chart_of(points: Sequence[Point]) -> Chart | None:
    """The chart of ratings, the earliest first, at equal distances; None where there are fewer than two."""
    if len(points) < 2:
        return None
    lowest = min(point.mean - point.deviation for point in points)
    highest = max(point.mean + point.deviation for point in points)
    step = next((step for step in STEPS if (highest - lowest) / step <= MOST_LINES), STEPS[-1])
    bottom, top = floor(lowest / step), max(ceil(highest / step), floor(lowest / step) + 1)

    def y_of(rating: float) -> float:
        share = (rating / step - bottom) / (top - bottom)
        return round(BOTTOM - share * (BOTTOM - TOP), 1)

    xs = [round(LEFT + (RIGHT - LEFT) * number / (len(points) - 1), 1) for number in range(len(points))]
    upper = [(x, y_of(point.mean + point.deviation)) for x, point in zip(xs, points, strict=True)]
    lower = [(x, y_of(point.mean - point.deviation)) for x, point in zip(xs, points, strict=True)]
    return Chart(
        line=_text([(x, y_of(point.mean)) for x, point in zip(xs, points, strict=True)]),
        band=_text([*upper, *reversed(lower)]),
        grid=[GridLine(y_of(level * step), level * step) for level in range(bottom, top + 1)],
        x=xs[-1],
        y=y_of(points[-1].mean),
        first=points[0],
        last=points[-1],
    )


def _text(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
