"""The picture of a search as it goes on: what walks cost, how many stay up, how hard pushes are, over walks so far.

It draws records of `anthropi.gait.search.evolve`: rollouts, cost (the best), median, up, strength.
"""

import numpy as np

from anthropi.errors import MissingExtra

__all__ = ["search_sheet"]

INK, PALE, GRID = "#222a38", "#8d99ae", "#dfe4ea"
BEST, MEDIAN, UP, STRENGTH = "#00798c", "#8d99ae", "#30638e", "#d1495b"


def search_sheet(history, title: str = "", path=None):
    """Draw a search; write it to `path` if one is given (.png, .svg, .pdf). Returns the matplotlib figure."""
    try:
        from matplotlib.figure import Figure as Sheet
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", "The picture of a search") from missing
    rows = {name: np.array([record[name] for record in history], float)
            for name in ("rollouts", "seconds", "cost", "median", "up", "strength")}  # fmt: skip
    sheet = Sheet(figsize=(8.6, 7.2), facecolor="white")
    cost, up, strength = sheet.subplots(3, 1, sharex=True, gridspec_kw={"height_ratios": (2.2, 1.0, 1.0)})
    x = rows["rollouts"]
    dot = {"marker": "o" if len(x) < 12 else "", "ms": 4.0}  # one generation is no line
    if len(x):
        cost.plot(x, rows["median"], color=MEDIAN, lw=1.0, label="median", **dot)
        cost.plot(x, rows["cost"], color=BEST, lw=1.8, label="best of a generation", **dot)
        cost.legend(frameon=False, fontsize=8, labelcolor=INK)
        if (rows["cost"] > 0.0).all() and rows["median"].max() > 20.0 * rows["cost"].min():
            cost.set_yscale("log")
        up.fill_between(x, 100.0 * rows["up"], color="#cfe5e8", lw=0)
        up.plot(x, 100.0 * rows["up"], color=UP, lw=1.4, **dot)
        strength.plot(x, rows["strength"], color=STRENGTH, lw=1.8, **dot)
    cost.set_xlim(0.0, 1.02 * max([1.0, *x]))
    up.set_ylim(0.0, 104.0)
    strength.set_ylim(0.0, 1.2 * max([0.05, *rows["strength"]]))
    strength.set_xlabel("walks so far", fontsize=9, color=INK)
    for axes, words in ((cost, "cost"), (up, "walks of the best quarter that stay up [%]"),
                        (strength, "strength of pushes [m/s that one would give]")):  # fmt: skip
        axes.set_title(words, fontsize=10, loc="left", color=INK)
        axes.tick_params(labelsize=8, colors=INK, length=2.5)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(PALE)
        axes.grid(axis="y", color=GRID, lw=0.7)
        axes.set_axisbelow(True)
    so_far = (
        f"{len(x)} generation{'' if len(x) == 1 else 's'}, {x[-1]:,.0f} walks, {rows['seconds'][-1]:.0f} s"
        if len(x)
        else "not begun"
    )
    sheet.suptitle(f"{title}: {so_far}" if title else so_far, x=0.02, ha="left", fontsize=12, color=INK, weight="bold")
    sheet.tight_layout(rect=(0.0, 0.0, 1.0, 0.98))
    if path is not None:
        sheet.savefig(path, dpi=120)
    return sheet
