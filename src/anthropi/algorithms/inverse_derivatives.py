"""Derivatives of inverse dynamics with respect to q, u and u', by a recursion.

When joint j moves by θ, everything beyond it moves along. In frames that move along, the velocity of every link beyond
changes by Ψ' θ and its acceleration by Ψ'' θ - v × Ψ' θ, with the same Ψ for all of them. The algorithm therefore needs
only sums over the links beyond a joint (algebra/spatial/rigid.py):

    outward  v_i, a_i  of the links, a_world = -g                                                        (1)
             Ψ'_i = v_λ × S + E,   Ψ''_i = a_λ × S + G + v_λ × (E + Ψ'_i),   Υ_i = V + 2 v_λ × S         (2)
    inward   I_i, B_i, f_i: inertia, Coriolis matrix and force of link i and all beyond                  (3)
             ∂f_i/∂q_i = B Ψ' + I Ψ'',   ∂f_i/∂u_i = B S + I Υ,   ∂f_i/∂u'_i = I S                       (4)
             for every joint j from i to the root, with these columns transformed to its frame:
             ∂τ_j/∂q_i = S_jᵀ (∂f_i/∂q_i + S_i ×* f_i),   ∂τ_j/∂u_i = S_jᵀ ∂f_i/∂u_i,
             ∂τ_j/∂u'_i = S_jᵀ I S_i                                                                     (5)
             ∂τ_i/∂q_j = (Bᵀ S_i)ᵀ Ψ'_j + (I S_i)ᵀ Ψ''_j,   ∂τ_i/∂u_j = (Bᵀ S_i)ᵀ S_j + (I S_i)ᵀ Υ_j     (6)

E, G, H and V describe how a joint changes with its own coordinates and velocities, along the tangent θ (dq = F(q) θ):

    E = ∂(S u)/∂θ,   G = ∂(S u' + c)/∂θ + S u × E,   H = ∂(Sᵀ f)/∂θ,   V = ∂c/∂u + S u × S               (7)

with c = S' u, in the child's frame. E, G and H are zero for a joint whose S is constant. A free joint has them in
closed form; for other joints they come from a forward sweep over the joint's own functions.

Source: S. Singh, R. P. Russell, P. M. Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial
vector algebra", IEEE Robotics and Automation Letters 7 (2022) 1776-1783; extended here to any joint.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import cross_force, cross_motion
from anthropi.algebra.spatial.rigid import BodyCoriolis, SummedInertia
from anthropi.algorithms.forces import (
    external_force,
    gravity_acceleration,
    has_armature,
    has_damper,
    has_spring,
    require_tree,
)
from anthropi.algorithms.shapes import Array, ExternalForces, algorithm
from anthropi.figure import Figure, Joint
from anthropi.tape import record
from anthropi.tape.forward_sweep import push

__all__ = [
    "CarriedLinks",
    "InverseDerivatives",
    "JointDerivatives",
    "carried_links",
    "derivative_rows",
    "inverse_derivatives",
    "joint_derivatives",
]


class InverseDerivatives(NamedTuple):
    """Derivatives of the joint forces τ, each (nu, nu), with one row per force.

    q : ∂τ/∂q in the tangent space. u : ∂τ/∂u. udot : ∂τ/∂u' = M.
    """

    q: Array
    u: Array
    udot: Array


class JointDerivatives(NamedTuple):
    """Derivatives E, G, H, V of one joint with respect to its coordinates and velocities (7).

    E, G, V : (nu, 6), one row per degree of freedom. H : (nu, nu), rows are forces, columns are coordinates.
    """

    E: Array
    G: Array
    H: Array
    V: Array


class CarriedLinks(NamedTuple):
    """For every link, in its frame: pose X in its parent, S as rows, and of it and all beyond I, B and f (3).

    change : Ψ', Ψ'', Υ (nu, 6) and Hᵀ (nu, nu) of its joint (2); None for a joint without degrees of freedom.
    """

    X: list[Any]
    S: list[Any]
    I: list[Any]
    B: list[Any]
    f: list[Any]
    change: list[Any]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6")
def inverse_derivatives(
    figure: Figure, q: Array, u: Array, udot: Array, f_ext: ExternalForces = None
) -> InverseDerivatives:
    """Compute the derivatives of `inverse_dynamics` with respect to its arguments q, u and udot."""
    require_tree(figure, "inverse_derivatives")
    return InverseDerivatives(*(np.array(rows) for rows in derivative_rows(figure, q, u, udot, f_ext)))


def derivative_rows(
    figure: Figure, q: Array, u: Array, udot: Array, f_ext: ExternalForces = None, across: list[Any] | None = None
) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
    """Return ∂τ/∂q, ∂τ/∂u, ∂τ/∂u' as lists of rows; entries of joints on different branches are the float 0.0.

    across : the forces f_i (6,) across the joints, in link frames, if they are known.
    """
    X, S, I, B, f, change = carried_links(figure, q, u, udot, f_ext, across)
    dq, du, M = ([[0.0] * figure.nu for _ in range(figure.nu)] for _ in range(3))
    for i, joint in enumerate(figure.joints):
        if not joint.nu:
            continue
        psi, psi2, upsilon, own = change[i]
        IS, BS = I[i].act(S[i]), B[i].act_transposed(S[i])
        along_q = B[i].act(psi) + I[i].act(psi2)  # (4)
        along_u = B[i].act(S[i]) + I[i].act(upsilon)
        _fill(dq, figure, i, i, along_q @ S[i].T + own)
        _fill(du, figure, i, i, along_u @ S[i].T)
        _fill(M, figure, i, i, _symmetric(S[i], IS))
        along_q = along_q + cross_force(S[i], f[i])
        j = i
        while figure.parent[j] >= 0:
            along_q, along_u, IS = (X[j].act_force(rows) for rows in (along_q, along_u, IS))
            BS = matvec(X[j].rotation, BS)
            j = figure.parent[j]
            if figure.joints[j].nu:
                psi, psi2, upsilon, _ = change[j]
                _fill(dq, figure, i, j, along_q @ S[j].T)  # (5)
                _fill(du, figure, i, j, along_u @ S[j].T)
                _fill(M, figure, i, j, IS @ S[j].T)
                _fill(M, figure, j, i, S[j] @ IS.T)
                _fill(dq, figure, j, i, psi[:, :3] @ BS.T + psi2 @ IS.T)  # (6)
                _fill(du, figure, j, i, S[j][:, :3] @ BS.T + upsilon @ IS.T)
    _add_passive(figure, q, dq, du, M)
    return dq, du, M


def carried_links(
    figure: Figure, q: Array, u: Array, udot: Array, f_ext: ExternalForces = None, across: list[Any] | None = None
) -> CarriedLinks:
    """Compute what the derivatives need of each joint and of the links beyond it (1)-(3); arguments as above."""
    u = _without_root_velocity(figure, u)
    X, S, v, a = _motion(figure, q, u, udot)
    I = [SummedInertia.of(link.inertia) for link in figure.links]
    B = [BodyCoriolis.of(link.inertia, v[i]) for i, link in enumerate(figure.links)]
    for i, parent, _ in figure.inward():  # (3)
        if parent >= 0:
            I[parent] = I[parent] + X[i].act_inertia(I[i])
            B[parent] = B[parent] + X[i].act_inertia(B[i])
    f = _forces(figure, X, v, a, f_ext) if across is None else across
    return CarriedLinks(X, S, I, B, f, _changes(figure, q, u, udot, X, S, v, a, f))


def _without_root_velocity(figure, u):
    """Return u with the linear velocities of free roots set to 0; uniform translation of a tree changes no force."""
    parts = [np.zeros(0)]
    for i, parent, joint in figure.outward():
        own = u[figure.u_of[i]]
        parts.append(np.concatenate([np.zeros(3), own[3:]]) if parent < 0 and joint.kind == "free" else own)
    return np.concatenate(parts)


def _motion(figure, q, u, udot):
    """Return poses, S as rows, velocities and accelerations of the links (1)."""
    X: list[Any] = []
    S: list[Any] = []
    v: list[Any] = []
    a: list[Any] = []
    for i, parent, joint in figure.outward():
        at, of = q[figure.q_of[i]], figure.u_of[i]
        X.append(figure.pose(i, q))
        S.append(transpose(joint.subspace(at)) if joint.nu else np.zeros((0, 6)))
        own = S[i].T @ u[of] if joint.nu else np.zeros(6)
        v.append(own if parent < 0 else X[i].undo_motion(v[parent]) + own)
        a.append(X[i].undo_motion(gravity_acceleration(figure) if parent < 0 else a[parent]))
        if joint.nu:
            a[i] = a[i] + S[i].T @ udot[of] + joint.bias(at, u[of]) + cross_motion(v[i], own)
    return X, S, v, a


def _forces(figure, X, v, a, f_ext):
    """Return the force across each joint: the sum of I a + v ×* I v - f_ext over the links beyond (3)."""
    f: list[Any] = []
    for i, link in enumerate(figure.links):
        given = external_force(f_ext, i)
        own = link.inertia.act(a[i]) + link.inertia.bias_force(v[i])
        f.append(own if given is None else own - given)
    for i, parent, _ in figure.inward():
        if parent >= 0:
            f[parent] = f[parent] + X[i].act_force(f[i])
    return f


def _changes(figure, q, u, udot, X, S, v, a, f) -> list[Any]:
    """Return Ψ', Ψ'', Υ (nu, 6) and Hᵀ (nu, nu) of every joint (2); None for a joint without dofs."""
    found: list[Any] = []
    for i, parent, joint in figure.outward():
        if not joint.nu:
            found.append(None)
            continue
        at, of = q[figure.q_of[i]], figure.u_of[i]
        C = transpose(joint.placement.rotation) @ X[i].rotation
        E, G, H, V = joint_derivatives(joint, C, at, u[of], udot[of], f[i])
        before = np.zeros(6) if parent < 0 else X[i].undo_motion(v[parent])
        drive = X[i].undo_motion(gravity_acceleration(figure) if parent < 0 else a[parent])
        swept = cross_motion(before, S[i])
        psi = swept + E
        psi2 = cross_motion(drive, S[i]) + G + cross_motion(before, E + psi)
        found.append((psi, psi2, V + 2.0 * swept, transpose(H)))  # (2)
    return found


