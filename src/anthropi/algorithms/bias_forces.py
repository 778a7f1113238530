"""Terms of the equations of motion other than M u': bias, gravity, velocity, passive and external forces.

    M u' + h(q, u) = τ + passive + Σ Jᵀ f_ext                                                  (1)

    h = C(q, u) u + g(q):   inverse dynamics at u' = 0 without springs, dampers and rotors     (2)
    C u:                    the same without gravity                                           (3)
    g:  γ_i = Cᵀ γ_λ outward, γ_world the field of gravity; inward, with M_i the mass that joint i carries,
        n_i = m s × γ_i + Σ (C n_j + p × M_j γ_i),   g_i = -Sᵀ [n_i; M_i γ_i]                  (4)
    passive = -k (q ⊟ rest) - d u of every joint                                               (5)
    Σ Jᵀ f_ext:   f_λ = f_λ + X f_i inward, Sᵀ f_i                                             (6)

The sums in (4) are over the children j of link i; s is its centre of mass. h is Pinocchio's `nonLinearEffects` and
MuJoCo's `qfrc_bias`.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import force
from anthropi.algorithms.forces import external_force, passive_force, require_tree, without_springs
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.shapes import Array, ExternalForces, algorithm
from anthropi.figure import Figure

__all__ = ["bias_forces", "external_forces", "gravity_forces", "passive_forces", "velocity_forces"]


@algorithm(q="nq", u="nu", f_ext="links*6")
def bias_forces(figure: Figure, q: Array, u: Array, f_ext: ExternalForces = None) -> Array:
    """Compute the bias forces h of gravity, Coriolis and centrifugal terms (2).

    Parameters
    ----------
    figure : a kinematic tree. q, u : (nq,), (nu,).
    f_ext : (links, 6) as in `direct_dynamics`; if given, h - Σ Jᵀ f_ext is returned.

    Returns
    -------
    h (nu,) [N m or N]: the joint forces that keep u constant. Springs and dampers are in `passive_forces`.
    """
    require_tree(figure, "bias_forces")
    return inverse_dynamics(without_springs(figure), q, u, np.zeros(figure.nu), f_ext)


@algorithm(q="nq", u="nu")
def velocity_forces(figure: Figure, q: Array, u: Array) -> Array:
    """Compute the Coriolis and centrifugal forces C(q, u) u (3).

    q (nq,), u (nu,) → (nu,) [N m or N].
    """
    require_tree(figure, "velocity_forces")
    return inverse_dynamics(without_springs(figure, gravity=np.zeros(3)), q, u, np.zeros(figure.nu))


@algorithm(q="nq")
def gravity_forces(figure: Figure, q: Array) -> Array:
    """Compute the joint forces g(q) that hold the figure at rest against gravity (4).

    q (nq,) → (nu,) [N m or N], the gradient of the potential energy of gravity.
    """
    require_tree(figure, "gravity_forces")
    X = [figure.pose(i, q) for i in range(figure.n)]
    field: list[Any] = []
    for i, parent, _ in figure.outward():
        field.append(matvec(transpose(X[i].rotation), figure.gravity if parent < 0 else field[parent]))
    mass = [link.mass for link in figure.links]
    n = [np.cross(link.mass * link.centre, field[i]) for i, link in enumerate(figure.links)]
    held: list[Any] = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        if joint.nu:
            held[i] = -(joint.subspace(q[figure.q_of[i]]).T @ force(n[i], mass[i] * field[i]))  # (4)
        if parent >= 0:
            n[parent] = n[parent] + matvec(X[i].rotation, n[i]) + np.cross(mass[i] * X[i].origin, field[parent])
            mass[parent] = mass[parent] + mass[i]
    return np.concatenate(held)


@algorithm(q="nq", u="nu")
def passive_forces(figure: Figure, q: Array, u: Array) -> Array:
    """Compute the forces of the springs and dampers in the joints (5).

    q (nq,), u (nu,) → (nu,) [N m or N].
    """
    own = zip(figure.joints, figure.q_of, figure.u_of, strict=True)
    return np.concatenate([np.zeros(joint.nu) + passive_force(joint, q[at], u[of]) for joint, at, of in own])


@algorithm(q="nq", f_ext="links*6")
def external_forces(figure: Figure, q: Array, f_ext: ExternalForces) -> Array:
    """Compute the joint forces Σ Jᵀ f_ext that are equivalent to external forces on links (6).

    q (nq,), f_ext (links, 6) as in `direct_dynamics` → (nu,) [N m or N].
    """
    require_tree(figure, "external_forces")
    given = [external_force(f_ext, i) for i in range(figure.n)]
    f = [np.zeros(6) if x is None else x for x in given]
    same: list[Any] = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        if joint.nu:
            same[i] = joint.subspace(q[figure.q_of[i]]).T @ f[i]  # (6)
        if parent >= 0:
            f[parent] = f[parent] + figure.pose(i, q).act_force(f[i])
    return np.concatenate(same)
