"""Steps that the recursive algorithms share: link forces, added inertia, and the elimination of one joint.

Everything is in link coordinates: i is a node of the dynamics tree (`figure.dynamics_tree`: a joint, or one part of a
composite joint), λ its parent, X its pose in λ. Spatial vectors have the angular part first.

**Link forces**, outward (`link_forces`): f_i = I_i a_i + v_i ×* I_i v_i - f_ext, from accelerations of classical
mechanics, so that no linear velocity is needed. a_i is that of the link's origin; a point at r from it has a_i + B_i r.
With C, p the rotation and origin of X, spin (child axes) and slide (here in parent axes) the velocities of the joint:

    ω_i = Cᵀ ω_λ + spin,   ω_i' = Cᵀ ω_λ' + spin' + ω_i × spin                                 (1)
    B_i = ω_i'× + ω_i× ω_i×                                                                    (2)
    a_i = Cᵀ (a_λ + B_λ p + 2 ω_λ × slide + slide')                                            (3)
    f_i = required force of the body for (a_i, B_i) minus f_ext; 0 for a frame without body    (4)

**Added inertia** (`add_link_inertias`). Contact dampers and friction at the end of a time step h exert the force
f - h B J u' on a link, with B their slope and J u' the acceleration of the link due to u'. C = h B therefore acts as an
inertia on J u'. The recursion uses a = J u' + b, with b from gravity at a free root and minus the prescribed
accelerations:

    I a + p + C J u' = (I + C) a + p - C b                                                     (5)

**Elimination of a joint**, inward and outward (`eliminate_joint`), S the joint's motion subspace, r its own inertia:

    U = I S,   D = Sᵀ U + r,   left = τ - Sᵀ p                                                 (6)
    I_a = I - U D⁻¹ Uᵀ,   p_a = p + U D⁻¹ left          passed to the parent                   (7)
    u' = D⁻¹ (left - Uᵀ a'),   a = a' + S u'            a' = X⁻¹ a_λ                           (8)

If S consists of unit columns (times T), the rows of I_a on these axes vanish and are not computed. With U = [D; G] on
and off the axes, D = L d Lᵀ, W = G L⁻ᵀ, V = W d⁻¹, y = d⁻¹ L⁻¹ left, the three read

    I_a = I_off - V Wᵀ  off the axes, 0 on them                                                (9)
    p_a = p_off + W y  off the axes, τ on them                                                 (10)
    a = a'_off  off the axes, L⁻ᵀ (y - Vᵀ a'_off)  on them                                     (11)

With r these rows do not vanish. With B = Sᵀ I S, K = G D⁻¹, in a form without cancellation for large r:

    I_a = I_off - K Gᵀ  off the axes, B D⁻¹ r = r - r D⁻¹ r  on them, K r  between             (12)
    p_a = p_off + K left  off the axes, p_on + B D⁻¹ left = τ - r D⁻¹ left  on them            (13)
    a = a'_off  off the axes, D⁻¹ (left + r a'_on) - Kᵀ a'_off  on them                        (14)

Sources: (6)-(8) R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3; (1), (3), (4) S. M. Loizidou, PhD
thesis, University of North London, 1992, equations 6.1, 6.3, 9.12, 5.3.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.linear import cross, full, inverse_symmetric, ldl, matvec, transpose
from anthropi.algebra.spatial import ArticulatedInertia, acceleration_matrix, merge, remaining_axes
from anthropi.algorithms.forces import diagonal, external_force, joint_inertia, times, times_columns
from anthropi.algorithms.shapes import Array, ExternalForces, LinkInertias
from anthropi.figure import Figure, Joint

__all__ = ["EliminatedJoint", "LinkForces", "add_link_inertias", "eliminate_columns", "eliminate_joint", "link_forces"]


class LinkForces(NamedTuple):
    """For every node its pose X in its parent and the force f (6,) that its motion requires, in the node frame."""

    X: list[Any]
    f: list[Any]


def link_forces(figure: Figure, q: Array, u: Array, udot: Array, f_ext: ExternalForces, a_world: Array) -> LinkForces:
    """Compute the force that each link needs for a motion (the outward pass of Newton–Euler).

    q (nq,), u (nu,), udot (nu,). a_world (3,): acceleration of the world, -g to account for gravity.
    """
    none = np.zeros(3)
    X: list[Any] = []
    w: list[Any] = []  # angular velocity
    wdot: list[Any] = []
    B: list[Any] = []
    a: list[Any] = []  # acceleration of the origin
    f: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):
        joint, parent, q_i, u_i, udot_i = node.joint, node.parent, q[node.q], u[node.u], udot[node.u]
        X.append(node.pose(q))
        w_parent, wdot_parent, a_i = (none, none, a_world) if parent < 0 else (w[parent], wdot[parent], a[parent])
        w.append(X[i].undo_direction(w_parent))
        wdot.append(X[i].undo_direction(wdot_parent))
        if parent >= 0:
            a_i = a_i + matvec(B[parent], X[i].origin)
        if joint.nu:
            spin, slide = joint.spin(q_i, u_i), joint.slide(q_i, u_i)
            w[i] = w[i] + spin  # (1)
            wdot[i] = wdot[i] + joint.spin_rate(q_i, u_i, udot_i) + cross(w[i], spin)
            C = joint.placement.rotation  # slides are given in the joint frame
            a_i = a_i + 2.0 * cross(w_parent, matvec(C, slide)) + matvec(C, joint.slide_rate(q_i, u_i, udot_i))
        B.append(acceleration_matrix(w[i], wdot[i]))  # (2)
        a.append(X[i].undo_direction(a_i))  # (3)
        f.append(_link_force(node, a[i], B[i], f_ext))  # (4)
    return LinkForces(X, f)


def _link_force(node: Any, a: Array, B: Array, f_ext: ExternalForces) -> Array:
    """Return the force f (6,) that the motion of a node requires (4)."""
    if node.body is None:
        return np.zeros(6)
    f, given = node.body.required_force(a, B), external_force(f_ext, node.link)
    return f if given is None else f - node.force(given)


def add_link_inertias(
    figure: Figure,
    q: Array,
    X: list[Any],
    p: list[Any],
    added: LinkInertias,
    a_world: Array,
    given: Array | None = None,
) -> tuple[list[Any], list[Any]]:
    """Return the inertias and bias forces of all nodes, including the inertia that is added to links (5).

    X, p : poses and bias forces of the nodes. a_world (6,): acceleration b of the world. given (nu,): prescribed u'.
    """
    I, p, known = [node.inertia for node in figure.dynamics_tree], list(p), {-1: a_world}

    def bias(i: int) -> Array:
        """Return the acceleration b of node i that is not due to u' (5)."""
        if i not in known:
            node = figure.dynamics_tree[i]
            known[i] = X[i].undo_motion(bias(node.parent))
            if given is not None and node.joint.nu:
                known[i] = known[i] - node.joint.subspace(q[node.q]) @ given[node.u]
        return known[i]

    for i, node in enumerate(figure.dynamics_tree):
        if added and node.link is not None and node.link in added:
            C = added[node.link] if node.axes is None else added[node.link].rotated(transpose(node.axes))
            I[i], p[i] = I[i] + C, p[i] - C.act(bias(i))  # (5)
    return I, p


