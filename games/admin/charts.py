"""Charts on pages of the admin, as unfold's components take them."""

import json
from collections.abc import Mapping, Sequence

# One for each rule set and some to spare; told apart by whoever sees colours badly, on white and on black.
COLOURS = ("#2f7d5b", "#d97706", "#3b82f6", "#b45cc4", "#c2410c", "#0891b2", "#8a8d14", "#6b7280")


def bar_chart(labels: Sequence[str], series: Mapping[str, Sequence[int]]) -> str:
    """Bars, one on the other where there are several series."""
    return _chart(labels, series, {"stack": "one"})


def line_chart(labels: Sequence[str], series: Mapping[str, Sequence[int]]) -> str:
    """A line for each series."""
    return _chart(labels, series, {"tension": 0})


def _chart(labels: Sequence[str], series: Mapping[str, Sequence[int]], how: Mapping[str, object]) -> str:
    datasets = [
        {
            "label": name,
            "data": list(values),
            "backgroundColor": colour,
            "borderColor": colour,
            "displayYAxis": True,
            "maxTicksXLimit": 8,
            **how,
        }
        for (name, values), colour in zip(series.items(), COLOURS, strict=False)
    ]
    return json.dumps({"labels": list(labels), "datasets": datasets})


def options(*, stacked: bool) -> str:
    """What unfold's own options do not have: a legend, wider bars, and marks that are read in both themes."""
    ticks = {"color": "#868b96", "maxRotation": 0, "autoSkipPadding": 16, "precision": 0}
    axis = {"ticks": ticks, "grid": {"color": "rgba(134, 139, 150, .2)"}, "stacked": stacked}
    legend = {"display": stacked, "position": "bottom", "labels": {"color": "#868b96", "boxWidth": 10}}
    return json.dumps(
        {
            "animation": False,
            "responsive": True,
            "maintainAspectRatio": False,
            "plugins": {"legend": legend},
            "elements": {"point": {"radius": 2}, "line": {"borderWidth": 2}},
            "scales": {"x": axis, "y": {**axis, "beginAtZero": stacked}},
        }
    )
