"""Centroidal momentum matrix, its rate, and the Jacobian of the centre of mass, in world axes.

For all links that joint i carries, about link origin p_i: mass M, first moment f = Σ m (c - p_i), second moment T.
Inward, with d = p_i - p_λ and ⟨a, b⟩ = 2 a·b 1 - a bᵀ - b aᵀ:

    own       f = m C s,   T = C (I* + m (s² 1 - s sᵀ)) Cᵀ                                     (1)
    carried   f_λ = f_λ + f + M d,   T_λ = T_λ + T + ⟨f + ½ M d, d⟩                            (2)
    column    p = M l + w × f,   h = T w + f × l + (p_i - c) × p,   A_k = [h; p]               (3)
              centre of mass: J_k = p / M_total                                                (4)
    rates     f' = ω × f, T' = ω× T - T ω× for own moments; (2), (3) by the product rule       (5)

w and l are the columns of a joint (jacobians.py (1)); their rates are (6) there. A u = [h_G; p] is `momentum`, and
A' u + A u' is its rate. The recursion adds moments, not centres of mass, so that links without mass need no division.

Source: D. E. Orin, A. Goswami, S.-H. Lee, "Centroidal dynamics of a humanoid robot", Autonomous Robots 35 (2013)
161-176.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, matvec, symmetric_matvec, transpose, upper, upper_product
from anthropi.algebra.spatial import skew
from anthropi.algebra.spatial.rigid import paired
from anthropi.algorithms.jacobians import column_rates, columns, placed
from anthropi.algorithms.kinematics import Kinematics, kinematics, point_velocity
from anthropi.algorithms.momentum import centre_of, has_mass, weighted
from anthropi.algorithms.shapes import Array, algorithm
from anthropi.figure import Figure

__all__ = ["centre_of_mass_jacobian", "centroidal_momentum_matrix", "centroidal_momentum_rate"]


class _Moments(NamedTuple):
    """Mass, first moment (3,) and packed second moment (6,) about a link's origin, or their rates."""

    mass: Any
    first: Any
    second: Any


@algorithm(q="nq")
def centroidal_momentum_matrix(figure: Figure, q: Array) -> Array:
    """Compute the matrix from velocities to momentum about the centre of mass (3).

    q (nq,) → A (6, nu): [angular momentum; linear momentum] = A u, in the world.
    """
    k = kinematics(figure, q)
    centre, carried, joints, rows = centre_of(figure, k), _carried(figure, k), _joints(figure), []
    for i in joints:
        w, l = columns(figure, k, q, i)
        h, p = _column(carried[i], w, l)  # (3)
        rows.append(np.concatenate([h + np.cross(k.position[i] - centre, p), p], axis=1))
    return _matrix(figure, joints, rows)


@algorithm(q="nq", u="nu")
def centroidal_momentum_rate(figure: Figure, q: Array, u: Array) -> Array:
    """Compute the rate dA/dt (6, nu) of `centroidal_momentum_matrix` along u (5). q (nq,), u (nu,)."""
    k = kinematics(figure, q, u)
    c, c_rate = centre_of(figure, k), weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    carried, changes, joints, rows = _carried(figure, k), _carried_rates(figure, k), _joints(figure), []
    for i in joints:
        (w, l), (w_rate, l_rate) = columns(figure, k, q, i), column_rates(figure, k, q, u, i)
        _, p = _column(carried[i], w, l)
        (h1, p1), (h2, p2) = _column(changes[i], w, l), _column(carried[i], w_rate, l_rate)
        p_rate, arm, arm_rate = p1 + p2, k.position[i] - c, k.velocity[i] - c_rate
        rows.append(np.concatenate([h1 + h2 + np.cross(arm_rate, p) + np.cross(arm, p_rate), p_rate], axis=1))  # (5)
    return _matrix(figure, joints, rows)


@algorithm(q="nq")
def centre_of_mass_jacobian(figure: Figure, q: Array) -> Array:
    """Compute the Jacobian of the centre of mass (4).

    q (nq,) → J (3, nu): velocity of the centre of mass in the world = J u.
    """
    return centroidal_momentum_matrix(figure, q)[3:] / figure.mass


def _joints(figure: Figure) -> list[int]:
    """Return the numbers of the joints that have degrees of freedom."""
    return [i for i, joint in enumerate(figure.joints) if joint.nu]


def _matrix(figure: Figure, joints: list[int], rows: list[Any]) -> Array:
    """Return the matrix (6, nu) that has the given rows, (nu_i, 6) for each of these joints, as columns."""
    return placed(figure, joints, np.concatenate(rows) if rows else np.zeros((0, 6))).T


def _column(moments: _Moments, w: Array, l: Array) -> tuple[Array, Array]:
    """Return angular and linear momentum per unit velocity of joint i about p_i (3), each (nu_i, 3)."""
    p = moments.mass * l + np.cross(w, moments.first)
    return symmetric_matvec(moments.second, w) + np.cross(moments.first, l), p


def _own(figure: Figure, k: Kinematics, i: int) -> _Moments:
    """Return the moments of link i alone (1)."""
    link, C = figure.links[i], k.rotation[i]
    if not has_mass(link):
        return _Moments(0.0, np.zeros(3), np.zeros(6))
    s = link.centre
    T = full(upper(link.tensor) + 0.5 * link.mass * paired(s, s))
    return _Moments(link.mass, link.mass * matvec(C, s), upper_product(C @ T, C))


def _carried(figure: Figure, k: Kinematics) -> list[_Moments]:
    """Return, for each joint, the moments of all links that it carries (2)."""
    found = [_own(figure, k, i) for i in range(figure.n)]
    for i, parent, _ in figure.inward():
        if parent >= 0:
            (M, f, T), (M0, f0, T0), d = found[i], found[parent], k.position[i] - k.position[parent]
            found[parent] = _Moments(M0 + M, f0 + f + M * d, T0 + T + paired(f + 0.5 * M * d, d))
    return found


def _carried_rates(figure: Figure, k: Kinematics) -> list[_Moments]:
    """Return, for each joint, the rates of the moments of all links that it carries (5)."""
    masses, found = _carried(figure, k), []
    for i in range(figure.n):
        _, f, T = _own(figure, k, i)
        turned = skew(k.angular_velocity[i]) @ full(T)
        found.append(_Moments(0.0, np.cross(k.angular_velocity[i], f), upper(turned + transpose(turned))))
    for i, parent, _ in figure.inward():
        if parent >= 0:
            d, d_rate = k.position[i] - k.position[parent], k.velocity[i] - k.velocity[parent]
            (M, f, _), (_, f1, T1), (_, f0, T0) = masses[i], found[i], found[parent]
            T_rate = T1 + paired(f1, d) + paired(f + M * d, d_rate)
            found[parent] = _Moments(0.0, f0 + f1 + M * d_rate, T0 + T_rate)
    return found
