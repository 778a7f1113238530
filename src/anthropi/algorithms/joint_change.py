"""How does what a joint does change with its own coordinates?

A joint turns and slides its link by S(q) u. Most have the same S everywhere; for the others, along the tangent θ of the
coordinates (dq = F(q) θ),

    E = ∂(S u)/∂θ,   G = ∂(S u' + c)/∂θ + S u × E,   H = ∂(Sᵀ f)/∂θ,   V = ∂c/∂u + S u × S             (1)

with c = S' u, in the child's frame. A free joint has them in closed form; the rest come from the joint's own functions
by a forward sweep, which finds nothing where S is constant.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import cross_motion
from anthropi.tape import record
from anthropi.tape.push import push

__all__ = ["JointChange", "joint_change"]


class JointChange(NamedTuple):
    """E, G, V (nu, 6): one row a degree of freedom. H (nu, nu): rows are forces, columns coordinates (1)."""

    E: Any
    G: Any
    H: Any
    V: Any


def joint_change(joint, C, q, u, udot, f) -> JointChange:
    """How do velocity, acceleration and force of a joint change with its coordinates and velocities (1)?

    C : the child's attitude in the joint frame. f (6,): the force across the joint, in the child's frame.
    """
    S = transpose(joint.subspace(q))
    if joint.kind == "free":
        return _free(C, u, udot, f, S)
    if joint.axes is not None:
        none, whirl = np.zeros((joint.nu, 6)), cross_motion(S.T @ u, S)
        return JointChange(none, none, np.zeros((joint.nu, joint.nu)), whirl)
    return _swept(joint, q, u, udot, f, S)


def _free(C, u, udot, f, S) -> JointChange:
    """S u = [ω; Cᵀ v], S u' + c = [ω'; Cᵀ v' - ω × Cᵀ v], Sᵀ f = [C f; m]: attitude alone matters, Cᵀ → Cᵀ - θ× Cᵀ."""
    one, none = np.eye(3), np.zeros((3, 3))
    slow, push_, w = matvec(transpose(C), u[:3]), matvec(transpose(C), udot[:3]), u[3:]
    E = np.concatenate([np.zeros((3, 6)), np.concatenate([none, np.cross(slow, one)], 1)])
    G = np.concatenate([np.zeros((3, 6)), np.concatenate([none, np.cross(push_, one)], 1)])
    turned = C @ transpose(np.cross(one, f[3:]))
    H = np.concatenate([np.concatenate([none, turned], 1), np.zeros((3, 6))])
    whirl = np.concatenate([np.cross(w, one), 2.0 * np.cross(slow, one)], 1)
    return JointChange(E, G, H, np.concatenate([np.zeros((3, 6)), whirl]))


def _swept(joint, q, u, udot, f, S) -> JointChange:
    """By a forward sweep over the joint's own functions."""
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
    return JointChange(E, G, transpose(table[:n, 12:]), table[n:, 6:12] + cross_motion(relative, S))
