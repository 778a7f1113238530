"""Charts of joint limits."""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

from anthropi import rotation as rot

COLOURS = {"hard": "#d1495b", "hard, keeps 80 %": "#edae49", "spring": "#00798c", "shoulder": "#30638e"}


def cones(file, motions, gaps, cone, boundary):
    """Draw the directions of the rods on the cone and on the shoulder's boundary, and their remaining energy."""
    sheet = plt.figure(figsize=(15, 5.2), layout="constrained")
    grid = sheet.add_gridspec(1, 3, width_ratios=[1, 1, 1.25])
    sphere, disc = (sheet.add_subplot(grid[0, k], projection=p) for k, p in enumerate(("3d", "polar")))
    chart = sheet.add_subplot(grid[0, 2])
    around = np.linspace(0.0, 2.0 * np.pi, 200)
    rim = np.sin(cone.angle) * np.stack([np.cos(around), np.sin(around)])
    a, b = np.mgrid[0 : np.pi : 19j, 0 : 2 * np.pi : 37j]
    sphere.plot_wireframe(np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a), color="0.88", lw=0.4)
    sphere.plot(*rim, np.full(200, -np.cos(cone.angle)), color="#222a38", lw=2.2)
    disc.plot(around - np.pi, np.rad2deg(boundary.polar(around - np.pi)[0]), color="#222a38", lw=2.2)
    for name, motion in motions.items():
        direction = rot.matrix_from_quaternion(motion.q) @ cone.axis
        if name == "shoulder":
            x, y, z = boundary.frame @ direction.T
            disc.plot(np.arctan2(y, x), np.rad2deg(np.arccos(z)), color=COLOURS[name], lw=1.2, label=name)
        else:
            sphere.plot(*direction.T, color=COLOURS[name], lw=1.1, label=name)
        chart.plot(motion.time, np.rad2deg(gaps[name]), color=COLOURS[name], lw=1.3, label=name)
    sphere.view_init(elev=-62, azim=-60)
    sphere.set_box_aspect((1, 1, 1), zoom=1.45)
    sphere.set_axis_off()
    sphere.legend(frameon=False, loc="lower left")
    sphere.set_title("a cone of 50°, from below")
    disc.set(title="an arm in a shoulder: its directions [deg]", xticklabels=[])
    chart.axhspan(-6, 0, color="#d1495b", alpha=0.08)
    chart.set(xlabel="time [s]", ylabel="[deg]", title="what is left to the nearest end", ylim=(-6, 40))
    chart.legend(frameon=False, loc="upper right")
    chart.grid(alpha=0.2)
    save(sheet, file)


def thesis(file, angles, laws, torques, zones):
    """Draw figures 8.2, 8.3a and 8.3b of the thesis: laws over depth, and their moments over the angle."""
    sheet, charts = plt.subplots(1, 3, figsize=(15, 4.6), layout="constrained")
    colours = ("#8d99ae", "#edae49", "#00798c", "#d1495b")
    for (name, (depth, force)), colour in zip(laws.items(), colours, strict=True):
        charts[0].plot(np.rad2deg(depth), force, color=colour, lw=2, label=name)
        for chart, side in zip(charts[1:], torques, strict=True):
            chart.plot(np.rad2deg(angles), torques[side][name], color=colour, lw=2)
    charts[0].set(xlabel="depth in the zone [deg]", ylabel="[N m]", title="Fig 8.2: laws")
    charts[0].legend(frameon=False)
    for chart, side, title in zip(charts[1:], torques, ("Fig 8.3a: compression", "Fig 8.3b: tension"), strict=True):
        for low, high in zones:
            chart.axvspan(np.rad2deg(low), np.rad2deg(high), color="#00798c", alpha=0.08)
        chart.set(xlabel=f"joint angle [deg], {side}", title=title)
        chart.axhline(0, color="0.6", lw=0.8)
    for chart in charts:
        chart.grid(alpha=0.2)
    save(sheet, file)
