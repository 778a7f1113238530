"""How did a roach walk? What physics says: loads and places of its soles, its body's height. Floats only.

A foot stands while its sole carries more than 0.5 N; spells and gaps of less than 20 ms do not count. A tripod has made
a step when its three feet have landed (1); a foot's slip is the way its sole goes over the ground from the first to the
last frame of a stance (2).
"""

from typing import NamedTuple

import numpy as np

from anthropi.api import kinematics
from anthropi.errors import InputError
from anthropi.gait.roach.feet import TRIPOD
from anthropi.gait.roach.legs import NAMES

__all__ = ["Measures", "headings", "measure"]

TOUCH, SHORT = 0.5, 0.02  # [N], [s]


class Measures(NamedTuple):
    """steps : of tripods (1). speed : [m/s], of the body's way over the ground. step : [m] of it in a step. slip :
    (mean, worst) [m] of a stance (2). height : (lowest, highest) [m] of the body over the mean of what it stands on.
    tilt : [rad] the most. touched : [N] the most that anything but a sole bore."""

    steps: int
    speed: float
    step: float
    slip: tuple[float, float]
    height: tuple[float, float]
    tilt: float
    touched: float


def headings(motion) -> np.ndarray:
    """Where the body points (frames,) [rad], without jumps."""
    w, x, y, z = np.moveaxis(motion.q[..., 3:7], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))


def measure(motion, scene, since: float = 0.0) -> Measures:
    """Measures of one rollout from a time on [s]; frames at most 10 ms apart."""
    if motion.q.ndim != 2 or np.diff(motion.time).max(initial=0.0) > 0.0101:
        raise InputError(
            f"measure got {motion!r}; give one rollout (motion.rollout(k)) with frames 10 ms apart or closer."
        )
    names = [feature.name for feature in scene.features]
    soles = [names.index(f"{name}_sole") for name in NAMES]
    others = [k for k in range(len(names)) if k not in soles]
    late = motion.time >= since - 1e-9
    time, q, force = motion.time[late], motion.q[late], motion.channels["contact"][late]
    seen = kinematics(motion.figure, q)
    places = np.stack([seen.marker(f"{name}_sole") for name in NAMES], axis=1)
    loaded = force[:, soles, 2] > TOUCH
    stances = [_runs(loaded[:, i], time) for i in range(6)]
    landed = np.array([sum(start > 0 for start, _ in own) for own in stances])
    steps = sum(int(landed[tripod].min()) for tripod in (TRIPOD < 0.25, TRIPOD > 0.25))  # (1)
    whole = [(i, a, b) for i, own in enumerate(stances) for a, b in own if a > 0 and b < len(time)]
    slips = [np.linalg.norm(np.diff(places[a:b, i, :2], axis=0), axis=1).sum() for i, a, b in whole]  # (2)
    way = float(np.linalg.norm(np.diff(q[:, :2], axis=0), axis=1).sum())
    under = (places[..., 2] * loaded).sum(1) / np.maximum(loaded.sum(1), 1)
    height = (q[:, 2] - under)[loaded.any(1)]
    upright = 1.0 - 2.0 * (q[:, 4] ** 2 + q[:, 5] ** 2)
    return Measures(
        steps, way / float(time[-1] - time[0]), way / max(steps, 1),
        (float(np.mean(slips)), float(np.max(slips))) if slips else (0.0, 0.0),
        (float(height.min()), float(height.max())), float(np.arccos(min(1.0, upright.min()))),
        float(np.abs(force[:, others]).max(initial=0.0)),
    )  # fmt: skip


def _runs(loaded, time) -> list[tuple[int, int]]:
    """[start, end) of stances that last; shorter gaps between them, and before the first, do not count."""
    edges = np.diff(np.concatenate([[0], loaded.astype(int), [0]]))
    found: list[tuple[int, int]] = []
    for a, b in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        before = found[-1][1] - 1 if found else 0
        if time[a] - time[before] < SHORT:
            found[-1:] = [(found[-1][0] if found else 0, int(b))]
        else:
            found.append((int(a), int(b)))
    return [(a, b) for a, b in found if time[b - 1] - time[a] >= SHORT]
