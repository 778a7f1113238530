"""How do stiff joint springs and dampers act over a whole step? Implicitly, inside the recursion.

A spring and damper that are taken at the end of the step of length h, where u⁺ = u + h u' and e⁺ = e - h u⁺, pull with

    τ = kp e⁺ - kd u⁺ = kp (e - h u) - kd u - (h kd + h² kp) u'                (1)

with e = target ⊟ q. The part that goes with u' moves to the other side of M u' + … = τ, as inertia of the joint:

    D = Sᵀ I S + h kd + h² kp,   τ = kp (e - h u) - kd u                       (2)

so the step is stable however stiff they are, and since the force stays inside the joint, momentum balances. The error
e⁺ is to first order in h, exact for coordinates that add.
"""

import numpy as np

from anthropi.algorithms.forces import has_damper, has_spring

__all__ = ["implicit_drive"]


def implicit_drive(figure, q, u, tau, dt, target=None, kp=None, kd=None):
    """What do direct and hybrid dynamics need to treat springs and dampers implicitly over a step dt [s]?

    q (nq,), u (nu,), tau (nu,) that acts besides. target (nq,), kp, kd (nu,): springs towards a configuration and
    dampers that a controller adds [N m/rad, N m s/rad or N/m, N s/m]; those of the figure's joints are always treated.
    Returns (tau, extra), both (nu,): direct_dynamics(figure, q, u, tau, extra=extra).
    """
    force, extra = [np.zeros(0)], [np.zeros(0)]
    for i, joint in enumerate(figure.joints):
        at, of = q[figure.q_of[i]], figure.u_of[i]
        own, more = tau[of], np.zeros(joint.nu)
        if has_spring(joint):  # the recursion itself adds -k (q ⊟ rest) - d u
            own = own - dt * joint.stiffness * u[of]
            more = more + dt * dt * joint.stiffness
        if has_damper(joint):
            more = more + dt * joint.damping
        if kp is not None and joint.nu:
            error = joint.difference(at, target[figure.q_of[i]]) if target is not None else np.zeros(joint.nu)
            own = own + kp[of] * (error - dt * u[of])  # (2)
            more = more + dt * dt * kp[of]
        if kd is not None:
            own = own - kd[of] * u[of]
            more = more + dt * kd[of]
        force.append(own)
        extra.append(more)
    return np.concatenate(force), np.concatenate(extra)
