"""The page of a walk: norms of healthy people beside the simulated walk, over the gait cycle.

The page (`studio/src/cycle`) computes joint angles from the poses of the links, as `gait_angles` does, and cuts them
into strides. It draws them over the bands of the norm, and beside the figure a translucent one that moves by the norm:
the reference gait at the speed and step length of the walk, in step with it.
"""

from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, InputError
from anthropi.figure.editing.joining import combined_parts
from anthropi.figure.figure import Figure
from anthropi.formats.pages.compact import packed_compact
from anthropi.formats.pages.html import page
from anthropi.formats.pages.motion_buffer import poses_of
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.reference.gait_angles import has_feet, leg_length, pelvis_axes
from anthropi.gait.reference.norms import REACH, curve, dimensionless
from anthropi.gait.reference.reference_gait import reference_gait
from anthropi.gait.report.report import GaitReport, gait_report
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent

__all__ = ["page_norms", "walk_page"]

CURVES = {  # curves of the page: title, unit
    "hip_flexion": ("Hip flexion", "°"),
    "knee_flexion": ("Knee flexion", "°"),
    "ankle_dorsiflexion": ("Ankle dorsiflexion", "°"),
    "grf_vertical": ("Vertical force", "BW"),
    "grf_forward": ("Forward force", "BW"),
}
POINTS = 51  # points of a band over the cycle
GHOST_FRAMES = 48  # frames of the cycle of the ghost
GHOST_STEP = 2.0**-12  # [m], and quaternions
MAX_CURVED = 0.05  # the path of a straight walk is at most so much longer than its ends are apart
RATE = 50.0  # [1/s] frames of a page; the page interpolates between them
VIEW = (-52, 7)  # [°] azimuth and elevation from which the figure and the ghost are seen side by side


def page_norms(motion: Motion, *, ghost: bool = False) -> dict[str, Any] | None:
    """Return the norms that a page shows beside a walk, as plain data; None if the motion is no walk of a human.

    The norms are those of people at the dimensionless speed of the walk.

    Parameters
    ----------
    motion : the motion. It is a walk if it has strikes of both feet, at least two of one, and is not a run.
    ghost : whether to include one cycle of the reference gait, which the page shows beside a straight walk.
    """
    figure, found = motion.figure, _travel(motion)
    if found is None or motion.metadata.get("walk", {}).get("kind") == "run":
        return None
    speed, cycle, straight = found
    norm_speed = dimensionless(speed, leg_length(figure))
    if not REACH[0] <= norm_speed <= REACH[1]:
        return None
    number = {link.name: i for i, link in enumerate(figure.links)}
    phase = np.linspace(0.0, 1.0, POINTS)
    norms: dict[str, Any] = {
        "weight": float(figure.mass) * 9.81,
        "pelvis": {"link": 0, "axes": pelvis_axes(figure).round(9).tolist()},
        "sides": {
            side: {name: number[f"{side}_{name}"] for name in ("thigh", "shank", "foot", "toes")} for side in "lr"
        },
        "curves": [],
        "speed": speed,
        "source": "M. H. Schwartz, A. Rozumalski, J. P. Trost, J. Biomech. 41 (2008) 1639; CC BY 4.0",
        "ghost": None,
    }
    for name, (title, unit) in CURVES.items():
        own = curve(name, norm_speed)
        factor = np.rad2deg(1.0) if own.unit == "rad" else 1.0
        mean, sd = factor * own.mean(phase), factor * own.sd(phase)
        norms["curves"].append(
            {"name": name, "title": title, "unit": unit, "mean": mean.round(4).tolist(), "sd": sd.round(4).tolist()}
        )
    if ghost and straight:
        norms["ghost"] = _ghost(figure, speed, cycle)
    return norms


def walk_page(motion: Motion, file: Any, *, live: Any = None, report: GaitReport | None = None, **options: Any) -> Path:
    """Write the page of a walk: the walk beside the norm, and a simulation of the figure when it is pushed.

    Parameters
    ----------
    motion : a walk, for example from `ap.walk`. Its numbers are rounded (`pages.compact`).
    file : the path, ending in .html.
    live : a `Simulation` or `WalkingSession` that the page runs when "Push it" is pressed; None for a page without a
        simulation.
    report : gait report of the motion, from which the caption is made; computed if None.
    options : options of `pages.html.page`, such as title and caption.
    """
    if "caption" not in options:
        options["caption"] = _caption(motion, report)
    norms = page_norms(motion, ghost=True)
    usual: dict[str, Any] = {"view": VIEW, "follow": True, "forces": True, "rate": RATE, "compact": True}
    return page(motion, file, live=live, gait=norms, **usual | options)


def _travel(motion: Motion) -> tuple[float, float, bool] | None:
    """Return the speed [m/s], the duration of a cycle [s], and whether the path is straight; None without strides."""
    if not isinstance(motion, Motion) or motion.q.ndim != 2 or len(combined_parts(motion.figure)) > 1:
        return None
    if not has_feet(motion.figure):
        return None
    strikes = {
        side: sorted(e.time for e in motion.events if isinstance(e, FootEvent) and (e.foot, e.what) == (side, "strike"))
        for side in "lr"
    }
    own = max(strikes.values(), key=len)
    if len(own) < 2 or not all(strikes.values()):
        return None
    inside = (motion.time >= own[0]) & (motion.time <= own[-1])
    path = motion.q[inside, :2]
    if len(path) < 2:
        return None
    ends = float(np.linalg.norm(path[-1] - path[0]))
    speed = ends / (own[-1] - own[0])
    strides = path[:: max(1, (len(path) - 1) // (len(own) - 1))]  # without the sway of single steps
    length = float(np.linalg.norm(np.diff(strides, axis=0), axis=1).sum())
    return speed, (own[-1] - own[0]) / (len(own) - 1), length <= (1.0 + MAX_CURVED) * ends


def _ghost(figure: Figure, speed: float, cycle: float) -> dict[str, Any] | None:
    """Return a cycle of the reference gait at a speed [m/s]: poses without the distance walked, and the stride [m]."""
    stride = speed * cycle
    try:
        plan = GaitPlan.of(figure, velocity=speed, step_length=0.5 * stride)
        gait = reference_gait(figure, plan, steps=2, rate=GHOST_FRAMES / cycle)
    except InputError:  # steps that people do not make
        return None
    poses = poses_of(figure, gait.q)
    poses[:, :, 0] -= stride * np.linspace(0.0, 1.0, len(poses))[:, None]
    return {"poses": packed_compact(poses, GHOST_STEP, 2), "stride": stride}


def _caption(motion: Motion, report: GaitReport | None) -> str:
    """Return the caption: how the walk was simulated, and its gait profile score."""
    words = "Only joint torques and the ground hold this body up, in 1000 steps of physics a second."
    try:
        row = (report or gait_report(motion))["GPS"]
    except AnthropiError:
        return words
    adults = row.criterion.adults.partition(" [")[0]
    return f"{words} Its joint angles are {row.values['']:.1f}° from the norm (adults: {adults}°)."
