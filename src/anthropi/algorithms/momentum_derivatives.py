"""Derivatives of the rate of momentum with respect to q, u and u', in world components.

The rate of momentum is the force that the motion of all links requires without gravity. inverse_derivatives.py has its
derivatives for the links that joint i carries, in the frame of link i; the other links do not depend on joint i:

    ∂f_i/∂q_i = B Ψ' + I Ψ'' + S ×* f_i,   ∂f_i/∂u_i = B S + I Υ,   ∂f_i/∂u'_i = I S           (1)
    in the world, with C, p the pose of link i and o the reference point:
    [n; l] → [C n + (p - o) × C l; C l]                                                        (2)
    o = c, the centre of mass, moves with q_i by C (I S)_linear / m_total, which subtracts
    ∂c/∂q_i × p'   from the angular part of ∂/∂q_i                                             (3)

∂/∂u' is the centroidal momentum matrix. The velocity of a free root has no effect, because uniform translation changes
no rate. Known elsewhere as `computeCentroidalDynamicsDerivatives` (Pinocchio).
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, matvec
from anthropi.algebra.spatial import cross_force
from anthropi.algorithms.inverse_derivatives import carried_links
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import centre_of, check_about
from anthropi.algorithms.shapes import Array, algorithm
from anthropi.figure import Figure

__all__ = ["MomentumDerivatives", "momentum_derivatives"]


class MomentumDerivatives(NamedTuple):
    """Derivatives of the rate of momentum, each (6, nu): angular rows [N m], then linear rows [N].

    q : with respect to q in the tangent space. u, udot : with respect to u and u'.
    """

    q: Array
    u: Array
    udot: Array


@algorithm(q="nq", u="nu", udot="nu")
def momentum_derivatives(
    figure: Figure, q: Array, u: Array, udot: Array, *, about: str = "centre"
) -> MomentumDerivatives:
    """Compute the derivatives of `momentum_rate` with respect to its arguments q, u and udot (1)-(3).

    about : reference point, "centre" (of mass) or "origin" (of the world).
    """
    check_about(about)
    k = kinematics(figure, q)
    base = centre_of(figure, k) if about == "centre" else np.zeros(3)
    still = figure.changed(gravity=np.zeros(3), checked=False)
    _, S, I, B, f, change = carried_links(still, q, u, udot)
    whole = np.zeros(3)  # p'
    for i, parent in enumerate(figure.parent):
        if parent < 0:
            whole = whole + matvec(k.rotation[i], f[i][3:])
    found: tuple[list[Any], ...] = ([np.zeros((0, 6))], [np.zeros((0, 6))], [np.zeros((0, 6))])
    for i, joint in enumerate(figure.joints):
        if not joint.nu:
            continue
        psi, psi2, upsilon, _ = change[i]
        along_q = B[i].act(psi) + I[i].act(psi2) + cross_force(S[i], f[i])  # (1)
        along_u, along_udot = B[i].act(S[i]) + I[i].act(upsilon), I[i].act(S[i])
        C, arm = k.rotation[i], k.position[i] - base
        rows = [_in_world(C, arm, part) for part in (along_q, along_u, along_udot)]  # (2)
        if about == "centre":
            shift = rows[2][:, 3:] / figure.mass
            rows[0] = np.concatenate([rows[0][:, :3] - cross(shift, whole), rows[0][:, 3:]], axis=1)  # (3)
        for part, row in zip(found, rows, strict=True):
            part.append(row)
    return MomentumDerivatives(*(np.concatenate(part).T for part in found))


def _in_world(C: Array, arm: Array, f: Array) -> Array:
    """Return forces f (k, 6) on a link in world components, about the point that is at -arm from its origin (2)."""
    line = matvec(C, f[:, 3:])
    return np.concatenate([matvec(C, f[:, :3]) + cross(arm, line), line], axis=1)
