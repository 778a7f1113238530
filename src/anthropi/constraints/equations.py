"""What do constraints say of positions, velocities and accelerations? One record, whatever the coordinates.

    position       Φ(x, t) = 0                                                                        (1)
    velocity       Φ' = J u + drift,      drift = Σ_k f_xk · ∂x_k/∂t + ∂Φ/∂t                          (2)
    acceleration   Φ″ = J u' + bias,      bias = Σ_k f_xk · x_k″ + bend(x, x') + ∂²Φ/∂t²              (3)

x_k' is the whole velocity of a feature, x_k″ its acceleration where the velocities u do not change. In Cartesian
coordinates u and u' stand for q' and q″.
"""

from typing import Any, NamedTuple

__all__ = ["Equations", "Moving", "bias_of", "drift_of"]


class Equations(NamedTuple):
    """Φ (m,), its Jacobian (m, n), drift (m,) and bias (m,) of (1) to (3)."""

    residual: Any
    jacobian: Any
    drift: Any
    bias: Any


class Moving(NamedTuple):
    """A feature's world vector x, its velocity at rest ∂x/∂t (None if it is fixed), its velocity and acceleration."""

    x: Any
    drift: Any = None
    rate: Any = None
    acceleration: Any = None


def drift_of(primitive, moving, t=None):
    """(2)"""
    total = primitive.drift(t)[0]
    for g, m in zip(primitive.gradient([m.x for m in moving]), moving, strict=True):
        if m.drift is not None:
            total = total + (g * m.drift).sum()
    return total


def bias_of(primitive, moving, t=None):
    """(3)"""
    x = [m.x for m in moving]
    total = primitive.bend(x, [m.rate for m in moving]) + primitive.drift(t)[1]
    for g, m in zip(primitive.gradient(x), moving, strict=True):
        total = total + (g * m.acceleration).sum()
    return total