def _fill(rows, figure, i: int, j: int, block) -> None:
    """Store the derivatives of the forces of joint j (columns of the block) with respect to joint i (its rows)."""
    first, start = figure.u_of[j].start, figure.u_of[i].start
    for k in range(block.shape[0]):
        for m in range(block.shape[1]):
            rows[first + m][start + k] = block[k, m]


def _symmetric(S, IS):
    """Return S I Sᵀ (n, n), with each entry computed once."""
    n = len(S)
    above = {(j, k): S[j] @ IS[k] for j in range(n) for k in range(j, n)}
    return np.array([[above[min(j, k), max(j, k)] for k in range(n)] for j in range(n)])


def _add_passive(figure, q, dq, du, M) -> None:
    """Add the derivatives of springs, dampers and rotors in the joints."""
    for i, joint in enumerate(figure.joints):
        start = figure.u_of[i].start
        if has_spring(joint):  # force k (q ⊟ rest); `lift` is the derivative of the difference
            away = joint.difference(joint.integrate(joint.neutral(), joint.rest), q[figure.q_of[i]])
            columns = [joint.stiffness * joint.lift(away, e) for e in np.eye(joint.nu)]
            for k, column in enumerate(columns):
                for m in range(joint.nu):
                    dq[start + m][start + k] = dq[start + m][start + k] + column[m]
        for k in range(joint.nu):
            if has_damper(joint):
                du[start + k][start + k] = du[start + k][start + k] + joint.damping[k]
            if has_armature(joint):
                M[start + k][start + k] = M[start + k][start + k] + joint.armature[k]


