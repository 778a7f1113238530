"""Which joint forces keep the velocities as they are? The terms of the equations of motion beside M u'.

    M u' + h(q, u) = τ + passive + Σ Jᵀ f_ext                                  (1)

    h = C(q, u) u + g(q):  inverse dynamics at u' = 0 of the bare figure       (2)  thesis 5.3 summed over the links
    C u:                   the same without gravity                            (3)
    g, inward, M_i the mass of all that hangs on link i, n_i its moment:       (4)
        γ_i = Cᵀ γ_λ,   n_i = m s × γ_i + Σ (C n_j + p × M_j γ_i),   g = -Sᵀ [n_i; M_i γ_i]
    passive = -k (q ⊟ rest) - d u of every joint                               (5)
    Σ Jᵀ f_ext: the same forces carried inward                                 (6)

γ is the field of gravity in link axes. The bare figure has no springs, dampers or rotors, as h has none: Pinocchio's
nonLinearEffects and MuJoCo's qfrc_bias are this h. With f_ext given, what is returned is h - Σ Jᵀ f_ext.
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import force
from anthropi.algorithms.forces import bare, no_loops, outer, passive
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.shapes import algorithm

__all__ = ["bias_forces", "external_forces", "gravity_forces", "passive_forces", "velocity_forces"]


@algorithm(q="nq", u="nu", f_ext="links*6")
def bias_forces(figure, q, u, f_ext=None):
    """Which joint forces keep the velocities as they are? h (nu,) [N m or N], of velocity and gravity (2).

    f_ext (links, 6), as in `direct_dynamics`, is taken off where given. Springs and dampers: `passive_forces`.
    """
    no_loops(figure, "bias_forces")
    return inverse_dynamics(bare(figure), q, u, np.zeros(figure.nu), f_ext)


@algorithm(q="nq", u="nu")
def velocity_forces(figure, q, u):
    """Which joint forces do the velocities alone ask for? C u (nu,): Coriolis and centrifugal terms (3)."""
    no_loops(figure, "velocity_forces")
    return inverse_dynamics(bare(figure, gravity=np.zeros(3)), q, u, np.zeros(figure.nu))


@algorithm(q="nq")
def gravity_forces(figure, q):
    """Which joint forces hold the figure still against gravity? g(q) (nu,), the gradient of potential energy (4)."""
    no_loops(figure, "gravity_forces")
    X = [figure.pose(i, q) for i in range(figure.n)]
    field: list = []
    for i, parent, _ in figure.outward():
        field.append(matvec(transpose(X[i].rotation), figure.gravity if parent < 0 else field[parent]))
    mass = [link.mass for link in figure.links]
    n = [np.cross(link.mass * link.centre, field[i]) for i, link in enumerate(figure.links)]
    held: list = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        if joint.nu:
            held[i] = -(joint.subspace(q[figure.q_of[i]]).T @ force(n[i], mass[i] * field[i]))
        if parent >= 0:
            n[parent] = n[parent] + matvec(X[i].rotation, n[i]) + np.cross(mass[i] * X[i].origin, field[parent])
            mass[parent] = mass[parent] + mass[i]
    return np.concatenate(held)


@algorithm(q="nq", u="nu")
def passive_forces(figure, q, u):
    """Which forces do the joints' own springs and dampers make? (nu,) (5)."""
    own = zip(figure.joints, figure.q_of, figure.u_of, strict=True)
    return np.concatenate([np.zeros(joint.nu) + passive(joint, q[at], u[of]) for joint, at, of in own])


@algorithm(q="nq", f_ext="links*6")
def external_forces(figure, q, f_ext):
    """Which joint forces do the same as forces on the links? Σ Jᵀ f_ext (nu,) (6)."""
    no_loops(figure, "external_forces")
    given = [outer(f_ext, i) for i in range(figure.n)]
    f = [np.zeros(6) if x is None else x for x in given]
    same: list = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        if joint.nu:
            same[i] = joint.subspace(q[figure.q_of[i]]).T @ f[i]
        if parent >= 0:
            f[parent] = f[parent] + figure.pose(i, q).act_force(f[i])
    return np.concatenate(same)
