"""Draws a chart of the times by the size of the history. Equal figures produce equal files.

    python picture.py MEASURED.json PICTURE.svg
"""

import json
import sys

from drawing import OWN, save, style
from matplotlib import pyplot, ticker

COLOURS = {"dayledger": OWN, "SQLite": "#b3541e", "DuckDB": "#7a5ea8", "Polars": "#2f6fb0"}
PANELS = {"first": "first question of a running process", "again": "the same again"}
LABEL_POINTS = 12


def main(measured, picture):
    with open(measured, encoding="utf-8") as file:
        told = json.load(file)
    style()
    figure, panels = pyplot.subplots(1, len(PANELS), sharey=True, figsize=(9, 4.2), layout="constrained")
    figure.suptitle("Active time by application, over the whole history", fontsize=11)
    panels[0].set_ylabel("seconds")
    ends = []
    for axes, (kind, title) in zip(panels, PANELS.items()):
        axes.set_title(title, fontsize=10, loc="left")
        ends.append(draw(axes, told["growth"], kind))
    # Labels can be placed only after the axes have their final size.
    figure.draw_without_rendering()
    for axes, of_axes in zip(panels, ends):
        label(axes, of_axes, figure.dpi / 72, f"then over {told['seconds']} s")
    save(figure, picture)


def draw(axes, growth, kind):
    """Draws the lines of a panel. Returns the last point of each line, and whether the engine timed out after this
    point.
    """
    axes.set(xscale="log", yscale="log", ymargin=0.1)
    ends = {}
    for name, colour in COLOURS.items():
        points = [(step["activities"], step["engines"][name][kind]) for step in growth if step["engines"].get(name)]
        if not points:
            continue
        axes.plot(*zip(*points), color=colour, marker="o", markersize=4, linewidth=2 if name == "dayledger" else 1.3)
        ends[name] = (points[-1], len(points) < len(growth))
    counts = [step["activities"] for step in growth]
    axes.set_xlim(counts[0] * 0.85, counts[-1] * 3)
    axes.xaxis.set_major_locator(ticker.FixedLocator(counts))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(lambda count, _: shown(count))
    axes.yaxis.set_major_formatter(lambda seconds, _: f"{seconds:g}")
    axes.set_xlabel("activities in the history")
    axes.grid()
    return ends


def label(axes, ends, pixels_of_point, stopped):
    """Labels each line. Labels are next to the lines' ends, and stacked if ends are close. A line that stops has its
    label above the end.
    """
    lowest = -1.0
    for name, (point, too_long) in sorted(ends.items(), key=lambda end: end[1][0][1]):
        look = {"textcoords": "offset points", "color": COLOURS[name]}
        if too_long:
            axes.annotate(f"{name}, {stopped}", point, xytext=(-4, 7), **look)
            continue
        height = axes.transData.transform(point)[1] / pixels_of_point
        placed = max(height, lowest)
        lowest = placed + LABEL_POINTS
        axes.annotate(name, point, xytext=(6, placed - height), va="center", **look)


def shown(count):
    return f"{count / 1e6:.2g} million" if count >= 1e6 else f"{round(count / 1000)},000"


if __name__ == "__main__":
    main(*sys.argv[1:])
