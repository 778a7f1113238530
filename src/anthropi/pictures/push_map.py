"""Figure of a push map: rings around the walker, seen from above, coloured by the largest impulse survived.

Forward is up and left is left. The rings are phases of the stride: the inner ring is the strike of the left foot, and
later phases are further out. Two plots beside it show the share of pushes survived over their impulse, and the largest
impulse over the stride, above the stance phases of both feet. It draws a map with `largest`, `directions`, `phases`,
`tried` and `stance`, as returned by `anthropi.gait.push_map`.
"""

from typing import Any

import numpy as np

from anthropi.errors import MissingExtra

__all__ = ["push_sheet"]

INK, PALE, GRID = "#222a38", "#8d99ae", "#dfe4ea"
SIDES = {"l": ("#00798c", "left"), "r": ("#d1495b", "right")}  # the colours of left and right in pictures of figures
WEAK, FAIR, STRONG, STRONGEST = "#c8394b", "#f6e7c8", "#2a8f9c", "#0b3c5d"
TARGET, ADULT = 40.0, 75.0  # target impulse [N s] for a body mass [kg] (docs/equations/gait.md 2.1)
HOLE = 1.8  # radius of the centre, in ring widths
SIZE = 1.5  # scale of the drawn walker


def push_sheet(found: Any, path: Any = None) -> Any:
    """Draw a push map. path : file to write (.png, .svg, .pdf). Returns the matplotlib figure."""
    try:
        from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
        from matplotlib.figure import Figure as Sheet
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", "The picture of a push map") from missing
    target = TARGET * found.mass / ADULT
    most = max(float(found.largest.max()), 1.5 * target)
    colours = LinearSegmentedColormap.from_list("pushes", [(0.0, WEAK), (0.5, FAIR), (0.75, STRONG), (1.0, STRONGEST)])
    norm = TwoSlopeNorm(target, 0.0, most)
    sheet = Sheet(figsize=(13.5, 8.2), facecolor="white")
    _rings(sheet.add_axes((0.045, 0.13, 0.49, 0.73), projection="polar"), found, colours, norm)
    _bar(sheet, sheet.add_axes((0.14, 0.05, 0.3, 0.016)), colours, norm, target)
    _shares(sheet.add_axes((0.62, 0.55, 0.35, 0.31)), found, target)
    _phases(sheet.add_axes((0.62, 0.1, 0.35, 0.31)), found, target)
    sheet.text(0.03, 0.955, "Largest pushes survived", fontsize=17, color=INK, weight="bold")
    sheet.text(0.03, 0.925, f"largest impulse survived at the pelvis, {found.headline}", fontsize=10, color=INK)
    if path is not None:
        sheet.savefig(path, dpi=130)
    return sheet


def _rings(axes, found, colours, norm) -> None:
    """Draw one cell for each direction and phase, and the walker in the centre."""
    axes.set_theta_zero_location("N")
    d, p = found.largest.shape
    wide = 2.0 * np.pi / d
    values = norm(found.largest)
    for i, angle in enumerate(found.directions):
        for k in range(p):
            colour = colours(values[i, k])
            axes.bar(angle, 1.0, 0.985 * wide, HOLE + k, color=colour, edgecolor="white", linewidth=1.4)
            if d * p <= 160:
                dark = np.dot(colour[:3], (0.3, 0.59, 0.11)) < 0.55
                shown = f"{'' if found.bounded[i, k] else '≥'}{found.largest[i, k]:.0f}"
                axes.text(
                    angle,
                    HOLE + k + 0.5,
                    shown,
                    ha="center",
                    va="center",
                    fontsize=8 if p > 5 else 9,
                    color="white" if dark else INK,
                )
    edge = HOLE + p
    for angle, name in zip(found.directions, found.names(), strict=True):
        aside, ahead = np.sin(angle), np.cos(angle)  # labels are aligned to the rings
        axes.text(
            angle,
            edge + 0.25,
            name.replace(" ", "\n"),
            fontsize=10,
            color=INK,
            ha="center" if abs(aside) < 0.2 else "right" if aside > 0.0 else "left",
            va="center" if abs(ahead) < 0.2 else "bottom" if ahead > 0.0 else "top",
        )
    for k in range(p):  # phases are labelled on a line between two directions
        box = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"}
        axes.text(
            0.5 * wide,
            HOLE + k + 0.5,
            f"{100.0 * found.phases[k]:.0f} %",
            ha="center",
            va="center",
            fontsize=6.5,
            color=INK,
            bbox=box,
        )
    axes.set(ylim=(0.0, edge + 0.15), xticks=[], yticks=[])
    axes.spines["polar"].set_visible(False)
    axes.grid(False)
    _body(axes)


