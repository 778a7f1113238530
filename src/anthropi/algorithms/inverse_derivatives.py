"""How do the joint forces of a motion change with the motion? Inverse dynamics, differentiated by hand.

When joint j turns by θ, everything beyond it is carried along; seen from there, the velocity of every link beyond
changes by Ψ' θ and its acceleration by Ψ'' θ - v × Ψ' θ, with the same Ψ for all of them. So sums over the links beyond
(`composite.py`) are all that is needed:

    outward  v_i, a_i  as in direct_dynamics, a_world = -g                                           (1)
             Ψ'_i = v_λ × S + E,   Ψ''_i = a_λ × S + G + v_λ × (E + Ψ'_i),   Υ_i = V + 2 v_λ × S        (2)
    inward   I_i, B_i, f_i: inertia, drag and force of all links beyond and of this one                 (3)
             ∂f_i/∂q_i = B Ψ' + I Ψ'',   ∂f_i/∂u_i = B S + I Υ,   ∂f_i/∂u'_i = I S                        (4)
             for every joint j from i to the root, with these columns carried along in its frame:
             ∂τ_j/∂q_i = S_jᵀ (∂f_i/∂q_i + S_i ×* f_i),  ∂τ_j/∂u_i = S_jᵀ ∂f_i/∂u_i,  ∂τ_j/∂u'_i = S_jᵀ I S_i  (5)
             ∂τ_i/∂q_j = (Bᵀ S_i)ᵀ Ψ'_j + (I S_i)ᵀ Ψ''_j,  ∂τ_i/∂u_j = (Bᵀ S_i)ᵀ S_j + (I S_i)ᵀ Υ_j              (6)

E, G (joint_change.py) are zero but for joints whose S varies. After Singh, Russell and Wensing, IEEE RA-L 7 (2022)
1776, for any joint. Derivatives with respect to q are in the tangent: along dq = F(q) θ.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import cross_force, cross_motion
from anthropi.algebra.spatial.composite import Drag, SummedInertia
from anthropi.algorithms.forces import has_armature, has_damper, has_spring, lifted, no_loops, outer, steady
from anthropi.algorithms.joint_change import joint_change
from anthropi.algorithms.shapes import algorithm

__all__ = ["InverseDerivatives", "inverse_derivatives"]


class InverseDerivatives(NamedTuple):
    """∂τ/∂q (in the tangent), ∂τ/∂u, ∂τ/∂u' = M; each (nu, nu), rows are forces."""

    q: Any
    u: Any
    udot: Any


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6")
def inverse_derivatives(figure, q, u, udot, f_ext=None) -> InverseDerivatives:
    """How do the joint forces change with the motion? Arguments as in `inverse_dynamics`."""
    no_loops(figure, "inverse_derivatives")
    return InverseDerivatives(*(np.array(rows) for rows in derivative_rows(figure, q, u, udot, f_ext)))


def derivative_rows(figure, q, u, udot, f_ext=None):
    """The three matrices as lists of rows; entries of joints on different branches are 0.0."""
    u = steady(figure, u)
    X, S, v, a = _motion(figure, q, u, udot)
    I = [SummedInertia.of(link.inertia) for link in figure.links]
    B = [Drag.of(link.inertia, v[i]) for i, link in enumerate(figure.links)]
    f = [_force(figure.links[i].inertia, v[i], a[i], outer(f_ext, i)) for i in range(figure.n)]
    for i, parent, _ in figure.inward():  # (3)
        if parent >= 0:
            I[parent] = I[parent] + X[i].act_inertia(I[i])
            B[parent] = B[parent] + X[i].act_inertia(B[i])
            f[parent] = f[parent] + X[i].act_force(f[i])
    change = _changes(figure, q, u, udot, X, S, v, a, f)
    dq, du, M = ([[0.0] * figure.nu for _ in range(figure.nu)] for _ in range(3))
    for i, joint in enumerate(figure.joints):
        if not joint.nu:
            continue
        psi, psi2, upsilon, own = change[i]
        IS, BS = I[i].act(S[i]), B[i].act_transposed(S[i])
        along_q = B[i].act(psi) + I[i].act(psi2)  # (4)
        along_u = B[i].act(S[i]) + I[i].act(upsilon)
        _add(dq, figure, i, i, along_q @ S[i].T + own)
        _add(du, figure, i, i, along_u @ S[i].T)
        _add(M, figure, i, i, _symmetric(S[i], IS))
        along_q = along_q + cross_force(S[i], f[i])
        j = i
        while figure.parent[j] >= 0:
            along_q, along_u, IS = (X[j].act_force(rows) for rows in (along_q, along_u, IS))
            BS = matvec(X[j].rotation, BS)
            j = figure.parent[j]
            if figure.joints[j].nu:
                psi, psi2, upsilon, _ = change[j]
                _add(dq, figure, i, j, along_q @ S[j].T)  # (5): what row j of τ gets from coordinate i
                _add(du, figure, i, j, along_u @ S[j].T)
                _add(M, figure, i, j, IS @ S[j].T)
                _add(M, figure, j, i, S[j] @ IS.T)
                _add(dq, figure, j, i, psi[:, :3] @ BS.T + psi2 @ IS.T)  # (6)
                _add(du, figure, j, i, S[j][:, :3] @ BS.T + upsilon @ IS.T)
    _own_forces(figure, q, dq, du, M)
    return dq, du, M


