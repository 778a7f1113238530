"""How near is a gait to a norm? The gait profile score. Floats only.

    GVS of a curve = √(mean over the cycle of (x - norm)²)                     (1)  gait variable score
    GPS            = √(mean over the curves of GVS²)                           (2)

The curves are the nine of `GPS_CURVES` of each side, those of the pelvis from the left side only: fifteen in all.
Offsets stay in unless `offsets=False`. Source: R. Baker and others, Gait & Posture 30 (2009) 265.
"""

from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.norms.curves import GPS_CURVES, Curve

__all__ = ["Score", "gps", "resampled"]


class Score(NamedTuple):
    """(2), (1) of every curve by side and name, and (2) of each side alone; [rad] if the curves are."""

    gps: float
    curves: dict[str, dict[str, float]]
    sides: dict[str, float]


def gps(angles, norm, curves=GPS_CURVES, offsets: bool = True) -> Score:
    """How far is a walk from a norm?

    Parameters
    ----------
    angles : {side: {name: (points,)}}, or {name: (points,)} of one side, over one cycle from that side's foot strike.
    norm : {name: (points,)} at the same phases, or {name: Curve} (points are then even from 0 to 1).
    curves : which count; those that the norm or the angles lack raise an error. offsets : whether they count.
    """
    by_side = angles if all(isinstance(v, dict) for v in angles.values()) else {"l": angles}
    scores: dict[str, dict[str, float]] = {}
    for side, own in by_side.items():
        missing = [name for name in curves if name not in own or name not in norm]
        if missing:
            raise InputError(
                f"gps lacks {', '.join(missing)} in the angles or the norm. Give them, or say which curves "
                "count with curves=(…)."
            )
        scores[side] = {name: _score(own[name], norm[name], offsets) for name in curves}
    first = next(iter(scores))
    counted = [v for side, own in scores.items() for n, v in own.items() if side == first or not n.startswith("pelvis")]
    return Score(_rms(counted), scores, {side: _rms(own.values()) for side, own in scores.items()})


def resampled(values, phase, points: int = 51) -> np.ndarray:
    """A curve at even phases from 0 to 1, both ends, linear between the phases (frames,) that it is known at."""
    return np.interp(np.linspace(0.0, 1.0, points), phase, values)


def _score(x, norm, offsets: bool) -> float:
    """(1)"""
    x = np.asarray(x, float)
    mean = norm.mean(np.linspace(0.0, 1.0, len(x))) if isinstance(norm, Curve) else np.asarray(norm, float)
    d = x - mean
    return _rms(d if offsets else d - d.mean())


def _rms(values) -> float:
    return float(np.sqrt(np.mean(np.square(np.asarray(list(values), float)))))  # (2)
