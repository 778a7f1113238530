"""Figure of a gait report: curves over the gait cycle with the normal range, forces, moments, footprints and a table.

It draws a report with `walk`, `rows`, `curves` and `prints`, as returned by `anthropi.gait.report`.
"""

import textwrap
from typing import Any

import numpy as np

from anthropi.errors import MissingExtra

__all__ = ["gait_sheet"]

COLOURS = {"l": "#00798c", "r": "#d1495b"}  # the colours of left and right in pictures of figures
WIDTHS = {"l": 3.0, "r": 1.2}  # line widths; they differ so that two equal curves are both visible
NAMES = {"l": "left", "r": "right"}
BAND, MEAN, INK, PALE = "#c9d3de", "#7a8899", "#222a38", "#8d99ae"
VERDICTS = {"pass": "#3a8f5c", "fail": "#d1495b", "reported only": "#b8c1cc"}
PANELS = (  # name of the curve, title, meaning of the upward direction
    ("pelvis_tilt", "pelvic tilt", "anterior"),
    ("pelvis_obliquity", "pelvic obliquity", "up"),
    ("pelvis_rotation", "pelvic rotation", "forward"),
    ("hip_flexion", "hip flexion", "flexion"),
    ("hip_adduction", "hip adduction", "adduction"),
    ("hip_rotation", "hip rotation", "internal"),
    ("knee_flexion", "knee flexion", "flexion"),
    ("ankle_dorsiflexion", "ankle dorsiflexion", "dorsiflexion"),
    ("foot_progression", "foot progression", "toes in"),
    ("grf_vertical", "vertical force", "up"),
    ("grf_forward", "forward force", "forward"),
    ("hip_extension_moment", "hip moment", "extension"),
    ("knee_extension_moment", "knee moment", "extension"),
    ("ankle_plantarflexion_moment", "ankle moment", "plantarflexion"),
)
UNITS = {"deg": "[°]", "BW": "[body weights]", "N m/kg": "[N m/kg]"}
LINE = 0.0145  # height of a line, relative to the table