class EliminatedJoint(Protocol):
    """A joint whose free velocities are eliminated from the articulated body it carries.

    inertia, force : I_a and p_a (6,), passed to the parent (7).
    """

    inertia: Any
    force: Any

    def accelerate(self, a_in: Array) -> tuple[Array, Array]:
        """Return u' (k,) and the body's acceleration a (6,) for the parent's acceleration a' = a_in (6,) (8)."""
        ...

    def respond(self, f: Array) -> tuple[Array, Callable[[Array], tuple[Array, Array]]]:
        """Return the force that f (6,) on the body alone passes to the parent, and the `accelerate` function for f."""
        ...

    def mobility(self) -> Array:
        """Return S D⁻¹ Sᵀ (6, 6): the body's accelerations under unit forces, with its parent fixed."""
        ...


def eliminate_joint(
    joint: Joint, q: Array, I: Any, p: Array, tau: Array, extra: Array | None = None, free: list[int] | None = None
) -> EliminatedJoint:
    """Eliminate the free velocities of a joint, in the form that takes the fewest operations (6), (7).

    q (joint.nq,). I, p : articulated inertia and bias force (6,) of the body. tau (joint.nu,).
    extra : (nu,) or (nu, nu), inertia in addition to the armature. free : the free velocities, None for all.
    """
    if joint.nu == 0 or free == []:
        return _Rigid(I, p)
    r, some = joint_inertia(joint, extra), free is not None and len(free) < joint.nu
    if some:
        tau, r = tau[free], r if r is None else r[free] if np.ndim(r) == 1 else r[free][:, free]
    unit = _unit_columns(joint, q)
    if unit is not None:
        along = _SignedColumns(*([x[k] for k in free or ()] if some else x for x in unit))
        force = along.signs * tau
        if r is None:
            return _Columns(along, q, I, p, force)
        return _LoadedColumns(along, r if np.ndim(r) == 1 else r * np.outer(along.signs, along.signs), I, p, force)
    if some or joint.span is None or r is not None:
        S = joint.subspace(q)[:, free] if some else joint.subspace(q)
        return _Dense(S, np.zeros(S.shape[1]) if r is None else r, I, p, tau)
    force = joint.force_to_span(q, tau)
    return _Root(joint, q, I, p, force) if len(joint.span) == 6 else _Columns(joint, q, I, p, force)


