"""Falls: the one definition of a figure that has fallen, and its thresholds by purpose.

A figure is upright while the height h of its pelvis over the ground is finite and within bounds relative to the height
h₀ at which it stands or starts:

    min_height h₀ < h,   and h < max_height h₀ where a figure may also be lost upwards                            (1)
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
    """Bounds of the height of the pelvis.

    Attributes
    ----------
    min_height : smallest height, relative to that of the upright figure.
    max_height : largest height, likewise; the default is no bound.
    """

    min_height: float = 0.7
    max_height: float = math.inf


WALKING = FallSettings(0.7)
"""Walking sessions, scripts and performed motions: no gait or crouch of the package goes as low."""
LIVE_RUN = FallSettings(0.55)
"""Live runs in the studio: a figure that is dragged down and may still recover has not fallen."""
PUSH_TRIAL = FallSettings(0.75)
"""Push maps and trials: a fall counts early, because the rollout goes on for a few seconds only."""
SEARCH = FallSettings(0.8, 1.15)
"""Rollouts of the search: a walk that crouches or jumps is not worth following."""


def upright(height: Any, standing: Any, settings: FallSettings = WALKING) -> Any:
    """Mask of (1); False where a height is not a number. Records.

    Parameters
    ----------
    height : height of the pelvis over the ground [m], a number or an array.
    standing : height of the upright figure [m].
    """
    high = less(settings.min_height * standing, height)
    return high if math.isinf(settings.max_height) else high & less(height, settings.max_height * standing)


def is_fallen(height: float, standing: float, settings: FallSettings = WALKING) -> bool:
    """Return whether a figure has fallen. Floats only; the parameters are those of `upright`."""
    return not upright(height, standing, settings)


def fall_time(
    motion: Motion, settings: FallSettings = WALKING, ground: Callable[[Any, Any], Any] | None = None
) -> np.ndarray:
    """Time of the first fall of each rollout of a motion.

    Parameters
    ----------
    motion : of a figure with a free root, one rollout or a batch; h₀ (1) is the height in its first frame.
    ground : height of the ground [m] at (x, y) [m]; 0 if None.

    Returns
    -------
    (…,) [s], NaN where the figure stays upright. A frame that is not finite is a fall.
    """
    position = np.asarray(motion.q[..., :3])
    height = position[..., 2] - (0.0 if ground is None else ground(position[..., 0], position[..., 1]))
    up = np.isfinite(motion.q).all(-1) & upright(height, height[..., :1], settings)
    return np.where(up.all(-1), np.nan, motion.time[np.argmin(up, -1)])