def gait_sheet(report: Any, path: Any = None) -> Any:
    """Draw a gait report. path : file to write (.png, .svg, .pdf). Returns the matplotlib figure."""
    try:
        from matplotlib.figure import Figure as Sheet
        from matplotlib.layout_engine import ConstrainedLayoutEngine as Layout
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", "The picture of a gait report") from missing
    sheet = Sheet(figsize=(19.0, 13.5), layout=Layout(w_pad=0.06, h_pad=0.05), facecolor="white")
    grid = sheet.add_gridspec(5, 4, width_ratios=(1.0, 1.0, 1.0, 1.7))
    for k, (name, title, up) in enumerate(PANELS):
        place = k if k < 11 else k + 1  # the footprints are beside the forces
        _curve(sheet.add_subplot(grid[place // 3, place % 3]), report, name, title, up, below=place // 3 == 4)
    _prints(sheet.add_subplot(grid[3, 2]), report)
    _table(sheet.add_subplot(grid[:, 3]), report)
    walk = report.walk
    speed = "" if walk.speed is None else f", {walk.speed:.2f} m/s"
    sheet.suptitle(
        f"{walk.record.name}{speed}: a walk compared with the norm", x=0.01, ha="left", fontsize=15, color=INK
    )
    if path is not None:
        sheet.savefig(path, dpi=110)
    return sheet


def _curve(axes, report, name: str, title: str, up: str, below: bool) -> None:
    """Draw a curve of both legs with a band of two standard deviations, and dashed lines at toe-off."""
    band, percent = report.curves[name], np.linspace(0.0, 100.0, len(report.curves[name].mean))
    axes.fill_between(percent, band.mean - 2.0 * band.sd, band.mean + 2.0 * band.sd, color=BAND, alpha=0.55, lw=0)
    axes.plot(percent, band.mean, color=MEAN, lw=0.9)
    axes.axhline(0.0, color=PALE, lw=0.6)
    for side, x in band.sides.items():
        axes.plot(percent, x, color=COLOURS[side], lw=WIDTHS[side], label=NAMES[side])
        rows = report.walk.strides[side]
        off = np.mean([100.0 * (s.off - s.start) / s.span for s in rows])
        axes.axvline(off, color=COLOURS[side], lw=0.8, ls=(0 if side == "l" else 4, (4, 4)))
    if not band.sides:
        axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center", va="center", color=PALE, fontsize=9)
    axes.set_title(f"{title} {UNITS[band.unit]}", fontsize=9.5, loc="left", color=INK)
    axes.text(0.995, 1.02, f"{up} ↑", transform=axes.transAxes, ha="right", fontsize=7.5, color=PALE)
    axes.set_xlim(0.0, 100.0)
    axes.set_xlabel("% of the cycle", fontsize=8) if below else axes.set_xticklabels([])
    axes.tick_params(labelsize=7.5, colors=INK, length=2.5)
    axes.spines[["top", "right"]].set_visible(False)
    if name == "pelvis_tilt" and band.sides:
        axes.legend(frameon=False, fontsize=8, ncols=2, loc="best")


def _prints(axes, report) -> None:
    """Draw the footprints from above; the direction of walking is to the right."""
    axes.set_title("footprints [m]", fontsize=9.5, loc="left", color=INK)
    axes.tick_params(labelsize=7.5, colors=INK, length=2.5)
    axes.spines[["top", "right"]].set_visible(False)
    shown = [p for p in report.prints][:14]
    if not shown:
        axes.set(xticks=[], yticks=[])
        axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center", va="center", color=PALE, fontsize=9)
        return
    places = np.array([p[2] for p in shown])
    places[:, 0] -= places[0, 0]
    for (side, _, _), at in zip(shown, places, strict=True):
        axes.plot(
            [at[0], at[0] + 0.16], [at[1], at[1]], color=COLOURS[side], lw=5.5, solid_capstyle="round", alpha=0.85
        )
    axes.plot(places[:, 0], places[:, 1], color=PALE, lw=0.8, zorder=0)
    middle, half = places[:, 1].mean(), max(np.ptp(places[:, 1]), 0.3)
    axes.set_ylim(middle - half, middle + half)


def _table(axes, report) -> None:
    """Draw a table of the measured numbers by group, with a dot for the verdict; others are listed below it."""
    axes.set_axis_off()
    axes.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    rows = [row for row in report.rows if row.measured]
    groups = len({row.group for row in rows})
    step = min(LINE, 0.94 / (len(rows) + 1.6 * groups + 2))
    size = min(7.6, 700.0 * step)  # [points]; a line is about 900 steps high
    y = 1.0 - step
    for x, word, colour in ((0.50, "left", COLOURS["l"]), (0.60, "right", COLOURS["r"])):
        axes.text(x, y, word, ha="right", fontsize=size, color=colour, weight="bold")
    for x, word in ((0.715, "adults"), (0.895, "limit")):
        axes.text(x, y, word, fontsize=size, color=INK, weight="bold")
    group = ""
    for row in rows:
        y -= step
        if row.group != group:
            y -= 0.35 * step
            axes.text(0.0, y, row.group, fontsize=size + 0.8, color=INK, weight="bold", va="center")
            group, y = row.group, y - 1.1 * step
        _, name, unit, left, right, adults, limit, verdict = row.words()
        axes.plot(0.012, y, "o", ms=4.2, color=VERDICTS[verdict], clip_on=False)
        one = not right  # a number of the whole body is centred between the columns of the legs
        for x, word, colour, less, side in (
            (0.035, name, INK, 0.0, "left"),
            (0.55 if one else 0.50, left, INK, 0.0, "right"),
            (0.60, right, INK, 0.0, "right"),
            (0.607, unit, PALE, 1.0, "left"),
            (0.715, adults, INK, 0.6, "left"),
            (0.895, limit, INK, 0.6, "left"),
        ):
            axes.text(x, y, word, fontsize=size - less, color=colour, va="center", ha=side)
    y -= 2.2 * step
    for k, (verdict, colour) in enumerate(VERDICTS.items()):
        axes.plot(0.012 + 0.2 * k, y, "o", ms=5.0, color=colour, clip_on=False)
        axes.text(0.032 + 0.2 * k, y, f"{verdict}: {report.count(verdict)}", fontsize=size, color=INK, va="center")
    lost = sorted({row.verdict.removeprefix("not measured: ") for row in report.rows if not row.measured})
    if lost:
        words = textwrap.wrap(f"not measured: {report.count('not measured')} ({'; '.join(lost)})", 120)[:4]
        axes.text(0.0, y - 1.2 * step, "\n".join(words), fontsize=size - 0.6, color=PALE, va="top")
