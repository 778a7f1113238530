"""Regressors: matrices that give forces, energies and momentum of a figure as products with its inertial parameters.

π contains ten numbers per link (inertial_parameters.py): m, h = m c and A, the inertia about the link's origin. The
dynamics are linear in them, which identification uses. In link coordinates: i is a link, λ its parent, with C, p the
rotation and origin of i in λ; spin and slide as in recursions.py; a is the classical acceleration of the link's origin.

    ω_i = Cᵀ ω_λ + spin,   ω_i' = Cᵀ ω_λ' + spin' + ω_i × spin                                 (1)
    a_i = Cᵀ (a_λ + B_λ p + 2 ω_λ × slide + slide'),   B = ω'× + ω× ω×,   a_world = -g         (2)
    force of a link         f = m a + B h                                                      (3)
    moment about its origin n = h × a + A ω' + ω × A ω                                         (4)
    joint forces            τ_j = S_jᵀ Σ X_ji [n_i; f_i]  over the links i that joint j carries     (5)

Energy and momentum, with v the velocity of the link's origin and ω, both in link axes, γ gravity and O the origin of
the world:

    kinetic    T = ½ m v² + h · (v × ω) + ½ ω · A ω                                            (6)
    potential  V = -m γ · p - (Cᵀ γ) · h                                                       (7)
    momentum   p = m v + ω × h,   h_O = A ω + h × v + (position of the link) × p               (8)

(3), (4), (6)-(8) are linear in m, h and A; E_k ω is the derivative of A ω with respect to the k-th entry of A.

Source: C. G. Atkeson, C. H. An, J. M. Hollerbach, "Estimation of inertial parameters of manipulator loads and links",
International Journal of Robotics Research 5 (1986) 101-119.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.spatial import acceleration_matrix, skew
from anthropi.algorithms.forces import require_tree
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.shapes import Array, algorithm
from anthropi.figure import Figure

__all__ = ["inverse_dynamics_regressor", "kinetic_energy_regressor", "momentum_regressor", "potential_energy_regressor"]


@algorithm(q="nq", u="nu", udot="nu")
def inverse_dynamics_regressor(figure: Figure, q: Array, u: Array, udot: Array) -> Array:
    """Compute the matrix Y from inertial parameters to joint forces (5).

    Parameters
    ----------
    figure : a kinematic tree. q, u, udot : (nq,), (nu,), (nu,).

    Returns
    -------
    Y (nu, 10 n): Y @ inertial_parameters(figure).ravel() is `inverse_dynamics` of the figure without springs, dampers,
    rotors and external forces, M u' + h. Columns 10 i to 10 i + 9 belong to link i.
    """
    require_tree(figure, "inverse_dynamics_regressor")
    X, rows = _link_regressors(figure, q, u, udot)
    S = [joint.subspace(q[figure.q_of[i]]) if joint.nu else None for i, joint in enumerate(figure.joints)]
    Y: list[list[Any]] = [[0.0] * (10 * figure.n) for _ in range(figure.nu)]
    for i, f in enumerate(rows):
        j = i
        while j >= 0:
            if S[j] is not None:
                block = f @ S[j]  # (5)
                for k in range(10):
                    for m in range(figure.joints[j].nu):
                        Y[figure.u_of[j].start + m][10 * i + k] = block[k, m]
            f, j = X[j].act_force(f), figure.parent[j]
    return np.array(Y).reshape(figure.nu, 10 * figure.n)


def _link_regressors(figure: Figure, q: Array, u: Array, udot: Array) -> tuple[list[Any], list[Array]]:
    """Return the poses of all links in their parents, and for each link the rows (10, 6) of its regressor (3), (4)."""
    none = np.zeros(3)
    X: list[Any] = []
    w: list[Any] = []
    B: list[Any] = []
    wdot: list[Any] = []
    a: list[Any] = []
    rows: list[Array] = []
    for i, parent, joint in figure.outward():
        q_i, u_i, udot_i = q[figure.q_of[i]], u[figure.u_of[i]], udot[figure.u_of[i]]
        X.append(figure.pose(i, q))
        w0, wdot0, a0 = (none, none, -figure.gravity) if parent < 0 else (w[parent], wdot[parent], a[parent])
        w.append(X[i].undo_direction(w0))
        wdot.append(X[i].undo_direction(wdot0))
        if parent >= 0:
            a0 = a0 + matvec(B[parent], X[i].origin)
        if joint.nu:
            spin, slide = joint.spin(q_i, u_i), joint.slide(q_i, u_i)
            w[i] = w[i] + spin  # (1)
            wdot[i] = wdot[i] + joint.spin_rate(q_i, u_i, udot_i) + cross(w[i], spin)
            C = joint.placement.rotation  # slides are given in the joint frame
            a0 = a0 + 2.0 * cross(w0, matvec(C, slide)) + matvec(C, joint.slide_rate(q_i, u_i, udot_i))
        B.append(acceleration_matrix(w[i], wdot[i]))
        a.append(X[i].undo_direction(a0))  # (2)
        moments = products(wdot[i]) + cross(w[i], products(w[i]))
        rows.append(np.concatenate([
            np.concatenate([none, a[i]])[None],
            np.concatenate([skew(a[i]), transpose(B[i])], axis=1),  # column k of -a×, which is row k of a×
            np.concatenate([moments, np.zeros((6, 3))], axis=1),
        ]))  # fmt: skip
    return X, rows


def products(w: Array) -> Array:
    """Return the rows E_k w (6, 3) for a vector w (3,): A w = Σ A_k E_k w, with A_k = xx, xy, xz, yy, yz, zz."""
    x, y, z = w
    none = 0.0 * x if isinstance(x, float) else 0.0
    return np.array([[x, none, none], [y, x, none], [z, none, x], [none, y, none], [none, z, y], [none, none, z]])


@algorithm(q="nq", u="nu")
def kinetic_energy_regressor(figure: Figure, q: Array, u: Array) -> Array:
    """Compute the row from inertial parameters to kinetic energy (6).

    q (nq,), u (nu,) → y (10 n,): y @ inertial_parameters(figure).ravel() is the kinetic energy [J] without rotors.
    """
    k, parts = kinematics(figure, q, u), []
    for i in range(figure.n):
        back = transpose(k.rotation[i])
        v, w = matvec(back, k.velocity[i]), matvec(back, k.angular_velocity[i])
        parts.append(np.concatenate([0.5 * (v * v).sum(-1, keepdims=True), cross(v, w), 0.5 * (products(w) @ w)]))
    return np.concatenate(parts)


@algorithm(q="nq")
def potential_energy_regressor(figure: Figure, q: Array) -> Array:
    """Compute the row from inertial parameters to potential energy (7).

    q (nq,) → y (10 n,): y @ inertial_parameters(figure).ravel() is the potential energy [J] without springs.
    """
    k, g, parts = kinematics(figure, q), figure.gravity, []
    for i in range(figure.n):
        height = -(g * k.position[i]).sum(-1, keepdims=True)
        parts.append(np.concatenate([height, -matvec(transpose(k.rotation[i]), g), np.zeros(6)]))
    return np.concatenate(parts)


@algorithm(q="nq", u="nu")
def momentum_regressor(figure: Figure, q: Array, u: Array) -> Array:
    """Compute the matrix from inertial parameters to momentum about the origin of the world (8).

    q (nq,), u (nu,) → Y (6, 10 n): Y @ inertial_parameters(figure).ravel() is `momentum(…, about="origin")`, angular
    [N m s] and linear [N s], in the world. Momentum about the centre of mass is not linear in the parameters.
    """
    k, none, blocks = kinematics(figure, q, u), np.zeros(3), []
    for i in range(figure.n):
        C, at, v, w = k.rotation[i], k.position[i], k.velocity[i], k.angular_velocity[i]
        axes = transpose(C)  # rows are the link's axes in the world
        line = np.concatenate([v[None], cross(w, axes), np.zeros((6, 3))])  # (8)
        spin = matvec(C, products(matvec(axes, w)))
        turn = np.concatenate([none[None], cross(axes, v), spin]) + cross(at, line)
        blocks.append(np.concatenate([turn, line], axis=1))
    return transpose(np.concatenate(blocks))
