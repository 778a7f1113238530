"""Energy of a figure, and the balance between its rates and the powers of forces.

Energy, with c_i the centre of mass of link i, γ gravity, Θ_i and ω_i in link axes:

    kinetic    ½ Σ m_i |c_i'|² + ω_i · Θ_i ω_i,  and ½ Σ armature u²                           (1)
    potential  -Σ m_i γ · c_i   (zero where every centre of mass is at the world's origin)     (2)
    springs    ½ Σ k (q ⊟ rest)²                                                               (3)

Power, with t_i, f_i the external moment and force on link i, v_i the velocity of its origin:

    kinetic    Σ m_i c_i' · c_i'' + ω_i · Θ_i α_i,  and Σ armature u u'                        (4)
    potential  -Σ m_i γ · c_i'                                                                 (5)
    springs    -(spring force) · u                                                             (6)
    joints     τ · u                                                                           (7)
    dampers    -Σ d u²                                                                         (8)
    external   Σ t_i · ω_i + f_i · v_i                                                         (9)

    kinetic + potential + springs = joints + dampers + external                                (10)

½ uᵀ M u of `mass_matrix` is (1). (4) is computed from the motion alone, so (10) is a test of the dynamics.
The term ω · (ω × Θ ω) = 0 is left out. (6) is the rate of (3) for coordinates that add like vectors, and for ball
joints with the same stiffness about all axes.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.forces import external_force, has_armature, has_damper, has_spring, passive_force
from anthropi.algorithms.kinematics import kinematics, point_acceleration, point_position, point_velocity
from anthropi.algorithms.momentum import has_mass
from anthropi.algorithms.shapes import Array, ExternalForces, Number, algorithm
from anthropi.figure import Figure

__all__ = ["PowerBalance", "kinetic_energy", "potential_energy", "power_balance"]


@algorithm(q="nq", u="nu")
def kinetic_energy(figure: Figure, q: Array, u: Array) -> Number:
    """Compute the kinetic energy [J], rotors included (1). q (nq,), u (nu,)."""
    k = kinematics(figure, q, u)
    twice: Any = 0.0
    for i, joint in enumerate(figure.joints):
        link = figure.links[i]
        if has_mass(link):
            v, w = point_velocity(k, i, link.centre), matvec(transpose(k.rotation[i]), k.angular_velocity[i])
            twice = twice + link.mass * (v * v).sum() + (w * matvec(link.tensor, w)).sum()
        if has_armature(joint):
            twice = twice + (joint.armature * u[figure.u_of[i]] * u[figure.u_of[i]]).sum()
    return 0.5 * twice


@algorithm(q="nq")
def potential_energy(figure: Figure, q: Array) -> Number:
    """Compute the potential energy [J] of gravity and of springs in the joints (2), (3). q (nq,)."""
    k = kinematics(figure, q)
    energy: Any = 0.0
    for i, joint in enumerate(figure.joints):
        link, at = figure.links[i], q[figure.q_of[i]]
        if has_mass(link):
            energy = energy - link.mass * (figure.gravity * point_position(k, i, link.centre)).sum()  # (2)
        if has_spring(joint):
            away = joint.difference(joint.integrate(joint.neutral(), joint.rest), at)
            energy = energy + 0.5 * (joint.stiffness * away * away).sum()  # (3)
    return energy


class PowerBalance(NamedTuple):
    """Rates of energy (kinetic, potential, springs) and powers of forces (joints, dampers, external), all in [W]."""

    kinetic: Number
    potential: Number
    springs: Number
    joints: Number
    dampers: Number
    external: Number

    @property
    def residual(self) -> Number:
        """Rates of energy minus powers [W]; 0 if energy is balanced (10)."""
        return self.kinetic + self.potential + self.springs - self.joints - self.dampers - self.external


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", udot="nu")
def power_balance(
    figure: Figure, q: Array, u: Array, tau: Array, f_ext: ExternalForces = None, udot: Array | None = None
) -> PowerBalance:
    """Compute rates of energy and powers of forces at one state (4)-(9).

    Parameters
    ----------
    q, u : (nq,), (nu,). tau : (nu,) joint forces [N m or N].
    f_ext : (links, 6) as in `direct_dynamics`.
    udot : (nu,), accelerations if they are known; by default direct dynamics computes them.
    """
    udot = direct_dynamics(figure, q, u, tau, f_ext) if udot is None else udot
    k = kinematics(figure, q, u, udot)
    kinetic: Any = 0.0
    potential: Any = 0.0
    springs: Any = 0.0
    dampers: Any = 0.0
    external: Any = 0.0
    for i, joint in enumerate(figure.joints):
        link, at, of, push = figure.links[i], q[figure.q_of[i]], figure.u_of[i], external_force(f_ext, i)
        back, motion = transpose(k.rotation[i]), (k.angular_velocity, k.angular_acceleration, k.velocity)
        w, alpha, v = (matvec(back, x[i]) for x in motion)
        if has_mass(link):
            speed = point_velocity(k, i, link.centre)
            kinetic = kinetic + link.mass * (speed * point_acceleration(k, i, link.centre)).sum()  # (4)
            kinetic = kinetic + (w * matvec(link.tensor, alpha)).sum()
            potential = potential - link.mass * (figure.gravity * speed).sum()  # (5)
        if has_armature(joint):
            kinetic = kinetic + (joint.armature * u[of] * udot[of]).sum()
        if has_spring(joint):
            undamped = joint.changed(damping=np.zeros(joint.nu))
            springs = springs - (passive_force(undamped, at, u[of]) * u[of]).sum()  # (6)
        if has_damper(joint):
            dampers = dampers - (joint.damping * u[of] * u[of]).sum()  # (8)
        if push is not None:
            external = external + (push[:3] * w).sum() + (push[3:] * v).sum()  # (9)
    return PowerBalance(kinetic, potential, springs, (tau * u).sum(), dampers, external)  # (7)
