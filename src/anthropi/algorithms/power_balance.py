"""Where does the power go? Rates of energy on one side, powers of forces on the other.

    kinetic    Σ m_i c_i' · c_i'' + ω_i · Θ_i α_i,  and Σ armature u u'        (1)  dT/dt
    potential  -Σ m_i γ · c_i'                                                 (2)  dV/dt
    springs    -(spring force) · u                                             (3)  what the springs take up
    joints     τ · u                                                           (4)
    dampers    -Σ d u²                                                         (5)  never positive
    external   Σ t_i · ω_i + f_i · v_i                                         (6)

    kinetic + potential + springs = joints + dampers + external                (7)

(1) is computed from the motion alone, so (7) tests the dynamics that made it. ω · (ω × Θ ω) = 0 is left out. (3) is the
rate of ½ Σ k (q ⊟ rest)² for coordinates that add, and for balls as stiff about every axis.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.forces import external_force, has_armature, has_damper, has_spring, passive_force
from anthropi.algorithms.kinematics import kinematics, point_acceleration, point_velocity
from anthropi.algorithms.momentum import has_mass
from anthropi.algorithms.shapes import algorithm

__all__ = ["PowerBalance", "power_balance"]


class PowerBalance(NamedTuple):
    """Rates of energy kinetic, potential, springs, and powers joints, dampers, external [W]."""

    kinetic: Any
    potential: Any
    springs: Any
    joints: Any
    dampers: Any
    external: Any

    @property
    def residual(self):
        """What does not balance: rates less powers (7) [W]."""
        return self.kinetic + self.potential + self.springs - self.joints - self.dampers - self.external


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", udot="nu")
def power_balance(figure, q, u, tau, f_ext=None, udot=None) -> PowerBalance:
    """Where does the power of the joint forces tau (nu,) and of f_ext (links, 6) go?

    udot (nu,): the motion, where it is known from elsewhere; else direct dynamics gives it.
    """
    udot = direct_dynamics(figure, q, u, tau, f_ext) if udot is None else udot
    k = kinematics(figure, q, u, udot)
    kinetic = potential = springs = dampers = external = 0.0
    for i, joint in enumerate(figure.joints):
        link, at, of, push = figure.links[i], q[figure.q_of[i]], figure.u_of[i], external_force(f_ext, i)
        w, alpha, v = (matvec(transpose(k.rotation[i]), x[i]) for x in
                       (k.angular_velocity, k.angular_acceleration, k.velocity))  # fmt: skip
        if has_mass(link):
            speed = point_velocity(k, i, link.centre)
            kinetic = kinetic + link.mass * (speed * point_acceleration(k, i, link.centre)).sum()  # (1)
            kinetic = kinetic + (w * matvec(link.tensor, alpha)).sum()
            potential = potential - link.mass * (figure.gravity * speed).sum()  # (2)
        if has_armature(joint):
            kinetic = kinetic + (joint.armature * u[of] * udot[of]).sum()
        if has_spring(joint):
            slack = joint.changed(damping=np.zeros(joint.nu))
            springs = springs - (passive_force(slack, at, u[of]) * u[of]).sum()  # (3)
        if has_damper(joint):
            dampers = dampers - (joint.damping * u[of] * u[of]).sum()  # (5)
        if push is not None:
            external = external + (push[:3] * w).sum() + (push[3:] * v).sum()  # (6)
    return PowerBalance(kinetic, potential, springs, (tau * u).sum(), dampers, external)  # (4)
