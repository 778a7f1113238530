"""Fall detection: the definition of a fall, and its thresholds for different purposes.

A figure is upright while the height h of its pelvis above the ground is finite and within bounds relative to h₀, the
height at which it stands or starts:

    min_height h₀ < h,   and h < max_height h₀ if an upper bound is set                                           (1)
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import less
from anthropi.motion import Motion

__all__ = ["LIVE_RUN", "PUSH_TRIAL", "SEARCH", "WALKING", "FallSettings", "fall_time", "is_fallen", "upright"]


@dataclass(frozen=True)
class FallSettings:
    """Height bounds of the pelvis, outside which a figure counts as fallen.

    Attributes
    ----------
    min_height : smallest height, as a fraction of the height of the upright figure.
    max_height : largest height, as the same fraction; no upper bound by default.
    """

    min_height: float = 0.7
    max_height: float = math.inf


WALKING = FallSettings(0.7)
"""Bounds for walking sessions, scripts and performed motions. No gait or crouch of the package goes this low."""
LIVE_RUN = FallSettings(0.55)
"""Bounds for live runs in the studio. A figure that was dragged down may still recover, so the bound is lower."""
PUSH_TRIAL = FallSettings(0.75)
"""Bounds for push maps and push trials. A fall is detected early, because a rollout lasts only a few seconds."""
SEARCH = FallSettings(0.8, 1.15)
"""Bounds for the parameter search, which rejects walks that crouch or jump."""


def upright(height: Any, standing: Any, settings: FallSettings = WALKING) -> Any:
    """Return a mask that is True where a figure is upright (1), and False where the height is NaN.

    Can be recorded on a tape.

    Parameters
    ----------
    height : height of the pelvis above the ground [m], a number or an array.
    standing : height of the upright figure [m].
    """
    high = less(settings.min_height * standing, height)
    return high if math.isinf(settings.max_height) else high & less(height, settings.max_height * standing)


def is_fallen(height: float, standing: float, settings: FallSettings = WALKING) -> bool:
    """Return whether a figure has fallen. The parameters are those of `upright`, as plain floats."""
    return not upright(height, standing, settings)


def fall_time(
    motion: Motion, settings: FallSettings = WALKING, ground: Callable[[Any, Any], Any] | None = None
) -> np.ndarray:
    """Return the time of the first fall in each rollout of a motion.

    Parameters
    ----------
    motion : one rollout or a batch, of a figure with a free root. The reference height h₀ of (1) is the height in the
        first frame.
    ground : function that returns the height of the ground [m] at (x, y) [m]; height 0 if None.

    Returns
    -------
    (…,) [s], NaN where the figure stays upright. A frame with a NaN or infinite coordinate counts as a fall.
    """
    position = np.asarray(motion.q[..., :3])
    height = position[..., 2] - (0.0 if ground is None else ground(position[..., 0], position[..., 1]))
    up = np.isfinite(motion.q).all(-1) & upright(height, height[..., :1], settings)
    return np.where(up.all(-1), np.nan, motion.time[np.argmin(up, -1)])
