"""Transforms between frames: a rotation and an origin, without dense 6×6 matrices.

X_AB is the pose of frame B seen from A: C_AB maps B-components to A-components, p_AB is B's origin in A.

    motion   ω_A = C ω_B,  v_A = C v_B + p × ω_A                              (1)  thesis 4.5, _O X_P
    force    f_A = C f_B,  τ_A = C τ_B + p × f_A                              (2)  thesis 4.5, angular part first
    undone   ω_B = Cᵀ ω_A, v_B = Cᵀ (v_A + ω_A × p)                           (3)  thesis 4.3, _P X_O
             f_B = Cᵀ f_A, τ_B = Cᵀ (τ_A + f_A × p)                           (4)
    chain    X_AB X_BC = (C_AB C_BC, p_AB + C_AB p_BC)                        (5)
    inverse  X_BA = (Cᵀ, -Cᵀ p)                                               (6)
    rate     dC/dt = ω × C, dp/dt = v + ω × p                                 (7)  thesis 4.18, App. 4D

"thesis n": docs/equations/thesis.md.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.scalar import Array
from anthropi.algebra.spatial.vectors import force, motion, skew

__all__ = ["Transform", "identity"]


@dataclass(frozen=True, eq=False)
class Transform:
    """Pose of a frame B seen from a frame A, and its action on vectors and inertias.

    Values are not checked, so that algorithms can record it. `ap.Transform` is the same with checked input.

    Attributes
    ----------
    rotation : C_AB (…, 3, 3), maps B-components to A-components.
    origin : p_AB (…, 3) [m], origin of B seen from A's, in A.
    """

    rotation: Any
    origin: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "rotation", np.asarray(self.rotation))
        object.__setattr__(self, "origin", np.asarray(self.origin))

    def act_motion(self, m_B: Array) -> Array:
        """Transform a motion vector from B to A (1). m_B (…, 6) → m_A (…, 6)"""
        w = matvec(self.rotation, m_B[..., :3])
        return motion(w, matvec(self.rotation, m_B[..., 3:]) + cross(self.origin, w))

    def act_force(self, f_B: Array) -> Array:
        """Transform a force vector from B to A (2). f_B (…, 6) → f_A (…, 6)"""
        f = matvec(self.rotation, f_B[..., 3:])
        return force(matvec(self.rotation, f_B[..., :3]) + cross(self.origin, f), f)

    def undo_motion(self, m_A: Array) -> Array:
        """Transform a motion vector from A to B (3). m_A (…, 6) → m_B (…, 6)"""
        back, w = transpose(self.rotation), m_A[..., :3]
        return motion(matvec(back, w), matvec(back, m_A[..., 3:] + cross(w, self.origin)))

    def undo_force(self, f_A: Array) -> Array:
        """Transform a force vector from A to B (4). f_A (…, 6) → f_B (…, 6)"""
        back, f = transpose(self.rotation), f_A[..., 3:]
        return force(matvec(back, f_A[..., :3] + cross(f, self.origin)), matvec(back, f))

    def act_point(self, p_B: Array) -> Array:
        """Transform a point from B to A. p_B (…, 3) [m] → p_A (…, 3) [m]"""
        return matvec(self.rotation, p_B) + self.origin

    def undo_point(self, p_A: Array) -> Array:
        """Transform a point from A to B. p_A (…, 3) [m] → p_B (…, 3) [m]"""
        return matvec(transpose(self.rotation), p_A - self.origin)

    def undo_direction(self, d_A: Array) -> Array:
        """Transform a direction from A to B. d_A (…, 3) → d_B (…, 3)"""
        return matvec(transpose(self.rotation), d_A)

    def act_inertia(self, I_B: Any) -> Any:
        """Transform an inertia, rigid or articulated, from B to A (about A's origin)."""
        return I_B.rotated(self.rotation).shifted(self.origin)

    def undo_inertia(self, I_A: Any) -> Any:
        """Transform an inertia, rigid or articulated, from A to B (about B's origin)."""
        return I_A.shifted(-self.origin).rotated(transpose(self.rotation))

    def __matmul__(self, other: "Transform") -> "Transform":
        """Return the product of two transforms, X_AC = X_AB @ X_BC (5)."""
        return Transform(self.rotation @ other.rotation, self.act_point(other.origin))

    def inverse(self) -> "Transform":
        """Return the inverse transform X_BA (6)."""
        back = transpose(self.rotation)
        return Transform(back, -matvec(back, self.origin))

    def rate(self, v_A: Array) -> tuple[Array, Array]:
        """Return (dC/dt, dp/dt) while B moves relative to A with the motion v_A (…, 6), expressed in A (7)."""
        w = v_A[..., :3]
        return skew(w) @ self.rotation, v_A[..., 3:] + cross(w, self.origin)

    def matrix(self) -> Array:
        """Return the dense (…, 6, 6) matrix of `act_motion`, for tests."""
        return self._dense(lower=True)

    def force_matrix(self) -> Array:
        """Return the dense (…, 6, 6) matrix of `act_force`, for tests."""
        return self._dense(lower=False)

    def _dense(self, lower: bool) -> Array:
        """Assemble a dense matrix with the coupling block in the lower or the upper triangle."""
        C = self.rotation
        coupled = skew(self.origin) @ C
        rows = ([C, 0.0 * C], [coupled, C]) if lower else ([C, coupled], [0.0 * C, C])
        return np.concatenate([np.concatenate(row, axis=-1) for row in rows], axis=-2)


def identity() -> Transform:
    """Return the identity transform."""
    return Transform(np.eye(3), np.zeros(3))
