"""How people walk: curves over the cycle at every walking speed, space and time, and how near somebody comes to them.

Five speeds of Schwartz 2008 (typically developing children; dimensionless, adult medians lie inside two deviations),
step lengths of adults. Figures with their source: docs/reference_gait.md.
"""

from anthropi.gait.norms.adults import AdultStep, adult_step
from anthropi.gait.norms.curves import (
    CURVES,
    GPS_CURVES,
    GRAVITY,
    REACH,
    SCALARS,
    SPEEDS,
    Curve,
    Scalar,
    curve,
    dimensionless,
    scalars,
)
from anthropi.gait.norms.score import Score, gps, resampled

__all__ = [
    "CURVES", "GPS_CURVES", "GRAVITY", "REACH", "SCALARS", "SPEEDS", "AdultStep", "Curve", "Scalar", "Score",
    "adult_step", "curve", "dimensionless", "gps", "resampled", "scalars",
]  # fmt: skip