def eliminate_columns(S: Array, r: Array, I: Any, p: Array, tau: Array) -> EliminatedJoint:
    """Eliminate velocities along any columns S (6, k), with r (k,) or (k, k) added to D (6), (7)."""
    return _Dense(S, r, I, p, tau)


class _Rigid:
    """A joint without free velocities: everything passes to the parent."""

    def __init__(self, I, p):
        self.inertia, self.force = I, p

    def accelerate(self, a_in):
        return np.zeros(0), a_in

    def respond(self, f):
        return f, self.accelerate

    def mobility(self):
        return np.zeros((6, 6))


class _Root:
    """A joint with all six velocities free: a = I⁻¹ (f - p), whatever the parent does."""

    def __init__(self, joint, q, I, p, force):
        self.joint, self.q = joint, q
        self.inertia = ArticulatedInertia(np.zeros(6), np.zeros((3, 3)), np.zeros(6))
        self.force = merge(joint.span, force, np.zeros(0))  # only the joint force acts on the parent
        self._factor = ldl(I.matrix())
        self._a = self._factor.solve(self.force - p)

    def accelerate(self, a_in):
        return self._accelerate(self._a, a_in)

    def respond(self, f):
        a = self._factor.solve(f)
        return np.zeros(6), lambda a_in: self._accelerate(a, a_in)

    def mobility(self):
        return full(self._factor.inverse())

    def _accelerate(self, a, a_in):
        own = (a - a_in)[..., list(self.joint.span)]
        return self.joint.from_span(self.q, own), a


class _Columns:
    """A joint along unit columns (times T): rows that become zero are never computed."""

    def __init__(self, joint, q, I, p, force):
        self.joint, self.q, self.axes = joint, q, joint.span
        self.off = list(remaining_axes(self.axes))
        self.D = D = ldl(I.block(self.axes))
        self.W = W = np.array([D.forward(row) for row in I.columns(self.axes)[self.off]])
        self.V = W * np.array(D.inverses)
        self.y = D.forward(force - p[list(self.axes)]) * np.array(D.inverses)  # (6)
        self.inertia = I.downdated_off_axes(self.axes, self.V, W)  # (9)
        self.force = merge(self.axes, force, p[self.off] + matvec(W, self.y))  # (10)

    def accelerate(self, a_in):
        return self._accelerate(self.y, a_in)

    def respond(self, f):
        y = self.D.forward(f[list(self.axes)]) * np.array(self.D.inverses)  # (6)
        passed = merge(self.axes, np.zeros(len(self.axes)), f[self.off] - matvec(self.W, y))
        return passed, partial(self._accelerate, y)

    def mobility(self):
        return _on_axes(self.axes, full(self.D.inverse()))

    def _accelerate(self, y, a_in):
        on = self.D.backward(y - matvec(transpose(self.V), a_in[self.off]))  # (11)
        own = on - a_in[list(self.axes)]
        return self.joint.from_span(self.q, own), merge(self.axes, on, a_in[self.off])


