"""Derivatives of direct dynamics with respect to q, u and τ.

Direct dynamics is the inverse of inverse dynamics, τ = ID(q, u, u'). For any change of q, u or τ, therefore,

    ∂u'/∂τ = M⁻¹,   ∂u'/∂q = -M⁻¹ ∂ID/∂q,   ∂u'/∂u = -M⁻¹ ∂ID/∂u                               (1)

at the u' that the forces give. A column R_j of ∂ID has entries only for degrees of freedom above j and beyond j ("near"
j), and M⁻¹ = Y D⁻¹ Yᵀ (cholesky.py) keeps that until its last factor. The columns of a limb take the same operations:
they are passes of a `repeat`, which run in parallel where a single figure leaves SIMD lanes free.

    W_j = -D⁻¹ Yᵀ R_j,   near j only                                                           (2)
    (Y W_j)_i = W_ij + Σ Y_im W_mj  over m above i and near j                                  (3)

The forces f_i across the joints, which ∂ID needs too, follow from the articulated bodies (direct_dynamics.py (7)): with
U and D known, they take fewer operations than the sum over all links beyond.

A free root without springs, dampers or rotors may be rotated with everything it carries. In the root's own axes, only
the force τ_W, which is given in the world, then rotates in the opposite direction; of the accelerations, only v_W'
rotates along. With C the attitude of the root,

    ∂u'/∂θ = M⁻¹[:, v_W] τ_W× C,   and for v_W' also  - (v_W' - g)× C                          (4)

Source of (1): J. Carpentier, N. Mansard, "Analytical derivatives of rigid body dynamics algorithms", Robotics: Science
and Systems, 2018.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import transpose
from anthropi.algebra.spatial import skew
from anthropi.algorithms.cholesky import InverseFactor, inverse_factor, inverse_from, limbs, multiply
from anthropi.algorithms.direct_dynamics import accelerations, articulated_bodies, forces_across
from anthropi.algorithms.forces import has_armature, has_damper, has_spring, not_zero, require_tree
from anthropi.algorithms.inverse_derivatives import derivative_rows
from anthropi.algorithms.shapes import Array, ExternalForces, algorithm
from anthropi.figure import Figure, Joint
from anthropi.tape import repeat

__all__ = ["DirectDerivatives", "direct_derivatives"]


class DirectDerivatives(NamedTuple):
    """Derivatives of the joint accelerations u', each (nu, nu), with one row per acceleration.

    q : ∂u'/∂q in the tangent space. u : ∂u'/∂u. tau : ∂u'/∂τ = M⁻¹.
    """

    q: Array
    u: Array
    tau: Array


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6")
def direct_derivatives(
    figure: Figure, q: Array, u: Array, tau: Array, f_ext: ExternalForces = None
) -> DirectDerivatives:
    """Compute the derivatives of `direct_dynamics` with respect to its arguments q, u and tau."""
    require_tree(figure, "direct_derivatives")
    bodies = articulated_bodies(figure, q, u, tau, f_ext)
    udot, a_in = accelerations(figure, bodies)
    dq, du, M = derivative_rows(figure, q, u, udot, across=forces_across(figure, bodies, a_in))
    turned = [i for i, joint in enumerate(figure.joints) if _loose(figure, i, joint)]
    for i in turned:  # computed below with fewer operations
        for row in dq:
            row[figure.u_of[i]] = [0.0] * 6
    factor = inverse_factor(figure, M)
    inverse = inverse_from(factor)
    along_q, along_u = _solved(factor, [dq, du])
    for i in turned:
        along_q = _turned(figure, i, q, tau, udot, inverse, along_q)
    return DirectDerivatives(along_q, along_u, inverse)


def _loose(figure: Figure, i: int, joint: Joint) -> bool:
    """Return whether a joint is a free root without springs, dampers or rotors."""
    held = has_spring(joint) or has_damper(joint) or has_armature(joint)
    return figure.parent[i] < 0 and joint.kind == "free" and not held


def _turned(figure: Figure, i: int, q: Array, tau: Array, udot: Array, inverse: Array, along_q: Array) -> Array:
    """Replace the columns of ∂u'/∂q for the rotation of a free root by their closed form (4)."""
    first = figure.u_of[i].start
    frame, C = figure.joints[i].placement.rotation, figure.joints[i].transform(q[figure.q_of[i]]).rotation
    columns = inverse[:, first : first + 3] @ (skew(tau[first : first + 3]) @ C)
    along = skew(udot[first : first + 3] - transpose(frame) @ figure.gravity) @ C
    rows = [columns[k] - along[k - first] if first <= k < first + 3 else columns[k] for k in range(figure.nu)]
    return np.concatenate([along_q[:, : first + 3], np.stack(rows), along_q[:, first + 6 :]], axis=1)


def _solved(factor: InverseFactor, matrices: list[list[list[Any]]]) -> list[Array]:
    """Return -M⁻¹ R (nu, nu) for each of several matrices R, all as sparse as M."""
    n, minus = len(factor.Y), [-x for x in factor.reciprocal]
    results: list[list[list[Any]]] = [[[0.0] * n for _ in range(n)] for _ in matrices]
    for limb in limbs(factor.above):
        near = [*factor.above[limb[0]], *(k for k in range(n) if limb[0] in (*factor.above[k], k))]
        moving = [(r, j) for r, R in enumerate(matrices) for j in limb if any(not_zero(R[i][j]) for i in near)]
        if not moving:
            continue
        rows = np.array([[matrices[r][i][j] for i in near] for r, j in moving])
        one = partial(_column, factor, minus, near)
        _, columns = repeat(one, np.zeros(n), len(moving), rows=rows, every=1)
        for (r, j), column in zip(moving, columns, strict=True):
            for i in range(n):
                results[r][i][j] = column[i]
    return [np.array(result).reshape(n, n) for result in results]


def _column(factor: InverseFactor, minus: list[Any], near: list[int], _: Array, row: Array) -> Array:
    """Return column j of -M⁻¹ R by (2) and (3); `row` contains the entries of R_j near j."""
    Y = factor.Y
    W: dict[int, Any] = {}
    for k, m in enumerate(near):
        total = row[k]
        for i, x in zip(near, row, strict=True):
            if m in Y[i]:
                total = total + Y[i][m] * x
        W[m] = total * minus[m]  # (2)
    return np.array([multiply(factor, i, W) for i in range(len(Y))])  # (3)
