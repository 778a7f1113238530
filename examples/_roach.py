"""Chart of roach.py."""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

from anthropi import kinematics
from anthropi.gait.walker.hexapod.legs import NAMES
from anthropi.pictures import strip

TRIPODS = {"l1": "#00798c", "r2": "#00798c", "l3": "#00798c", "r1": "#d1495b", "l2": "#d1495b", "r3": "#d1495b"}


def roach_sheet(file, walk, scene):
    """Draw poses, the path with footprints over the heights, stance times, and the height of the body."""
    sheet = plt.figure(figsize=(12, 9.5), layout="constrained")
    above, below = sheet.add_gridspec(2, 1, height_ratios=(1.0, 2.2))
    left, right = below.subgridspec(1, 2, width_ratios=(1.15, 1.0))
    stands, height = (sheet.add_subplot(cell) for cell in right.subgridspec(2, 1))
    strip(walk, np.linspace(6.0, 7.2, 5), view=(-60, 22), spacing=0.75, axes=sheet.add_subplot(above))
    names = [feature.name for feature in scene.features]
    loads = walk.channels["contact"][:, [names.index(f"{name}_sole") for name in NAMES], 2]
    seen = kinematics(walk.figure, walk.q)
    _way(sheet, sheet.add_subplot(left), walk, scene.ground, loads, seen)
    near = (walk.time > 6.0) & (walk.time < 8.5)
    for row, name in enumerate(("r3", "r2", "r1", "l3", "l2", "l1")):
        on = loads[near, NAMES.index(name)] > 0.5
        stands.fill_between(walk.time[near], row - 0.35, row + 0.35, where=on, color=TRIPODS[name], lw=0)
    stands.set(yticks=range(6), yticklabels=["r3", "r2", "r1", "l3", "l2", "l1"], xlabel="time [s]")
    stands.set_title("which foot stands: two tripods in turn", fontsize=10, loc="left")
    height.plot(walk.time, 1e3 * walk.q[:, 2], color="#30638e", lw=1.0)
    height.set(xlabel="time [s]", ylabel="body's middle [mm]")
    height.set_title("its height: rough ground, then flat", fontsize=10, loc="left")
    for chart in (stands, height):
        chart.spines[["top", "right"]].set_visible(False)
    save(sheet, file)


def _way(sheet, chart, walk, ground, loads, seen):
    """Draw the heights of the ground, the path of the body and the footprints from above."""
    x, y = (o + s * np.arange(n) for o, s, n in zip(ground.origin, ground.spacing, ground.heights.shape, strict=False))
    shades = chart.pcolormesh(x, y, 1e3 * ground.heights.T, cmap="Greys", alpha=0.5, shading="gouraud")
    sheet.colorbar(shades, ax=chart, label="ground [mm]", shrink=0.6)
    chart.plot(*walk.q[:, :2].T, color="#30638e", lw=1.5)
    for i, name in enumerate(NAMES):
        lands = np.flatnonzero(np.diff((loads[:, i] > 2.0).astype(int)) == 1)
        chart.plot(*seen.marker(f"{name}_sole")[lands, :2].T, ".", ms=3, color=TRIPODS[name])
    chart.set(aspect="equal", xlabel="x [m]", ylabel="y [m]")
    chart.set_title("path and footprints, by tripod", fontsize=10, loc="left")
