"""The chart of examples/navigation.py: a course from above, gaps over time, footholds on tiles."""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save
from matplotlib.patches import Circle, Polygon, Rectangle

STANDS, MOVES, GOES = "#8d99ae", "#d1495b", "#00798c"


def draw_course(file, course, log, field, prints):
    """Draw course, gaps and footholds in one picture."""
    figure, (above, gaps, tiles) = plt.subplots(3, 1, figsize=(11, 11), layout="constrained", height_ratios=(3, 2, 2.2))
    time, places = np.array(log.time), np.array(log.places)
    for o in course.outlines:
        for t in np.arange(0.0, time[-1], 1.5) if o.moves else [0.0]:
            late = 1.0 - 0.7 * t / time[-1]
            _outline(above, o, t, MOVES if o.moves else STANDS, late)
    for t, place in zip(time[::30], places[::30], strict=True):
        above.add_patch(Circle(place, log.half, color=GOES, alpha=0.08 + 0.25 * (1.0 - t / time[-1]), lw=0.0))
    above.plot(*places.T, color=GOES)
    above.plot(*course.goal, "*", color="#edae49", ms=16)
    low, high = places.min(0) - 1.2, places.max(0) + 1.2
    above.set(aspect="equal", xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x [m]", ylabel="y [m]",
              title="Body and moving obstacle every 1.5 s, paler with time")  # fmt: skip
    for name in log.names:
        gaps.plot(
            time,
            log.gap(name),
            color=MOVES if name == "moving" else None,
            lw=2.0 if name == "moving" else 1.2,
            label=name,
        )
    gaps.axhline(0.0, color="k", lw=0.8)
    gaps.set(xlabel="time [s]", ylabel="gap [m]", ylim=(-0.1, 2.5), xlim=(0.0, time[-1]),
             title="Between body and obstacles")  # fmt: skip
    gaps.legend(frameon=False, ncols=5)
    _tiles(tiles, field, prints)
    save(figure, file)


def _outline(axes, o, t, colour, late):
    core = o.at(t)
    for c in core:
        axes.add_patch(Circle(c, o.radius, color=colour, alpha=late, lw=0.0))
    if len(core) > 2:
        axes.add_patch(Polygon(core, color=colour, alpha=late, lw=0.0))


def _tiles(axes, field, prints):
    x = field.origin[0] + field.spacing[0] * np.arange(field.heights.shape[0])
    y = field.origin[1] + field.spacing[1] * np.arange(field.heights.shape[1])
    seen = axes.pcolormesh(x, y, 100.0 * field.heights.T, cmap="BrBG", shading="nearest", vmin=-9, vmax=9)
    for nominal, taken in prints:
        for place, style in (
            (nominal, {"ec": "0.45", "ls": ":", "fc": "none"}),
            (taken, {"ec": "k", "fc": "#ffffffb0"}),
        ):
            axes.add_patch(Rectangle((place[0] - 0.06, place[1] - 0.045), 0.25, 0.09, **style))
    axes.set(aspect="equal", xlim=(-0.5, 8.0), ylim=(-0.8, 0.8), xlabel="x [m]", ylabel="y [m]",
             title="Tiles within ± 8 cm: nominal prints dotted, chosen footholds solid")  # fmt: skip
    axes.figure.colorbar(seen, ax=axes, label="height [cm]", shrink=0.8)
