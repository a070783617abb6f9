"""The style of charts. Equal figures produce equal files. Charts are drawn for a page with a light background."""

import matplotlib

matplotlib.use("svg")

OWN = "#0b6e4f"
INK = "#333333"


def style():
    matplotlib.rcParams.update({
        "svg.hashsalt": "dayledger",
        "svg.fonttype": "none",
        "font.size": 10,
        "text.color": INK,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": "#dddddd",
        "grid.linewidth": 0.6,
    })


def save(figure, picture):
    figure.savefig(picture, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