def _motion(figure, q, u, udot):
    """(1): poses, S as rows, velocities and accelerations."""
    X: list = []
    S: list = []
    v: list = []
    a: list = []
    for i, parent, joint in figure.outward():
        at, of = q[figure.q_of[i]], figure.u_of[i]
        X.append(figure.pose(i, q))
        S.append(transpose(joint.subspace(at)) if joint.nu else np.zeros((0, 6)))
        own = S[i].T @ u[of] if joint.nu else np.zeros(6)
        v.append(own if parent < 0 else X[i].undo_motion(v[parent]) + own)
        a.append(X[i].undo_motion(lifted(figure) if parent < 0 else a[parent]))
        if joint.nu:
            a[i] = a[i] + S[i].T @ udot[of] + joint.bias(at, u[of]) + cross_motion(v[i], own)
    return X, S, v, a


def _force(body, v, a, given):
    """I a + v ×* I v - f_ext"""
    f = body.act(a) + body.bias_force(v)
    return f if given is None else f - given


def _changes(figure, q, u, udot, X, S, v, a, f) -> list:
    """Ψ', Ψ'', Υ (nu, 6) and H (nu, nu) of every joint (2); None where there is no freedom."""
    found: list = []
    for i, parent, joint in figure.outward():
        if not joint.nu:
            found.append(None)
            continue
        at, of = q[figure.q_of[i]], figure.u_of[i]
        C = transpose(joint.placement.rotation) @ X[i].rotation
        E, G, H, V = joint_change(joint, C, at, u[of], udot[of], f[i])
        before = np.zeros(6) if parent < 0 else X[i].undo_motion(v[parent])
        drive = X[i].undo_motion(lifted(figure) if parent < 0 else a[parent])
        swept = cross_motion(before, S[i])
        psi = swept + E
        psi2 = cross_motion(drive, S[i]) + G + cross_motion(before, E + psi)
        found.append((psi, psi2, V + 2.0 * swept, transpose(H)))  # (2)
    return found


def _add(rows, figure, i: int, j: int, block) -> None:
    """Fill what the forces of joint j (columns of the block) get from the coordinates of joint i (its rows)."""
    first, start = figure.u_of[j].start, figure.u_of[i].start
    for k in range(block.shape[0]):
        for m in range(block.shape[1]):
            rows[first + m][start + k] = block[k, m]


def _symmetric(S, IS):
    """S I Sᵀ (n, n), with each entry computed once."""
    n = len(S)
    above = {(j, k): S[j] @ IS[k] for j in range(n) for k in range(j, n)}
    return np.array([[above[min(j, k), max(j, k)] for k in range(n)] for j in range(n)])


def _own_forces(figure, q, dq, du, M) -> None:
    """Add what springs, dampers and rotors in the joints do."""
    for i, joint in enumerate(figure.joints):
        start = figure.u_of[i].start
        if has_spring(joint):  # k (q ⊟ rest), whose difference changes as `lift` says
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
