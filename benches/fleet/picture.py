"""Draws charts of the time by the number of workers and people. Equal figures produce equal files.

    python picture.py MEASURED.json PICTURE.svg
"""

import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "compare"))

from drawing import INK, OWN, save, style  # noqa: E402
from matplotlib import pyplot, ticker  # noqa: E402


def main(measured, picture):
    with open(measured, encoding="utf-8") as file:
        runs = [(run["persons"], run["workers"], sum(run["took"].values())) for run in json.load(file)["runs"]]
    persons, workers = min(run[0] for run in runs), max(run[1] for run in runs)
    style()
    figure, (by_workers, by_persons) = pyplot.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    figure.suptitle("All statements of sql/examples and one over all segments", fontsize=11)

    points = sorted((count, took) for of, count, took in runs if of == persons)
    draw(by_workers, points, f"exports of {persons} people", "workers")
    ideal = [(count, points[0][1] * points[0][0] / count) for count, _ in points]
    by_workers.plot(*zip(*ideal), color=INK, linewidth=1, linestyle="dotted")
    middle = ideal[len(ideal) // 2 - 1]
    by_workers.annotate("if all work were divided", middle, xytext=(10, 6), textcoords="offset points", color=INK)
    by_workers.set(xscale="log", yscale="log")
    by_workers.set_ylabel("seconds")
    for axis in (by_workers.xaxis, by_workers.yaxis):
        axis.set_major_formatter(lambda number, _: f"{number:g}")
        axis.set_minor_locator(ticker.NullLocator())
    by_workers.xaxis.set_major_locator(ticker.FixedLocator([count for count, _ in points]))
    by_workers.yaxis.set_major_locator(ticker.FixedLocator([round(took) for _, took in points]))

    points = sorted((of, took) for of, count, took in runs if count == workers)
    draw(by_persons, points, f"{workers} workers", "people, one year each")
    by_persons.set(xlim=(0, points[-1][0] * 1.05), ylim=(0, max(took for _, took in points) * 1.15))
    by_persons.xaxis.set_major_locator(ticker.FixedLocator([of for of, _ in points]))
    save(figure, picture)


def draw(axes, points, title, label):
    axes.plot(*zip(*points), color=OWN, marker="o", markersize=4, linewidth=2)
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(label)
    axes.grid()


if __name__ == "__main__":
    main(*sys.argv[1:])
