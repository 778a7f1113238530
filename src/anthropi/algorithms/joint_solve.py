"""One joint in the articulated-body algorithm: what it passes inward, and how it moves once its parent does.

For a joint whose S is unit columns (times T): with U = [D; G] on and off the axes and K = G D⁻¹,

    I_a = I_off - K Gᵀ  off the axes, 0 on them                                (4)
    p_a = τ on the axes,  (p + I_a c)_off + K left  off them                   (5)
    a = D⁻¹ left - Kᵀ a'_off  on the axes,  a'_off off them                    (7)

Numbers are those of direct_dynamics.py.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import inverse_symmetric, matvec, transpose
from anthropi.algebra.spatial import ArticulatedInertia, merge, others
from anthropi.algorithms.forces import has_armature

__all__ = ["joint_solve"]


class _Rigid:
    """A joint without freedom: everything passes."""

    def __init__(self, I, p, c):
        self.inertia, self.force = I, p + I.act(c)

    def finish(self, given):
        """No velocity of its own."""
        return np.zeros(0), given


class _Root:
    """A joint with all six freedoms: nothing passes, the body falls by itself."""

    def __init__(self, joint, q, I, p, force):
        self.joint, self.q = joint, q
        self.inertia = ArticulatedInertia(np.zeros(6), np.zeros((3, 3)), np.zeros(6))
        self.force = merge(joint.span, force, np.zeros(0))  # only what drives the joint reacts on the parent
        self._a = I.solve(self.force - p)

    def finish(self, given):
        """a = I⁻¹ (f - p) whatever the parent does; u' = T⁻¹ (a - a')."""
        own = (self._a - given)[..., list(self.joint.span)]
        return self.joint.from_span(self.q, own), self._a


class _Columns:
    """A joint along unit columns: rows that elimination makes zero are never computed."""

    def __init__(self, joint, q, I, p, c, force):
        self.joint, self.q, self.axes = joint, q, joint.span
        self.off = list(others(self.axes))
        self.D = inverse(I.block(self.axes))
        self.K = I.gain(self.axes, self.D)
        self.left = force - p[list(self.axes)]  # (3)
        self.inertia = I.eliminate(self.axes, self.D)  # (4)
        passed = (p + self.inertia.act(c))[self.off] + matvec(self.K, self.left)
        self.force = merge(self.axes, force, passed)  # (5)

    def finish(self, given):
        """(7) on unit columns, then T⁻¹."""
        on = matvec(self.D, self.left) - matvec(transpose(self.K), given[self.off])
        own = on - given[list(self.axes)]
        return self.joint.from_span(self.q, own), merge(self.axes, on, given[self.off])


class _Dense:
    """A joint along any columns, or with armature."""

    def __init__(self, S, armature, I, p, c, tau):
        self.S = S
        self.U = I.along(self.S)
        size = range(S.shape[1])
        rotor = np.array([[armature[j] if j == k else 0.0 for k in size] for j in size])
        self.D = inverse(self.S.T @ self.U + rotor)
        self.left = tau - self.S.T @ p  # (3)
        self.inertia = I.reduce(self.U, self.D)  # (4)
        self.force = p + self.inertia.act(c) + self.U @ (self.D @ self.left)  # (5)

    def finish(self, given):
        """(7)"""
        own = self.D @ (self.left - self.U.T @ given)
        return own, given + self.S @ own


def inverse(D):
    """D⁻¹ of a small symmetric matrix (k, k)."""
    if D.shape[-1] == 1:
        return np.array([[1.0 / D[0, 0]]])
    return inverse_symmetric(D)


def joint_solve(joint, q, I, p, c, tau) -> Any:
    """The way to treat a joint that costs least. Returns .inertia, .force to pass inward and .finish(a')."""
    if joint.nu == 0:
        return _Rigid(I, p, c)
    if joint.span is None or has_armature(joint):
        return _Dense(joint.subspace(q), joint.armature, I, p, c, tau)
    force = joint.force_to_span(q, tau)
    return _Root(joint, q, I, p, force) if len(joint.span) == 6 else _Columns(joint, q, I, p, c, force)


def some_of(free):
    """The way to treat a joint of which only these degrees of freedom are free."""

    def way(joint, q, I, p, c, tau) -> Any:
        if not free:
            return _Rigid(I, p, c)
        if joint.axes is not None and not has_armature(joint):
            return _Columns(_Part(tuple(joint.axes[k] for k in free)), q, I, p, c, tau[free])
        return _Dense(joint.subspace(q)[:, free], joint.armature[free], I, p, c, tau[free])

    return way


class _Part:
    """Some unit columns of a joint, as a joint of their own."""

    def __init__(self, span):
        self.span = span

    def from_span(self, q, s):
        """Velocities are those along the columns."""
        return s
