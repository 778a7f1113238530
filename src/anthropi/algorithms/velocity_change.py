"""How do the equations of motion read in other velocities?

With old velocities w = B u and M w' - h = W λ in them, the same equations in u are

    w' = B u' + B' u                                                           (1)
    M_u = Bᵀ M B,   h_u = Bᵀ (h - M B' u),   W_u = Bᵀ W                        (2)  rotations C.transf

and the way back is that of B⁻¹, with (B⁻¹)' w = -B⁻¹ (B' u)                   (3)

Forces dual to the velocities go as W does, so power stays: τ_u · u = τ · w.
"""

from typing import Any, NamedTuple

from anthropi.algebra.linear import inverse, matvec, transpose

__all__ = ["Equations", "VelocityChange", "change_velocities"]


class VelocityChange(NamedTuple):
    """w = B u: B (nu, nu), its drift B' u (nu,), and B⁻¹ (nu, nu), which `reversed` makes where it is not given."""

    B: Any
    drift: Any
    inverse: Any = None

    def reversed(self) -> "VelocityChange":
        """u = B⁻¹ w (3)."""
        back = inverse(self.B) if self.inverse is None else self.inverse
        return VelocityChange(back, -matvec(back, self.drift), self.B)


class Equations(NamedTuple):
    """M u' - h = W λ: M (nu, nu), h (nu,) with τ in it, W (nu, k) or None."""

    M: Any
    h: Any
    W: Any = None


def change_velocities(equations: Equations, change: VelocityChange) -> Equations:
    """What are M, h and W for u, when those for w = B u are known? (2)"""
    back = transpose(change.B)
    W = None if equations.W is None else back @ equations.W
    h = matvec(back, equations.h - matvec(equations.M, change.drift))
    return Equations(back @ equations.M @ change.B, h, W)
