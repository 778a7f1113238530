"""Plots of curves: channels of a motion over time, and the progress of a search (extra `plots`).

`search_sheet` draws the records of `anthropi.gait.walker.search.evolve`: the number of rollouts, the best and the
median cost, the share of walkers that stay up, and the strength of pushes.
"""

from typing import Any

import numpy as np

from anthropi.errors import InputError, MissingExtra
from anthropi.motion.motion import Motion

__all__ = ["curves", "lines", "search_sheet"]


COLOURS = ("#00798c", "#d1495b", "#edae49", "#30638e", "#66a182", "#8d99ae")
PANELS_PER_ROW = 4
PANEL = (3.4, 2.1)  # [inch]


def curves(
    motion: Motion,
    channel: str = "tau",
    *,
    names: Any = None,
    compare: Any = None,
    unit: str = "",
    title: str = "",
    file: Any = None,
) -> Any:
    """Plot a channel (frames, nu) of a motion: one panel per joint, one curve per degree of freedom.

    Parameters
    ----------
    channel : name of the channel.
    names : joints or degrees of freedom to show; if None, all joints with values other than 0.
    compare : {label: motion} other motions, whose curves are dashed.
    unit, title : unit of the channel and title of the figure.
    file : path to write the picture to.

    Returns
    -------
    The matplotlib figure.
    """
    others = {} if compare is None else compare
    if motion.q.ndim != 2 or channel not in motion.channels or motion.channels[channel].shape != motion.u.shape:
        raise InputError(
            f"Curves of '{channel}' need a motion of one rollout with that channel (frames, nu). This motion "
            f"has {', '.join(motion.channels) or 'no channels'}."
        )
    figure, values = motion.figure, motion.channels[channel]
    if names is None:
        moved = [j.name for j, at in zip(figure.joints, figure.u_of, strict=True) if np.any(values[:, at])]
        names = moved or [j.name for j in figure.joints if j.nu][:1]
    names = [names] if isinstance(names, str) else list(names)
    sheet, panels = _panels(len(names))
    for panel, name in zip(panels, names, strict=True):
        for n, k in enumerate(figure.dof_indices([name])):
            ink = COLOURS[n % len(COLOURS)]
            panel.plot(motion.time, values[:, k], color=ink, lw=1.4, label=figure.dofs[k].rpartition(".")[2])
            for other in others.values():
                panel.plot(other.time, other.channels[channel][:, k], "--", color=ink, lw=1.0, alpha=0.8)
        panel.set_title(name, fontsize=9)
        if len(figure.dof_indices([name])) > 1:
            panel.legend(frameon=False, fontsize=7)
    words = f"{title or channel}{f' [{unit}]' if unit else ''}"
    dashed = f"; dashed: {', '.join(others)}" if others else ""
    sheet.suptitle(words + dashed, fontsize=10)
    return _written(sheet, file)


def lines(
    time: Any, rows: Any, *, title: str = "", unit: str = "", log: bool = False, marks: Any = None, file: Any = None
) -> Any:
    """Plot curves {label: (n,)} over time in one panel.

    log : whether the vertical axis is logarithmic. marks : {label: value} as horizontal lines. Returns the matplotlib
    figure.
    """
    sheet, (panel,) = _panels(1, (6.4, 3.6))
    for ink, (label, values) in zip(np.resize(COLOURS, len(rows)), rows.items(), strict=True):
        panel.plot(time[: len(values)], values, color=ink, lw=1.6, label=label)
    for label, value in (marks or {}).items():
        panel.axhline(value, color="0.5", lw=0.8, ls=":")
        panel.annotate(
            label, (time[-1], value), (0, 2), textcoords="offset points", ha="right", fontsize=7, color="0.4"
        )
    if log:
        panel.set_yscale("log")
    panel.set_ylabel(f"[{unit}]" if unit else "")
    panel.set_title(title, fontsize=10)
    panel.legend(frameon=False, fontsize=8)
    return _written(sheet, file)


def _panels(count: int, size=None) -> tuple[Any, list[Any]]:
    """Return a matplotlib figure with `count` panels, and the panels."""
    try:
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", "A plot") from missing
    across = min(PANELS_PER_ROW, count)
    down = -(-count // across)
    sheet = Figure(figsize=size or (PANEL[0] * across, PANEL[1] * down + 0.4), layout="constrained")
    panels = list(sheet.subplots(down, across, squeeze=False).ravel())
    for panel in panels[count:]:
        panel.set_axis_off()
    for panel in panels[:count]:
        panel.grid(alpha=0.2)
        panel.tick_params(labelsize=7)
    for panel in panels[max(0, count - across) : count]:
        panel.set_xlabel("time [s]", fontsize=8)
    return sheet, panels[:count]


def _written(sheet, file):
    if file is not None:
        sheet.savefig(file, dpi=130)
    return sheet


INK, PALE, GRID = "#222a38", "#8d99ae", "#dfe4ea"
BEST, MEDIAN, UP, STRENGTH = "#00798c", "#8d99ae", "#30638e", "#d1495b"


def search_sheet(history: Any, title: str = "", path: Any = None) -> Any:
    """Plot the progress of a search: cost, survival and strength of pushes over rollouts.

    history : records of the generations. path : file to write (.png, .svg, .pdf). Returns the matplotlib figure.
    """
    try:
        from matplotlib.figure import Figure as Sheet
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", "A plot of a search") from missing
    rows = {
        name: np.array([record[name] for record in history], float)
        for name in ("rollouts", "seconds", "cost", "median", "up", "strength")
    }
    sheet = Sheet(figsize=(8.6, 7.2), facecolor="white")
    cost, up, strength = sheet.subplots(3, 1, sharex=True, gridspec_kw={"height_ratios": (2.2, 1.0, 1.0)})
    x = rows["rollouts"]
    dot = {"marker": "o" if len(x) < 12 else "", "ms": 4.0}  # markers, because a single generation does not draw a line
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
    for axes, words in (
        (cost, "cost"),
        (up, "walks of the best quarter that stay up [%]"),
        (strength, "strength of pushes [m/s]"),
    ):
        axes.set_title(words, fontsize=10, loc="left", color=INK)
        axes.tick_params(labelsize=8, colors=INK, length=2.5)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(PALE)
        axes.grid(axis="y", color=GRID, lw=0.7)
        axes.set_axisbelow(True)
    so_far = (
        f"{len(x)} generation{'' if len(x) == 1 else 's'}, {x[-1]:,.0f} walks, {rows['seconds'][-1]:.0f} s"
        if len(x)
        else "not started"
    )
    sheet.suptitle(f"{title}: {so_far}" if title else so_far, x=0.02, ha="left", fontsize=12, color=INK, weight="bold")
    sheet.tight_layout(rect=(0.0, 0.0, 1.0, 0.98))
    if path is not None:
        sheet.savefig(path, dpi=120)
    return sheet
