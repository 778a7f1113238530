"""Charts of the examples. They are in a separate file so that each example shows only its subject."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from _figures import flight
from matplotlib.collections import LineCollection

from anthropi import centre_of_mass, kinematics, standing
from anthropi.pictures import View, strip

COLOURS = {"euler": "#d1495b", "runge_kutta": "#edae49", "lie_midpoint": "#00798c"}
METHODS = {"textbook": "#d1495b", "ours": "#00798c", "float64 kernel": "#30638e", "float32 kernel": "#8d99ae"}
SIDE = (-90.0, 7.0)  # azimuth, elevation [deg]


def save(figure, file):
    """Write a picture, and create its folder if necessary."""
    Path(file).parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=130)


def tumbling(file, runs, dt):
    """Draw the path of the spin axis on the sphere, and the drift of angular momentum."""
    figure = plt.figure(figsize=(12, 5), layout="constrained")
    sphere = figure.add_subplot(1, 2, 1, projection="3d")
    a, b = np.mgrid[0 : np.pi : 25j, 0 : 2 * np.pi : 49j]
    sphere.plot_wireframe(np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a), color="0.85", lw=0.4)
    sphere.plot(*runs["lie_midpoint"][0].T, color=COLOURS["lie_midpoint"], lw=0.9)
    sphere.set_title("where the spun axis points")
    sphere.set_box_aspect((1, 1, 1), zoom=1.5)
    sphere.set_axis_off()
    chart = figure.add_subplot(1, 2, 2)
    for name, (_, drift) in runs.items():
        chart.semilogy(
            dt * np.arange(1, len(drift) + 1),
            np.maximum(drift, 1e-17),
            color=COLOURS[name],
            label=name.replace("_", " "),
        )
    chart.set(xlabel="time [s]", ylabel="change of angular momentum [N m s]", title="1000 bodies, largest drift")
    chart.legend(frameon=False)
    chart.grid(alpha=0.2)
    save(figure, file)


def accuracy(file, gaps, small, large):
    """Draw errors near angles 0 and π."""
    figure, charts = plt.subplots(1, 2, figsize=(12, 4.5), sharey=True, layout="constrained")
    for chart, found, name in zip(charts, (small, large), ("angle [rad]", "π − angle [rad]"), strict=True):
        for method, error in found.items():
            chart.loglog(gaps, np.maximum(error, 1e-17), ".", ms=3, color=METHODS[method], label=method)
        chart.set(xlabel=name, ylim=(3e-18, 10))
        chart.grid(alpha=0.2)
    charts[0].set(ylabel="relative error of rotation vector → matrix → rotation vector", title="near no turn")
    charts[1].set(title="near half a turn")
    charts[1].legend(frameon=False, markerscale=3)
    save(figure, file)


def people(file, figures, stride, fist):
    """Draw the figure of the thesis, the standard one from three sides and in stride, and two hands."""
    sheet = plt.figure(figsize=(16, 6.2), layout="constrained")
    grid = sheet.add_gridspec(2, 6, width_ratios=[1, 1, 1, 1, 1.5, 1.1])
    standard, full = figures["standard"], figures["full"]
    panels = [
        (grid[:, 0], figures["thesis42"], None, {}, "thesis42: 42 degrees of freedom"),
        (grid[:, 1], standard, None, {}, "standard: 50 degrees of freedom"),
        (grid[:, 2], standard, None, {"view": "front", "markers": True, "joints": False}, "its markers"),
        (grid[:, 3], standard, None, {"view": "side"}, "from the side"),
        (grid[:, 4], standard, stride, {"view": (-65, 8)}, "in stride"),
        (grid[0, 5], standard, None, {"view": (-75, 10), "only": "l_hand"}, "its hand"),
        (grid[1, 5], full, fist, {"view": (-75, 10), "only": "l_hand"}, "full, 90: the same with fingers"),
    ]
    for place, shown, q, options, title in panels:
        axes = sheet.add_subplot(place)
        shown.draw(standing(shown) if q is None else q, axes=axes, pixels=650, **options)
        axes.set_title(title, fontsize=10)
        if "only" not in options:  # the same scale for all
            middle, half = np.mean(axes.get_xlim()), 0.42 if q is None else 0.63
            axes.set(xlim=(middle - half, middle + half), ylim=(-0.18, 1.82))
    save(sheet, file)


def falling(file, motion, momentum, energy):
    """Draw poses of the flight, angular momentum beside the spin of the body, and energy dissipated in joints."""
    sheet = plt.figure(figsize=(15, 8), layout="constrained")
    grid = sheet.add_gridspec(2, 2, height_ratios=[2.6, 1])
    flight = strip(motion, 10, view=SIDE, axes=sheet.add_subplot(grid[0, :]), pixels=1900)
    path = View(*SIDE).project(centre_of_mass(motion.figure, motion.q).position)
    flight.plot(path[:, 0], path[:, 1], ":", color="#f2b134", lw=1.6, zorder=2)
    left, right = (sheet.add_subplot(grid[1, k]) for k in (0, 1))
    for k, (name, colour) in enumerate(zip("xyz", ("#d1495b", "#00798c", "#8d99ae"), strict=True)):
        left.plot(motion.time, momentum[:, k], color=colour, lw=2.2, label=f"momentum, {name}")
    spin = left.twinx()
    spin.plot(motion.time, np.linalg.norm(motion.u[:, 3:6], axis=-1), "--", color="0.55", lw=1.2)
    spin.set_ylabel("spin of the pelvis [rad/s], dashed", color="0.45")
    left.set(xlabel="time [s]", ylabel="[N m s]", title="angular momentum about the centre of mass stays")
    left.legend(frameon=False, fontsize=8, loc="center right")
    right.plot(motion.time, energy - energy[0], color="#00798c")
    right.set(xlabel="time [s]", ylabel="[J]", title="energy goes into the joints")
    for chart in (left, right):
        chart.grid(alpha=0.2)
    save(sheet, file)


def chaos(file, motion, gap, times, energy):
    """Draw the map of turn-over times, neighbouring paths, their divergence, and the energy of a long run."""
    sheet = plt.figure(figsize=(16, 6), layout="constrained")
    grid = sheet.add_gridspec(2, 3, width_ratios=[1.1, 1, 0.9])
    chart = sheet.add_subplot(grid[:, 0])
    shown = np.where(times < times.max(), times, np.nan)
    seen = chart.imshow(shown, origin="lower", extent=(-180, 180, -180, 180), norm="log", cmap="inferno_r")
    chart.set_facecolor("#0b1026")
    chart.set(xlabel="upper rod at the start [deg]", ylabel="lower rod at the start [deg]")
    chart.set(xticks=range(-180, 181, 90), yticks=range(-180, 181, 90), title="when does the lower rod turn over?")
    sheet.colorbar(
        seen, ax=chart, label="[s]; dark blue: not within 10 s", shrink=0.8, format="%g", ticks=[0.3, 1, 3, 10]
    )
    fan, parting, kept = (sheet.add_subplot(place) for place in (grid[:, 1], grid[0, 2], grid[1, 2]))
    _fan(fan, motion, 8.0, 9.2)
    parting.semilogy(motion.time, gap, color="#00798c")
    early = motion.time < 8.0
    rate, at = np.polyfit(motion.time[early], np.log(gap[early]), 1)
    parting.semilogy(motion.time[early], np.exp(rate * motion.time[early] + at), "--", color="0.5", lw=1)
    parting.set(
        xlabel="time [s]", ylabel="[rad]", title=f"the outermost two: ten times as far every {np.log(10) / rate:.1f} s"
    )
    for name, (when, change) in energy.items():
        kept.plot(when, 100 * change, lw=0.7, color="#d1495b" if name == "rk4" else "#00798c", label=name)
    kept.set(xlabel="time [s]", ylabel="[%]", title="change of energy, both with steps of 10 ms")
    kept.legend(frameon=False)
    for chart in (parting, kept):
        chart.grid(alpha=0.2)
    save(sheet, file)


def _fan(axes, motion, start, end):
    """Draw many double pendulums at one time, and the paths of their ends since another."""
    k = slice(*np.searchsorted(motion.time, (start, end)))
    shown = motion[k]
    k = kinematics(motion.figure, shown.q.reshape(-1, 2))
    ends, elbows = (x[:, [0, 2]].reshape(*shown.q.shape[:2], 2) for x in (k.marker("end"), k.link("link_1").position))
    colours = plt.get_cmap("turbo")(np.linspace(0.05, 0.95, len(ends)))
    axes.add_collection(LineCollection(ends, colors=colours, linewidths=0.5, alpha=0.35))
    rods = np.stack([np.zeros_like(elbows[:, -1]), elbows[:, -1], ends[:, -1]], axis=1)
    axes.add_collection(LineCollection(rods, colors=colours, linewidths=0.6, alpha=0.5))
    axes.scatter(*ends[:, -1].T, s=7, c=colours, zorder=3)
    axes.autoscale_view()
    axes.set(aspect="equal", title=f"{len(ends)} that started alike, from {start:g} to {end:g} s")
    axes.set_axis_off()


def arms(file, motion, tau, held, turned):
    """Draw poses, moments in some joints with the body free and held, and the rotation of the body."""
    sheet = plt.figure(figsize=(15, 6.5), layout="constrained")
    grid = sheet.add_gridspec(2, 2, height_ratios=[1, 1.1], width_ratios=[1.6, 1])
    strip(motion, 9, view=SIDE, spacing=1.25, axes=sheet.add_subplot(grid[0, :]), pixels=1900)
    left, right = (sheet.add_subplot(grid[1, k]) for k in (0, 1))
    for name, colour in (
        ("r_shoulder.y", "#d1495b"),
        ("r_elbow.flexion", "#edae49"),
        ("lumbar.y", "#00798c"),
        ("r_hip.y", "#8d99ae"),
    ):
        k = motion.figure.dofs.index(name)
        left.plot(motion.time, tau[:, k], color=colour, lw=1.8, label=name)
        left.plot(motion.time, held[:, k], ":", color=colour, lw=1.2)
    left.set(xlabel="time [s]", ylabel="[N m]", title="moments in the joints; dotted: if the pelvis were held")
    left.legend(frameon=False, fontsize=8, loc="upper left")
    right.plot(motion.time, np.rad2deg(turned), color="#00798c", lw=2)
    right.set(xlabel="time [s]", ylabel="[deg]", title="turn of the body, with no momentum at all")
    for chart in (left, right):
        chart.grid(alpha=0.2)
    save(sheet, file)


def throwing(file, motion, found, by_hand, driven, weighed):
    """Draw the throw, the path of the ball before and after correction, and the sensitivities."""
    sheet = plt.figure(figsize=(15, 7.2), layout="constrained")
    grid = sheet.add_gridspec(2, 3, height_ratios=[1.15, 1], width_ratios=[1.5, 1, 1])
    poses = sheet.add_subplot(grid[0, :2])
    strip(motion.rollout(0), [0.0, 0.12, 0.2, 0.25, 0.29], view=(-90, 5), spacing=1.15, axes=poses, pixels=1500)
    path, curves, angles, weights = (sheet.add_subplot(p) for p in (grid[0, 2], grid[1, 0], grid[1, 1], grid[1, 2]))
    slope = found[0][2]
    for name, k, colour in (("thrown", 0, "#8d99ae"), ("aimed", len(found) - 1, "#00798c")):
        one, place = motion.rollout(k), found[k][1]
        ball = kinematics(one.figure, one.q[-1], one.u[-1]).link("ball")
        t = np.linspace(0.0, flight(ball)[1], 100)[:, None]
        x, _, z = (ball.position + ball.velocity * t - [0.0, 0.0, 4.905] * t * t).T
        path.plot(x, z, color=colour, label=f"{name}: {place:.2f} m")
        path.plot(place, 0.0, "o", color=colour, clip_on=False)
    path.set(xlabel="[m]", title="the flight of the ball", ylim=(0, 9))
    path.legend(frameon=False)
    colours, step = ("#00798c", "#d1495b", "#edae49"), motion.time[1] - motion.time[0]
    for k, name in enumerate(driven):
        curves.plot(1e3 * motion.time[:-1], slope["tau"][:, k] / step, color=colours[k], label=name)
        curves.plot(1e3 * motion.time[:-1:8], by_hand["tau"][::8, k] / step, ".", color="#222a38", ms=4)
    curves.set(xlabel="time [ms]", ylabel="[m per N m s]", title="how much farther, for a push in a joint, and when")
    curves.legend(frameon=False)
    curves.axhline(0, color="0.6", lw=0.8)
    for chart, names, title, unit, key, colour in (
        (angles, list(driven), "for one degree more at the start [m]", np.deg2rad(1.0), "angles", colours),
        (weights, list(weighed), "for 100 g more [m]; dots: by differences", 0.1, "masses", "#8d99ae"),
    ):
        chart.barh(names, unit * slope[key], color=colour)
        chart.plot(unit * by_hand[key], names, "o", color="#222a38", ms=5)
        chart.set(title=title)
        chart.axvline(0, color="0.6", lw=0.8)
        chart.invert_yaxis()
    for chart in (path, curves, angles, weights):
        chart.grid(alpha=0.2)
    save(sheet, file)


def pitch(file, motion, release):
    """Draw poses up to the release, and the flight of the ball."""
    figure, (above, below) = plt.subplots(2, 1, figsize=(13, 7.5), layout="constrained")
    strip(motion, [0.0, 0.25, 0.45, 0.6, 0.7, 0.8, 0.87, 0.91, release, 0.97], spacing=1.0, axes=above)
    strip(motion, np.linspace(release, motion.time[-1], 14), axes=below, stamps=False)
    save(figure, file)


def carried(file, motion, height):
    """Draw poses, the height of the centre of mass, and the ground force."""
    figure = plt.figure(figsize=(12, 7), layout="constrained")
    above, below = figure.add_gridspec(2, 1, height_ratios=(1.3, 1.0))
    strip(motion, (0.0, 0.75, 2.4, 2.8, 3.0, 3.2, 5.0), view=(-75, 8), spacing=1.1, axes=figure.add_subplot(above))
    left, right = (figure.add_subplot(cell) for cell in below.subgridspec(1, 2))
    left.plot(motion.time, height, color="#00798c")
    left.set(xlabel="time [s]", ylabel="height of the centre of mass [m]", ylim=(0.0, None))
    load = motion.channels["contact"][..., 2].sum(-1) / (9.81 * motion.figure.mass)
    right.plot(motion.time, load, color="#d1495b", lw=0.9)
    right.set(xlabel="time [s]", ylabel="push of the ground [weights]", ylim=(0.0, min(6.0, 1.05 * load.max())))
    for chart in (left, right):
        chart.grid(alpha=0.2)
    save(figure, file)


def bounces(file, motion, mu, e, v):
    """Draw three bodies at some times, the path of the sliding one and the heights of the bouncing one."""
    figure = plt.figure(figsize=(12, 6.5), layout="constrained")
    above, below = figure.add_gridspec(2, 1, height_ratios=(1.2, 1.0))
    strip(motion, (0.0, 0.3, 0.7, 2.0), view=(-60, 14), spacing=3.2, axes=figure.add_subplot(above))
    left, right = (figure.add_subplot(cell) for cell in below.subgridspec(1, 2))
    left.plot(motion.time, motion.q[:, 0] - motion.q[0, 0], color="#00798c")
    left.axhline(v * v / (2 * mu * 9.81), color="0.5", ls="--", lw=1.0)
    left.set(xlabel="time [s]", ylabel="slid [m]", title="dashed: v² / (2 μ g)")
    right.plot(motion.time, motion.q[:, 9] - 0.1, color="#d1495b")
    for k in range(1, 5):
        right.axhline(e ** (2 * k), color="0.5", ls="--", lw=1.0)
    right.set(xlabel="time [s]", ylabel="height [m]", title="dashed: e² of the one before", ylim=(0.0, 1.05))
    for chart in (left, right):
        chart.grid(alpha=0.2)
    save(figure, file)


def toppling(file, motion, lean):
    """Draw the row at some times, and the tilt of each brick."""
    figure = plt.figure(figsize=(12, 7), layout="constrained")
    above, below = figure.add_gridspec(2, 1, height_ratios=(1.7, 1.0))
    strip(motion, (0.0, 0.6, 1.2, 2.4), view=(-80, 10), spacing=4.2, axes=figure.add_subplot(above))
    chart = figure.add_subplot(below)
    for k, row in enumerate(np.degrees(lean).T):
        chart.plot(motion.time, row, color=plt.cm.viridis(k / lean.shape[1]), lw=1.4)
    chart.set(xlabel="time [s]", ylabel="leans by [deg]", title="one brick after the other")
    chart.grid(alpha=0.2)
    save(figure, file)


def downhill(file, height, paths, time, audit):
    """Draw the hill from above with the paths, and the energy dissipated by friction."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5), width_ratios=(1.7, 1.0), layout="constrained")
    x, y = np.meshgrid(np.linspace(0.0, 30.0, 200), np.linspace(-5.5, 5.5, 90))
    filled = left.contourf(x, y, height(x, y), 24, cmap="terrain")
    left.contour(x, y, height(x, y), 24, colors="k", linewidths=0.25, alpha=0.5)
    for (name, path), colour in zip(paths.items(), ("#00798c", "#d1495b"), strict=True):
        left.plot(path[:, 0], path[:, 1], color=colour, lw=2.0, label=name)
        left.plot(*path[-1, :2], "o", color=colour)
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="down the hill in four and a half seconds")
    left.legend(frameon=False)
    figure.colorbar(filled, ax=left, label="height [m]", shrink=0.8)
    right.plot(time, audit.energy - audit.energy[0], color="#30638e", label="energy of both")
    right.plot(time, audit.works["contact"], "--", color="#edae49", label="work of the ground")
    right.set(xlabel="time [s]", ylabel="[J]")
    right.legend(frameon=False)
    right.grid(alpha=0.2)
    save(figure, file)


def falls(file, speeds, pushes, fell, upright):
    """Draw the time of the fall over speeds (n,) and pushes (m,). fell, upright [s] : (n, m)."""
    figure, chart = plt.subplots(figsize=(8, 4.5), layout="constrained")
    time = np.where(fell, upright, np.nan)
    mesh = chart.pcolormesh(speeds, pushes, time.T, cmap="magma", vmin=2.0, vmax=6.0, edgecolor="0.9", lw=0.3)
    i, j = np.nonzero(~fell)
    chart.plot(speeds[i], pushes[j], ".", color=COLOURS["lie_midpoint"])
    chart.set(xlabel="commanded speed [m/s]", ylabel="push to the left [N s]", title="walks of 6 s, pushed at 2 s")
    figure.colorbar(mesh, label="time of the fall [s]; dots: no fall")
    save(figure, file)