def joint_derivatives(joint: Joint, C: Array, q: Array, u: Array, udot: Array, f: Array) -> JointDerivatives:
    """Return the derivatives of a joint's velocity, acceleration and force in its coordinates and velocities (7).

    C (3, 3): the child's attitude in the joint frame. q (joint.nq,), u, udot (joint.nu,). f (6,): the force across the
    joint, in the child's frame.
    """
    S = transpose(joint.subspace(q))
    if joint.kind == "free":
        return _of_free_joint(C, u, udot, f)
    if joint.axes is not None:
        none, whirl = np.zeros((joint.nu, 6)), cross_motion(S.T @ u, S)
        return JointDerivatives(none, none, np.zeros((joint.nu, joint.nu)), whirl)
    return _by_forward_sweep(joint, q, u, udot, f, S)


def _of_free_joint(C, u, udot, f) -> JointDerivatives:
    """Return the derivatives (7) of a free joint in closed form.

    S u = [ω; Cᵀ v], S u' + c = [ω'; Cᵀ v' - ω × Cᵀ v], Sᵀ f = [C f; m]: only the attitude matters, Cᵀ → Cᵀ - θ× Cᵀ.
    """
    one, none = np.eye(3), np.zeros((3, 3))
    v, vdot, w = matvec(transpose(C), u[:3]), matvec(transpose(C), udot[:3]), u[3:]
    E = np.concatenate([np.zeros((3, 6)), np.concatenate([none, np.cross(v, one)], 1)])
    G = np.concatenate([np.zeros((3, 6)), np.concatenate([none, np.cross(vdot, one)], 1)])
    turned = C @ transpose(np.cross(one, f[3:]))
    H = np.concatenate([np.concatenate([none, turned], 1), np.zeros((3, 6))])
    whirl = np.concatenate([np.cross(w, one), 2.0 * np.cross(v, one)], 1)
    return JointDerivatives(E, G, H, np.concatenate([np.zeros((3, 6)), whirl]))


def _by_forward_sweep(joint, q, u, udot, f, S) -> JointDerivatives:
    """Return the derivatives (7) of any joint, by a forward sweep over its own functions."""
    n, nq = joint.nu, joint.nq

    def own(q, u, udot, f):
        S = joint.subspace(q)
        return S @ u, S @ udot + joint.bias(q, u), S.T @ f

    tape = record(own, q=np.zeros(nq), u=np.zeros(n), udot=np.zeros(n), f=np.zeros(6))
    along = np.stack([joint.rate(q, e) for e in np.eye(n)])  # (n, nq): the columns of F
    zero, one = (0.0,) * n, np.eye(n)
    tangents = [tuple(along[:, k]) + zero for k in range(nq)] + [zero + tuple(one[k]) for k in range(n)]
    _, slopes = push(tape, [*q, *u, *udot, *f], tangents + [zero + zero] * (n + 6))
    table = np.array([list(slope) for slope in slopes]).T  # (2 n directions, 6 + 6 + n outputs)
    E, relative = table[:n, :6], S.T @ u
    G = table[:n, 6:12] + cross_motion(relative, E)
    return JointDerivatives(E, G, transpose(table[:n, 12:]), table[n:, 6:12] + cross_motion(relative, S))
