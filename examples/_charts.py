"""The charts of the examples, so that the examples show their subject and not their plotting."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from anthropi import standing

COLOURS = {"euler": "#d1495b", "runge_kutta": "#edae49", "lie_midpoint": "#00798c"}
WAYS = {"textbook": "#d1495b", "ours": "#00798c", "float64 kernel": "#30638e", "float32 kernel": "#8d99ae"}


def save(figure, file):
    """Write a picture, making its folder."""
    Path(file).parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=130)


def tumbling(file, runs, dt):
    """The path of the spun axis on the sphere, and the drift of angular momentum."""
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
    """Errors near no turn and near half a turn."""
    figure, charts = plt.subplots(1, 2, figsize=(12, 4.5), sharey=True, layout="constrained")
    for chart, found, name in zip(charts, (small, large), ("angle [rad]", "π − angle [rad]"), strict=True):
        for way, error in found.items():
            chart.loglog(gaps, np.maximum(error, 1e-17), ".", ms=3, color=WAYS[way], label=way)
        chart.set(xlabel=name, ylim=(3e-18, 10))
        chart.grid(alpha=0.2)
    charts[0].set(ylabel="relative error of rotation vector → matrix → rotation vector", title="near no turn")
    charts[1].set(title="near half a turn")
    charts[1].legend(frameon=False, markerscale=3)
    save(figure, file)


def people(file, figures, stride, fist):
    """The thesis' figure, the standard one from three sides and in stride, and two hands."""
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
