"""One joint in the articulated-body algorithm: what it passes inward, and how it moves once its parent does.

For a joint whose S is unit columns (times T): with U = [D; G] on and off the axes, D = L d Lᵀ, W = G L⁻ᵀ, V = W d⁻¹,

    y = d⁻¹ L⁻¹ left                                                           (2)
    I_a = I_off - V Wᵀ  off the axes, 0 on them                                (3)
    p_a = τ on the axes,  p_off + W y  off them                                (4)
    a = L⁻ᵀ (y - Vᵀ a'_off)  on the axes,  a'_off off them                     (6)

With inertia r of the joint's own on the diagonal (armature, and implicit springs and dampers: D = Sᵀ I S + r) the rows
of the axes do not vanish, and the whole articulated inertia passes; with B = Sᵀ I S, K = G D⁻¹, and nothing that
cancels where r is large,

    I_a = I_off - K Gᵀ  off the axes, B D⁻¹ r = r - r D⁻¹ r  on them, K r  between              (3r)
    p_a = p_on + B D⁻¹ left = τ - r D⁻¹ left  on the axes,  p_off + K left  off them            (4r)
    a = D⁻¹ (left + r a'_on) - Kᵀ a'_off  on the axes,  a'_off off them                         (6r)

r is a row (k,), or a symmetric matrix (k, k) where limits push across the axes.
Numbers are those of direct_dynamics.py.
"""

from functools import partial
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, inverse_symmetric, ldl, matvec, transpose
from anthropi.algebra.spatial import ArticulatedInertia, merge, others
from anthropi.algorithms.forces import has_armature, not_zero

__all__ = ["diagonal", "joint_dense", "joint_solve", "of_joint", "own_inertia", "plus", "times"]


class _Rigid:
    """A joint without freedom: everything passes."""

    def __init__(self, I, p):
        self.inertia, self.force = I, p

    def finish(self, given):
        """No velocity of its own."""
        return np.zeros(0), given

    def answer(self, f):
        """See `_Columns`."""
        return f, self.finish

    def yields(self):
        """Nothing."""
        return np.zeros((6, 6))


class _Root:
    """A joint with all six freedoms: nothing passes, the body falls by itself."""

    def __init__(self, joint, q, I, p, force):
        self.joint, self.q = joint, q
        self.inertia = ArticulatedInertia(np.zeros(6), np.zeros((3, 3)), np.zeros(6))
        self.force = merge(joint.span, force, np.zeros(0))  # only what drives the joint reacts on the parent
        self._factor = ldl(I.matrix())
        self._a = self._factor.solve(self.force - p)

    def finish(self, given):
        """a = I⁻¹ (f - p) whatever the parent does; u' = T⁻¹ (a - a')."""
        return self._finish(self._a, given)

    def answer(self, f):
        """See `_Columns`."""
        a = self._factor.solve(f)
        return np.zeros(6), lambda given: self._finish(a, given)

    def yields(self):
        """I⁻¹"""
        return full(self._factor.inverse())

    def _finish(self, a, given):
        own = (a - given)[..., list(self.joint.span)]
        return self.joint.from_span(self.q, own), a


class _Columns:
    """A joint along unit columns: rows that elimination makes zero are never computed."""

    def __init__(self, joint, q, I, p, force):
        self.joint, self.q, self.axes = joint, q, joint.span
        self.off = list(others(self.axes))
        self.D = D = ldl(I.block(self.axes))
        self.W = W = np.array([D.forward(row) for row in I.columns(self.axes)[self.off]])
        self.V = W * np.array(D.inverses)
        self.y = D.forward(force - p[list(self.axes)]) * np.array(D.inverses)  # (2)
        self.inertia = I.less_off(self.axes, self.V, W)  # (3)
        self.force = merge(self.axes, force, p[self.off] + matvec(W, self.y))  # (4)

    def finish(self, given):
        """(6) on unit columns, then T⁻¹."""
        return self._finish(self.y, given)

    def answer(self, f):
        """What passes inward of a force f (6,) on the link, nothing else acting, and the `finish` that goes with it."""
        y = self.D.forward(f[list(self.axes)]) * np.array(self.D.inverses)  # (2)
        return merge(self.axes, np.zeros(len(self.axes)), f[self.off] - matvec(self.W, y)), partial(self._finish, y)

    def yields(self):
        """S D⁻¹ Sᵀ (6, 6): how the link accelerates under a force, its parent held."""
        return _spread_out(self.axes, full(self.D.inverse()))

    def _finish(self, y, given):
        on = self.D.backward(y - matvec(transpose(self.V), given[self.off]))
        own = on - given[list(self.axes)]
        return self.joint.from_span(self.q, own), merge(self.axes, on, given[self.off])