def _body(axes) -> None:
    """Draw the walker from above: feet, shoulders, head, nose, and the direction of walking."""
    turn = np.linspace(0.0, 2.0 * np.pi, 60)

    def oval(x, y, a, b, colour, order):
        px, py = SIZE * (x + a * np.cos(turn)), SIZE * (y + b * np.sin(turn))
        axes.fill(np.arctan2(-px, py), np.hypot(px, py), color=colour, zorder=order, lw=0)

    oval(-0.26, 0.3, 0.13, 0.3, SIDES["l"][0], 2)
    oval(0.26, -0.28, 0.13, 0.3, SIDES["r"][0], 2)
    oval(0.0, 0.0, 0.78, 0.27, "#6b7a90", 3)
    oval(0.0, 0.3, 0.07, 0.09, INK, 4)
    oval(0.0, 0.06, 0.25, 0.29, INK, 4)
    axes.annotate(
        "",
        xy=(0.0, 1.62),
        xytext=(0.0, 0.6),
        zorder=5,
        arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 2.0, "mutation_scale": 16},
    )


def _bar(sheet, axes, colours, norm, target: float) -> None:
    from matplotlib.cm import ScalarMappable

    bar = sheet.colorbar(ScalarMappable(norm, colours), cax=axes, orientation="horizontal")
    bar.outline.set_visible(False)
    bar.set_ticks(sorted({0.0, 0.5 * target, target, round(0.5 * (target + norm.vmax)), norm.vmax}))
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:.0f}")
    axes.tick_params(labelsize=8, colors=INK, length=2.5)
    axes.text(1.02, 0.5, "N s", transform=axes.transAxes, fontsize=8, color=INK, va="center")


def _shares(axes, found, target: float) -> None:
    """Plot the share of pushes survived over their impulse, with dots at impulses that were tried in all cells."""
    ranked = np.sort(found.largest.ravel())
    x = np.concatenate([[0.0], np.repeat(ranked, 2), [1.15 * ranked[-1]]])
    left = 100.0 * (1.0 - np.arange(len(ranked) + 1) / len(ranked))
    y = np.repeat(left, 2)
    axes.fill_between(x, y, color="#cfe5e8", lw=0)
    axes.plot(x, y, color=SIDES["l"][0], lw=1.8)
    axes.plot(found.impulses, [100.0 * found.share(j) for j in found.impulses], "o", color=INK, ms=5, zorder=4)
    for j in found.impulses:
        axes.annotate(
            f"{100.0 * found.share(j):.0f} %",
            (j, 100.0 * found.share(j)),
            (-5, -4),
            fontsize=8,
            color=INK,
            textcoords="offset points",
            ha="right",
            va="top",
        )
    for share, words in ((1.0, "all"), (0.5, "half")):
        j = found.by(share)
        axes.plot([j, j], [0.0, 100.0 * share], color=PALE, lw=0.9, ls=(0, (3, 3)))
        axes.text(j, 2.0, f" {words}: {j:.0f}", fontsize=8.5, color=INK)
    axes.plot(target, 90.0, marker="P", color=SIDES["r"][0], ms=8, ls="", zorder=5)
    axes.annotate(
        f"target: 90 % at {target:.0f}",
        (target, 90.0),
        (9, 6),
        fontsize=8,
        color=SIDES["r"][0],
        textcoords="offset points",
        va="center",
    )
    axes.set(xlim=(0.0, x[-1]), ylim=(0.0, 109.0))
    axes.set_xlabel("impulse [N s]", fontsize=9, color=INK)
    _plain(axes, "pushes survived [%]")


def _phases(axes, found, target: float) -> None:
    """Plot the largest impulse over the stride, with the stance phases below it."""
    phase = np.append(100.0 * found.phases, 100.0)
    rows = np.concatenate([found.largest, found.largest[:, :1]], 1)
    axes.fill_between(phase, rows.min(0), rows.max(0), color="#cfe5e8", lw=0)
    axes.plot(phase, np.median(rows, 0), color=SIDES["l"][0], lw=1.8)
    axes.plot(phase, rows.min(0), color=INK, lw=1.2)
    axes.axhline(target, color=SIDES["r"][0], lw=0.9, ls=(0, (3, 3)))
    top = 1.08 * float(rows.max())
    for k, (side, (colour, name)) in enumerate(SIDES.items()):
        start, end = (100.0 * x for x in found.stance.get(side, (0.0, 0.0)))
        y = -(0.1 + 0.1 * k) * top
        for shift in (-100.0, 0.0):
            a, b = max(start + shift, 0.0), min(end + shift, 100.0)
            if b > a:
                axes.plot([a, b], [y, y], color=colour, lw=6, solid_capstyle="butt")
        axes.text(-1.5, y, name, fontsize=8, color=colour, ha="right", va="center")
    axes.text(99.0, np.median(rows, 0)[-1], "median ", fontsize=8, color=SIDES["l"][0], ha="right", va="bottom")
    axes.text(99.0, rows.min(0)[-1], "least ", fontsize=8, color=INK, ha="right", va="bottom")
    axes.set(xlim=(0.0, 100.0), ylim=(-0.27 * top, top))
    axes.set_yticks([t for t in axes.get_yticks() if 0.0 <= t <= top])
    axes.set_xlabel("% of the stride, from the strike of the left foot; bars: stance phases", fontsize=9, color=INK)
    _plain(axes, "largest impulse over all directions [N s]")


def _plain(axes, title: str) -> None:
    axes.set_title(title, fontsize=10.5, loc="left", color=INK)
    axes.tick_params(labelsize=8, colors=INK, length=2.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(PALE)
    axes.grid(axis="y", color=GRID, lw=0.7)
    axes.set_axisbelow(True)
