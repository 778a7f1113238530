"""Find states that have diverged although all their numbers are finite.

If the step of an explicit method is too long, the state is multiplied by a factor at every step. The results are
meaningless long before a number overflows. A state has diverged if a degree of freedom

    turns by more than MAX_TURN, or moves by more than MAX_TRAVEL, in one step, and faster by GROWTH than at the start;
    or has an angle beyond MAX_ANGLE, for which sin and cos of kernels are not computed (docs/tape.md).

Plain floats only, cannot be recorded on a tape.
"""

from typing import Any

import numpy as np

from anthropi.figure import Figure
from anthropi.figure.states import MAX_ANGLE, angle_places, length_dofs

__all__ = ["diverged", "safe_square"]

MAX_TURN = 1e3  # [rad] in one step: a spinning wheel is simulated with fewer than 100 turns in a step
MAX_TRAVEL = 1e9  # [m] in one step
GROWTH = 1e3  # times the largest speed of the start


def diverged(figure: Figure, q: Any, u: Any, start: Any, dt: float | None, precision: str = "float64") -> np.ndarray:
    """Return which states have diverged, (…,) booleans. States that are not finite have diverged too.

    Parameters
    ----------
    figure : the figure. q, u : states of the figure, (…, nq) and (…, nu).
    start : (…, nu) velocities at the start, in the shape of u or without some of its axes.
    dt : [s] time step; None if it varies, then speeds are not compared.
    precision : "float64" or "float32", of the kernel.
    """
    q, u = np.asarray(q), np.asarray(u)
    with np.errstate(all="ignore"):
        found = ~(np.isfinite(q).all(-1) & np.isfinite(u).all(-1))
        found |= (np.abs(q[..., angle_places(figure)]) > MAX_ANGLE[precision]).any(-1)
        if dt is not None and figure.nu:
            most = np.where(length_dofs(figure), MAX_TRAVEL, MAX_TURN) / dt
            own = GROWTH * np.abs(np.asarray(start)).max(-1, keepdims=True)
            found |= (np.abs(u) > np.maximum(most, own)).any(-1)
    return found


def safe_square(dt: float, precision: str = "float64") -> float:
    """Return a sum of squares of all q and u below which no state has diverged, for a test that costs one product."""
    return min(MAX_TURN / dt, MAX_TRAVEL / dt, MAX_ANGLE[precision]) ** 2
