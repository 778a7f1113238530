"""One joint in the articulated-body algorithm: what it passes inward, and how it moves once its parent does.

For a joint whose S is unit columns (times T): with U = [D; G] on and off the axes and K = G D⁻¹,

    I_a = I_off - K Gᵀ  off the axes, 0 on them                                (4)
    p_a = τ on the axes,  (p + I_a c)_off + K left  off them                   (5)
    a = D⁻¹ left - Kᵀ a'_off  on the axes,  a'_off off them                    (7)

With inertia r of the joint's own on the diagonal (armature, and implicit springs and dampers: D = Sᵀ I S + r) the rows
of the axes do not vanish, and the whole articulated inertia passes:

    I_a = I_off - K Gᵀ  off the axes, r - r D⁻¹ r  on them, K r  between                        (4r)
    p_a = τ - r D⁻¹ left + (I_a c)_on  on the axes,  as (5) off them                            (5r)
    a = D⁻¹ (left + r a'_on) - Kᵀ a'_off  on the axes,  a'_off off them                         (7r)

Numbers are those of direct_dynamics.py.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import inverse_symmetric, ldl, matvec, transpose
from anthropi.algebra.spatial import ArticulatedInertia, merge, others
from anthropi.algorithms.forces import has_armature, not_zero

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


class _Loaded:
    """A joint along unit columns, with inertia r (k,) of its own."""

    def __init__(self, axes, r, I, p, c, tau):
        self.axes, self.off, self.r = axes, list(others(axes)), r
        self.D = inverse(I.block(axes) + diagonal(r))
        self.K = I.gain(axes, self.D)
        self.left = tau - p[list(axes)]  # (3)
        self._on = matvec(self.D, self.left)
        blocks = {(0, 0): diagonal(r) - r[:, None] * self.D * r, (0, 1): transpose(self.K * r)}
        self.inertia = I.eliminate(axes, self.D) + self._assembled(blocks)  # (4r)
        more = self.inertia.act(c)
        passed = (p + more)[self.off] + matvec(self.K, self.left)
        self.force = merge(axes, tau - r * self._on + more[list(axes)], passed)  # (5r)

    def _assembled(self, blocks):
        """The blocks on the axes, and between them and the others, as an inertia."""
        whole = [[0.0] * 6 for _ in range(6)]
        rows = {0: list(self.axes), 1: self.off}
        for (a, b), block in blocks.items():
            for j, row in enumerate(rows[a]):
                for k, column in enumerate(rows[b]):
                    whole[row][column] = whole[column][row] = block[j, k]
        return ArticulatedInertia.from_matrix(np.array(whole))

    def finish(self, given):
        """(7r)"""
        on = given[list(self.axes)]
        reached = self._on + matvec(self.D, self.r * on) - matvec(transpose(self.K), given[self.off])
        return reached - on, merge(self.axes, reached, given[self.off])


class _Dense:
    """A joint along any columns, with inertia r (k,) of its own.

    D is factored, not inverted: with columns that nearly depend on each other, as in some composites, (4) cancels, and
    I - U D⁻¹ Uᵀ through an inverse would lose digits by cond(D) once more.
    """

    def __init__(self, S, r, I, p, c, tau):
        self.S = S
        U = I.along(self.S)
        D = ldl(self.S.T @ U + diagonal(r))
        self.K = np.stack([D.solve(row) for row in U])
        left = tau - self.S.T @ p  # (3)
        self._on = D.solve(left)
        self.inertia = I.less(self.K, U)  # (4)
        self.force = p + self.inertia.act(c) + U @ self._on  # (5)

    def finish(self, given):
        """(7)"""
        own = self._on - self.K.T @ given
        return own, given + self.S @ own


def inverse(D):
    """D⁻¹ of a small symmetric matrix (k, k)."""
    if D.shape[-1] == 1:
        return np.array([[1.0 / D[0, 0]]])
    return inverse_symmetric(D)


def diagonal(r):
    """The matrix (k, k) with r on its diagonal."""
    size = range(len(r))
    return np.array([[r[j] if j == k else 0.0 for k in size] for j in size])


def joint_solve(joint, q, I, p, c, tau, extra=None, free=None) -> Any:
    """The way to treat a joint that costs least. Returns .inertia, .force to pass inward and .finish(a').

    extra (nu,): inertia on the diagonal of D beside the armature. free : the degrees of freedom that are free (all).
    """
    if joint.nu == 0 or free == []:
        return _Rigid(I, p, c)
    r = own_inertia(joint, extra)
    if free is not None and len(free) < joint.nu:
        tau, r = tau[free], None if r is None else r[free]
        if joint.axes is None:
            return _Dense(joint.subspace(q)[:, free], np.zeros(len(free)) if r is None else r, I, p, c, tau)
        axes = tuple(joint.axes[k] for k in free)
        return _Columns(_Part(axes), q, I, p, c, tau) if r is None else _Loaded(axes, r, I, p, c, tau)
    if joint.span is None or (r is not None and joint.axes is None):
        return _Dense(joint.subspace(q), np.zeros(joint.nu) if r is None else r, I, p, c, tau)
    if r is not None:
        return _Loaded(joint.axes, r, I, p, c, tau)
    force = joint.force_to_span(q, tau)
    return _Root(joint, q, I, p, force) if len(joint.span) == 6 else _Columns(joint, q, I, p, c, force)


def own_inertia(joint, extra=None):
    """The joint's armature and what is added to it (nu,); None where there is neither."""
    if extra is None or not not_zero(extra):
        return joint.armature if has_armature(joint) else None
    return joint.armature + extra if has_armature(joint) else extra


class _Part:
    """Some unit columns of a joint, as a joint of their own."""

    def __init__(self, span):
        self.span = span

    def from_span(self, q, s):
        """Velocities are those along the columns."""
        return s
