"""A motion on paper: poses at several times in one picture, where they are or side by side, each with its time."""

import numpy as np

from anthropi.errors import InputError
from anthropi.pictures.panels import UP, grounded, panels_for, reach_of, show, window_of
from anthropi.pictures.solids import Scene, scene_of
from anthropi.pictures.view import view_of

__all__ = ["strip"]

INK = "#5b6577"


def strip(motion, times=9, *, view="side", apart=None, axes=None, ground=None, stamps=True, pixels=2000, file=None):
    """What does a figure look like while it moves?

    Parameters
    ----------
    times : how many poses, evenly from the first time to the last, or the times themselves [s].
    view : a name or (azimuth, elevation) in degrees, as in `draw`.
    apart : None shows each pose where it is, as a stroboscope does; a distance [m] puts them side by side, so far from
        middle to middle.
    axes : matplotlib axes to draw into; new ones if None. stamps : the time below each pose.
    ground : the plane z = 0; if None, where the motion is near it. pixels : of the picture's longer side.
    file : where to write the picture, if anywhere; no window is opened then.

    Returns the axes, whose units are metres of the picture plane.
    """
    if motion.q.ndim != 2:
        raise InputError(f"A strip shows one rollout, and this motion has {motion.q.shape[0]}. Take motion.rollout(0).")
    when = _moments(motion, times)
    seen = view_of(view)
    poses = [scene_of(motion.figure, q) for q in motion.at(when).q]
    if apart is not None:
        poses = [_moved(pose, k * apart, seen) for k, pose in enumerate(poses)]
    whole = _together(poses, motion.figure.n)
    if ground is None:
        ground = any(grounded(pose, motion.figure.gravity) for pose in poses)
    window = window_of(whole, seen, ground, pixels)
    (panel,) = panels_for(axes, [window], file is None, "strip")
    show(panel, whole, seen, window, False, False, ground)
    for pose, t in zip(poses, when, strict=True) if stamps else ():
        low, high = reach_of(pose.solids, seen.axes()[:2])
        panel.annotate(f"{t:.2f} s", (0.5 * (low[0] + high[0]), low[1]), (0, -4), textcoords="offset points",
                       ha="center", va="top", fontsize=8, color=INK, zorder=5)  # fmt: skip
    if file is not None:
        panel.figure.savefig(file, dpi=max(150, round(pixels / panel.figure.get_figwidth())))
    return panel


def _moments(motion, times) -> np.ndarray:
    if np.ndim(times) == 0:
        if times != int(times) or times < 1:
            raise InputError(f"times={times!r}: give how many poses, at least 1, or a row of times [s].")
        return np.linspace(motion.time[0], motion.time[-1], int(times))
    return np.asarray(times, float)


def _moved(pose: Scene, to: float, view) -> Scene:
    """A pose with its middle moved along the ground to a place on the line across the picture."""
    axes = view.axes()
    low, high = reach_of(pose.solids, axes)
    middle, across = 0.5 * (low + high) @ axes, axes[0]
    away = np.cross(UP, across)
    by = (to - middle @ across) * across - (middle @ away) * away
    return pose._replace(solids=[s._replace(middle=s.middle + by) for s in pose.solids],
                         joints=pose.joints + by, markers=pose.markers + by)  # fmt: skip


def _together(poses, links: int) -> Scene:
    """One scene of all poses, as large to its painter as one of them."""
    solids = [s._replace(link=s.link + k * links) for k, pose in enumerate(poses) for s in pose.solids]
    joints = np.concatenate([pose.joints for pose in poses])
    markers = np.concatenate([pose.markers for pose in poses])
    return Scene(solids, joints, markers, max(pose.size for pose in poses))
