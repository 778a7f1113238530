"""Joint methods derived from those in interface.py. A joint may override them to save operations.

`JointKinematics` : relative velocities as two vectors, and velocities along unit columns.
`JointChart` : coordinates that limits bound, and velocities that integrators on the manifold use.
`JointEditing` : the joint reversed, mirrored, scaled, or split into a sequence of simpler joints.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import Transform, cross_motion
from anthropi.figure.joints.interface import Array, JointInterface

if TYPE_CHECKING:
    from anthropi.figure.joints.base import Joint

__all__ = [
    "MIRROR",
    "JointChart",
    "JointEditing",
    "JointKinematics",
    "block_diagonal",
    "is_identity",
    "mirrored_pose",
    "scaled_pose",
    "through",
]

MIRROR = np.array([1.0, -1.0, 1.0])  # factors of a vector mirrored by y → -y; those of a rotation vector are -MIRROR


class JointKinematics(JointInterface):
    """Relative velocities of the child, in the forms that algorithms use."""

    def spin(self, q: Array, u: Array) -> Array:
        """Return the angular velocity (3,) of the child relative to the parent, in the child frame."""
        return self.subspace(q)[:3] @ u

    def slide(self, q: Array, u: Array) -> Array:
        """Return the velocity (3,) of the child's origin relative to the parent, in the joint frame."""
        return self.transform(q).rotation @ (self.subspace(q)[3:] @ u)

    def spin_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the component-wise derivative (3,) of `spin`, in the child frame."""
        return self.subspace(q)[:3] @ udot + self.bias(q, u)[:3]

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the component-wise derivative (3,) of `slide`, in the joint frame."""
        S, c = self.subspace(q), self.bias(q, u)
        inside = S[3:] @ udot + c[3:] + np.cross(S[:3] @ u, S[3:] @ u)
        return self.transform(q).rotation @ inside

    # If S(q) = (unit columns `span`) T(q), the dynamics work on unit columns, whatever T is.

    @property
    def span(self) -> tuple[int, ...] | None:
        """Rows of the unit columns that span S for every q; None if there are none."""
        return self.axes

    def to_span(self, q: Array, u: Array) -> Array:
        """Return the velocities T u along the unit columns."""
        return u

    def from_span(self, q: Array, s: Array) -> Array:
        """Return the joint velocities u = T⁻¹ s from velocities s along the unit columns."""
        return s

    def force_to_span(self, q: Array, tau: Array) -> Array:
        """Return T⁻ᵀ τ, the forces along the unit columns that do the same work as the joint forces τ."""
        return tau

    def force_from_span(self, q: Array, f: Array) -> Array:
        """Return the joint forces Tᵀ f from forces f along the unit columns."""
        return f


class JointChart(JointInterface):
    """Coordinates (nu,) other than q, for limits and integrators."""

    def lift(self, theta: Array, u: Array) -> Array:
        """Return the rate θ' (nu,) for which integrate(q0, θ) moves with the velocity u."""
        self._require_plain("lift(theta, u)", "integrators on the manifold")
        return u

    def coordinates(self, q: Array) -> Array:
        """Return x (nu,), which the limits bound: q itself, or the difference from the neutral configuration."""
        return q if self.plain else self.difference(self.neutral(), q)

    def coordinate_rates(self, q: Array) -> Array | None:
        """Return the matrix T (nu, nu) with u = T x' for the `coordinates` x, or None if T is the identity."""
        self._require_plain("coordinate_rates(q)", "limits")
        return None

    def from_coordinates(self, x: Array) -> Array:
        """Return the configuration (nq,) with these coordinates."""
        return x if self.plain else self.integrate(self.neutral(), x)

    def _require_plain(self, method: str, purpose: str) -> None:
        if not self.plain:
            raise NotImplementedError(
                f"{type(self).__name__} needs a method {method} for {purpose}, because its q' is not equal to u."
            )


class JointEditing(JointInterface):
    """Methods that edit a joint: reverse, mirror, scale, split. The figure changes placements itself."""

    lower: Any
    upper: Any
    rest: Any

    def reversed(self) -> "Joint":
        """Return the joint with parent and child exchanged; its transform is the inverse."""
        from anthropi.figure.joints.wrapped import Reversed

        return Reversed.of(self)

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the state of the reversed joint in the same pose and motion."""
        return q, u

    def mirrored(self, like: "Joint | None" = None) -> tuple["Joint", np.ndarray, np.ndarray]:
        """Return the joint mirrored by y → -y, and the factors ±1 of its q (nq,) and u (nu,).

        like : the joint on the other side of the figure. If two descriptions are possible, the one that matches it is
            used.
        """
        from anthropi.figure.joints.wrapped import Mirrored

        return Mirrored.of(self), np.ones(self.nq), np.ones(self.nu)

    def scaled(self, factor: float) -> "Joint":
        """Return the joint of a figure `factor` times as large: lengths grow, angles do not."""
        by = np.array([factor if long else 1.0 for long in self.lengths])
        return self.changed(lower=self.lower * by, upper=self.upper * by, rest=self.rest * by)

    def scaled_q(self, q: Array, factor: float) -> Array:
        """Return the configuration (nq,) of the scaled joint with the same angles."""
        if self.nq != self.nu:
            return q * np.ones(self.nq)
        return q * np.array([factor if long else 1.0 for long in self.lengths])

    def parts_in_sequence(self) -> tuple["Joint", ...]:
        """Return simpler joints whose sequence is equivalent to this joint, with the same q and u; () if none exist."""
        return ()

    def changed(self, **fields: Any) -> "Joint":
        """Return a copy with the given fields replaced."""
        raise NotImplementedError


def is_identity(X: Transform) -> bool:
    """Return whether a transform is exactly the identity; False for recording scalars."""
    if records(X.rotation, X.origin):
        return False
    return X.rotation.tolist() == np.eye(3).tolist() and not X.origin.any()


def mirrored_pose(X: Transform) -> Transform:
    """Return the mirrored pose M X M, M = diag(1, -1, 1); frames stay right-handed."""
    return Transform(MIRROR[:, None] * X.rotation * MIRROR + 0.0, MIRROR * X.origin + 0.0)


def scaled_pose(X: Transform, factor: Any) -> Transform:
    """Return the pose with its origin multiplied by a factor."""
    return Transform(X.rotation, X.origin * factor)


def block_diagonal(blocks: list[Array]) -> Array:
    """Return the block-diagonal matrix of several square matrices."""
    n, at, rows = sum(len(b) for b in blocks), 0, []
    for block in blocks:
        before, after = np.zeros((len(block), at)), np.zeros((len(block), n - at - len(block)))
        rows.append(np.concatenate([before, block, after], axis=1))
        at += len(block)
    return np.concatenate(rows)


def through(before: Transform, v: Array, c: Array, joint: JointInterface, q: Array, u: Array) -> tuple[Array, Array]:
    """Return the relative velocity and its derivative after the next joint of a composite joint.

    v, c : velocity and component-wise acceleration (at u' = 0) of the frame before this joint, in that frame. In the
    frame after it, v' = X⁻¹ v + S u and c' = X⁻¹ c + c_J + v' × S u.
    """
    own = joint.subspace(q) @ u
    after = before.undo_motion(v) + own
    return after, before.undo_motion(c) + joint.bias(q, u) + cross_motion(after, own)