class _LoadedColumns:
    """A joint along unit columns, with its own inertia r (k,) or (k, k)."""

    def __init__(self, joint, r, I, p, tau):
        axes = joint.span
        self.joint, self.axes, self.off, self.r = joint, axes, list(remaining_axes(axes)), r
        self.B = B = I.block(axes)
        self.D = _inverse(B + diagonal(r))
        self.K = I.gain(axes, self.D)
        self.left = tau - p[list(axes)]  # (6)
        self._own = matvec(self.D, self.left)
        on, between = times_columns(B @ self.D, r), transpose(times_columns(self.K, r))
        self.inertia = I.eliminate(axes, self.D) + self._assembled(on, between)  # (12)
        self.force = merge(axes, p[list(axes)] + matvec(B, self._own), p[self.off] + matvec(self.K, self.left))  # (13)

    def _assembled(self, on, between):
        """Return the blocks on the axes, and between them and the others, as an inertia."""
        whole = [[0.0] * 6 for _ in range(6)]
        for columns, block in ((self.axes, on), (self.off, between)):
            for j, row in enumerate(self.axes):
                for k, column in enumerate(columns):
                    whole[row][column] = whole[column][row] = block[j, k]
        return ArticulatedInertia.from_matrix(np.array(whole))

    def accelerate(self, a_in):
        return self._accelerate(self._own, a_in)

    def respond(self, f):
        left = f[list(self.axes)]
        own = matvec(self.D, left)
        passed = merge(self.axes, left - matvec(self.B, own), f[self.off] - matvec(self.K, left))
        return passed, partial(self._accelerate, own)

    def mobility(self):
        return _on_axes(self.axes, self.D)

    def _accelerate(self, own, a_in):
        on = a_in[list(self.axes)]
        reached = own + matvec(self.D, times(self.r, on)) - matvec(transpose(self.K), a_in[self.off])  # (14)
        return self.joint.from_span(None, reached - on), merge(self.axes, reached, a_in[self.off])


class _Dense:
    """A joint with a motion subspace of any k columns, and with its own inertia r (k,) or (k, k).

    D is factored, not inverted. If columns are nearly dependent, as in some composite joints, (7) cancels, and an
    explicit inverse would lose further digits, in proportion to cond(D).
    """

    def __init__(self, S, r, I, p, tau):
        self.S = S
        self.U = U = I.act_columns(self.S)
        self.D = D = ldl(self.S.T @ U + diagonal(r))
        self.K = np.stack([D.solve(row) for row in U])
        left = tau - self.S.T @ p  # (6)
        self._own = D.solve(left)
        self.inertia = I.downdated(self.K, U)  # (7)
        self.force = p + U @ self._own

    def accelerate(self, a_in):
        return self._accelerate(self._own, a_in)

    def respond(self, f):
        own = self.D.solve(self.S.T @ f)
        return f - self.U @ own, partial(self._accelerate, own)

    def mobility(self):
        return self.S @ np.stack([self.D.solve(row) for row in self.S]).T

    def _accelerate(self, own, a_in):
        udot = own - self.K.T @ a_in  # (8)
        return udot, a_in + self.S @ udot


def _on_axes(axes, block):
    """Return the (6, 6) matrix with a block (k, k) on the axes, zeros elsewhere."""
    at = {axis: j for j, axis in enumerate(axes)}
    return np.array([[block[at[i], at[j]] if i in at and j in at else 0.0 for j in range(6)] for i in range(6)])


def _inverse(D):
    """Return D⁻¹ of a small symmetric matrix (k, k)."""
    if D.shape[-1] == 1:
        return np.array([[1.0 / D[0, 0]]])
    return inverse_symmetric(D)


def _unit_columns(joint, q):
    """Return the rows and signs of the columns of S if all are constant unit columns up to their sign, else None."""
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


class _SignedColumns:
    """Columns of a joint's motion subspace that are unit vectors or their negatives, with the interface of a joint."""

    def __init__(self, span, signs):
        self.span, self.signs = tuple(span), np.array(signs)

    def from_span(self, q, s):
        return self.signs * s
