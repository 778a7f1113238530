"""Methods derived from those of interface.py; a joint may write its own to save operations.

`JointKinematics` : relative velocities as two vectors, and velocities along unit columns.
`JointChart` : coordinates that limits bound, and velocities that integrators on the manifold use.
`JointEditing` : the joint reversed, mirrored, scaled, or taken as a sequence of simpler joints.
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

MIRROR = np.array([1.0, -1.0, 1.0])  # factors of a vector in the mirror y → -y; of a rotation vector they are -MIRROR


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
        """Rows of the unit columns that S spans; None if there are none for every q."""
        return self.axes

    def to_span(self, q: Array, u: Array) -> Array:
        """Return T u, velocities along the unit columns."""
        return u

    def from_span(self, q: Array, s: Array) -> Array:
        """Return T⁻¹ s."""
        return s

    def force_to_span(self, q: Array, tau: Array) -> Array:
        """Return T⁻ᵀ τ, the force along the unit columns that does the same work."""
        return tau

    def force_from_span(self, q: Array, f: Array) -> Array:
        """Return Tᵀ f."""
        return f


class JointChart(JointInterface):
    """Coordinates (nu,) beside q, for limits and integrators."""

    def lift(self, theta: Array, u: Array) -> Array:
        """Return the θ' (nu,) for which integrate(q0, θ) moves with the velocity u."""
        self._require_plain("lift(theta, u)", "integrators on the manifold")
        return u

    def coordinates(self, q: Array) -> Array:
        """Return x (nu,), which the limits bound: q itself, or the difference from the neutral configuration."""
        return q if self.plain else self.difference(self.neutral(), q)

    def coordinate_rates(self, q: Array) -> Array | None:
        """Return T (nu, nu) with u = T x', None if T = 1."""
        self._require_plain("coordinate_rates(q)", "limits")
        return None

    def from_coordinates(self, x: Array) -> Array:
        """Return the configuration (nq,) with these coordinates."""
        return x if self.plain else self.integrate(self.neutral(), x)

    def _require_plain(self, method: str, purpose: str) -> None:
        if not self.plain:
            raise NotImplementedError(
                f"{type(self).__name__} needs a method {method} for {purpose}: q' is not u in it."
            )


class JointEditing(JointInterface):
    """The joint as editing a figure needs it. Placements are left to the figure."""

    lower: Any
    upper: Any
    rest: Any

    def reversed(self) -> "Joint":
        """Return the joint that carries the parent, seen from the child: its transform is the inverse."""
        from anthropi.figure.joints.wrapped import Reversed

        return Reversed.of(self)

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the state of the reversed joint in the same pose and motion."""
        return q, u

    def mirrored(self, like: "Joint | None" = None) -> tuple["Joint", np.ndarray, np.ndarray]:
        """Return the joint in the mirror y → -y, and the factors ±1 of its q (nq,) and u (nu,).

        like : the joint on the other side of the figure. Where two descriptions fit, the one like it is taken.
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
        """Return simpler joints that in sequence are this one, with the same q and u; () if there are none."""
        return ()

    def changed(self, **fields: Any) -> "Joint":
        """Return a copy with other fields."""
        raise NotImplementedError


def is_identity(X: Transform) -> bool:
    """Return whether a transform is exactly the identity; one that is being traced is not."""
    if records(X.rotation, X.origin):
        return False
    return X.rotation.tolist() == np.eye(3).tolist() and not X.origin.any()


def mirrored_pose(X: Transform) -> Transform:
    """Return M X M, the pose of a mirrored frame in a mirrored frame, both right-handed."""
    return Transform(MIRROR[:, None] * X.rotation * MIRROR + 0.0, MIRROR * X.origin + 0.0)


def scaled_pose(X: Transform, factor: Any) -> Transform:
    """Return the pose with its origin scaled."""
    return Transform(X.rotation, X.origin * factor)


def block_diagonal(blocks: list[Array]) -> Array:
    """Return square matrices along a diagonal, zeros elsewhere."""
    n, at, rows = sum(len(b) for b in blocks), 0, []
    for block in blocks:
        before, after = np.zeros((len(block), at)), np.zeros((len(block), n - at - len(block)))
        rows.append(np.concatenate([before, block, after], axis=1))
        at += len(block)
    return np.concatenate(rows)


def through(before: Transform, v: Array, c: Array, joint: JointInterface, q: Array, u: Array) -> tuple[Array, Array]:
    """Return relative velocity and its derivative after one more joint of a composite.

    v, c : velocity and component-wise acceleration (at u' = 0) of the frame before it, in that frame. In the frame
    after it, v' = X⁻¹ v + S u, c' = X⁻¹ c + c_J + v' × S u.
    """
    own = joint.subspace(q) @ u
    after = before.undo_motion(v) + own
    return after, before.undo_motion(c) + joint.bias(q, u) + cross_motion(after, own)