class _Loaded:
    """A joint along unit columns, with inertia r (k,) or (k, k) of its own."""

    def __init__(self, joint, r, I, p, tau):
        axes = joint.span
        self.joint, self.axes, self.off, self.r = joint, axes, list(others(axes)), r
        self.B = B = I.block(axes)
        self.D = inverse(B + diagonal(r))
        self.K = I.gain(axes, self.D)
        self.left = tau - p[list(axes)]  # (2)
        self._on = matvec(self.D, self.left)
        blocks = {(0, 0): columns(r, B @ self.D), (0, 1): transpose(columns(r, self.K))}
        self.inertia = I.eliminate(axes, self.D) + self._assembled(blocks)  # (3r)
        self.force = merge(axes, p[list(axes)] + matvec(B, self._on), p[self.off] + matvec(self.K, self.left))  # (4r)

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
        """(6r)"""
        return self._finish(self._on, given)

    def answer(self, f):
        """See `_Columns`."""
        left = f[list(self.axes)]
        own = matvec(self.D, left)
        passed = merge(self.axes, left - matvec(self.B, own), f[self.off] - matvec(self.K, left))
        return passed, partial(self._finish, own)

    def yields(self):
        """S D⁻¹ Sᵀ (6, 6)."""
        return _spread_out(self.axes, self.D)

    def _finish(self, own, given):
        on = given[list(self.axes)]
        reached = own + matvec(self.D, times(self.r, on)) - matvec(transpose(self.K), given[self.off])
        return self.joint.from_span(None, reached - on), merge(self.axes, reached, given[self.off])


class _Dense:
    """A joint along any columns, with inertia r (k,) of its own.

    D is factored, not inverted: with columns that nearly depend on each other, as in some composites, (3) cancels, and
    I - U D⁻¹ Uᵀ through an inverse would lose digits by cond(D) once more.
    """

    def __init__(self, S, r, I, p, tau):
        self.S = S
        self.U = U = I.along(self.S)
        self.D = D = ldl(self.S.T @ U + diagonal(r))
        self.K = np.stack([D.solve(row) for row in U])
        left = tau - self.S.T @ p  # (2)
        self._on = D.solve(left)
        self.inertia = I.less(self.K, U)  # (3)
        self.force = p + U @ self._on  # (4)

    def finish(self, given):
        """(6)"""
        return self._finish(self._on, given)

    def answer(self, f):
        """See `_Columns`."""
        own = self.D.solve(self.S.T @ f)
        return f - self.U @ own, partial(self._finish, own)

    def yields(self):
        """S D⁻¹ Sᵀ (6, 6)."""
        return self.S @ np.stack([self.D.solve(row) for row in self.S]).T

    def _finish(self, on, given):
        own = on - self.K.T @ given
        return own, given + self.S @ own


def _spread_out(axes, block):
    """A block (k, k) on the axes among six, zeros elsewhere."""
    at = {axis: j for j, axis in enumerate(axes)}
    return np.array([[block[at[i], at[j]] if i in at and j in at else 0.0 for j in range(6)] for i in range(6)])


def inverse(D):
    """D⁻¹ of a small symmetric matrix (k, k)."""
    if D.shape[-1] == 1:
        return np.array([[1.0 / D[0, 0]]])
    return inverse_symmetric(D)


