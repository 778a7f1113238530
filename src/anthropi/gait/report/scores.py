"""How like a norm is a curve? Floats only.

With d = x - mean over the n points of a cycle, both ends counted, and b the mean of d (the offset):

    r = correlation of x and mean                                              (1)
    RMSE = √(Σ d²/n),  offset removed √(Σ (d - b)²/n)                          (2)
    inside = share of points with |d| ≤ 2 sd, offset removed |d - b| ≤ 2 sd    (3)

The gait profile score over many curves is `anthropi.gait.norms.gps`.
"""

from typing import NamedTuple

import numpy as np

from anthropi.errors import ShapeError

__all__ = ["CurveScore", "score"]


class CurveScore(NamedTuple):
    """(1)-(3): r, rmse and rmse_free (offset removed) in the curve's unit, inside and inside_free as shares."""

    r: float
    rmse: float
    rmse_free: float
    inside: float
    inside_free: float
    offset: float


def score(x, mean, sd, slack: float = 0.0) -> CurveScore:
    """Compare a curve (points,) with a norm's mean and sd (points,). slack : what the band is widened by."""
    x, mean, sd = (np.asarray(a, float) for a in (x, mean, sd))
    if not x.shape == mean.shape == sd.shape or x.ndim != 1:
        raise ShapeError(f"A curve of {x.shape} points cannot be compared with a norm of {mean.shape} and {sd.shape}.")
    d = x - mean
    offset = float(d.mean())
    free, band = d - offset, 2.0 * sd + slack
    spread = float(np.linalg.norm(x - x.mean()) * np.linalg.norm(mean - mean.mean()))
    r = float((x - x.mean()) @ (mean - mean.mean()) / spread) if spread > 0.0 else float("nan")  # (1)
    rmse, rmse_free = (float(np.sqrt(np.mean(e * e))) for e in (d, free))  # (2)
    inside, inside_free = (float(np.mean(np.abs(e) <= band)) for e in (d, free))  # (3)
    if not np.isfinite(offset):
        inside = inside_free = float("nan")
    return CurveScore(r, rmse, rmse_free, inside, inside_free, offset)
