"""Motion of a figure from measured marker positions, by inverse kinematics frame by frame.

Each frame starts from the solution of the frame before. A marker that was not seen has weight 0; if it reappears within
`gap` seconds, it is interpolated linearly. A figure of another size is scaled to fit a part in which the body stands
still. With x the measured markers and m the nearest markers of the figure of size 1, both relative to their means,

    s = Σ x·m / Σ m·m                                                                                               (1)

is iterated until s is constant. The iteration does not rebuild the figure; it divides the measured positions by s.
Works on plain floats only; cannot be recorded on a tape.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.constraints.inverse_kinematics import inverse_kinematics
from anthropi.constraints.targets import Position
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion

__all__ = ["from_markers"]

MAX_SCALE_STEPS, SCALE_TOLERANCE = 30, 1e-9  # limits of the iteration of (1)
MIN_SCALE, MAX_SCALE = 0.05, 20.0
MIN_MARKERS = 3  # number of markers that must be seen in each frame


def from_markers(
    figure: Figure,
    time: Any,
    markers: Mapping[Any, Any],
    *,
    names: Mapping[Any, Any] | None = None,
    weights: Mapping[Any, Any] | None = None,
    gap: float = 0.0,
    q0: Any = None,
    limits: Any = True,
    static: Any = None,
    tolerance: float = 1e-6,
    passes: int = 60,
) -> Motion:
    """Find the motion of a figure whose markers are nearest to measured positions.

    Parameters
    ----------
    time : (frames,) [s].
    markers : {name: (frames, 3)} [m] in the world, NaN where a marker was not seen.
    names : {measured name: marker or link of the figure, or (link, point (3,)), or None to leave it out}; by default
        each name is a marker or link of the figure, and unknown names are left out.
    weights : {measured name: number}, 1 by default.
    gap : [s] duration up to which a lost marker is interpolated.
    q0 : (nq,) initial guess for the first frame.
    limits : as in `ap.inverse_kinematics`.
    static : (start, end) [s] of a part where the body stands still, to scale the figure by (1); None for no scaling.
    tolerance, passes : as in `ap.inverse_kinematics`.

    Returns
    -------
    A motion of the (scaled) figure, with the channel "marker_error" (frames, markers) [m], NaN where a marker was not
    seen; metadata["markers"] has their names, the largest error of each and the scale.
    """
    time = np.asarray(time, float)
    used = _used(figure, markers, names or {})
    seen = _filled(time, np.stack([_places(name, markers[name], len(time)) for name in used], axis=1), gap)
    weight = _weights(used, weights or {}) * np.isfinite(seen).all(-1)
    few = np.flatnonzero((weight > 0.0).sum(1) < min(MIN_MARKERS, len(used)))
    if len(few):
        raise InputError(
            f"At t = {time[few[0]]:g} s only {int((weight[few[0]] > 0.0).sum())} markers are seen. Cut the "
            f"motion there, or give a longer gap than {gap:g} s."
        )
    goals = np.where(np.isfinite(seen), seen, 0.0)
    options = {"limits": limits, "tolerance": tolerance, "passes": passes}
    solve = _Solver(figure, list(used.values()), options)
    size, q0 = (1.0, q0) if static is None else _size(solve, time, seen, weight, static, q0)
    q, error = np.empty((len(time), figure.nq)), np.empty(weight.shape)
    start = q0
    for k in range(len(time)):
        q[k], error[k] = solve(goals[k] / size, weight[k], start)
        start = q[k]
    error = np.where(weight > 0.0, size * error, np.nan)
    scaled = figure if size == 1.0 else figure.scale(size)
    if size != 1.0:
        for joint, at in zip(figure.joints, figure.q_of, strict=True):
            q[:, at] = [joint.scaled_q(row, size) for row in q[:, at]]
    worst = {name: float(np.nanmax(error[:, n], initial=0.0)) for n, name in enumerate(used)}
    about = {"names": list(used), "largest error": worst, "scale": float(size)}
    return Motion(scaled, time, q, None, {"marker_error": error}, (), {"markers": about})


class _Solver:
    """Inverse kinematics of one frame: (positions, weights, start) → q, errors."""

    def __init__(self, figure, points, options) -> None:
        self.figure, self.points, self.options = figure, points, options

    def __call__(self, goals, weight, start):
        targets = [Position(p, g, float(w)) for p, g, w in zip(self.points, goals, weight, strict=True)]
        found = inverse_kinematics(self.figure, targets, start, restarts=8 if start is None else 0, **self.options)
        return found.q, found.error


def _size(solve: _Solver, time, seen, weight, static, q0):
    """Scale s of (1), and the standing configuration of the figure of size 1."""
    try:
        inside = (time >= static[0]) & (time <= static[1])
    except (TypeError, IndexError):
        raise InputError(f"static={static!r}: give (start, end) [s] of a part where the body stands still.") from None
    whole = inside[:, None] & (weight > 0.0)
    sure = whole.any(0)
    if sure.sum() < MIN_MARKERS:
        raise InputError(
            f"From {static[0]:g} to {static[1]:g} s only {int(sure.sum())} markers are seen; 3 are needed."
        )
    x = np.stack([seen[whole[:, n], n].mean(0) if sure[n] else np.zeros(3) for n in range(len(sure))])
    w = np.where(sure, np.max(weight, axis=0), 0.0)
    points = [_point(solve.figure, p) for p in solve.points]
    q = q0

    def rescaled(size: float) -> float:
        """Return the scale after one iteration of (1)."""
        nonlocal q
        q, _ = solve(x / size, w, q)
        k = link_poses(solve.figure, q[None])
        m = np.stack([k.point(i, s)[0] for i, s in points])
        x_, m_ = (y[sure] - np.average(y[sure], axis=0, weights=w[sure]) for y in (x, m))
        found = float((w[sure, None] * x_ * m_).sum() / (w[sure, None] * m_ * m_).sum())
        if not MIN_SCALE < found < MAX_SCALE:
            raise InputError(f"To fit the markers, the figure must be {found:g} times as large. Check units and names.")
        return found

    size, before = rescaled(1.0), 1.0
    step = size - before
    for _ in range(
        MAX_SCALE_STEPS
    ):  # secant method: (1) alone converges slowly, since a figure of a wrong size bends to fit
        change = rescaled(size) - size
        if abs(change) < SCALE_TOLERANCE * size:
            break
        slope = (change - step) / (size - before)
        jump = change if not np.isfinite(slope) or slope > -1e-3 else -change / slope
        before, step, size = size, change, float(np.clip(size + jump, MIN_SCALE, MAX_SCALE))
    return size, q


def _point(figure, of):
    if not isinstance(of, str):
        return figure.link_index(of[0]), np.asarray(of[1], float)
    for m in figure.markers:
        if m.name == of and hasattr(m, "point"):
            return figure.link_index(m.link), np.asarray(m.point, float)
    return figure.link_index(of), np.zeros(3)


def _used(figure, markers, names) -> dict[Any, Any]:
    """Return the markers to use, {measured name: marker, link or point of the figure}."""
    known = [m.name for m in figure.markers if hasattr(m, "point")]
    known += [link.name for link in figure.links]
    if not isinstance(names, Mapping):
        raise InputError(f"names={names!r}: give {{measured name: marker or link of the figure, or (link, point)}}.")
    for name in names:
        if name not in markers:
            raise InputError(
                f"names has '{name}', which was not seen.{did_you_mean(str(name), markers)} Seen: {', '.join(markers)}."
            )
    used = {}
    for name in markers:
        of = names.get(name, name if name in known else None)
        if isinstance(of, str) and of not in known:
            raise InputError(
                f"Marker '{name}' is assigned to '{of}', which figure '{figure.name}' does not have."
                f"{did_you_mean(of, known)} Markers and links: {', '.join(known)}."
            )
        if not isinstance(of, (str, type(None))) and not (isinstance(of, (tuple, list)) and len(of) == 2):
            raise InputError(
                f"Marker '{name}' is assigned to {of!r}. Give a marker or link by name, or (link, point (3,))."
            )
        if of is not None:
            used[name] = of
    if not used:
        raise InputError(
            f"No measured marker has the name of a marker or link of figure '{figure.name}'. Assign them: names={{name:"
            f" marker, link, or (link, point [m])}}. Seen: {_few(markers)}. Markers and links: {_few(known)}."
        )
    return used


def _few(names, most: int = 20) -> str:
    words = list(names)
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


def _places(name: str, given, frames: int) -> np.ndarray:
    x = np.asarray(given, float)
    if x.shape != (frames, 3):
        raise ShapeError(f"Marker '{name}' has shape {x.shape}; expected ({frames}, 3).")
    return x


def _weights(used, weights) -> np.ndarray:
    for name, w in weights.items():
        if name not in used:
            raise InputError(
                f"weights has '{name}', which is not used.{did_you_mean(str(name), used)} Used: {', '.join(used)}."
            )
        if not isinstance(w, (int, float, np.number)) or not 0.0 <= w < np.inf:
            raise InputError(f"The weight of marker '{name}' is {w!r}; give a number that is not negative.")
    return np.array([float(weights.get(name, 1.0)) for name in used])


def _filled(time, x, gap: float) -> np.ndarray:
    """Positions (frames, n, 3) with gaps of at most `gap` [s] interpolated linearly."""
    x = np.where(np.isfinite(x).all(-1, keepdims=True), x, np.nan)
    if not isinstance(gap, (int, float, np.number)) or not 0.0 <= gap < np.inf:
        raise InputError(f"gap={gap!r}: give seconds, 0 or more.")
    for n in range(x.shape[1]):
        there = np.flatnonzero(np.isfinite(x[:, n, 0]))
        for a, b in pairwise(there):
            if b > a + 1 and time[b] - time[a] <= gap:
                s = ((time[a + 1 : b] - time[a]) / (time[b] - time[a]))[:, None]
                x[a + 1 : b, n] = (1.0 - s) * x[a, n] + s * x[b, n]
    return x