def diagonal(r):
    """The matrix (k, k) with r on its diagonal; a matrix is one already."""
    if np.ndim(r) == 2:
        return r
    size = range(len(r))
    return np.array([[r[j] if j == k else 0.0 for k in size] for j in size])


def times(r, x):
    """r x for r (k,) on a diagonal, or (k, k)."""
    return r * x if np.ndim(r) == 1 else matvec(r, x)


def columns(r, A):
    """A r for A (m, k) and symmetric r, (k,) on a diagonal or (k, k)."""
    return A * r if np.ndim(r) == 1 else A @ r


def plus(a, b):
    """The sum of two, each (n,) on a diagonal or (n, n)."""
    return a + b if np.ndim(a) == np.ndim(b) else diagonal(a) + diagonal(b)


def of_joint(extra, of: slice):
    """The part of `extra`, (nu,) or (nu, nu), that belongs to the degrees of freedom of one joint."""
    if extra is None:
        return None
    return extra[of] if np.ndim(extra) == 1 else extra[of, of]


def joint_solve(joint, q, I, p, tau, extra=None, free=None) -> Any:
    """The way to treat a joint that costs least. Returns .inertia, .force to pass inward and .finish(a').

    extra (nu,): inertia on the diagonal of D beside the armature, or (nu, nu): added to D. free : the degrees of
    freedom that are free (all).
    """
    if joint.nu == 0 or free == []:
        return _Rigid(I, p)
    r, some = own_inertia(joint, extra), free is not None and len(free) < joint.nu
    if some:
        tau, r = tau[free], r if r is None else r[free] if np.ndim(r) == 1 else r[free][:, free]
    unit = _unit_columns(joint, q)
    if unit is not None:
        along = _Part(*([x[k] for k in free] if some else x for x in unit))
        force = along.signs * tau
        if r is None:
            return _Columns(along, q, I, p, force)
        return _Loaded(along, r if np.ndim(r) == 1 else r * np.outer(along.signs, along.signs), I, p, force)
    if some or joint.span is None or r is not None:
        S = joint.subspace(q)[:, free] if some else joint.subspace(q)
        return _Dense(S, np.zeros(S.shape[1]) if r is None else r, I, p, tau)
    force = joint.force_to_span(q, tau)
    return _Root(joint, q, I, p, force) if len(joint.span) == 6 else _Columns(joint, q, I, p, force)


def joint_dense(S, r, I, p, tau) -> Any:
    """A joint along any columns S (6, k), r (k,) or (k, k) added to D: as `joint_solve`."""
    return _Dense(S, r, I, p, tau)


def own_inertia(joint, extra=None):
    """The joint's armature and what is added to it, (nu,) or (nu, nu); None where there is neither."""
    if extra is None or not not_zero(extra):
        return joint.armature if has_armature(joint) else None
    if np.ndim(extra) == 2:
        if not not_zero([x for j, row in enumerate(extra) for k, x in enumerate(row) if j != k]):
            extra = np.array([extra[k, k] for k in range(len(extra))])
        elif has_armature(joint):
            return diagonal(joint.armature) + extra
    return joint.armature + extra if has_armature(joint) else extra


def _unit_columns(joint, q):
    """Rows and signs of the columns of S, where each is a unit column or its opposite for certain; else None."""
    if joint.axes is not None:
        return joint.axes, [1.0] * joint.nu
    if joint.span is not None:
        return None
    S = joint.subspace(q)
    if not all(isinstance(x, float) and x in (0.0, 1.0, -1.0) for x in S.ravel().tolist()):
        return None
    rows = [[k for k in range(6) if column[k]] for column in S.T]
    if any(len(found) != 1 for found in rows) or len({k for (k,) in rows}) < joint.nu:
        return None
    return [k for (k,) in rows], [S[k, j] for j, (k,) in enumerate(rows)]


class _Part:
    """Some columns of a joint that are unit columns but for a sign, as a joint of their own."""

    def __init__(self, span, signs):
        self.span, self.signs = tuple(span), np.array(signs)

    def from_span(self, q, s):
        """Velocities are those along the columns."""
        return self.signs * s
