"""What is wanted: a motion with its velocities and accelerations, at even times (thesis 10.1).

Accelerations are those the motion knows: of keyframes exactly, else its channel "udot". Where there are none, they come
from differentiation on the manifold (`derivatives.py`), of velocities that are known, else twice of positions.
Floats only.
"""

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.hidds.derivatives import differentiated, filtered, rates
from anthropi.motion import Keyframes, Motion

__all__ = ["wanted_motion"]

RATE = 120.0  # [1/s] of keyframes, if nothing else is said


def wanted_motion(motion, dt: float | None = None, cutoff: float | None = None) -> Motion:
    """The motion every dt [s], with the channel "udot"; its own frames if dt is None.

    motion : `Motion` of one rollout, or `Keyframes`. cutoff : [Hz] of a low-pass filter, for captured motion.
    """
    if isinstance(motion, Keyframes):
        times = _even(motion.times[0], motion.times[-1], 1.0 / RATE if dt is None else dt)
        found = motion.motion(times)
        return found if cutoff is None else filtered(found, cutoff)
    if not isinstance(motion, Motion):
        raise InputError(f"Give a Motion, or Keyframes; got {type(motion).__name__}.")
    if motion.q.ndim != 2:
        raise InputError(f"This motion has {motion.q.shape[0]} rollouts. Take one: motion.rollout(0).")
    if cutoff is not None:
        motion = filtered(motion, cutoff)
    elif motion.udot is None:
        made = motion.figure.nu and np.array_equal(Motion(motion.figure, motion.time, motion.q).u, motion.u)
        motion = differentiated(motion) if made else _with_rates(motion)
    if dt is None:
        return motion
    times = _even(motion.time[0], motion.time[-1], dt)
    same = len(times) == len(motion) and np.allclose(times, motion.time, rtol=0.0, atol=1e-9 * dt)
    return motion if same else motion.resample(times)


def _with_rates(motion: Motion) -> Motion:
    """The motion with "udot" from its velocities."""
    return motion.changed(channels=motion.channels | {"udot": rates(motion.time, motion.u)})


def _even(first: float, last: float, dt: float) -> np.ndarray:
    """Times from the first on, dt [s] apart, as many as there are until the last."""
    if not isinstance(dt, (int, float, np.number)) or not 0.0 < dt < np.inf:
        raise InputError(f"dt={dt!r}: give seconds, more than 0.")
    steps = int(np.floor((last - first) / dt + 1e-6))
    if steps < 1:
        raise InputError(f"The motion lasts {last - first:g} s, less than one increment of {dt:g} s.")
    return np.minimum(first + dt * np.arange(steps + 1.0), last)
